package admin_test

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"askpg/admin"
)

// Propose proposes a measure for each word of the SQL.
func (f *semantics) Propose(_ context.Context, database, role, sql string, statistics bool) ([]string, []admin.Proposal, error) {
	if strings.Contains(sql, "BROKEN") {
		return nil, nil, errors.New("the page is no file of SQL")
	}
	var list []admin.Proposal
	for name := range strings.FieldsSeq(sql) {
		add := func(how string) func(text, by string) string {
			return func(text, by string) string { return text + "# " + how + " by " + by + ": " + name + "\n" }
		}
		list = append(list, admin.Proposal{ID: "id-" + name, Name: "measure " + name, Entry: "[[measure]]\nname = \"" + name + "\"\n",
			Evidence: []string{"in 2 of 3 statements", "  against it: select <b>1</b>"}, Accepted: add("accepted"), Refused: add("refused")})
	}
	return []string{"read: " + database + " as " + role}, list, nil
}

// TestProposals: what SQL in use suggests is shown with its evidence. It goes into the semantics file, or a note that it is not wanted
// does, with who decided; each is decided once.
func TestProposals(t *testing.T) {
	f := &semantics{text: "# ours\n"}
	st := openStore(t)
	add(t, st, entry("how many orders"))
	b := teacher(t, f, st)
	_, page := b.get("/proposals")
	csrf := csrfOf(t, page)
	send := func(form ...string) (int, string) {
		t.Helper()
		values := url.Values{"csrf": {csrf}}
		for i := 0; i < len(form); i += 2 {
			values.Set(form[i], form[i+1])
		}
		return b.post("/proposals", values)
	}
	for want, form := range map[string][]string{
		"no such database":       {"do", "propose", "database", "nowhere", "role", "analyst", "sql", "a"},
		"no file of SQL":         {"do", "propose", "database", "shop", "role", "analyst", "sql", "BROKEN kept"},
		"accepted or refused":    {"do", "eat", "id", "id-revenue"},
		"is not there any more:": {"do", "accept", "id", "id-revenue"},
	} {
		if status, page := send(form...); status != http.StatusUnprocessableEntity || !strings.Contains(page, want) {
			t.Errorf("%v: %d, want %q", form, status, want)
		}
	}
	_, page = send("do", "propose", "database", "shop", "role", "analyst", "sql", "revenue churn misfit")
	for _, want := range []string{"3 to decide", "read: shop as analyst", "measure revenue", "name = &#34;churn&#34;", "against it: select &lt;b&gt;1&lt;/b&gt;", `value="id-churn"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q\n%s", want, page)
		}
	}
	if f.text != "# ours\n" {
		t.Errorf("what is only proposed is in the file:\n%s", f.text)
	}
	if _, page = send("do", "accept", "id", "id-revenue"); !strings.Contains(page, "Accepted.") || !strings.Contains(page, "2 to decide") {
		t.Errorf("after it was accepted:\n%s", page)
	}
	if _, page = send("do", "refuse", "id", "id-churn"); !strings.Contains(page, "Refused.") || !strings.Contains(page, "1 to decide") {
		t.Errorf("after it was refused:\n%s", page)
	}
	if status, _ := send("do", "accept", "id", "id-churn"); status != http.StatusUnprocessableEntity {
		t.Errorf("decided twice: %d", status)
	}
	if status, page := send("do", "accept", "id", "id-misfit"); status != http.StatusUnprocessableEntity || !strings.Contains(page, "does not fit") || !strings.Contains(page, "1 to decide") {
		t.Errorf("what does not fit: %d\n%s", status, page)
	}
	if want := "# ours\n# accepted by Rita: revenue\n# refused by Rita: churn\n"; f.text != want {
		t.Errorf("the file is\n%s\nwant\n%s", f.text, want)
	}
	edits, err := st.SemanticsEdits(context.Background(), 10)
	if err != nil || len(edits) != 2 || edits[0].By != "Rita" || edits[0].How != "token" || !strings.HasSuffix(edits[0].New, "churn\n") {
		t.Errorf("the history is %+v, %v", edits, err)
	}
	f.fixed = "It is kept in Git."
	if status, page := send("do", "refuse", "id", "id-misfit"); status != http.StatusUnprocessableEntity || strings.Contains(page, `value="accept"`) || !strings.Contains(page, "kept in Git") {
		t.Errorf("a file that cannot be changed: %d", status)
	}
}
