package ask_test

import (
	"reflect"
	"strings"
	"testing"

	"askpg/ask"
)

func TestReplaceCalls(t *testing.T) {
	for _, tt := range []struct{ sql, want string }{
		{"SELECT * FROM ask('how many') AS r WHERE r.n > 1", "SELECT * FROM (Q1\n) AS r WHERE r.n > 1"},
		{"select * from ASK ( 'what''s (new)' )", "select * from (Q1\n) AS ask"},
		{"select * from t join lateral ask('a') x on true, ask($$b$$, 'strategy=grammar') y(n)", "select * from t join lateral (Q1\n) x on true, (Q2\n) y(n)"},
		{"create view v as select * from (select * from ask('é')) s", "create view v as select * from (select * from (Q1\n) AS ask) s"},
		{"select 'é', * from ask('a')", "select 'é', * from (Q1\n) AS ask"},
		{"select ask('a')", "select ask('a')"},
		{"select * from other.ask('a')", "select * from other.ask('a')"},
		{"select * from \"Ask\"('a')", "select * from \"Ask\"('a')"},
		{"select * from ask('a') where (", "select * from ask('a') where ("},
		// A question in a statement that is none without it.
		{"SELECT * FROM (-- ask: how many\n) t LIMIT 10", "SELECT * FROM (SELECT * FROM (Q1\n) AS ask\n) t LIMIT 10"},
		{"SELECT * FROM (\n-- ask: how many\n-- per status\n) AS virtual_table", "SELECT * FROM (\nSELECT * FROM (Q1\n) AS ask\n) AS virtual_table"},
		{"with q as (/* ask: a */), r as (ASK $$b$$ HINT 'c') select * from q, r", "with q as (SELECT * FROM (Q1\n) AS ask), r as (SELECT * FROM (Q2\n) AS ask) select * from q, r"},
		{"explain -- ask: a", "explain SELECT * FROM (Q1\n) AS ask"},
		{"copy (ASK 'a') to stdout", "copy (SELECT * FROM (Q1\n) AS ask) to stdout"},
		{"create table n as -- ask: a", "create table n as SELECT * FROM (Q1\n) AS ask"},
		{"create view v as /* ask: a */", "create view v as SELECT * FROM (Q1\n) AS ask"},
		{"DECLARE \"c\" CURSOR FOR -- ask: a", "DECLARE \"c\" CURSOR FOR SELECT * FROM (Q1\n) AS ask"},
		{"declare c cursor for /* ask: a */;fetch 10 in c", "declare c cursor for SELECT * FROM (Q1\n) AS ask;fetch 10 in c"},
		{"-- ask: a\nLIMIT 10 OFFSET 5", "SELECT * FROM (Q1\n) AS ask\nLIMIT 10 OFFSET 5"},
		{"/* ask: a */ ORDER BY 1", "SELECT * FROM (Q1\n) AS ask ORDER BY 1"},
		{"-- ask: a\nWHERE 1=0", "SELECT * FROM (Q1\n) AS ask\nWHERE 1=0"},
		{"ASK 'a' LIMIT 5;", "SELECT * FROM (Q1\n) AS ask LIMIT 5;"},
		{"/* Metabase */ ask $$a$$ HINT 'b' -- c\norder by 1 offset $1", "/* Metabase */ SELECT * FROM (Q1\n) AS ask -- c\norder by 1 offset $1"},
		{"ask (fresh, hint='b') 'a' LIMIT 5", "SELECT * FROM (Q1\n) AS ask LIMIT 5"},
		{"select * from (ASK(sql) $q$a$q$\n) t limit 10", "select * from (SELECT * FROM (Q1\n) AS ask\n) t limit 10"},
		{"select ask(1) 'x'", "select ask(1) 'x'"},
		{"ASK 'a' where 1=0 union all select 2", "SELECT * FROM (Q1\n) AS ask where 1=0 union all select 2"},
		{"ASK 'a' limit 5 nonsense", "ASK 'a' limit 5 nonsense"},
		{"select * from /* ask: a */ where 1=0", "select * from (Q1\n) AS ask where 1=0"},
		{"select * from /* ask: a */ t", "select * from /* ask: a */ t"}, // SQL
		{"select 1 where 2 in (/* ask: a */)", "select 1 where 2 in (SELECT * FROM (Q1\n) AS ask)"},
		// SELECT that a program has put before it.
		{"select -- ask: a", "SELECT * FROM (Q1\n) AS ask"},
		{"select /* ask: a */ limit 10", "SELECT * FROM (Q1\n) AS ask limit 10"},
		{"select count(*) from (select -- ask: a\n) t", "select count(*) from (SELECT * FROM (Q1\n) AS ask\n) t"},
		{"select /* ask: a */ having count(1) > 0", "SELECT * FROM (Q1\n) AS ask having count(1) > 0"},
		// SQL beside its question.
		{"-- ask: a\nselect 1", "-- ask: a\nselect 1"},
		{"select 1 /* ask: a */", "select 1 /* ask: a */"},
		{"select * from (select 1 -- ask: a\n) t", "select * from (select 1 -- ask: a\n) t"},
		{"select ask 'x'", "select ask 'x'"},
		{"select '/* ask: a */' limit", "select '/* ask: a */' limit"},
		{"-- ask: a\nselect new syntax that is not known here", "-- ask: a\nselect new syntax that is not known here"},
	} {
		text, calls, err := ask.FindCalls(tt.sql)
		if err != nil {
			t.Errorf("%q: %v", tt.sql, err)
			continue
		}
		if got := ask.ReplaceCalls(text, calls, []string{"Q1", "Q2"}); got != tt.want {
			t.Errorf("%q\n got %q\nwant %q", tt.sql, got, tt.want)
		}
	}
}

