package admin_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"askpg/admin"
	"askpg/ask"
	"askpg/store"
)

// semantics stands in for the semantics file. A text with "BROKEN" is none, and one with "misfit" does not fit a database.
type semantics struct {
	mu    sync.Mutex
	text  string
	fixed string
	err   error // of Replace
	as    []string
	named string // what Suggest names its objects; public.staff if it is empty
}

func (f *semantics) File() (admin.SemanticsFile, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return admin.SemanticsFile{Path: "/etc/askpg/semantics.toml", Text: f.text, Fixed: f.fixed}, nil
}

func (f *semantics) Problems(_ context.Context, database, role, text string) (problems []string, err error) {
	f.as = append(f.as, database+" as "+role)
	if strings.Contains(text, "BROKEN") {
		return nil, errors.New("toml: line 1")
	}
	for line := range strings.SplitSeq(text, "\n") {
		if strings.Contains(line, "misfit") && database != "" {
			problems = append(problems, "table "+line+" is not there")
		}
	}
	return problems, nil
}

func (f *semantics) With(_ context.Context, text, _ string, d admin.Definition, by string) (string, error) {
	b, err := json.Marshal(d)
	return text + "\n# by " + by + ": " + string(b) + "\n", err
}

func (f *semantics) Replace(was, text string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil {
		return f.err
	}
	if was != f.text {
		return admin.ErrSemanticsChanged
	}
	f.text = text
	return nil
}

func (f *semantics) Suggest(_ context.Context, _ *store.Record, verified string) ([]string, []admin.Definition) {
	if f.named != "" {
		return []string{f.named}, []admin.Definition{{Kind: "filter", Of: f.named, Condition: f.named}}
	}
	if verified == "" {
		return []string{"public.staff"}, nil
	}
	return []string{"public.people"}, []admin.Definition{{Kind: "measure", Of: "people", Words: "headcount", Expression: "sum(heads)"}, {Kind: "filter", Of: "people", Condition: "gone is null"}}
}

const adminToken = "admin-0123456789abc"

// administered is a browser at a server that knows adminToken, with the parts that change sets.
func administered(t *testing.T, st *store.Store, change func(*admin.Parts)) *browser {
	t.Helper()
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte(adminToken), 0o600); err != nil {
		t.Fatal(err)
	}
	return newBrowser(t, serve(t, st, nil, func(c *admin.Config, s *admin.Server) {
		tokens(c, s)
		c.Access = []admin.Access{{Role: "admin", TokenFile: file}}
		if s != nil {
			change(&s.Parts)
		}
	}))
}

// teacher signs an administrator in at a server with a semantics file.
func teacher(t *testing.T, f *semantics, st *store.Store) *browser {
	t.Helper()
	b := administered(t, st, func(p *admin.Parts) { p.Semantics = f })
	if status, body := b.signIn(adminToken); status != http.StatusOK {
		t.Fatal(status, body)
	}
	return b
}

func failed(t *testing.T, st *store.Store, detail string) string {
	t.Helper()
	e := entry("what is our headcount")
	e.Translation, e.Err = nil, ask.Errorf(ask.CodeNoCandidate, "the question was not understood").WithDetail("%s", detail)
	return add(t, st, e)
}

func contains(t *testing.T, what, body string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(body, w) {
			t.Errorf("%s lacks %q:\n%.6000s", what, w, body)
		}
	}
}

