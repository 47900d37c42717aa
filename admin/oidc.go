package admin

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
	"golang.org/x/sync/singleflight"

	"askpg/ask"
	"askpg/store"
)

// OIDC names the OpenID provider at which people sign in (OpenID Connect Core 1.0, authorization code flow with PKCE).
type OIDC struct {
	// Issuer is the provider's URL, as its tokens have it; empty for no sign-in by OpenID Connect.
	Issuer string `toml:"issuer"`
	// ClientID is what the provider calls askpg.
	ClientID string `toml:"client_id"`
	// ClientSecretFile names a file that holds askpg's secret; empty for a client without one.
	ClientSecretFile string `toml:"client_secret_file"`
	// RedirectURL is where the provider sends people back to: its path is /signin/callback. Empty takes the address that
	// the browser asked for.
	RedirectURL string `toml:"redirect_url"`
	// Scopes are asked for beside openid.
	Scopes []string `toml:"scopes"`
	// GroupsClaim and NameClaim are the claims of the ID token with somebody's groups, and with the name that verdicts keep.
	GroupsClaim string `toml:"groups_claim"`
	NameClaim   string `toml:"name_claim"`
	// Timeout bounds a call to the provider.
	Timeout ask.Duration `toml:"timeout"`
}

const (
	callbackPath    = "/signin/callback"
	flowCookie      = "askpg_signin"
	flowTime        = 10 * time.Minute // that somebody has to sign in at the provider
	maxProviderBody = 1 << 20          // bytes of an answer of the provider
)

func (o *OIDC) validate(access []Access) error {
	if o.Issuer == "" {
		return nil
	}
	u, err := url.Parse(o.Issuer)
	if err != nil || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.Scheme != "https" && (u.Scheme != "http" || !isLoopback(u.Hostname())) {
		return errors.New("admin.oidc.issuer must be a URL with https")
	}
	if r, err := url.Parse(o.RedirectURL); o.RedirectURL != "" && (err != nil || r.Host == "" || r.Path != callbackPath || r.Scheme != "https" && r.Scheme != "http") {
		return fmt.Errorf("admin.oidc.redirect_url must be a URL with the path %s", callbackPath)
	}
	switch {
	case o.ClientID == "":
		return errors.New("admin.oidc.issuer is set and admin.oidc.client_id is not")
	case o.GroupsClaim == "" || o.NameClaim == "":
		return errors.New("admin.oidc.groups_claim and admin.oidc.name_claim must not be empty")
	case o.Timeout <= 0:
		return fmt.Errorf("admin.oidc.timeout is %s; it must be more than 0", o.Timeout)
	case !slices.ContainsFunc(access, func(a Access) bool { return len(a.Groups) > 0 }):
		return errors.New("admin.oidc.issuer is set and no [[admin.access]] has groups; nobody could sign in")
	}
	return nil
}

// provider is the OpenID provider in force. Nothing is asked of it before somebody signs in.
type provider struct {
	OIDC
	secret string
	client *http.Client
	asking singleflight.Group
	found  atomic.Pointer[discovered]
}

// discovered is what a provider says of itself.
type discovered struct {
	oauth    oauth2.Config
	verifier *oidc.IDTokenVerifier
}

// provider reads the secret; nil without a provider.
func (c *Config) provider() (*provider, error) {
	if c.OIDC.Issuer == "" {
		return nil, nil
	}
	p := &provider{OIDC: c.OIDC}
	if c.OIDC.ClientSecretFile != "" {
		var err error
		if p.secret, err = readSecret("admin.oidc.client_secret_file", c.OIDC.ClientSecretFile); err != nil {
			return nil, err
		}
	}
	scheme, _, _ := strings.Cut(p.Issuer, ":")
	p.client = &http.Client{Timeout: p.Timeout.Duration(), Transport: bounded{scheme},
		// A redirect would take the secret and the code elsewhere.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return p, nil
}

// bounded asks only by the scheme of the issuer, and reads no more than maxProviderBody of an answer.
type bounded struct{ scheme string }

// RoundTrip sends a request.
func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme != b.scheme {
		return nil, fmt.Errorf("the provider names an address without %s", b.scheme)
	}
	res, err := http.DefaultTransport.RoundTrip(r)
	if err == nil {
		res.Body = http.MaxBytesReader(nil, res.Body, maxProviderBody)
	}
	return res, err
}

