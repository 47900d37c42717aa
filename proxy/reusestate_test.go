package proxy_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgproto3/v2"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/proxy"
)

// dialAs logs in with single messages.
func (r *reuseBench) dialAs(t testing.TB, user string) *frontend {
	t.Helper()
	conn, err := net.Dial("tcp", r.addr)
	if err != nil {
		t.Fatal(err)
	}
	return loginWith(t, conn, map[string]string{"user": user, "database": "postgres"})
}

// A server connection is kept only if its client left nothing open.
func TestReuse_Unclean(t *testing.T) {
	r := startReuse(t, pgtest.Shared(t), nil)
	user := r.role(t, "")
	r.exec(t, "create table reuse_copied (i int); grant insert on reuse_copied to "+user)
	t.Cleanup(func() { pgtest.Exec(t, r.cluster.Primary.URL(pgtest.Superuser, "postgres"), "drop table reuse_copied") })
	clean := func(f *frontend) { f.send(&pgproto3.Terminate{}) }
	// pieces sends each by itself.
	pieces := func(all ...string) func(f *frontend) {
		return func(f *frontend) {
			f.talk("select 1")
			for _, p := range all {
				_, _ = f.conn.Write([]byte(p))
				time.Sleep(10 * time.Millisecond)
			}
		}
	}
	long := strings.Repeat("x", 100)
	for name, tt := range map[string]struct {
		leave func(f *frontend)
		kept  bool
	}{
		"terminated":  {func(f *frontend) { f.talk("select 1"); clean(f) }, true},
		"closed":      {func(f *frontend) { f.talk("select 1") }, true},
		"never used":  {clean, true},
		"after error": {func(f *frontend) { f.talk("select nosuch"); clean(f) }, true},
		"after a COPY": {func(f *frontend) {
			f.send(query("copy reuse_copied from stdin"), &pgproto3.CopyData{Data: []byte("1\n")}, &pgproto3.CopyDone{})
			f.trace(1)
			clean(f)
		}, true},
		"after temporary objects":           {func(f *frontend) { f.talk("create temp table c (i int)"); clean(f) }, false},
		"after temporary objects, dropped":  {func(f *frontend) { f.talk("create temp table c (i int)", "drop table c"); clean(f) }, false},
		"after DISCARD TEMP":                {func(f *frontend) { f.talk("create temp table c (i int)", "discard temp"); clean(f) }, false},
		"after a look at temporary objects": {func(f *frontend) { f.talk("select to_regclass('pg_temp.c')"); clean(f) }, true},
		"after temporary objects of a function": {func(f *frontend) {
			f.talk("do $$ begin execute 'create temp table c (i int)'; drop table c; end $$")
			clean(f)
		}, false},
		"with a prepared question": {func(f *frontend) {
			f.send(parse("q", "-- ask: error: XX001"), sync_)
			f.trace(1)
			clean(f)
		}, true},
		"terminated in pieces":                   {pieces("X", "\x00\x00", "\x00\x04"), true},
		"terminated in pieces and by more":       {pieces("X\x00\x00\x00", "\x04Q"), true},
		"half terminated":                        {pieces("X\x00\x00"), true}, // the server has seen none of it
		"terminated by a long message":           {pieces("X\x00\x00\x00\x68" + long), false},
		"terminated by a long message in pieces": {pieces("X", "\x00\x00\x00", "\x68", long[:50], long[50:]), false},
		"half of a long message":                 {pieces("X\x00\x00\x00\x68" + long[:50]), false},
		"terminated by a message too long":       {pieces("X\x00\x10\x00\x00" + long), false},
		"terminated by a message too short":      {pieces("X\x00\x00\x00\x03"), false},
		"a statement and half a Terminate at once": {func(f *frontend) {
			_, _ = f.conn.Write(append(message(nil, 'Q', []byte("select 1\x00")), "X\x00"...))
			f.trace(1)
			_, _ = f.conn.Write([]byte("\x00\x00\x04"))
		}, false},
		"in a transaction":         {func(f *frontend) { f.talk("begin"); clean(f) }, false},
		"in a transaction, closed": {func(f *frontend) { f.talk("begin") }, false},
		"in a failed transaction":  {func(f *frontend) { f.talk("begin", "select nosuch"); clean(f) }, false},
		"in a pipeline":            {func(f *frontend) { f.send(parse("", "select 1"), &pgproto3.Flush{}); f.receive(); clean(f) }, false},
		"after an error in it":     {func(f *frontend) { f.send(parse("", "select nosuch")); f.receive(); clean(f) }, false},
		"in a COPY": {func(f *frontend) {
			f.send(query("copy reuse_copied from stdin"))
			f.receive()
			clean(f)
		}, false},
		"with an unanswered query": {func(f *frontend) { f.send(query("select pg_sleep(0.2)")); clean(f) }, false},
		"in a message": {func(f *frontend) {
			_, _ = f.conn.Write([]byte("Q\x00\x10\x00\x00select 1"))
			time.Sleep(20 * time.Millisecond)
		}, false},
		"with an unread large result": {func(f *frontend) {
			f.send(query("select repeat('x', 1000) from generate_series(1, 20000)"))
			f.receive()
		}, false},
		"after a protocol error": {func(f *frontend) { _, _ = f.conn.Write([]byte("\x01\x00\x00\x00\x04")); _, _ = f.Receive() }, false},
	} {
		for _, how := range []string{"event loop", "goroutines"} {
			t.Run(name+", "+how, func(t *testing.T) {
				f := r.dialAs(t, user)
				if how == "goroutines" { // which relay from a question on, until they have nothing to do
					f.talk("-- ask: error: XX001")
				}
				before := r.kept(t)
				tt.leave(f)
				f.conn.Close()
				waitAtMost(t, "sessions", 0, r.Sessions)
				if tt.kept {
					waitUntil(t, "kept connections", before+1, func() int { return r.kept(t) })
					return
				}
				waitAtMost(t, "server process", 0, func() int {
					return one[int](t, r.admin, "select count(*) from pg_stat_activity where pid = $1", int(f.pid))
				})
				if n := r.kept(t); n != before {
					t.Fatalf("%d connections are kept, before %d", n, before)
				}
			})
		}
	}
}