// TestTeach: what an administrator says on the page of a failure stands in the file, in its history and on the page; what does not fit
// is not.
func TestTeach(t *testing.T) {
	st, f := openStore(t), &semantics{text: "# ours: misfit of before"}
	id := failed(t, st, `Not understood: "headcount", "a \"b\""; they name nothing that role "analyst" may read in database "shop".`)
	b := teacher(t, f, st)
	_, page := b.get("/translations/" + id)
	contains(t, "the page", page, `id="synonym-words" name="words" value="headcount, a &#34;b&#34;"`, `<option value="public.staff">`, `>Definitions</a>`)
	csrf := csrfOf(t, page)
	post := func(want int, kind string, more ...string) string {
		t.Helper()
		form := url.Values{"csrf": {csrf}, "kind": {kind}}
		for i := 0; i < len(more); i += 2 {
			form.Set(more[i], more[i+1])
		}
		status, body := b.post("/translations/"+id+"/teach", form)
		if status != want {
			t.Errorf("%s %v: %d, want %d:\n%.3000s", kind, more, status, want, body)
		}
		return body
	}
	before := f.text
	contains(t, "a misfit", post(422, "filter", "of", "misfit", "condition", `x = "<b>"`), "does not fit database", `value="misfit"`, `value="x = &#34;&lt;b&gt;&#34;"`)
	contains(t, "a NUL byte", post(422, "synonym", "of", "staff", "words", "a\x00b"), "has a NUL byte")
	contains(t, "an empty field", post(422, "synonym", "of", "staff", "words", " "), "is empty")
	contains(t, "a long field", post(422, "synonym", "of", "staff", "words", strings.Repeat("x", 5000)), "longer than")
	contains(t, "a term without a condition", post(422, "term", "of", "staff", "words", "managers"), "“where” is empty", `value="managers"`)
	contains(t, "another kind", post(422, "join", "of", "staff"), "no such definition")
	contains(t, "what is no file", post(422, "description", "of", "staff", "words", "BROKEN"), "toml: line 1")
	if edits, err := st.SemanticsEdits(context.Background(), 9); err != nil || len(edits) != 0 || f.text != before {
		t.Errorf("what was refused changed the file to %q, history %v, %v", f.text, edits, err)
	}
	contains(t, "the page afterwards", post(200, "synonym", "of", "public.staff", "words", "headcount"), "Added to the semantics file", "<b>taught</b> by <bdi>Rita</bdi>")
	want := before + "\n# by Rita: " + `{"Kind":"synonym","Database":"shop","Of":"public.staff","Words":"headcount","Expression":"","Condition":""}` + "\n"
	edits, err := st.SemanticsEdits(context.Background(), 9)
	if err != nil || f.text != want || len(edits) != 1 || edits[0].By != "Rita" || edits[0].How != "token" || edits[0].Old != before || edits[0].New != want {
		t.Errorf("the file is %q, its history %+v, %v", f.text, edits, err)
	}
	if last := f.as[len(f.as)-1]; last != "shop as analyst" {
		t.Errorf("checked at %s", last)
	}

	// What a file can't take is shown, to be added by hand, and is in no history.
	f.err = errors.New("disk full")
	contains(t, "a full disk", post(422, "private", "of", "staff.phone"), "Nothing was added: Disk full.", "staff.phone")
	f.err, f.fixed = nil, "The file is not askpg's."
	contains(t, "a fixed file", post(422, "private", "of", "staff.phone"), "not askpg&#39;s. The definition is right; add it to the file by hand", "staff.phone")
	if edits, err := st.SemanticsEdits(context.Background(), 9); err != nil || len(edits) != 1 || f.text != want {
		t.Errorf("the file is %q, its history %+v, %v", f.text, edits, err)
	}

	// Who may not is neither shown the form nor heard, nor is a form of another site.
	for token, level := range map[string]string{viewerToken: "viewer", reviewerToken: "reviewer"} {
		status, body := b.post("/translations/"+id+"/teach", url.Values{"kind": {"private"}, "of": {"a.b"}}, "Authorization", "Bearer "+token)
		req, _ := http.NewRequest(http.MethodGet, b.base+"/translations/"+id, nil)
		req.Header.Set("Authorization", "Bearer "+token)
		if _, page := b.do(req); status != http.StatusForbidden || strings.Contains(page, "Teach what") || strings.Contains(page, "/definitions") {
			t.Errorf("a %s teaches: %d %s", level, status, body)
		}
	}
	f.fixed = ""
	for name, form := range map[string]url.Values{"no token": {"kind": {"private"}, "of": {"a.b"}}, "a wrong token": {"csrf": {"x"}, "kind": {"private"}, "of": {"a.b"}}} {
		if status, body := b.post("/translations/"+id+"/teach", form); status != http.StatusForbidden || f.text != want {
			t.Errorf("%s: %d %s", name, status, body)
		}
	}
	if status, _ := b.post("/translations/"+id+"/teach", url.Values{"csrf": {csrf}, "kind": {"private"}, "of": {"a.b"}}, "Origin", "https://evil.example"); status != http.StatusForbidden || f.text != want {
		t.Error("a form of another site teaches")
	}
}

// TestTeach_Corrected: the SQL of a correction suggests a measure and a filter.
func TestTeach_Corrected(t *testing.T) {
	st, f := openStore(t), &semantics{}
	id := failed(t, st, `Not understood: "headcount".`)
	if _, err := st.Correct(context.Background(), id, "select sum(heads) as headcount from people", nil, store.Reviewer{Name: "rita"}, ""); err != nil {
		t.Fatal(err)
	}
	_, page := teacher(t, f, st).get("/translations/" + id)
	contains(t, "the page", page, `id="synonym-of" name="of" value="public.people"`, `id="measure-words" name="words" value="headcount"`, `id="measure-expression" name="expression" value="sum(heads)"`, `id="filter-condition" name="condition" value="gone is null"`)
}

