package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"askpg/ask"
)

// call is a call of ask('…') in FROM that is answered by whatever the model says.
const call = "ask('how many tickets are there', 'fresh') AS r"

// wraps are statements around a call that return its rows, or leave them in
// the table answer. What is not read on the replica runs on the primary.
var wraps = []struct {
	name, before, text, after string
	primary                   bool
}{
	{name: "select", text: "SELECT * FROM " + call},
	{name: "with", text: "WITH q AS (SELECT * FROM " + call + ") SELECT * FROM q"},
	{name: "in a block", before: "BEGIN", text: "SELECT * FROM " + call},
	{name: "having written", before: "BEGIN; CREATE TABLE loot.written (a int)", text: "SELECT * FROM " + call, primary: true},
	{name: "create table as", before: "BEGIN", text: "CREATE TABLE loot.answer AS SELECT * FROM " + call, after: "SELECT * FROM loot.answer", primary: true},
	{name: "create view", before: "BEGIN", text: "CREATE VIEW loot.answer AS SELECT * FROM " + call, after: "SELECT * FROM loot.answer", primary: true},
	{name: "insert", before: "BEGIN; CREATE TABLE loot.answer (a text, b text)", text: "INSERT INTO loot.answer SELECT * FROM " + call, after: "SELECT * FROM loot.answer", primary: true},
	{name: "explain", before: "BEGIN", text: "EXPLAIN ANALYZE SELECT * FROM " + call, primary: true},
}

// TestCalls_HostileStrings has a model answer with strings that are more than
// strings where a backslash escapes, and with every statement around it.
func TestCalls_HostileStrings(t *testing.T) {
	eachPlace(t, "", nil, func(t *testing.T, a *attacked) {
		for _, sql := range []string{
			`SELECT '\' AS a, ') AS x; COMMIT; DELETE FROM loot.gold; SELECT * FROM (SELECT 1 --' AS b`,
			`SELECT '\' AS a, ' AS b FROM (SELECT 1) AS s) AS x; COMMIT; DELETE FROM loot.gold; SELECT * FROM (SELECT 1 --' AS b`,
			`SELECT '\' AS a, ', loot.evil() AS b FROM (SELECT 1) AS s --' AS b`,
			`SELECT $$\'$$ AS a, $q$', loot.evil() --$q$ AS b`,
			`SELECT E'\\' AS a, E'\', loot.evil() AS b --' AS b`,
			`SELECT U&'\005c' AS a, ', loot.evil() AS b --' AS b`,
		} {
			a.model.answer(func(string) reply { return reply{text: "```sql\n" + sql + "\n```"} })
			want, err := a.conn.PgConn().Exec(testContext(t), sql).ReadAll() // the settings are the usual ones
			if err != nil {
				t.Fatal(err)
			}
			for _, setting := range []string{"on", "off"} {
				for _, w := range wraps {
					command(t, a.conn, "SET standard_conforming_strings = "+setting+"; SET escape_string_warning = off; "+w.before)
					results, err := a.conn.PgConn().Exec(testContext(t), w.text).ReadAll()
					if err == nil && w.after != "" {
						results, err = a.conn.PgConn().Exec(testContext(t), w.after).ReadAll()
					}
					if err != nil {
						t.Errorf("%s, %s, %s: %v", sql, setting, w.name, err)
					} else if got := results[0].Rows; w.name != "explain" && fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want[0].Rows) {
						t.Errorf("%s, %s, %s: got %q, want %q", sql, setting, w.name, got, want[0].Rows)
					}
					command(t, a.conn, "ROLLBACK; RESET ALL")
				}
			}
		}
	})
}

func command(t *testing.T, conn *pgx.Conn, script string) {
	t.Helper()
	if _, err := conn.PgConn().Exec(testContext(t), script).ReadAll(); err != nil {
		t.Fatal(err)
	}
}

