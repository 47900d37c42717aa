package admin_test

import (
	"context"
	"html"
	"log/slog"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"askpg/admin"
	"askpg/ask"
	"askpg/store"
)

var rowBox = regexp.MustCompile(`name="row" value="([^"]+)" aria-label="Choose: ([^"]*)"`)

// boxes returns the values of the boxes of a page by question.
func boxes(page string) map[string]string {
	out := map[string]string{}
	for _, m := range rowBox.FindAllStringSubmatch(page, -1) {
		out[html.UnescapeString(m[2])] = html.UnescapeString(m[1])
	}
	return out
}

// TestPages_Chosen judges several rows of the queue at once: each as the row showed it, or not at all.
func TestPages_Chosen(t *testing.T) {
	st := openStore(t)
	ctx := context.Background()
	plain, other, failed := entry("how many orders"), entry("how many unpaid orders"), entry("what is love")
	other.Translation.SQL = "select count(*)\nfrom orders -- all\nwhere note = 'a  b'"
	failed.Translation, failed.Err = nil, ask.Errorf(ask.CodeNoCandidate, "no candidate survived")
	followUp, long, theirs := entry("only the paid ones"), entry("how many of "+strings.Repeat("them ", 100)), entry("how many melons")
	followUp.Question.History = []ask.Turn{{Question: "how many orders", SQL: "select 1"}}
	theirs.Question.Session.Role = "clerk"
	ids := map[string]string{}
	for _, e := range []store.Entry{plain, other, failed, followUp, long, theirs} {
		ids[e.Question.Text] = add(t, st, e)
	}
	mine := accessOf("reviewer", analysts)
	base := serve(t, st, nil, func(c *admin.Config, s *admin.Server) {
		c.ReviewerToken = reviewerToken
		c.OIDC.Issuer, c.OIDC.ClientID = "https://127.0.0.1:1", "askpg"
		mine.Groups = []string{"mine"}
		c.Access = []admin.Access{{Role: "viewer", Groups: []string{"mine"}}, mine}
	})
	b := newBrowser(t, base)
	b.signIn(reviewerToken)
	_, page := b.get("/review?database=shop")
	rows, csrf := boxes(page), csrfOf(t, page)
	if len(rows) != 5 || rows[long.Question.Text] != "" {
		t.Fatalf("the boxes are of %v", rows)
	}
	// All that would be verified is seen: the SQL as it is, but for its layout.
	if want := `select</span> count(*) <span class="keyword">from</span> orders <span class="comment">-- all</span>` + "\n" + `<span class="keyword">where</span> note = <span class="literal">&#39;a  b&#39;</span>`; !strings.Contains(page, want) {
		t.Errorf("a row does not show its SQL:\n%s", page)
	}
	send := func(form url.Values, header ...string) (int, string) {
		t.Helper()
		if form.Get("csrf") == "" {
			form.Set("csrf", csrf)
		}
		return b.post("/review?database=shop", form, header...)
	}
	review := func(question string) store.Review {
		t.Helper()
		r, err := st.Get(ctx, ids[question])
		if err != nil {
			t.Fatal(err)
		}
		return r.Review
	}

	// What no form of this page sends is refused, and Enter in a field does nothing.
	for _, tt := range []struct {
		form   url.Values
		header []string
		want   int
	}{
		{url.Values{"csrf": {"guessed"}, "do": {"reject"}, "row": {rows["how many orders"]}}, nil, http.StatusForbidden},
		{url.Values{"do": {"reject"}, "row": {rows["how many orders"]}}, []string{"Sec-Fetch-Site", "cross-site"}, http.StatusForbidden},
		{url.Values{"do": {"retire"}, "row": {rows["how many orders"]}}, nil, http.StatusBadRequest},
		{url.Values{"do": {"reject"}, "row": make([]string, 101)}, nil, http.StatusBadRequest},
		{url.Values{"do": {"approve"}}, nil, http.StatusUnprocessableEntity},
		{url.Values{"do": {"keep"}, "row": {rows["how many orders"]}, "note": {"a note"}}, nil, http.StatusOK},
	} {
		status, page := send(tt.form, tt.header...)
		if status != tt.want || review("how many orders") != "" {
			t.Errorf("%v: %d, %q", tt.form, status, review("how many orders"))
		}
		if tt.want == http.StatusOK && (strings.Count(page, " checked>") != 1 || !strings.Contains(page, `value="a note"`)) {
			t.Errorf("what was chosen is not kept:\n%s", page)
		}
	}

	// One verdict with one note on several; those that are refused say why, by row, and stay chosen.
	if err := st.Reject(ctx, ids["how many melons"], store.Reviewer{Name: "Ann"}, ""); err != nil {
		t.Fatal(err)
	}
	status, page := send(url.Values{"do": {"approve"}, "note": {"seen together"}, "row": {
		rows["how many orders"], rows["how many unpaid orders"] + "x", rows["what is love"], rows["only the paid ones"], rows["how many melons"], ids[long.Question.Text] + " x", "00000000-0000-7000-8000-000000000000 x"}})
	alert, _, _ := strings.Cut(page[strings.Index(page, `role="alert"`):], "</div>")
	for _, want := range []string{"6 of 7 not approved", "unpaid orders</bdi></a>: <bdi>It is not what the row showed", "love</bdi></a>: <bdi>It has no answer to approve", "paid ones</bdi></a>: <bdi>It follows up",
		"melons</bdi></a>: <bdi>Somebody has judged it meanwhile: it is rejected", "them them", "There is no such translation"} {
		if !strings.Contains(alert, want) {
			t.Errorf("the page does not say %q:\n%s", want, alert)
		}
	}
	if status != http.StatusUnprocessableEntity || review("how many orders") != store.Approved || review("how many unpaid orders") != "" || review("what is love") != "" || review("only the paid ones") != "" || review("how many melons") != store.Rejected {
		t.Errorf("%d, %q", status, review("how many orders"))
	}
	if strings.Count(page, " checked>") != 3 || !strings.Contains(page, `value="seen together"`) {
		t.Errorf("what was refused is not chosen any more:\n%s", page)
	}
	if verifiedSQL(t, st, "how many orders") != plain.Translation.SQL || verifiedSQL(t, st, "how many unpaid orders") != "" {
		t.Error("what was not seen is verified")
	}
	said, err := st.Verdicts(ctx, store.Filter{Limit: 10})
	if err != nil || len(said) != 2 || said[0].Reviewer != "Rita" || said[0].How != "token" || said[0].Note != "seen together" {
		t.Errorf("the audit has %+v, %v", said, err)
	}

	// All are taken: the page says so, with the filters that were set, and no longer after the next click.
	status, page = send(url.Values{"do": {"reject"}, "row": {rows["what is love"], rows["only the paid ones"]}})
	if status != http.StatusOK || !strings.Contains(page, "2 rows rejected.") || strings.Contains(page, "what is love") || strings.Contains(page, "done=reject") || review("what is love") != store.Rejected {
		t.Errorf("%d\n%s", status, page)
	}

	// Who may judge a part finds boxes in that part alone, whatever he sends.
	add(t, st, entry("how many pears"))
	theirs = entry("how many apples")
	theirs.Question.Session.Role = "clerk"
	ids["how many apples"] = add(t, st, theirs)
	_, page = b.get("/review")
	apples := boxes(page)["how many apples"]
	part := signedIn(t, st, base, `{"issuer":"https://127.0.0.1:1","client_id":"askpg","groups":["mine"]}`)
	_, page = part.get("/review")
	if rows := boxes(page); rows["how many pears"] == "" || rows["how many apples"] != "" || !strings.Contains(page, "how many apples") {
		t.Errorf("boxes of a reviewer of a part: %v", rows)
	}
	for _, do := range []string{"approve", "reject", "assign"} {
		status, page = part.post("/review", url.Values{"csrf": {csrfOf(t, page)}, "do": {do}, "assignee": {"Pat"}, "row": {apples}})
		if r, err := st.Get(ctx, ids["how many apples"]); err != nil || status != http.StatusUnprocessableEntity || r.Review != "" || r.Assigned != "" || !strings.Contains(page, "no such translation that you may judge") {
			t.Errorf("%s: %d, %+v, %v", do, status, r.Review, err)
		}
	}
}

