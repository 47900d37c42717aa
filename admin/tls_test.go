package admin_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"askpg/admin"
)

// authority signs certificates for a test.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	file string
}

func newAuthority(t *testing.T, name string) *authority {
	t.Helper()
	a := &authority{}
	tmpl := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	a.cert, a.key = a.sign(t, tmpl)
	a.file = writePEM(t, name, "CERTIFICATE", a.cert.Raw)
	return a
}

func (a *authority) sign(t *testing.T, tmpl *x509.Certificate) (*x509.Certificate, *ecdsa.PrivateKey) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	parent, signer := tmpl, key
	if a.cert != nil {
		parent, signer = a.cert, a.key
	}
	der, err := x509.CreateCertificate(rand.Reader, tmpl, parent, key.Public(), signer)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return cert, key
}

// issue returns the files of a certificate for the names.
func (a *authority) issue(t *testing.T, commonName string, dns ...string) (cert, key string) {
	t.Helper()
	c, k := a.sign(t, &x509.Certificate{SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: commonName}, DNSNames: dns, NotAfter: time.Now().Add(time.Hour),
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}})
	der, err := x509.MarshalPKCS8PrivateKey(k)
	if err != nil {
		t.Fatal(err)
	}
	return writePEM(t, "cert", "CERTIFICATE", c.Raw), writePEM(t, "key", "PRIVATE KEY", der)
}

func writePEM(t *testing.T, name, kind string, der []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name+".pem")
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestTLS_ClientCertificates has names in certificates of the configured
// authority decide who may look and who may judge.
func TestTLS_ClientCertificates(t *testing.T) {
	house, stranger := newAuthority(t, "house"), newAuthority(t, "stranger")
	cfg := admin.DefaultConfig()
	cfg.Address = "127.0.0.1:0"
	cfg.TLSCert, cfg.TLSKey = house.issue(t, "askpg", "localhost")
	cfg.ClientCA = house.file
	cfg.OpenMetrics = false
	cfg.Viewers, cfg.Reviewers = []string{"vera"}, []string{"rita.example.org"}
	s := admin.New(cfg, openStore(t), func(context.Context) error { return nil }, prometheus.NewRegistry(), slog.New(slog.DiscardHandler))
	run(t, s)
	base := "https://" + s.Addr().String()
	pool := x509.NewCertPool()
	pool.AddCert(house.cert)
	client := func(a *authority, name string, dns ...string) *http.Client {
		conf := &tls.Config{RootCAs: pool, ServerName: "localhost"}
		if a != nil {
			cert, key := a.issue(t, name, dns...)
			pair, err := tls.LoadX509KeyPair(cert, key)
			if err != nil {
				t.Fatal(err)
			}
			conf.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return &pair, nil }
		}
		tr := &http.Transport{TLSClientConfig: conf}
		t.Cleanup(tr.CloseIdleConnections)
		return &http.Client{Transport: tr, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	}
	do := func(c *http.Client, method, path string) (status int, text string) {
		req, err := http.NewRequest(method, base+path, strings.NewReader(""))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		res, err := c.Do(req)
		if err != nil {
			return 0, ""
		}
		defer res.Body.Close()
		body, _ := io.ReadAll(res.Body)
		return res.StatusCode, string(body)
	}
	for _, tt := range []struct {
		who    string
		client *http.Client
		page   int // 0 is no connection
		judge  string
	}{
		{"no certificate", client(nil, ""), http.StatusSeeOther, "Sign in first."},
		{"another authority's", client(stranger, "vera"), 0, ""},
		{"another authority's, of a reviewer's name", client(stranger, "", "rita.example.org"), 0, ""},
		{"a name that is not listed", client(house, "otto"), http.StatusSeeOther, "Sign in first."},
		{"viewer by common name", client(house, "vera"), http.StatusOK, "needs the role reviewer"},
		{"reviewer by DNS name", client(house, "x", "rita.example.org"), http.StatusOK, "The form has expired"}, // past the rights, and no other site's form
	} {
		if got, _ := do(tt.client, http.MethodGet, "/"); got != tt.page {
			t.Errorf("%s: page %d, want %d", tt.who, got, tt.page)
		}
		if _, got := do(tt.client, http.MethodPost, "/translations/x"); !strings.Contains(got, tt.judge) || tt.judge == "" && got != "" {
			t.Errorf("%s: judging %q, want %q", tt.who, got, tt.judge)
		}
		if got, _ := do(tt.client, http.MethodGet, "/healthz"); got != min(tt.page, 1)*http.StatusOK {
			t.Errorf("%s: health %d", tt.who, got)
		}
		if got, _ := do(tt.client, http.MethodGet, "/metrics"); got == http.StatusOK != (tt.page == http.StatusOK) {
			t.Errorf("%s: metrics %d", tt.who, got)
		}
	}
	// Without tokens nothing would vouch for a sign-in's cookie.
	mac := hmac.New(sha256.New, []byte("askpg session\x00\x00"))
	message := fmt.Sprintf("reviewer.%d.cml0YQ.x", time.Now().Add(time.Hour).Unix())
	mac.Write([]byte(message))
	req, err := http.NewRequest(http.MethodGet, base+"/", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.AddCookie(&http.Cookie{Name: "__Host-askpg_session", Value: message + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))})
	if res, err := client(nil, "").Do(req); err != nil {
		t.Error(err)
	} else if res.Body.Close(); res.StatusCode != http.StatusSeeOther {
		t.Errorf("a cookie signed with no token: %s", res.Status)
	}
	if res, err := http.Get("http://" + s.Addr().String() + "/"); err == nil {
		if res.Body.Close(); res.StatusCode != http.StatusBadRequest {
			t.Errorf("without TLS: %s", res.Status)
		}
	}
}

