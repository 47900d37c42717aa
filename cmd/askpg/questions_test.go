package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/internal/shop"
	"askpg/store"
)

// asked returns the first column of the answer's first row, or the error.
func asked(ctx context.Context, conn *pgx.Conn, sql string) (string, *pgconn.PgError) {
	results, err := conn.PgConn().Exec(ctx, sql).ReadAll()
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		return "", pg
	}
	if err != nil {
		return "", &pgconn.PgError{Code: "none", Message: err.Error()}
	}
	if len(results) == 0 || len(results[0].Rows) == 0 {
		return "", nil
	}
	return string(results[0].Rows[0][0]), nil
}

// TestRoles has two roles ask the same: each gets its own answer, and what
// one may not read is neither in its prompts nor in its answers.
func TestRoles(t *testing.T) {
	ctx := testContext(t)
	for _, engine := range []string{"grammar", "model"} {
		t.Run(engine, func(t *testing.T) {
			model := newModelServer(t)
			model.answer(func(prompt string) reply {
				if strings.Contains(prompt, "how many payments") {
					return reply{text: "```sql\nSELECT count(*) FROM payments\n```"}
				}
				return reply{text: "```sql\nSELECT count(*) FROM orders\n```"}
			})
			r := start(t, func(c *Config) {
				if engine == "model" {
					model.configure(c)
				}
			})
			answers, prompts := map[string]string{}, map[string]string{}
			for _, role := range []string{shop.Analyst, shop.Support, shop.Analyst, shop.Support} {
				direct := connect(t, pgtest.Shared(t).Primary.URL(role, "shop"))
				want, _ := asked(ctx, direct, "SELECT count(*) FROM orders")
				before := len(model.seen())
				got, err := asked(ctx, r.connect(t, role), "-- ask: how many orders are there")
				if err != nil || got != want {
					t.Errorf("%s: got %q, %v; want %s", role, got, err, want)
				}
				answers[role] = got
				prompts[role] += model.seen()[before:]
			}
			if answers[shop.Analyst] == answers[shop.Support] {
				t.Errorf("row security does not show: both see %s orders", answers[shop.Analyst])
			}
			before := len(model.seen())
			got, err := asked(ctx, r.connect(t, shop.Support), "-- ask: how many payments are there")
			if err == nil || err.Code != ask.CodeInsufficientRights || !strings.Contains(err.Message, "payments") {
				t.Errorf("support and payments: got %q, %v, want 42501 that names payments", got, err)
			}
			prompts[shop.Support] += strings.ReplaceAll(model.seen()[before:], "how many payments are there", "")
			if _, err := asked(ctx, r.connect(t, shop.Analyst), "-- ask: how many payments are there"); err != nil {
				t.Errorf("analyst and payments: %v", err)
			}
			for _, secret := range []string{"payments", "suppliers", "salary", "cost"} {
				if strings.Contains(prompts[shop.Support], secret) {
					t.Errorf("a prompt of support holds %q:\n%s", secret, prompts[shop.Support])
				}
			}
			if engine == "model" && !strings.Contains(prompts[shop.Analyst], "payments") {
				t.Error("the prompts of analyst lack payments")
			}
		})
	}
}

// hostile are the statements that no model may get through.
var hostile = []string{
	"DELETE FROM orders",
	"SELECT * INTO stolen FROM orders",
	"WITH gone AS (DELETE FROM orders RETURNING *) SELECT count(*) FROM gone",
	"SELECT pg_sleep(60)",
	"SELECT * FROM pg_read_file('/etc/passwd')",
	"SELECT set_config('statement_timeout', '0', false)",
	"SELECT query_to_xml('select 1', true, true, '')",
	"SELECT count(*) FROM orders; DELETE FROM orders",
}

func TestHostileModel(t *testing.T) {
	orders := count(t, "SELECT count(*) FROM orders")
	for _, where := range []string{"standby", "primary"} {
		t.Run(where, func(t *testing.T) {
			model := newModelServer(t)
			r := start(t, func(c *Config) {
				model.configure(c)
				if where == "primary" {
					c.Replica.URL = pgtest.Shared(t).Primary.URL(shop.Service, "")
					c.Replica.AllowPrimary = true
				}
			})
			conn := r.connect(t, shop.Analyst)
			for _, sql := range hostile {
				ctx := testContext(t)
				model.answer(func(string) reply { return reply{text: "```sql\n" + sql + "\n```"} })
				_, err := asked(ctx, conn, "-- ask(fresh): which of our stores is the prettiest")
				if err == nil || err.Code != ask.CodeRefused {
					t.Errorf("%s: got %v, want %s", sql, err, ask.CodeRefused)
				}
				list, lerr := r.store.List(ctx, store.Filter{Limit: 1})
				if lerr != nil || len(list.Records) != 1 {
					t.Fatalf("log: %v, %d entries", lerr, len(list.Records))
				}
				e, lerr := r.store.Get(ctx, list.Records[0].ID)
				if lerr != nil {
					t.Fatal(lerr)
				}
				refused := false
				for _, c := range e.Candidates {
					refused = refused || c.Fate == string(ask.FateRefused) && strings.Contains(c.SQL, strings.Fields(sql)[1])
				}
				if !refused {
					t.Errorf("%s: no refused candidate in the log: %+v", sql, e.Candidates)
				}
			}
			if n := count(t, "SELECT count(*) FROM orders"); n != orders {
				t.Fatalf("%d orders of %d are left", n, orders)
			}
		})
	}
}

