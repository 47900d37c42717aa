package grammar_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"askpg/ask"
	"askpg/translator/grammar"
)

// TestInterpret_Repeated: what is said again and again is read in a time that does not double with each.
func TestInterpret_Repeated(t *testing.T) {
	s := schemas(t)["tours"]
	for _, q := range []string{strings.Repeat("for each band ", 30) + "how many concerts", strings.Repeat("for each band, ", 30) + "concerts", strings.Repeat("fans who bought tickets that are ", 15) + "cheap"} {
		done := make(chan bool)
		go func() {
			_, _ = grammar.Interpret(q, "", s.snap, grammar.Options{Now: now, Location: time.UTC})
			close(done)
		}()
		select {
		case <-done:
		case <-time.After(time.Minute):
			t.Fatalf("%.40s… is read for a minute", q)
		}
	}
}

// TestInterpret_Stopped: a reading that nobody waits for ends, and is no answer.
func TestInterpret_Stopped(t *testing.T) {
	s := schemas(t, "tours")["tours"]
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	list, err := grammar.Interpret("how many fans are there", "", s.snap, grammar.Options{Now: now, Location: time.UTC, Context: ctx})
	if ask.CodeOf(err) != ask.CodeQueryCanceled || len(list) > 0 {
		t.Errorf("%v, %v", list, err)
	}
}
