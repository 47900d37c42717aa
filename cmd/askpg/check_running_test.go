package main

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestCheck_OtherToken: an askpg that runs and does not take the token of the file is told from none.
func TestCheck_OtherToken(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }))
	cfg := defaultConfig()
	cfg.Admin.Address = strings.TrimPrefix(server.URL, "http://")
	for _, want := range []string{"does not take the token of the file", "none answers"} {
		var said bytes.Buffer
		r := report{w: &said}
		r.running(context.Background(), &cfg)
		if !strings.Contains(said.String(), want) {
			t.Errorf("%q, want %q", said.String(), want)
		}
		server.Close()
	}
}