// TestTeach_Chosen: the reading that an asker took suggests what it means; the answer to a question suggests nothing.
func TestTeach_Chosen(t *testing.T) {
	st, f := openStore(t), &semantics{}
	for source, want := range map[ask.Source]bool{ask.SourceChoice: true, ask.SourceModel: false} {
		e := entry("what is our headcount")
		e.Translation.Source = source
		_, page := teacher(t, f, st).get("/translations/" + add(t, st, e))
		if got := strings.Contains(page, `id="measure-expression" name="expression" value="sum(heads)"`); got != want {
			t.Errorf("%s: a measure is suggested: %v, want %v", source, got, want)
		}
	}
}

// TestTeach_WithoutSignIn: where nobody signs in, nobody changes the file.
func TestTeach_WithoutSignIn(t *testing.T) {
	st, f := openStore(t), &semantics{text: "# ours"}
	id := failed(t, st, "")
	b := newBrowser(t, serve(t, st, nil, func(_ *admin.Config, s *admin.Server) {
		if s != nil {
			s.Semantics = f
		}
	}))
	_, page := b.get("/translations/" + id)
	csrf := csrfOf(t, page)
	_, body := b.post("/translations/"+id+"/teach", url.Values{"csrf": {csrf}, "kind": {"private"}, "of": {"staff.phone"}})
	contains(t, "the page", body, "Nobody signs in here", "add it to the file by hand", "staff.phone")
	_, body = b.post("/definitions", url.Values{"csrf": {csrf}, "do": {"save"}, "text": {"# theirs"}})
	contains(t, "the page", body, "Nobody signs in here")
	if f.text != "# ours" {
		t.Errorf("the file is %q", f.text)
	}
}

// TestDefinitions: the editor checks, saves, and loses nobody's change.
func TestDefinitions(t *testing.T) {
	st, f := openStore(t), &semantics{text: "# ours\n"}
	add(t, st, entry("how many orders"))
	b := teacher(t, f, st)
	_, page := b.get("/definitions")
	contains(t, "the page", page, "# ours\n</textarea>", "/etc/askpg/semantics.toml", "None yet.", `<option value="shop"`, `<option value="analyst"`)
	csrf, was := csrfOf(t, page), valueOf(t, page, "was")
	post := func(want int, do, was, text string, at ...string) string {
		t.Helper()
		form := url.Values{"csrf": {csrf}, "do": {do}, "was": {was}, "text": {text}}
		if len(at) > 0 {
			form.Set("database", at[0])
			form.Set("role", at[1])
		}
		status, body := b.post("/definitions", form)
		if status != want {
			t.Errorf("%s %.60q: %d, want %d:\n%.3000s", do, text, status, want, body)
		}
		return body
	}
	contains(t, "a check", post(200, "check", was, "# mine\r\n", "shop", "analyst"), "It fits database", "Nothing is saved yet", "<del># ours", "<ins># mine")
	contains(t, "a check of the form", post(200, "check", was, "# misfit"), "not checked against a database")
	contains(t, "a misfit", post(422, "save", was, "# misfit\n", "shop", "analyst"), "is not there", "# misfit\n</textarea>")
	contains(t, "what is no file", post(422, "save", was, "BROKEN </textarea><script>"), "toml: line 1", "BROKEN &lt;/textarea&gt;&lt;script&gt;")
	contains(t, "the same text", post(422, "save", was, "# ours\n"), "nothing to save")
	contains(t, "a long text", post(422, "save", was, strings.Repeat("x", 300<<10)), "bytes")
	contains(t, "a database that nobody asks", post(422, "save", was, "# x", "elsewhere", "analyst"), "no such")
	if f.text != "# ours\n" {
		t.Errorf("the file is %q", f.text)
	}

	// Somebody else changes the file meanwhile, and a check in between does not hide it.
	f.text = "# ours\n# theirs\n"
	body := post(200, "check", was, "# ours\n# mine\n")
	contains(t, "a conflict", post(409, "save", valueOf(t, body, "was"), "# ours\n# mine\n"), "has changed since you opened it", "<del># theirs", "<ins># mine", "# mine\n</textarea>")
	if f.text != "# ours\n# theirs\n" {
		t.Errorf("a change is lost: %q", f.text)
	}
	body = post(409, "save", was, "# ours\n# theirs\n# <i>mine</i>\n")
	contains(t, "the page", post(200, "save", valueOf(t, body, "was"), "# ours\n# theirs\n# <i>mine</i>\n", "shop", "analyst"), "Saved.", "Rita", "<ins># &lt;i&gt;mine&lt;/i&gt;")
	if f.text != "# ours\n# theirs\n# <i>mine</i>\n" {
		t.Errorf("the file is %q", f.text)
	}
	if status, body := b.get("/definitions.toml"); status != 200 || body != f.text {
		t.Errorf("the file is exported as %d %q", status, body)
	}
	_, lines := b.get("/definitions.jsonl")
	var e store.SemanticsEdit
	if err := json.Unmarshal([]byte(lines), &e); err != nil || e.By != "Rita" || e.Old != "# ours\n# theirs\n" || e.New != f.text {
		t.Errorf("%q, %v", lines, err)
	}
	f.fixed = "The file is not askpg's."
	_, page = b.get("/definitions")
	contains(t, "a fixed file", page, "not askpg&#39;s")
	if strings.Contains(page, ">Save</button>") {
		t.Error("what cannot be saved has a button")
	}
	post(422, "save", valueOf(t, page, "was"), "# x")
	if !slices.Contains(f.as, "shop as analyst") || strings.Contains(f.text, "# x") {
		t.Errorf("%v, %q", f.as, f.text)
	}
}

