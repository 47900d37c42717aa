package admin_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"log/slog"
	"net/http"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"askpg/admin"
)

// TestPrepare_ClientCertificates: a connection that stays open is judged by the authorities and names that are in
// force, and TLS itself comes and goes for new ones.
func TestPrepare_ClientCertificates(t *testing.T) {
	house, other := newAuthority(t, "house"), newAuthority(t, "other")
	cfg := admin.DefaultConfig()
	cfg.Address = "127.0.0.1:0"
	cfg.TLSCert, cfg.TLSKey = house.issue(t, "askpg", "localhost")
	cfg.ClientCA, cfg.Reviewers = house.file, []string{"rita"}
	s := admin.New(cfg, openStore(t), func(context.Context) error { return nil }, prometheus.NewRegistry(), slog.New(slog.DiscardHandler))
	run(t, s)

	cert, key := house.issue(t, "rita")
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(house.cert)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, ServerName: "localhost", Certificates: []tls.Certificate{pair}}}
	t.Cleanup(transport.CloseIdleConnections)
	client := &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	page := func(scheme string) int {
		res, err := client.Get(scheme + "://" + s.Addr().String() + "/review")
		if err != nil {
			return 0
		}
		defer res.Body.Close()
		_, _ = io.Copy(io.Discard, res.Body)
		return res.StatusCode
	}
	put := func(change func(*admin.Config)) {
		t.Helper()
		c := cfg
		change(&c)
		apply, err := s.Prepare(c)
		if err != nil {
			t.Fatal(err)
		}
		apply()
	}
	for _, tt := range []struct {
		name   string
		change func(*admin.Config)
		scheme string
		want   int
	}{
		{"as at the start", func(*admin.Config) {}, "https", http.StatusOK},
		{"another authority", func(c *admin.Config) { c.ClientCA = other.file }, "https", http.StatusSeeOther},
		{"back", func(*admin.Config) {}, "https", http.StatusOK},
		{"another name", func(c *admin.Config) { c.Reviewers = []string{"rolf"} }, "https", http.StatusSeeOther},
		{"no TLS", func(c *admin.Config) { c.TLSCert, c.TLSKey, c.ClientCA, c.Reviewers = "", "", "", nil }, "http", http.StatusOK},
	} {
		put(tt.change)
		if got := page(tt.scheme); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
	transport.CloseIdleConnections()
	if got := page("https"); got != 0 {
		t.Errorf("TLS where it is off: %d", got)
	}
	if _, err := s.Prepare(admin.Config{Address: "elsewhere", TLSCert: "x"}); err == nil {
		t.Error("settings that cannot stand were taken")
	}
}
