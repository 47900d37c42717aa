package ask_test

import (
	"reflect"
	"strings"
	"testing"

	"askpg/ask"
)

func TestParseForm(t *testing.T) {
	for _, tt := range []struct {
		sql  string
		want ask.Form
	}{
		{"-- ask: how many users", ask.Form{Text: "how many users"}},
		{"--ASK: how many users\n", ask.Form{Text: "how many users"}},
		{"\ufeff  \n-- ask: which customers\n-- ordered most?\n;", ask.Form{Text: "which customers\nordered most?"}},
		{"/* ask: what's our best month? */;", ask.Form{Text: "what's our best month?"}},
		{"/*\n * ask: what's our best month?\n * hint: best means revenue\n */", ask.Form{Text: "what's our best month?", Hint: "best means revenue"}},
		{"-- ask: eligible schools\n-- hint: eligible means free_meal_count > 0", ask.Form{Text: "eligible schools", Hint: "eligible means free_meal_count > 0"}},
		{"-- Metabase:: userID: 7 queryHash: ab\n-- ask: how many users", ask.Form{Text: "how many users", Annotations: []string{"Metabase:: userID: 7 queryHash: ab"}}},
		{"ASK('how many users');", ask.Form{Text: "how many users"}},
		{"ask ( 'how many o''brien' ) ;", ask.Form{Text: "how many o'brien"}},
		{"ASK \"how many users\";", ask.Form{Text: "how many users"}},
		{"ASK “how many users”", ask.Form{Text: "how many users"}},
		{"ASK \"users\" and \"orders\";", ask.Form{Text: "\"users\" and \"orders\""}},
		{"/* Username: ann */ /* ask: how many users */ /*traceparent='00-1'*/", ask.Form{Text: "how many users", Annotations: []string{"Username: ann", "traceparent='00-1'"}}},
		{"/* a /* nested */ one */ -- ask: how many", ask.Form{Text: "how many", Annotations: []string{"a /* nested */ one"}}},
		{"ASK $$what's our best month?$$;", ask.Form{Text: "what's our best month?"}},
		{"ask $q$a $$ b$q$", ask.Form{Text: "a $$ b"}},
		{"ASK 'what''s new'", ask.Form{Text: "what's new"}},
		{"ASK 'how many' HINT 'count them';", ask.Form{Text: "how many", Hint: "count them"}},
		{"ASK how many users are there;", ask.Form{Text: "how many users are there"}},
		{"ASK how many users /* trace */ ;", ask.Form{Text: "how many users", Annotations: []string{"trace"}}},
		{"ASK how many users; also per country;", ask.Form{Text: "how many users; also per country"}},
		{"ASK(sql) how many users;", ask.Form{Text: "how many users", Action: ask.ActionSQL}},
		{"ASK (explain): how many users;", ask.Form{Text: "how many users", Action: ask.ActionExplain}},
		{"ASK;", ask.Form{}},
		{"-- ask:", ask.Form{}},
		{"-- ask(sql): x", ask.Form{Text: "x", Action: ask.ActionSQL}},
		{"-- ask(candidates, strategy=mcs, max_calls = '3'): x", ask.Form{Text: "x", Action: ask.ActionCandidates, Options: map[string]string{"strategy": "mcs", "max_calls": "3"}}},
		{"-- ask(more): and in 2023?", ask.Form{Text: "and in 2023?", More: true}},
		{"-- ask(run 2)", ask.Form{Action: ask.ActionRun, Run: 2}},
		{"/* ask(run 2) */;", ask.Form{Action: ask.ActionRun, Run: 2}},
		{"-- ask(fresh): x", ask.Form{Text: "x", Fresh: true}},
		{"-- ask(good)", ask.Form{Feedback: &ask.Feedback{Good: true}}},
		{"-- ask(hint = 'paid :) (ones'): x", ask.Form{Text: "x", Hint: "paid :) (ones"}},
		{"ASK(hint = 'of 2 )', sql) x", ask.Form{Text: "x", Hint: "of 2 )", Action: ask.ActionSQL}},
		// What tools write behind the question.
		{"-- ask: how many\n-- {\"user\":\"@ann\",\"scheduled\":false}", ask.Form{Text: "how many", Annotations: []string{`{"user":"@ann","scheduled":false}`}}},
		{"-- ask: how many\n-- Sigma Σ {\"request-id\":\"1\"}", ask.Form{Text: "how many", Annotations: []string{`Sigma Σ {"request-id":"1"}`}}},
		{"-- ask: how many\n-- Looker Query Context '{\"user_id\":1}'", ask.Form{Text: "how many", Annotations: []string{`Looker Query Context '{"user_id":1}'`}}},
		{"-- ask: how many /*application:Shop,controller:orders*/", ask.Form{Text: "how many", Annotations: []string{"application:Shop,controller:orders"}}},
		{"-- ask: how many /*application='Shop',traceparent='00-1'*/;", ask.Form{Text: "how many", Annotations: []string{"application='Shop',traceparent='00-1'"}}},
		{"-- ask: how many -- {\"user\": 1}", ask.Form{Text: "how many", Annotations: []string{`{"user": 1}`}}},
		{"-- ask: how many\n-- user_id: 7, dashboard: 3", ask.Form{Text: "how many", Annotations: []string{"user_id: 7, dashboard: 3"}}},
		{"-- ask: how many\n-- traceparent='00-1'", ask.Form{Text: "how many", Annotations: []string{"traceparent='00-1'"}}},
		{"ASK how many\n-- {\"user\": 1}", ask.Form{Text: "how many", Annotations: []string{`{"user": 1}`}}},
		{"ASK how many -- {\"user\": 1}\n/* a='b' */;", ask.Form{Text: "how many", Annotations: []string{"a='b'", `{"user": 1}`}}},
		{"ASK 'how many' /*application:Shop*/;", ask.Form{Text: "how many", Annotations: []string{"application:Shop"}}},
		// What people write there.
		{"-- ask: how many orders\n-- with status: shipped, in 2023", ask.Form{Text: "how many orders\nwith status: shipped, in 2023"}},
		{"-- ask: how many orders\n-- status: shipped", ask.Form{Text: "how many orders\nstatus: shipped"}},
		{"-- ask: orders at 10:30 -- the big ones", ask.Form{Text: "orders at 10:30 -- the big ones"}},
		{"-- ask: top customers limit 5", ask.Form{Text: "top customers limit 5"}},
		{"ASK who paid :) and who (really) not", ask.Form{Text: "who paid :) and who (really) not"}},
		{"ASK 'Shipped' orders per month", ask.Form{Text: "'Shipped' orders per month"}},
		{"-- ask: 1) how many orders", ask.Form{Text: "1) how many orders"}},
		// Placeholders.
		{"-- ask: how many users$1", ask.Form{Text: "how many users?"}},
		{"ASK how many \"users\"$1;", ask.Form{Text: "how many \"users\"?"}},
		{"ASK 'how many users'$1", ask.Form{Text: "how many users"}},
		{"ASK $$how many users$$?;", ask.Form{Text: "how many users"}},
		{"ASK how many users;?", ask.Form{Text: "how many users?"}},
		{"-- ask: how many users;$1", ask.Form{Text: "how many users?"}},
		{"-- ask: how many\n-- {\"user\":1};", ask.Form{Text: "how many", Annotations: []string{"{\"user\":1};"}}},
		{"-- ask: orders above $100$1", ask.Form{Text: "orders above $100?"}},
		{"-- ask: orders above $100", ask.Form{Text: "orders above $100"}},
		{"-- ask: orders above $1.50 or $1,000 or $1k", ask.Form{Text: "orders above $1.50 or $1,000 or $1k"}},
		{"-- ask: orders of $1 above $2", ask.Form{Text: "orders of $1 above $2", Parameters: 2}},
		{"-- ask: orders of $1 above $100$2", ask.Form{Text: "orders of $1 above $100?", Parameters: 1}},
		{"-- ask: orders of $1", ask.Form{Text: "orders of $1", Parameters: 1}},
		{"-- ask: how many big orders$1\n-- hint: big is above $100$2", ask.Form{Text: "how many big orders?", Hint: "big is above $100?"}},
		{"-- ask: prices in US$5", ask.Form{Text: "prices in US$5"}},
		{"-- ask(bad: wrong month, too few)", ask.Form{Feedback: &ask.Feedback{Reason: "wrong month, too few"}}},
	} {
		got, ok := ask.ParseForm(tt.sql)
		if !ok {
			t.Errorf("%q is not taken for a question", tt.sql)
			continue
		}
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%q\n got %+v\nwant %+v", tt.sql, got, tt.want)
		}
	}
}

