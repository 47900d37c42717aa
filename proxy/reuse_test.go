package proxy_test

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"

	"askpg/internal/pgtest"
	"askpg/proxy"
)

// reuseBench is askpg with primary.reuse_connections.
type reuseBench struct {
	*bench
	registry *prometheus.Registry
	cluster  *pgtest.Cluster
	admin    *pgx.Conn
}

func startReuse(t testing.TB, cluster *pgtest.Cluster, change func(*proxy.Config)) *reuseBench {
	t.Helper()
	r := &reuseBench{registry: prometheus.NewRegistry(), cluster: cluster}
	r.bench = startWith(t, r.registry, func(c *proxy.Config) {
		c.Primary.Address = cluster.Primary.Address()
		c.Primary.SSLMode = "disable"
		c.Primary.Reuse = true
		c.Auth.Method = "scram"
		c.Auth.QueryURL = cluster.Primary.URL(pgtest.Superuser, "postgres")
		if change != nil {
			change(c)
		}
	})
	var err error
	if r.admin, err = pgx.Connect(within(t), cluster.Primary.URL(pgtest.Superuser, "postgres")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.admin.Close(context.Background()) })
	return r
}

func (r *reuseBench) exec(t testing.TB, sql string, arguments ...any) {
	t.Helper()
	if _, err := r.admin.Exec(within(t), sql, arguments...); err != nil {
		t.Fatal(err)
	}
}

var roles atomic.Int32

// role makes a role of a name of its own and returns it.
func (r *reuseBench) role(t testing.TB, options string) string {
	t.Helper()
	name := fmt.Sprintf("reuse_%d", roles.Add(1))
	r.exec(t, "set password_encryption = 'scram-sha-256'")
	r.exec(t, fmt.Sprintf("create role %q login password 'secret' %s", name, options))
	t.Cleanup(func() {
		for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
			_, _ = r.admin.Exec(context.Background(), "select pg_terminate_backend(pid) from pg_stat_activity where usename = $1", name)
			_, err := r.admin.Exec(context.Background(), fmt.Sprintf("drop owned by %q; drop role %q", name, name))
			if err == nil || time.Now().After(deadline) {
				return
			}
		}
	})
	return name
}

func (r *reuseBench) dsn(user, password, database string, options url.Values) string {
	if options == nil {
		options = url.Values{}
	}
	if !options.Has("sslmode") {
		options.Set("sslmode", "disable")
	}
	u := url.URL{Scheme: "postgres", User: url.UserPassword(user, password), Host: r.addr, Path: "/" + database, RawQuery: options.Encode()}
	return u.String()
}

func (r *reuseBench) login(t testing.TB, user string, options url.Values) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(within(t), r.dsn(user, "secret", "postgres", options))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	return conn
}

func (r *reuseBench) kept(t testing.TB) int {
	t.Helper()
	return counted(t, r.registry, "askpg_server_connections_kept", "")
}

// closed returns how many connections were not kept for a reason.
func (r *reuseBench) closed(t testing.TB, reason string) int {
	t.Helper()
	return counted(t, r.registry, "askpg_server_connections_closed_total", reason)
}

func (r *reuseBench) reasons(t testing.TB) string {
	t.Helper()
	var list []string
	for _, reason := range []string{"reset", "temporary", "server", "idle", "lifetime", "full", "limit", "password", "reload", "shutdown"} {
		list = append(list, fmt.Sprintf("%s %d", reason, r.closed(t, reason)))
	}
	return strings.Join(list, ", ")
}

func (r *reuseBench) reused(t testing.TB) int {
	return counted(t, r.registry, "askpg_server_connections_total", "reused")
}

// counted sums a metric whose label, if it has one, is label.
func counted(t testing.TB, registry *prometheus.Registry, name, label string) int {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, f := range families {
		if f.GetName() != name {
			continue
		}
		for _, m := range f.GetMetric() {
			if label == "" || m.GetLabel()[0].GetValue() == label {
				sum += m.GetGauge().GetValue() + m.GetCounter().GetValue()
			}
		}
	}
	return int(sum)
}

// leaves ends a connection and waits until its server connection is kept.
func (r *reuseBench) leaves(t testing.TB, conn *pgx.Conn) {
	t.Helper()
	before := r.kept(t)
	if err := conn.Close(within(t)); err != nil {
		t.Fatal(err)
	}
	waitUntil(t, "kept connections", before+1, func() int { return r.kept(t) })
}

// waitUntil waits until f is want.
func waitUntil(t testing.TB, what string, want int, f func() int) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(2 * time.Millisecond) {
		n := f()
		if n == want {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s: %d, not %d", what, n, want)
		}
	}
}

func one[T any](t testing.TB, conn *pgx.Conn, sql string, arguments ...any) (v T) {
	t.Helper()
	if err := conn.QueryRow(within(t), sql, arguments...).Scan(&v); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return v
}

func TestReuse(t *testing.T) {
	r := startReuse(t, pgtest.Shared(t), nil)
	user := r.role(t, "")
	first := r.login(t, user, nil)
	pid, key := first.PgConn().PID(), first.PgConn().SecretKey()
	if got := one[int](t, first, "select pg_backend_pid()"); got != int(pid) {
		t.Fatalf("the key's process id is %d, the server's %d", pid, got)
	}
	r.leaves(t, first)
	second := r.login(t, user, nil)
	if got := one[int](t, second, "select pg_backend_pid()"); got != int(pid) || second.PgConn().PID() != pid {
		t.Fatalf("process %d, not %d", got, pid)
	}
	if fmt.Sprint(second.PgConn().SecretKey()) == fmt.Sprint(key) {
		t.Fatal("two clients have the same cancel key")
	}
	if n := r.reused(t); n != 1 {
		t.Fatalf("%d reused", n)
	}
	if r.kept(t) != 0 {
		t.Fatal("a connection that is in use counts as kept")
	}
	if got := one[string](t, second, "select current_user"); got != user {
		t.Fatal(got)
	}
}

