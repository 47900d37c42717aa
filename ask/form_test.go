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
		{"/* Username: ann */ /* ask: how many users */ /*traceparent='00-1'*/", ask.Form{Text: "how many users", Annotations: []string{"Username: ann", "traceparent='00-1'"}}},
		{"/* a /* nested */ one */ -- ask: how many", ask.Form{Text: "how many", Annotations: []string{"a /* nested */ one"}}},
		{"ASK $$what's our best month?$$;", ask.Form{Text: "what's our best month?"}},
		{"ask $q$a $$ b$q$", ask.Form{Text: "a $$ b"}},
		{"ASK 'what''s new'", ask.Form{Text: "what's new"}},
		{"ASK 'how many' HINT 'count them';", ask.Form{Text: "how many", Hint: "count them"}},
		{"ASK how many users are there;", ask.Form{Text: "how many users are there"}},
		{"ASK how many users /* trace */ ;", ask.Form{Text: "how many users", Annotations: []string{"trace"}}},
		{"ASK how many; DROP TABLE users;", ask.Form{Text: "how many; DROP TABLE users"}},
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

func TestParseForm_BadOption(t *testing.T) {
	for _, sql := range []string{"-- ask(nonsense): x", "-- ask(run x): y", "ASK(run 0)", "-- ask(a b=c): x", "-- ask(sql foo): x"} {
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
		"/* a */ ; -- ask: x":                false,
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
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
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