func TestParseForm_NoQuestion(t *testing.T) {
	for _, sql := range []string{
		"", ";", "select 1", "-- hello", "/* hello */", "-- ask: how many users\nselect count(*) from users",
		"/* ask: how many */ select 1", "select 1 -- ask: how many", "-- ask: how many\nask how many", "/* ask: how many */ ask(sql): x", "select 'ask: x'", "-- asked: x", "-- task: x", "-- ask Bob about it",
		"-- ask (the team) about it", "/* ask: never closed", "asking", "ask_me()", "asks", "EXPLAIN ASK x", "-", "/",
	} {
		if f, ok := ask.ParseForm(sql); ok {
			t.Errorf("%q is taken for a question: %+v", sql, f)
		}
	}
}

// What can be read in two ways is no question of either.
func TestParseForm_Refused(t *testing.T) {
	for _, sql := range []string{
		"-- ask: how many orders\n-- status='shipped'", "-- ask: how many orders\n-- region:Europe", "-- ask: how many -- status=shipped",
		"-- ask: how many in US$1", "-- ask: a\n-- ask: b", "/* ask: a *//* ask: b */",
		"ASK how many; DROP TABLE users;", "ASK how many; ask how many others", "-- ask: how many;fetch 100 in \"SQL_CUR1\"",
		"ASK how many\nLIMIT 5", "ASK $$how many$$ LIMIT 5 of them", "ASK $$a$$ LIMIT 5; ASK $$b$$", "\ufeffASK $$how many$$ LIMIT 5", "ASK how many;\nOFFSET 0;\nselect 1", "ASK 'how many'\nORDER BY 1$1", "-- ask: how many\n-- of them OFFSET 0$1", "-- ask: a\n-- {\"user\":1}) x LIMIT 5", "-- ask: how many OFFSET 0", "-- ask: how many WHERE 1=0", "-- ask: how many fetch first 5 rows only", "-- ask: how many) t LIMIT 5", "ASK how many) AS \"x\"", "-- ask: how many$1\n-- hint: of $2",
		"ASK(candidates, explain) 'how many'",
	} {
		f, ok := ask.ParseForm(sql)
		if !ok || f.Err == nil || f.Err.Code != ask.CodeSyntax || f.Err.Hint == "" {
			t.Errorf("%q: got %v, %+v; want a syntax error with a hint", sql, ok, f)
		}
	}
}

