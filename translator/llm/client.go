package llm

import (
	"cmp"
	"context"
	"log/slog"
	"math"
	"reflect"
	"regexp"
	"slices"
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
	doer    *doer
	places  *places
	breaker *breaker
	metrics *metrics
	log     *slog.Logger
	closed  atomic.Bool

	// What the server turned out not to take, learned from its answers.
	oneSample        atomic.Bool // it ignores or refuses n
	noTemperature    atomic.Bool
	completionTokens atomic.Bool  // it wants max_completion_tokens
	form             atomic.Int32 // the formLevel that it takes
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
	proxy, err := cfg.proxy()
	if err != nil {
		return nil, err
	}
	doer := newDoer(cfg.MaxResponse, cfg.MaxConcurrency, proxy)
	conf.HTTPClient = doer
	c := &Client{
		cfg:     cfg,
		key:     key,
		doer:    doer,
		api:     openai.NewClientWithConfig(conf),
		places:  newPlaces(&cfg),
		breaker: newBreaker(cfg.BreakerFailures, cfg.BreakerCooldown.Duration()),
		metrics: newMetrics(reg),
		log:     log,
	}
	c.metrics.atZero(cfg.Name)
	c.ShowState()
	c.oneSample.Store(!cfg.NativeN)
	c.form.Store(firstLevels[cfg.Structured])
	return c, nil
}

// Unchanged says whether a client of cfg would be as c is: with the same settings, and the same key
// where the key is set.
func (c *Client) Unchanged(cfg Config) bool {
	key, err := cfg.key()
	return err == nil && key == c.key && reflect.DeepEqual(cfg, c.cfg)
}

// Close ends the idle connections of a client that another one, or none, has taken the place of. gone says that no
// model has its name any more: the metrics of its state end then. Calls under way go on.
func (c *Client) Close(gone bool) {
	c.closed.Store(true)
	c.doer.client.CloseIdleConnections()
	if gone {
		c.metrics.forget(c.cfg.Name)
	}
}

// Name returns the configured name.
func (c *Client) Name() string { return c.cfg.Name }

// Traits say how the model may be used.
func (c *Client) Traits() Traits {
	return Traits{Window: c.cfg.Window, Local: c.cfg.Local, Small: c.cfg.Small, Roles: c.cfg.Roles, MaxTokens: c.cfg.MaxTokens, PriceIn: c.cfg.PriceIn, PriceOut: c.cfg.PriceOut}
}

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
		if kindOf(first) != "" && !c.oneSample.Load() {
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
func (c *Client) attempt(ctx context.Context, r Request, n int, level formLevel) (Response, shape, *Error) {
	var made shape
	var res openai.ChatCompletionResponse
	asked, e := c.send(ctx, r.Stage, func(ctx context.Context) (err error) {
		var req openai.ChatCompletionRequest
		req, made = c.chatRequest(r, n)
		formed(&req, r.Form, level)
		res, err = c.api.CreateChatCompletion(ctx, req)
		// What was not asked for is not looked at.
		res.Choices = res.Choices[:min(len(res.Choices), n)]
		if err == nil && !hasChoice(res) {
			err = errNoChoice
		}
		return err
	})
	switch {
	case e == nil:
		return c.response(r, res), made, nil
	case asked:
		return Response{Usage: c.spent(r, res.Usage, e)}, made, e
	}
	return Response{}, made, e
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
	limit := cmp.Or(r.MaxTokens, c.cfg.MaxTokens)
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
	if err.kind != kindRejected || err.status != 0 && err.status != 400 && err.status != 422 {
		return false
	}
	msg := strings.ToLower(err.message)
	repeat := false
	if s.maxTokens && (strings.Contains(msg, "max_completion_tokens") || strings.Contains(msg, "maxcompletiontokens")) {
		c.completionTokens.Store(true)
		repeat = true
	}
	if s.temperature && strings.Contains(msg, "temperature") {
		c.noTemperature.Store(true)
		repeat = true
	}
	if s.n > 1 && refusesN.MatchString(msg) {
		c.oneSample.Store(true)
		return false
	}
	return repeat
}

// refusesN matches what servers say of n > 1.
var refusesN = regexp.MustCompile("['\"`]n['\"`]|\\bn (>|must|should|is|are)\\b|\\bn > 1|multiple (choices|completions)")

func hasChoice(res openai.ChatCompletionResponse) bool {
	return slices.ContainsFunc(res.Choices, func(ch openai.ChatCompletionChoice) bool { return strings.TrimSpace(ch.Message.Content) != "" })
}

func (c *Client) response(r Request, res openai.ChatCompletionResponse) Response {
	var out Response
	for _, ch := range res.Choices {
		out.Texts = append(out.Texts, ch.Message.Content)
		out.Truncated = append(out.Truncated, ch.FinishReason == openai.FinishReasonLength)
	}
	u := ask.Usage{Calls: 1, PromptTokens: res.Usage.PromptTokens, CompletionTokens: res.Usage.CompletionTokens}
	if u.PromptTokens <= 0 {
		u.PromptTokens = PromptTokens(r)
	}
	if u.CompletionTokens <= 0 {
		for _, t := range out.Texts {
			u.CompletionTokens += token.Count(t)
		}
	}
	out.Usage = c.charge(u)
	return out
}

// PromptTokens estimates what a request sends.
func PromptTokens(r Request) int {
	n := 0
	for _, m := range r.Messages {
		n += token.Count(m.Content) + 4
	}
	return n
}

// charge adds the price to usage and counts it.
func (c *Client) charge(u ask.Usage) ask.Usage {
	u.Cost = (float64(u.PromptTokens)*c.cfg.PriceIn + float64(u.CompletionTokens)*c.cfg.PriceOut) / 1e6
	c.metrics.tokens.WithLabelValues(c.cfg.Name, "in").Add(float64(u.PromptTokens))
	c.metrics.tokens.WithLabelValues(c.cfg.Name, "out").Add(float64(u.CompletionTokens))
	c.metrics.cost.WithLabelValues(c.cfg.Name).Add(u.Cost)
	return u
}

// spent is the usage of a request that failed: what the server says, if it says anything.
func (c *Client) spent(r Request, said openai.Usage, e *Error) ask.Usage {
	u := ask.Usage{Calls: 1, PromptTokens: max(0, said.PromptTokens), CompletionTokens: max(0, said.CompletionTokens)}
	if u.PromptTokens == 0 && e.billed() {
		u.PromptTokens = PromptTokens(r)
	}
	return c.charge(u)
}
