package llm_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"askpg/ask"
	"askpg/translator/llm"
	"askpg/translator/llm/llmtest"
)

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

func client(t *testing.T, c llm.Config) *llm.Client {
	t.Helper()
	cl, err := llm.New(c, quiet, prometheus.NewRegistry())
	if err != nil {
		t.Fatal(err)
	}
	return cl
}

func request(n int) llm.Request {
	return llm.Request{Messages: []llm.Message{{Role: llm.User, Content: "how many"}}, N: n, Stage: "test"}
}

func TestClient_Complete(t *testing.T) {
	ok := llmtest.Reply{Texts: []string{"a"}}
	for _, tt := range []struct {
		name   string
		n      int
		config func(*llm.Config)
		script func(llmtest.Call) llmtest.Reply
		texts  int
		kind   llm.Kind
		calls  int
	}{
		{name: "one", n: 1, texts: 1, calls: 1,
			script: func(llmtest.Call) llmtest.Reply { return ok }},
		{name: "n honoured", n: 3, texts: 3, calls: 1,
			script: func(c llmtest.Call) llmtest.Reply { return llmtest.Reply{Texts: make3(c.N)} }},
		{name: "more than asked for", n: 3, texts: 3, calls: 1,
			script: func(llmtest.Call) llmtest.Reply { return llmtest.Reply{Texts: make3(1000)} }},
		{name: "more than one", n: 1, texts: 1, calls: 1,
			script: func(llmtest.Call) llmtest.Reply { return llmtest.Reply{Texts: make3(1000)} }},
		{name: "n ignored", n: 3, texts: 3, calls: 3,
			script: func(llmtest.Call) llmtest.Reply { return ok }},
		{name: "n refused", n: 3, texts: 3, calls: 4,
			script: func(c llmtest.Call) llmtest.Reply {
				if c.N > 1 {
					return llmtest.Reply{Status: 400, Message: "Invalid value for 'n': only one choice is supported"}
				}
				return ok
			}},
		{name: "temperature refused", n: 1, texts: 1, calls: 2,
			script: func(c llmtest.Call) llmtest.Reply {
				if c.Temperature > 0 {
					return llmtest.Reply{Status: 400, Message: "Unsupported parameter: 'temperature'"}
				}
				return ok
			}},
		{name: "429 then answer", n: 1, texts: 1, calls: 2,
			script: func(c llmtest.Call) llmtest.Reply {
				if c.Number == 1 {
					return llmtest.Reply{Status: 429, Message: "slow down", Header: map[string]string{"Retry-After-Ms": "20"}}
				}
				return ok
			}},
		{name: "429 for too long", n: 1, kind: llm.RateLimited, calls: 1,
			script: func(llmtest.Call) llmtest.Reply {
				return llmtest.Reply{Status: 429, Message: "slow down", Header: map[string]string{"Retry-After": "3600"}}
			}},
		{name: "500 then answer", n: 1, texts: 1, calls: 2,
			script: func(c llmtest.Call) llmtest.Reply {
				if c.Number == 1 {
					return llmtest.Reply{Status: 500, Body: "<html>oops</html>"}
				}
				return ok
			}},
		{name: "500 for ever", n: 1, kind: llm.Unavailable, calls: 2, config: func(c *llm.Config) { c.Retries = 1 },
			script: func(llmtest.Call) llmtest.Reply { return llmtest.Reply{Status: 500} }},
		{name: "401 is not repeated", n: 1, kind: llm.Refused, calls: 1,
			script: func(llmtest.Call) llmtest.Reply { return llmtest.Reply{Status: 401, Message: "bad key"} }},
		{name: "half a response", n: 1, kind: llm.Malformed, calls: 1, config: func(c *llm.Config) { c.Retries = 0 },
			script: func(llmtest.Call) llmtest.Reply { return llmtest.Reply{Texts: []string{"a"}, Cut: true} }},
		{name: "garbage", n: 1, kind: llm.Malformed, calls: 1, config: func(c *llm.Config) { c.Retries = 0 },
			script: func(llmtest.Call) llmtest.Reply { return llmtest.Reply{Body: "no json at all"} }},
		{name: "no choice", n: 1, kind: llm.Malformed, calls: 1, config: func(c *llm.Config) { c.Retries = 0 },
			script: func(llmtest.Call) llmtest.Reply { return llmtest.Reply{Texts: nil} }},
		{name: "too long", n: 1, kind: llm.Malformed, calls: 1, config: func(c *llm.Config) { c.Retries, c.MaxResponse = 0, 4096 },
			script: func(llmtest.Call) llmtest.Reply {
				return llmtest.Reply{Texts: []string{strings.Repeat("a", 9000)}}
			}},
		{name: "timeout", n: 1, kind: llm.Timeout, calls: 1,
			config: func(c *llm.Config) { c.Retries, c.Timeout = 0, ask.Duration(500*time.Millisecond) }, // the call has to arrive meanwhile
			script: func(llmtest.Call) llmtest.Reply { return llmtest.Reply{Hang: true} }},
		{name: "redirect to another host", n: 1, kind: llm.Rejected, calls: 1,
			script: func(llmtest.Call) llmtest.Reply {
				return llmtest.Reply{Status: 307, Header: map[string]string{"Location": "http://127.0.0.1:9/v1/chat/completions"}}
			}},
		{name: "one of several fails", n: 3, texts: 2, calls: 3,
			config: func(c *llm.Config) { c.NativeN, c.Retries = false, 0 },
			script: func(c llmtest.Call) llmtest.Reply {
				if c.Number == 2 {
					return llmtest.Reply{Status: 503}
				}
				return ok
			}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := llmtest.New(t, tt.script)
			c := s.Config("m")
			if tt.config != nil {
				tt.config(&c)
			}
			res, err := client(t, c).Complete(context.Background(), request(tt.n))
			if got := llm.KindOf(err); got != tt.kind {
				t.Fatalf("error kind %q (%v), want %q", got, err, tt.kind)
			}
			if len(res.Texts) != tt.texts || len(res.Truncated) != tt.texts {
				t.Fatalf("%d texts, want %d", len(res.Texts), tt.texts)
			}
			if got := len(s.Calls()); got != tt.calls {
				t.Fatalf("%d calls, want %d", got, tt.calls)
			}
			if res.Usage.Calls != tt.calls {
				t.Fatalf("usage says %d calls, want %d", res.Usage.Calls, tt.calls)
			}
		})
	}
}