// valueOf returns the value of a page's hidden input.
func valueOf(t *testing.T, page, name string) string {
	t.Helper()
	_, rest, ok := strings.Cut(page, `name="`+name+`" value="`)
	if !ok {
		t.Fatalf("the page has no %s", name)
	}
	value, _, _ := strings.Cut(rest, `"`)
	return value
}

// TestPages_HostileDefinitions: what askers, objects and people are named does nothing where words are taught and examples replayed.
func TestPages_HostileDefinitions(t *testing.T) {
	for _, text := range hostileTexts {
		if len(text) > 1000 {
			continue // longer than what is taught
		}
		st, f := openStore(t), &semantics{text: "# " + text + "\n", named: text}
		id := failed(t, st, "Not understood: "+strconv.Quote(text)+"; it names nothing.")
		approved := add(t, st, entry("how many apples"))
		if _, err := st.Approve(context.Background(), approved, nil, store.Reviewer{Name: text}, text); err != nil {
			t.Fatal(err)
		}
		job := &replays{began: make(chan admin.ReplayOptions, 1), run: func(_ context.Context, each func(admin.Replayed)) error {
			for _, o := range []admin.Replayed{{Right: true, Answer: text}, {Answer: text}, {Message: text}, {Unknown: text}} {
				o.Database, o.Role, o.Question, o.Hint, o.Verified = text, text, text, text, text
				each(o)
			}
			return errors.New(text)
		}}
		b := administered(t, st, func(p *admin.Parts) { p.Semantics, p.Replays = f, job })
		if status, body := b.post("/signin", url.Values{"token": {adminToken}, "name": {text}, "to": {"/definitions"}}); status != http.StatusOK {
			t.Fatal(status, body)
		}
		_, page := b.get("/translations/" + id)
		harmless(t, text, "the page of a failure", page)
		csrf := csrfOf(t, page)
		for kind, form := range map[string]url.Values{
			"synonym": {"words": {text}, "of": {text}}, "description": {"words": {text}, "of": {text}}, "private": {"of": {text}},
			"filter": {"of": {text}, "condition": {"misfit " + text}}, "measure": {"words": {text}, "of": {text}, "expression": {text}},
		} {
			form.Set("csrf", csrf)
			form.Set("kind", kind)
			_, page := b.post("/translations/"+id+"/teach", form)
			harmless(t, text, "the page behind a "+kind, page)
		}
		_, page = b.post("/definitions", url.Values{"csrf": {csrf}, "do": {"check"}, "text": {"# ours " + text}})
		harmless(t, text, "a check", page)
		_, page = b.get("/definitions")
		harmless(t, text, "/definitions", page)
		b.post("/replay", url.Values{"csrf": {csrf}, "do": {"start"}, "calls": {"9"}})
		<-job.began
		for _, page = b.get("/replay"); strings.Contains(page, "A replay runs"); _, page = b.get("/replay") {
		}
		if !strings.Contains(page, "Would change") {
			t.Fatalf("%.2000s", page)
		}
		harmless(t, text, "/replay", page)
	}
}
