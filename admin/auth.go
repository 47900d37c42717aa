package admin

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// level is what somebody may do.
type level int

const (
	noAccess level = iota
	viewer
	reviewer
)

const cookieName = "askpg_session"

// sign makes the secret of sign-ins out of the tokens, so that they survive a
// restart, hold for all instances, and end when a token changes.
func (s *Server) sign(message string) string {
	c := s.config()
	key := "askpg session\x00" + c.ViewerToken + "\x00" + c.ReviewerToken
	if c.ReviewerToken == "" {
		key += s.secret // nobody signs in, and forms are this process's
	}
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte(message))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// levelOf returns what the bearer of a token may do.
func (s *Server) levelOf(token string) level {
	same := func(want string) bool {
		a, b := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(want))
		return want != "" && subtle.ConstantTimeCompare(a[:], b[:]) == 1
	}
	switch {
	case same(s.config().ReviewerToken):
		return reviewer
	case same(s.config().ViewerToken):
		return viewer
	}
	return noAccess
}

// identify returns what the sender of a request may do and the name that he signed
// in with. Without tokens the page is on the loopback interface and open.
func (s *Server) identify(r *http.Request) (level, string) {
	if !s.config().requiresSignIn() {
		return reviewer, "local"
	}
	if have, name := s.settings().certificateLevel(r.TLS); have > noAccess {
		return have, name
	}
	if s.config().ReviewerToken == "" {
		return noAccess, "" // sign-ins are signed with the tokens
	}
	if token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		return s.levelOf(token), "token"
	}
	in, ok := s.signedIn(r)
	if !ok {
		return noAccess, ""
	}
	return in.level, in.name
}

// signin is what a cookie says of a sign-in.
type signin struct {
	level level
	name  string
	until time.Time
	id    string
}

// signedIn reads the cookie of a sign-in that stands: it has neither ended nor was signed
// out, at whichever instance. One that can't be looked up does not stand.
func (s *Server) signedIn(r *http.Request) (signin, bool) {
	c, err := r.Cookie(cookieName)
	if err != nil {
		return signin{}, false
	}
	message, mac, ok := cutLast(c.Value, ".")
	if !ok || !hmac.Equal([]byte(mac), []byte(s.sign(message))) {
		return signin{}, false
	}
	parts := strings.Split(message, ".")
	if len(parts) != 4 {
		return signin{}, false
	}
	until, err := strconv.ParseInt(parts[1], 10, 64)
	if err != nil || time.Now().Unix() > until {
		return signin{}, false
	}
	name, err := base64.RawURLEncoding.DecodeString(parts[2])
	if err != nil {
		return signin{}, false
	}
	in := signin{name: string(name), until: time.Unix(until, 0), id: parts[3]}
	switch parts[0] {
	case "viewer":
		in.level = viewer
	case "reviewer":
		in.level = reviewer
	}
	if s.store != nil {
		out, err := s.store.SignedOut(r.Context(), in.id)
		if err != nil {
			s.log.WarnContext(r.Context(), "sign-outs of the review page cannot be read", "error", err)
		}
		if out || err != nil {
			return signin{}, false
		}
	}
	return in, in.level > noAccess
}

func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// require lets a handler be reached by those who may; others are shown the way in.
func (s *Server) require(need level, next http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.config().requiresSignIn() && !s.addressedLocally(r) {
			answer(w, http.StatusForbidden, "This page is for this machine only; set admin.reviewer_token to reach it from elsewhere.")
			return
		}
		_, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if wait := s.attempts.wait(r); bearer && wait > 0 {
			tooSoon(w, wait)
			return
		}
		have, _ := s.identify(r)
		if bearer && have == noAccess {
			s.attempts.recordFailure(r)
		}
		switch {
		case have >= need:
			next(w, r)
		case have == noAccess && r.Method == http.MethodGet && r.Header.Get("Authorization") == "":
			http.Redirect(w, r, "/signin?to="+url.QueryEscape(r.URL.RequestURI()), http.StatusSeeOther)
		case have == noAccess:
			w.Header().Set("WWW-Authenticate", `Bearer realm="askpg"`)
			answer(w, http.StatusUnauthorized, "Sign in first.")
		default:
			answer(w, http.StatusForbidden, "This needs the reviewer's token.")
		}
	})
}

