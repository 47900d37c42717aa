package admin_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"askpg/admin"
	"askpg/ask"
	"askpg/store"
)

// rowsServer serves a log with one entry to a reviewer and a viewer. Every statement has the result that results names for it.
type rowsServer struct {
	base, id string
	st       *store.Store
	results  map[string]*ask.Result
	ran      []string
	logged   []int // remarks in the log when a statement ran
}

func newRowsServer(t *testing.T, show int) *rowsServer {
	t.Helper()
	f := &rowsServer{st: openStore(t), results: map[string]*ask.Result{}}
	e := entry("how many orders")
	e.Question.Session.RoleOID = 4711
	f.id = add(t, f.st, e)
	f.base = serve(t, f.st, nil, func(c *admin.Config, s *admin.Server) {
		tokens(c, s)
		c.ShowRows = show
		if s == nil {
			return
		}
		s.Rows = func(ctx context.Context, r *store.Record, statements ...string) (list []*ask.Result, _ ask.Replica, _ error) {
			if r.ID != f.id || r.RoleOID != 4711 || r.Role != "analyst" || r.Login != "ann" {
				t.Errorf("run as %+v", r)
			}
			remarks, err := f.st.Remarks(ctx, r.ID)
			if err != nil {
				t.Error(err)
			}
			f.logged = append(f.logged, len(remarks))
			for _, sql := range statements {
				f.ran = append(f.ran, sql)
				res := f.results[sql]
				if res == nil {
					return list, ask.Replica{}, ask.Errorf(ask.CodeRefused, "only SELECT is run")
				}
				list = append(list, res)
			}
			return list, ask.Replica{Name: "r1:5433"}, nil
		}
	})
	return f
}

func result(names string, rows ...string) *ask.Result {
	res := &ask.Result{Complete: true}
	for n := range strings.SplitSeq(names, ",") {
		res.Columns = append(res.Columns, ask.Column{Name: n})
	}
	for _, row := range rows {
		var values [][]byte
		for v := range strings.SplitSeq(row, ",") {
			if v == "NULL" {
				values = append(values, nil)
			} else {
				values = append(values, []byte(v))
			}
		}
		res.Rows = append(res.Rows, values)
	}
	return res
}

