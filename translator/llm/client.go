package llm

import (
	"context"
	"log/slog"
	"math"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	openai "github.com/sashabaranov/go-openai"

	"askpg/ask"
	"askpg/translator/token"
)

// Client samples from one model. It is safe for concurrent use.
type Client struct {
	cfg     Config
	key     string
	api     *openai.Client
	slots   chan struct{}
	breaker *breaker
	metrics *metrics
	log     *slog.Logger

	// What the server turned out not to take, learned from its answers.
	oneSample        atomic.Bool // it ignores or refuses n
	noTemperature    atomic.Bool
	completionTokens atomic.Bool // it wants max_completion_tokens
}

// New returns a client of a validated Config. reg may be nil.
func New(cfg Config, log *slog.Logger, reg prometheus.Registerer) (*Client, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	key, err := cfg.key()
	if err != nil {
		return nil, err
	}
	conf := openai.DefaultConfig(key)
	conf.BaseURL = cfg.BaseURL
	conf.HTTPClient = newDoer(cfg.MaxResponse, cfg.MaxConcurrency)
	c := &Client{
		cfg:     cfg,
		key:     key,
		api:     openai.NewClientWithConfig(conf),
		slots:   make(chan struct{}, cfg.MaxConcurrency),
		breaker: &breaker{limit: cfg.BreakerFailures, cooldown: cfg.BreakerCooldown.Duration(), now: time.Now},
		metrics: newMetrics(reg),
		log:     log,
	}
	c.oneSample.Store(!cfg.NativeN)
	return c, nil
}

// Name returns the configured name.
func (c *Client) Name() string { return c.cfg.Name }

// Traits say how the model may be used.
func (c *Client) Traits() Traits {
	return Traits{Window: c.cfg.Window, Local: c.cfg.Local, Roles: c.cfg.Roles, MaxTokens: c.cfg.MaxTokens}
}

// Paused says whether the model is left alone after failures in a row.
func (c *Client) Paused() bool { return c.breaker.isOpen() }

// Complete samples r.N answers: in one request where the server honours n,
// else in as many requests side by side. The error, if there is no answer at
// all, is an *Error.
func (c *Client) Complete(ctx context.Context, r Request) (Response, error) {
	start := time.Now()
	want := max(r.N, 1)
	var out Response
	var first error
	if want > 1 && !c.oneSample.Load() {
		out, first = c.request(ctx, r, want)
		if first == nil && len(out.Texts) < want {
			c.oneSample.Store(true)
			c.log.Info("model answers one sample a request", "model", c.cfg.Name)
		}
		if KindOf(first) != "" && !c.oneSample.Load() {
			out.Elapsed = time.Since(start)
			return out, first
		}
	}
	missing := want - len(out.Texts)
	parts := make([]Response, missing)
	errs := make([]error, missing)
	var wg sync.WaitGroup
	for i := range missing {
		wg.Go(func() { parts[i], errs[i] = c.request(ctx, r, 1) })
	}
	wg.Wait()
	for i, p := range parts {
		out.Texts = append(out.Texts, p.Texts...)
		out.Truncated = append(out.Truncated, p.Truncated...)
		out.Usage.Add(p.Usage)
		if errs[i] != nil {
			first = errs[i]
		}
	}
	out.Elapsed = time.Since(start)
	if len(out.Texts) > 0 {
		return out, nil
	}
	return out, first
}

// attempt sends one request and waits for its answer, within the request's
// own timeout.
func (c *Client) attempt(ctx context.Context, r Request, n int) (Response, shape, *Error) {
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return Response{}, shape{}, c.classify(ctx, ctx.Err(), 0)
	}
	if wait, ok := c.breaker.allow(); !ok {
		c.count(r.Stage, string(CircuitOpen))
		return Response{}, shape{}, &Error{Model: c.cfg.Name, Kind: CircuitOpen,
			Message: "it failed too often and is tried again in " + wait.Round(time.Second).String()}
	}
	c.metrics.inFlight.WithLabelValues(c.cfg.Name).Inc()
	start := time.Now()
	own, cancel := context.WithTimeout(ctx, c.cfg.Timeout.Duration())
	own, wish := withRetryAfter(own)
	req, made := c.chatRequest(r, n)
	res, err := c.api.CreateChatCompletion(own, req)
	cancel()
	if err == nil && !hasChoice(res) {
		err = errNoChoice
	}
	c.metrics.inFlight.WithLabelValues(c.cfg.Name).Dec()
	c.metrics.seconds.WithLabelValues(c.cfg.Name, r.Stage).Observe(time.Since(start).Seconds())

	if err != nil {
		e := c.classify(ctx, err, *wish)
		switch e.Kind {
		case Canceled:
			c.breaker.done(unknown)
		case Rejected:
			c.breaker.done(healthy)
		default:
			c.breaker.done(failing)
		}
		c.metrics.open.WithLabelValues(c.cfg.Name).Set(boolFloat(c.breaker.isOpen()))
		c.count(r.Stage, string(e.Kind))
		return Response{Usage: ask.Usage{Calls: 1}}, made, e
	}
	c.breaker.done(healthy)
	c.metrics.open.WithLabelValues(c.cfg.Name).Set(0)
	c.count(r.Stage, "ok")
	return c.response(r, res), made, nil
}

