package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"askpg/ask"
	"askpg/internal/shop"
	"askpg/store"
)

// TestShow_Psql shows what askpg knows as a person at psql types it.
func TestShow_Psql(t *testing.T) {
	r := start(t, func(c *Config) { c.Store.Budget.RoleCalls, c.Store.Budget.RoleQuestions = 500, 40 })
	out := r.psql(t, shop.Analyst, `SHOW askpg.last;
ASK how many customers do we have;
show AskPG.Last;
/* a tool's */ SHOW askpg.status;
SHOW askpg.models;
SHOW askpg.budget;
SHOW askpg.nonsense;
SET askpg.strategy = 'grammar';
SHOW askpg.strategy;
SHOW search_path;
`, "-q", "-F", "|")
	customers := fmt.Sprint(count(t, "SELECT count(*) FROM customers"))
	for _, want := range []string{
		customers + "\n", "|how many customers do we have|SELECT count(*) FROM customers|", "|grammar|",
		"askpg|ready|version ", "primary|ready|", "replica|ready|", "catalog|ready|", "models|ready|none", "log|ready|",
		"grammar|built in|ready|yes||", "role analyst|", "|1|40|0|500|0||0||39|500||\n", "all|",
		`ERROR:  unrecognized configuration parameter "askpg.nonsense"`, "HINT:  askpg shows askpg.budget, askpg.last, askpg.models, askpg.status",
		"\ngrammar\n", "public",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if lines := strings.Split(out, "\n"); lines[0] != customers {
		t.Errorf("before the first question SHOW askpg.last returned %q", lines[0])
	}
}

// TestShow_Transactions shows within transactions of either kind and checks
// that their state stays the server's.
func TestShow_Transactions(t *testing.T) {
	r := start(t, nil)
	conn := r.connect(t, shop.Analyst)
	ctx := testContext(t)
	pg := conn.PgConn()
	run := func(sql string) (string, error) {
		res, err := pg.Exec(ctx, sql).ReadAll()
		if len(res) == 0 {
			return "", err
		}
		return res[0].CommandTag.String(), err
	}
	for _, step := range []struct {
		sql, tag, code string
		status         byte
	}{
		{"SHOW askpg.budget", "SHOW", "", 'I'},
		{"BEGIN", "BEGIN", "", 'T'},
		{"SHOW askpg.last", "SHOW", "", 'T'},
		{"SHOW askpg.nothing", "", ask.CodeUndefinedObject, 'T'},
		{"SHOW askpg.models", "SHOW", "", 'T'},
		{"SELECT 1/0", "", "22012", 'E'},
		{"SHOW askpg.last", "", ask.CodeInFailedTransaction, 'E'},
		{"ROLLBACK", "ROLLBACK", "", 'I'},
		{"SHOW askpg.last; SELECT 1", "", "42704", 'I'},
	} {
		tag, err := run(step.sql)
		code := ""
		if pe, ok := errors.AsType[*pgconn.PgError](err); ok {
			code = pe.Code
		}
		if tag != step.tag || code != step.code || pg.TxStatus() != step.status {
			t.Errorf("%s: tag %q, code %q, status %c; want %q, %q, %c", step.sql, tag, code, pg.TxStatus(), step.tag, step.code, step.status)
		}
	}
}

// TestShow_Extended prepares a SHOW once and executes it again and again, with
// typed columns in the binary format.
func TestShow_Extended(t *testing.T) {
	r := start(t, nil)
	conn := r.connect(t, shop.Analyst)
	ctx := testContext(t)
	sd, err := conn.Prepare(ctx, "mine", "SHOW askpg.last")
	if err != nil {
		t.Fatal(err)
	}
	if i := slices.IndexFunc(sd.Fields, func(f pgconn.FieldDescription) bool { return f.Name == "confidence" }); i < 0 || sd.Fields[i].DataTypeOID != 701 {
		t.Errorf("the columns are %+v", sd.Fields)
	}
	last := func() map[string]any {
		t.Helper()
		rows, err := conn.Query(ctx, "mine")
		if err != nil {
			t.Fatal(err)
		}
		list, err := pgx.CollectRows(rows, pgx.RowToMap)
		if err != nil {
			t.Fatal(err)
		}
		if len(list) == 0 {
			return nil
		}
		return list[0]
	}
	if got := last(); got != nil {
		t.Errorf("before the first question: %v", got)
	}
	for _, q := range []string{"how many customers do we have", "how many orders do we have"} {
		if _, err := asked(ctx, conn, "-- ask: "+q); err != nil {
			t.Fatal(err)
		}
		if got := last(); got["question"] != q || got["candidates"].(int64) < 1 || got["confidence"].(float64) <= 0 || got["code"] != nil {
			t.Errorf("after %q: %v", q, got)
		}
	}
	if _, err := asked(ctx, conn, "-- ask: how many gizmotrons"); err == nil {
		t.Error("a question without an answer was answered")
	}
}

// TestRun_Logged takes another candidate of the last question and finds that
// choice in the log by itself: its SQL, at no cost, under an id that feedback
// goes to and that a reviewer can approve.
func TestRun_Logged(t *testing.T) {
	r := start(t, nil)
	ctx := context.Background()
	out := r.psql(t, shop.Analyst, `ASK how many customers do we have;
ASK(run 1);
ASK(good);
`, "-q")
	page, err := r.store.List(ctx, store.Filter{Source: string(ask.SourceChoice)})
	if err != nil || len(page.Records) != 1 {
		t.Fatalf("%d entries of a choice, %v; psql said\n%s", len(page.Records), err, out)
	}
	got, err := r.store.Get(ctx, page.Records[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	if got.Question != "how many customers do we have" || got.Action != string(ask.ActionRun) || got.SQL != "SELECT count(*) FROM customers" ||
		got.Calls != 0 || got.Feedback != 1 || len(got.Candidates) == 0 || got.Candidates[got.Chosen].Fate != string(ask.FateChosen) {
		t.Errorf("the choice is logged as %+v", got)
	}
	if all, err := r.store.List(ctx, store.Filter{}); err != nil || len(all.Records) != 2 {
		t.Errorf("%d entries of two answers, %v", len(all.Records), err)
	}
}
