package proxy

import (
	"errors"
	"testing"

	"askpg/proxy/eventloop"
)

// A session may be ended before its event loop waits for the connections: what comes then is left to begin.
func TestLoopDriver_NotBegun(t *testing.T) {
	l, err := newLoop(eventloop.Options{})
	if errors.Is(err, eventloop.ErrUnsupported) {
		t.Skip("there is no event loop in this program")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	d := &loopDriver{s: &session{}, loop: l}
	d.kill(errShutdown)
	d.drain()
	d.closeServer()
	if err := d.sendClient([]byte("x")); !errors.Is(err, errClientLeft) {
		t.Error(err)
	}
	if err := d.sendServer([]byte("x")); !errors.Is(err, errServerLeft) {
		t.Error(err)
	}
}
