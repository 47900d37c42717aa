package admin_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"askpg/admin"
	"askpg/admin/oidctest"
	"askpg/ask"
	"askpg/store"
)

// page is an askpg at whose review page people sign in at a provider, or by a token.
type page struct {
	*admin.Server
	cfg   admin.Config
	store *store.Store
	base  string
}

func newPage(t *testing.T, issuer string) *page {
	t.Helper()
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte(oidctest.ClientSecret+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := &page{store: openStore(t)}
	tokens := func(c *admin.Config) {
		c.ViewerToken, c.ReviewerToken = viewerToken, reviewerToken
		c.OIDC.Issuer, c.OIDC.ClientID, c.OIDC.ClientSecretFile = issuer, "askpg", secret
		c.Access = []admin.Access{{Role: "reviewer", Groups: []string{"data"}, Databases: []string{"shop"}}}
	}
	p.base = serve(t, p.store, nil, func(c *admin.Config, s *admin.Server) {
		tokens(c)
		p.cfg, p.Server = *c, s
	})
	return p
}

// reload takes over settings.
func (p *page) reload(t *testing.T, change func(*admin.Config)) {
	t.Helper()
	c := p.cfg
	change(&c)
	apply, err := p.Prepare(c)
	if err != nil {
		t.Fatal(err)
	}
	apply()
}

// visitor is a browser that follows no redirect by itself.
type visitor struct {
	t    *testing.T
	base string
	http http.Client
}

func (p *page) visitor(t *testing.T) *visitor {
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &visitor{t, p.base, http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// get returns what a page answers, and where it sends the browser.
func (v *visitor) get(address string) (status int, body, to string) {
	v.t.Helper()
	if strings.HasPrefix(address, "/") {
		address = v.base + address
	}
	res, err := v.http.Get(address)
	if err != nil {
		v.t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	return res.StatusCode, string(b), res.Header.Get("Location") + strings.TrimPrefix(res.Header.Get("Refresh"), "0; url=")
}

// callback begins a sign-in, and returns the address that the provider sends the browser back to.
func (v *visitor) callback() string {
	v.t.Helper()
	status, body, to := v.get("/signin/oidc?to=" + url.QueryEscape("/translations?q=x"))
	if status != http.StatusSeeOther {
		v.t.Fatalf("the sign-in does not begin: %d %.300s", status, body)
	}
	status, body, back := v.get(to)
	if status != http.StatusFound {
		v.t.Fatalf("the provider: %d %s", status, body)
	}
	return back
}

func (v *visitor) cookie() string {
	u, _ := url.Parse(v.base)
	for _, c := range v.http.Jar.Cookies(u) {
		if strings.TrimPrefix(c.Name, "__Host-") == "askpg_session" {
			return c.Value
		}
	}
	return ""
}

// in says whether a page is shown, and not the way to the sign-in.
func (v *visitor) in() bool {
	v.t.Helper()
	status, _, _ := v.get("/translations")
	return status == http.StatusOK
}

// TestOIDC_SignIn signs in at a provider, gives a verdict, and signs out: the audit says who it was and how he had signed in,
// and the cookie is dead afterwards.
func TestOIDC_SignIn(t *testing.T) {
	idp := oidctest.New(t)
	p := newPage(t, idp.URL)
	id := add(t, p.store, entry("how many orders"))
	v := p.visitor(t)
	if status, _, to := v.get("/translations?q=x"); status != http.StatusSeeOther || to != "/signin?to=%2Ftranslations%3Fq%3Dx" {
		t.Fatal(status, to)
	}
	_, body, _ := v.get("/signin?to=%2Ftranslations%3Fq%3Dx")
	if !strings.Contains(body, `href="/signin/oidc?to=%2ftranslations%3fq%3dx"`) || !strings.Contains(body, "Sign in at") || !strings.Contains(body, `name="token"`) {
		t.Fatalf("the page of the sign-in: %s", body)
	}
	status, body, to := v.get(v.callback())
	if status != http.StatusOK || to != "/translations?q=x" || !strings.Contains(body, "You are signed in") {
		t.Fatalf("back from the provider: %d, to %q: %.500s", status, to, body)
	}
	_, body, _ = v.get("/translations/" + id)
	if !strings.Contains(body, "rita@example.org") || !strings.Contains(body, "Your verdict") {
		t.Fatalf("the page does not know who it is: %.500s", body)
	}
	form := url.Values{"csrf": {csrfOf(t, body)}, "do": {"approve"}}
	res, err := v.http.PostForm(p.base+"/translations/"+id, form)
	if err != nil || res.StatusCode != http.StatusSeeOther {
		t.Fatal(res, err)
	}
	res.Body.Close()
	list, err := p.store.Verdicts(context.Background(), store.Filter{Limit: 10})
	if err != nil || len(list) != 1 || list[0].Reviewer != "rita@example.org" || list[0].How != "oidc" {
		t.Fatalf("the audit has %+v, %v", list, err)
	}
	cookie := v.cookie()
	res, err = v.http.PostForm(p.base+"/signout", url.Values{"csrf": {csrfOf(t, body)}})
	if err != nil || res.StatusCode != http.StatusSeeOther || v.cookie() != "" {
		t.Fatal(res, err)
	}
	res.Body.Close()
	u, _ := url.Parse(p.base)
	v.http.Jar.SetCookies(u, []*http.Cookie{{Name: "askpg_session", Value: cookie}})
	if v.in() {
		t.Error("the cookie of a sign-in that was signed out is taken")
	}
}

// TestOIDC_Faults: nobody gets in by an ID token that is not for this sign-in, nor by a code or state of another one.
func TestOIDC_Faults(t *testing.T) {
	other := oidctest.NewKey(t, "first")
	claim := func(name string, value any) func(*oidctest.Provider) {
		return func(p *oidctest.Provider) { p.Claims = func(c map[string]any) { c[name] = value } }
	}
	without := func(name string) func(*oidctest.Provider) {
		return func(p *oidctest.Provider) { p.Claims = func(c map[string]any) { delete(c, name) } }
	}
	change := func(name, value string) func(*visitor, string) string {
		return func(_ *visitor, back string) string {
			u, _ := url.Parse(back)
			q := u.Query()
			q.Set(name, value)
			u.RawQuery = q.Encode()
			return u.String()
		}
	}
	for _, tt := range []struct {
		name     string
		provider func(*oidctest.Provider)
		back     func(v *visitor, back string) string // the address that the browser comes back to
	}{
		{"wrong nonce", claim("nonce", "another"), nil},
		{"no nonce", without("nonce"), nil},
		{"wrong audience", claim("aud", "another"), nil},
		{"another client's among the audience", func(p *oidctest.Provider) {
			p.Claims = func(c map[string]any) { c["aud"], c["azp"] = []string{"askpg", "another"}, "another" }
		}, nil},
		{"a large audience that nobody was authorized for", claim("aud", []string{"askpg", "another"}), nil},
		{"wrong issuer", claim("iss", "https://id.example"), nil},
		{"expired", claim("exp", time.Now().Add(-time.Minute).Unix()), nil},
		{"not yet valid", claim("nbf", time.Now().Add(time.Hour).Unix()), nil},
		{"no signature", func(p *oidctest.Provider) { p.Sign = oidctest.Unsigned }, nil},
		{"signed by the client's secret", func(p *oidctest.Provider) {
			p.Sign = func(c map[string]any) string {
				return oidctest.Signed(t, []byte(oidctest.ClientSecret+strings.Repeat("0", 32)), jose.HS256, c)
			}
		}, nil},
		{"signed by another key of the same name", func(p *oidctest.Provider) {
			p.Sign = func(c map[string]any) string { return oidctest.Signed(t, other, jose.RS256, c) }
		}, nil},
		{"no ID token", func(p *oidctest.Provider) { p.Sign = func(map[string]any) string { return "" } }, nil},
		{"an address that nobody has verified", claim("email_verified", false), nil},
		{"no name", without("email"), nil},
		{"a group that may do nothing", claim("groups", []string{"everybody"}), nil},
		{"no groups", without("groups"), nil},
		{"groups that are no texts", claim("groups", map[string]any{"data": true}), nil},
		{"another state", nil, change("state", "another")},
		{"no state", nil, change("state", "")},
		{"no code", nil, change("code", "")},
		{"a code of nobody", nil, change("code", "made-up")},
		{"refused by the provider", nil, change("error", "access_denied")},
		{"a code of another sign-in", nil, func(v *visitor, back string) string {
			stolen, _ := url.Parse((&visitor{v.t, v.base, http.Client{Jar: mustJar(v.t), CheckRedirect: v.http.CheckRedirect}}).callback())
			return change("code", stolen.Query().Get("code"))(v, back)
		}},
		{"in another browser", nil, func(v *visitor, back string) string { v.http.Jar = mustJar(v.t); return back }},
		{"a cookie that is made up", nil, func(v *visitor, back string) string {
			u, _ := url.Parse(back)
			v.http.Jar.SetCookies(u, []*http.Cookie{{Name: "askpg_signin", Path: "/signin/callback", Value: "9999999999.x.Lw"}})
			return back
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			idp := oidctest.New(t)
			v := newPage(t, idp.URL).visitor(t)
			if tt.provider != nil {
				tt.provider(idp)
			}
			back := v.callback()
			if tt.back != nil {
				back = tt.back(v, back)
			}
			status, body, to := v.get(back)
			if status != http.StatusUnauthorized && status != http.StatusForbidden || to != "" || strings.Contains(body, "You are signed in") {
				t.Errorf("%d, to %q: %.300s", status, to, body)
			}
			if v.cookie() != "" || v.in() {
				t.Error("he is signed in")
			}
		})
	}
}

// TestOIDC_PlantedCookie: where there is TLS, another host of the domain cannot plant the cookie of a sign-in that somebody else began,
// so that nobody is signed in as him.
func TestOIDC_PlantedCookie(t *testing.T) {
	idp := oidctest.New(t)
	p := newPage(t, idp.URL)
	p.reload(t, func(c *admin.Config) { c.OIDC.RedirectURL = "https://askpg.example.org/signin/callback" })
	res, err := p.visitor(t).http.Get(p.base + "/signin/oidc")
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	flow := res.Cookies()[0]
	if flow.Name != "__Host-askpg_signin" || flow.Path != "/" || !flow.Secure || flow.Domain != "" {
		t.Errorf("the cookie is %s", flow.Raw)
	}
	_, _, back := p.visitor(t).get(res.Header.Get("Location"))
	u, err := url.Parse(back)
	if err != nil || u.Host != "askpg.example.org" {
		t.Fatal(back, err)
	}
	for _, tt := range []struct {
		name string
		want int
	}{{"askpg_signin", http.StatusUnauthorized}, {flow.Name, http.StatusOK}} {
		req, _ := http.NewRequest(http.MethodGet, p.base+u.RequestURI(), nil)
		req.AddCookie(&http.Cookie{Name: tt.name, Value: flow.Value})
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		if res.Body.Close(); res.StatusCode != tt.want {
			t.Errorf("with the cookie %s: %d, want %d", tt.name, res.StatusCode, tt.want)
		}
	}
}

// TestOIDC_LockOut: a page elsewhere can have a browser come back from a sign-in that it never began, and that locks nobody
// out. Who began one and brings made-up codes waits, since each is asked of the provider; a token is looked at all the same.
func TestOIDC_LockOut(t *testing.T) {
	p := newPage(t, oidctest.New(t).URL)
	for range 20 {
		if status, _, _ := p.visitor(t).get("/signin/callback?code=x&state=y"); status != http.StatusUnauthorized {
			t.Fatalf("without a sign-in: %d", status)
		}
	}
	v := p.visitor(t)
	if status, _, _ := v.get(v.callback()); status != http.StatusOK || !v.in() {
		t.Fatalf("the address is locked out: %d", status)
	}
	last := 0
	for range 10 {
		v := p.visitor(t)
		u, _ := url.Parse(v.callback())
		q := u.Query()
		q.Set("code", "made-up")
		u.RawQuery = q.Encode()
		last, _, _ = v.get(u.String())
	}
	if last != http.StatusTooManyRequests {
		t.Errorf("codes are tried without end: %d", last)
	}
	if got, body := newBrowser(t, p.base).signIn(reviewerToken); got != http.StatusSeeOther && got != http.StatusOK {
		t.Errorf("made-up codes lock tokens out: %d %.200s", got, body)
	}
}

func mustJar(t *testing.T) http.CookieJar {
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return jar
}

// TestOIDC_Once: what began one sign-in begins no other, not even at a provider that takes a code twice.
func TestOIDC_Once(t *testing.T) {
	idp := oidctest.New(t)
	p := newPage(t, idp.URL)
	v := p.visitor(t)
	back := v.callback()
	u, _ := url.Parse(back)
	flow := v.http.Jar.Cookies(u)
	var code url.Values
	idp.Set(func() { code = idp.Codes[u.Query().Get("code")] })
	if status, body, _ := v.get(back); status != http.StatusOK || !v.in() {
		t.Fatalf("%d %.300s", status, body)
	}
	for name, again := range map[string]func(){"the code is used": func() {}, "the provider takes it again": func() { idp.Codes[u.Query().Get("code")] = code }} {
		idp.Set(again)
		thief := p.visitor(t)
		thief.http.Jar.SetCookies(u, flow)
		if status, body, _ := thief.get(back); status != http.StatusUnauthorized || thief.in() {
			t.Errorf("%s: %d %.300s", name, status, body)
		}
	}
	if idp.Tokens != 2 {
		t.Errorf("%d tokens were given out, so this shows nothing", idp.Tokens)
	}
}

// TestOIDC_KeyRotated: a new key of the provider is looked up, and the old one no longer counts.
func TestOIDC_KeyRotated(t *testing.T) {
	idp := oidctest.New(t)
	p := newPage(t, idp.URL)
	first := p.visitor(t)
	first.get(first.callback())
	old := idp.Key
	second := oidctest.NewKey(t, "second")
	idp.Set(func() { idp.Key = second })
	v := p.visitor(t)
	if status, body, _ := v.get(v.callback()); !first.in() || status != http.StatusOK || !v.in() {
		t.Errorf("with a new key: %d %.300s", status, body)
	}
	idp.Set(func() { idp.Sign = func(c map[string]any) string { return oidctest.Signed(t, old, jose.RS256, c) } })
	v = p.visitor(t)
	if status, _, _ := v.get(v.callback()); status != http.StatusUnauthorized || v.in() {
		t.Errorf("with the old key: %d", status)
	}
}

// TestOIDC_Down: while the provider is down or hangs, askpg starts, and tokens let people in; each call has its deadline. Once it
// is back people sign in there.
func TestOIDC_Down(t *testing.T) {
	hang := make(chan struct{})
	hanging := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-hang }))
	t.Cleanup(func() { close(hang); hanging.Close() })
	idp := oidctest.New(t)
	idp.Set(func() { idp.Down = true })
	for name, issuer := range map[string]string{"down": idp.URL, "hanging": hanging.URL} {
		p := newPage(t, issuer)
		p.reload(t, func(c *admin.Config) { c.OIDC.Timeout = ask.Duration(200 * time.Millisecond) })
		start := time.Now()
		v := p.visitor(t)
		if status, body, _ := v.get("/signin/oidc"); status != http.StatusServiceUnavailable || !strings.Contains(body, "does not answer") || !strings.Contains(body, `name="token"`) {
			t.Errorf("%s: %d %.300s", name, status, body)
		}
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%s: it took %s", name, took)
		}
		b := newBrowser(t, p.base)
		if status, _ := b.signIn(reviewerToken); status != http.StatusOK {
			t.Errorf("%s: a token: %d", name, status)
		}
		if name == "hanging" {
			continue
		}
		p.reload(t, func(*admin.Config) {})
		idp.Set(func() { idp.Down = false })
		back := v.callback()
		idp.Set(func() { idp.Down = true })
		if status, _, _ := v.get(back); status != http.StatusUnauthorized || v.in() {
			t.Errorf("down in the middle of a sign-in: %d", status)
		}
		idp.Set(func() { idp.Down = false })
		if status, _, _ := v.get(v.callback()); status != http.StatusOK || !v.in() {
			t.Errorf("back again: %d", status)
		}
	}
}

