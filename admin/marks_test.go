package admin_test

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"askpg/admin"
	"askpg/ask"
	"askpg/ask/param"
	"askpg/store"
)

// marks reads marks without a database.
type marks struct{}

func (marks) Mark(_ context.Context, _ *store.Record, question, sql string) (*param.Template, error) {
	return param.Compile(question, sql)
}

func (marks) Try(ctx context.Context, _ *store.Record, t *param.Template, question string) (string, error) {
	values, match, err := t.Match(ctx, question, &param.Reader{})
	if err != nil || match != param.Matched {
		return "", errors.Join(err, errors.New("this is another question"))
	}
	return t.Fill(values)
}

// TestPages_Marks marks a parameter by hand and by suggestion, looks at how it
// reads, and approves it.
func TestPages_Marks(t *testing.T) {
	st := openStore(t)
	ctx := context.Background()
	id := add(t, st, entry("how many orders are paid"))
	base := serve(t, st, nil, func(c *admin.Config, s *admin.Server) {
		tokens(c, s)
		if s != nil {
			s.Marks = marks{}
			s.Check = func(_ context.Context, _, _ string, _ map[string]string, sql string) error {
				if strings.Contains(sql, "delete") || strings.Contains(sql, "{") {
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
	if !strings.Contains(page, ">\nhow many orders are paid</textarea>") {
		t.Fatal("the question is not in the form")
	}
	const sql = "select count(*) from orders where state = {state:'paid'}"
	for _, tt := range []struct {
		name, do, question, sql, try string
		status                       int
		holds                        []string
		lacks                        string
	}{
		{"preview", "preview", "how many orders are {state:paid|open|late=overdue}", sql, "how many orders are late", 200,
			[]string{`<mark class="parameter" title="state">paid</mark>`, `title="state">&#39;paid&#39;</mark>`, "one of paid, open, late (overdue)", "overdue", `value="how many orders are late"`}, "not answered"},
		{"another question is tried", "preview", "how many orders are {state:paid|open}", sql, "how many returns are open", 200, []string{"It is not answered by this example"}, ""},
		{"nothing is marked", "preview", "how many orders are paid", "select 1", "", 422, []string{"has no mark yet"}, ""},
		{"the SQL has no mark", "preview", "how many orders are {state:paid|any}", "select 1", "", 422, []string{"The marks are not accepted", "the SQL has none"}, ""},
		{"nothing says what may stand there", "preview", "how many orders are {state:paid}", sql, "", 422, []string{"Nothing says what may stand for state"}, ""},
		{"what is refused", "preview", "how many orders are {state:paid|any}", "delete from orders where state = {state:'paid'}", "", 422, []string{"only SELECT is run"}, ""},
		{"suggested", "suggest", "how many orders are paid", "select count(*) from orders where state = 'paid'", "", 422, []string{"{state:paid}", "{state:&#39;paid&#39;}", "Nothing says what may stand for state"}, ""},
		{"nothing to suggest", "suggest", "how many orders are paid", "select 1", "", 422, []string{"mark them by hand"}, ""},
		{"approved with other SQL", "approve", "how many orders are {state:paid|any}", "select 2 from orders where state = {state:'paid'}", "", 422, []string{"it was not approved", "{state:paid|any}"}, "Approved."},
		{"another question is approved", "approve", "how many orders are unpaid", "select 1", "", 422, []string{"can be marked, not changed"}, "Approved."},
		{"a mark in the SQL alone", "correct", "how many orders are paid", sql, "", 422, []string{"The SQL has a mark and the question has none"}, "Corrected."},
		{"hostile marks", "preview", "how many orders are {state:paid|<script>alert(1)</script>}", sql, "", 200, []string{"&lt;script&gt;"}, "<script>"},
		{"approved", "approve", "how many orders are {state:paid|open}", sql, "", 200, []string{"Approved.", "and those that differ in <b>state</b>", "{state:paid|open}"}, ""},
	} {
		status, body := b.post("/translations/"+id, url.Values{"do": {tt.do}, "csrf": {csrf}, "question": {tt.question}, "sql": {tt.sql}, "try": {tt.try}})
		if status != tt.status {
			t.Errorf("%s: %d, want %d\n%s", tt.name, status, tt.status, body)
		}
		for _, want := range tt.holds {
			if !strings.Contains(body, want) {
				t.Errorf("%s: the page lacks %q\n%s", tt.name, want, body)
			}
		}
		if tt.lacks != "" && strings.Contains(body, tt.lacks) {
			t.Errorf("%s: the page has %q", tt.name, tt.lacks)
		}
	}
	e, err := st.ExampleOf(ctx, "shop", "analyst", "how many orders are paid", "")
	if err != nil || e == nil || e.MarkedQuestion != "how many orders are {state:paid|open}" || e.Reviewer != "Rita" {
		t.Fatal(e, err)
	}
	if status, body := b.get("/examples"); status != http.StatusOK || !strings.Contains(body, `<mark class="parameter" title="state">paid</mark>`) || !strings.Contains(body, "one of paid, open") {
		t.Errorf("%d %s", status, body)
	}
	if status, body := b.get("/examples.jsonl"); status != http.StatusOK || !strings.Contains(body, `"parameters":{"state":"text"}`) {
		t.Errorf("%d %s", status, body)
	}
	// Who may only look gets no preview either.
	v := newBrowser(t, base)
	v.signIn(viewerToken)
	if status, _ := v.post("/translations/"+id, url.Values{"do": {"preview"}, "csrf": {csrf}}); status != http.StatusForbidden {
		t.Errorf("a viewer previews: %d", status)
	}
}