// signedIn returns the browser of Pat, who has signed in at a provider.
func signedIn(t *testing.T, st *store.Store, base, evidence string) *browser {
	t.Helper()
	b := newBrowser(t, base)
	if err := st.SignIn(context.Background(), "their cookie", "", store.SignIn{Name: "Pat", How: "oidc", Until: time.Now().Add(time.Hour), Evidence: evidence}); err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	b.http.Jar.SetCookies(u, []*http.Cookie{{Name: "askpg_session", Value: "their cookie"}})
	return b
}

// TestPages_ChosenStale: a translation whose example no longer plans is not approved among others.
func TestPages_ChosenStale(t *testing.T) {
	cfg := store.DefaultConfig()
	cfg.URL, cfg.Spill, cfg.CheckExamples = "sqlite:"+filepath.Join(t.TempDir(), "log.db"), "", ask.Duration(20*time.Millisecond)
	ctx := context.Background()
	st, err := store.Open(ctx, cfg, slog.New(slog.DiscardHandler), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	id := add(t, st, entry("how many orders"))
	if _, err := st.Approve(ctx, id, nil, store.Reviewer{Name: "Ann"}, ""); err != nil {
		t.Fatal(err)
	}
	st.RecheckExamples(func(context.Context, string, string) (string, error) { return "changed", nil },
		func(context.Context, string, string, map[string]string, string) error {
			return ask.Errorf("42P01", "relation orders does not exist")
		})
	b := newBrowser(t, serve(t, st, nil, nil))
	page := ""
	for end := time.Now().Add(time.Minute); boxes(page)["how many orders"] == ""; _, page = b.get("/review") {
		if time.Now().After(end) {
			t.Fatal("waited in vain for the example to be stale")
		}
	}
	status, page := b.post("/review", url.Values{"csrf": {csrfOf(t, page)}, "do": {"approve"}, "row": {boxes(page)["how many orders"]}})
	if r, err := st.Get(ctx, id); err != nil || status != http.StatusUnprocessableEntity || r.Review != "" || !strings.Contains(page, "no longer plans: relation orders does not exist") {
		t.Errorf("%d, %v\n%s", status, err, page)
	}
}

// TestPages_Assign gives rows of the queue to somebody, and finds them.
func TestPages_Assign(t *testing.T) {
	st := openStore(t)
	for _, q := range []string{"how many orders", "how many pears", "how many plums"} {
		add(t, st, entry(q))
	}
	b := newBrowser(t, serve(t, st, nil, tokens))
	b.signIn(reviewerToken)
	_, page := b.get("/review")
	rows, csrf := boxes(page), csrfOf(t, page)
	assign := func(to string, questions ...string) {
		t.Helper()
		form := url.Values{"csrf": {csrf}, "do": {"assign"}, "assignee": {to}}
		for _, q := range questions {
			form.Add("row", rows[q])
		}
		if status, page := b.post("/review", form); status != http.StatusOK || !strings.Contains(page, "assigned.") {
			t.Fatalf("%d\n%s", status, page)
		}
	}
	found := func(of string) string {
		t.Helper()
		_, page := b.get("/review?assigned=" + of)
		var names []string
		for _, q := range []string{"orders", "pears", "plums"} {
			if boxes(page)["how many "+q] != "" {
				names = append(names, q)
			}
		}
		return strings.Join(names, " ")
	}
	assign("Rita", "how many orders")
	assign("Ann", "how many pears")
	if me, nobody := found("me"), found("nobody"); me != "orders" || nobody != "plums" {
		t.Errorf("mine are %q, nobody's %q", me, nobody)
	}
	if _, page := b.get("/review"); !strings.Contains(page, "for <bdi>Ann</bdi>") {
		t.Errorf("no row says whose it is:\n%s", page)
	}
	if _, page := b.get("/translations/" + strings.Fields(rows["how many pears"])[0]); !strings.Contains(page, "for <bdi>Ann</bdi> to review") {
		t.Error("the page of a translation does not say whose it is")
	}
	assign("", "how many pears", "how many orders")
	if me, nobody := found("me"), found("nobody"); me != "" || nobody != "orders pears plums" {
		t.Errorf("mine are %q, nobody's %q", me, nobody)
	}
}
