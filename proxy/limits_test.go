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

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/proxy"
)

func TestLimits_SessionsOfAUser(t *testing.T) {
	everyRoute(t, func(t *testing.T, l route, s *site) {
		b := l.start(t, s, func(c *proxy.Config) { c.Listen.MaxSessionsPerUser = 2 })
		url := func(user string) string {
			return strings.Replace(b.url(sampleDB(t)), "//"+pgtest.Superuser, "//"+user, 1)
		}
		first, _ := l.dial(t, b.addr, sampleDB(t)), l.dial(t, b.addr, sampleDB(t))
		for range 3 {
			_, err := pgconn.Connect(within(t), url(pgtest.Superuser))
			var e *pgconn.PgError
			if !errors.As(err, &e) || e.Code != "53300" || e.Severity != "FATAL" || e.Message != `too many connections for role "postgres"` {
				t.Fatalf("got %v", err)
			}
		}
		// Somebody else, and whoever did not get in, take nobody's place.
		conn, err := pgconn.Connect(within(t), url("trust_role"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close(within(t))
		first.send(&pgproto3.Terminate{})
		first.conn.Close()
		waitAtMost(t, "sessions", 2, b.Sessions)
		again := l.dial(t, b.addr, sampleDB(t))
		again.talk("select 1")
	})
}

func TestLimits_IdleTimeout(t *testing.T) {
	t.Parallel()
	everyRoute(t, func(t *testing.T, l route, s *site) {
		b := l.start(t, s, func(c *proxy.Config) {
			c.SweepEvery(50 * time.Millisecond)
			c.LastWait(200 * time.Millisecond) // clients do not close
		})
		idle, inTx, busy, unfinished := l.dial(t, b.addr, sampleDB(t)), l.dial(t, b.addr, sampleDB(t)), l.dial(t, b.addr, sampleDB(t)), l.dial(t, b.addr, sampleDB(t))
		inTx.talk("begin")
		unfinished.send(parse("", "select 1"), &pgproto3.Flush{})
		unfinished.receive()
		busy.send(query("select pg_sleep(0.6)"))
		cfg := b.config // now that nobody is idle by a slow machine's fault
		cfg.Listen.IdleTimeout = ask.Duration(200 * time.Millisecond)
		if err := b.Reload(cfg); err != nil {
			t.Fatal(err)
		}
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
		waitAtMost(t, "sessions", 0, b.Sessions)
	})
}

// A shutdown under load cuts no statement: what a client was told is done is
// done, what it was not told is not, and everybody is told 57P01.
func TestDrain_UnderLoad(t *testing.T) {
	everyRoute(t, func(t *testing.T, l route, s *site) {
		b := l.start(t, s, nil)
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
			wg.Go(func() {
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
			})
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
// their command otherwise, which is not cut.
func TestDrain_Replication(t *testing.T) {
	t.Parallel()
	everyRoute(t, func(t *testing.T, l route, s *site) {
		b := l.start(t, s, func(c *proxy.Config) { c.LastWait(300 * time.Millisecond) }) // clients do not close
		connect := func() *pgconn.PgConn {
			conn, err := pgconn.Connect(within(t), b.url("postgres")+"&replication=database")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { conn.Close(context.Background()) })
			return conn
		}
		idle, streaming, busy := connect(), connect(), connect()
		exec := func(c *pgconn.PgConn, sql string) {
			t.Helper()
			if _, err := c.Exec(within(t), sql).ReadAll(); err != nil {
				t.Fatal(err)
			}
		}
		send := func(c *pgconn.PgConn, sql string) {
			t.Helper()
			c.Frontend().SendQuery(&pgproto3v5.Query{String: sql})
			if err := c.Frontend().Flush(); err != nil {
				t.Fatal(err)
			}
		}
		exec(idle, "IDENTIFY_SYSTEM")
		exec(streaming, "CREATE_REPLICATION_SLOT drained TEMPORARY LOGICAL test_decoding")
		send(streaming, "START_REPLICATION SLOT drained LOGICAL 0/0")
		if m, err := streaming.ReceiveMessage(within(t)); err != nil || fmt.Sprintf("%T", m) != "*pgproto3.CopyBothResponse" {
			t.Fatalf("%T, %v", m, err)
		}
		send(busy, "select 'not cut', pg_sleep(0.5)")
		b.sleeping(&frontend{t: t, pid: busy.PID()})
		if err := b.Shutdown(within(t)); err != nil {
			t.Fatal(err)
		}
		for name, c := range map[string]*pgconn.PgConn{"idle": idle, "streaming": streaming, "busy": busy} {
			var err error
			done := false
			for err == nil {
				var m pgproto3v5.BackendMessage
				m, err = c.ReceiveMessage(within(t))
				_, complete := m.(*pgproto3v5.CommandComplete)
				done = done || complete
			}
			var e *pgconn.PgError
			if !errors.As(err, &e) || e.Code != "57P01" {
				t.Errorf("%s: %v", name, err)
			}
			if name == "busy" && !done {
				t.Error("a command was cut")
			}
		}
	})
}

// Close, which is a second signal, ends what a shutdown waits for at once,
// whatever it is at, and tells everyone why who is between two messages.
func TestClose_WhileDraining(t *testing.T) {
	everyRoute(t, func(t *testing.T, l route, s *site) {
		b := l.start(t, s, nil)
		var sessions []*frontend
		for _, state := range states {
			f := l.dial(t, b.addr, sampleDB(t))
			state.begin(b, f)
			sessions = append(sessions, f)
		}
		replication, err := pgconn.Connect(within(t), b.url("postgres")+"&replication=database")
		if err != nil {
			t.Fatal(err)
		}
		replication.Frontend().SendQuery(&pgproto3v5.Query{String: "select pg_sleep(60)"})
		if err := replication.Frontend().Flush(); err != nil {
			t.Fatal(err)
		}
		b.sleeping(&frontend{t: t, pid: replication.PID()})
		drained := make(chan error, 1)
		go func() { drained <- b.Shutdown(within(t)) }()
		if code := sessions[0].ending(); code != "57P01" { // the idle one
			t.Fatalf("an idle session was told %q", code)
		}
		if len(drained) > 0 {
			t.Fatal("the shutdown did not wait")
		}
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
		if err := <-drained; err != nil {
			t.Fatal(err)
		}
		for i, f := range sessions[1:] {
			code := f.ending()
			if code != "57P01" && states[i+1].name != "in COPY out" {
				t.Errorf("%s: told %q", states[i+1].name, code)
			}
		}
		for err == nil {
			_, err = replication.ReceiveMessage(within(t))
		}
		var e *pgconn.PgError
		if !errors.As(err, &e) || e.Code != "57P01" {
			t.Errorf("a replication session: %v", err)
		}
		if n := b.Sessions(); n != 0 {
			t.Errorf("%d sessions are open", n)
		}
	})
}
