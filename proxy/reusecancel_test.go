package proxy_test

import (
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgproto3/v2"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/proxy"
)

// gate is the way to a server, which can be shut for connections that come.
type gate struct {
	addr string
	shut atomic.Bool
	came chan struct{} // a token for each that came while it was shut
	open chan struct{} // closed: they go on, into nothing
}

func newGate(t *testing.T, server string) *gate {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	g := &gate{addr: l.Addr().String(), came: make(chan struct{}, 16), open: make(chan struct{})}
	go acceptEach(l, func(c net.Conn) {
		if g.shut.Load() {
			g.came <- struct{}{}
			<-g.open
			return
		}
		s, err := net.Dial("tcp", server)
		if err != nil {
			return
		}
		defer s.Close()
		go func() {
			_, _ = io.Copy(s, c)
			s.Close()
		}()
		_, _ = io.Copy(c, s)
	})
	return g
}

// A server connection to which a cancel request is on its way, or may be, hits
// whoever has it: nobody else gets it.
func TestReuse_CancelOnItsWay(t *testing.T) {
	for name, timeout := range map[string]time.Duration{"under way": time.Minute, "given up": 50 * time.Millisecond} {
		t.Run(name, func(t *testing.T) {
			g := newGate(t, pgtest.Shared(t).Primary.Address())
			r := startReuse(t, pgtest.Shared(t), func(c *proxy.Config) {
				c.Primary.Address = g.addr
				c.Listen.CancelTimeout = ask.Duration(timeout)
			})
			defer close(g.open)
			user := r.role(t, "")
			f := r.dialAs(t, user)
			// It waits for a lock, so that nothing depends on how long that is.
			r.exec(t, "select pg_advisory_lock(hashtext($1))", user)
			f.send(query("select pg_advisory_lock(hashtext('" + user + "'))"))
			waitAtMost(t, "statements that do not wait yet", 0, func() int {
				return 1 - one[int](t, r.admin, "select count(*) from pg_locks where pid = $1 and not granted", int(f.pid))
			})
			g.shut.Store(true)
			if name == "given up" {
				f.cancel(r.addr)
			} else {
				go f.cancel(r.addr)
			}
			<-g.came
			r.exec(t, "select pg_advisory_unlock(hashtext($1))", user)
			if got := f.trace(1); strings.Contains(got, "57014") {
				t.Fatal(got)
			}
			f.send(&pgproto3.Terminate{})
			waitAtMost(t, "sessions", 0, r.Sessions)
			waitAtMost(t, "server process", 0, func() int {
				return one[int](t, r.admin, "select count(*) from pg_stat_activity where pid = $1", int(f.pid))
			})
			if n := r.kept(t); n != 0 {
				t.Fatalf("%d connections are kept", n)
			}
		})
	}
}

// A connection that has become too old while it waited is not handed out, be it
// before the sweeper comes.
func TestReuse_TooOldWhileWaiting(t *testing.T) {
	lifetime := 2 * time.Second
	r := startReuse(t, pgtest.Shared(t), func(c *proxy.Config) { c.Primary.ReuseLifetime = ask.Duration(lifetime) })
	user := r.role(t, "")
	first := r.login(t, user, nil)
	logged := time.Now()
	pid := first.PgConn().PID()
	if err := first.Close(within(t)); err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Until(logged.Add(lifetime)))
	if second := r.login(t, user, nil); second.PgConn().PID() == pid {
		t.Fatal("it was reused: " + r.reasons(t))
	}
}