// TestOIDC_ClaimsAndAddress: the name can be another claim, groups a single text, and the way back another address.
func TestOIDC_ClaimsAndAddress(t *testing.T) {
	idp := oidctest.New(t)
	p := newPage(t, idp.URL)
	idp.Claims = func(c map[string]any) { c["team"], c["email_verified"] = "data", false; delete(c, "groups") }
	p.reload(t, func(c *admin.Config) {
		c.OIDC.GroupsClaim, c.OIDC.NameClaim, c.OIDC.RedirectURL = "team", "sub", "https://askpg.example/signin/callback"
	})
	v := p.visitor(t)
	back := v.callback()
	here, ok := strings.CutPrefix(back, "https://askpg.example")
	if !ok {
		t.Fatal(back)
	}
	if status, body, _ := v.get(here); status != http.StatusOK {
		t.Fatalf("%d %.300s", status, body)
	}
	if in, err := p.store.SignedIn(context.Background(), v.cookie()); err != nil || in == nil || in.Name != "4711" {
		t.Errorf("%+v, %v", in, err)
	}
	p.reload(t, func(c *admin.Config) { c.SecureCookie = true })
	if _, _, to := p.visitor(t).get("/signin/oidc"); !strings.Contains(to, "redirect_uri="+url.QueryEscape("https"+strings.TrimPrefix(p.base, "http")+"/signin/callback")) {
		t.Error(to)
	}
}