// Whose login differs in anything does not get the connection.
func TestReuse_Keys(t *testing.T) {
	base := url.Values{"application_name": {"one"}}
	for name, options := range map[string]url.Values{
		"application_name": {"application_name": {"two"}},
		"search_path":      {"application_name": {"one"}, "search_path": {"x"}},
		"options":          {"application_name": {"one"}, "options": {"-cwork_mem=123kB"}},
		"user":             nil,
		"database":         {"application_name": {"one"}, "dbname": {"template1"}},
		"nothing":          base,
	} {
		t.Run(name, func(t *testing.T) {
			r := startReuse(t, pgtest.Shared(t), nil)
			user, other := r.role(t, ""), r.role(t, "")
			first := r.login(t, user, base)
			r.leaves(t, first)
			as := user
			if options == nil {
				as, options = other, base
			}
			second := r.login(t, as, options)
			if same := second.PgConn().PID() == first.PgConn().PID(); same != (name == "nothing") {
				t.Fatalf("reused: %v", same)
			}
			if got := one[string](t, second, "select session_user"); got != as {
				t.Fatal(got)
			}
			if v := options.Get("options"); v != "" && one[string](t, second, "show work_mem") != "123kB" {
				t.Fatal("options were not applied")
			}
		})
	}
}

// What makes a login fail makes it fail although a connection waits.
func TestReuse_Refused(t *testing.T) {
	r := startReuse(t, pgtest.Shared(t), func(c *proxy.Config) { c.Auth.Cache = 0 })
	for name, tt := range map[string]struct {
		change   string
		password string
	}{
		"wrong password":   {"", "wrong"},
		"changed password": {"alter role ROLE password 'another'", "secret"},
		"no password":      {"alter role ROLE password null", "secret"},
		"no login":         {"alter role ROLE nologin", "secret"},
		"expired":          {"alter role ROLE valid until '2001-01-01'", "secret"},
	} {
		t.Run(name, func(t *testing.T) {
			user := r.role(t, "")
			r.leaves(t, r.login(t, user, nil))
			if tt.change != "" {
				r.exec(t, strings.ReplaceAll(tt.change, "ROLE", user))
			}
			_, err := pgx.Connect(within(t), r.dsn(user, tt.password, "postgres", nil))
			var e *pgconn.PgError
			if !errors.As(err, &e) || e.Code != "28P01" {
				t.Fatal(err)
			}
		})
	}
	t.Run("the new password", func(t *testing.T) {
		user := r.role(t, "")
		first := r.login(t, user, nil)
		r.leaves(t, first)
		r.exec(t, fmt.Sprintf("alter role %s password 'another'", user))
		conn, err := pgx.Connect(within(t), r.dsn(user, "another", "postgres", nil))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close(within(t))
		if conn.PgConn().PID() == first.PgConn().PID() {
			t.Fatal("a connection of the old password was reused")
		}
		if n := r.closed(t, "password"); n != 1 {
			t.Fatal(r.reasons(t))
		}
	})
}