func (c *Client) count(stage, outcome string) {
	c.metrics.requests.WithLabelValues(c.cfg.Name, stage, outcome).Inc()
}

func (c *Client) chatRequest(r Request, n int) (openai.ChatCompletionRequest, shape) {
	q := openai.ChatCompletionRequest{Model: c.cfg.Model}
	s := shape{n: n}
	for _, m := range r.Messages {
		q.Messages = append(q.Messages, openai.ChatCompletionMessage{Role: m.Role, Content: m.Content})
	}
	if n > 1 {
		q.N = n
	}
	limit := r.MaxTokens
	if limit == 0 {
		limit = c.cfg.MaxTokens
	}
	if c.completionTokens.Load() {
		q.MaxCompletionTokens = limit
	} else {
		//lint:ignore SA1019 servers other than OpenAI's often know no other limit
		q.MaxTokens, s.maxTokens = limit, true
	}
	if !c.noTemperature.Load() {
		t := c.cfg.Temperature
		if r.Temperature != nil {
			t = *r.Temperature
		}
		// Zero would be left out of the JSON, and the server's default is 1.
		q.Temperature, s.temperature = float32(math.Max(t, math.SmallestNonzeroFloat32)), true
	}
	return q, s
}

// shape says which optional parameters a request carried.
type shape struct {
	temperature, maxTokens bool
	n                      int
}

// adapt looks whether the server refused a parameter that the request
// carried, and leaves it out from now on. It says whether the request is worth
// repeating as it is now made.
func (c *Client) adapt(err *Error, s shape) bool {
	if err.Kind != Rejected || err.Status != 0 && err.Status != 400 && err.Status != 422 {
		return false
	}
	msg := strings.ToLower(err.Message)
	again := false
	if s.maxTokens && (strings.Contains(msg, "max_completion_tokens") || strings.Contains(msg, "maxcompletiontokens")) {
		c.completionTokens.Store(true)
		again = true
	}
	if s.temperature && strings.Contains(msg, "temperature") {
		c.noTemperature.Store(true)
		again = true
	}
	if s.n > 1 && refusesN.MatchString(msg) {
		c.oneSample.Store(true)
		return false
	}
	return again
}

// refusesN matches what servers say of n > 1.
var refusesN = regexp.MustCompile("['\"`]n['\"`]|\\bn (>|must|should|is|are)\\b|\\bn > 1|multiple (choices|completions)")

func hasChoice(res openai.ChatCompletionResponse) bool {
	for _, ch := range res.Choices {
		if strings.TrimSpace(ch.Message.Content) != "" {
			return true
		}
	}
	return false
}

func (c *Client) response(r Request, res openai.ChatCompletionResponse) Response {
	var out Response
	for _, ch := range res.Choices {
		out.Texts = append(out.Texts, ch.Message.Content)
		out.Truncated = append(out.Truncated, ch.FinishReason == openai.FinishReasonLength)
	}
	u := ask.Usage{Calls: 1, PromptTokens: res.Usage.PromptTokens, CompletionTokens: res.Usage.CompletionTokens}
	if u.PromptTokens <= 0 {
		for _, m := range r.Messages {
			u.PromptTokens += token.Count(m.Content) + 4
		}
	}
	if u.CompletionTokens <= 0 {
		for _, t := range out.Texts {
			u.CompletionTokens += token.Count(t)
		}
	}
	u.Cost = (float64(u.PromptTokens)*c.cfg.PriceIn + float64(u.CompletionTokens)*c.cfg.PriceOut) / 1e6
	c.metrics.tokens.WithLabelValues(c.cfg.Name, "in").Add(float64(u.PromptTokens))
	c.metrics.tokens.WithLabelValues(c.cfg.Name, "out").Add(float64(u.CompletionTokens))
	c.metrics.cost.WithLabelValues(c.cfg.Name).Add(u.Cost)
	out.Usage = u
	return out
}

func boolFloat(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
