package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"askpg/ask"
	"askpg/internal/shop"
	"askpg/store"
)

// noticed is noticedAs for the analyst.
func noticed(t *testing.T, r *running) (*pgx.Conn, func() []string) {
	t.Helper()
	return noticedAs(t, r, shop.Analyst)
}

// noticedAs returns a connection of a role, and a function that returns the NOTICEs since its last call.
func noticedAs(t *testing.T, r *running, role string) (*pgx.Conn, func() []string) {
	t.Helper()
	config, err := pgx.ParseConfig(r.URL(role))
	if err != nil {
		t.Fatal(err)
	}
	var notices []string
	config.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) { notices = append(notices, n.Message+n.Detail+n.Hint) }
	conn, err := pgx.ConnectConfig(testContext(t), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(testContext(t)) })
	return conn, func() []string {
		list := notices
		notices = nil
		return list
	}
}

// TestNotices_Once says the SQL, the reading in words and the confidence once, and
// that there are other readings if their rows are others. ASK(candidates) alone lists them.
func TestNotices_Once(t *testing.T) {
	conn, notices := noticed(t, start(t, nil))
	ctx := testContext(t)
	form := regexp.MustCompile(`^SELECT [^\n]*\n-- [^\n]+; confidence \d+ %(?:; ASK\(candidates\); lists (\d+) readings)?$`)
	groups := regexp.MustCompile(`^Candidates, in (\d+) groups by their results:$`)
	several := 0
	for _, q := range []string{"how many customers do we have", "top 5 customers by number of orders", "What's the average order total by region?", "how many orders were placed last month"} {
		if _, err := asked(ctx, conn, "-- ask: "+q); err != nil {
			t.Fatal(q, err)
		}
		list := notices()
		if len(list) != 1 || !form.MatchString(list[0]) {
			t.Errorf("%s: %q", q, list)
			continue
		}
		told := form.FindStringSubmatch(list[0])[1]
		results, err := conn.PgConn().Exec(ctx, "/* ask(candidates) */; /* ask(explain) */").ReadAll()
		if err != nil || len(results) != 2 {
			t.Fatal(q, results, err)
		}
		listed, want := results[0].Rows, ""
		for _, line := range results[1].Rows {
			if m := groups.FindSubmatch(line[0]); m != nil {
				want = string(m[1])
			}
		}
		if told != want || !strings.HasPrefix(list[0], string(listed[0][4])) {
			t.Errorf("%s: the notice is %q, there are %q groups of results, and the first candidate is %q", q, list[0], want, listed[0][4])
		}
		if told != "" {
			several++
		}
		if list := notices(); len(list) != 0 {
			t.Errorf("%s: showing it again says %q", q, list)
		}
	}
	if several == 0 {
		t.Error("no question has several readings, so this test shows little")
	}
	if _, err := asked(ctx, conn, "-- ask: which tables are there"); err != nil {
		t.Fatal(err)
	}
	if list := notices(); len(list) != 1 || strings.Contains(list[0], "VALUES") || !strings.Contains(list[0], "tables") {
		t.Errorf("a question about the catalog says %q", list)
	}
}

// TestLast_Alone shows the session's last question anew, also one that was not answered.
func TestLast_Alone(t *testing.T) {
	conn := start(t, nil).connect(t, shop.Analyst)
	ctx := testContext(t)
	if _, err := asked(ctx, conn, "ASK(candidates);"); err == nil || err.Code != ask.CodeObjectNotReady || err.Hint == "" {
		t.Errorf("before the first question: %v", err)
	}
	if _, err := asked(ctx, conn, "-- ask: how many customers do we have"); err != nil {
		t.Fatal(err)
	}
	for _, sql := range []string{"ASK(sql)", "/* ask(sql) */", "SELECT sql FROM ask('', 'candidates') AS r WHERE rank = 1"} {
		if got, err := asked(ctx, conn, sql); err != nil || got != "SELECT count(*) FROM customers" {
			t.Errorf("%s: %q, %v", sql, got, err)
		}
	}
	if _, err := asked(ctx, conn, "ASK(candidates, fresh)"); err == nil || err.Code != ask.CodeSyntax {
		t.Errorf("a setting for no question: %v", err)
	}
	_, failed := asked(ctx, conn, "-- ask: how many gizmotrons")
	if failed == nil || failed.Detail != "" || !strings.Contains(failed.Hint, "SHOW askpg.last") || strings.Count(failed.Message, "gizmotrons") != 1 {
		t.Errorf("the error is %+v", failed)
	}
	if _, err := asked(ctx, conn, "ASK(candidates);"); err == nil || err.Message != failed.Message {
		t.Errorf("after a question without candidates: %v", err)
	}
	var question, code string
	if err := conn.QueryRow(ctx, "SHOW askpg.last").Scan(nil, &question, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, &code, nil); err != nil || question != "how many gizmotrons" || code != ask.CodeNoCandidate {
		t.Errorf("SHOW askpg.last has %q, %q, %v", question, code, err)
	}
}

// TestNotices_FailedModel tells a person that no model answered and the grammar
// did; the log says so of the same answer, under the id that SHOW askpg.last
// names.
func TestNotices_FailedModel(t *testing.T) {
	model := newModelServer(t)
	model.answer(func(string) reply { return reply{status: 500} })
	r := start(t, func(c *Config) {
		model.configure(c)
		c.Models[0].Retries = 0
	})
	conn, notices := noticed(t, r)
	if got, err := asked(testContext(t), conn, "-- ask: how many customers do we have"); err != nil || got != fmt.Sprint(count(t, "SELECT count(*) FROM customers")) {
		t.Fatal(got, err)
	}
	if model.calls() == 0 {
		t.Fatal("no model was asked, so this test shows nothing")
	}
	if got := strings.Join(notices(), "\n"); !strings.Contains(got, "no model answered in time; the built-in engine did") {
		t.Errorf("the notices are %q", got)
	}
	page, err := r.store.List(testContext(t), store.Filter{Limit: 1})
	if err != nil || len(page.Records) != 1 {
		t.Fatal(page, err)
	}
	rec, err := r.store.Get(testContext(t), page.Records[0].ID)
	if err != nil || !slices.ContainsFunc(rec.Notices, func(n string) bool { return strings.Contains(n, "no model answered") }) {
		t.Errorf("%+v, %v", rec, err)
	}
	if id, err := asked(testContext(t), conn, "SHOW askpg.last"); err != nil || id != rec.ID {
		t.Errorf("SHOW askpg.last names %q, %v; the log has %s", id, err, rec.ID)
	}
}
