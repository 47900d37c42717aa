package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"askpg/internal/pgtest"
	"askpg/internal/shop"
)

const reviewerToken = "reviewer-of-the-tests"

// reviewPage is the review page of a running askpg, as the walks of admin/browser
// see it: their specification.
type reviewPage struct {
	Base     string         `json:"base"`
	Token    string         `json:"token"`
	Chromium string         `json:"chromium"`
	Pictures string         `json:"pictures,omitempty"`
	Only     []string       `json:"only,omitempty"` // names of pictures
	Pages    []reviewedPage `json:"pages,omitempty"`

	Question string `json:"question,omitempty"` // of the walk by keyboard
	Bad      string `json:"bad,omitempty"`      // SQL that is not accepted
	Good     string `json:"good,omitempty"`
	Approved string `json:"approved,omitempty"` // question to approve
	Marked   string `json:"marked,omitempty"`   // question to approve with a parameter
	Words    string `json:"words,omitempty"`    // of it that vary
	Others   string `json:"others,omitempty"`   // that may stand there

	// Of the walk through the sign-in at a provider.
	Provider string `json:"provider,omitempty"` // its host
	Viewer   bool   `json:"viewer,omitempty"`   // who signs in may only look

	// Of the walk through verdicts: ids by the size of the window, and SQL.
	Answered map[string]string `json:"answered,omitempty"`
	Unsure   map[string]string `json:"unsure,omitempty"`
	Other    string            `json:"other,omitempty"`
	Readings []string          `json:"readings,omitempty"` // the one with most votes first
	Rows     string            `json:"rows,omitempty"`     // the one value of Other's result

	// Of the walk that teaches: failures by the size of the window, and a word of each that is not understood.
	Failed map[string]string `json:"failed,omitempty"`
	Taught map[string]string `json:"taught,omitempty"`
	// Of the walk through the queue: questions by the size of the window, the last one without an answer.
	Queue map[string][]string `json:"queue,omitempty"`
}

// reviewedPage is a page to be looked at.
type reviewedPage struct {
	Name string `json:"name"`
	Path string `json:"path"`
	Open bool   `json:"open"` // with everything folded out
	// Press is a button to press on it.
	Press string `json:"press,omitempty"`
	// Screen keeps a picture of what fits on the screen, not of the whole page.
	Screen bool `json:"screen"`
}

// browsers returns Chromium and says where the walks' modules are; without
// them the test is skipped, unless CI is set.
func browsers(t *testing.T) (chromium string) {
	t.Helper()
	missing := func(what string) {
		if os.Getenv("CI") != "" {
			t.Fatalf("%s is missing", what)
		}
		t.Skipf("%s is not on this machine", what)
	}
	chromium = os.Getenv("ASKPG_CHROMIUM")
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil && chromium == "" {
			chromium = p
		}
	}
	if chromium == "" {
		missing("chromium")
	}
	for _, module := range []string{"playwright-core", "axe-core"} {
		probe := exec.Command("node", "-e", "require('"+module+"')")
		probe.Dir = walksDir
		probe.Env = append(os.Environ(), "NODE_PATH="+nodePath())
		if err := probe.Run(); err != nil {
			missing("the npm package " + module + " (npm install --prefix admin/browser)")
		}
	}
	return chromium
}

const walksDir = "../../admin/browser"

// walk runs a walk of admin/browser, which fails where the page is not as it
// has to be.
func (p reviewPage) walk(t *testing.T, name string) {
	t.Helper()
	spec, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", "walk.js", name)
	cmd.Dir = walksDir
	cmd.Env = append(os.Environ(), "NODE_PATH="+nodePath())
	cmd.Stdin = bytes.NewReader(spec)
	cmd.WaitDelay = 10 * time.Second
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("the walk %s: %v\n%s", name, err, out)
	}
}