// TestFaultyModel gives wrong, broken and missing answers: right rows or a
// clear error come back.
func TestFaultyModel(t *testing.T) {
	model := newModelServer(t)
	r := start(t, func(c *Config) {
		model.configure(c)
		c.Models[0].Retries = 1
		c.Models[0].Timeout = ask.Duration(500e6)
		c.Models[0].BreakerFailures = 1000
	})
	conn := r.connect(t, shop.Analyst)
	want := fmt.Sprint(count(t, "SELECT count(*) FROM customers WHERE region = 'North'"))
	const right = "```sql\nSELECT count(*) FROM customers WHERE region = 'North'\n```"
	n := 0
	every := func(k int, fault, good reply) func(string) reply {
		return func(string) reply {
			if n++; n%k == 0 {
				return good
			}
			return fault
		}
	}
	for _, tt := range []struct {
		name  string
		reply func(string) reply
		codes string // SQLSTATEs that are as good as the right rows
	}{
		{"right", every(1, reply{}, reply{text: right}), ""},
		{"prose around it", every(1, reply{}, reply{text: "Sure! Here you go:\n" + right + "\nHope it helps; let me know."}), ""},
		{"one in three is wrong", every(3, reply{text: right}, reply{text: "```sql\nSELECT 41\n```"}), "ASK02"},
		{"two in three are broken", every(3, reply{text: "```sql\nSELECT nonsense FROM nowhere\n```"}, reply{text: right}), "ASK01 ASK02"},
		{"429 before every answer", every(2, reply{status: 429}, reply{text: right}), ""},
		{"500 before every answer", every(2, reply{status: 500}, reply{text: right}), ""},
		{"half a response before every answer", every(2, reply{half: true}, reply{text: right}), ""},
		{"time-outs before every answer", every(2, reply{hang: true}, reply{text: right}), "ASK03"},
		{"garbage", every(1, reply{}, reply{raw: "<html>no</html>"}), "ASK01 ASK03"},
		{"no SQL", every(1, reply{}, reply{text: "I am only a language model."}), "ASK01"},
		{"only 500", every(1, reply{}, reply{status: 500}), "ASK01 ASK03"},
		{"every answer another one", func(string) reply { n++; return reply{text: fmt.Sprintf("```sql\nSELECT %d\n```", n)} }, "ASK02 ASK01"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			model.answer(tt.reply)
			got, err := asked(testContext(t), conn, "-- ask(fresh): what is the headcount of our patrons up there in the North")
			switch {
			case err == nil && got == want:
			case err != nil && strings.Contains(tt.codes, err.Code) && err.Message != "":
			default:
				t.Errorf("got %q, %v; want %s or one of %q", got, err, want, tt.codes)
			}
			list, lerr := r.store.List(testContext(t), store.Filter{Limit: 1})
			if lerr != nil || len(list.Records) != 1 {
				t.Fatalf("log: %v, %d entries", lerr, len(list.Records))
			}
			e, lerr := r.store.Get(testContext(t), list.Records[0].ID)
			if lerr != nil || len(e.Candidates) == 0 {
				t.Fatalf("log: %v, no candidates", lerr)
			}
			for _, c := range e.Candidates {
				if c.Fate == "" {
					t.Errorf("a candidate without a fate: %+v", c)
				}
			}
		})
	}
}