func TestForm_Filled(t *testing.T) {
	f, _ := ask.ParseForm("-- ask: orders of $1 above $2, or $100, of $1$3\n-- hint: $1 is a name")
	values := []string{ask.QuoteValue("O'Neil $2 '; drop", 25), ask.QuoteValue("12.50", 0)}
	got := f.Filled(values)
	if f.Parameters != 2 || got.Text != "orders of 'O''Neil $2 ''; drop' above 12.50, or $100, of 'O''Neil $2 ''; drop'?" || got.Hint != "'O''Neil $2 ''; drop' is a name" {
		t.Errorf("%d: %+v", f.Parameters, got)
	}
	f, _ = ask.ParseForm(`ASK orders from $1::date to $2::timestamp with time zone, of ($3::"text"[]), in ($3, $1::text): f($1)`)
	if got := f.Filled([]string{"2024-06-01", "2024-06-02", "'a', 'b'"}).Text; got != "orders from 2024-06-01 to 2024-06-02, of 'a', 'b', in 'a', 'b', 2024-06-01: f(2024-06-01)" {
		t.Error(got)
	}
	for _, tt := range []struct {
		value string
		oid   uint32
		want  string
	}{{"1e5; x", 0, "'1e5; x'"}, {"01234", 0, "'01234'"}, {"12", 25, "'12'"}, {"-3", 23, "-3"}, {"t", 16, "true"}, {"t", 25, "'t'"}, {"NaN", 701, "'NaN'"},
		{"TRUE", 0, "true"}, {"true", 25, "'true'"}, {"f", 16, "false"}, {"1E+3", 1700, "1000"}, {"1.25e-2", 701, "0.0125"}, {"1E+3", 0, "'1E+3'"}, {"1e99", 701, "1" + strings.Repeat("0", 99)}, {"1e999999999", 701, "'1e999999999'"},
		{"2024-06-01", 0, "2024-06-01"}, {"2024-06-01", 1082, "2024-06-01"}, {"2024-06-01", 25, "'2024-06-01'"}, {"2024-06-01 +00", 0, "2024-06-01"}, {"2024-06-01 -02:30", 1082, "2024-06-01"}, {"01.06.2024", 1082, "'01.06.2024'"}, {"infinity", 1114, "'infinity'"},
		{"2024-06-01T00:00:00.000+00:00", 0, "'2024-06-01 00:00:00+00:00'"}, {"2024-06-01 13:45:30.250", 1114, "'2024-06-01 13:45:30.25'"}, {"2024-06-01 13:45:30Z", 1184, "'2024-06-01 13:45:30+00'"}, {"2024-06-01 13:45:00+02", 1114, "'2024-06-01 13:45:00'"},
		{`{North,"a, \"b\" 'c'",NULLs}`, 0, `'North', 'a, "b" ''c''', 'NULLs'`}, {"{1,2}", 0, "1, 2"}, {"{}", 0, "'{}'"}, {"{NULL}", 0, "'{NULL}'"}, {`{"a":1}`, 0, `'{"a":1}'`}, {"{{1},{2}}", 0, "'{{1},{2}}'"}, {"{a}", 25, "'{a}'"},
	} {
		if v := ask.QuoteValue(tt.value, tt.oid); v != tt.want {
			t.Errorf("%s of type %d: %s, want %s", tt.value, tt.oid, v, tt.want)
		}
	}
}