// TestCalls_Branch has a model answer with SQL that does one thing where it is
// tried and another elsewhere: what only reads runs where it was tried, and
// what runs on the primary is refused.
func TestCalls_Branch(t *testing.T) {
	eachPlace(t, "", nil, func(t *testing.T, a *attacked) {
		standby := fmt.Sprint(!a.config().Replica.AllowPrimary)
		for _, test := range []string{
			"pg_is_in_recovery() = " + standby,
			"(SELECT count(*) FROM pg_stat_user_tables WHERE relname = 'gold' AND n_tup_ins > 0) = 0 OR true",
			"current_user = '" + "analyst" + "' OR true",
			"age('3'::xid) < 0 OR true",
		} {
			sql := "SELECT CASE WHEN " + test + " THEN 'tried' ELSE 'elsewhere' END AS a, 1 AS b"
			a.model.answer(func(string) reply { return reply{text: "```sql\n" + sql + "\n```"} })
			for _, w := range wraps {
				if w.before != "" {
					command(t, a.conn, w.before)
				}
				got, err := asked(testContext(t), a.conn, w.text)
				switch {
				case w.primary && (err == nil || err.Code != ask.CodeRefused || !strings.Contains(err.Message, "on the primary")):
					t.Errorf("%s, %s: %q, %+v", test, w.name, got, err)
				case !w.primary && (err != nil || got != "tried"):
					t.Errorf("%s, %s: %q, %v", test, w.name, got, err)
				}
				command(t, a.conn, "ROLLBACK")
			}
		}
	})
}

// TestCalls_Walls has the statement around an answer meet what the answer
// itself meets.
func TestCalls_Walls(t *testing.T) {
	eachPlace(t, "", func(c *Config) { c.Replica.MaxRows, c.Replica.MaxPlanRows = 5, 1e6 }, func(t *testing.T, a *attacked) {
		a.model.answer(func(string) reply { return reply{text: "```sql\nSELECT count(*) FROM public.tickets\n```"} })
		for text, want := range map[string]string{
			"SELECT pg_is_in_recovery() FROM " + call:                                               fmt.Sprint(!a.config().Replica.AllowPrimary)[:1],
			"SELECT current_user || ' ' || session_user FROM " + call:                               "analyst askpg",
			"SELECT current_setting('transaction_read_only') FROM " + call:                          ask.CodeRefused,
			"SELECT loot.evil() FROM " + call:                                                       ask.CodeRefused,
			"SELECT pg_sleep(60) FROM " + call:                                                      ask.CodeRefused,
			"SELECT pg_read_file('/etc/passwd') FROM " + call:                                       ask.CodeRefused,
			"SELECT nextval('loot.seq') FROM " + call:                                               ask.CodeRefused,
			"SELECT a FROM loot.calm, " + call:                                                      ask.CodeRefused,
			"SELECT rolpassword FROM pg_authid, " + call:                                            ask.CodeRefused,
			"SELECT i FROM generate_series(1, 100000000) i, " + call:                                "54000",
			"SELECT count(*) FROM (SELECT i FROM generate_series(1, 1000) i) s, " + call:            "1000",
			"SELECT count(*) FROM loot.gold JOIN " + call + "(n) ON id <= n WHERE note LIKE 'bar%'": "50",
		} {
			got, err := asked(testContext(t), a.conn, text)
			if err != nil {
				got = err.Code
			}
			if got != want {
				t.Errorf("%s: got %q, %v, want %q", text, got, err, want)
			}
		}
		results, err := a.conn.PgConn().Exec(testContext(t), "SELECT id FROM public.tickets, "+call).ReadAll()
		if err != nil || len(results) != 1 || len(results[0].Rows) != 5 {
			t.Errorf("the cap on rows: %v, %d results", err, len(results))
		}
		// Parameters, and what the log has.
		var n int
		if err := a.conn.QueryRow(testContext(t), "SELECT r.count * $1 FROM "+call+" WHERE r.count > $2", 2, 299).Scan(&n); err != nil || n != 600 {
			t.Errorf("parameters: %d, %v", n, err)
		}
		if e := a.last(t); e.Question != "how many tickets are there" || strings.Replace(e.SQL, "public.", "", 1) != "SELECT count(*) FROM tickets" {
			t.Errorf("the log has %q: %s", e.Question, e.SQL)
		}
	})
}