// reviewed starts askpg in a process of its own with a reviewer's token, and
// returns it with its review page. The settings are added to its file.
func reviewed(t *testing.T, settings string, seed func(Config)) (*process, reviewPage) {
	t.Helper()
	chromium := browsers(t)
	path, address, admin := writeConfig(t, settings)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.Replace(text, []byte("[admin]\n"), []byte("[admin]\nshow_rows = 20\nreviewer_token = \""+reviewerToken+"\"\n"), 1)
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	cfg, err := loadConfig(path)
	if err != nil {
		t.Fatal(err)
	}
	if seed != nil {
		seed(cfg)
	}
	p := serveProcess(t, path, address, admin)
	page := reviewPage{Base: "http://" + admin, Token: reviewerToken, Chromium: chromium, Pictures: os.Getenv("ASKPG_PICTURES")}
	if only := os.Getenv("ASKPG_PICTURES_OF"); only != "" {
		page.Only = strings.Split(only, ",")
	}
	return p, page
}

// TestBrowser_Looks opens every page in light and dark, wide and narrow. With
// ASKPG_PICTURES set to a folder it keeps pictures of them there: all, or those
// that ASKPG_PICTURES_OF names.
func TestBrowser_Looks(t *testing.T) {
	var shown, markable string
	_, page := reviewed(t, "", func(c Config) { shown, markable = seedLog(t, c.Store) })
	page.Pages = []reviewedPage{
		{Name: "overview", Path: "/"},
		{Name: "overview-open", Path: "/?days=90", Open: true},
		{Name: "review", Path: "/review", Screen: true},
		{Name: "translations", Path: "/translations", Screen: true},
		{Name: "filtered", Path: "/translations?q=revenue&outcome=answered&max=99", Open: true},
		{Name: "nothing", Path: "/translations?q=gizmotron"},
		{Name: "translation", Path: "/translations/" + shown},
		{Name: "translation-open", Path: "/translations/" + shown, Open: true},
		{Name: "marks", Path: "/translations/" + markable, Press: "Suggest marks"},
		{Name: "prompts", Path: "/translations/" + shown + "/prompts"},
		{Name: "telephone", Path: "/translations/" + shown, Screen: true},
		{Name: "examples", Path: "/examples"},
		{Name: "problem", Path: "/translations/00000000-0000-7000-8000-000000000000"},
	}
	page.walk(t, "looks")
}

// psqlAt runs the real psql against an askpg in a process of its own.
func (p *process) psql(t *testing.T, role, input string) string {
	t.Helper()
	host, port, err := net.SplitHostPort(p.address)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(testContext(t), "psql", "-X", "-A", "-t", "-q", "-h", host, "-p", port, "-U", role, "-d", "shop")
	cmd.Env = append(os.Environ(), "PGSSLMODE=disable", "PGGSSENCMODE=disable")
	cmd.Stdin = strings.NewReader(input)
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("psql: %v\n%s", err, out)
	}
	return strings.TrimSpace(string(out))
}