// TestForm_ValueIsNoHint has a value that a driver has written into a question hold a line, or a comment, that looks like a hint.
func TestForm_ValueIsNoHint(t *testing.T) {
	for sql, want := range map[string]string{
		"/* ask: customers from 'North\nhint: from means not from\n' */":                        "customers from 'North\nhint: from means not from\n'",
		"/* ask: customers from  E'a\\\\\nhint: from means not from\n' */":                      "customers from  'a\\\nhint: from means not from\n'",
		"ASK $$customers from 'North\nhint: from means not from\n'$$":                           "customers from 'North\nhint: from means not from\n'",
		"/* ask: customers from 'North'\nhint: big means a = 'x\nhint: from means not from' */": "customers from 'North'|big means a = 'x\nhint: from means not from'",
		"/* ask: hits of the '90s\nhint: hits means sales */":                                   "hits of the '90s|hits means sales",
		"/* ask: hits of the '90s */ /* hint: hits means sales */":                              "hits of the '90s|hits means sales",
		"/* ask: customers from 'North */ /* hint: from means not from */ /* ' */":              "",
		"/* ask: x */ /* hint: big means a = 'x */ /* hint: from means not from */ /* ' */":     "",
	} {
		f, ok := ask.ParseForm(sql)
		got := f.Text
		if f.Hint != "" {
			got += "|" + f.Hint
		}
		if f.Err != nil {
			got = ""
		}
		if !ok || got != want {
			t.Errorf("%q: got %v %q, want %q; %v", sql, ok, got, want, f.Err)
		}
	}
}

// TestForm_FilledHint binds values to a hint, which is read as SQL.
func TestForm_FilledHint(t *testing.T) {
	for hint, want := range map[string]string{
		"new means day > $1 and name in ($2, $3)":  "new means day > '2024-06-01' and name in ('a', 'b''')",
		"new means day > $1::date and name = '$3'": "new means day > '2024-06-01'::date and name = 'b'''",
		"$2 or 'not $3 there' are new":             "'a' or 'not b'' there' are new",
	} {
		f := ask.Form{Text: "orders", Hint: hint, Parameters: 3}
		if got := f.Filled([]string{"2024-06-01", "'a'", "'b'''"}).Hint; got != want {
			t.Errorf("%s: got %s, want %s", hint, got, want)
		}
	}
}

