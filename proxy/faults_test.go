package proxy_test

import (
	"crypto/tls"
	"io"
	"net"
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

// ending reads up to the end of the connection and returns the SQLSTATE of the
// last error or notice before it, empty if there was none.
func (f *frontend) ending() (code string) {
	f.t.Helper()
	for {
		m, err := f.Receive()
		if err != nil {
			if e, ok := err.(net.Error); ok && e.Timeout() {
				f.t.Fatalf("the connection is still open: %v", err)
			}
			return code
		}
		switch m := m.(type) {
		case *pgproto3.ErrorResponse:
			code = m.Code
		case *pgproto3.NoticeResponse:
			if m.File != "" { // a server that is killed warns: 57P02
				code = m.Code
			}
		}
	}
}

// states are what a session can be at when something happens to it.
var states = []struct {
	name  string
	begin func(b *bench, f *frontend)
}{
	{"idle", func(b *bench, f *frontend) {}},
	{"in a transaction", func(b *bench, f *frontend) { f.send(query("begin")); f.trace(1) }},
	{"in a message", func(b *bench, f *frontend) { _, _ = f.conn.Write([]byte("Q\x00\x00\x01\x00sel")) }},
	{"in a statement", func(b *bench, f *frontend) {
		f.send(query("select pg_sleep(60)"))
		b.sleeping(f)
	}},
	{"in a pipeline", func(b *bench, f *frontend) {
		f.send(parse("", "select 1"), &pgproto3.Flush{})
		f.receive()
	}},
	{"in COPY in", func(b *bench, f *frontend) {
		f.send(query("copy big from stdin"))
		f.receive()
		f.send(&pgproto3.CopyData{Data: []byte("1\tx\n2")})
	}},
	{"in COPY out", func(b *bench, f *frontend) {
		f.send(query("copy (select * from big, generate_series(1, 200)) to stdout"))
		f.receive()
	}},
	{"in a question", func(b *bench, f *frontend) {
		for len(b.fake.started) > 0 {
			<-b.fake.started // of questions before
		}
		f.send(query("-- ask: wait"))
		<-b.fake.started
	}},
	{"with a portal of a question", func(b *bench, f *frontend) {
		f.send(query("begin"), parse("", asks("select * from big")), bind("p", ""), execute("p", 2), &pgproto3.Flush{})
		for !strings.HasPrefix(line(f.receive()), "PortalSuspended") {
		}
	}},
}

// sleeping waits until the server runs the pg_sleep that a client has sent.
func (b *bench) sleeping(f *frontend) {
	f.t.Helper()
	ctx := within(f.t)
	conn, err := pgx.Connect(ctx, b.cluster.Primary.URL(pgtest.Superuser, "postgres"))
	if err != nil {
		f.t.Fatal(err)
	}
	defer conn.Close(within(f.t))
	for running := false; !running; {
		if err := conn.QueryRow(ctx, "select exists (select from pg_stat_activity where pid = $1 and wait_event = 'PgSleep')", int(f.pid)).Scan(&running); err != nil {
			f.t.Fatal(err)
		}
	}
}

// watch connects to the site's server itself.
func (s *site) watch(t *testing.T) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(within(t), s.cluster.Primary.URL(pgtest.Superuser, "postgres"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(within(t)) })
	return conn
}

// A client that goes away without a word, whatever it was at, takes its
// session on the server with it and no other.
func TestFaults_ClientGone(t *testing.T) {
	everyRoute(t, func(t *testing.T, l route, s *site) {
		b := l.start(t, s, nil)
		watcher := s.watch(t)
		other := l.dial(t, b.addr, sampleDB(t))
		for _, state := range states {
			t.Run(state.name, func(t *testing.T) {
				f := l.dial(t, b.addr, sampleDB(t))
				state.begin(b, f)
				vanish(f)
				if state.name == "in a statement" {
					// PostgreSQL goes on with a statement whose client is gone, and so it does here.
					if _, err := watcher.Exec(within(t), "select pg_cancel_backend($1)", int(f.pid)); err != nil {
						t.Fatal(err)
					}
				}
				waitAtMost(t, "sessions", 1, b.Sessions)
				waitAtMost(t, "server sessions", 0, func() (n int) {
					if err := watcher.QueryRow(within(t), "select count(*) from pg_stat_activity where pid = $1", int(f.pid)).Scan(&n); err != nil {
						t.Fatal(err)
					}
					return n
				})
				_ = other.conn.SetDeadline(time.Now().Add(30 * time.Second))
				other.send(query("select 1"))
				if got := other.trace(1); !strings.Contains(got, `D "1"`) {
					t.Fatalf("another session got %s", got)
				}
			})
		}
	})
}

