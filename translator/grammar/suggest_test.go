package grammar_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"askpg/ask"
	"askpg/translator/grammar"
)

var quotedPattern = regexp.MustCompile(`"([^"]+)"`)

// A refusal names what was not understood, and what it suggests has an answer.
func TestInterpret_Suggests(t *testing.T) {
	dbs := schemas(t)
	for _, q := range []struct{ schema, question, says, suggests string }{
		{"library", "how many books with dragons are there", "dragons", "how many books"},
		{"library", "number of loans per moon phase", "moon", "number of loans"},
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

// Each example has an answer.
func TestExamples(t *testing.T) {
	for name, s := range schemas(t, "library", "tours", "clinic") {
		list := grammar.Examples(s.snap, grammar.Options{Now: now, Location: time.UTC})
		if len(list) < 5 {
			t.Errorf("%s has the examples %v", name, list)
		}
		for _, e := range list {
			if _, err := grammar.Interpret(e.Question, "", s.snap, grammar.Options{Now: now, Location: time.UTC}); err != nil || e.Relation == nil {
				t.Errorf("%s: %q: %v", name, e.Question, err)
			}
		}
	}
}