// addressedLocally refuses names that a page elsewhere could have pointed to the
// loopback interface (DNS rebinding).
func (s *Server) addressedLocally(r *http.Request) bool {
	host := r.Host
	if u, err := url.Parse("http://" + r.Host); err == nil {
		host = u.Hostname()
	}
	return isLoopback(host)
}

// sameOrigin refuses a form that another site has sent: browsers say where a
// request comes from (Fetch Metadata), and the form has to bring the token
// that the page gave it.
func (s *Server) sameOrigin(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		site := r.Header.Get("Sec-Fetch-Site")
		if site != "" && site != "same-origin" && site != "none" {
			answer(w, http.StatusForbidden, "This form was sent by another site.")
			return
		}
		if o := r.Header.Get("Origin"); o != "" && o != "null" {
			if u, err := url.Parse(o); err != nil || u.Host != r.Host {
				answer(w, http.StatusForbidden, "This form was sent by another site.")
				return
			}
		}
		r.Body = http.MaxBytesReader(w, r.Body, 1<<20)
		if !strings.HasPrefix(r.Header.Get("Authorization"), "Bearer ") && !hmac.Equal([]byte(r.PostFormValue("csrf")), []byte(s.csrf(r))) {
			answer(w, http.StatusForbidden, "The form has expired; go back, reload the page, and send it again.")
			return
		}
		next(w, r)
	}
}

// csrf returns the token of a session's forms.
func (s *Server) csrf(r *http.Request) string {
	if !s.config().requiresSignIn() {
		return s.sign("form of " + s.secret)
	}
	if have, name := s.settings().certificateLevel(r.TLS); have > noAccess {
		return s.sign("form of " + name + " " + s.secret)
	}
	session := ""
	if c, err := r.Cookie(cookieName); err == nil {
		session = c.Value
	}
	return s.sign("form " + session)
}

func (s *Server) signIn(w http.ResponseWriter, r *http.Request) {
	if wait := s.attempts.wait(r); wait > 0 {
		tooSoon(w, wait)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, 64<<10)
	have := s.levelOf(strings.TrimSpace(r.PostFormValue("token")))
	to := localPath(r.PostFormValue("to"))
	if have == noAccess {
		s.log.WarnContext(r.Context(), "a sign-in to the review page failed", "client", r.RemoteAddr)
		s.attempts.recordFailure(r)
		time.Sleep(failedSignInPause)
		s.render(w, r, http.StatusUnauthorized, "signin", "Sign in", signInPage{To: to, Failed: true})
		return
	}
	name := strings.TrimSpace(r.PostFormValue("name"))
	if name == "" {
		name = "reviewer"
	}
	until := time.Now().Add(s.config().SessionTimeout.Duration())
	role := map[level]string{viewer: "viewer", reviewer: "reviewer"}[have]
	message := fmt.Sprintf("%s.%d.%s.%s", role, until.Unix(), base64.RawURLEncoding.EncodeToString([]byte(truncate(name, 60))), rand.Text())
	http.SetCookie(w, &http.Cookie{
		Name: cookieName, Value: message + "." + s.sign(message), Path: "/", Expires: until,
		HttpOnly: true, Secure: s.config().SecureCookie || r.TLS != nil, SameSite: http.SameSiteStrictMode,
	})
	http.Redirect(w, r, to, http.StatusSeeOther)
}

// failedSignInPause slows guessing down; the handler's own goroutine waits.
const failedSignInPause = 300 * time.Millisecond

func (s *Server) signOut(w http.ResponseWriter, r *http.Request) {
	if in, ok := s.signedIn(r); ok {
		if err := s.store.SignOut(r.Context(), in.id, in.until); err != nil {
			s.log.ErrorContext(r.Context(), "a sign-out of the review page is not kept", "error", err)
			answer(w, http.StatusServiceUnavailable, "The sign-out cannot be kept, so you are still signed in. Try again in a moment.")
			return
		}
	}
	http.SetCookie(w, &http.Cookie{Name: cookieName, Path: "/", MaxAge: -1, HttpOnly: true, SameSite: http.SameSiteStrictMode})
	http.Redirect(w, r, "/signin", http.StatusSeeOther)
}

// localPath returns to if it is a path of this server, else the first page.
func localPath(to string) string {
	if u, err := url.Parse(to); err == nil && u.Host == "" && u.Scheme == "" && strings.HasPrefix(to, "/") && !strings.HasPrefix(to, "//") && !strings.ContainsAny(to, "\\\r\n") {
		return to
	}
	return "/"
}
