package proxy_test

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgproto3/v2"
)

const noRoom = "E ERROR 53200 the prepared questions and portals of the session would take more than 8388608 bytes"

// What a session keeps for its prepared questions and portals is bounded by bytes, takes
// about what is counted for it, and is given back when it ends.
func TestLimits_StatementBytes(t *testing.T) {
	b := start(t, nil)
	f := dial(t, b.addr, sampleDB(t))
	_ = f.conn.SetDeadline(time.Now().Add(2 * time.Minute))
	heap := func() int {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	// fill returns how many succeed; at least one does, and then there is no room.
	fill := func(name string, done string, one func(i int) pgproto3.FrontendMessage) int {
		t.Helper()
		before := 0
		for i := range 1000 {
			if i == 1 { // what ended before has been forgotten by now
				before = heap()
			}
			f.send(one(i), sync_)
			got, _, _ := strings.Cut(f.trace(1), "\nZ ")
			if got == done {
				continue
			}
			if !strings.HasPrefix(got, noRoom) || i == 0 {
				t.Fatalf("%s: %d: %s", name, i, got)
			}
			took := heap() - before
			t.Logf("%s: %d, %d bytes", name, i, took)
			if took > 16<<20 {
				t.Errorf("%s: what counts for 8 MB takes %d bytes", name, took)
			}
			return i
		}
		t.Fatalf("%s: there is always room", name)
		return 0
	}
	single := func(message pgproto3.FrontendMessage, want string) {
		t.Helper()
		f.send(message, sync_)
		if got := f.trace(1); !strings.HasPrefix(got, want) {
			t.Fatalf("%s, want %s", got, want)
		}
	}
	value := func(portal, statement string, n int) *pgproto3.Bind {
		return &pgproto3.Bind{DestinationPortal: portal, PreparedStatement: statement, Parameters: [][]byte{bytes.Repeat([]byte("y"), n)}}
	}
	call := "select a from ask('run: select 1 as a') r where a::text = $1"

	f.talk("set askpg.notices = off", "begin")
	single(parse("v", call), "ParseComplete")
	portals := func() int {
		return fill("portals", "BindComplete", func(i int) pgproto3.FrontendMessage { return value(fmt.Sprint("p", i), "v", 60000) })
	}
	if n := portals(); n < 100 || n > 139 {
		t.Errorf("%d portals of 60 kB", n)
	}
	f.talk("rollback", "begin") // a refusal has failed the transaction; its end has closed them
	n := portals()
	f.talk("rollback", "begin")
	for i := range n {
		single(value(fmt.Sprint("p", i), "v", 60000), "BindComplete")
	}
	single(closing('P', "p3"), "CloseComplete")
	single(value("p3", "v", 60000), "BindComplete")
	for range 2 { // a replaced one gives its bytes back
		single(value("", "v", 40000), "BindComplete")
	}
	single(value("more", "v", 60000), noRoom)
	f.talk("rollback")

	pad := strings.Repeat(" ", 30000)
	var tables strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&tables, ",o o%d", i)
	}
	for _, kind := range []struct{ name, sql string }{
		{"statements", call + pad},
		{"names of tables", "with o as (select 1) select a from ask('run: select 1 as a') r where a::text = $1 or exists (select 1 from o" + tables.String() + ")"},
		{"columns", "select 1" + strings.Repeat(",1", 1600) + " from ask('run: select 1 as a') r where a::text = $1"},
		{"questions", "/* ask: run: select 1 as a" + pad + "*/"},
	} {
		named := func(i int) pgproto3.FrontendMessage { return parse(fmt.Sprint("s", i), kind.sql) }
		n := fill(kind.name, "ParseComplete", named)
		for range 2 {
			single(closing('S', "s0"), "CloseComplete")
			single(named(0), "ParseComplete")
		}
		single(named(n), noRoom)
		for i := range n {
			single(closing('S', fmt.Sprint("s", i)), "CloseComplete")
		}
	}

	// A statement that is closed counts while a portal of it is open, once for all of them.
	f.talk("begin")
	closed := 0
	for ; closed < 1000; closed++ {
		f.send(parse("", call+pad+pad), value(fmt.Sprint("c", closed), "", 1), sync_)
		if got := f.trace(1); got != "ParseComplete\nBindComplete\nZ T" {
			if !strings.HasPrefix(got, noRoom) {
				t.Fatal(got)
			}
			break
		}
	}
	if closed < 50 || closed > 139 {
		t.Errorf("%d portals of closed statements of 60 kB", closed)
	}
	f.talk("rollback", "begin")
	single(parse("w", call+pad+pad), "ParseComplete")
	for i := range 300 {
		single(value(fmt.Sprint("d", i), "w", 1), "BindComplete")
	}
	single(closing('S', "w"), "CloseComplete")
	single(value("d300", "v", 1), "BindComplete")
	f.talk("rollback")
}
