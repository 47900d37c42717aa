package admin_test

import (
	"html"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"
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