// A cancel request with the key of a client that has gone hits nothing of the
// one after it.
func TestReuse_Cancel(t *testing.T) {
	r := startReuse(t, pgtest.Shared(t), nil)
	user := r.role(t, "")
	old := r.dialAs(t, user)
	old.send(&pgproto3.Terminate{})
	waitUntil(t, "kept connections", 1, func() int { return r.kept(t) })
	f := r.dialAs(t, user)
	if f.pid != old.pid || f.key == old.key {
		t.Fatalf("%d %d, %d %d", f.pid, old.pid, f.key, old.key)
	}
	for range 5 {
		f.send(query("select pg_sleep(0.05)"))
		old.cancel(r.addr)
		if got := f.trace(1); strings.Contains(got, "57014") {
			t.Fatal("an earlier client's key cancelled a statement")
		}
	}
	running := func() {
		t.Helper()
		for ok := false; !ok; {
			if err := r.admin.QueryRow(within(t), "select exists (select from pg_stat_activity where pid = $1 and state = 'active' and query like '%pg_sleep%')", int(f.pid)).Scan(&ok); err != nil {
				t.Fatal(err)
			}
		}
	}
	f.send(query("select pg_sleep(30)"))
	running()
	f.cancel(r.addr)
	if got := f.trace(1); !strings.Contains(got, cancelled) {
		t.Fatal(got)
	}
	// The server's own secret, which nobody is told, is not the client's.
	f.send(query("select pg_sleep(0.2)"))
	running()
	f.cancel(r.cluster.Primary.Address())
	if got := f.trace(1); strings.Contains(got, "57014") {
		t.Fatal("the client's key is the server's")
	}
}

