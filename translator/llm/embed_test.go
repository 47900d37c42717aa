package llm_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"askpg/ask"
	"askpg/translator/llm"
)

// vectorServer answers embedding requests like an OpenAI-compatible server;
// fault may answer in its place and says whether it has.
func vectorServer(t *testing.T, fault func(w http.ResponseWriter, call int, n int) bool) (string, *atomic.Int32) {
	t.Helper()
	var calls atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct {
			Input []string `json:"input"`
			Model string   `json:"model"`
		}
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil || r.URL.Path != "/v1/embeddings" || q.Model != "m" {
			http.Error(w, `{"error":{"message":"no such thing"}}`, http.StatusNotFound)
			return
		}
		if fault != nil && fault(w, int(calls.Add(1)), len(q.Input)) {
			return
		}
		var data []map[string]any
		for i, v := range slices.Backward(q.Input) { // the order is not that of the texts
			data = append(data, map[string]any{"object": "embedding", "index": i, "embedding": []float32{float32(len(v)), 1}})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"object": "list", "model": "m", "data": data, "usage": map[string]int{"prompt_tokens": 3, "total_tokens": 3}})
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1", &calls
}

func TestClient_Embed(t *testing.T) {
	answer := func(body string) func(http.ResponseWriter, int, int) bool {
		return func(w http.ResponseWriter, _, _ int) bool { fmt.Fprint(w, body); return true }
	}
	status := func(code int, until int) func(http.ResponseWriter, int, int) bool {
		return func(w http.ResponseWriter, call, _ int) bool {
			if call > until {
				return false
			}
			w.Header().Set("Retry-After", "0.01")
			w.WriteHeader(code)
			fmt.Fprint(w, `{"error":{"message":"not now"}}`)
			return true
		}
	}
	for _, c := range []struct {
		name  string
		fault func(http.ResponseWriter, int, int) bool
		kind  llm.Kind
		calls int32
	}{
		{"answers", func(http.ResponseWriter, int, int) bool { return false }, "", 1},
		{"429 once", status(429, 1), "", 2},
		{"429 for good", status(429, 100), llm.RateLimited, 3},
		{"503 once", status(503, 1), "", 2},
		{"key refused", status(401, 100), llm.Refused, 1},
		{"too few", answer(`{"data":[{"index":0,"embedding":[1,2]}]}`), llm.Malformed, 3},
		{"one twice", answer(`{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}`), llm.Malformed, 3},
		{"other length", answer(`{"data":[{"index":0,"embedding":[1,2]},{"index":1,"embedding":[1]}]}`), llm.Malformed, 3},
		{"empty vector", answer(`{"data":[{"index":0,"embedding":[]},{"index":1,"embedding":[]}]}`), llm.Malformed, 3},
		{"index out of range", answer(`{"data":[{"index":0,"embedding":[1]},{"index":7,"embedding":[1]}]}`), llm.Malformed, 3},
		{"half a response", answer(`{"data":[{"index":0,"embe`), llm.Malformed, 3},
		{"slow", func(http.ResponseWriter, int, int) bool { time.Sleep(300 * time.Millisecond); return false }, llm.Timeout, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			url, calls := vectorServer(t, c.fault)
			cfg := llm.DefaultConfig()
			cfg.Name, cfg.BaseURL, cfg.Model, cfg.BreakerFailures = "embedder", url, "m", 100
			if c.name == "slow" {
				cfg.Timeout = ask.Duration(50 * time.Millisecond)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			got, err := client(t, cfg).Embed(ctx, []string{"a", "four"})
			if llm.KindOf(err) != c.kind || calls.Load() != c.calls {
				t.Fatalf("%v after %d calls, want %q after %d", err, calls.Load(), c.kind, c.calls)
			}
			if err == nil && (len(got) != 2 || got[0][0] != 1 || got[1][0] != 4) {
				t.Errorf("vectors %v are not in the order of the texts", got)
			}
		})
	}
}

func TestClient_EmbedNothing(t *testing.T) {
	url, calls := vectorServer(t, func(http.ResponseWriter, int, int) bool { return false })
	cfg := llm.DefaultConfig()
	cfg.Name, cfg.BaseURL, cfg.Model = "embedder", url, "m"
	if got, err := client(t, cfg).Embed(t.Context(), nil); err != nil || got != nil || calls.Load() != 0 {
		t.Errorf("%v, %v after %d calls", got, err, calls.Load())
	}
}
