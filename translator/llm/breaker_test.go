package llm

import (
	"testing"
	"testing/synctest"
	"time"
)

// The circuit opens after failures in a row, stays open for the cooldown, and then
// lets one request at a time try.
func TestBreaker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &breaker{limit: 2, cooldown: time.Minute}
		// fails lets a request out, which fails.
		fails := func() {
			t.Helper()
			if wait, ok := b.allow(); !ok {
				t.Fatalf("the circuit is open for %s", wait)
			}
			b.done(failing)
		}
		// closed says that no request may go out for so long.
		closed := func(want time.Duration) {
			t.Helper()
			if wait, ok := b.allow(); ok || wait != want {
				t.Fatalf("allowed: %v, or after %s; want to wait %s", ok, wait, want)
			}
		}
		fails()
		b.done(healthy)
		fails()
		if b.isOpen() {
			t.Fatal("open after failures that are not in a row")
		}
		fails()
		closed(time.Minute)
		time.Sleep(time.Minute - 1)
		closed(1)
		time.Sleep(time.Nanosecond)
		if _, ok := b.allow(); !ok {
			t.Fatal("nobody tries after the cooldown")
		}
		closed(0) // beside the one that tries
		b.done(unknown)
		fails() // what was canceled leaves the try to the next
		closed(time.Minute)
		time.Sleep(time.Minute)
		if _, ok := b.allow(); !ok {
			t.Fatal("nobody tries after the second cooldown")
		}
		b.done(healthy)
		if b.isOpen() {
			t.Fatal("still open though the model is back")
		}
	})
}
