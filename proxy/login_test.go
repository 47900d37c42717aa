package proxy_test

import (
	"context"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgproto3/v2"
	"github.com/jackc/pgx/v5/pgconn"

	"askpg/proxy"
)

// readPacket reads a startup packet.
func readPacket(conn net.Conn) ([]byte, error) {
	var length [4]byte
	if _, err := io.ReadFull(conn, length[:]); err != nil {
		return nil, err
	}
	b := make([]byte, binary.BigEndian.Uint32(length[:]))
	copy(b, length[:])
	_, err := io.ReadFull(conn, b[4:])
	return b, err
}

// Whatever a server says in a login reaches the client as it is: notices, many
// parameters, a key of any length or none. A cancel request with that key
// reaches the server as it is.
func TestLogin_WhateverTheServerSays(t *testing.T) {
	const notice = "SNOTICE\x00VNOTICE\x00C00000\x00Ma login trigger speaks\x00\x00"
	for _, loops := range []int{0, 1} {
		for _, keyLength := range []int{0, 4, 32, 256} {
			t.Run(fmt.Sprintf("key of %d bytes, %d event loops", keyLength, loops), func(t *testing.T) {
				var hello []byte
				hello = message(hello, 'v', []byte("\x00\x03\x00\x00\x00\x00\x00\x01_pq_.nosuch\x00"))
				hello = message(hello, 'N', []byte(notice))
				hello = message(hello, 'R', []byte{0, 0, 0, 0})
				for i := range 60 {
					hello = message(hello, 'S', fmt.Appendf(nil, "parameter_%d\x00value\x00", i))
					hello = message(hello, 'N', []byte(notice))
				}
				key := []byte("\x00\x00\x00\x07" + strings.Repeat("k", keyLength))
				if keyLength > 0 {
					hello = message(hello, 'K', key)
				}
				hello = message(hello, 'Z', []byte{'I'})
				l, err := net.Listen("tcp", "127.0.0.1:0")
				if err != nil {
					t.Fatal(err)
				}
				defer l.Close()
				cancels, packets := make(chan []byte, 10), make(chan []byte, 10)
				go acceptEach(l, func(c net.Conn) {
					b, err := readPacket(c)
					if err != nil {
						return
					}
					if binary.BigEndian.Uint32(b[4:]) == cancelCode {
						cancels <- b
						return
					}
					packets <- b
					_, _ = c.Write(hello)
					_, _ = io.Copy(io.Discard, c)
				})
				b := start(t, func(c *proxy.Config) {
					c.Primary.Address, c.Primary.SSLMode, c.Listen.EventLoops = l.Addr().String(), "disable", loops
				})
				startup := packet(3<<16|2, "user\x00u\x00_pq_.nosuch\x00x\x00\x00")
				conn := dialWith(t, b.addr, string(startup))
				got := make([]byte, len(hello))
				if _, err := io.ReadFull(conn, got); err != nil || string(got) != string(hello) {
					t.Fatalf("%v: got %q, want %q", err, got, hello)
				}
				if p := <-packets; string(p) != string(startup) {
					t.Fatalf("the server got %q", p)
				}
				if keyLength == 0 {
					return
				}
				// Something is unanswered, so that the request is not too late.
				if _, err := conn.Write(message(nil, 'Q', []byte("select pg_sleep(60)\x00"))); err != nil {
					t.Fatal(err)
				}
				want := packet(cancelCode, string(key))
				for ctx := within(t); ; {
					requester := dialWith(t, b.addr, string(want))
					_, _ = io.ReadAll(requester)
					requester.Close()
					select {
					case p := <-cancels:
						if string(p) != string(want) {
							t.Fatalf("the server got the cancel request %q", p)
						}
						return
					default:
					}
					if ctx.Err() != nil {
						t.Fatal("the cancel request did not reach the server")
					}
				}
			})
		}
	}
}

// Bytes that a server, or whoever is before it, sends between its answer to
// SSLRequest and the handshake are not taken for what comes after it.
func TestPrimary_BufferStuffing(t *testing.T) {
	cert, key := newAuthority(t).issue(t, "server")
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go acceptEach(l, func(c net.Conn) {
		if _, err := readPacket(c); err != nil {
			return
		}
		_, _ = c.Write(append([]byte{'S'}, fakeHello...))
		s := tls.Server(c, &tls.Config{Certificates: []tls.Certificate{pair}})
		if s.Handshake() == nil {
			_, _ = s.Write([]byte(fakeHello))
		}
	})
	b := start(t, func(c *proxy.Config) { c.Primary.Address, c.Primary.SSLMode = l.Addr().String(), "require" })
	_, err = pgconn.Connect(within(t), b.url("postgres"))
	var e *pgconn.PgError
	if !errors.As(err, &e) || e.Code != "08006" {
		t.Fatalf("a login with stuffed bytes: %v", err)
	}
}

// Connections beyond max_startups are closed without a word, and there is room
// again once the others have logged in.
func TestLimits_Startups(t *testing.T) {
	b := start(t, func(c *proxy.Config) { c.Listen.MaxStartups = 1 })
	silent, err := net.Dial("tcp", b.addr)
	if err != nil {
		t.Fatal(err)
	}
	// Accepted one after the other, so the first one has the place.
	refused, err := net.Dial("tcp", b.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer refused.Close()
	_ = refused.SetDeadline(time.Now().Add(20 * time.Second))
	if n, err := refused.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		t.Fatalf("beyond the limit: %d bytes, %v", n, err)
	}
	f := login(t, silent, sampleDB(t))
	if got := f.talk("select 1"); !strings.Contains(got, `D "1"`) {
		t.Fatal(got)
	}
	dial(t, b.addr, sampleDB(t))
}

