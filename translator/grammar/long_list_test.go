package grammar_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"askpg/translator/grammar"
)

// TestInterpret_LongList has a question that lists the same words again and again. Each of them may be any of many columns, and reading
// all the ways to go on takes hours.
func TestInterpret_LongList(t *testing.T) {
	s := fuzzSnapshot()
	words := slices.Repeat([]string{"name", "city", "age", "state"}, 14)
	began := time.Now()
	_, _ = grammar.Interpret("patients, "+strings.Join(words, ", "), "", s, grammar.Options{Suggest: true})
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("a long list is read in %v", took)
	}
}
