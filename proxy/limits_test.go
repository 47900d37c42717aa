package proxy_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgproto3/v2"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	pgproto3v5 "github.com/jackc/pgx/v5/pgproto3"
	"github.com/prometheus/client_golang/prometheus"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/proxy"
)

// bothRelays runs a test with the event loop and with goroutines.
func bothRelays(t *testing.T, f func(t *testing.T, loops int)) {
	t.Helper()
	for _, loops := range []int{0, 1} {
		t.Run(fmt.Sprintf("event_loops=%d", loops), func(t *testing.T) { f(t, loops) })
	}
}

func TestLimits_SessionsOfAUser(t *testing.T) {
	bothRelays(t, func(t *testing.T, loops int) {
		b := start(t, func(c *proxy.Config) { c.Listen.MaxSessionsPerUser, c.Listen.EventLoops = 2, loops })
		url := func(user string) string {
			return fmt.Sprintf("postgres://%s@%s/%s?sslmode=disable", user, b.addr, sampleDB(t))
		}
		pgtest.Exec(t, b.cluster.Primary.URL(pgtest.Superuser, "postgres"), fmt.Sprintf("create role another_user_%d login", loops))
		first, _ := dial(t, b.addr, sampleDB(t)), dial(t, b.addr, sampleDB(t))
		for range 3 {
			_, err := pgconn.Connect(within(t), url(pgtest.Superuser))
			var e *pgconn.PgError
			if !errors.As(err, &e) || e.Code != "53300" || e.Severity != "FATAL" || e.Message != `too many connections for role "postgres"` {
				t.Fatalf("got %v", err)
			}
		}
		// Somebody else, and whoever did not get in, take nobody's place.
		conn, err := pgconn.Connect(within(t), url(fmt.Sprintf("another_user_%d", loops)))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close(within(t))
		first.send(&pgproto3.Terminate{})
		first.conn.Close()
		settle(t, "sessions", 2, b.Sessions)
		again := dial(t, b.addr, sampleDB(t))
		again.talk("select 1")
	})
}

func TestLimits_IdleTimeout(t *testing.T) {
	bothRelays(t, func(t *testing.T, loops int) {
		b := start(t, func(c *proxy.Config) {
			c.Listen.IdleTimeout, c.Listen.EventLoops = ask.Duration(200*time.Millisecond), loops
		})
		idle, inTx, busy, unfinished := dial(t, b.addr, sampleDB(t)), dial(t, b.addr, sampleDB(t)), dial(t, b.addr, sampleDB(t)), dial(t, b.addr, sampleDB(t))
		inTx.talk("begin")
		unfinished.send(parse("", "select 1"), &pgproto3.Flush{})
		unfinished.receive()
		busy.send(query("select pg_sleep(1)"))
		if got := line(idle.receive()); got != "E FATAL 57P05 terminating connection due to idle-session timeout" {
			t.Fatal(got)
		}
		if _, err := idle.Receive(); err == nil {
			t.Fatal("the connection is open after 57P05")
		}
		if got := busy.trace(1); !strings.Contains(got, "C SELECT 1") {
			t.Fatal(got)
		}
		if got := inTx.talk("select 1", "commit"); !strings.Contains(got, "C COMMIT") {
			t.Fatal(got)
		}
		unfinished.send(&pgproto3.Sync{})
		if got := unfinished.trace(1); got != "Z I" {
			t.Fatal(got)
		}
		for _, f := range []*frontend{inTx, busy, unfinished} {
			if got := line(f.receive()); !strings.Contains(got, "57P05") {
				t.Fatal(got)
			}
		}
		settle(t, "sessions", 0, b.Sessions)
	})
}

// A shutdown under load cuts no statement: what a client was told is done is
// done, what it was not told is not, and everybody is told 57P01.
func TestDrain_UnderLoad(t *testing.T) {
	bothRelays(t, func(t *testing.T, loops int) {
		b := start(t, func(c *proxy.Config) { c.Listen.EventLoops = loops })
		database := sampleDB(t)
		direct := b.cluster.Primary.URL(pgtest.Superuser, database)
		pgtest.Exec(t, direct, "drop table if exists acknowledged; create table acknowledged (client int, n int)")
		const clients = 24
		var done [clients]atomic.Int64
		var wg sync.WaitGroup
		errs := make(chan error, clients)
		modes := []pgx.QueryExecMode{pgx.QueryExecModeCacheStatement, pgx.QueryExecModeExec, pgx.QueryExecModeSimpleProtocol}
		for i := range clients {
			conn, err := pgx.Connect(within(t), b.url(database))
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close(context.Background())
			wg.Add(1)
			go func() {
				defer wg.Done()
				for n := 0; ; n++ {
					var err error
					if i%4 == 3 {
						err = pgx.BeginFunc(within(t), conn, func(tx pgx.Tx) error {
							if _, err := tx.Exec(within(t), "select 1"); err != nil {
								return err
							}
							_, err := tx.Exec(within(t), "insert into acknowledged values ($1, $2)", i, n)
							return err
						})
					} else {
						_, err = conn.Exec(within(t), "insert into acknowledged values ($1, $2)", modes[i%4], i, n)
					}
					if err != nil {
						errs <- err
						return
					}
					done[i].Add(1)
				}
			}()
		}
		for i := range done {
			for done[i].Load() < 3 {
				time.Sleep(time.Millisecond)
			}
		}
		if err := b.Shutdown(within(t)); err != nil {
			t.Fatal(err)
		}
		wg.Wait()
		close(errs)
		for err := range errs {
			var e *pgconn.PgError
			if !errors.As(err, &e) || e.Code != "57P01" {
				t.Errorf("a client ended with %v", err)
			}
		}
		conn, err := pgx.Connect(within(t), direct)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close(within(t))
		for i := range done {
			var n int64
			if err := conn.QueryRow(within(t), "select count(*) from acknowledged where client = $1", i).Scan(&n); err != nil || n != done[i].Load() {
				t.Errorf("client %d was told that %d statements are done, %d are; %v", i, done[i].Load(), n, err)
			}
		}
	})
}