func make3(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = "a"
	}
	return out
}

func TestClient_UsageAndCost(t *testing.T) {
	var noUsage atomic.Bool
	s := llmtest.New(t, func(llmtest.Call) llmtest.Reply {
		return llmtest.Reply{Texts: []string{"select count(*) from orders"}, NoUsage: noUsage.Load()}
	})
	c := s.Config("m")
	c.PriceIn, c.PriceOut = 2, 10
	cl := client(t, c)
	res, err := cl.Complete(context.Background(), request(1))
	if err != nil {
		t.Fatal(err)
	}
	if want := (100*2.0 + 10*10.0) / 1e6; res.Usage.Cost != want {
		t.Fatalf("cost %g, want %g", res.Usage.Cost, want)
	}
	noUsage.Store(true)
	if res, err = cl.Complete(context.Background(), request(1)); err != nil {
		t.Fatal(err)
	}
	if res.Usage.PromptTokens == 0 || res.Usage.CompletionTokens < 5 {
		t.Fatalf("usage is not estimated: %+v", res.Usage)
	}
}

func TestClient_KeyStaysSecret(t *testing.T) {
	const key = "sk-very-secret"
	file := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(file, []byte(key+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, reply := range map[string]llmtest.Reply{
		"api error":   {Status: 401, Message: "Incorrect API key provided: " + key},
		"other body":  {Status: 403, Body: "key " + key + " refused"},
		"unavailable": {Status: 502, Body: key},
	} {
		t.Run(name, func(t *testing.T) {
			s := llmtest.New(t, func(c llmtest.Call) llmtest.Reply {
				if c.Key != key {
					t.Errorf("server got key %q", c.Key)
				}
				return reply
			})
			c := s.Config("m")
			c.APIKeyFile, c.Retries = file, 0
			_, err := client(t, c).Complete(context.Background(), request(1))
			for e := err; e != nil; e = errors.Unwrap(e) {
				if strings.Contains(e.Error(), key) {
					t.Fatalf("the key is in the error: %v", e)
				}
			}
			if err == nil {
				t.Fatal("no error")
			}
		})
	}
}

// A model that wants to be left alone for longer than the caller has is not
// waited for: the caller hears what is wrong with it, and at once.
func TestClient_NoTimeToRetry(t *testing.T) {
	s := llmtest.New(t, func(llmtest.Call) llmtest.Reply {
		return llmtest.Reply{Status: 429, Message: "slow down", Header: map[string]string{"Retry-After": "30"}}
	})
	c := s.Config("m")
	c.Retries, c.MaxRetryAfter = 3, ask.Duration(time.Minute)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	_, err := client(t, c).Complete(ctx, request(1))
	if llm.KindOf(err) != llm.RateLimited || ctx.Err() != nil || len(s.Calls()) != 1 {
		t.Fatalf("%v after %d calls, %v", err, len(s.Calls()), ctx.Err())
	}
}

// Calls that their callers gave up say nothing of the model.
func TestClient_CircuitBreakerAndCallers(t *testing.T) {
	var hang atomic.Bool
	hang.Store(true)
	came := make(chan struct{}, 8)
	s := llmtest.New(t, func(llmtest.Call) llmtest.Reply {
		came <- struct{}{}
		return llmtest.Reply{Texts: []string{"a"}, Hang: hang.Load()}
	})
	c := s.Config("m")
	c.Retries, c.BreakerFailures, c.BreakerCooldown = 0, 2, ask.Duration(time.Hour)
	cl := client(t, c)
	for range 3 {
		ctx, cancel := context.WithCancel(context.Background())
		go func() {
			<-came
			cancel()
		}()
		if _, err := cl.Complete(ctx, request(1)); err == nil {
			t.Fatal("it answered")
		}
	}
	hang.Store(false)
	if _, err := cl.Complete(context.Background(), request(1)); err != nil {
		t.Fatal(err)
	}
}

// After the cooldown one request tries whether the model is back, and the others
// do not wait for it.
func TestClient_CircuitBreakerTriesOnce(t *testing.T) {
	var calls atomic.Int64
	tried, back := make(chan struct{}), make(chan struct{})
	s := llmtest.New(t, func(llmtest.Call) llmtest.Reply {
		if calls.Add(1) <= 2 {
			return llmtest.Reply{Status: 500}
		}
		close(tried)
		<-back
		return llmtest.Reply{Texts: []string{"a"}}
	})
	c := s.Config("m")
	c.Retries, c.BreakerFailures, c.BreakerCooldown = 0, 2, 0
	cl := client(t, c)
	for range 2 {
		_, _ = cl.Complete(context.Background(), request(1))
	}
	probe := make(chan error, 1)
	go func() {
		_, err := cl.Complete(context.Background(), request(1))
		probe <- err
	}()
	<-tried
	_, err := cl.Complete(context.Background(), request(1))
	close(back)
	if llm.KindOf(err) != llm.CircuitOpen {
		t.Errorf("beside the one that tries: %v", err)
	}
	if err := <-probe; err != nil || calls.Load() != 3 {
		t.Errorf("%v after %d calls", err, calls.Load())
	}
}

func TestClient_CircuitBreaker(t *testing.T) {
	var down atomic.Bool
	down.Store(true)
	s := llmtest.New(t, func(llmtest.Call) llmtest.Reply {
		if down.Load() {
			return llmtest.Reply{Status: 500}
		}
		return llmtest.Reply{Texts: []string{"a"}}
	})
	c := s.Config("m")
	c.Retries, c.BreakerFailures, c.BreakerCooldown = 0, 2, 0
	cl := client(t, c)
	for range 2 {
		if _, err := cl.Complete(context.Background(), request(1)); llm.KindOf(err) != llm.Unavailable {
			t.Fatal(err)
		}
	}
	down.Store(false)
	if _, err := cl.Complete(context.Background(), request(1)); err != nil {
		t.Fatalf("after the cooldown: %v", err)
	}

	down.Store(true)
	c.Name, c.BreakerCooldown = "n", ask.Duration(time.Hour)
	cl = client(t, c)
	for range 2 {
		_, _ = cl.Complete(context.Background(), request(1))
	}
	before := len(s.Calls())
	if _, err := cl.Complete(context.Background(), request(1)); llm.KindOf(err) != llm.CircuitOpen {
		t.Fatalf("want an open circuit, got %v", err)
	}
	if len(s.Calls()) != before {
		t.Fatal("a model with an open circuit was called")
	}
}

func TestClient_Cancel(t *testing.T) {
	s := llmtest.New(t, func(llmtest.Call) llmtest.Reply { return llmtest.Reply{Hang: true} })
	cl := client(t, s.Config("m"))
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() {
		_, err := cl.Complete(ctx, request(1))
		done <- err
	}()
	for len(s.Calls()) == 0 {
		time.Sleep(time.Millisecond)
	}
	cancel()
	if err := <-done; llm.KindOf(err) != llm.Canceled {
		t.Fatalf("got %v", err)
	}
	for s.Abandoned() == 0 {
		time.Sleep(time.Millisecond) // the test's own deadline ends it
	}
}

func TestClient_Concurrency(t *testing.T) {
	var now, most atomic.Int32
	s := llmtest.New(t, func(llmtest.Call) llmtest.Reply {
		n := now.Add(1)
		for {
			m := most.Load()
			if n <= m || most.CompareAndSwap(m, n) {
				break
			}
		}
		time.Sleep(5 * time.Millisecond)
		now.Add(-1)
		return llmtest.Reply{Texts: []string{"a"}}
	})
	c := s.Config("m")
	c.MaxConcurrency, c.MaxConcurrencyPerRole, c.NativeN = 2, 2, false
	if _, err := client(t, c).Complete(context.Background(), request(8)); err != nil {
		t.Fatal(err)
	}
	if most.Load() > 2 {
		t.Fatalf("%d requests at once, want 2 at most", most.Load())
	}
}

func TestConfig_Validate(t *testing.T) {
	good := llm.DefaultConfig()
	good.Name, good.BaseURL, good.Model = "m", "http://localhost:11434/v1", "qwen"
	if err := good.Validate(); err != nil {
		t.Fatal(err)
	}
	for field, change := range map[string]func(*llm.Config){
		"name":        func(c *llm.Config) { c.Name = "" },
		"base_url":    func(c *llm.Config) { c.BaseURL = "ftp://x" },
		"model":       func(c *llm.Config) { c.Model = "" },
		"roles":       func(c *llm.Config) { c.Roles = []string{"cook"} },
		"timeout":     func(c *llm.Config) { c.Timeout = 0 },
		"max_tokens":  func(c *llm.Config) { c.MaxTokens = c.Window },
		"price_out":   func(c *llm.Config) { c.PriceOut = -1 },
		"api_key_env": func(c *llm.Config) { c.APIKeyEnv, c.APIKeyFile = "A", "b" },
	} {
		c := good
		change(&c)
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), field) {
			t.Errorf("%s: got %v", field, err)
		}
	}
}