func TestTransactionStatus(t *testing.T) {
	ctx := testContext(t)
	r := start(t, nil)
	conn := r.connect(t, shop.Analyst)
	status := func(want byte) {
		t.Helper()
		if got := conn.PgConn().TxStatus(); got != want {
			t.Fatalf("transaction status %c, want %c", got, want)
		}
	}
	want := fmt.Sprint(count(t, "SELECT count(*) FROM customers"))
	if _, err := asked(ctx, conn, "BEGIN"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if got, err := asked(ctx, conn, "-- ask: how many customers do we have"); err != nil || got != want {
			t.Fatalf("in a transaction: %q, %v", got, err)
		}
		status('T')
	}
	var n int
	if err := conn.QueryRow(ctx, "-- ask: how many customers do we have").Scan(&n); err != nil || fmt.Sprint(n) != want {
		t.Fatalf("extended, in a transaction: %d, %v", n, err)
	}
	status('T')
	if _, err := asked(ctx, conn, "SELECT 1/0"); err == nil {
		t.Fatal("division by zero passed")
	}
	status('E')
	if _, err := asked(ctx, conn, "-- ask: how many customers do we have"); err == nil || err.Code != ask.CodeInFailedTransaction {
		t.Fatalf("in a failed transaction: %v", err)
	}
	if err := conn.QueryRow(ctx, "-- ask: how many customers do we have").Scan(&n); ask25P02(err) == false {
		t.Fatalf("extended, in a failed transaction: %v", err)
	}
	status('E')
	if _, err := asked(ctx, conn, "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	status('I')
	if got, err := asked(ctx, conn, "-- ask: how many customers do we have"); err != nil || got != want {
		t.Fatalf("after the rollback: %q, %v", got, err)
	}
}

func ask25P02(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == ask.CodeInFailedTransaction
}

// TestBadInput is the table of what bad input gets.
func TestBadInput(t *testing.T) {
	c := pgtest.Shared(t)
	model := newModelServer(t)
	model.answer(func(string) reply { return reply{status: 500} })
	empty := pgtest.NewDatabase(t, "")
	for _, tt := range []struct {
		name, sql, code, says string
		database              string
		change                func(*Config)
	}{
		{name: "empty question", sql: "-- ask:", code: ask.CodeSyntax, says: "question"},
		{name: "empty verb", sql: "ASK;", code: ask.CodeSyntax, says: "question"},
		{name: "1 MB", sql: "-- ask: " + strings.Repeat("how many ", 1<<20/9), code: ask.CodeProgramLimit, says: "long"},
		{name: "invalid UTF-8", sql: "-- ask: how many \xff customers", code: ask.CodeInvalidEncoding, says: "UTF8"},
		{name: "unknown option", sql: "-- ask(nonsense): x", code: ask.CodeSyntax, says: "nonsense"},
		{name: "a database without tables", sql: "-- ask: how many customers", database: empty, code: ask.CodeNoCandidate, says: "table"},
		{name: "a word that is not understood", sql: "-- ask: how many gizmotrons do we have", code: ask.CodeNoCandidate, says: "gizmotrons"},
		{name: "a replica that is a primary", sql: "-- ask: how many customers", code: ask.CodeObjectNotReady, says: "standby",
			change: func(cfg *Config) { cfg.Replica.URL = c.Primary.URL(shop.Service, "") }},
		{name: "a replica that is down", sql: "-- ask: how many customers", code: ask.CodeConnectionFailure, says: "replica",
			change: func(cfg *Config) { cfg.Replica.URL = "postgres://askpg@127.0.0.1:1/?sslmode=disable" }},
		{name: "no model reachable, not for the grammar", sql: "-- ask: which gizmotrons glow", code: "ASK0", says: "",
			change: func(cfg *Config) { model.configure(cfg); cfg.Models[0].BaseURL = "http://127.0.0.1:1/v1" }},
		{name: "a role that may not be assumed", sql: "-- ask: how many customers", database: "shop", code: ask.CodeInsufficientRights, says: "stranger",
			change: func(*Config) {
				pgtest.Exec(t, c.Primary.URL(pgtest.Superuser, "shop"), "DROP ROLE IF EXISTS stranger; CREATE ROLE stranger LOGIN")
				pgtest.CatchUp(t)
			}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := start(t, tt.change)
			role := shop.Analyst
			if tt.says == "stranger" {
				role = "stranger"
			}
			url := r.URL(role)
			if tt.database != "" {
				url = strings.Replace(url, "/shop?", "/"+tt.database+"?", 1)
			}
			conn := connect(t, url)
			_, err := asked(testContext(t), conn, tt.sql)
			if err == nil || !strings.HasPrefix(err.Code, tt.code) || !strings.Contains(err.Message+err.Detail, tt.says) {
				t.Fatalf("got %v (%+v), want %s and %q", err, err, tt.code, tt.says)
			}
			if got, err := asked(testContext(t), conn, "SELECT 'goes on'"); err != nil || got != "goes on" {
				t.Fatalf("the session does not go on: %v", err)
			}
		})
	}
}

// TestLowConfidence has every candidate say something else: the readings are
// in DETAIL, and one of them can be listed and run.
func TestLowConfidence(t *testing.T) {
	model := newModelServer(t)
	n := 0
	model.answer(func(string) reply { n++; return reply{text: fmt.Sprintf("```sql\nSELECT %d AS n\n```", 100+n)} })
	r := start(t, model.configure)
	conn := r.connect(t, shop.Analyst)
	ctx := testContext(t)
	_, err := asked(ctx, conn, "-- ask: which of our stores is the prettiest")
	if err == nil || err.Code != ask.CodeLowConfidence || !strings.HasPrefix(err.Detail, "1. 10") || strings.Contains(err.Message, "1. ") || !strings.Contains(err.Hint, "ASK(run 1);") {
		t.Fatalf("got %+v, want ASK02 with the readings and what to do", err)
	}
	results, rerr := conn.PgConn().Exec(ctx, "-- ask(run 2)").ReadAll()
	if rerr != nil || len(results[0].Rows) != 1 || !strings.HasPrefix(string(results[0].Rows[0][0]), "10") {
		t.Errorf("ask(run 2): %v, %+v", rerr, results)
	}
	results, rerr = conn.PgConn().Exec(ctx, "-- ask(candidates): which of our stores is the prettiest").ReadAll()
	if rerr != nil || len(results[0].Rows) < 3 {
		t.Errorf("ask(candidates): %v, %+v", rerr, results)
	}
}