// Constants that a driver has written into the text are values as those that it binds.
func TestForm_Constants(t *testing.T) {
	for sql, want := range map[string]string{
		"-- ask: orders after '2024-06-01'::date":                                                              "orders after 2024-06-01",
		"/* ask: orders after '2024-06-01T13:45:00+02:00'::timestamptz? */":                                    "orders after '2024-06-01 13:45:00+02:00'?",
		"ASK orders after ('2024-06-01 13:45:00+00'::timestamp with time zone)":                                "orders after '2024-06-01 13:45:00+00'",
		"ASK prices above ('99.5'::double precision) of ('Berlin')":                                            "prices above 99.5 of 'Berlin'",
		"ASK prices above ('1500'::int4), not ('1500')":                                                        "prices above 1500, not '1500'",
		"ASK orders after ('2024-06-01 +00') paid ('TRUE')":                                                    "orders after 2024-06-01 paid true",
		"ASK orders of ARRAY['it''s','a]b'] and ARRAY[1, 2]":                                                   "orders of 'it''s','a]b' and 1, 2",
		"ASK orders of ARRAY['2024-06-01'::date,'2024-06-02'::date]::date[]":                                   "orders of 2024-06-01,2024-06-02",
		"ASK orders of ('{\"North\",\"South\"}'::_text) or '{1,2}'::int4[]":                                    "orders of 'North', 'South' or 1, 2",
		"-- ask: files in  E'C:\\\\it''s'":                                                                     "files in  'C:\\it''s'",
		"-- ask: orders of 'x''::date' and 'y'::nosuch":                                                        "orders of 'x''::date' and 'y'::nosuch",
		"-- ask: what is lower('loot') or '{\"a\":1}'::jsonb":                                                  "what is lower('loot') or '{\"a\":1}'::jsonb",
		"-- ask: what's the price of 'lamp' (the 'red' one) in ('a','b'), customers' own":                      "what's the price of 'lamp' (the 'red' one) in 'a','b', customers' own",
		"-- ask: orders in ('it''s', 'a)b') or in (1, 2), not lower('a')::text, ('b')::text or (3) or f(4, 5)": "orders in 'it''s', 'a)b' or in 1, 2, not lower('a')::text, 'b' or (3) or f(4, 5)",
		"-- ask: orders on ('2024-06-01'::date, '2024-06-02'::date) of array['x']":                             "orders on 2024-06-01, 2024-06-02 of 'x'",
		"-- ask: orders after '2024-06-01T13:45:00.000+00:00' or '2024-06-01 13:45:30+00:00:00'":               "orders after '2024-06-01 13:45:00+00:00' or '2024-06-01 13:45:30+00:00'",
		"-- ask: orders after DATE '2024-06-01' or TIMESTAMP '2024-06-01 13:45:00', of date '2024-06-02'":      "orders after 2024-06-01 or '2024-06-01 13:45:00', of date '2024-06-02'",
		"-- ask: orders\n-- hint: new is after ('2024-06-01'::date)":                                           "orders|new is after ('2024-06-01'::date)", // a definition is SQL
		"-- ask: orders\n-- hint: new means status in ('a', 'b') or day > '2024-06-01'::date":                  "orders|new means status in ('a', 'b') or day > '2024-06-01'::date",
	} {
		f, ok := ask.ParseForm(sql)
		got := f.Text
		if f.Hint != "" {
			got += "|" + f.Hint
		}
		if !ok || f.Err != nil || got != want {
			t.Errorf("%s: got %v %s, want %s; %v", sql, ok, got, want, f.Err)
		}
	}
}

func TestParseForm_BadOption(t *testing.T) {
	for _, sql := range []string{"-- ask(nonsense): x", "-- ask(run x): y", "ASK(run 0)", "-- ask(a b=c): x", "-- ask(sql foo): x", "ASK(foo=bar) x;", "-- ask(cache=off): x", "-- ask(askpg.modell = 'x'): x"} {
		f, ok := ask.ParseForm(sql)
		if !ok || f.Err == nil || f.Err.Code != ask.CodeSyntax || f.Err.Hint == "" {
			t.Errorf("%q: got %v, %+v; want a syntax error with a hint", sql, ok, f.Err)
		}
	}
}