// A server that ends, in whatever way, ends its sessions with what it said
// last; when it is back, so are they.
func TestFaults_ServerEnds(t *testing.T) {
	t.Parallel()
	everyRoute(t, func(t *testing.T, l route, s *site) {
		b := l.start(t, s, func(c *proxy.Config) { c.LastWait(300 * time.Millisecond) }) // clients do not close
		for _, fault := range []struct {
			name string
			end  func(t *testing.T) error
			// code is what sessions are told at the least; a server that is
			// killed at once may not come to tell anything.
			code map[string]bool
		}{
			{"killed at once", func(t *testing.T) error {
				if err := s.cluster.Primary.Stop(syscall.SIGQUIT); err != nil {
					return err
				}
				return s.cluster.Primary.Start(within(t))
			}, map[string]bool{"57P01": true, "57P02": true, "": true}},
			{"restarted", func(t *testing.T) error { return s.cluster.Primary.Restart(within(t)) }, map[string]bool{"57P01": true}},
		} {
			t.Run(fault.name, func(t *testing.T) {
				var sessions []*frontend
				for _, state := range states {
					f := l.dial(t, b.addr, sampleDB(t))
					state.begin(b, f)
					sessions = append(sessions, f)
				}
				if err := fault.end(t); err != nil {
					t.Fatal(err)
				}
				for i, f := range sessions {
					code := f.ending()
					if code == "" && states[i].name == "in COPY out" {
						continue // PostgreSQL says nothing where it can't write at once: this client did not read
					}
					if !fault.code[code] {
						t.Errorf("%s: told %q", states[i].name, code)
					}
				}
				waitAtMost(t, "sessions", 0, b.Sessions)
				f := l.dial(t, b.addr, sampleDB(t))
				for sql, want := range map[string]string{"select 1": `D "1"`, "-- ask: how many customers": `D "100"`} {
					if got := f.talk(sql); !strings.Contains(got, want) {
						t.Fatalf("once the server is back: %s", got)
					}
				}
				vanish(f)
				waitAtMost(t, "sessions", 0, b.Sessions)
			})
		}
		// One process of the server's that dies takes the others with it, and
		// the server starts again by itself.
		t.Run("crashed", func(t *testing.T) {
			f, other := l.dial(t, b.addr, sampleDB(t)), l.dial(t, b.addr, sampleDB(t))
			if err := syscall.Kill(int(f.pid), syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			if code := f.ending(); code != "" {
				t.Errorf("the session whose process died was told %s", code)
			}
			if code := other.ending(); code != "57P02" && code != "" {
				t.Errorf("another session was told %q", code)
			}
			waitAtMost(t, "sessions", 0, b.Sessions)
			for ctx := within(t); ; {
				conn, err := pgx.Connect(ctx, s.cluster.Primary.URL(pgtest.Superuser, "postgres"))
				if err == nil {
					conn.Close(ctx)
					break
				}
				if ctx.Err() != nil {
					t.Fatal(err)
				}
			}
			if got := l.dial(t, b.addr, sampleDB(t)).talk("select 1"); !strings.Contains(got, `D "1"`) {
				t.Fatal(got)
			}
		})
	})
}

// A server that stops to run holds its sessions and lets nobody in, and a
// client can leave meanwhile; when it goes on, so do they.
func TestFaults_ServerFrozen(t *testing.T) {
	t.Parallel()
	everyRoute(t, func(t *testing.T, l route, s *site) {
		b := l.start(t, s, func(c *proxy.Config) { c.LastWait(100 * time.Millisecond) })
		f, leaves := l.dial(t, b.addr, sampleDB(t)), l.dial(t, b.addr, sampleDB(t))
		// The postmaster and what it has forked may not share a process group.
		freeze := func(sig syscall.Signal) {
			for _, pid := range []int{s.cluster.Primary.PID(), int(f.pid), int(leaves.pid)} {
				_ = syscall.Kill(pid, sig)
			}
		}
		freeze(syscall.SIGSTOP)
		defer freeze(syscall.SIGCONT)
		f.send(query("select 'after'"))
		cfg := b.config
		cfg.Listen.LoginTimeout, cfg.Primary.ConnectTimeout = ask.Duration(1500*time.Millisecond), ask.Duration(1500*time.Millisecond)
		if err := b.Reload(cfg); err != nil {
			t.Fatal(err)
		}
		conn, err := net.Dial("tcp", b.addr)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		late := &frontend{t: t, conn: l.secure(t, conn)}
		late.Frontend = pgproto3.NewFrontend(pgproto3.NewChunkReader(late.conn), late.conn)
		late.send(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersionNumber, Parameters: map[string]string{"user": pgtest.Superuser}})
		if code := late.ending(); code != "57014" && code != "08006" {
			t.Errorf("a login at a frozen server ended with %q", code)
		}
		leaves.send(&pgproto3.Terminate{})
		vanish(leaves)
		waitAtMost(t, "sessions", 1, b.Sessions)
		freeze(syscall.SIGCONT)
		if got := f.trace(1); !strings.Contains(got, `D "after"`) {
			t.Fatal(got)
		}
	})
}