// What a client leaves in its session is not there for the next one, which finds
// what it would find in a session of its own.
func TestReuse_NothingLeaks(t *testing.T) {
	for name, tt := range map[string]struct {
		options string // of the role
		setup   string // as the administrator; ROLE is the role
		new     bool   // the second client gets a connection of its own
		leave   []string
		look    string // a row, as text
	}{
		"settings": {leave: []string{"set work_mem = '123kB'", "set search_path = nowhere", "set timezone = 'Asia/Tokyo'"}, look: "select current_setting('work_mem'), current_setting('search_path'), current_setting('timezone')"},
		"settings of a transaction": {leave: []string{"begin; set local work_mem = '123kB'; commit", "set session characteristics as transaction read only, isolation level serializable"},
			look: "select current_setting('work_mem'), current_setting('transaction_read_only'), current_setting('transaction_isolation'), current_setting('default_transaction_read_only')"},
		"settings that nobody defined": {leave: []string{"set my.setting = 'secret'"}, look: "select coalesce(nullif(current_setting('my.setting', true), ''), 'none')"},
		"settings of askpg":            {leave: []string{"set askpg.mode = 'auto'"}, look: "select coalesce(nullif(current_setting('askpg.mode', true), ''), 'none')"},
		"encoding":                     {leave: []string{"set client_encoding = 'LATIN1'"}, look: "select current_setting('client_encoding')"},
		"role":                         {setup: "create role reuse_other; grant reuse_other to ROLE", leave: []string{"set role reuse_other"}, look: "select current_user, current_setting('role')"},
		"role of the role's settings":  {setup: "create role reuse_default; grant reuse_default to ROLE; alter role ROLE set role = reuse_default", leave: []string{"reset role"}, look: "select current_user, session_user, current_setting('role')"},
		"session authorization":        {options: "superuser", leave: []string{"set session authorization pg_monitor"}, look: "select current_user, session_user, current_setting('is_superuser')"},
		"temporary tables":             {new: true, leave: []string{"create temp table remembered as select 1 as i"}, look: "select coalesce(to_regclass('remembered')::text, 'none')"},
		"prepared statements":          {leave: []string{"prepare remembered as select 1"}, look: "select count(*) from pg_prepared_statements where name = 'remembered'"},
		"cursors":                      {leave: []string{"declare remembered cursor with hold for select 1"}, look: "select count(*) from pg_cursors"},
		"listen":                       {leave: []string{"listen remembered"}, look: "select count(*) from pg_listening_channels()"},
		"advisory locks":               {leave: []string{"select pg_advisory_lock(4711)"}, look: "select count(*) from pg_locks where locktype = 'advisory' and objid = 4711"},
		"sequences":                    {setup: "create schema authorization ROLE", leave: []string{"create sequence remembered", "select nextval('remembered')"}, look: "select lastval()"},
		"temporary sequences":          {new: true, leave: []string{"create temp sequence remembered", "select nextval('remembered')"}, look: "select lastval()"},
		"random numbers":               {leave: []string{"select setseed(0.5)"}, look: "select random() = 0.9851677175347999, random() = 0.825301858027981"},
		"large objects":                {leave: []string{"begin; select lo_open(lo_create(0), 131072); commit"}, look: "select lo_close(0)"},
		"plans":                        {leave: []string{"set plan_cache_mode = force_generic_plan", "prepare p as select 1", "execute p"}, look: "select count(*), current_setting('plan_cache_mode') from pg_prepared_statements where not from_sql is null and name = 'p'"},
	} {
		t.Run(name, func(t *testing.T) {
			r := startReuse(t, pgtest.Shared(t), nil)
			user := r.role(t, tt.options)
			if tt.setup != "" {
				r.exec(t, strings.ReplaceAll(tt.setup, "ROLE", user))
			}
			look := func(conn *pgx.Conn) string {
				rows, err := conn.PgConn().Exec(within(t), tt.look).ReadAll()
				if err != nil {
					return err.Error()
				}
				return fmt.Sprintf("%q", rows[0].Rows)
			}
			fresh, err := pgx.Connect(within(t), fmt.Sprintf("postgres://%s:secret@%s/postgres?sslmode=disable", user, r.cluster.Primary.Address()))
			if err != nil {
				t.Fatal(err)
			}
			defer fresh.Close(within(t))
			first := r.login(t, user, nil)
			for _, sql := range tt.leave {
				if _, err := first.PgConn().Exec(within(t), sql).ReadAll(); err != nil {
					t.Fatal(err)
				}
			}
			if tt.new {
				first.Close(within(t))
				waitUntil(t, "closed", 1, func() int { return r.closed(t, "temporary") })
			} else {
				r.leaves(t, first)
			}
			second := r.login(t, user, nil)
			if again := second.PgConn().PID() == first.PgConn().PID(); again == tt.new {
				t.Fatalf("reused: %v; closed: %s", again, r.reasons(t))
			}
			for _, name := range []string{"client_encoding", "TimeZone", "is_superuser", "session_authorization", "application_name", "DateStyle", "standard_conforming_strings"} {
				if got, want := second.PgConn().ParameterStatus(name), fresh.PgConn().ParameterStatus(name); got != want {
					t.Errorf("%s was reported as %q, and is %q", name, got, want)
				}
			}
			if got, want := look(second), look(fresh); got != want {
				t.Fatalf("%s, and in a session of its own %s", got, want)
			}
		})
	}
}