// Connections that wait notice what the server does to them.
func TestReuse_Server(t *testing.T) {
	r := startReuse(t, pgtest.Shared(t), nil)
	t.Run("terminated", func(t *testing.T) {
		user := r.role(t, "")
		first := r.login(t, user, nil)
		r.leaves(t, first)
		r.exec(t, "select pg_terminate_backend($1)", int(first.PgConn().PID()))
		for alive := true; alive; alive = one[bool](t, r.admin, "select exists (select from pg_stat_activity where pid = $1)", int(first.PgConn().PID())) {
		}
		if second := r.login(t, user, nil); second.PgConn().PID() == first.PgConn().PID() {
			t.Fatal("a dead connection was handed out")
		}
	})
	t.Run("terminated, nobody comes", func(t *testing.T) {
		r := startReuse(t, pgtest.Shared(t), nil)
		user := r.role(t, "")
		first := r.login(t, user, nil)
		r.leaves(t, first)
		r.exec(t, "select pg_terminate_backend($1)", int(first.PgConn().PID()))
		waitUntil(t, "kept connections", 0, func() int { return r.kept(t) })
	})
	t.Run("reload", func(t *testing.T) {
		r := startReuse(t, pgtest.Shared(t), nil)
		user := r.role(t, "")
		first := r.login(t, user, nil)
		r.leaves(t, first)
		r.exec(t, "alter system set timezone = 'Asia/Tokyo'")
		defer func() {
			r.exec(t, "alter system reset timezone")
			r.exec(t, "select pg_reload_conf()")
		}()
		r.exec(t, "select pg_reload_conf()")
		// The signal goes to all processes in one turn.
		waitUntil(t, "read configurations", 1, func() int {
			return one[int](t, r.admin, "select (current_setting('timezone') = 'Asia/Tokyo')::int")
		})
		time.Sleep(50 * time.Millisecond)
		second := r.login(t, user, nil)
		if second.PgConn().PID() != first.PgConn().PID() {
			t.Fatal("the connection was not reused: " + r.reasons(t))
		}
		// From PostgreSQL 14 on a session reports it with its next statement.
		if got := one[string](t, second, "show timezone"); got != "Asia/Tokyo" {
			t.Fatal(got)
		}
		if got := second.PgConn().ParameterStatus("TimeZone"); got != "Asia/Tokyo" {
			t.Fatalf("TimeZone was reported as %q", got)
		}
	})
	t.Run("slow reset", func(t *testing.T) {
		r := startReuse(t, pgtest.Shared(t), func(c *proxy.Config) { c.Primary.ReuseResetTimeout = ask.Duration(50 * time.Millisecond) })
		user := r.role(t, "")
		first := r.login(t, user, nil)
		if err := syscall.Kill(int(first.PgConn().PID()), syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		defer func() { _ = syscall.Kill(int(first.PgConn().PID()), syscall.SIGCONT) }()
		first.Close(within(t))
		waitUntil(t, "failed resets", 1, func() int { return r.closed(t, "reset") })
		r.login(t, user, nil)
	})
	t.Run("reload in a reset", func(t *testing.T) {
		r := startReuse(t, pgtest.Shared(t), func(c *proxy.Config) { c.Primary.ReuseResetTimeout = ask.Duration(time.Minute) })
		first := r.login(t, r.role(t, ""), nil)
		pid := int(first.PgConn().PID())
		if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		first.Close(within(t))
		waitAtMost(t, "sessions", 0, r.Sessions) // its reset has begun, and does not end
		err := r.Reload(r.config)
		_ = syscall.Kill(pid, syscall.SIGCONT)
		if err != nil {
			t.Fatal(err)
		}
		waitUntil(t, "closed", 1, func() int { return r.closed(t, "reload") })
		if n := r.kept(t); n != 0 {
			t.Fatalf("%d connections are kept", n)
		}
	})
	t.Run("failed reset", func(t *testing.T) {
		r := startReuse(t, pgtest.Shared(t), nil)
		database := pgtest.NewDatabase(t, "revoke execute on function setseed from public")
		user := r.role(t, "")
		conn, err := pgx.Connect(within(t), r.dsn(user, "secret", database, nil))
		if err != nil {
			t.Fatal(err)
		}
		conn.Close(within(t))
		waitUntil(t, "failed resets", 1, func() int { return r.closed(t, "reset") })
	})
	t.Run("limit of the role", func(t *testing.T) {
		r := startReuse(t, pgtest.Shared(t), nil)
		user := r.role(t, "connection limit 1")
		first := r.login(t, user, nil)
		r.leaves(t, first)
		second := r.login(t, user, url.Values{"application_name": {"another"}})
		if r.closed(t, "limit") != 1 {
			t.Fatal(r.reasons(t))
		}
		_, err := pgx.Connect(within(t), r.dsn(user, "secret", "postgres", nil))
		var e *pgconn.PgError
		if !errors.As(err, &e) || e.Code != "53300" || !strings.Contains(e.Message, "too many connections for role") {
			t.Fatal(err)
		}
		second.Close(within(t))
	})
}

func TestReuse_Limits(t *testing.T) {
	begin := func(t *testing.T, change func(*proxy.Config)) (*reuseBench, string) {
		r := startReuse(t, pgtest.Shared(t), change)
		return r, r.role(t, "")
	}
	three := func(t *testing.T, r *reuseBench, user string, options ...url.Values) {
		t.Helper()
		var conns []*pgx.Conn
		for i := range 3 {
			conns = append(conns, r.login(t, user, options[i%len(options)]))
		}
		for _, c := range conns {
			c.Close(within(t))
		}
	}
	t.Run("in all", func(t *testing.T) {
		r, user := begin(t, func(c *proxy.Config) { c.Primary.ReuseMax = 2 })
		three(t, r, user, url.Values{"application_name": {"1"}}, url.Values{"application_name": {"2"}}, url.Values{"application_name": {"3"}})
		waitUntil(t, "closed", 1, func() int { return r.closed(t, "full") })
		waitUntil(t, "kept", 2, func() int { return r.kept(t) })
	})
	t.Run("per login", func(t *testing.T) {
		r, user := begin(t, func(c *proxy.Config) { c.Primary.ReuseMaxPerLogin = 2 })
		three(t, r, user, nil)
		waitUntil(t, "closed", 1, func() int { return r.closed(t, "full") })
		waitUntil(t, "kept", 2, func() int { return r.kept(t) })
	})
	t.Run("idle", func(t *testing.T) {
		r, user := begin(t, func(c *proxy.Config) { c.Primary.ReuseIdleTimeout = ask.Duration(50 * time.Millisecond) })
		r.login(t, user, nil).Close(within(t))
		waitUntil(t, "closed", 1, func() int { return r.closed(t, "idle") })
		waitUntil(t, "kept", 0, func() int { return r.kept(t) })
	})
	t.Run("lifetime", func(t *testing.T) {
		r, user := begin(t, func(c *proxy.Config) { c.Primary.ReuseLifetime = ask.Duration(time.Nanosecond) })
		r.login(t, user, nil).Close(within(t))
		waitUntil(t, "closed", 1, func() int { return r.closed(t, "lifetime") })
	})
	t.Run("sessions of a user", func(t *testing.T) {
		r, user := begin(t, func(c *proxy.Config) { c.Listen.MaxSessionsPerUser = 1 })
		first := r.login(t, user, nil)
		_, err := pgx.Connect(within(t), r.dsn(user, "secret", "postgres", nil))
		var e *pgconn.PgError
		if !errors.As(err, &e) || e.Code != "53300" {
			t.Fatal(err)
		}
		r.leaves(t, first)
		second := r.login(t, user, nil)
		if second.PgConn().PID() != first.PgConn().PID() {
			t.Fatal("not reused")
		}
	})
	t.Run("reload", func(t *testing.T) {
		r, user := begin(t, nil)
		stays := r.login(t, user, nil)
		r.leaves(t, r.login(t, user, nil))
		if err := r.Reload(r.config); err != nil {
			t.Fatal(err)
		}
		if n := r.kept(t); n != 0 || r.closed(t, "reload") != 1 {
			t.Fatal(n, r.reasons(t))
		}
		stays.Close(within(t))
		waitUntil(t, "closed", 2, func() int { return r.closed(t, "reload") })
	})
	t.Run("drain", func(t *testing.T) {
		r, user := begin(t, nil)
		r.leaves(t, r.login(t, user, nil))
		r.login(t, user, url.Values{"application_name": {"open"}})
		if err := r.Shutdown(within(t)); err != nil {
			t.Fatal(err)
		}
		if n := r.kept(t); n != 0 || r.closed(t, "shutdown") != 1 {
			t.Fatal(n, r.reasons(t))
		}
		waitAtMost(t, "server sessions", 0, func() int {
			return one[int](t, r.admin, "select count(*) from pg_stat_activity where usename = $1", user)
		})
	})
	t.Run("configuration", func(t *testing.T) {
		c := proxy.DefaultConfig()
		c.Primary.Reuse = true
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), `primary.reuse_connections needs auth.method = "scram"`) {
			t.Fatal(err)
		}
		c = proxy.DefaultConfig()
		c.Primary.ReuseMax = 0
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), "primary.reuse_max is 0") {
			t.Fatal(err)
		}
	})
}