// TestSession_Ends: a sign-in ends at its time, and when a reload takes away what it was worth.
func TestSession_Ends(t *testing.T) {
	idp := oidctest.New(t)
	p := newPage(t, idp.URL)
	id := add(t, p.store, entry("how many orders"))
	person, bearer := p.visitor(t), p.visitor(t)
	person.get(person.callback())
	if res, err := bearer.http.PostForm(p.base+"/signin", url.Values{"token": {reviewerToken}, "name": {"Rita"}}); err != nil || res.StatusCode != http.StatusSeeOther {
		t.Fatal(res, err)
	}
	judges := func(v *visitor) bool {
		status, body, _ := v.get("/translations/" + id)
		return status == http.StatusOK && strings.Contains(body, "Your verdict")
	}
	for _, tt := range []struct {
		name                   string
		change                 func(*admin.Config)
		person, bearer, judges bool
	}{
		{"as at the start", func(*admin.Config) {}, true, true, true},
		{"his group may only look", func(c *admin.Config) {
			c.Access = []admin.Access{{Role: "viewer", Groups: []string{"data"}}}
		}, true, true, false},
		{"his group may do nothing", func(c *admin.Config) {
			c.Access = []admin.Access{{Role: "reviewer", Groups: []string{"others"}}}
		}, false, true, false},
		{"another provider", func(c *admin.Config) { c.OIDC.Issuer = "https://127.0.0.1:1" }, false, true, false},
		{"another client", func(c *admin.Config) { c.OIDC.ClientID = "other" }, false, true, false},
		{"another token", func(c *admin.Config) { c.ReviewerToken = "another-0123456789" }, true, false, true},
		{"back", func(*admin.Config) {}, true, true, true},
	} {
		p.reload(t, tt.change)
		if person.in() != tt.person || bearer.in() != tt.bearer || judges(person) != tt.judges {
			t.Errorf("%s: %v %v %v, want %v %v %v", tt.name, person.in(), bearer.in(), judges(person), tt.person, tt.bearer, tt.judges)
		}
	}
	// Its time has come.
	in, err := p.store.SignedIn(context.Background(), person.cookie())
	if err != nil || in == nil || time.Until(in.Until) > admin.DefaultConfig().SessionTimeout.Duration() {
		t.Fatal(in, err)
	}
	for until, want := range map[time.Duration]bool{time.Hour: true, -time.Second: false} {
		in.Until = time.Now().Add(until)
		if err := p.store.SignIn(context.Background(), "cookie "+until.String(), "", *in); err != nil {
			t.Fatal(err)
		}
		v := p.visitor(t)
		u, _ := url.Parse(p.base)
		v.http.Jar.SetCookies(u, []*http.Cookie{{Name: "askpg_session", Value: "cookie " + until.String(), Quoted: true}})
		if v.in() != want {
			t.Errorf("a sign-in that ends in %s: %v", until, !want)
		}
	}
}

