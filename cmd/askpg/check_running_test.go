package main

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"askpg/admin"
)

// TestCheck_OtherToken: an askpg that runs and does not take the token of the file is told from none.
func TestCheck_OtherToken(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Server", admin.ServerName)
		w.WriteHeader(http.StatusUnauthorized)
	}))
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

// TestCheck_OtherServer: an address where another program listens is taken, whatever that program answers.
func TestCheck_OtherServer(t *testing.T) {
	for _, status := range []int{http.StatusOK, http.StatusUnauthorized, http.StatusNotFound} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
		defer server.Close()
		cfg := defaultConfig()
		cfg.Listen.Address, cfg.Admin.Address = "127.0.0.1:0", strings.TrimPrefix(server.URL, "http://")
		var said bytes.Buffer
		r := report{w: &said}
		r.ports(&cfg, r.running(context.Background(), &cfg))
		if !strings.Contains(said.String(), "FAIL  admin.address "+cfg.Admin.Address) {
			t.Errorf("%d: %q", status, said.String())
		}
	}
}