// Replication sessions are told too: at once if they stream or wait, after
// their command otherwise.
func TestDrain_Replication(t *testing.T) {
	b := start(t, nil)
	connect := func() *pgconn.PgConn {
		conn, err := pgconn.Connect(within(t), b.url("postgres")+"&replication=database")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close(context.Background()) })
		return conn
	}
	idle, streaming := connect(), connect()
	exec := func(c *pgconn.PgConn, sql string) {
		t.Helper()
		if _, err := c.Exec(within(t), sql).ReadAll(); err != nil {
			t.Fatal(err)
		}
	}
	exec(idle, "IDENTIFY_SYSTEM")
	exec(streaming, "CREATE_REPLICATION_SLOT drained TEMPORARY LOGICAL test_decoding")
	streaming.Frontend().SendQuery(&pgproto3v5.Query{String: "START_REPLICATION SLOT drained LOGICAL 0/0"})
	if err := streaming.Frontend().Flush(); err != nil {
		t.Fatal(err)
	}
	if m, err := streaming.ReceiveMessage(within(t)); err != nil || fmt.Sprintf("%T", m) != "*pgproto3.CopyBothResponse" {
		t.Fatalf("%T, %v", m, err)
	}
	if err := b.Shutdown(within(t)); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]*pgconn.PgConn{"idle": idle, "streaming": streaming} {
		var err error
		for err == nil {
			_, err = c.ReceiveMessage(within(t))
		}
		var e *pgconn.PgError
		if !errors.As(err, &e) || e.Code != "57P01" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestMetrics(t *testing.T) {
	registry := prometheus.NewRegistry()
	b := startWith(t, registry, nil)
	value := func(name string, labels ...string) (sum float64) {
		families, err := registry.Gather()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range families {
			if f.GetName() != name {
				continue
			}
		next:
			for _, m := range f.GetMetric() {
				for i := 0; i < len(labels); i += 2 {
					found := false
					for _, l := range m.GetLabel() {
						found = found || l.GetName() == labels[i] && l.GetValue() == labels[i+1]
					}
					if !found {
						continue next
					}
				}
				sum += m.GetCounter().GetValue() + m.GetGauge().GetValue() + float64(m.GetHistogram().GetSampleCount())
			}
		}
		return sum
	}
	f := dial(t, b.addr, sampleDB(t))
	sent, received := value("askpg_messages_total", "from", "client"), value("askpg_messages_total", "from", "server")
	f.talk("select 1", "select * from nosuch", "select * from big limit 50", "-- ask: fail")
	if got := value("askpg_messages_total", "from", "client") - sent; got < 3 || got > 4 {
		t.Errorf("%v messages of the client's", got)
	}
	// T D C Z, E Z, T 50×D C Z, and what the question asked the server.
	if got := value("askpg_messages_total", "from", "server") - received; got < 4+2+53 || got > 4+2+53+20 {
		t.Errorf("%v messages of the server's", got)
	}
	f.conn.Close()
	settle(t, "sessions", 0, b.Sessions)
	for _, want := range []struct {
		value  float64
		name   string
		labels []string
	}{
		{1, "askpg_errors_total", []string{"side", "server", "code", "42P01"}},
		{1, "askpg_errors_total", []string{"side", "askpg", "code", "ASK01"}},
		{1, "askpg_errors_total", []string{"side", "client", "code", "08006"}},
		{1, "askpg_sessions_total", nil},
		{0, "askpg_sessions", nil},
		{1, "askpg_login_seconds", nil},
		{1, "askpg_questions_total", []string{"code", "ASK01"}},
	} {
		if got := value(want.name, want.labels...); got != want.value {
			t.Errorf("%s%v is %v, want %v", want.name, want.labels, got, want.value)
		}
	}
	for side, least := range map[string]float64{"server": 50 * 7, "client": 3 * 14} {
		if got := value("askpg_bytes_total", "from", side); got < least {
			t.Errorf("%v bytes of the %s's", got, side)
		}
	}
}
