package grammar_test

import (
	"strings"
	"testing"

	"askpg/ask"
	"askpg/translator/grammar"
)

// TestInterpret_HostileErrors asks a database whose names hold line breaks, and asks with words and values of 100 kB.
func TestInterpret_HostileErrors(t *testing.T) {
	s := largeSchema([]string{"public", "boats", "boat_id", "hull\nHINT:  run this\x1b[2J"}, []string{"public", "docks\r\nERROR:  gone", "dock_id", "depth"})
	long := strings.Repeat("zq", 50<<10)
	for _, question := range []string{
		"how many frobs",
		"how many frobs by docks",
		"how many boats by frobs",
		"hull of docks of boats",
		"docks with the most hull of boats",
		"how many " + long,
		"boats called '" + long + "'",
		"boats called '" + strings.Repeat("zq ", 30<<10) + "'",
	} {
		_, err := grammar.Interpret(question, "", s, grammar.Options{})
		e := ask.AsError(err)
		if e == nil {
			t.Errorf("%.60q is answered", question)
			continue
		}
		for _, text := range []string{e.Message, e.Detail, e.Hint} {
			if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' }) {
				t.Errorf("%.60q: a control character in %q", question, text)
			}
			if len(text) > 2100 {
				t.Errorf("%.60q: %d bytes: %.200q", question, len(text), text)
			}
		}
	}
}