// TestCalls_OnPrimary has the setting refuse what would run on the primary.
func TestCalls_OnPrimary(t *testing.T) {
	eachPlace(t, "", func(c *Config) { c.Ask.OnPrimary = "refuse" }, func(t *testing.T, a *attacked) {
		a.model.answer(func(string) reply { return reply{text: "```sql\nSELECT '1' AS a, '2' AS b\n```"} })
		for _, w := range wraps {
			if w.before != "" {
				command(t, a.conn, w.before)
			}
			calls := a.model.calls()
			got, err := asked(testContext(t), a.conn, w.text)
			if w.primary && (err == nil || err.Code != ask.CodeInsufficientRights || !strings.Contains(err.Hint, "ask.on_primary") || a.model.calls() != calls) {
				t.Errorf("%s: %q, %+v", w.name, got, err)
			} else if !w.primary && (err != nil || got != "1") {
				t.Errorf("%s: %q, %v", w.name, got, err)
			}
			command(t, a.conn, "ROLLBACK")
		}
	})
}

// TestCalls_Encodings has a model answer with characters that are a backslash
// to some encodings of clients.
func TestCalls_Encodings(t *testing.T) {
	const sql = `SELECT '¥' AS a, '); DELETE FROM loot.gold; --' AS b`
	eachPlace(t, "", nil, func(t *testing.T, a *attacked) {
		a.model.answer(func(string) reply { return reply{text: "```sql\n" + sql + "\n```"} })
		for encoding, code := range map[string]string{"SJIS": ask.CodeFeatureNotSupported, "BIG5": ask.CodeFeatureNotSupported, "SHIFT_JIS_2004": ask.CodeFeatureNotSupported, "LATIN1": "", "UTF8": ""} {
			command(t, a.conn, "SET standard_conforming_strings = off; SET client_encoding = '"+encoding+"'; BEGIN")
			_, err := a.conn.PgConn().Exec(testContext(t), "CREATE VIEW loot.answer AS SELECT * FROM "+call).ReadAll()
			if e, _ := err.(*pgconn.PgError); (e == nil) != (code == "") || e != nil && e.Code != code {
				t.Errorf("%s: %v", encoding, err)
			}
			command(t, a.conn, "ROLLBACK; RESET ALL")
		}
	})
}

// Text, values and rows are in the client's encoding, whatever the replica's
// session reads in between.
func TestCalls_ClientEncoding(t *testing.T) {
	eachPlace(t, "", nil, func(t *testing.T, a *attacked) {
		a.model.answer(func(string) reply { return reply{text: "```sql\nSELECT 'été' AS a\n```"} })
		command(t, a.conn, "SET client_encoding = 'LATIN1'")
		for _, text := range []string{"SELECT length($1), $1, a FROM " + call + " WHERE $1 <> '\xe8' AND a = $1", "SELECT length($1), $1, a FROM " + call + " WHERE a = $1"} {
			got := a.conn.PgConn().ExecParams(testContext(t), text, [][]byte{[]byte("\xe9t\xe9")}, []uint32{25}, nil, nil).Read()
			if got.Err != nil || len(got.Rows) != 1 || fmt.Sprintf("%q", got.Rows[0]) != `["3" "\xe9t\xe9" "\xe9t\xe9"]` {
				t.Errorf("%v, %q", got.Err, got.Rows)
			}
		}
	})
}

// A call in a text of more statements behind BEGIN, as psqlODBC sends it.
func TestCalls_BehindBegin(t *testing.T) {
	eachPlace(t, "", nil, func(t *testing.T, a *attacked) {
		a.model.answer(func(string) reply { return reply{text: "```sql\nSELECT count(*) FROM public.tickets\n```"} })
		results, err := a.conn.PgConn().Exec(testContext(t), "BEGIN;SELECT pg_is_in_recovery(), r.count FROM "+call).ReadAll()
		if err != nil || len(results) != 2 || string(results[1].Rows[0][0]) != fmt.Sprint(!a.config().Replica.AllowPrimary)[:1] || a.conn.PgConn().TxStatus() != 'T' {
			t.Errorf("%v, %v", results, err)
		}
		command(t, a.conn, "ROLLBACK")
	})
}