func TestFindCalls_Form(t *testing.T) {
	_, calls, err := ask.FindCalls("select * from ask('how many\nhint: count', 'fresh, strategy=grammar') r")
	if err != nil || len(calls) != 1 {
		t.Fatalf("%v, %d calls", err, len(calls))
	}
	f := calls[0].Form
	if f.Text != "how many" || f.Hint != "count" || !f.Fresh || f.Options["strategy"] != "grammar" || !calls[0].Alias {
		t.Errorf("got %+v", calls[0])
	}
}

func TestFindCalls_Unanswerable(t *testing.T) {
	for sql, code := range map[string]string{
		"select * from ask('orders of $1')":              ask.CodeUndefinedParameter,
		"select * from ask($1, $2)":                      ask.CodeFeatureNotSupported,
		"select * from ask($1::int)":                     ask.CodeFeatureNotSupported,
		"select * from ask($65536)":                      ask.CodeProgramLimit,
		"select * from ask($2147483647) r":               ask.CodeProgramLimit,
		"select * from ask('abc'::varchar(2))":           ask.CodeFeatureNotSupported,
		"select * from ask(options => 'fresh')":          ask.CodeSyntax,
		"select * from ask(asked => 'x')":                ask.CodeSyntax,
		"select * from t, ask(t.question)":               ask.CodeFeatureNotSupported,
		"select * from ask(null)":                        ask.CodeFeatureNotSupported,
		"select * from ask()":                            ask.CodeSyntax,
		"select * from ask('a', 'nonsense')":             ask.CodeSyntax,
		"select * from ask('a', 'run 2')":                ask.CodeFeatureNotSupported,
		"select * from ask('a', 'good')":                 ask.CodeFeatureNotSupported,
		"select * from (-- ask(run 2)\n) t":              ask.CodeFeatureNotSupported,
		"select * from ask('a') with ordinality":         ask.CodeFeatureNotSupported,
		"select * from ask('a') as t(a int)":             ask.CodeFeatureNotSupported,
		"select * from rows from (ask('a'), other('b'))": ask.CodeFeatureNotSupported,
		"select * from (-- ask: a) t limit 10":           ask.CodeSyntax,
		"select /* ask: a */ /* ask: b */":               ask.CodeSyntax,
		"select ASK 'a' /* ask: b */ limit 1":            ask.CodeSyntax,
		"select /* ask: a */ from t":                     ask.CodeSyntax,
		"select -- ask: a\n into temp t":                 ask.CodeSyntax,
		"select /* ask: a */ from ask('b') r":            ask.CodeSyntax,
		"select * from (-- ask(nonsense): a\n) t":        ask.CodeSyntax,
	} {
		if _, _, err := ask.FindCalls(sql); ask.CodeOf(err) != code {
			t.Errorf("%q: got %v, want SQLSTATE %s", sql, err, code)
		}
	}
}

