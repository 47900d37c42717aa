package proxy_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgproto3/v2"
	"github.com/jackc/pgx/v5"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/proxy"
)

func descriptors(t *testing.T) int {
	t.Helper()
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("there is no /proc")
	}
	return len(list)
}

// settle waits until f is at most limit.
func settle(t *testing.T, what string, limit int, f func() int) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
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
	b := start(t, nil)
	database := sampleDB(t)
	watcher, err := pgx.Connect(within(t), b.cluster.Primary.URL(pgtest.Superuser, "postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer watcher.Close(context.Background())
	dial(t, b.addr, database).conn.Close()
	settle(t, "sessions", 0, b.Sessions)
	goroutines, files := runtime.NumGoroutine(), descriptors(t)
	ways := map[string]func(f *frontend){
		"terminated": func(f *frontend) { f.send(&pgproto3.Terminate{}); f.conn.Close() },
		"closed":     func(f *frontend) { f.conn.Close() },
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
	// ASKPG_TEST_SESSIONS=10000 for a long run.
	each := 10
	if n, err := strconv.Atoi(os.Getenv("ASKPG_TEST_SESSIONS")); err == nil {
		each = n/len(ways) + 1
	}
	for name, way := range ways {
		for range each {
			for len(b.fake.started) > 0 {
				<-b.fake.started
			}
			way(dial(t, b.addr, database))
		}
		settle(t, name+": sessions", 0, b.Sessions)
	}
	settle(t, "goroutines", goroutines+2, runtime.NumGoroutine)
	settle(t, "descriptors", files, func() int { return descriptors(t) })
	settle(t, "server sessions", 0, func() (n int) {
		if err := watcher.QueryRow(within(t), "select count(*) from pg_stat_activity where datname = $1", database).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	})
}

// A server that is killed, or stops to answer, ends or holds its sessions and
// no others; when it is back, so are they.
func TestFaults_Server(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cluster, err := pgtest.Start(ctx, pgtest.Options{NoStandby: true})
	if err != nil {
		t.Fatal(err)
	}
	defer cluster.Close()
	b := start(t, func(c *proxy.Config) { c.Primary.Address = cluster.Primary.Address() })
	idle, busy, asking := dial(t, b.addr, "postgres"), dial(t, b.addr, "postgres"), dial(t, b.addr, "postgres")
	busy.send(query("select pg_sleep(30)"))
	asking.send(query("-- ask: wait"))
	<-b.fake.started
	if err := cluster.Primary.Stop(syscall.SIGQUIT); err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]*frontend{"idle": idle, "busy": busy, "asking": asking} {
		code := ""
		for {
			m, err := f.Receive()
			if err != nil {
				break
			}
			switch m := m.(type) {
			case *pgproto3.ErrorResponse:
				code = m.Code
			case *pgproto3.NoticeResponse:
				// SIGQUIT is told of by a warning: WARNING 57P02 in PostgreSQL 15.
				code = m.Code
			}
		}
		if code != "57P02" && code != "57P01" && code != "" {
			t.Fatalf("%s: ended with %s", name, code)
		}
	}
	settle(t, "sessions", 0, b.Sessions)
	if err := cluster.Primary.Start(ctx); err != nil {
		t.Fatal(err)
	}
	if got := dial(t, b.addr, "postgres").talk("select 1"); !strings.Contains(got, "D \"1\"") {
		t.Fatal(got)
	}
}

// A server that is frozen holds its sessions and refuses new ones in time;
// when it goes on, so do they.
func TestFaults_FrozenServer(t *testing.T) {
	bothRelays(t, func(t *testing.T, loops int) {
		cluster, err := pgtest.Start(within(t), pgtest.Options{NoStandby: true})
		if err != nil {
			t.Fatal(err)
		}
		defer cluster.Close()
		b := start(t, func(c *proxy.Config) {
			c.Primary.Address, c.Primary.SSLMode = cluster.Primary.Address(), "disable"
			c.Listen.LoginTimeout, c.Listen.EventLoops = ask.Duration(time.Second), loops
		})
		f := dial(t, b.addr, "postgres")
		// The server's process group: the postmaster and what it has forked may
		// not share one, so both are stopped.
		freeze := func(sig syscall.Signal) {
			t.Helper()
			for _, pid := range []int{cluster.Primary.PID(), int(f.pid)} {
				if err := syscall.Kill(pid, sig); err != nil {
					t.Fatal(err)
				}
			}
		}
		freeze(syscall.SIGSTOP)
		thawed := false
		defer func() {
			if !thawed {
				freeze(syscall.SIGCONT)
			}
		}()
		f.send(query("select 'after'"))
		if _, err := pgx.Connect(within(t), b.url("postgres")); err == nil {
			t.Fatal("a login at a frozen server worked")
		}
		settle(t, "sessions", 1, b.Sessions)
		freeze(syscall.SIGCONT)
		thawed = true
		if got := f.trace(1); !strings.Contains(got, "D \"after\"") {
			t.Fatal(got)
		}
	})
}

// A server that breaks off in the middle of a message: the client gets what
// came and the end, and nothing is put into the message.
func TestFaults_CutOff(t *testing.T) {
	bothRelays(t, func(t *testing.T, loops int) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		const hello = "R\x00\x00\x00\x08\x00\x00\x00\x00K\x00\x00\x00\x0c\x00\x00\x00\x01\x00\x00\x00\x02Z\x00\x00\x00\x05I"
		const half = "D\x00\x00\x01\x00\x00\x01half"
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				_, _ = c.Read(make([]byte, 1000))
				_, _ = c.Write([]byte(hello))
				_, _ = c.Read(make([]byte, 1000)) // the query
				_, _ = c.Write([]byte(half))
				c.Close()
			}
		}()
		b := start(t, func(c *proxy.Config) {
			c.Primary.Address, c.Primary.SSLMode, c.Listen.EventLoops = l.Addr().String(), "disable", loops
		})
		conn := dialWith(t, b.addr, string(packet(3<<16, "user\x00u\x00\x00")))
		if _, err := io.ReadFull(conn, make([]byte, len(hello))); err != nil {
			t.Fatal(err)
		}
		_, _ = conn.Write([]byte("Q\x00\x00\x00\x0dselect 1\x00"))
		got, err := io.ReadAll(conn)
		if err != nil || string(got) != half {
			t.Fatalf("%q, %v", got, err)
		}
		conn.Close()
		settle(t, "sessions", 0, b.Sessions)
	})
}

// A client that does not read while much streams to it: what askpg holds for
// it stays small, and the stream is whole once it reads.
func TestRelay_UnreadStream(t *testing.T) {
	bothRelays(t, func(t *testing.T, loops int) {
		b := start(t, func(c *proxy.Config) { c.Listen.EventLoops = loops })
		const size, count = 8000, 25000 // 200 MB
		f := dial(t, b.addr, sampleDB(t))
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
