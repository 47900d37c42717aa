package proxy_test

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgproto3/v2"
	"github.com/jackc/pgx/v5/pgconn"

	"askpg/proxy"
)

// cancel sends a CancelRequest for f and waits for the end of the connection.
func (f *frontend) cancel(addr string) {
	f.t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		f.t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
	b, err := (&pgproto3.CancelRequest{ProcessID: f.pid, SecretKey: f.key}).Encode(nil)
	if err != nil {
		f.t.Fatal(err)
	}
	if _, err := conn.Write(b); err != nil {
		f.t.Fatal(err)
	}
	if n, err := conn.Read(make([]byte, 1)); n != 0 || err == nil {
		f.t.Fatalf("the answer to a cancel request: %d bytes, %v", n, err)
	}
}

const cancelled = "E ERROR 57014 canceling statement due to user request"

func TestCancel_Question(t *testing.T) {
	for _, text := range []string{"wait", "deaf"} {
		t.Run(text, func(t *testing.T) {
			b := start(t, nil)
			f := dial(t, b.addr, sampleDB(t))
			f.send(query("-- ask: " + text))
			<-b.fake.started
			f.cancel(b.addr)
			if got := f.trace(1); got != cancelled+"\nZ I" {
				t.Fatalf("got %s", got)
			}
			if text == "wait" {
				if err := <-b.fake.ended; !errors.Is(err, context.Canceled) {
					t.Fatalf("the translator ended with %v", err)
				}
			}
			f.send(query("select 1"))
			if got := f.trace(1); got != "T ?column?:23:0\nD \"1\"\nC SELECT 1\nZ I" {
				t.Fatalf("after a cancel: %s", got)
			}
		})
	}
}

func TestCancel_Extended(t *testing.T) {
	b := start(t, nil)
	f := dial(t, b.addr, sampleDB(t))
	f.send(concat(messages{query("begin")}, unit("/*ask: wait*/", 0), unit("select 1", 0), messages{sync_})...)
	if got := f.trace(1); got != "C BEGIN\nZ T" {
		t.Fatal(got)
	}
	<-b.fake.started
	f.cancel(b.addr)
	if got := f.trace(1); got != cancelled+"\nZ T" {
		t.Fatalf("got %s", got)
	}
}

func TestCancel_RunningAnswer(t *testing.T) {
	b := start(t, nil)
	f := dial(t, b.addr, sampleDB(t))
	f.send(query("/*ask: run: select pg_sleep(30)*/"))
	for {
		// The notice with the SQL comes before its rows.
		if n, ok := f.receive().(*pgproto3.NoticeResponse); ok && strings.Contains(n.Message, "pg_sleep") {
			break
		}
	}
	f.cancel(b.addr)
	if got := f.trace(1); !strings.HasSuffix(got, cancelled+"\nZ I") {
		t.Fatalf("got %s", got)
	}
}

func TestCancel_Statement(t *testing.T) {
	b := start(t, nil)
	f := dial(t, b.addr, sampleDB(t))
	f.send(query("select pg_sleep(30)"))
	b.sleeping(f)
	f.cancel(b.addr)
	if got := f.trace(1); !strings.Contains(got, cancelled) {
		t.Fatalf("got %s", got)
	}
}

// A cancel request that comes when nothing is running must not reach what
// runs next.
func TestCancel_Late(t *testing.T) {
	b := start(t, nil)
	f := dial(t, b.addr, sampleDB(t))
	for range 20 {
		f.send(query("-- ask: how many customers"))
		f.trace(1)
		f.cancel(b.addr)
		f.send(query("select pg_sleep(0.01)"))
		if got := f.trace(1); strings.Contains(got, "57014") {
			t.Fatalf("a late cancel hit: %s", got)
		}
	}
}

func TestCancel_UnknownKeyIsForwarded(t *testing.T) {
	b := start(t, nil)
	other := start(t, nil)
	f := dial(t, b.addr, sampleDB(t))
	f.send(query("select pg_sleep(30)"))
	b.sleeping(f)
	f.cancel(other.addr)
	if got := f.trace(1); !strings.Contains(got, cancelled) {
		t.Fatalf("got %s", got)
	}
}

// A server that never answers a cancel request must not hold it for ever.
func TestCancel_EvilServer(t *testing.T) {
	evil, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer evil.Close()
	b := start(t, func(c *proxy.Config) {
		c.Primary.Address = evil.Addr().String()
		c.Primary.SSLMode = "disable"
		c.Listen.CancelTimeout = 100 * 1e6
	})
	f := &frontend{t: t, pid: 1, key: 1234}
	f.cancel(b.addr)
}

func TestQuestion_ClientGoesAway(t *testing.T) {
	b := start(t, nil)
	for _, first := range []pgproto3.FrontendMessage{query("-- ask: wait"), parse("", "-- ask: wait")} {
		f := dial(t, b.addr, sampleDB(t))
		f.send(first)
		<-b.fake.started
		f.conn.Close()
		if err := <-b.fake.ended; !errors.Is(err, context.Canceled) {
			t.Fatalf("the translator ended with %v", err)
		}
	}
	for b.Sessions() > 0 {
		time.Sleep(time.Millisecond)
	}
}

// What a client sends while its question is answered is answered afterwards,
// however much it is.
func TestQuestion_ClientSendsOn(t *testing.T) {
	b := start(t, nil)
	f := dial(t, b.addr, sampleDB(t))
	f.send(query("-- ask: deaf"))
	<-b.fake.started
	const n = 40
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		for range n {
			f.send(query("select 1 /*" + strings.Repeat("x", 10000) + "*/"))
		}
	}()
	b.fake.release <- struct{}{}
	f.trace(1)
	for range n {
		if got := f.trace(1); !strings.Contains(got, "C SELECT 1") {
			t.Fatal(got)
		}
	}
	<-sent
}