// The ways in which programs write the question.
func TestFindCalls_Arguments(t *testing.T) {
	for sql, want := range map[string]ask.Call{
		"select * from ask($1) r":                                         {Parameter: 1},
		"select * from ask($2::text) r where a = $1":                      {Parameter: 2},
		"select * from ask(cast($1 as varchar), 'fresh') r":               {Parameter: 1, Form: ask.Form{Fresh: true}},
		"select * from ask(N'how many') r":                                {Form: ask.Form{Text: "how many"}},
		"select * from ask('how many'::text) r":                           {Form: ask.Form{Text: "how many"}},
		"select * from \"ask\"('how many') r":                             {Form: ask.Form{Text: "how many"}},
		"select * from ask(options => 'fresh', question => 'how many') r": {Form: ask.Form{Text: "how many", Fresh: true}},
		"select * from ask(question := $1) r":                             {Parameter: 1},
		"select * from ask('how many$1') r":                               {Form: ask.Form{Text: "how many?"}},
		"select * from ask('above $100') r":                               {Form: ask.Form{Text: "above $100"}},
		"select * from (/* ask: of $2 above $100 */) r where a = $1":      {Embedded: true, Form: ask.Form{Text: "of $2 above $100", Parameters: 2}},
		"select * from (-- ask: how many$2\n) r where a = $1":             {Embedded: true, Form: ask.Form{Text: "how many?"}},
	} {
		text, calls, err := ask.FindCalls(sql)
		if err != nil || len(calls) != 1 || !ask.MayCall([]byte(sql)) && !ask.MayHold([]byte(sql)) {
			t.Errorf("%q: %v, %d calls", sql, err, len(calls))
			continue
		}
		c := calls[0]
		if !strings.HasSuffix(text[:c.End], ")") {
			t.Errorf("%q ends at %q", sql, text[:c.End])
		}
		if c.Start, c.End, c.Alias = 0, 0, false; !reflect.DeepEqual(c, want) {
			t.Errorf("%q\n got %+v\nwant %+v", sql, c, want)
		}
	}
}

func TestMayCall(t *testing.T) {
	for sql, want := range map[string]bool{
		"select * from ask('a')": true, "select * from ASK\n('a')": true, "from ask ('": true, "ask(": true,
		"select 1": false, "task('a')": false, "ask": false, "my_ask(1)": false, "asks(1)": false, "select (1) from ask": false,
	} {
		if got := ask.MayCall([]byte(sql)); got != want {
			t.Errorf("%q: %v", sql, got)
		}
	}
}

func TestResult_Query(t *testing.T) {
	r := ask.NewTable(ask.TextColumn("sql"), ask.IntColumn("n"), ask.FloatColumn(`a "b"`))
	if got, want := r.Query(), `SELECT "sql", "n", "a ""b""" FROM (VALUES (NULL::pg_catalog.text, NULL::pg_catalog.int8, NULL::pg_catalog.float8, false)) AS answer ("sql", "n", "a ""b""", "is a row") WHERE "is a row"`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	r.Add(`it's \`, 7, nil)
	if got := r.Query(); !strings.Contains(got, `, (E'it''s \\'::pg_catalog.text, '7'::pg_catalog.int8, NULL::pg_catalog.float8, true)`) {
		t.Error(got)
	}
}
