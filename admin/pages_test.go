package admin_test

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"askpg/admin"
	"askpg/ask"
	"askpg/store"
)

const (
	viewerToken   = "viewer-0123456789"
	reviewerToken = "reviewer-0123456789"
)

func entry(text string) store.Entry {
	id := ask.NewID()
	return store.Entry{
		Question: ask.Question{
			ID: id, Text: text, Asked: time.Now(), Session: ask.Session{Database: "shop", Role: "analyst", SessionUser: "ann", Settings: map[string]string{"search_path": "public"}},
			Client: ask.Client{Address: "127.0.0.1:4711", ApplicationName: "psql", Annotations: []string{"userID: 7"}},
		},
		Translation: &ask.Translation{
			ID: id, SQL: "select count(*) from orders where state = 'paid'", Confidence: 0.6, Chosen: 0, Strategy: "auto", Source: ask.SourceModel,
			Candidates: []ask.Candidate{
				{SQL: "select count(*) from orders where state = 'paid'", Origin: ask.Origin{Model: "main", Prompt: "ddl", Sample: 1}, Fate: ask.FateChosen, Votes: 2, Fingerprint: "f1", Rows: 1},
				{SQL: "select count(*) from orders", Origin: ask.Origin{Model: "main", Prompt: "compact", Sample: 1}, Fate: ask.FateOutvoted, Votes: 1, Fingerprint: "f2", Rows: 1},
				{SQL: "delete from orders", Origin: ask.Origin{Model: "main", Prompt: "compact", Sample: 2}, Fate: ask.FateRefused, Rows: -1, Err: ask.Errorf(ask.CodeRefused, "only SELECT is run")},
			},
			Linked: []ask.Link{{Words: "orders", Object: "public.orders", Why: "name"}}, Stages: []ask.Stage{{Name: "generate", Elapsed: 2 * time.Second}},
			Usage: ask.Usage{Calls: 3, Cost: 0.01}, Plan: "Aggregate", Notices: []string{"lag 2 s"}, Demos: []string{"how many invoices"},
		},
		Elapsed: 3 * time.Second,
	}
}

func add(t *testing.T, st *store.Store, e store.Entry) string {
	t.Helper()
	if err := st.Append(context.Background(), e); err != nil {
		t.Fatal(err)
	}
	return e.Question.ID
}

// browser keeps cookies and follows redirects as one does.
type browser struct {
	t    *testing.T
	base string
	http *http.Client
}

func newBrowser(t *testing.T, base string) *browser {
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &browser{t, base, &http.Client{Jar: jar}}
}

func (b *browser) do(req *http.Request) (int, string) {
	b.t.Helper()
	res, err := b.http.Do(req)
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return res.StatusCode, string(body)
}

func (b *browser) get(path string) (int, string) {
	b.t.Helper()
	req, _ := http.NewRequest(http.MethodGet, b.base+path, nil)
	return b.do(req)
}

func (b *browser) post(path string, form url.Values, header ...string) (int, string) {
	b.t.Helper()
	req, _ := http.NewRequest(http.MethodPost, b.base+path, strings.NewReader(form.Encode()))
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	return b.do(req)
}

var formValue = regexp.MustCompile(`(?s)value="[^"<>]*"|<textarea[^<>]*>[^<>]*</textarea>`)

var csrfField = regexp.MustCompile(`name="csrf" value="([^"]+)"`)

func csrfOf(t *testing.T, page string) string {
	t.Helper()
	m := csrfField.FindStringSubmatch(page)
	if m == nil {
		t.Fatal("the page has no form")
	}
	return m[1]
}

func tokens(c *admin.Config, _ *admin.Server) {
	c.ViewerToken, c.ReviewerToken = viewerToken, reviewerToken
}

func (b *browser) signIn(token string) (int, string) {
	return b.post("/signin", url.Values{"token": {token}, "name": {"Rita"}, "to": {"/translations"}})
}

