package admin

import (
	"crypto/hmac"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

const (
	callbackPath = "/signin/callback"
	flowCookie   = "askpg_signin"
	flowTime     = 10 * time.Minute // that somebody has to sign in at the provider
)

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
	s.setCookie(w, r, &http.Cookie{Name: flowCookie, Value: string(f), MaxAge: int(flowTime.Seconds()), SameSite: http.SameSiteLaxMode})
	conf := p.oauth(d, r, s.isSecure(r))
	http.Redirect(w, r, conf.AuthCodeURL(f.derive("state"), oidc.Nonce(f.derive("nonce")), oauth2.S256ChallengeOption(f.derive("verifier"))), http.StatusSeeOther)
}

// endOIDC takes a browser back from the provider.
func (s *Server) endOIDC(w http.ResponseWriter, r *http.Request) {
	if wait := s.codes.wait(r); wait > 0 {
		tooSoon(w, "failed sign-ins", wait)
		return
	}
	set := s.settings()
	if set.provider == nil {
		http.NotFound(w, r)
		return
	}
	c, err := r.Cookie(s.cookieName(r, flowCookie))
	if err != nil {
		s.refuse(w, r, errors.New("the browser brings no sign-in that it began"))
		return
	}
	s.setCookie(w, r, &http.Cookie{Name: flowCookie, MaxAge: -1, SameSite: http.SameSiteLaxMode})
	f := flow(c.Value)
	to, inTime := f.to()
	if !inTime || !hmac.Equal([]byte(r.URL.Query().Get("state")), []byte(f.derive("state"))) {
		s.refuse(w, r, errors.New("it is not the sign-in that this browser began, or began too long ago"))
		return
	}
	in, err := set.provider.signIn(r, f, s.isSecure(r))
	if err != nil {
		s.codes.recordFailure(r)
		s.refuse(w, r, err)
		return
	}
	cookie := rand.Text()
	if len(set.signInGrants(cookie, in)) == 0 {
		s.log.WarnContext(r.Context(), "a sign-in to the review page failed", "client", r.RemoteAddr, "name", in.Name, "error", "no group of "+in.Evidence+" may do anything")
		s.renderSignIn(w, r, http.StatusForbidden, signInPage{To: to, Problem: "No group that you are in may use this page. An admin can let one in (admin.access)."})
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
	s.log.WarnContext(r.Context(), "a sign-in to the review page failed", "client", r.RemoteAddr, "error", truncate(err.Error(), 500))
	s.renderSignIn(w, r, http.StatusUnauthorized, signInPage{To: "/", Problem: "The sign-in failed. Try again; the log of askpg says why."})
}
