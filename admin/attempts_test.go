package admin

import (
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

// TestAttempts looks at how long wrong tokens have to wait, of which addresses, and that
// addresses without end take no memory without end.
func TestAttempts(t *testing.T) { synctest.Test(t, testAttempts) }

func testAttempts(t *testing.T) {
	a := newAttempts()
	from := func(address string) *http.Request { return &http.Request{RemoteAddr: address} }
	for i, want := range []time.Duration{0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60} {
		a.recordFailure(from("192.0.2.1:1000"))
		if got := a.wait(from("192.0.2.1:2000")); got != want*time.Second {
			t.Errorf("after %d wrong tokens: %s", i+1, got)
		}
	}
	if got := a.wait(from("192.0.2.2:1000")); got != 0 {
		t.Errorf("another address waits %s", got)
	}
	for i := range 6 {
		a.recordFailure(from(fmt.Sprintf("[2001:db8::%d]:1000", i)))
	}
	if a.wait(from("[2001:db8::ffff]:1")) == 0 || a.wait(from("[2001:db8:0:1::1]:1")) != 0 {
		t.Error("addresses of IPv6 do not count by their first 64 bits")
	}
	time.Sleep(forgetAttempts + time.Second)
	a.recordFailure(from("192.0.2.1:1000"))
	if got := a.wait(from("192.0.2.1:1000")); got != 0 {
		t.Errorf("long after: %s", got)
	}
	for i := range 2 * maxAttempts {
		a.recordFailure(from(fmt.Sprintf("10.%d.%d.%d:1", i>>16, i>>8&255, i&255)))
		time.Sleep(time.Microsecond)
	}
	if len(a.from) > maxAttempts {
		t.Errorf("%d addresses are remembered", len(a.from))
	}
}
