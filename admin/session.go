package admin

import (
	"cmp"
	"crypto/rand"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"askpg/store"
)

const sessionCookie = "askpg_session"

// failedSignInPause slows guessing down; the handler's own goroutine waits.
const failedSignInPause = 300 * time.Millisecond

// signInPage is the page of the sign-in.
type signInPage struct {
	To       string
	Problem  string
	Tokens   bool   // somebody may sign in by a token
	Provider string // host of the OpenID provider, empty if there is none
	Done     bool   // he is signed in
}

func (s *Server) showSignIn(w http.ResponseWriter, r *http.Request) {
	s.renderSignIn(w, r, http.StatusOK, signInPage{To: localPath(r.URL.Query().Get("to"))})
}

func (s *Server) renderSignIn(w http.ResponseWriter, r *http.Request, status int, p signInPage) {
	set := s.settings()
	p.Tokens = len(set.granted(func(g *grant) bool { return g.token != "" })) > 0
	if u, err := url.Parse(set.OIDC.Issuer); err == nil {
		p.Provider = u.Host
	}
	s.render(w, r, status, "signin", "Sign in", p)
}

// signIn begins a sign-in by a token.
func (s *Server) signIn(w http.ResponseWriter, r *http.Request) {
	if fromElsewhere(r) { // else a person would act in the name of whose token the other site has
		answer(w, http.StatusForbidden, "This form was sent by another site.")
		return
	}
	if wait := s.tokens.wait(r); wait > 0 {
		tooSoon(w, "wrong tokens", wait)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, 64<<10)
	token := strings.TrimSpace(r.PostFormValue("token"))
	to := localPath(r.PostFormValue("to"))
	if len(s.settings().tokenGrants(token)) == 0 {
		s.log.WarnContext(r.Context(), "a sign-in to the review page failed", "client", r.RemoteAddr)
		s.tokens.recordFailure(r)
		time.Sleep(failedSignInPause)
		s.renderSignIn(w, r, http.StatusUnauthorized, signInPage{To: to, Problem: "Wrong token."})
		return
	}
	name := cmp.Or(strings.TrimSpace(r.PostFormValue("name")), "reviewer")
	cookie := rand.Text()
	if s.begin(w, r, cookie, "", store.SignIn{Name: truncate(name, maxPerson), How: byToken, Evidence: digest(cookie, token)}) {
		http.Redirect(w, r, to, http.StatusSeeOther)
	}
}

// begin keeps a sign-in and sets its cookie. If it can't, it answers so and returns false.
func (s *Server) begin(w http.ResponseWriter, r *http.Request, cookie, once string, in store.SignIn) bool {
	in.Until = time.Now().Add(s.config().SessionTimeout.Duration())
	switch err := s.store.SignIn(r.Context(), cookie, once, in); {
	case errors.Is(err, store.ErrUsed):
		s.refuse(w, r, err)
		return false
	case err != nil:
		s.log.ErrorContext(r.Context(), "a sign-in to the review page is not kept", "error", err)
		answer(w, http.StatusServiceUnavailable, "The sign-in cannot be kept. Try again in a moment.")
		return false
	}
	s.log.InfoContext(r.Context(), "a person signed in to the review page", "name", in.Name, "how", in.How, "client", r.RemoteAddr)
	s.setCookie(w, r, &http.Cookie{Name: sessionCookie, Value: cookie, Expires: in.Until, SameSite: http.SameSiteStrictMode})
	return true
}

// setCookie sets a cookie that no script reads, and that goes over TLS alone where there is TLS.
func (s *Server) setCookie(w http.ResponseWriter, r *http.Request, c *http.Cookie) {
	c.Name, c.Path, c.HttpOnly, c.Secure = s.cookieName(r, c.Name), "/", true, s.isSecure(r)
	http.SetCookie(w, c)
}

// cookieName returns the name that a cookie has at the browser. Where there is TLS it begins with __Host-, so that no other host of
// the domain can set it (RFC 6265bis, section 4.1.3.2).
func (s *Server) cookieName(r *http.Request, name string) string {
	if s.isSecure(r) {
		return "__Host-" + name
	}
	return name
}

// isSecure says whether people reach the site by TLS, be it that of a proxy.
func (s *Server) isSecure(r *http.Request) bool {
	c := s.config()
	return c.SecureCookie || r.TLS != nil || strings.HasPrefix(c.OIDC.RedirectURL, "https:")
}

// signOut ends a sign-in at all instances.
func (s *Server) signOut(w http.ResponseWriter, r *http.Request) {
	if by := sender(r); by.cookie != "" {
		if err := s.store.SignOut(r.Context(), by.cookie); err != nil {
			s.log.ErrorContext(r.Context(), "a sign-out of the review page is not kept", "error", err)
			answer(w, http.StatusServiceUnavailable, "The sign-out cannot be kept, so you are still signed in. Try again in a moment.")
			return
		}
		s.log.InfoContext(r.Context(), "a person signed out of the review page", "name", by.name, "how", by.how, "client", r.RemoteAddr)
	}
	s.setCookie(w, r, &http.Cookie{Name: sessionCookie, MaxAge: -1, SameSite: http.SameSiteStrictMode})
	http.Redirect(w, r, "/signin", http.StatusSeeOther)
}

// localPath returns to if it is a path of this server, else the first page.
func localPath(to string) string {
	if u, err := url.Parse(to); err == nil && u.Host == "" && u.Scheme == "" && strings.HasPrefix(to, "/") && !strings.HasPrefix(to, "//") && !strings.ContainsAny(to, "\\\r\n") {
		return to
	}
	return "/"
}