// TestConfig_BeyondLoopback refuses to be reachable without a token or
// certificates of clients.
func TestConfig_BeyondLoopback(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*admin.Config)
		want   string // in the error; empty if it may start
	}{
		{"loopback", func(*admin.Config) {}, ""},
		{"everywhere", func(c *admin.Config) { c.Address = ":6433" }, "others can reach"},
		{"one address", func(c *admin.Config) { c.Address = "192.0.2.1:6433" }, "others can reach"},
		{"IPv6", func(c *admin.Config) { c.Address = "[::]:6433" }, "others can reach"},
		{"a name", func(c *admin.Config) { c.Address = "db.example.org:6433" }, "others can reach"},
		{"TLS alone proves nobody", func(c *admin.Config) { c.Address, c.TLSCert, c.TLSKey = ":6433", "c", "k" }, "others can reach"},
		{"a viewer's token alone", func(c *admin.Config) { c.Address, c.ViewerToken = ":6433", "0123456789abcdef" }, "others can reach"},
		{"token", func(c *admin.Config) { c.Address, c.ReviewerToken = ":6433", "0123456789abcdef" }, ""},
		{"short token", func(c *admin.Config) { c.Address, c.ReviewerToken = ":6433", "short" }, "at least 16"},
		{"certificates", func(c *admin.Config) {
			c.Address, c.TLSCert, c.TLSKey, c.ClientCA, c.Reviewers = ":6433", "c", "k", "ca", []string{"r"}
		}, ""},
		{"certificates without names", func(c *admin.Config) { c.TLSCert, c.TLSKey, c.ClientCA = "c", "k", "ca" }, "nobody could do anything"},
		{"certificates without TLS", func(c *admin.Config) { c.ClientCA, c.Reviewers = "ca", []string{"r"} }, "need TLS"},
		{"names without an authority", func(c *admin.Config) { c.Reviewers = []string{"r"} }, "vouch"},
		{"a name in both", func(c *admin.Config) {
			c.TLSCert, c.TLSKey, c.ClientCA, c.Reviewers, c.Viewers = "c", "k", "ca", []string{"r"}, []string{"r"}
		}, "both"},
		{"a key is missing", func(c *admin.Config) { c.TLSCert = "c" }, "go together"},
	} {
		cfg := admin.DefaultConfig()
		tt.change(&cfg)
		err := cfg.Validate()
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: got %v, want %q", tt.name, err, tt.want)
		}
	}
}
