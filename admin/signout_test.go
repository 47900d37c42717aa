package admin_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// TestPages_SignOut replays the cookie of a sign-in that was signed out: it is refused, at
// another instance of the same store too, and another sign-in stands.
func TestPages_SignOut(t *testing.T) {
	st := openStore(t)
	base, other := serve(t, st, nil, tokens), serve(t, st, nil, tokens)
	status := func(base string, cookies []*http.Cookie) int {
		t.Helper()
		req, _ := http.NewRequest(http.MethodGet, base+"/translations", nil)
		for _, c := range cookies {
			req.AddCookie(c)
		}
		client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
		res, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		return res.StatusCode
	}
	b, second := newBrowser(t, base), newBrowser(t, base)
	_, body := b.signIn(reviewerToken)
	second.signIn(viewerToken)
	u, _ := url.Parse(base)
	kept, stands := b.http.Jar.Cookies(u), second.http.Jar.Cookies(u)
	for _, at := range []string{base, other} {
		if got := status(at, kept); got != http.StatusOK {
			t.Fatalf("signed in: %d", got)
		}
	}
	if got, _ := b.post("/signout", url.Values{"csrf": {csrfOf(t, body)}}); got != http.StatusOK {
		t.Fatalf("sign-out: %d", got)
	}
	for _, at := range []string{base, other} {
		if got := status(at, kept); got != http.StatusSeeOther {
			t.Errorf("the cookie of a sign-in that was signed out gets %d", got)
		}
		if got := status(at, stands); got != http.StatusOK {
			t.Errorf("another sign-in gets %d", got)
		}
	}
}

// TestPages_WrongTokens has wrong tokens wait, those of forms and of requests alike, while
// identify is signed in is served.
func TestPages_WrongTokens(t *testing.T) {
	base := serve(t, openStore(t), nil, tokens)
	b := newBrowser(t, base)
	b.signIn(reviewerToken)
	bearer := func(token string) (int, string) {
		t.Helper()
		req, _ := http.NewRequest(http.MethodGet, base+"/translations", nil)
		req.Header.Set("Authorization", "Bearer "+token)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		return res.StatusCode, res.Header.Get("Retry-After")
	}
	if got, _ := bearer(viewerToken); got != http.StatusOK {
		t.Fatalf("the right token gets %d", got)
	}
	for i := range 6 {
		if got, _ := bearer("wrong-token-012345"); got != http.StatusUnauthorized {
			t.Fatalf("wrong token %d gets %d", i+1, got)
		}
	}
	if got, after := bearer("wrong-token-012345"); got != http.StatusTooManyRequests || after == "" {
		t.Errorf("a further one gets %d, to try again after %q s", got, after)
	}
	if got, body := newBrowser(t, base).signIn("wrong-token-012345"); got != http.StatusTooManyRequests || !strings.Contains(body, "wrong tokens") {
		t.Errorf("a form with another gets %d: %s", got, body)
	}
	if got, _ := b.get("/translations"); got != http.StatusOK {
		t.Errorf("who is signed in gets %d", got)
	}
}

// TestPages_Assets finds what the page needs, and no list of it.
func TestPages_Assets(t *testing.T) {
	b := newBrowser(t, serve(t, openStore(t), nil, tokens))
	for path, want := range map[string]int{
		"/assets/style.css": http.StatusOK, "/assets/icon.svg": http.StatusOK,
		"/assets/": http.StatusNotFound, "/assets": http.StatusNotFound, "/assets/nothing": http.StatusNotFound, "/assets/.": http.StatusNotFound,
	} {
		if got, body := b.get(path); got != want || strings.Contains(body, "<pre>") {
			t.Errorf("%s: %d, %s", path, got, body)
		}
	}
}