// A session's last question is its own.
func TestReuse_AskState(t *testing.T) {
	r := startReuse(t, pgtest.Shared(t), nil)
	user := r.role(t, "superuser")
	first := r.login(t, user, nil)
	if got := one[int](t, first, "-- ask: run: select 42"); got != 42 {
		t.Fatal(got)
	}
	if _, err := first.Exec(within(t), "set askpg.mode = 'auto'"); err != nil {
		t.Fatal(err)
	}
	r.leaves(t, first)
	second := r.login(t, user, nil)
	rows, err := second.PgConn().Exec(within(t), "show askpg.last").ReadAll()
	if err != nil || len(rows[0].Rows) != 0 {
		t.Fatal(rows, err)
	}
	if _, err := second.Exec(within(t), "what is this", pgx.QueryExecModeSimpleProtocol); err == nil || !strings.Contains(err.Error(), "42601") {
		t.Fatalf("the mode of the session before: %v", err)
	}
	if _, err := second.Exec(within(t), "-- ask: more", pgx.QueryExecModeSimpleProtocol); err == nil {
		t.Fatal("there is a question to go on from")
	}
}

// TLS on either side: kept connections hold no goroutine and are found dead as others are.
func TestReuse_TLS(t *testing.T) {
	ca := newAuthority(t)
	cluster := secureCluster(t, ca)
	cert, key := ca.issue(t, "askpg")
	for _, server := range []string{"disable", "verify-full"} {
		for _, client := range []string{"disable", "require"} {
			t.Run("server "+server+", client "+client, func(t *testing.T) {
				r := startReuse(t, cluster, func(c *proxy.Config) {
					c.Primary.SSLMode, c.Primary.RootCert = server, ca.file
					c.TLS = proxy.TLSConfig{Mode: "allow", Cert: cert, Key: key}
				})
				options := url.Values{"sslmode": {client}}
				login := func() *pgx.Conn { return r.login(t, "scram_role", options) }
				first := login()
				r.leaves(t, first)
				second, third := login(), login()
				if second.PgConn().PID() != first.PgConn().PID() || third.PgConn().PID() == first.PgConn().PID() {
					t.Fatal("not reused")
				}
				if got := one[string](t, second, "select session_user"); got != "scram_role" {
					t.Fatal(got)
				}
				r.leaves(t, second)
				r.exec(t, "select pg_terminate_backend($1)", int(second.PgConn().PID()))
				waitUntil(t, "kept", 0, func() int { return r.kept(t) })
				// Its password is another one now: the secret that is kept is out of date.
				r.leaves(t, login())
				r.exec(t, "alter role scram_role password 'changed'")
				defer r.exec(t, "alter role scram_role password 'secret'")
				conn, err := pgx.Connect(within(t), r.dsn("scram_role", "changed", "postgres", options))
				if err != nil { // the first attempt had the old salt
					conn, err = pgx.Connect(within(t), r.dsn("scram_role", "changed", "postgres", options))
				}
				if err != nil {
					t.Fatal(err)
				}
				conn.Close(within(t))
			})
		}
	}
}

