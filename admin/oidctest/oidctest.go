// Package oidctest is an OpenID provider for tests: a real HTTP server with keys, codes and PKCE, whose answers a test can spoil.
package oidctest

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// ClientID and ClientSecret are what the provider knows askpg by.
const (
	ClientID     = "askpg"
	ClientSecret = "the secret of askpg"
)

// Provider signs everybody in as rita@example.org of the groups everybody and data. Set changes its fields while it runs.
type Provider struct {
	*httptest.Server
	t *testing.T

	mu     sync.Mutex
	Key    jose.JSONWebKey
	Down   bool
	Claims func(map[string]any)               // changes the claims of an ID token
	Sign   func(claims map[string]any) string // nil signs by Key
	Codes  map[string]url.Values              // that were given out, with what was asked for; each is good once
	Tokens int                                // ID tokens that were given out
}

// NewKey makes a key of RSA.
func NewKey(t *testing.T, id string) jose.JSONWebKey {
	t.Helper()
	return webKey(t, id, generate)
}

func generate() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) }

func webKey(t *testing.T, id string, key func() (*rsa.PrivateKey, error)) jose.JSONWebKey {
	t.Helper()
	k, err := key()
	if err != nil {
		t.Fatal(err)
	}
	return jose.JSONWebKey{Key: k, KeyID: id, Algorithm: "RS256", Use: "sig"}
}

// firstKey is the first key of every provider: to make one takes a good part of a second.
var firstKey = sync.OnceValues(generate)

// New starts a provider that ends with the test. Its host is localhost, so that it is another site than 127.0.0.1.
func New(t *testing.T) *Provider {
	p := &Provider{t: t, Key: webKey(t, "first", firstKey), Codes: map[string]url.Values{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		p.write(w, map[string]any{"issuer": p.URL, "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL + "/token", "jwks_uri": p.URL + "/keys",
			"response_types_supported": []string{"code"}, "subject_types_supported": []string{"public"}, "id_token_signing_alg_values_supported": []string{"RS256", "none", "HS256"}})
	})
	mux.HandleFunc("GET /keys", func(w http.ResponseWriter, _ *http.Request) {
		p.write(w, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{p.Key.Public()}})
	})
	mux.HandleFunc("GET /authorize", p.authorize)
	mux.HandleFunc("POST /token", p.token)
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.Down {
			http.Error(w, "down", http.StatusBadGateway)
			return
		}
		mux.ServeHTTP(w, r)
	}))
	p.URL = strings.Replace(p.URL, "127.0.0.1", "localhost", 1)
	t.Cleanup(p.Close)
	return p
}

// Set changes the provider between two requests.
func (p *Provider) Set(change func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change()
}

func (p *Provider) write(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(v); err != nil {
		p.t.Error(err)
	}
}

// authorize sends the browser back with a code, if it was asked as RFC 6749, RFC 7636 and OpenID Connect want it.
func (p *Provider) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	for name, want := range map[string]string{"response_type": "code", "client_id": ClientID, "code_challenge_method": "S256"} {
		if q.Get(name) != want {
			http.Error(w, name+" is "+q.Get(name), http.StatusBadRequest)
			return
		}
	}
	if len(q.Get("state")) < 32 || len(q.Get("nonce")) < 32 || len(q.Get("code_challenge")) != 43 || q.Get("scope") != "openid profile email" {
		http.Error(w, "not asked as it has to be: "+r.URL.RawQuery, http.StatusBadRequest)
		return
	}
	code := rand.Text()
	p.Codes[code] = q
	http.Redirect(w, r, q.Get("redirect_uri")+"?"+url.Values{"code": {code}, "state": {q.Get("state")}}.Encode(), http.StatusFound)
}

func (p *Provider) token(w http.ResponseWriter, r *http.Request) {
	asked, known := p.Codes[r.FormValue("code")]
	delete(p.Codes, r.FormValue("code"))
	id, secret, _ := r.BasicAuth()
	secret, _ = url.QueryUnescape(secret)
	verifier := sha256.Sum256([]byte(r.FormValue("code_verifier")))
	if !known || id != ClientID || secret != ClientSecret || r.FormValue("grant_type") != "authorization_code" || r.FormValue("redirect_uri") != asked.Get("redirect_uri") ||
		base64.RawURLEncoding.EncodeToString(verifier[:]) != asked.Get("code_challenge") {
		w.WriteHeader(http.StatusBadRequest)
		p.write(w, map[string]string{"error": "invalid_grant"})
		return
	}
	now := time.Now()
	claims := map[string]any{"iss": p.URL, "aud": ClientID, "sub": "4711", "email": "rita@example.org", "email_verified": true, "groups": []string{"everybody", "data"},
		"nonce": asked.Get("nonce"), "iat": now.Unix(), "exp": now.Add(time.Minute).Unix()}
	if p.Claims != nil {
		p.Claims(claims)
	}
	sign := p.Sign
	if sign == nil {
		sign = func(claims map[string]any) string { return Signed(p.t, p.Key, jose.RS256, claims) }
	}
	p.Tokens++
	p.write(w, map[string]any{"access_token": rand.Text(), "token_type": "Bearer", "expires_in": 60, "id_token": sign(claims)})
}

// Signed returns an ID token by a key.
func Signed(t *testing.T, key any, alg jose.SignatureAlgorithm, claims map[string]any) string {
	s, err := jose.NewSigner(jose.SigningKey{Algorithm: alg, Key: key}, nil)
	if err != nil {
		t.Error(err)
		return ""
	}
	text, err := jwt.Signed(s).Claims(claims).Serialize()
	if err != nil {
		t.Error(err)
	}
	return text
}

// Unsigned returns an ID token that nobody has signed.
func Unsigned(claims map[string]any) string {
	body, _ := json.Marshal(claims)
	return base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none"}`)) + "." + base64.RawURLEncoding.EncodeToString(body) + "."
}
