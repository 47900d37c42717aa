package proxy_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"net"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgproto3/v2"

	"askpg/proxy"
)

// choppy relays connections to target in pieces of 1 to max bytes, small ones
// through socket buffers that are as small as the system allows.
func choppy(t testing.TB, target string, max int) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	relay := func(dst, src net.Conn) {
		defer dst.Close()
		buf := make([]byte, max)
		for {
			n, err := src.Read(buf[:1+rand.IntN(max)])
			for piece := buf[:n]; len(piece) > 0; {
				k := 1 + rand.IntN(len(piece))
				if _, err := dst.Write(piece[:k]); err != nil {
					return
				}
				piece = piece[k:]
			}
			if err != nil {
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
			go relay(in, out)
			go relay(out, in)
		}
	}()
	return l.Addr().String()
}

// choppyBench is a proxy with choppy connections on both sides.
func choppyBench(t testing.TB, max int) *bench {
	b := start(t, func(c *proxy.Config) { c.Primary.Address = choppy(t, c.Primary.Address, max) })
	b.addr = choppy(t, b.addr, max)
	return b
}

func TestChoppy_Sequences(t *testing.T) {
	q := asks("select i from generate_series(1, 5) i")
	for _, max := range []int{1, 3, 7, 64} {
		b := choppyBench(t, max)
		compare(t, b, concat(
			messages{query("select 1"), query(q)}, unit("select 2", 0), unit(q, 2), messages{sync_},
			unit("select nosuch", 0), unit(q, 0), messages{sync_},
			messages{parse("s", q), describe('S', "s"), sync_, bind("p", "s", 1), execute("p", 2), execute("p", 0), closing('S', "s"), sync_},
			messages{query("create temp table c (i int)"), query("copy c from stdin"), &pgproto3.CopyData{Data: []byte("1\n2\n")}, &pgproto3.CopyDone{}, query(q)},
			messages{query("listen l"), query("notify l, '" + strings.Repeat("x", 3000) + "'"), query(q), query("set timezone to 'Asia/Tokyo'"), query(q)},
		))
	}
}

// Sizes around every multiple of the buffer, in both directions.
func TestRelay_Sizes(t *testing.T) {
	b := start(t, nil)
	f := dial(t, b.addr, sampleDB(t))
	for _, base := range []int{1 << 10, 4 << 10, 8 << 10, 16 << 10, 32 << 10, 64 << 10, 128 << 10} {
		for d := -60; d <= 4; d += 1 + base>>13 {
			text := strings.Repeat("x", base+d)
			f.send(query("select '" + text + "'"))
			f.send(parse("", "select $1::text"), &pgproto3.Bind{Parameters: [][]byte{[]byte(text)}}, execute("", 0), sync_)
			for range 2 {
				if got := f.trace(1); !strings.Contains(got, "D \""+text+"\"") {
					t.Fatalf("size %d: %.200s", base+d, got)
				}
			}
		}
	}
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