func TestPages_Show(t *testing.T) {
	st := openStore(t)
	id := add(t, st, entry("how many orders are paid?"))
	failed := entry("what is love")
	failed.Translation, failed.Err = nil, ask.Errorf(ask.CodeNoCandidate, "no candidate survived").WithDetail("love is not understood")
	failedID := add(t, st, failed)
	b := newBrowser(t, serve(t, st, nil, nil))
	for path, want := range map[string][]string{
		"/":                                {"Questions by day", "ASK01", "analyst", "<svg"},
		"/?days=7&of=database+shop":        {"Questions by day"},
		"/?of=role+none":                   {"Nobody has asked"},
		"/translations":                    {"how many orders are paid?", "what is love", "60 %"},
		"/translations?q=love":             {"what is love"},
		"/translations?outcome=failed":     {"no candidate survived"},
		"/translations?max=70":             {"how many orders"},
		"/translations?since=nonsense":     {"must be a day"},
		"/review":                          {"how many orders are paid?"},
		"/translations/" + id:              {"<mark title=\"public.orders (name)\">orders</mark>", "2 votes", "Another result", "only SELECT is run", "<del>where state", "generate", "Aggregate", "userID: 7"},
		"/translations/" + failedID:        {"love is not understood", "ASK01"},
		"/translations/" + id[:20]:         {"several translations begin|paid?"},
		"/translations/" + ask.NewID():     {"no such translation"},
		"/examples":                        {"There are none"},
		"/nowhere":                         {"no such page"},
		"/assets/style.css":                {"prefers-color-scheme"},
		"/translations?before=x":           {"no place in the list"},
		"/translations?q=%22paid+orders*'": {""},
	} {
		status, body := b.get(path)
		for _, w := range want {
			if !regexp.MustCompile(strings.ReplaceAll(regexp.QuoteMeta(w), `\|`, "|")).MatchString(body) {
				t.Errorf("%s (%d) does not say %q:\n%.3000s", path, status, w, body)
			}
		}
	}
}

func TestPages_Headers(t *testing.T) {
	base := serve(t, openStore(t), nil, nil)
	_, _, h := fetch(t, base+"/")
	csp := h.Get("Content-Security-Policy")
	if !strings.Contains(csp, "default-src 'none'") || strings.Contains(csp, "unsafe") || strings.Contains(csp, "script-src") || !strings.Contains(csp, "frame-ancestors 'none'") {
		t.Fatal(csp)
	}
	if h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Cache-Control") != "no-store" {
		t.Fatal(h)
	}
}

var hostileTexts = []string{
	`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, "javascript:alert(1)", "\u202Egnp.exe", "\x1b[2Jcleared", strings.Repeat("<b>", 400_000), "{{.CSRF}}", "</textarea><script>", "null\x00byte", "\xff\xfe",
}

// harmless fails the test if a page has of a text what would do something, or hide something.
func harmless(t *testing.T, text, path, body string) {
	t.Helper()
	body = formValue.ReplaceAllString(body, "") // what a form sends back has to be as it is
	for _, bad := range []string{"<script", "<img src=x", "<b><b>", "\u202E", "\x1b", "\x00", `href="javascript`} {
		if at := strings.Index(body, bad); at >= 0 {
			t.Fatalf("%.30q: %s holds %q: …%s", text, path, bad, body[max(0, at-200):min(len(body), at+100)])
		}
	}
}

// Whatever is asked must be shown as it is and do nothing.
func TestPages_HostileText(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds of processor time, which -short leaves out")
	}
	st := openStore(t)
	b := newBrowser(t, serve(t, st, nil, nil))
	for _, text := range hostileTexts {
		e := entry(text)
		e.Question.Hint, e.Question.Session.Role, e.Question.Session.Database, e.Question.Client.ApplicationName = text, text, text, text
		e.Question.Client.Annotations, e.Question.Client.Address = []string{text}, text
		e.Question.Options = map[string]string{text: text}
		e.Translation.SQL, e.Translation.Understood, e.Translation.Strategy, e.Translation.Plan = text, text, text, text
		e.Translation.Candidates[0].SQL, e.Translation.Candidates[1].SQL = text, text+" "+text
		e.Translation.Candidates[0].Origin, e.Translation.Candidates[2].Err = ask.Origin{Model: text, Prompt: text}, ask.Errorf("XX000", "%s", text).WithHint("%s", text)
		e.Translation.Linked, e.Translation.Notices = []ask.Link{{Words: text, Object: text, Value: text, Why: text}}, []string{text}
		e.Translation.Demos = []string{text}
		e.Translation.Stages = []ask.Stage{{Name: text, Elapsed: time.Second}}
		id := add(t, st, e)
		if err := st.Feedback(context.Background(), id, false, text, text); err != nil {
			t.Fatal(err)
		}
		if _, err := st.Approve(context.Background(), id, nil, store.Reviewer{Name: text}, text); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{"/", "/translations", "/review", "/examples", "/translations/" + id} {
			status, body := b.get(path)
			if status != 200 {
				t.Fatalf("%.30q: %s answers %d: %.300s", text, path, status, body)
			}
			harmless(t, text, path, body)
			if len(body) > 4<<20 {
				t.Fatalf("%.30q: %s has %d bytes", text, path, len(body))
			}
		}
	}
}