func TestRows_ForReviewersAlone(t *testing.T) {
	f := newRowsServer(t, 10)
	f.results["select 1"] = result("n", "1")
	post := func(form url.Values, header ...string) (int, string) {
		t.Helper()
		req, err := http.NewRequest(http.MethodPost, f.base+"/translations/"+f.id, strings.NewReader(form.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		for i := 0; i < len(header); i += 2 {
			req.Header.Set(header[i], header[i+1])
		}
		return newBrowser(t, f.base).do(req)
	}
	form := url.Values{"do": {"run"}, "sql": {"select 1"}}
	for name, tt := range map[string]struct {
		header []string
		want   int
	}{
		"nobody":       {nil, http.StatusUnauthorized},
		"wrong token":  {[]string{"Authorization", "Bearer of-something-else"}, http.StatusUnauthorized},
		"a viewer":     {[]string{"Authorization", "Bearer " + viewerToken}, http.StatusForbidden},
		"another site": {[]string{"Authorization", "Bearer " + reviewerToken, "Sec-Fetch-Site", "cross-site"}, http.StatusForbidden},
		"another page": {[]string{"Authorization", "Bearer " + reviewerToken, "Origin", "https://evil.example"}, http.StatusForbidden},
	} {
		if code, text := post(form, tt.header...); code != tt.want || len(f.ran) > 0 {
			t.Errorf("%s: %d, ran %q\n%s", name, code, f.ran, text)
		}
	}
	b := newBrowser(t, f.base)
	b.signIn(reviewerToken)
	_, page := b.get("/translations/" + f.id)
	for name, csrf := range map[string]string{"no token of the form": "", "another session's": csrfOf(t, func() string {
		other := newBrowser(t, f.base)
		other.signIn(reviewerToken)
		_, page := other.get("/translations/" + f.id)
		return page
	}())} {
		if code, _ := b.post("/translations/"+f.id, url.Values{"do": {"run"}, "sql": {"select 1"}, "csrf": {csrf}}); code != http.StatusForbidden || len(f.ran) > 0 {
			t.Errorf("%s: %d, ran %q", name, code, f.ran)
		}
	}
	form.Set("csrf", csrfOf(t, page))
	if code, text := b.post("/translations/"+f.id, form); code != http.StatusOK || len(f.ran) != 1 || !strings.Contains(text, "<td><bdi>1</bdi></td>") {
		t.Errorf("a reviewer: %d, ran %q\n%s", code, f.ran, text)
	}
	// A viewer has no button, nor has a reviewer where the setting shows none.
	v := newBrowser(t, f.base)
	v.signIn(viewerToken)
	if _, page := v.get("/translations/" + f.id); strings.Contains(page, "See the rows") {
		t.Error("a viewer is shown the button")
	}
	off := newRowsServer(t, 0)
	b = newBrowser(t, off.base)
	b.signIn(reviewerToken)
	_, page = b.get("/translations/" + off.id)
	if strings.Contains(page, "See the rows") {
		t.Error("the button is there with show_rows = 0")
	}
	form.Set("csrf", csrfOf(t, page))
	if code, text := b.post("/translations/"+off.id, form); code != http.StatusForbidden || len(off.ran) > 0 || !strings.Contains(text, "admin.show_rows") {
		t.Errorf("show_rows = 0: %d %s", code, text)
	}
}

func TestRows_Shown(t *testing.T) {
	f := newRowsServer(t, 3)
	b := newBrowser(t, f.base)
	b.signIn(reviewerToken)
	_, page := b.get("/translations/" + f.id)
	csrf := csrfOf(t, page)
	send := func(do, sql string) (int, string) {
		return b.post("/translations/"+f.id, url.Values{"csrf": {csrf}, "do": {do}, "sql": {sql}, "note": {"typed"}})
	}
	paid, all := "select count(*) from orders where state = 'paid'", "select count(*) from orders"
	const hostile = "<script>alert(1)</script>\u202e"
	f.results["select 1"] = result("n,"+hostile, "1,NULL", hostile+",", "3,c", "4,d")
	f.results[paid] = result("a,b", "1,x", "2,NULL", "2,NULL", "3,z")
	f.results[all] = result("a,b", "4,w", "2,NULL", "1,x", "2,")

	code, text := send("run", "select 1;")
	if code != http.StatusOK || strings.Contains(text, "<script") || !strings.Contains(text, "⟨U&#43;202E⟩") || !strings.Contains(text, "<small>NULL</small>") || !strings.Contains(text, "<td><bdi></bdi></td>") {
		t.Errorf("%d\n%s", code, text)
	}
	for _, want := range []string{"3 of 4 rows.", "r1:5433", "typed", "rows seen</b> by <bdi>Rita"} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "<bdi>d</bdi>") {
		t.Error("more rows than show_rows are shown")
	}
	_, text = send("compare 1", "")
	for _, want := range []string{"Rows in both: 2.", "Only in A", "Only in B", "<bdi>z</bdi>", "<bdi>w</bdi>"} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "<bdi>x</bdi>") {
		t.Error("a row of both is shown as a difference")
	}
	if _, text = send("run 1", ""); !strings.Contains(text, "<bdi>w</bdi>") {
		t.Errorf("the rows of a candidate:\n%s", text)
	}
	f.results[all] = result("a", "1")
	if _, text = send("compare 1", ""); !strings.Contains(text, "A has 2 columns and B has 1") {
		t.Errorf("other columns:\n%s", text)
	}
	f.results[all] = result("c,d", "3,z", "2,NULL", "1,x", "2,NULL")
	if _, text = send("compare 1", ""); !strings.Contains(text, "Nothing differs but the order") {
		t.Errorf("the same rows:\n%s", text)
	}
	f.results[all].Complete = false
	if _, text = send("compare 1", ""); !strings.Contains(text, "Only the first 4 and 4 rows were compared") {
		t.Errorf("results that were cut off:\n%s", text)
	}
	f.results["select 2"] = result("wide", strings.Repeat("w", 300<<10), strings.Repeat("v", 10))
	if _, text = send("run", "select 2"); strings.Contains(text, strings.Repeat("w", 400)) {
		t.Error("a long value is shown whole")
	}

	for do, sql := range map[string]string{"run": " ", "run 9": "x", "run x": "x", "compare 0": "x", "compare": "", "compare 2": "x"} {
		before := len(f.ran)
		if code, text := send(do, sql); code < 400 || len(f.ran) != before {
			t.Errorf("%s: %d, ran %q\n%s", do, code, f.ran[before:], text)
		}
	}
	code, text = send("run", "delete from orders")
	if code != http.StatusUnprocessableEntity || !strings.Contains(text, "The rows are not shown: only SELECT is run (SQLSTATE ASK05)") || !strings.Contains(text, "delete from orders</textarea>") {
		t.Errorf("%d\n%s", code, text)
	}
	// That somebody has seen rows is in the log before they are read; the rows are nowhere.
	for i, n := range f.logged {
		if n <= i {
			t.Errorf("statement %d ran with %d remarks in the log", i, n)
		}
	}
	remarks, err := f.st.Remarks(context.Background(), f.id)
	if err != nil || len(remarks) != len(f.ran) || remarks[0].Kind != "see rows" || remarks[0].By != "Rita" || remarks[0].SQL != "select 1" {
		t.Errorf("%d remarks of %d: %+v, %v", len(remarks), len(f.ran), remarks[0], err)
	}
	if err := f.st.Close(); err != nil {
		t.Fatal(err)
	}
	if code, _ := send("run", "select 1"); code < 400 || f.ran[len(f.ran)-1] != "delete from orders" {
		t.Errorf("without a log: %d, ran %q", code, f.ran[len(f.ran)-1])
	}
}

// TestConfig_ShowRows: rows are shown to who has signed in.
func TestConfig_ShowRows(t *testing.T) {
	for show, token := range map[int]string{10: "", -1: reviewerToken, 100_000: reviewerToken} {
		c := admin.DefaultConfig()
		c.ShowRows, c.ReviewerToken = show, token
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("admin.show_rows is %d", show)) {
			t.Errorf("%d: %v", show, err)
		}
	}
	c := admin.DefaultConfig()
	if c.ReviewerTokenFile = filepath.Join(t.TempDir(), "token"); os.WriteFile(c.ReviewerTokenFile, []byte(reviewerToken), 0o600) != nil {
		t.Fatal()
	}
	if c.ShowRows = 50; c.Validate() != nil {
		t.Error(c.Validate())
	}
}
