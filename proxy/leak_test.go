package proxy_test

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgproto3/v2"
	"github.com/jackc/pgx/v5"

	"askpg/internal/pgtest"
)

func descriptors(t *testing.T) int {
	t.Helper()
	list, err := os.ReadDir("/dev/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}

// waitAtMost waits until f is at most limit.
func waitAtMost(t *testing.T, what string, limit int, f func() int) {
	t.Helper()
	for deadline := time.Now().Add(40 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		n := f()
		if n <= limit {
			return
		}
		if time.Now().After(deadline) {
			buf := make([]byte, 1<<20)
			t.Fatalf("%s: %d, at first %d\n%s", what, n, limit, buf[:runtime.Stack(buf, true)])
		}
	}
}

// Sessions that end in every way leave neither goroutines nor descriptors nor
// server sessions.
func TestLeaks(t *testing.T) {
	everyRoute(t, leaks)
}

func leaks(t *testing.T, l route, s *site) {
	b := l.start(t, s, nil)
	database := sampleDB(t)
	watcher := s.watch(t)
	vanish(l.dial(t, b.addr, database))
	waitAtMost(t, "sessions", 0, b.Sessions)
	goroutines, files := runtime.NumGoroutine(), descriptors(t)
	ways := map[string]func(f *frontend){
		"terminated": func(f *frontend) { f.send(&pgproto3.Terminate{}); f.conn.Close() },
		"closed":     func(f *frontend) { f.conn.Close() },
		"vanished":   func(f *frontend) { vanish(f) },
		"in a transaction": func(f *frontend) {
			f.send(query("begin"))
			f.trace(1)
			f.conn.Close()
		},
		"in a message":     func(f *frontend) { _, _ = f.conn.Write([]byte("Q\x00\x00\x01\x00sel")); f.conn.Close() },
		"in a statement":   func(f *frontend) { f.send(query("select pg_sleep(0.1)")); f.conn.Close() },
		"in a COPY":        func(f *frontend) { f.send(query("copy big from stdin")); f.receive(); f.conn.Close() },
		"in a result":      func(f *frontend) { f.send(query("select * from big")); f.receive(); f.conn.Close() },
		"after a question": func(f *frontend) { f.talk("-- ask: how many customers", "select 1"); f.conn.Close() },
		"in a question":    func(f *frontend) { f.send(query("-- ask: wait")); <-b.fake.started; f.conn.Close() },
		"with a portal": func(f *frontend) {
			f.send(query("begin"), parse("", asks("select * from big")), bind("p", ""), execute("p", 2), &pgproto3.Flush{})
			for !strings.HasPrefix(line(f.receive()), "PortalSuspended") {
			}
			f.conn.Close()
		},
		"by the server": func(f *frontend) {
			if _, err := watcher.Exec(within(t), "select pg_terminate_backend($1)", int(f.pid)); err != nil {
				t.Error(err)
			}
			for {
				if _, err := f.Receive(); err != nil {
					break
				}
			}
			f.conn.Close()
		},
		"protocol error": func(f *frontend) {
			_, _ = f.conn.Write([]byte("Q\x00\x00\x00\x00"))
			_, _ = f.Receive()
			f.conn.Close()
		},
	}
	// ASKPG_TEST_SESSIONS=10000 for a long run: so many on every route.
	each := 10
	if n, err := strconv.Atoi(os.Getenv("ASKPG_TEST_SESSIONS")); err == nil {
		each = n/len(ways) + 1
	}
	for name, way := range ways {
		for range each {
			for len(b.fake.started) > 0 {
				<-b.fake.started
			}
			f := l.dial(t, b.addr, database)
			way(f)
			vanish(f)
		}
		waitAtMost(t, name+": sessions", 0, b.Sessions)
	}
	waitAtMost(t, "cancel keys", 0, b.Keys)
	waitAtMost(t, "goroutines", goroutines+2, runtime.NumGoroutine)
	waitAtMost(t, "descriptors", files, func() int { return descriptors(t) })
	waitAtMost(t, "server sessions", 0, func() (n int) {
		if err := watcher.QueryRow(within(t), "select count(*) from pg_stat_activity where datname = $1", database).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	})
}

// A client that does not read while much streams to it: what askpg holds for
// it stays small, and the stream is whole once it reads.
func TestRelay_UnreadStream(t *testing.T) {
	everyRoute(t, func(t *testing.T, l route, s *site) {
		b := l.start(t, s, nil)
		const size, count = 8000, 25000 // 200 MB
		f := l.dial(t, b.addr, sampleDB(t))
		_ = f.conn.SetDeadline(time.Now().Add(2 * time.Minute))
		heap := func() int {
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			return int(m.HeapInuse)
		}
		before := heap()
		f.send(query(fmt.Sprintf("copy (select repeat('x', %d) from generate_series(1, %d)) to stdout", size, count)))
		// The server has filled every buffer on the way when it waits for its socket.
		conn, err := pgx.Connect(within(t), b.cluster.Primary.URL(pgtest.Superuser, "postgres"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close(within(t))
		for waiting := false; !waiting; {
			if err := conn.QueryRow(within(t), "select wait_event = 'ClientWrite' from pg_stat_activity where pid = $1", int(f.pid)).Scan(&waiting); err != nil {
				waiting = false
			}
		}
		if grown := heap() - before; grown > 1<<20 {
			t.Fatalf("the heap has grown by %d bytes", grown)
		}
		got := 0
		for {
			m := f.receive()
			if d, ok := m.(*pgproto3.CopyData); ok {
				got += len(d.Data)
			}
			if _, ok := m.(*pgproto3.ReadyForQuery); ok {
				break
			}
		}
		if got != (size+1)*count {
			t.Fatalf("%d bytes of %d", got, (size+1)*count)
		}
	})
}