func TestPages_SignIn(t *testing.T) {
	st := openStore(t)
	id := add(t, st, entry("q"))
	base := serve(t, st, nil, tokens)
	b := newBrowser(t, base)
	if _, body := b.get("/translations"); !strings.Contains(body, `name="token"`) || strings.Contains(body, "analyst") {
		t.Fatal("the list is shown to nobody in particular")
	}
	if status, _ := b.signIn("wrong-token-012345"); status != http.StatusUnauthorized {
		t.Fatal(status)
	}
	// Another site would have its visitors act in its own name.
	for name, value := range map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"} {
		req, _ := http.NewRequest(http.MethodPost, base+"/signin", strings.NewReader(url.Values{"token": {viewerToken}}.Encode()))
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Set(name, value)
		if status, body := b.do(req); status != http.StatusForbidden || strings.Contains(body, "analyst") {
			t.Errorf("a sign-in from another site, told by %s: %d", name, status)
		}
	}
	if _, body := b.get("/translations"); strings.Contains(body, "analyst") {
		t.Fatal("another site has signed him in")
	}
	if _, body := b.signIn(viewerToken); !strings.Contains(body, "analyst") {
		t.Fatal("a viewer sees nothing")
	}
	_, body := b.get("/translations/" + id)
	if strings.Contains(body, `value="approve"`) {
		t.Fatal("a viewer is offered to approve")
	}
	if status, _ := b.post("/translations/"+id, url.Values{"do": {"approve"}, "csrf": {csrfOf(t, body)}}); status != http.StatusForbidden {
		t.Fatalf("a viewer approves: %d", status)
	}
	if status, _ := b.post("/signout", url.Values{"csrf": {csrfOf(t, body)}}); status != 200 {
		t.Fatal(status)
	}
	if _, body := b.get("/"); !strings.Contains(body, `name="token"`) {
		t.Fatal("still signed in")
	}

	// A token works for programs as well; a forged cookie does not.
	for token, want := range map[string]int{viewerToken: 200, "nonsense-0123456789": http.StatusUnauthorized} {
		req, _ := http.NewRequest(http.MethodGet, base+"/translations", nil)
		req.Header.Set("Authorization", "Bearer "+token)
		if status, _ := newBrowser(t, base).do(req); status != want {
			t.Errorf("%s: %d", token, status)
		}
	}
	req, _ := http.NewRequest(http.MethodGet, base+"/translations", nil)
	req.AddCookie(&http.Cookie{Name: "askpg_session", Value: fmt.Sprintf("reviewer.%d.cml0YQ.x.c2ln", time.Now().Add(time.Hour).Unix())})
	if _, body := newBrowser(t, base).do(req); strings.Contains(body, "analyst") {
		t.Fatal("a forged cookie signs in")
	}
	if _, body := b.post("/signin", url.Values{"token": {viewerToken}, "to": {"//evil.example/"}}); !strings.Contains(body, "Overview") {
		t.Fatal("the sign-in leads elsewhere")
	}
}