// discover asks the provider what it says of itself, once.
func (p *provider) discover() (*discovered, error) {
	if d := p.found.Load(); d != nil {
		return d, nil
	}
	d, err, _ := p.asking.Do("", func() (any, error) {
		// The keys are read by this client, too, whenever a token is signed with one that is not known.
		said, err := oidc.NewProvider(oidc.ClientContext(context.Background(), p.client), p.Issuer)
		if err != nil {
			return nil, err
		}
		var of struct {
			Methods []string `json:"token_endpoint_auth_methods_supported"`
		}
		if err := said.Claims(&of); err != nil {
			return nil, err
		}
		d := &discovered{verifier: said.Verifier(&oidc.Config{ClientID: p.ClientID})}
		d.oauth = oauth2.Config{ClientID: p.ClientID, ClientSecret: p.secret, Endpoint: said.Endpoint(), Scopes: append([]string{oidc.ScopeOpenID}, p.Scopes...)}
		// The library would try both ways, the second with a code that is used.
		d.oauth.Endpoint.AuthStyle = oauth2.AuthStyleInHeader
		if p.secret == "" || len(of.Methods) > 0 && !slices.Contains(of.Methods, "client_secret_basic") {
			d.oauth.Endpoint.AuthStyle = oauth2.AuthStyleInParams
		}
		p.found.Store(d)
		return d, nil
	})
	if err != nil {
		return nil, err
	}
	return d.(*discovered), nil
}

// oauth returns the client for a request. Its redirect URL is the same at the start and at the end of a sign-in.
func (p *provider) oauth(d *discovered, r *http.Request, secure bool) *oauth2.Config {
	conf := d.oauth
	scheme := "http"
	if secure {
		scheme = "https"
	}
	conf.RedirectURL = cmp.Or(p.RedirectURL, scheme+"://"+r.Host+callbackPath)
	return &conf
}

// A flow is a sign-in under way. It is in a cookie of the browser that began it: its end, a random text, and where to go
// then. State, nonce and verifier of PKCE are derived from it, so that none of them tells another.
type flow string

func newFlow(to string) flow {
	return flow(strconv.FormatInt(time.Now().Add(flowTime).Unix(), 10) + "." + rand.Text() + "." + base64.RawURLEncoding.EncodeToString([]byte(to)))
}

func (f flow) derive(what string) string { return digest(string(f), "sign-in "+what) }

// to returns where a flow goes on, and whether it is still in its time.
func (f flow) to() (string, bool) {
	end, rest, _ := strings.Cut(string(f), ".")
	_, to, _ := strings.Cut(rest, ".")
	until, err := strconv.ParseInt(end, 10, 64)
	path, pathErr := base64.RawURLEncoding.DecodeString(to)
	now := time.Now()
	return localPath(string(path)), err == nil && pathErr == nil && now.Unix() < until && until <= now.Add(flowTime).Unix()
}

// startOIDC sends a browser to the provider.
func (s *Server) startOIDC(w http.ResponseWriter, r *http.Request) {
	p := s.settings().provider
	if p == nil {
		http.NotFound(w, r)
		return
	}
	to := localPath(r.URL.Query().Get("to"))
	d, err := p.discover()
	if err != nil {
		s.log.WarnContext(r.Context(), "the OpenID provider does not answer", "issuer", p.Issuer, "error", truncate(err.Error(), 500))
		s.renderSignIn(w, r, http.StatusServiceUnavailable, signInPage{To: to, Problem: "The sign-in of your organisation does not answer. Try again in a moment."})
		return
	}
	f := newFlow(to)
	// The way back begins at another site, so the cookie is not a strict one.
	s.setCookie(w, r, &http.Cookie{Name: flowCookie, Value: string(f), Path: callbackPath, MaxAge: int(flowTime.Seconds()), SameSite: http.SameSiteLaxMode})
	conf := p.oauth(d, r, s.config().SecureCookie || r.TLS != nil)
	http.Redirect(w, r, conf.AuthCodeURL(f.derive("state"), oidc.Nonce(f.derive("nonce")), oauth2.S256ChallengeOption(f.derive("verifier"))), http.StatusSeeOther)
}

