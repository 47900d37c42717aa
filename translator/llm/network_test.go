package llm_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"askpg/ask"
	"askpg/translator/llm"
	"askpg/translator/llm/llmtest"
)

const completion = `{"choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "a"}}]}`

// TestClient_Redirects follows a redirect on the same host, with the key, and
// reaches no other host, whatever status it is sent there by.
func TestClient_Redirects(t *testing.T) {
	var elsewhere atomic.Int64
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		elsewhere.Add(1)
		fmt.Fprint(w, completion)
	}))
	t.Cleanup(other.Close)
	var location, key string
	var status int
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/moved") {
			key = r.Header.Get("Authorization")
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, completion)
			return
		}
		w.Header().Set("Location", location)
		w.WriteHeader(status)
	}))
	t.Cleanup(s.Close)
	t.Setenv("REDIRECT_KEY", "sk-redirect")
	cfg := llm.DefaultConfig()
	cfg.Name, cfg.Model, cfg.BaseURL, cfg.APIKeyEnv, cfg.Retries = "m", "m", s.URL+"/v1", "REDIRECT_KEY", 0
	for _, status = range []int{301, 302, 303, 307, 308} {
		for _, location = range []string{other.URL + "/v1", strings.Replace(s.URL, "http:", "https:", 1) + "/moved", "ftp://127.0.0.1/", "//" + strings.TrimPrefix(other.URL, "http://"), strings.Replace(other.URL, "127.0.0.1", "localhost", 1)} {
			if _, err := client(t, cfg).Complete(context.Background(), request(1)); llm.KindOf(err) == "" {
				t.Errorf("%d to %s: got %v", status, location, err)
			}
		}
	}
	if n := elsewhere.Load(); n > 0 {
		t.Errorf("the other host got %d requests", n)
	}
	status, location = 307, "/moved/here"
	if _, err := client(t, cfg).Complete(context.Background(), request(1)); err != nil || key != "Bearer sk-redirect" {
		t.Errorf("on the same host: %v, key %q", err, key)
	}
}

// TestClient_TLS sends nothing to a server whose certificate nobody vouches for.
func TestClient_TLS(t *testing.T) {
	var asked atomic.Int64
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		fmt.Fprint(w, completion)
	}))
	s.Config.ErrorLog = nil
	t.Cleanup(s.Close)
	cfg := llm.DefaultConfig()
	cfg.Name, cfg.Model, cfg.BaseURL, cfg.Retries = "m", "m", s.URL+"/v1", 0
	_, err := client(t, cfg).Complete(context.Background(), request(1))
	if err == nil || !strings.Contains(err.Error(), "certificate") || asked.Load() != 0 {
		t.Fatalf("got %v after %d requests", err, asked.Load())
	}
}

// TestClient_SlowBody ends a response that trickles in for longer than the
// timeout, and one that never ends at its limit.
func TestClient_SlowBody(t *testing.T) {
	for name, write := range map[string]func(w http.ResponseWriter, r *http.Request){
		"slow": func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				fmt.Fprint(w, " ")
				w.(http.Flusher).Flush()
				time.Sleep(10 * time.Millisecond)
			}
		},
		"endless": func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				if _, err := fmt.Fprint(w, strings.Repeat(" ", 4096)); err != nil {
					return
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := httptest.NewServer(http.HandlerFunc(write))
			t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
			cfg := llm.DefaultConfig()
			cfg.Name, cfg.Model, cfg.BaseURL, cfg.Retries, cfg.MaxResponse, cfg.Timeout = "m", "m", s.URL+"/v1", 0, 1<<20, ask.Duration(300*time.Millisecond)
			if _, err := client(t, cfg).Complete(context.Background(), request(1)); llm.KindOf(err) != llm.Timeout && llm.KindOf(err) != llm.Malformed {
				t.Fatalf("got %v", err)
			}
		})
	}
}

// TestClient_Proxy sends requests through the configured proxy, and past the
// environment's where there is to be none.
func TestClient_Proxy(t *testing.T) {
	var through atomic.Int64
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Host == "model.invalid" {
			through.Add(1)
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, completion)
			return
		}
		http.Error(w, "for somewhere else", http.StatusBadGateway)
	}))
	t.Cleanup(proxy.Close)
	cfg := llm.DefaultConfig()
	cfg.Name, cfg.Model, cfg.BaseURL, cfg.Retries, cfg.ProxyURL = "m", "m", "http://model.invalid/v1", 0, proxy.URL
	if _, err := client(t, cfg).Complete(context.Background(), request(1)); err != nil || through.Load() != 1 {
		t.Fatalf("got %v, %d through the proxy", err, through.Load())
	}
	s := llmtest.New(t, func(llmtest.Call) llmtest.Reply { return llmtest.Reply{Texts: []string{"a"}} })
	direct := s.Config("m")
	direct.ProxyURL = "none"
	if _, err := client(t, direct).Complete(context.Background(), request(1)); err != nil || through.Load() != 1 {
		t.Fatalf("got %v, %d through the proxy", err, through.Load())
	}
	for _, bad := range []string{"proxy", "ftp://x", "http://", "//x", "http://user:planted-proxy-password@"} {
		cfg.ProxyURL = bad
		if err := cfg.Validate(); err == nil || strings.Contains(err.Error(), "planted") {
			t.Errorf("%s: got %v", bad, err)
		}
	}
}