func TestPages_Judge(t *testing.T) {
	st := openStore(t)
	id := add(t, st, entry("how many orders are paid"))
	var checked []string
	base := serve(t, st, nil, func(c *admin.Config, s *admin.Server) {
		tokens(c, s)
		if s != nil {
			s.Check = func(_ context.Context, database, role string, settings map[string]string, sql string) error {
				checked = append(checked, strings.Join([]string{database, role, settings["search_path"], sql}, "|"))
				if strings.Contains(sql, "delete") {
					return ask.Errorf(ask.CodeRefused, "only SELECT is run").WithHint("Write a SELECT.")
				}
				return nil
			}
		}
	})
	b := newBrowser(t, base)
	b.signIn(reviewerToken)
	_, body := b.get("/translations/" + id)
	csrf := csrfOf(t, body)

	for name, header := range map[string][]string{
		"without its token":    nil,
		"from another site":    {"Sec-Fetch-Site", "cross-site"},
		"from another origin":  {"Origin", "http://evil.example"},
		"with another's token": nil,
	} {
		form := url.Values{"do": {"approve"}}
		if header != nil {
			form.Set("csrf", csrf)
		} else if strings.Contains(name, "another's") {
			form.Set("csrf", "xxxx")
		}
		if status, _ := b.post("/translations/"+id, form, header...); status != http.StatusForbidden {
			t.Errorf("a form %s is taken: %d", name, status)
		}
	}
	if r, err := st.Get(context.Background(), id); err != nil || r.Review != "" {
		t.Fatal(r.Review, err)
	}

	status, body := b.post("/translations/"+id, url.Values{"do": {"correct"}, "csrf": {csrf}, "sql": {"delete from orders"}, "note": {"keep me"}})
	if status != http.StatusUnprocessableEntity || !strings.Contains(body, "only SELECT is run") || !strings.Contains(body, "Write a SELECT.") || !strings.Contains(body, "delete from orders</textarea>") || !strings.Contains(body, "keep me") {
		t.Fatalf("%d %s", status, body)
	}
	status, body = b.post("/translations/"+id, url.Values{"do": {"correct"}, "csrf": {csrf}, "sql": {"select 1;\r\n"}, "note": {"simpler"}})
	if status != 200 || !strings.Contains(body, "Corrected.") || !strings.Contains(body, "reviewed by <bdi>Rita</bdi>") {
		t.Fatalf("%d %s", status, body)
	}
	if got := checked[len(checked)-1]; got != "shop|analyst|public|select 1" {
		t.Fatal(got)
	}
	e, err := st.ExampleOf(context.Background(), "shop", "analyst", "How many orders are paid?", "")
	if err != nil || e == nil || e.SQL != "select 1" || e.Reviewer != "Rita" || e.Note != "simpler" {
		t.Fatal(e, err)
	}
	if status, body = b.post("/translations/"+id, url.Values{"do": {"approve"}, "csrf": {csrf}}); status != 200 || !strings.Contains(body, "Approved.") {
		t.Fatal(status)
	}
	if e, err = st.ExampleOf(context.Background(), "shop", "analyst", "how many orders are paid", ""); err != nil || e.SQL != "select count(*) from orders where state = 'paid'" {
		t.Fatal(e, err)
	}
	if status, body = b.post("/examples/"+e.ID, url.Values{"do": {"retire"}, "csrf": {csrf}}); status != 200 || !strings.Contains(body, "retired") {
		t.Fatal(status, body)
	}
	if e, err = st.ExampleOf(context.Background(), "shop", "analyst", "how many orders are paid", ""); err != nil || e != nil {
		t.Fatal(e, err)
	}
	if status, _ = b.post("/translations/"+id, url.Values{"do": {"explode"}, "csrf": {csrf}}); status != http.StatusBadRequest {
		t.Fatal(status)
	}
}

// Without tokens the page is for this machine: a name that another site has
// pointed here must not open it.
func TestPages_DNSRebinding(t *testing.T) {
	base := serve(t, openStore(t), nil, nil)
	req, _ := http.NewRequest(http.MethodGet, base+"/translations", nil)
	req.Host = "evil.example"
	if status, _ := newBrowser(t, base).do(req); status != http.StatusForbidden {
		t.Fatal(status)
	}
}