// The client's address is in application_name, and RESET does not show the one
// of the client before.
func TestReuse_ApplicationName(t *testing.T) {
	r := startReuse(t, pgtest.Shared(t), func(c *proxy.Config) { c.Listen.ApplicationNameAddAddress = true })
	user := r.role(t, "")
	var pids []uint32
	for range 2 {
		conn := r.login(t, user, url.Values{"application_name": {`it's\a`}})
		pids = append(pids, conn.PgConn().PID())
		want := `it's\a - ` + conn.PgConn().Conn().LocalAddr().String()
		if got := one[string](t, conn, "select application_name from pg_stat_activity where pid = pg_backend_pid()"); got != want {
			t.Fatalf("%q, not %q", got, want)
		}
		if got := conn.PgConn().ParameterStatus("application_name"); got != want {
			t.Fatalf("%q, not %q", got, want)
		}
		if _, err := conn.Exec(within(t), "reset application_name"); err != nil {
			t.Fatal(err)
		}
		if got := one[string](t, conn, "show application_name"); got != `it's\a` {
			t.Fatal(got)
		}
		r.leaves(t, conn)
	}
	if pids[0] != pids[1] {
		t.Fatal("not reused")
	}
}

// A client of a protocol that the server does not speak hears so from a reused
// connection too.
func TestReuse_NegotiateProtocolVersion(t *testing.T) {
	r := startReuse(t, pgtest.Shared(t), nil)
	user := r.role(t, "")
	var said []string
	for range 2 {
		conn := dialWith(t, r.addr, string(packet(3<<16|9999, "user\x00"+user+"\x00database\x00postgres\x00_pq_.test\x001\x00\x00")))
		m := make([]byte, 5)
		if _, err := io.ReadFull(conn, m); err != nil || m[0] != 'v' {
			t.Fatalf("%q, %v", m, err)
		}
		body := make([]byte, binary.BigEndian.Uint32(m[1:])-4)
		if _, err := io.ReadFull(conn, body); err != nil {
			t.Fatal(err)
		}
		m = append(m, body...)
		said = append(said, string(m))
		f := &frontend{t: t, conn: conn, Frontend: pgproto3.NewFrontend(pgproto3.NewChunkReader(conn), conn)}
		f.greet()
		f.send(&pgproto3.Terminate{})
		waitUntil(t, "kept", 1, func() int { return r.kept(t) })
	}
	if said[0] != said[1] || r.reused(t) != 1 {
		t.Fatalf("%q, %d reused", said, r.reused(t))
	}
}

