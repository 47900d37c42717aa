package admin

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"askpg/store"
)

// digest is a message authentication code as text.
func digest(key, message string) string {
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte(message))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// tokenGrants returns what the bearer of a token may do.
func (s *settings) tokenGrants(token string) []grant {
	a := sha256.Sum256([]byte(token))
	return s.granted(func(g *grant) bool {
		b := sha256.Sum256([]byte(g.token))
		return g.token != "" && subtle.ConstantTimeCompare(a[:], b[:]) == 1
	})
}

// signInGrants returns what a sign-in is worth now: its token may have changed. Its groups, or the provider that vouched
// for them, may have lost their rights.
func (s *settings) signInGrants(cookie string, in *store.SignIn) []grant {
	if in.How == byToken {
		return s.granted(func(g *grant) bool {
			return g.token != "" && hmac.Equal([]byte(digest(cookie, g.token)), []byte(in.Evidence))
		})
	}
	var said groups
	if in.How != byOIDC || json.Unmarshal([]byte(in.Evidence), &said) != nil || said.Issuer != s.OIDC.Issuer || said.ClientID != s.OIDC.ClientID {
		return nil
	}
	return s.granted(func(g *grant) bool {
		return slices.ContainsFunc(g.groups, func(name string) bool { return slices.Contains(said.Groups, name) })
	})
}

// How somebody has shown who he is.
const (
	locally       = "local"
	byCertificate = "certificate"
	byToken       = "token"
	byOIDC        = "oidc"
)

// identify returns who has sent a request; he may do nothing if he has not said who he is. Without anything that says who
// may do what the page is on the loopback interface and open.
func (s *Server) identify(r *http.Request) *who {
	set := s.settings()
	if !set.requiresSignIn() {
		return &who{name: locally, how: locally, grants: []grant{{level: administrator}}}
	}
	if name, grants := set.certificateGrants(r.TLS); len(grants) > 0 {
		return &who{name: name, how: byCertificate, grants: grants}
	}
	if token, ok := bearerToken(r); ok {
		return &who{name: "token", how: byToken, grants: set.tokenGrants(token)}
	}
	c, err := r.Cookie(s.cookieName(r, sessionCookie))
	if err != nil {
		return &who{}
	}
	in, err := s.store.SignedIn(r.Context(), c.Value)
	if err != nil {
		s.log.WarnContext(r.Context(), "sign-ins of the review page cannot be read", "error", err)
	}
	if in == nil {
		return &who{}
	}
	return &who{name: in.Name, how: in.How, grants: set.signInGrants(c.Value, in), cookie: c.Value}
}

// looks says whether a request that needs no sign-in comes from somebody who may look. A bearer's token is not looked at, as a wrong
// one would not count here.
func (s *Server) looks(r *http.Request) bool {
	if _, bearer := bearerToken(r); bearer || !s.config().requiresSignIn() && !s.addressedLocally(r) {
		return false
	}
	return s.identify(r).most() >= viewer
}

func bearerToken(r *http.Request) (string, bool) {
	return strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
}

type whoKey struct{}

// sender returns who has sent a request that require has let through.
func sender(r *http.Request) *who {
	if w, ok := r.Context().Value(whoKey{}).(*who); ok {
		return w
	}
	return &who{}
}

// require lets those reach a route who may; others are shown the way in.
func (s *Server) require(to route) http.Handler {
	next := to.serve
	if to.need == noAccess {
		return next
	}
	if !strings.HasPrefix(to.pattern, "GET ") {
		next = s.sameOrigin(next)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.config().requiresSignIn() && !s.addressedLocally(r) {
			answer(w, http.StatusForbidden, "This page is for this machine only; set admin.reviewer_token to reach it from elsewhere.")
			return
		}
		_, bearer := bearerToken(r)
		if wait := s.tokens.wait(r); bearer && wait > 0 {
			tooSoon(w, "wrong tokens", wait)
			return
		}
		by := s.identify(r)
		have := by.most()
		if bearer && have == noAccess {
			s.tokens.recordFailure(r)
		}
		switch {
		case have == noAccess && r.Method == http.MethodGet && r.Header.Get("Authorization") == "":
			http.Redirect(w, r, "/signin?to="+url.QueryEscape(r.URL.RequestURI()), http.StatusSeeOther)
		case have == noAccess:
			w.Header().Set("WWW-Authenticate", `Bearer realm="askpg"`)
			answer(w, http.StatusUnauthorized, "Sign in first.")
		case have < to.need:
			answer(w, http.StatusForbidden, "This needs the role "+to.need.String()+".")
		case to.whole && by.scope(to.need) != nil:
			answer(w, http.StatusForbidden, "This needs a role for the whole log, and yours is for a part of it. Ask an admin.")
		default:
			keepPlace(r.Context())
			next(w, r.WithContext(context.WithValue(r.Context(), whoKey{}, by)))
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
		if fromElsewhere(r) {
			answer(w, http.StatusForbidden, "This form was sent by another site.")
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, 1<<20)
		if _, bearer := bearerToken(r); !bearer && !hmac.Equal([]byte(r.PostFormValue("csrf")), []byte(s.csrf(r))) {
			answer(w, http.StatusForbidden, "The form has expired; go back, reload the page, and send it again.")
			return
		}
		next(w, r)
	}
}

// fromElsewhere says whether a browser tells that another site sends the request.
func fromElsewhere(r *http.Request) bool {
	site, origin := r.Header.Get("Sec-Fetch-Site"), r.Header.Get("Origin")
	if site != "" && site != "same-origin" && site != "none" {
		return true
	}
	u, err := url.Parse(origin)
	if origin == "null" { // so a page that tells no referrer; the browser has to say that it is this site's
		return site == ""
	}
	return origin != "" && (err != nil || u.Host != r.Host)
}

// csrf returns the token of the forms of a sign-in, or of somebody who needs none.
func (s *Server) csrf(r *http.Request) string {
	by := sender(r)
	key := cmp.Or(by.cookie, s.secret)
	return digest(key, "form of "+by.name)
}
