package proxy_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"askpg/ask"
	"askpg/proxy"
)

// counter is a server that takes cancel requests and does nothing.
type counter struct {
	net.Listener
	requests atomic.Int64
}

func newCounter(t *testing.T) *counter {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &counter{Listener: l}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			c.requests.Add(1)
			_, _ = io.CopyN(io.Discard, conn, 16)
			conn.Close()
		}
	}()
	t.Cleanup(func() { l.Close(); <-done })
	return c
}

// outcomes returns askpg_cancels_total by outcome.
func outcomes(t *testing.T, registry *prometheus.Registry) map[string]int {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]int{}
	for _, f := range families {
		if f.GetName() == "askpg_cancels_total" {
			for _, m := range f.GetMetric() {
				out[m.GetLabel()[0].GetValue()] = int(m.GetCounter().GetValue())
			}
		}
	}
	return out
}

// Of a cancel request that reaches another instance than the session's, the
// session's decides as of its own, and it alone: nothing reaches the server
// from the other one.
func TestCancel_AnotherInstance(t *testing.T) {
	ours, theirs := prometheus.NewRegistry(), prometheus.NewRegistry()
	b := startWith(t, ours, nil)
	primary := newCounter(t)
	other := startWith(t, theirs, func(c *proxy.Config) {
		c.Primary.Address, c.Primary.SSLMode = primary.Addr().String(), "disable"
	})
	other.ForeignCancel = func(_ context.Context, key []byte) (bool, error) {
		rest, here := b.CancelMatching(func(k []byte) bool { return bytes.Equal(k, key) })
		if rest != nil {
			rest()
		}
		return here, nil
	}
	f := dial(t, b.addr, sampleDB(t))
	const n = 5
	for range n {
		f.send(query("-- ask: wait"))
		<-b.fake.started
		f.cancel(other.addr)
		if got := f.trace(1); got != cancelled+"\nZ I" {
			t.Fatalf("a question: %s", got)
		}
		if err := <-b.fake.ended; !errors.Is(err, context.Canceled) {
			t.Fatalf("the translator ended with %v", err)
		}

		f.cancel(other.addr)
		f.send(query("select pg_sleep(0.01)"))
		if got := f.trace(1); strings.Contains(got, "57014") {
			t.Fatalf("a late cancel hit: %s", got)
		}

		f.send(query("select pg_sleep(30)"))
		b.sleeping(f)
		f.cancel(other.addr)
		if got := f.trace(1); !strings.Contains(got, cancelled) {
			t.Fatalf("a statement: %s", got)
		}
	}
	if got := primary.requests.Load(); got != 0 {
		t.Errorf("%d requests went to the server from the other instance as well", got)
	}
	if got := outcomes(t, ours); got["question"] != n || got["late"] != n || got["forwarded"] != n {
		t.Errorf("outcomes of the session's instance: %v", got)
	}
	if got := outcomes(t, theirs); got["elsewhere"] != 3*n || got["question"]+got["late"]+got["forwarded"] != 0 {
		t.Errorf("outcomes of the other instance: %v", got)
	}
}

// What no instance takes over goes to the server.
func TestCancel_NobodysSession(t *testing.T) {
	for _, tt := range []struct {
		name string
		told func(ctx context.Context, key []byte) (bool, error)
	}{
		{"nobody says it is theirs", func(context.Context, []byte) (bool, error) { return false, nil }},
		{"nobody can be asked", func(context.Context, []byte) (bool, error) { return false, errors.New("the store is away") }},
		{"no word for all its time", func(ctx context.Context, _ []byte) (bool, error) { <-ctx.Done(); return false, ctx.Err() }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			registry := prometheus.NewRegistry()
			primary := newCounter(t)
			b := startWith(t, registry, func(c *proxy.Config) {
				c.Primary.Address, c.Primary.SSLMode = primary.Addr().String(), "disable"
				c.Listen.CancelTimeout = ask.Duration(3 * time.Second)
			})
			b.ForeignCancel = tt.told
			f := &frontend{t: t, pid: 1, key: 1234}
			f.cancel(b.addr)
			if got := primary.requests.Load(); got != 1 {
				t.Errorf("%d requests reached the server", got)
			}
			if got := outcomes(t, registry); got["forwarded"] != 1 || got["question"]+got["late"]+got["elsewhere"] != 0 {
				t.Errorf("outcomes: %v", got)
			}
		})
	}
}
