package admin_test

import (
	"context"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"askpg/admin"
	"askpg/ask"
	"askpg/store"
)

// reviewing serves a log with one entry and returns its id, what a reviewer sends for it, and the text of the SQL box
// of a page.
func reviewing(t *testing.T, e store.Entry) (st *store.Store, id string, send func(form url.Values) (int, string)) {
	t.Helper()
	st = openStore(t)
	id = add(t, st, e)
	base := serve(t, st, nil, func(c *admin.Config, s *admin.Server) {
		tokens(c, s)
		if s != nil {
			s.Check = func(_ context.Context, _, _ string, _ map[string]string, sql string) error {
				if strings.Contains(sql, "delete") {
					return ask.Errorf(ask.CodeRefused, "only SELECT is run")
				}
				return nil
			}
		}
	})
	b := newBrowser(t, base)
	b.signIn(reviewerToken)
	_, page := b.get("/translations/" + id)
	csrf := csrfOf(t, page)
	return st, id, func(form url.Values) (int, string) {
		t.Helper()
		if form == nil {
			return b.get("/translations/" + id)
		}
		form.Set("csrf", csrf)
		return b.post("/translations/"+id, form)
	}
}

var sqlBox = regexp.MustCompile(`(?s)<textarea id="sql"[^>]*>\n(.*?)</textarea>`)

// boxOf returns what stands in the SQL box of a page, without its layout.
func boxOf(t *testing.T, page string) string {
	t.Helper()
	m := sqlBox.FindStringSubmatch(page)
	if m == nil {
		t.Fatalf("no SQL box:\n%s", page)
	}
	return strings.Join(strings.Fields(strings.ReplaceAll(m[1], "&#39;", "'")), " ")
}

// verifiedSQL returns the SQL of the verified example of a question, empty if there is none.
func verifiedSQL(t *testing.T, st *store.Store, question string) string {
	t.Helper()
	e, err := st.ExampleOf(context.Background(), "shop", "analyst", question, "")
	if err != nil {
		t.Fatal(err)
	}
	if e == nil {
		return ""
	}
	return e.SQL
}

// A verdict verifies what stands in the box, or nothing.
func TestPages_VerdictVerifiesTheBox(t *testing.T) {
	const question, answer, other = "how many orders are paid", "select count(*) from orders where state = 'paid'", "select count(*) from orders where paid"
	st, id, send := reviewing(t, entry(question))
	_, page := send(nil)
	if got := boxOf(t, page); got != answer || strings.Contains(page, `id="difference"`) {
		t.Fatalf("the box starts with %q", got)
	}

	// Approve after an edit verifies neither text, and shows how they differ.
	status, page := send(url.Values{"do": {"approve"}, "sql": {other}, "note": {"keep me"}})
	if status != http.StatusUnprocessableEntity || boxOf(t, page) != other || !strings.Contains(page, "keep me</textarea>") || !strings.Contains(page, `id="difference"`) || !strings.Contains(page, "<del>state = &#39;paid&#39;</del>") {
		t.Errorf("%d\n%s", status, page)
	}
	if got := verifiedSQL(t, st, question); got != "" {
		t.Errorf("%q was verified", got)
	}

	// What is refused says why beside the box.
	status, page = send(url.Values{"do": {"correct"}, "sql": {"delete from orders"}})
	if i, j := strings.Index(page, `id="refused"`), strings.Index(page, `<textarea id="sql"`); status != http.StatusUnprocessableEntity || i < strings.Index(page, "<form method=\"post\" action=\"/translations/") || j < i || j-i > 400 {
		t.Errorf("%d: the reason is at %d, the box at %d\n%s", status, i, j, page)
	}

	// After a correction the box holds the corrected SQL; pressing again changes nothing.
	for range 2 {
		status, page = send(url.Values{"do": {"correct"}, "sql": {boxOrFirst(t, page, other)}})
		if status != http.StatusOK || boxOf(t, page) != other || verifiedSQL(t, st, question) != other {
			t.Fatalf("%d, verified is %q\n%s", status, verifiedSQL(t, st, question), page)
		}
	}
	// Nor does Approve put the answer back while the box holds the correction.
	if status, _ = send(url.Values{"do": {"approve"}, "sql": {boxOf(t, page)}}); status != http.StatusUnprocessableEntity || verifiedSQL(t, st, question) != other {
		t.Errorf("%d, verified is %q", status, verifiedSQL(t, st, question))
	}
	// The answer's own SQL is approved, whatever its layout, and is no correction.
	laidOut := "SELECT count(*)\r\nfrom orders\r\n  where state = 'paid';\r\n"
	if status, page = send(url.Values{"do": {"correct"}, "sql": {laidOut}}); status != http.StatusUnprocessableEntity || !strings.Contains(page, "nothing to correct") {
		t.Errorf("%d\n%s", status, page)
	}
	if status, page = send(url.Values{"do": {"approve"}, "sql": {laidOut}}); status != http.StatusOK || verifiedSQL(t, st, question) != answer || boxOf(t, page) != answer {
		t.Errorf("%d, verified is %q", status, verifiedSQL(t, st, question))
	}
	r, err := st.Get(context.Background(), id)
	if err != nil || r.Review != store.Approved {
		t.Error(r.Review, err)
	}
}