// Many short sessions leave no more than the connections that wait.
func TestReuse_Leaks(t *testing.T) {
	r := startReuse(t, pgtest.Shared(t), func(c *proxy.Config) {
		c.Primary.ReuseMaxPerLogin = 4
		c.Auth.File, c.Auth.QueryURL = userlist(t, "reuse_leaks", "secret"), ""
	})
	r.exec(t, "drop role if exists reuse_leaks; create role reuse_leaks login")
	end := func() {
		f := r.dialAs(t, "reuse_leaks")
		f.talk("select 1")
		f.send(&pgproto3.Terminate{})
		f.conn.Close()
	}
	end()
	waitUntil(t, "kept", 1, func() int { return r.kept(t) })
	goroutines, files := runtime.NumGoroutine(), descriptors(t)
	// ASKPG_TEST_SESSIONS=10000 for a long run.
	n := 200
	if v, err := strconv.Atoi(os.Getenv("ASKPG_TEST_SESSIONS")); err == nil {
		n = v
	}
	var clients sync.WaitGroup
	for range 4 {
		clients.Go(func() {
			for range n / 4 {
				end()
			}
		})
	}
	clients.Wait()
	waitAtMost(t, "sessions", 0, r.Sessions)
	waitAtMost(t, "goroutines", goroutines+2, runtime.NumGoroutine)
	// Some are being reset yet.
	waitAtMost(t, "descriptors beside those of connections that are kept", files-1, func() int { return descriptors(t) - r.kept(t) })
	waitAtMost(t, "server sessions that are not kept", 0, func() int {
		return one[int](t, r.admin, "select count(*) from pg_stat_activity where usename = 'reuse_leaks'") - r.kept(t)
	})
	if kept := r.kept(t); kept < 1 || kept > 4 {
		t.Fatalf("%d kept", kept)
	}
	if reused := r.reused(t); reused < n/2 {
		t.Fatalf("%d of %d reused", reused, n)
	}
}
