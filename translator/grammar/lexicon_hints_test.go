package grammar_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"askpg/ask"
	"askpg/eval"
	"askpg/translator/grammar"
)

// TestInterpret_Hints asks with what a hint defines: conditions, aggregates, and words for words.
func TestInterpret_Hints(t *testing.T) {
	dbs := schemas(t, "academy", "garage")
	for _, q := range []struct{ schema, question, hint, gold string }{
		{"academy", "how many long courses are there", "long means weeks > 4", `SELECT 2`},
		{"academy", "which courses are long", `"long" means weeks > 4`, `SELECT 'Light' UNION ALL SELECT 'Colour'`},
		{"academy", "big classes per course", "big = capacity >= 10", `SELECT 'Light', 2`},
		{"academy", "takings by learner", "takings = sum(amount)", `SELECT 'Flo Gray', 10 UNION ALL SELECT 'Guy Holt', 20 UNION ALL SELECT 'Hal Ives', 30`},
		{"academy", "number of quitters", "quitters stands for enrolments with status dropped", `SELECT 2`},
		{"academy", "how many long courses", "ask me first\nlong means weeks > 4; anything", `SELECT 2`},
		{"garage", "number of stuck jobs", "stuck is completed_on IS NULL AND status = 'waiting'", `SELECT 2`},
		{"garage", "outlay per make", "outlay: sum(cost)", `SELECT 'Scania', 300 UNION ALL SELECT 'Volvo', sum(cost) FROM jobs WHERE lorry_id <> 2`},
		{"garage", "how many rushed jobs were there", "rushed means rsh = 'Y'", `SELECT 2`},
		// a condition over no column of a table, or over something else, defines nothing
		{"academy", "how many long courses are there", "long means length > 4", ""},
		{"academy", "how many long courses are there", "long means weeks", ""},
		{"academy", "how many long courses are there", "long means weeks > (SELECT 4)", ""},
		{"academy", "how many long courses are there", "always compare texts without case", ""},
		// what is no single expression is none at all
		{"academy", "how many long courses are there", "long means weeks > 1) UNION SELECT (weeks > 4", ""},
		{"academy", "how many long courses are there", "long means weeks > 4), (weeks", ""},
		{"academy", "how many long courses are there", "long means weeks > 4 FROM courses WHERE (true", ""},
		{"academy", "how many long courses are there", "long means courses.weeks > 4", `SELECT 2`},
		{"academy", "zeal by learner", "zeal = sum(amount), count(*)", ""},
		{"academy", "zeal by learner", "zeal = sum(amount) -- hides the rest", ""},
		{"academy", "how many long courses are there", "long means weeks > 4 /* or more */", ""},
		// nor do a line's end and ; within a constant end a definition, and what a constant holds names nothing
		{"academy", "how many long courses are there", "long means weeks > 4 and title <> 'a; long means weeks > 0 -- '", `SELECT 2`},
		{"academy", "how many long courses are there", "long means weeks > 4 and title <> 'a\nlong means weeks > 0\n'", `SELECT 2`},
		{"academy", "how many long courses are there", "'long means weeks > 4 or title = ' means weeks > 5", ""},
	} {
		s := dbs[q.schema]
		got, err := grammar.Interpret(q.question, q.hint, s.snap, grammar.Options{Now: now, Location: time.UTC})
		if q.gold == "" {
			if err == nil {
				t.Errorf("%s: %q with %q is read as %s", q.schema, q.question, q.hint, got[0].SQL)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %q with %q: %v", q.schema, q.question, q.hint, err)
			continue
		}
		want, err := run(s.conn, q.gold)
		if err != nil {
			t.Fatal(err)
		}
		if r, err := run(s.conn, got[0].SQL); err != nil || !eval.Compare(want, r, false).Perm {
			t.Errorf("%s: %q with %q is read as %s (%v)", q.schema, q.question, q.hint, got[0].SQL, err)
		}
	}
}

// TestUnread tells which lines of a hint define nothing.
func TestUnread(t *testing.T) {
	s := schemas(t, "academy")["academy"].snap
	hint := "long means weeks > 4\nAlways compare texts without case.\nVIPs means learners with at least 2 enrolments; cheap = price < 5; = ; means ;;"
	want := []string{"Always compare texts without case", "cheap = price < 5", "=", "means"}
	if got := grammar.Unread(hint, s); !slices.Equal(got, want) {
		t.Errorf("got %s, want %s", strings.Join(got, " | "), strings.Join(want, " | "))
	}
}

// TestInterpret_HintOfFollowUp follows up on a question whose words a hint defines, and defines one of them anew.
func TestInterpret_HintOfFollowUp(t *testing.T) {
	s := schemas(t, "academy")["academy"]
	for _, q := range []struct{ previous, question, hint, gold string }{
		{"how many long courses are there", "only Light", "long means weeks > 4", "SELECT 1"},
		{"how many quitters", "by class", "quitters means dropped enrolments", "SELECT class_id, count(*) FROM enrolments WHERE status = 'dropped' GROUP BY 1"},
		{"", "how many long courses are there", "long means weeks > 4\nlong means weeks > 0", "SELECT 2"},
		{"", "how many long courses are there", "long means weeks > 4\nlong means Light", "SELECT 2"},
	} {
		got, err := grammar.Interpret(q.question, q.hint, s.snap, grammar.Options{Now: now, Location: time.UTC, Previous: q.previous})
		if err != nil {
			t.Errorf("%q behind %q: %v", q.question, q.previous, err)
			continue
		}
		want, err := run(s.conn, q.gold)
		if err != nil {
			t.Fatal(err)
		}
		if r, err := run(s.conn, got[0].SQL); err != nil || got[0].Near || len(got) > 1 && got[1].Near || !eval.Compare(want, r, false).Perm {
			t.Errorf("%q behind %q is read as %s (%v)", q.question, q.previous, got[0].SQL, err)
		}
	}
}

// TestReadHint_Grows has each line of a hint make the question eight times as long.
func TestReadHint_Grows(t *testing.T) {
	s := schemas(t, "academy")["academy"].snap
	hint := strings.Repeat("long means"+strings.Repeat("  long", 8)+"\n", 20)
	if unread := grammar.Unread(hint, s); len(unread) != 0 {
		t.Errorf("%d lines are not read of a hint for an empty question", len(unread))
	}
	_, err := grammar.Interpret("how many long courses are there", hint, s, grammar.Options{Now: now, Location: time.UTC})
	if ask.CodeOf(err) != ask.CodeNoCandidate {
		t.Error(err)
	}
}

// TestInterpret_HowToDefine has a refusal show how the word that it names may be defined.
func TestInterpret_HowToDefine(t *testing.T) {
	s := schemas(t, "academy")["academy"].snap
	_, err := grammar.Interpret("how many zippy enrolments", "", s, grammar.Options{Now: now, Location: time.UTC})
	if e := ask.AsError(err); e == nil || !strings.Contains(e.Hint, "hint: zippy means status = '…'.") {
		t.Errorf("%+v", e)
	}
}

// TestInterpret_Repeats asks with one word over and over, which each place may take in many ways.
func TestInterpret_Repeats(t *testing.T) {
	s := schemas(t, "academy")["academy"].snap
	for _, words := range []string{" courses", " course in"} {
		n := testing.AllocsPerRun(1, func() {
			_, _ = grammar.Interpret("how many"+strings.Repeat(words, 110/len(strings.Fields(words))), "", s, grammar.Options{Now: now, Location: time.UTC})
		})
		if n > 1e6 {
			t.Errorf("%q takes %.0f allocations", words, n)
		}
	}
}