// TestBrowser_Review asks through psql and pgx, corrects one answer and
// approves another on the page by keyboard alone, and asks again: the answers
// come from the examples, at no call to a model.
func TestBrowser_Review(t *testing.T) {
	const loyal, busy, north = "who are our most loyal customers?", "which of our stores is the prettiest", "how many patrons dwell up in North"
	model := newModelServer(t)
	model.answer(func(prompt string) reply {
		if strings.Contains(prompt, north) {
			return reply{text: "```sql\nSELECT count(*) FROM customers WHERE region = 'North'\n```"}
		}
		if strings.Contains(prompt, "prettiest") {
			return reply{text: "```sql\nSELECT name FROM stores ORDER BY opened_on, id LIMIT 1\n```"}
		}
		return reply{text: "```sql\nSELECT 'nobody' AS name\n```"}
	})
	p, page := reviewed(t, fmt.Sprintf("[[model]]\nname = \"test\"\nbase_url = %q\nmodel = \"test-1\"\n", model.URL+"/v1"), nil)
	if got := p.psql(t, shop.Analyst, "/* ask: "+loyal+" */;\n"); !strings.HasSuffix(got, "nobody") {
		t.Fatalf("the model's answer is not shown:\n%s", got)
	}
	conn := connect(t, p.url(shop.Analyst))
	before, err := asked(testContext(t), conn, "-- ask: "+busy)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []string{"how many customers do we have", "how many gizmotrons", north} {
		_, _ = asked(testContext(t), conn, "-- ask: "+q)
	}
	if model.calls() == 0 {
		t.Fatal("the model was not asked, so this test shows nothing")
	}

	// What a model would be shown for a question can be looked at, and looking
	// asks none.
	calls := model.calls()
	if prompts := fetchPrompts(t, page, loyal); !strings.Contains(prompts, "To <bdi>test</bdi>") || !strings.Contains(prompts, loyal) || !strings.Contains(prompts, "customers") || model.calls() != calls {
		t.Errorf("the prompts, after %d calls of %d:\n%.2000s", model.calls(), calls, prompts)
	}

	page.Question, page.Approved = loyal, busy
	page.Marked, page.Words, page.Others = north, "North", "South"
	page.Bad, page.Good = "DELETE FROM customers", "SELECT name FROM customers ORDER BY signed_up_on, id LIMIT 1"
	page.walk(t, "keyboard")

	calls = model.calls()
	var first string
	direct := connect(t, pgtest.Shared(t).Primary.URL(pgtest.Superuser, "shop"))
	if err := direct.QueryRow(testContext(t), page.Good).Scan(&first); err != nil {
		t.Fatal(err)
	}
	for question, want := range map[string]string{"Who are our most loyal customers": first, busy: before,
		"How many patrons dwell up in south?": fmt.Sprint(count(t, "SELECT count(*) FROM customers WHERE region = 'South'"))} {
		got := p.psql(t, shop.Analyst, "/* ask: "+question+" */;\n")
		if !strings.HasSuffix(got, want) || !strings.Contains(got, "Rita") {
			t.Errorf("%q through psql:\n%s\nwant %q from the example, and a NOTICE that names the reviewer", question, got, want)
		}
	}
	if got := model.calls(); got != calls {
		t.Errorf("the model was asked %d times for questions with a verified example", got-calls)
	}
}

// fetchPage returns a page of the review page.
func fetchPage(t *testing.T, page reviewPage, path string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(testContext(t), http.MethodGet, page.Base+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+page.Token)
	response, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d, %v\n%.500s", path, response.StatusCode, err, body)
	}
	return string(body)
}

// idOf returns the id of the first translation of a list.
func idOf(t *testing.T, list string) string {
	t.Helper()
	id := regexp.MustCompile(`/translations/([0-9a-f-]{36})`).FindStringSubmatch(list)
	if id == nil {
		t.Fatalf("no translation is in the list:\n%.3000s", list)
	}
	return id[1]
}

// fetchPrompts returns the page of the prompts of the only question that holds
// these words.
func fetchPrompts(t *testing.T, page reviewPage, words string) string {
	t.Helper()
	return fetchPage(t, page, "/translations/"+idOf(t, fetchPage(t, page, "/translations?q="+url.QueryEscape(words)))+"/prompts")
}

// TestBrowser_Hostile fills the log with text that wants to be more than text,
// by asking and by writing it where clients cannot, and opens every page.
func TestBrowser_Hostile(t *testing.T) {
	var pages []reviewedPage
	p, page := reviewed(t, "", func(c Config) { pages = seedHostile(t, c.Store) })
	conn := connect(t, p.url(shop.Analyst)+"&application_name="+url.QueryEscape(hostileTexts[0]))
	for _, text := range hostileTexts {
		if strings.ContainsAny(text, "\n\x00") || !utf8.ValidString(text) {
			continue
		}
		_, _ = asked(testContext(t), conn, "/* userID: 7 "+strings.ReplaceAll(text, "*/", "")+" */ -- ask: how many customers "+text)
	}
	page.Pages = append(pages, reviewedPage{Name: "overview", Path: "/"}, reviewedPage{Name: "review", Path: "/review"}, reviewedPage{Name: "translations", Path: "/translations"}, reviewedPage{Name: "examples", Path: "/examples"})
	page.walk(t, "hostile")
}
