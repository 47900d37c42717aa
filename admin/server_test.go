package admin_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"askpg/admin"
	"askpg/ask"
	"askpg/store"
)

func openStore(t *testing.T) *store.Store {
	t.Helper()
	cfg := store.DefaultConfig()
	cfg.URL, cfg.Spill = "sqlite:"+filepath.Join(t.TempDir(), "log.db"), ""
	cfg.WriteTimeout, cfg.ReadTimeout = ask.Duration(10*time.Minute), ask.Duration(10*time.Minute) // the race detector and other tests take their time
	s, err := store.Open(context.Background(), cfg, slog.New(slog.DiscardHandler), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func serve(t *testing.T, st *store.Store, ready error, change func(*admin.Config, *admin.Server)) string {
	t.Helper()
	cfg := admin.DefaultConfig()
	cfg.Address = "127.0.0.1:0"
	reg := prometheus.NewRegistry()
	c := prometheus.NewCounter(prometheus.CounterOpts{Name: "askpg_test_total", Help: "x"})
	reg.MustRegister(c)
	if change != nil {
		change(&cfg, nil)
	}
	s := admin.New(cfg, st, func(context.Context) error { return ready }, reg, slog.New(slog.DiscardHandler))
	s.Parts = admin.Parts{
		Check:   func(context.Context, string, string, map[string]string, string) error { return nil },
		Prompts: func(context.Context, *store.Record) ([]ask.Prompt, error) { return nil, nil },
		Marks:   marks{},

		Semantics: &semantics{}, Replays: &replays{},
	}
	if change != nil {
		change(&cfg, s)
	}
	run(t, s)
	return "http://" + s.Addr().String()
}

// run has a server answer until the test ends.
func run(t *testing.T, s *admin.Server) {
	t.Helper()
	if err := s.Listen(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- s.Serve() }()
	t.Cleanup(func() {
		if err := errors.Join(s.Close(), <-done); err != nil {
			t.Error(err)
		}
	})
}

func fetch(t *testing.T, url string) (int, string, http.Header) {
	t.Helper()
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(b), res.Header
}

func TestServer_Health(t *testing.T) {
	base := serve(t, openStore(t), nil, nil)
	for path, want := range map[string]string{"/healthz": "ok", "/readyz": "ready", "/metrics": "askpg_test_total 0"} {
		status, body, _ := fetch(t, base+path)
		if status != 200 || !strings.Contains(body, want) {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
	base = serve(t, openStore(t), errors.New("replica r1 is down"), nil)
	if status, body, _ := fetch(t, base+"/readyz"); status != 503 || !strings.Contains(body, "replica r1 is down") {
		t.Errorf("%d %s", status, body)
	}
	known := &admin.NotReady{State: "the primary is not reached", Err: errors.New("host db-7 is down")}
	base = serve(t, openStore(t), known, tokens)
	if status, body, _ := fetch(t, base+"/readyz"); status != 503 || body != known.State+"\n" {
		t.Errorf("who is not signed in is told %d %q", status, body)
	}
	b := newBrowser(t, base)
	b.signIn(viewerToken)
	if status, body := b.get("/readyz"); status != 503 || !strings.Contains(body, "db-7") {
		t.Errorf("a viewer is told %d %q", status, body)
	}
	base = serve(t, openStore(t), errors.New("host db-7 is down"), tokens)
	if status, body, _ := fetch(t, base+"/readyz"); status != 503 || body != "not ready\n" {
		t.Errorf("who is not signed in is told %d %q", status, body)
	}
	if status, _, _ := fetch(t, base+"/healthz"); status != 200 {
		t.Errorf("a server that waits for a replica is not alive: %d", status)
	}
}

func TestServer_NoAddress(t *testing.T) {
	cfg := admin.DefaultConfig()
	cfg.Address = ""
	s := admin.New(cfg, nil, nil, nil, slog.New(slog.DiscardHandler))
	if err := s.Listen(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- s.Serve() }()
	if err := errors.Join(s.Close(), <-done); err != nil {
		t.Fatal(err)
	}
}

func TestConfig_Validate(t *testing.T) {
	for want, change := range map[string]func(*admin.Config){
		"admin.address":        func(c *admin.Config) { c.Address = "0.0.0.0:6433" },
		"must be host:port":    func(c *admin.Config) { c.Address = "6433" },
		"admin.viewer_token":   func(c *admin.Config) { c.ViewerToken = strings.Repeat("v", 16) },
		"admin.reviewer_token": func(c *admin.Config) { c.ReviewerToken = "short" },
		"are the same":         func(c *admin.Config) { c.ReviewerToken = strings.Repeat("v", 16); c.ViewerToken = c.ReviewerToken },
		"admin.idle_timeout":   func(c *admin.Config) { c.IdleTimeout = 0 },
	} {
		cfg := admin.DefaultConfig()
		change(&cfg)
		if err := cfg.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	open := admin.DefaultConfig()
	open.Address, open.ReviewerToken = "0.0.0.0:6433", strings.Repeat("r", 16)
	if err := open.Validate(); err != nil {
		t.Error(err)
	}
}
