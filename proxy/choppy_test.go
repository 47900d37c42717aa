package proxy_test

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgproto3/v2"

	"askpg/proxy"
)

// choppy relays connections to target in pieces of 1 to max bytes, small ones
// through socket buffers that are as small as the system allows.
func choppy(t testing.TB, target string, max int) string {
	return choppyBy(t, target, max, func(in net.Conn) net.Conn { return in })
}

// choppyTLS is choppy for a server with TLS: it ends TLS itself, so that what is
// inside comes in pieces and not only its records.
func (s *site) choppyTLS(t testing.TB, max int) string {
	t.Helper()
	pair, err := tls.LoadX509KeyPair(s.cert, s.key)
	if err != nil {
		t.Fatal(err)
	}
	return choppyBy(t, s.cluster.Primary.Address(), max, func(in net.Conn) net.Conn {
		_, _ = io.ReadFull(in, make([]byte, 8)) // SSLRequest
		_, _ = in.Write([]byte{'S'})
		return tls.Server(in, &tls.Config{Certificates: []tls.Certificate{pair}})
	})
}

func choppyBy(t testing.TB, target string, max int, begin func(net.Conn) net.Conn) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	// What one side says last reaches the other, also if that takes nothing any more.
	relay := func(dst, src net.Conn) {
		buf, broken := make([]byte, max), false
		for {
			n, err := src.Read(buf[:1+rand.IntN(max)])
			if !broken {
				_, werr := (&pieces{dst, max}).Write(buf[:n])
				broken = werr != nil
			}
			if err != nil {
				_ = dst.(interface{ CloseWrite() error }).CloseWrite()
				return
			}
		}
	}
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", target)
			if err != nil {
				in.Close()
				continue
			}
			for _, c := range []net.Conn{in, out} {
				if max > 64 {
					break
				}
				_ = c.(*net.TCPConn).SetReadBuffer(1)
				_ = c.(*net.TCPConn).SetWriteBuffer(1)
			}
			go func() {
				in := begin(in)
				defer in.Close()
				defer out.Close()
				back := make(chan struct{})
				go func() {
					defer close(back)
					relay(in, out)
				}()
				relay(out, in)
				<-back
			}()
		}
	}()
	return l.Addr().String()
}

// pieces writes 1 to max bytes at a time.
type pieces struct {
	net.Conn
	max int
}

func (p *pieces) Write(b []byte) (n int, err error) {
	for n < len(b) && err == nil {
		var k int
		k, err = p.Conn.Write(b[n : n+1+rand.IntN(min(p.max, len(b)-n))])
		n += k
	}
	return n, err
}

// chop has a bench's connections come in pieces of at most max bytes, on either
// side and inside of TLS.
func (b *bench) chop(t testing.TB, s *site, max int) {
	t.Helper()
	cfg := b.config
	if b.route.server {
		cfg.Primary.Address = s.choppyTLS(t, max)
	} else {
		cfg.Primary.Address = choppy(t, cfg.Primary.Address, max)
	}
	if err := b.Reload(cfg); err != nil {
		t.Fatal(err)
	}
	if b.route.client {
		b.route.pieces = max
	} else {
		b.addr = choppy(t, b.addr, max)
	}
}

// choppyBench is a proxy with choppy connections on both sides.
func choppyBench(t testing.TB, max int) *bench {
	b := start(t, func(c *proxy.Config) { c.Primary.Address = choppy(t, c.Primary.Address, max) })
	b.addr = choppy(t, b.addr, max)
	return b
}

// Sequences with questions get the same answers through connections that take
// and give a few bytes at a time, on either side of askpg. Those without are
// TestSequences' matter.
func TestChoppy_Sequences(t *testing.T) {
	if everywhere == nil { // which is another test's, and gone when it is over
		t.Parallel()
	}
	q := asks("select i from generate_series(1, 5) i")
	sequences := questionSequences()
	delete(sequences, "call in from")         // the server knows no ask()
	sequences["many requests"] = many(q, 500) // more than the small buffers on the way hold
	sequences["a pipeline of everything"] = concat(
		messages{query("select 1"), query(q)}, unit("select 2", 0), unit(q, 2), messages{sync_},
		unit("select nosuch", 0), unit(q, 0), messages{sync_},
		messages{parse("s", q), describe('S', "s"), sync_, bind("p", "s", 1), execute("p", 2), execute("p", 0), closing('S', "s"), sync_},
		messages{query("create temp table c (i int)"), query("copy c from stdin"), &pgproto3.CopyData{Data: []byte("1\n2\n")}, &pgproto3.CopyDone{}, query(q)},
		messages{query("listen l"), query("notify l, '" + strings.Repeat("x", 3000) + "'"), query(q), query("set timezone to 'Asia/Tokyo'"), query(q)},
	)
	everyRoute(t, func(t *testing.T, l route, s *site) {
		for _, max := range []int{1, 64} {
			b := l.start(t, s, nil)
			b.chop(t, s, max)
			fails := failsOnSimpleQuery(t, b)
			for name, seq := range sequences {
				if (name == "many requests") != (max == 64) || name == "kept by simple" && fails {
					continue
				}
				t.Run(fmt.Sprintf("at most %d bytes, %s", max, name), func(t *testing.T) { compare(t, b, seq) })
			}
		}
	})
}

