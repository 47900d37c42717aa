package admin_test

import (
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"askpg/admin"
)

// TestPages_Cookie looks at what the sign-in's cookie allows a browser: no
// script, no other site, and no plain connection where there is TLS, be it
// askpg's own or that of a proxy before it. There its name keeps other hosts of the domain from setting it, and one of the plain name,
// which they can set, is not taken.
func TestPages_Cookie(t *testing.T) {
	house := newAuthority(t, "house")
	pool := x509.NewCertPool()
	pool.AddCert(house.cert)
	for _, tt := range []struct {
		name   string
		change func(*admin.Config)
		scheme string
		secure bool
	}{
		{"plain", func(*admin.Config) {}, "http", false},
		{"behind a proxy with TLS", func(c *admin.Config) { c.SecureCookie = true }, "http", true},
		{"behind a proxy with TLS, by the address of the sign-in", func(c *admin.Config) {
			c.OIDC.Issuer, c.OIDC.ClientID, c.OIDC.RedirectURL = "https://id.example", "askpg", "https://askpg.example/signin/callback"
			c.Access = []admin.Access{{Role: "viewer", Groups: []string{"data"}}}
		}, "http", true},
		{"TLS", func(c *admin.Config) { c.TLSCert, c.TLSKey = house.issue(t, "askpg", "localhost") }, "https", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			base := serve(t, openStore(t), nil, func(c *admin.Config, s *admin.Server) {
				if s == nil {
					tokens(c, s)
					tt.change(c)
				}
			})
			tr := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, ServerName: "localhost"}}
			t.Cleanup(tr.CloseIdleConnections)
			client := &http.Client{Transport: tr, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
			base = tt.scheme + strings.TrimPrefix(base, "http")
			cookie := func(path string, form url.Values) *http.Cookie {
				t.Helper()
				req, _ := http.NewRequest(http.MethodPost, base+path, strings.NewReader(form.Encode()))
				req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
				res, err := client.Do(req)
				if err != nil {
					t.Fatal(err)
				}
				defer res.Body.Close()
				if len(res.Cookies()) == 0 {
					return nil
				}
				return res.Cookies()[0]
			}
			c := cookie("/signin", url.Values{"token": {reviewerToken}, "name": {"Rita"}})
			if c == nil {
				t.Fatal("no cookie")
			}
			if strings.HasPrefix(c.Name, "__Host-") != tt.secure {
				t.Errorf("the cookie is called %q", c.Name)
			}
			for name, want := range map[string]int{c.Name: http.StatusOK, strings.TrimPrefix(c.Name, "__Host-"): map[bool]int{true: http.StatusSeeOther, false: http.StatusOK}[tt.secure]} {
				req, _ := http.NewRequest(http.MethodGet, base+"/examples", nil)
				req.AddCookie(&http.Cookie{Name: name, Value: c.Value})
				res, err := client.Do(req)
				if err != nil {
					t.Fatal(err)
				}
				if res.Body.Close(); res.StatusCode != want {
					t.Errorf("the sign-in in the cookie %s: %d, want %d", name, res.StatusCode, want)
				}
			}
			if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Secure != tt.secure || c.Path != "/" || c.Domain != "" {
				t.Errorf("the cookie is %s", c.Raw)
			}
			if left := time.Until(c.Expires); left <= 0 || left > admin.DefaultConfig().SessionTimeout.Duration() {
				t.Errorf("it ends in %s", left)
			}
			if strings.Contains(c.Value, reviewerToken) {
				t.Error("it holds the token")
			}
			if c := cookie("/signin", url.Values{"token": {"wrong-token-012345"}}); c != nil {
				t.Errorf("a wrong token gets the cookie %s", c.Raw)
			}
		})
	}
}