// A cancel request reaches a statement and a question on every way, encrypted
// where the session's own connections are.
func TestCancel_EveryRoute(t *testing.T) {
	everyRoute(t, func(t *testing.T, l route, s *site) {
		b := l.start(t, s, nil)
		for _, sql := range []string{"select pg_sleep(60)", "-- ask: wait"} {
			f := l.dial(t, b.addr, sampleDB(t))
			f.send(query(sql))
			if strings.HasPrefix(sql, "select") {
				b.sleeping(f)
			} else {
				<-b.fake.started
			}
			conn, err := net.Dial("tcp", b.addr)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			request, _ := (&pgproto3.CancelRequest{ProcessID: f.pid, SecretKey: f.key}).Encode(nil)
			conn = l.secure(t, conn)
			_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
			if _, err := conn.Write(request); err != nil {
				t.Fatal(err)
			}
			if n, err := conn.Read(make([]byte, 1)); n != 0 || err != io.EOF {
				t.Fatalf("the answer to a cancel request: %d bytes, %v", n, err)
			}
			if got := f.trace(1); !strings.Contains(got, cancelled) {
				t.Fatalf("%s: %s", sql, got)
			}
		}
	})
}

// What a session may have of prepared questions is limited, and there is room
// again once one is closed.
func TestLimits_Named(t *testing.T) {
	b := start(t, nil)
	f := dial(t, b.addr, sampleDB(t))
	_ = f.conn.SetDeadline(time.Now().Add(2 * time.Minute))
	prepare := func(name string) string {
		f.send(parse(name, "-- ask: how many customers"), sync_)
		return f.trace(1)
	}
	for i := range 1000 {
		if got := prepare(fmt.Sprint("q", i)); got != "ParseComplete\nZ I" {
			t.Fatalf("statement %d: %s", i, got)
		}
	}
	if got := prepare("one more"); !strings.HasPrefix(got, "E ERROR 54000 the session has 1000 prepared questions") {
		t.Fatal(got)
	}
	f.send(closing('S', "q7"), sync_)
	f.trace(1)
	if got := prepare("one more"); got != "ParseComplete\nZ I" {
		t.Fatal(got)
	}
}

// Cancel requests with keys of no session here are bounded as connections that have not logged in are.
func TestLimits_ForeignCancels(t *testing.T) {
	hangs, err := net.Listen("tcp", "127.0.0.1:0") // connects, and never answers
	if err != nil {
		t.Fatal(err)
	}
	defer hangs.Close()
	b := start(t, func(c *proxy.Config) { c.Listen.MaxStartupsPerAddress, c.Primary.Address = 2, hangs.Addr().String() })
	for n := 1; n <= 4; n++ {
		conn, err := net.Dial("tcp", b.addr)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		request, _ := (&pgproto3.CancelRequest{ProcessID: 7, SecretKey: uint32(n)}).Encode(nil)
		if _, err := conn.Write(request); err != nil {
			t.Fatal(err)
		}
		if n > 2 { // it is dropped
			_ = conn.SetReadDeadline(time.Now().Add(20 * time.Second))
			if _, err := conn.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
				t.Fatal(err)
			}
			continue
		}
		waitUntil(t, "connections that have not logged in", n, func() int { return b.Arriving("127.0.0.1") })
	}
}

// Silent connections of one address keep neither others out nor those of theirs that log in
// later: more than it may have are refused, also by a PROXY header, and twice as many closed.
func TestLimits_StartupsPerAddress(t *testing.T) {
	b := start(t, func(c *proxy.Config) {
		c.Listen.MaxStartupsPerAddress = 2
		c.Listen.ProxyNetworks = []string{"127.0.0.1"}
	})
	from := func(address string) net.Conn {
		t.Helper()
		conn, err := net.Dial("tcp", b.addr)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
		if _, err := fmt.Fprintf(conn, "PROXY TCP4 %s 10.9.9.9 4000 5432\r\n", address); err != nil {
			t.Fatal(err)
		}
		return conn
	}
	counted := func(address string, n int) {
		t.Helper()
		waitUntil(t, "connections of "+address, n, func() int { return b.Arriving(address) })
	}
	silent := []net.Conn{from("10.0.0.1")}
	counted("10.0.0.1", 1)
	silent = append(silent, from("10.0.0.1"))
	counted("10.0.0.1", 2)

	connect := func(address string) (*pgconn.PgConn, error) {
		cfg, err := pgconn.ParseConfig(b.url(sampleDB(t)))
		if err != nil {
			t.Fatal(err)
		}
		cfg.DialFunc = func(context.Context, string, string) (net.Conn, error) { return from(address), nil }
		return pgconn.ConnectConfig(within(t), cfg)
	}
	_, err := connect("10.0.0.1")
	var e *pgconn.PgError
	if !errors.As(err, &e) || e.Code != "53300" || e.Severity != "FATAL" || !strings.Contains(e.Message, "10.0.0.1") {
		t.Fatalf("beyond the limit: %v", err)
	}
	counted("10.0.0.1", 2)
	conn, err := connect("10.0.0.2")
	if err != nil {
		t.Fatalf("of another address: %v", err)
	}
	defer conn.Close(within(t))
	counted("10.0.0.2", 0) // it has logged in

	f := login(t, silent[0], sampleDB(t))
	if got := f.talk("select 1"); !strings.Contains(got, `D "1"`) {
		t.Fatal(got)
	}
	counted("10.0.0.1", 1)
	silent[1].Close()
	counted("10.0.0.1", 0)
}