// In the queue the repetitions of a question are one line, and every one of them
// is on some page.
func TestPages_Queue(t *testing.T) {
	st := openStore(t)
	b := newBrowser(t, serve(t, st, nil, nil))
	for i := range 130 {
		e := entry(fmt.Sprintf("which is question %d?", i%65))
		if i%65 == 7 {
			e.Question.Text = "Which is the OFTEN asked one"
		}
		e.Translation.Confidence = 0.9 - 0.004*float64(i%65)
		add(t, st, e)
	}
	for range 20 {
		add(t, st, entry("which is the OFTEN asked one?"))
	}
	title := regexp.MustCompile(`(?s)<th role="rowheader".*?<bdi>(.*?)</bdi>(.*?)</th>`)
	seen := map[string]int{}
	path := "/review"
	for pages := 0; path != ""; pages++ {
		status, body := b.get(path)
		if status != 200 || pages > 5 {
			t.Fatalf("%s: %d after %d pages", path, status, pages)
		}
		rows := title.FindAllStringSubmatch(body, -1)
		for i, m := range rows {
			seen[strings.ToLower(strings.TrimRight(m[1], "?"))]++
			if pages == 0 && i == 0 && (!strings.Contains(m[1], "OFTEN") || !strings.Contains(m[2], "asked 21 more times")) {
				t.Errorf("the first line is %s", m[0])
			}
		}
		path = ""
		if next := regexp.MustCompile(`rel="next" accesskey="n" href="([^"]+)"`).FindStringSubmatch(body); next != nil {
			path = strings.ReplaceAll(next[1], "&amp;", "&")
		}
	}
	if len(seen) != 65 {
		t.Errorf("%d of 65 questions are in the queue", len(seen))
	}
	if _, body := b.get("/translations?q=" + url.QueryEscape(`"which is question 3"`) + "&review=none"); strings.Count(body, `role="rowheader"`) != 2 {
		t.Error("the repetitions behind a line are not found")
	}
}

// Prompts are made anew, and shown to reviewers alone.
func TestPages_Prompts(t *testing.T) {
	st := openStore(t)
	id := add(t, st, entry("how many orders are paid"))
	base := serve(t, st, nil, func(c *admin.Config, s *admin.Server) {
		tokens(c, s)
		if s != nil {
			s.Prompts = func(_ context.Context, r *store.Record) ([]ask.Prompt, error) {
				return []ask.Prompt{{Model: "main", Text: r.Role + " asks <b>" + r.Question}}, nil
			}
		}
	})
	b := newBrowser(t, base)
	b.signIn(viewerToken)
	if _, body := b.get("/translations/" + id); strings.Contains(body, "/prompts") {
		t.Error("a viewer is shown the way to prompts")
	}
	if status, _ := b.get("/translations/" + id + "/prompts"); status != http.StatusForbidden {
		t.Errorf("a viewer sees prompts: %d", status)
	}
	b.signIn(reviewerToken)
	if _, body := b.get("/translations/" + id); !strings.Contains(body, "/translations/"+id+"/prompts") {
		t.Error("a reviewer is not shown the way to prompts")
	}
	if status, body := b.get("/translations/" + id + "/prompts"); status != 200 || !strings.Contains(body, "analyst asks &lt;b&gt;how many orders are paid") {
		t.Errorf("%d %s", status, body)
	}
	if status, _ := b.get("/translations/" + ask.NewID() + "/prompts"); status != http.StatusNotFound {
		t.Error(status)
	}
}

func TestPages_Export(t *testing.T) {
	st := openStore(t)
	add(t, st, entry("=cmd()"))
	add(t, st, entry("other"))
	b := newBrowser(t, serve(t, st, nil, nil))
	status, body := b.get("/export?format=csv&q=cmd")
	table, err := csv.NewReader(strings.NewReader(body)).ReadAll()
	if err != nil || status != 200 || len(table) != 2 || !strings.Contains(body, "'=cmd()") {
		t.Fatal(status, body, err)
	}
	if status, body = b.get("/export?format=jsonl"); status != 200 || strings.Count(body, "\n") != 2 {
		t.Fatal(status, body)
	}
	if status, _ = b.get("/export?format=xml"); status != http.StatusBadRequest {
		t.Fatal(status)
	}
	if status, _ = b.get("/examples.jsonl"); status != 200 {
		t.Fatal(status)
	}
}