// Sizes around every multiple of a buffer on the way, in both directions: of values, and of whole messages to the byte.
// Among them are the buffers of idle sessions (512 bytes), of PostgreSQL (8 KB), of TLS records and reads (16 KB) and of
// the event loop (64 KB).
func TestRelay_Sizes(t *testing.T) {
	everyRoute(t, func(t *testing.T, l route, s *site) {
		b := l.start(t, s, nil)
		f := l.dial(t, b.addr, sampleDB(t))
		_ = f.conn.SetDeadline(time.Now().Add(2 * time.Minute))
		there := func(text string) {
			t.Helper()
			f.send(query("select '" + text + "'"))
			f.send(parse("", "select $1::text"), &pgproto3.Bind{Parameters: [][]byte{[]byte(text)}}, execute("", 0), sync_)
			for range 2 {
				if got := f.trace(1); !strings.Contains(got, "D \""+text+"\"") {
					t.Fatalf("size %d: %.200s", len(text), got)
				}
			}
		}
		for _, base := range []int{1 << 10, 4 << 10, 8 << 10, 16 << 10, 32 << 10, 64 << 10, 128 << 10} {
			for d := -60; d <= 4; d += 3 + base>>13 {
				there(strings.Repeat("x", base+d))
			}
		}
		f.talk("create temp table sized (t text)")
		for _, base := range []int{512, 8 << 10, 16 << 10, 64 << 10} {
			for _, times := range []int{1, 2, 3} {
				for d := -1; d <= 1; d++ {
					size := times*base + d // of the whole message
					const queryFrame, rowFrame = 1 + 4 + 1, 1 + 4 + 2 + 4
					sql := "select length('')"
					f.send(query(sql[:len(sql)-2] + strings.Repeat("q", size-queryFrame-len(sql)) + "')"))
					if got, want := f.trace(1), fmt.Sprintf("D %q", strconv.Itoa(size-queryFrame-len(sql))); !strings.Contains(got, want) {
						t.Fatalf("a Query of %d bytes: %.200s", size, got)
					}
					row := strings.Repeat("r", size-rowFrame)
					f.send(query(fmt.Sprintf("select repeat('r', %d) from generate_series(1, 3)", len(row))))
					if got := f.trace(1); strings.Count(got, "D \""+row+"\"") != 3 {
						t.Fatalf("rows of %d bytes: %.200s", size, got)
					}
					data := []byte(strings.Repeat("c", size-1-4-1) + "\n")
					f.send(query("truncate sized"), query("copy sized from stdin"), &pgproto3.CopyData{Data: data}, &pgproto3.CopyData{Data: data}, &pgproto3.CopyDone{}, query("copy sized to stdout"))
					f.trace(2)
					came := 0
					for done := false; !done; {
						switch m := f.receive().(type) {
						case *pgproto3.CopyData:
							came++
							if !bytes.Equal(m.Data, data) {
								t.Fatalf("CopyData of %d bytes came as %d others", size, len(m.Data))
							}
						case *pgproto3.ReadyForQuery:
							done = true
						}
					}
					if came != 2 {
						t.Fatalf("%d of 2 CopyData of %d bytes", came, size)
					}
				}
			}
		}
	})
}

