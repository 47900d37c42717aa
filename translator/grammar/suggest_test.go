package grammar_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"askpg/ask"
	"askpg/eval"
	"askpg/translator/grammar"
)

var quotedPattern = regexp.MustCompile(`"([^"]+)"`)

// A refusal names what was not understood, and what it suggests has an answer.
func TestInterpret_Suggests(t *testing.T) {
	dbs := schemas(t)
	for _, q := range []struct{ schema, question, says, suggests string }{
		{"library", "how many books with dragons are there", "dragons", "how many books"},
		{"library", "number of loans per weekday", "weekday", "number of loans"},
		{"library", "average pages of novels in Leeds", "", "average pages"},
		{"library", "what's our best month", "", "total fine of loans per month"},
		{"library", "pages by genre", "say total", ""},
		{"tours", "attendence per bandd", "", "per"},
		{"tours", "how many concerts were there under the moon", "moon", "how many concerts"},
		{"tours", "current concerts", "status", "concerts"},
		{"tours", "wie viele konzerte gab es", "English", ""},
		{"clinic", "average salary of doctors with a yacht", "yacht", "average salary of doctors"},
		{"clinic", "visits per month by moon phase", "moon", "visits per month"},
		{"clinic", "salary by department", "average", ""},
	} {
		snap := dbs[q.schema].snap
		list, err := grammar.Interpret(q.question, "", snap, grammar.Options{Now: now, Location: time.UTC, Suggest: true})
		e := ask.AsError(err)
		if e == nil {
			if q.says != "" {
				t.Errorf("%s: %q is read as %v", q.schema, q.question, list)
			}
			continue
		}
		if !strings.Contains(e.Detail, q.says) || !strings.Contains(e.Hint, q.suggests) {
			t.Errorf("%s: %q: %s\n%s", q.schema, q.question, e.Detail, e.Hint)
		}
		if !strings.HasPrefix(e.Hint, "These have an answer") {
			continue
		}
		for _, m := range quotedPattern.FindAllStringSubmatch(e.Hint, -1) {
			if _, err := grammar.Interpret(m[1], "", snap, grammar.Options{Now: now, Location: time.UTC}); err != nil {
				t.Errorf("%s: %q suggests %q, which has no answer: %v", q.schema, q.question, m[1], err)
			}
		}
	}
}

// A follow-up changes the question that it follows up on.
func TestInterpret_FollowUp(t *testing.T) {
	dbs := schemas(t)
	for _, q := range []struct{ schema, previous, question, gold string }{
		{"library", "how many loans in 2023", "and in 2024?", `SELECT 3`},
		{"library", "number of books by genre", "per author instead", `SELECT a.name, count(*) FROM books b JOIN authors a ON a.id = b.author_id GROUP BY a.id, 1`},
		{"library", "how many readers", "only from York", `SELECT 2`},
		{"tours", "how many concerts in 2024", "what about only the cancelled ones", `SELECT 2`},
		{"tours", "attendance per band", "by venue", `SELECT v.name, sum(attendance) FROM concerts c JOIN venues v ON v.id = c.venue_id GROUP BY v.id, 1`},
		{"clinic", "how many visits in 2023", "and in 2024", `SELECT 3`},
		{"clinic", "how many visits in 2023", "only the cancelled ones", `SELECT 1`},
		{"clinic", "how many patients from Oslo", "and from Bergen?", `SELECT count(*) FROM "Patients" WHERE city = 'Bergen'`},
		{"clinic", "number of done visits", "and cancelled ones?", `SELECT 1`},
		{"clinic", "how many transfers from Cardiology", "and to Radiology?", `SELECT 1`},
		{"clinic", "how many transfers from Cardiology to Surgery", "and to Radiology?", `SELECT 1`},
		{"clinic", "how many transfers from Cardiology to Surgery", "and Radiology?", ``},
		{"clinic", "how many patients live in Oslo or Bergen", "and Tromsø?", ``},
		{"clinic", "how many visits in 2023", "and in 2023 and 2024?", `SELECT 7`},
		{"library", "how many readers from York", "and in Leeds", ``},
		{"library", "number of novel books", "what about the poetry ones", `SELECT 1`},
		{"tours", "how many concerts in Hull", "and in Bath?", `SELECT 2`},
		{"tours", "how many concerts in Hull", "Bath?", `SELECT 2`},
		{"tours", "how many cancelled concerts in Hull", "and in Bath?", `SELECT 1`},
		{"tours", "number of played concerts", "and cancelled ones?", `SELECT 2`},
	} {
		s := dbs[q.schema]
		list, err := grammar.Interpret(q.question, "", s.snap, grammar.Options{Now: now, Location: time.UTC, Previous: q.previous})
		if q.gold == "" && ask.CodeOf(err) == ask.CodeNoCandidate {
			continue
		}
		if err != nil || q.gold == "" {
			t.Errorf("%s: %q after %q: %v, %v", q.schema, q.question, q.previous, list, err)
			continue
		}
		want, err := run(s.conn, q.gold)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := run(s.conn, list[0].SQL); err != nil || !eval.Compare(want, got, false).Perm {
			t.Errorf("%s: %q after %q is read as %s (%v)", q.schema, q.question, q.previous, list[0].SQL, err)
		}
	}
}