// fakeServer answers every login, with TLS where the route has it, and then
// does what it is told with the connection.
func (l route) fakeServer(t *testing.T, s *site, then func(conn, raw net.Conn)) (addr string) {
	t.Helper()
	pair, err := tls.LoadX509KeyPair(s.cert, s.key)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			raw, err := listener.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { raw.Close() })
			go func() {
				conn := raw
				if l.server {
					_, _ = io.ReadFull(raw, make([]byte, 8))
					_, _ = raw.Write([]byte{'S'})
					conn = tls.Server(raw, &tls.Config{Certificates: []tls.Certificate{pair}})
				}
				_, _ = conn.Read(make([]byte, 1000))
				_, _ = conn.Write([]byte(fakeHello))
				then(conn, raw)
			}()
		}
	}()
	return listener.Addr().String()
}

// fakeHello lets a client in.
const fakeHello = "R\x00\x00\x00\x08\x00\x00\x00\x00K\x00\x00\x00\x0c\x00\x00\x00\x01\x00\x00\x00\x02Z\x00\x00\x00\x05I"

// A server that breaks off in the middle of a message, with TLS with and
// without a word: the client gets what came and the end, and nothing is put
// into the message.
func TestFaults_CutOff(t *testing.T) {
	const half = "D\x00\x00\x01\x00\x00\x01half"
	everyRoute(t, func(t *testing.T, l route, s *site) {
		for _, politely := range []bool{true, false} {
			server := l.fakeServer(t, s, func(conn, raw net.Conn) {
				_, _ = conn.Read(make([]byte, 1000)) // the query
				_, _ = conn.Write([]byte(half))
				if politely {
					conn.Close()
				} else {
					raw.Close()
				}
			})
			b := l.start(t, s, func(c *proxy.Config) { c.Primary.Address = server })
			f := l.dial(t, b.addr, "x")
			f.send(query("select 1"))
			if got, err := io.ReadAll(f.conn); err != nil && l.client == l.server || string(got) != half {
				t.Fatalf("%q, %v", got, err)
			}
			f.conn.Close()
			waitAtMost(t, "sessions", 0, b.Sessions)
		}
	})
}

// A peer that has been told the end and does not close its connection holds
// neither session nor descriptor.
func TestFaults_PeerNeverCloses(t *testing.T) {
	t.Parallel()
	everyRoute(t, func(t *testing.T, l route, s *site) {
		t.Run("client", func(t *testing.T) {
			b := l.start(t, s, func(c *proxy.Config) { c.LastWait(100 * time.Millisecond) })
			watcher := s.watch(t)
			for _, state := range []string{"", "begin", "-- ask: how many customers"} {
				f := l.dial(t, b.addr, sampleDB(t))
				if state != "" {
					f.talk(state)
				}
				if _, err := watcher.Exec(within(t), "select pg_terminate_backend($1)", int(f.pid)); err != nil {
					t.Fatal(err)
				}
				waitAtMost(t, "sessions", 0, b.Sessions)
				if code := f.ending(); code != "57P01" {
					t.Errorf("told %q", code)
				}
			}
		})
		for _, terminates := range []bool{true, false} {
			name := "server, the client vanishes"
			if terminates {
				name = "server, the client terminates"
			}
			t.Run(name, func(t *testing.T) {
				ended := make(chan struct{}, 1)
				server := l.fakeServer(t, s, func(conn, raw net.Conn) {
					// Reads to the end, and keeps its own side open.
					_, _ = io.Copy(io.Discard, conn)
					ended <- struct{}{}
				})
				b := l.start(t, s, func(c *proxy.Config) {
					c.Primary.Address = server
					c.LastWait(100 * time.Millisecond)
				})
				f := l.dial(t, b.addr, "x")
				if terminates {
					f.send(&pgproto3.Terminate{})
				}
				vanish(f)
				<-ended
				waitAtMost(t, "sessions", 0, b.Sessions)
			})
		}
	})
}

// A server that ends a session while its client is still sending has said why:
// the client hears it, although nobody takes what it sends any more.
func TestFaults_LastWords(t *testing.T) {
	const last = "SFATAL\x00VFATAL\x00C08P01\x00Mthe server has received enough\x00\x00"
	everyRoute(t, func(t *testing.T, l route, s *site) {
		server := l.fakeServer(t, s, func(conn, raw net.Conn) {
			_, _ = io.ReadFull(conn, make([]byte, 1000)) // of much more
			_, _ = conn.Write(message(nil, 'E', []byte(last)))
			raw.Close()
		})
		b := l.start(t, s, func(c *proxy.Config) { c.Primary.Address = server })
		for range 20 {
			f := l.dial(t, b.addr, "x")
			sent := make(chan struct{})
			go func() {
				defer close(sent)
				b := message(nil, 'Q', []byte("select 1\x00"))
				for range 20000 {
					if _, err := f.conn.Write(b); err != nil {
						return
					}
				}
			}()
			if code := f.ending(); code != "08P01" {
				t.Errorf("told %q", code)
			}
			f.conn.Close()
			<-sent
		}
		waitAtMost(t, "sessions", 0, b.Sessions)
	})
}
