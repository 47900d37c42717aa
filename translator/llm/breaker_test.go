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
		b := newBreaker(2, time.Minute)
		failure := &Error{kind: kindUnavailable, status: 503}
		// fails lets a request out, which fails.
		fails := func() {
			t.Helper()
			if wait, ok := b.allow(); !ok {
				t.Fatalf("the circuit is open for %s", wait)
			}
			b.done(failure)
		}
		// closed says that no request may go out for so long.
		closed := func(want time.Duration) {
			t.Helper()
			if wait, ok := b.allow(); ok || wait != want || b.up() {
				t.Fatalf("allowed: %v, or after %s; want to wait %s", ok, wait, want)
			}
		}
		fails()
		b.done(nil)
		fails()
		if b.now().State != Ready {
			t.Fatal("open after failures that are not in a row")
		}
		fails()
		began := time.Now()
		closed(time.Minute)
		if h := b.now(); h != (Health{Away, "unavailable (HTTP 503)", began}) {
			t.Fatalf("health is %v", h)
		}
		time.Sleep(time.Minute - 1)
		closed(1)
		time.Sleep(time.Nanosecond)
		if !b.up() {
			t.Fatal("nobody may try after the cooldown")
		}
		if _, ok := b.allow(); !ok {
			t.Fatal("nobody tries after the cooldown")
		}
		closed(0) // beside the one that tries
		b.done(&Error{kind: kindCanceled})
		fails() // what was canceled leaves the try to the next
		closed(time.Minute)
		if b.now().Since != began {
			t.Fatal("a failed try begins the state anew")
		}
		time.Sleep(time.Minute)
		if _, ok := b.allow(); !ok {
			t.Fatal("nobody tries after the second cooldown")
		}
		b.done(nil)
		if h := b.now(); h != (Health{Ready, "", time.Now()}) {
			t.Fatalf("still %v though the model is back", h)
		}
	})
}

// A key that is refused with 401 opens the circuit at once, one with 403 after
// failures in a row, as a 403 may be of one question. What else is rejected says nothing.
func TestBreaker_KeyRefused(t *testing.T) {
	for _, tt := range []struct {
		name   string
		err    Error
		states []State
	}{
		{"401", Error{kind: kindKeyRefused, status: 401}, []State{KeyRefused, KeyRefused}},
		{"403", Error{kind: kindKeyRefused, status: 403}, []State{Ready, KeyRefused}},
		{"404", Error{kind: kindRejected, status: 404}, []State{Ready, Away}},
		{"400", Error{kind: kindRejected, status: 400}, []State{Ready, Ready}},
	} {
		b := newBreaker(2, time.Minute)
		for i, want := range tt.states {
			b.allow()
			if _, h := b.done(&tt.err); h.State != want {
				t.Errorf("%s, request %d: %s, want %s", tt.name, i+1, h.State, want)
			}
		}
	}
}