func TestQuestion_StatementTimeout(t *testing.T) {
	b := start(t, nil)
	f := dial(t, b.addr, sampleDB(t))
	f.send(query("set statement_timeout = '50ms'"), query("-- ask: wait"))
	if got := f.trace(2); got != "C SET\nZ I\nE ERROR 57014 canceling statement due to statement timeout\nZ I" {
		t.Fatal(got)
	}
}

func TestQuestion_ServerGoesAway(t *testing.T) {
	b := start(t, nil)
	f := dial(t, b.addr, sampleDB(t))
	f.send(query("-- ask: wait"))
	<-b.fake.started
	killer := b.connect(t)
	if _, err := killer.Exec(within(t), "select pg_terminate_backend($1)", int(f.pid)); err != nil {
		t.Fatal(err)
	}
	var last pgproto3.BackendMessage
	for {
		m, err := f.Receive()
		if err != nil {
			break
		}
		last = m
		if e, ok := m.(*pgproto3.ErrorResponse); ok {
			c := *e
			last = &c
		}
	}
	if e, ok := last.(*pgproto3.ErrorResponse); !ok || e.Code != "57P01" {
		t.Fatalf("last message %+v", last)
	}
	if err := <-b.fake.ended; !errors.Is(err, context.Canceled) {
		t.Fatalf("the translator ended with %v", err)
	}
}

func TestDrain(t *testing.T) {
	b := start(t, nil)
	idle, inTx, thinking, running := dial(t, b.addr, sampleDB(t)), dial(t, b.addr, sampleDB(t)), dial(t, b.addr, sampleDB(t)), dial(t, b.addr, sampleDB(t))
	inTx.send(query("begin"))
	inTx.trace(1)
	thinking.send(query("-- ask: deaf"))
	<-b.fake.started
	running.send(query("select pg_sleep(5)")) // long enough for a busy machine to see it
	b.sleeping(running)

	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- b.Shutdown(ctx) }()

	shutdown := func(f *frontend) {
		t.Helper()
		e, ok := f.receive().(*pgproto3.ErrorResponse)
		if !ok || e.Code != "57P01" || e.Severity != "FATAL" {
			t.Fatalf("got %+v", e)
		}
		if _, err := f.Receive(); err == nil {
			t.Fatal("the connection is open after 57P01")
		}
	}
	shutdown(idle)
	if _, err := net.Dial("tcp", b.addr); err == nil {
		t.Fatal("it still listens")
	}
	if got := running.trace(1); !strings.Contains(got, "C SELECT 1") {
		t.Fatalf("a statement was cut: %s", got)
	}
	shutdown(running)
	inTx.send(query("select 1"))
	if got := inTx.trace(1); !strings.Contains(got, "Z T") {
		t.Fatal(got)
	}
	inTx.send(query("commit"))
	if got := inTx.trace(1); got != "C COMMIT\nZ I" {
		t.Fatal(got)
	}
	shutdown(inTx)
	b.fake.release <- struct{}{}
	thinking.trace(1)
	shutdown(thinking)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

func TestLimits_Sessions(t *testing.T) {
	b := start(t, func(c *proxy.Config) { c.Listen.MaxSessions = 1 })
	f := dial(t, b.addr, sampleDB(t))
	_, err := pgconn.Connect(within(t), b.url(sampleDB(t)))
	var e *pgconn.PgError
	if !errors.As(err, &e) || e.Code != "53300" || e.Severity != "FATAL" {
		t.Fatalf("got %v", err)
	}
	// A cancel request is not a session.
	f.send(query("-- ask: wait"))
	<-b.fake.started
	f.cancel(b.addr)
	f.trace(1)
}

func TestLimits_LoginTimeout(t *testing.T) {
	b := start(t, func(c *proxy.Config) { c.Listen.LoginTimeout = 50 * 1e6 })
	for _, sent := range []string{"", "\x00\x00", "\x00\x00\x00\x10"} {
		conn, err := net.Dial("tcp", b.addr)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		_, _ = conn.Write([]byte(sent))
		_ = conn.SetReadDeadline(time.Now().Add(10 * time.Second))
		if _, err := conn.Read(make([]byte, 1)); err == nil || errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("after %q: %v", sent, err)
		}
	}
}

// The login's time holds for a TLS handshake too, and nothing is written in
// its place.
func TestLimits_LoginTimeoutInHandshake(t *testing.T) {
	cert, key := newAuthority(t).issue(t, "askpg")
	b := start(t, func(c *proxy.Config) {
		c.Listen.LoginTimeout = 50 * 1e6
		c.TLS = proxy.TLSConfig{Mode: "allow", Cert: cert, Key: key}
	})
	for _, sent := range [][]byte{packet(sslCode, ""), {0x16, 3, 1}} {
		conn, err := net.Dial("tcp", b.addr)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		_, _ = conn.Write(sent)
		_ = conn.SetReadDeadline(time.Now().Add(10 * time.Second))
		got, err := io.ReadAll(conn)
		if err != nil && os.IsTimeout(err) || strings.TrimPrefix(string(got), "S") != "" {
			t.Fatalf("after %q: %q, %v", sent, got, err)
		}
	}
}

func TestServer_Down(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close()
	b := start(t, func(c *proxy.Config) { c.Primary.Address = addr })
	_, err = pgconn.Connect(within(t), b.url("postgres"))
	var e *pgconn.PgError
	if !errors.As(err, &e) || e.Code != "08006" || !strings.Contains(e.Message, addr) {
		t.Fatalf("got %v", err)
	}
}