func TestRelay_Copy(t *testing.T) {
	b := start(t, nil)
	conn := b.connect(t)
	ctx := within(t)
	if _, err := conn.Exec(ctx, "create temp table t (i int, filler text)"); err != nil {
		t.Fatal(err)
	}
	var data bytes.Buffer
	for i := range 50000 {
		data.WriteString(strconv.Itoa(i) + "\t" + strings.Repeat("y", i%300) + "\n")
	}
	tag, err := conn.PgConn().CopyFrom(ctx, bytes.NewReader(data.Bytes()), "copy t from stdin")
	if err != nil || tag.RowsAffected() != 50000 {
		t.Fatalf("%v, %v", tag, err)
	}
	var back bytes.Buffer
	if _, err := conn.PgConn().CopyTo(ctx, &back, "copy (select * from t order by i) to stdout"); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(back.Bytes(), data.Bytes()) {
		at := 0
		for at < min(back.Len(), data.Len()) && back.Bytes()[at] == data.Bytes()[at] {
			at++
		}
		t.Fatalf("%d bytes came back, %d went in; they differ from %d on: %.60q, %.60q", back.Len(), data.Len(), at, back.Bytes()[at:], data.Bytes()[at:])
	}
	// A failing COPY leaves the session usable, for questions too.
	if _, err := conn.PgConn().CopyFrom(ctx, io.MultiReader(strings.NewReader("x\ty\n"), bytes.NewReader(data.Bytes())), "copy t from stdin"); err == nil {
		t.Fatal("a wrong value was accepted")
	}
	var n int
	if err := conn.QueryRow(ctx, "-- ask: how many customers").Scan(&n); err != nil || n != 100 {
		t.Fatalf("%d, %v", n, err)
	}
}

func TestRelay_Notifications(t *testing.T) {
	b := start(t, nil)
	listener, sender := b.connect(t), b.connect(t)
	ctx := within(t)
	if _, err := listener.Exec(ctx, "listen news"); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := sender.Exec(ctx, "notify news, 'hello'"); err != nil {
			t.Fatal(err)
		}
		n, err := listener.WaitForNotification(ctx)
		if err != nil || n.Channel != "news" || n.Payload != "hello" {
			t.Fatalf("%+v, %v", n, err)
		}
		var count int
		if err := listener.QueryRow(ctx, "-- ask: how many customers").Scan(&count); err != nil {
			t.Fatal(err)
		}
	}
}

// Notifications that come while a question is answered pass between the
// messages of the answer.
func TestRelay_NotificationsInAnswer(t *testing.T) {
	b := choppyBench(t, 5)
	f := dial(t, b.addr, sampleDB(t))
	sender := b.connect(t)
	f.send(query("listen news"))
	f.trace(1)
	f.send(query("-- ask: deaf"))
	<-b.fake.started
	for range 50 {
		if _, err := sender.Exec(within(t), "notify news, 'hello'"); err != nil {
			t.Fatal(err)
		}
	}
	b.fake.release <- struct{}{}
	got := f.trace(1)
	f.send(query("/*ask: run: select i from generate_series(1, 3000) i*/"))
	got += "\n" + f.trace(1)
	if n := strings.Count(got, "A news hello"); n != 50 {
		t.Fatalf("%d notifications", n)
	}
	if n := strings.Count(got, "\nD "); n != 3000 {
		t.Fatalf("%d rows", n)
	}
}

func TestRelay_SlowReader(t *testing.T) {
	b := start(t, nil)
	f := dial(t, b.addr, sampleDB(t))
	_ = f.conn.SetDeadline(time.Now().Add(3 * time.Minute)) // 40 MB, by a machine that does other things
	f.send(query("/*ask: run: select repeat('x', 1000) from generate_series(1, 20000)*/"), query("select repeat('y', 1000) from generate_series(1, 20000)"))
	if n := strings.Count(f.trace(1), "\nD "); n != 20000 {
		t.Fatalf("%d rows of the answer", n)
	}
	if n := strings.Count(f.trace(1), "\nD "); n != 20000 {
		t.Fatalf("%d rows of the statement", n)
	}
}

// A client that vanishes in the middle of a message leaves nothing behind.
func TestRelay_PartialRequestThenGone(t *testing.T) {
	b := start(t, nil)
	whole, _ := (&pgproto3.Parse{Query: "select 1"}).Encode(nil)
	asked, _ := (&pgproto3.Query{String: "-- ask: how many"}).Encode(nil)
	var pids []int
	for i := range len(whole) {
		f := dial(t, b.addr, sampleDB(t))
		pids = append(pids, int(f.pid))
		_, _ = f.conn.Write(whole[:i])
		f.conn.Close()
	}
	for i := range len(asked) {
		f := dial(t, b.addr, sampleDB(t))
		pids = append(pids, int(f.pid))
		_, _ = f.conn.Write(asked[:i])
		f.conn.Close()
	}
	conn := b.connect(t)
	for left := 1; left > 0; {
		if err := conn.QueryRow(within(t), "select count(*) from pg_stat_activity where pid = any($1)", pids).Scan(&left); err != nil {
			t.Fatal(err)
		}
	}
}