// boxOrFirst returns what stands in the box if the page is one after a verdict, else the given SQL.
func boxOrFirst(t *testing.T, page, first string) string {
	t.Helper()
	if strings.Contains(page, "Corrected.") {
		return boxOf(t, page)
	}
	return first
}

// Enter in a field of the form presses its first button, which must not be reached from the note.
func TestPages_NoteIsNoSubmittingField(t *testing.T) {
	_, _, send := reviewing(t, entry("q"))
	_, page := send(nil)
	form := page[strings.Index(page, `id="verdict"`):]
	form = form[:strings.Index(form, "</form>")]
	if !strings.Contains(form, `<textarea id="note" name="note"`) || regexp.MustCompile(`<input (?:[^>]* )?(?:type="text"|id=)`).MatchString(form) {
		t.Errorf("the form has a field of one line:\n%s", form)
	}
}

// The box of a question without an answer starts with the reading that has the most votes, and takes any other.
func TestPages_UseReading(t *testing.T) {
	const question = "how many orders are paid"
	e := entry(question)
	c := e.Translation.Candidates
	e.Translation.Candidates = []ask.Candidate{c[2], c[1], c[0]} // the refused one, one vote, two votes
	e.Translation.SQL, e.Translation.Chosen = "", 0
	e.Err = ask.Errorf(ask.CodeLowConfidence, "two readings")
	st, _, send := reviewing(t, e)
	_, page := send(nil)
	if got := boxOf(t, page); got != c[0].SQL || !strings.Contains(page, "The box holds reading A") || !strings.Contains(page, `value="approve" accesskey="a" disabled`) {
		t.Fatalf("the box starts with %q\n%s", got, page)
	}
	readings := regexp.MustCompile(`form="verdict" name="do" value="(use \d+)"`).FindAllStringSubmatch(page, -1)
	if len(readings) != 2 {
		t.Fatalf("%d readings can be used, want 2", len(readings))
	}
	status, page := send(url.Values{"do": {readings[1][1]}, "sql": {"typed"}, "note": {"keep me"}})
	if status != http.StatusOK || boxOf(t, page) != c[1].SQL || !strings.Contains(page, "keep me</textarea>") || !strings.Contains(page, "The box holds reading B") {
		t.Fatalf("%d\n%s", status, page)
	}
	if got := verifiedSQL(t, st, question); got != "" {
		t.Fatalf("%q was verified by looking at a reading", got)
	}
	if status, _ = send(url.Values{"do": {"correct"}, "sql": {boxOf(t, page)}}); status != http.StatusOK || verifiedSQL(t, st, question) != c[1].SQL {
		t.Errorf("%d, verified is %q", status, verifiedSQL(t, st, question))
	}
	for _, do := range []string{"use 9", "use -1", "use x", "use "} {
		if status, _ = send(url.Values{"do": {do}}); status != http.StatusBadRequest {
			t.Errorf("%q: %d", do, status)
		}
	}
}
