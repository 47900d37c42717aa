package proxy_test

import (
	"errors"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/proxy"
)

// A transaction that makes the first temporary schema of its session can't be prepared; one of a session that has such a
// schema from an earlier client could.
func TestReuse_PrepareTransaction(t *testing.T) {
	r := startReuse(t, pgtest.Shared(t), nil)
	user := r.role(t, "")
	first := r.login(t, user, nil)
	if _, err := first.PgConn().Exec(within(t), "create temp table t (i int)").ReadAll(); err != nil {
		t.Fatal(err)
	}
	first.Close(within(t))
	waitUntil(t, "closed", 1, func() int { return r.closed(t, "temporary") })
	second := r.login(t, user, nil)
	_, err := second.PgConn().Exec(within(t), "set search_path = pg_temp; begin; select current_schema(); prepare transaction 'reuse'").ReadAll()
	var e *pgconn.PgError
	if !errors.As(err, &e) || e.Code != "0A000" || !strings.Contains(e.Message, "temporary objects") {
		t.Fatal(err)
	}
}

// A connection whose process has been told to end is not handed out, be it that the process has not ended yet.
func TestReuse_Terminated(t *testing.T) {
	r := startReuse(t, pgtest.Shared(t), func(c *proxy.Config) { c.Primary.ReuseResetTimeout = ask.Duration(time.Minute) })
	user := r.role(t, "")
	first := r.login(t, user, nil)
	pid := int(first.PgConn().PID())
	r.leaves(t, first)
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Kill(pid, syscall.SIGCONT) }()
	r.exec(t, "select pg_terminate_backend($1)", pid)
	go func() {
		time.Sleep(100 * time.Millisecond) // longer than a client needs to get it unseen
		_ = syscall.Kill(pid, syscall.SIGCONT)
	}()
	second := r.login(t, user, nil)
	if got := one[int](t, second, "select pg_backend_pid()"); got == pid {
		t.Fatal("a connection that was terminated was handed out")
	}
	if n := r.closed(t, "server"); n != 1 {
		t.Fatal(r.reasons(t))
	}
}

// A connection on which the server does not answer is not handed out.
func TestReuse_Silent(t *testing.T) {
	r := startReuse(t, pgtest.Shared(t), func(c *proxy.Config) { c.Primary.ReuseResetTimeout = ask.Duration(200 * time.Millisecond) })
	user := r.role(t, "")
	first := r.login(t, user, nil)
	pid := int(first.PgConn().PID())
	r.leaves(t, first)
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Kill(pid, syscall.SIGCONT) }()
	if second := r.login(t, user, nil); int(second.PgConn().PID()) == pid {
		t.Fatal("a connection on which the server does not answer was handed out")
	}
}

// A library can't be unloaded: the connection that has loaded one by LOAD serves nobody else.
func TestReuse_Library(t *testing.T) {
	r := startReuse(t, pgtest.Shared(t), nil)
	user := r.role(t, "superuser")
	first := r.login(t, user, nil)
	if _, err := first.Exec(within(t), "load 'plpgsql'"); err != nil {
		t.Fatal(err)
	}
	first.Close(within(t))
	waitAtMost(t, "sessions", 0, r.Sessions)
	waitAtMost(t, "server process", 0, func() int {
		return one[int](t, r.admin, "select count(*) from pg_stat_activity where pid = $1", int(first.PgConn().PID()))
	})
	if n := r.kept(t); n != 0 {
		t.Fatalf("%d connections are kept", n)
	}
}