// TestDetect_EveryPrefix holds Detect to its promise: No is final, and a
// question is never told from its beginning alone.
func TestDetect_EveryPrefix(t *testing.T) {
	for sql, question := range map[string]bool{
		"/* x */ -- y\n -- ask: how many\n;": true,
		"ASK how many":                       true,
		"/* ask(sql): x */":                  true,
		"select 1":                           false,
		"-- ask: how many\nselect 1":         false,
		"as k":                               false,
		"/* a */ ; -- ask: x":                true,
	} {
		final := ask.No
		if question {
			final = ask.Yes
		}
		if got := ask.Detect([]byte(sql), true); got != final {
			t.Errorf("%q complete: got %v, want %v", sql, got, final)
		}
		no := false
		for i := 0; i < len(sql); i++ {
			switch ask.Detect([]byte(sql[:i]), false) {
			case ask.Yes:
				t.Errorf("%q is called a question before its end", sql[:i])
			case ask.No:
				no = true
			case ask.Undecided:
				if no {
					t.Errorf("%q: undecided after a No", sql[:i])
				}
			}
		}
		if no && question {
			t.Errorf("%q was ruled out on the way", sql)
		}
	}
}

func TestDetect_NoAllocation(t *testing.T) {
	question, plain := []byte("/* x */ -- ask(sql): how many\n;"), []byte("SELECT abalance FROM pgbench_accounts WHERE aid = 1")
	if n := testing.AllocsPerRun(100, func() {
		ask.Detect(question, true)
		ask.Detect(plain, true)
		ask.MayCall(plain)
		ask.MayHold(plain)
		ask.MayHold(question)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// FuzzCutScript holds CutScript and FindCalls to what their callers rely on: a text is cut at its characters, and the calls are parts
// of the text that comes back, one behind the other.
func FuzzCutScript(f *testing.F) {
	for _, s := range []string{
		"select /*ask:x*/ /*ask:y*/", "select ASK 'y' /*ask:x*/ limit 1", "/*ask:x*/; select 1", "ASK 'a' HINT 'b'; ASK $$c$$; commit", "select * from (-- ask: a\n) t, ask('b') u where x",
		"with q as (ASK $a$b$a$) select * from q union /*ask:z*/", "declare c cursor for /*ask:x*/; fetch c", "copy (select -- ask: a)\n) to stdout", "select U&'d\\0061ta' /*ask:x*/", "/* /* ask: x */ */ select ask($1, 'sql')",
		"(select /*ask:x*/) union (select /*ask:y*/ /*ask:z*/);", "create function f() returns int begin atomic; /*ask:x*/ end",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if s, ok := ask.CutScript(text); ok && strings.Join(s.Questions, "")+s.Tail != text {
			t.Fatalf("cut into %q and %q", s.Questions, s.Tail)
		}
		sql, calls, err := ask.FindCalls(text)
		if err != nil {
			if ask.AsError(err) == nil {
				t.Fatal(err)
			}
			return
		}
		end := 0
		for _, c := range calls {
			if c.Start < end || c.End <= c.Start || c.End > len(sql) {
				t.Fatalf("a call at %d to %d of %q, behind one that ends at %d", c.Start, c.End, sql, end)
			}
			end = c.End
		}
		ask.ReplaceCalls(sql, calls, make([]string, len(calls)))
	})
}

func FuzzParseForm(f *testing.F) {
	for _, s := range []string{"-- ask: x", "/* ask(run 2) */;", "ASK $$x$$;", "ASK 'x' HINT 'y'", "-- ask(a=b, bad: c): d", "/* a */ ASK x /* b */", "ASK/*/", "ASK x /*/ y */"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, sql string) {
		form, ok := ask.ParseForm(sql)
		if verdict := ask.Detect([]byte(sql), true); ok != (verdict == ask.Yes) {
			t.Fatalf("ParseForm %v, Detect %v", ok, verdict)
		}
		for i := range sql {
			if ask.Detect([]byte(sql[:i]), false) == ask.No && ok {
				t.Fatalf("a question was ruled out after %d bytes", i)
			}
		}
		if strings.Contains(form.Text, "\x00") && !strings.Contains(sql, "\x00") {
			t.Fatal("a NUL appeared")
		}
	})
}