// TestAudit_Export reads the audit of the verdicts as an admin gets it.
func TestAudit_Export(t *testing.T) {
	st := openStore(t)
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("the-token-of-an-admin"), 0o600); err != nil {
		t.Fatal(err)
	}
	base := serve(t, st, nil, func(c *admin.Config, _ *admin.Server) {
		c.ReviewerToken, c.Access = reviewerToken, []admin.Access{{Role: "admin", TokenFile: token}}
	})
	e := entry("how many orders")
	id := add(t, st, e)
	b := newBrowser(t, base)
	for _, form := range []url.Values{{"do": {"correct"}, "sql": {"select 7"}, "note": {"seven"}}, {"do": {"reject"}}} {
		if status, body := b.post("/translations/"+id, form, "Authorization", "Bearer "+reviewerToken); status != http.StatusOK && status != http.StatusSeeOther && status != http.StatusUnauthorized {
			t.Fatalf("%v: %d %.300s", form, status, body)
		}
	}
	req, _ := http.NewRequest(http.MethodGet, base+"/verdicts.jsonl", nil)
	req.Header.Set("Authorization", "Bearer the-token-of-an-admin")
	_, body := b.do(req)
	var got []store.Verdict
	for lines := bufio.NewScanner(strings.NewReader(body)); lines.Scan(); {
		var v store.Verdict
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		got = append(got, v)
	}
	if len(got) != 2 || got[1].Verdict != "correct" || got[1].How != "token" || *got[1].OldSQL != e.Translation.SQL || *got[1].NewSQL != "select 7" || got[0].NewSQL != nil || *got[0].OldSQL != "select 7" {
		t.Errorf("the audit is\n%s", body)
	}
}
