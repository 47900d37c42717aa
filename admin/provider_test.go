package admin_test

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

const clientSecret = "the secret of askpg"

// provider is an OpenID provider of a test: it signs everybody in as the same person.
type provider struct {
	*httptest.Server
	t *testing.T

	mu     sync.Mutex
	key    jose.JSONWebKey
	down   bool
	claims func(map[string]any)               // changes the claims of an ID token
	sign   func(claims map[string]any) string // nil signs by key
	codes  map[string]url.Values              // that were given out, with what was asked for; each is good once
	tokens int                                // ID tokens that were given out
}

func newKey(t *testing.T, id string) jose.JSONWebKey {
	t.Helper()
	k, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	return jose.JSONWebKey{Key: k, KeyID: id, Algorithm: "RS256", Use: "sig"}
}

func newProvider(t *testing.T) *provider {
	p := &provider{t: t, key: newKey(t, "first"), codes: map[string]url.Values{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		p.write(w, map[string]any{"issuer": p.URL, "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL + "/token", "jwks_uri": p.URL + "/keys",
			"response_types_supported": []string{"code"}, "subject_types_supported": []string{"public"}, "id_token_signing_alg_values_supported": []string{"RS256", "none", "HS256"}})
	})
	mux.HandleFunc("GET /keys", func(w http.ResponseWriter, _ *http.Request) {
		p.write(w, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{p.key.Public()}})
	})
	mux.HandleFunc("GET /authorize", p.authorize)
	mux.HandleFunc("POST /token", p.token)
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.down {
			http.Error(w, "down", http.StatusBadGateway)
			return
		}
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(p.Close)
	return p
}

// set changes the provider between two requests.
func (p *provider) set(change func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change()
}

func (p *provider) write(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(v); err != nil {
		p.t.Error(err)
	}
}

// authorize sends the browser back with a code, if it was asked as RFC 6749, RFC 7636 and OpenID Connect want it.
func (p *provider) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	for name, want := range map[string]string{"response_type": "code", "client_id": "askpg", "code_challenge_method": "S256"} {
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
	p.codes[code] = q
	http.Redirect(w, r, q.Get("redirect_uri")+"?"+url.Values{"code": {code}, "state": {q.Get("state")}}.Encode(), http.StatusFound)
}

func (p *provider) token(w http.ResponseWriter, r *http.Request) {
	asked, known := p.codes[r.FormValue("code")]
	delete(p.codes, r.FormValue("code"))
	id, secret, _ := r.BasicAuth()
	secret, _ = url.QueryUnescape(secret)
	verifier := sha256.Sum256([]byte(r.FormValue("code_verifier")))
	if !known || id != "askpg" || secret != clientSecret || r.FormValue("grant_type") != "authorization_code" || r.FormValue("redirect_uri") != asked.Get("redirect_uri") ||
		base64.RawURLEncoding.EncodeToString(verifier[:]) != asked.Get("code_challenge") {
		w.WriteHeader(http.StatusBadRequest)
		p.write(w, map[string]string{"error": "invalid_grant"})
		return
	}
	now := time.Now()
	claims := map[string]any{"iss": p.URL, "aud": "askpg", "sub": "4711", "email": "rita@example.org", "email_verified": true, "groups": []string{"everybody", "data"},
		"nonce": asked.Get("nonce"), "iat": now.Unix(), "exp": now.Add(time.Minute).Unix()}
	if p.claims != nil {
		p.claims(claims)
	}
	sign := p.sign
	if sign == nil {
		sign = func(claims map[string]any) string { return signed(p.t, p.key, jose.RS256, claims) }
	}
	p.tokens++
	p.write(w, map[string]any{"access_token": rand.Text(), "token_type": "Bearer", "expires_in": 60, "id_token": sign(claims)})
}

// signed returns an ID token by a key.
func signed(t *testing.T, key any, alg jose.SignatureAlgorithm, claims map[string]any) string {
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

// unsigned returns an ID token that nobody has signed.
func unsigned(claims map[string]any) string {
	body, _ := json.Marshal(claims)
	return base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none"}`)) + "." + base64.RawURLEncoding.EncodeToString(body) + "."
}
