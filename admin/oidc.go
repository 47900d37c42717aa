package admin

import (
	"cmp"
	"context"
	"crypto/hmac"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"

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

// maxProviderBody bounds an answer of the provider, in bytes.
const maxProviderBody = 1 << 20

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
