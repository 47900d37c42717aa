package grammar_test

import (
	"slices"
	"strings"
	"testing"

	"askpg/ask"
	"askpg/internal/warehouse"
	"askpg/translator/grammar"
)

// TestInterpret_LongList has a question that lists the same words again and again. Each of them may be any of many columns, and reading
// all the ways to go on takes hours.
func TestInterpret_LongList(t *testing.T) {
	s := fuzzSnapshot()
	words := slices.Repeat([]string{"name", "city", "age", "state"}, 14)
	question := "patients, " + strings.Join(words, ", ")
	if n := grammar.Steps(question, s); n > 31_000 {
		t.Errorf("a long list takes %d steps", n)
	}
	// It comes to its end, with what could be asked instead.
	if _, err := grammar.Interpret(question, "", s, grammar.Options{Suggest: true}); ask.AsError(err) == nil || ask.AsError(err).Code != ask.CodeNoCandidate {
		t.Errorf("a long list: %v", err)
	}
}

// TestInterpret_TooLong holds that no name is looked up for a question that is too long to be read.
func TestInterpret_TooLong(t *testing.T) {
	question, s := strings.Repeat("customer order status number date ", 2000), warehouse.Snapshot(400)
	for _, o := range []grammar.Options{{Suggest: true}, {Previous: "how many orders"}} {
		if _, err := grammar.Interpret(question, "", s, o); err == nil || !strings.Contains(err.Error(), "too long") {
			t.Error(err)
		}
	}
	if n := grammar.Mentioned(question, s); n > 0 {
		t.Errorf("%d names are looked up", n)
	}
}