// endOIDC takes a browser back from the provider.
func (s *Server) endOIDC(w http.ResponseWriter, r *http.Request) {
	if wait := s.attempts.wait(r); wait > 0 {
		tooSoon(w, wait)
		return
	}
	set := s.settings()
	if set.provider == nil {
		http.NotFound(w, r)
		return
	}
	c, err := r.Cookie(flowCookie)
	if err != nil {
		s.refuse(w, r, errors.New("the browser brings no sign-in that it began"))
		return
	}
	s.setCookie(w, r, &http.Cookie{Name: flowCookie, Path: callbackPath, MaxAge: -1, SameSite: http.SameSiteLaxMode})
	f := flow(c.Value)
	to, inTime := f.to()
	if !inTime || !hmac.Equal([]byte(r.URL.Query().Get("state")), []byte(f.derive("state"))) {
		s.refuse(w, r, errors.New("it is not the sign-in that this browser began, or began too long ago"))
		return
	}
	in, err := set.provider.signIn(r, f, s.config().SecureCookie || r.TLS != nil)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	cookie := rand.Text()
	if len(set.signInGrants(cookie, in)) == 0 {
		s.log.WarnContext(r.Context(), "a sign-in to the review page failed", "client", r.RemoteAddr, "name", in.Name, "error", "no group of "+in.Evidence+" may do anything")
		s.renderSignIn(w, r, http.StatusForbidden, signInPage{To: to, Problem: "No group that you are in may use this page."})
		return
	}
	if s.begin(w, r, cookie, string(f), *in) {
		// The browser sends a strict cookie only where the way began at this site: here.
		w.Header().Set("Refresh", "0; url="+to)
		s.renderSignIn(w, r, http.StatusOK, signInPage{To: to, Done: true})
	}
}

// refuse says that a sign-in by the provider failed. Why is for the log.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, err error) {
	s.attempts.recordFailure(r)
	s.log.WarnContext(r.Context(), "a sign-in to the review page failed", "client", r.RemoteAddr, "error", truncate(err.Error(), 500))
	s.renderSignIn(w, r, http.StatusUnauthorized, signInPage{To: "/", Problem: "The sign-in failed. Try again; the log of askpg says why."})
}

// groups is what a provider has said of somebody.
type groups struct {
	Issuer   string   `json:"issuer"`
	ClientID string   `json:"client_id"`
	Groups   []string `json:"groups"`
}

// signIn exchanges the code that a browser brings for an ID token, and reads it.
func (p *provider) signIn(r *http.Request, f flow, secure bool) (*store.SignIn, error) {
	q := r.URL.Query()
	if problem := q.Get("error"); problem != "" || q.Get("code") == "" {
		return nil, fmt.Errorf("the provider sends no code: %q %q", problem, q.Get("error_description"))
	}
	d, err := p.discover()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(oidc.ClientContext(r.Context(), p.client), 2*p.Timeout.Duration()) // the code, and new keys
	defer cancel()
	got, err := p.oauth(d, r, secure).Exchange(ctx, q.Get("code"), oauth2.VerifierOption(f.derive("verifier")))
	if err != nil {
		return nil, err
	}
	raw, ok := got.Extra("id_token").(string)
	if !ok {
		return nil, errors.New("the provider sends no ID token")
	}
	token, err := d.verifier.Verify(ctx, raw)
	if err != nil {
		return nil, err
	}
	if !hmac.Equal([]byte(token.Nonce), []byte(f.derive("nonce"))) {
		return nil, errors.New("the nonce of the ID token is of another sign-in")
	}
	return p.read(token)
}

// read returns who an ID token says that somebody is.
func (p *provider) read(token *oidc.IDToken) (*store.SignIn, error) {
	claims := map[string]any{}
	if err := token.Claims(&claims); err != nil {
		return nil, err
	}
	if to, ok := claims["azp"]; len(token.Audience) > 1 && !ok || ok && to != p.ClientID {
		return nil, fmt.Errorf("the ID token was issued to another client: %v", to)
	}
	name, _ := claims[p.NameClaim].(string)
	if name = strings.TrimSpace(name); name == "" {
		return nil, fmt.Errorf("the ID token has no claim %q, which admin.oidc.name_claim names", p.NameClaim)
	}
	if verified, said := claims["email_verified"]; p.NameClaim == "email" && said && verified != true && verified != "true" {
		return nil, fmt.Errorf("the provider has not verified the address %q", name)
	}
	said := groups{Issuer: p.Issuer, ClientID: p.ClientID}
	switch list := claims[p.GroupsClaim].(type) {
	case string:
		said.Groups = []string{list}
	case []any:
		for _, g := range list {
			if g, ok := g.(string); ok {
				said.Groups = append(said.Groups, g)
			}
		}
	}
	evidence, err := json.Marshal(said)
	return &store.SignIn{Name: truncate(name, 200), How: byOIDC, Evidence: string(evidence)}, err
}
