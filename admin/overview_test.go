package admin_test

import (
	"html"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"askpg/admin"
	"askpg/ask"
	"askpg/store"
)

var translationsLink = regexp.MustCompile(`href="(/translations\?[^"]*)"`)

// TestOverview_LinksKeepFilters: what is behind a figure of the overview is what the figure counts.
func TestOverview_LinksKeepFilters(t *testing.T) {
	st := openStore(t)
	add(t, st, entry("how many orders"))
	base := serve(t, st, nil, nil)
	since := time.Now().UTC().AddDate(0, 0, -6).Format(time.DateOnly)
	for of, want := range map[string]string{"": "", "role analyst": "role=analyst", "database shop": "database=shop"} {
		_, text, _ := fetch(t, base+"/?days=7&of="+url.QueryEscape(of))
		links := translationsLink.FindAllStringSubmatch(text, -1)
		if len(links) < 10 {
			t.Fatalf("of %q: %d links", of, len(links))
		}
		for _, l := range links {
			u, err := url.Parse(html.UnescapeString(l[1]))
			if err != nil {
				t.Fatal(err)
			}
			q := u.Query()
			if day := q.Get("until"); q.Get("since") != since && q.Get("since") != day || !strings.Contains(u.RawQuery, want) {
				t.Errorf("of %q: the link %s", of, u)
			}
			if status, body, _ := fetch(t, base+u.String()); status != 200 || strings.Contains(body, `role="alert"`) {
				t.Errorf("%s: %d", u, status)
			}
		}
	}
}

// TestOverview_Trends: who asks is compared with the time before, costs have their currency, and what is left of the budgets is for
// who sees the whole log.
func TestOverview_Trends(t *testing.T) {
	st := openStore(t)
	cfg := store.DefaultConfig()
	cfg.Budget = store.Budget{Limits: store.Limits{Questions: 7}, For: []store.Team{{Name: "finance <b>", Roles: []string{"clerk"}, Limits: store.Limits{Cost: 2}}}}
	if err := st.Reload(cfg); err != nil {
		t.Fatal(err)
	}
	before := entry("how many orders were there")
	before.Question.Asked, before.Err = time.Now().AddDate(0, 0, -40), ask.Errorf(ask.CodeNoCandidate, "none")
	add(t, st, before)
	add(t, st, entry("how many orders"))
	add(t, st, entry("how many unpaid orders"))
	part := analysts
	part.Role, part.Groups = "viewer", []string{"mine"}
	base := serve(t, st, nil, func(c *admin.Config, _ *admin.Server) {
		c.ReviewerToken, c.Currency = reviewerToken, "€"
		c.OIDC.Issuer, c.OIDC.ClientID = "https://127.0.0.1:1", "askpg"
		c.Access = []admin.Access{part}
	})
	b := newBrowser(t, base)
	b.signIn(reviewerToken)
	_, page := b.get("/?days=30")
	for _, want := range []string{
		"<dt>Questions</dt><dd>2 <small>was 1</small>", "<dt>Answered</dt><dd>100\u202f% <small>was 0\u202f%</small>", "<dt>Cost, €</dt><dd>0.0200 <small>was 0.0100</small>",
		`<bdi>ann</bdi>`, `<td role="cell" class="n">2 <small>was 1</small></td><td role="cell" class="n">100` + "\u202f" + `% <small>was 0` + "\u202f" + `%</small></td><td role="cell" class="n">6.5 s <small>was 6.5 s</small></td><td role="cell" class="n">9.7 s <small>was 9.7 s</small>`,
		"Budgets today", "team finance &lt;b&gt;", "2.00 <small>of 2.00</small>", `<bdi>all</bdi></th><td role="cell" class="n">7 <small>of 7</small>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the overview lacks %q\n%s", want, page)
		}
	}
	if _, page = b.get("/?days=7"); strings.Contains(page, "was 1") {
		t.Error("what is older than the time before is compared")
	}
	pat := signedIn(t, st, base, `{"issuer":"https://127.0.0.1:1","client_id":"askpg","groups":["mine"]}`)
	if status, page := pat.get("/"); status != 200 || !strings.Contains(page, "was 1") || strings.Contains(page, "Budgets today") {
		t.Errorf("who sees a part: %d\n%s", status, page)
	}
}
