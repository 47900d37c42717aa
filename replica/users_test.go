package replica_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/replica"
	"askpg/wire/scram"
)

// usersSQL makes roles who log in themselves. The service login may become all
// of them, as it has to for their catalogs.
const usersSQL = script + `
create role ann login password 'secret'; create role bob login password 'secret';
create role boss login superuser password 'secret';
create role monitor login noinherit password 'secret' in role pg_monitor;
create role member login password 'secret' in role analyst;
create role clear login password 'secret'; create role trusted login password 'secret'; create role kept_out login password 'secret';
grant ann, bob, monitor, member, clear, trusted, kept_out to askpg;
grant select (id, name, city) on customers to ann, bob, clear, trusted, kept_out, monitor;
create function public.lower(n int) returns text language sql immutable as 'select ''shadow''';
`

// usersCluster is a cluster whose roles have to log in to the standby as they
// have to to the primary.
func usersCluster(t testing.TB) (c *pgtest.Cluster, db string) {
	t.Helper()
	c = pgtest.NewCluster(t, pgtest.Options{
		Settings: map[string]string{"password_encryption": "scram-sha-256"},
		HBA: []string{
			"host all clear all password", "host all kept_out all reject", "host all trusted all trust",
			"host all ann,bob,boss,monitor,member,newcomer all scram-sha-256",
		},
	})
	const name = "asked"
	pgtest.Exec(t, c.Primary.URL(pgtest.Superuser, "postgres"), "create database "+name)
	pgtest.Exec(t, c.Primary.URL(pgtest.Superuser, name), usersSQL)
	if err := c.CatchUp(deadline(t)); err != nil {
		t.Fatal(err)
	}
	return c, name
}

// proof is what a client that knows the password gives away.
func proof(t testing.TB, c *pgtest.Cluster, user, password string) *ask.Login {
	t.Helper()
	var text string
	one(t, c.Primary, "select rolpassword from pg_authid where rolname = $1", &text, user)
	secret, err := scram.ParseSecret(text)
	if err != nil {
		t.Fatal(err)
	}
	client, server, err := pgtest.SCRAMKeys(password, secret.Salt, secret.Iterations)
	if err != nil {
		t.Fatal(err)
	}
	return ask.NewLogin(user, client, server)
}

// one reads one value as the superuser.
func one(t testing.TB, s *pgtest.Server, sql string, to any, args ...any) {
	t.Helper()
	conn, err := pgx.Connect(deadline(t), s.URL(pgtest.Superuser, "postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if err := conn.QueryRow(deadline(t), sql, args...).Scan(to); err != nil {
		t.Fatal(err)
	}
}

// sessions counts a role's sessions at the server.
func sessions(t *testing.T, s *pgtest.Server, user string) (n int) {
	t.Helper()
	one(t, s, "select count(*) from pg_stat_activity where usename = $1", &n, user)
	return n
}

type usersBench struct {
	*replica.Replica
	registry *prometheus.Registry
}

func startUsers(t testing.TB, c *pgtest.Cluster, change func(*replica.Config)) usersBench {
	t.Helper()
	cfg := config(t, c.Standby)
	if change != nil {
		change(&cfg)
	}
	reg := prometheus.NewRegistry()
	r, err := replica.New(cfg, slog.New(slog.NewTextHandler(io.Discard, nil)), reg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return usersBench{r, reg}
}

// metric returns a counter or a gauge.
func (b usersBench) metric(t *testing.T, name string, label ...string) float64 {
	t.Helper()
	families, err := b.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			if f.GetName() == name && (len(label) == 0 || m.GetLabel()[0].GetValue() == label[0]) {
				return m.GetCounter().GetValue() + m.GetGauge().GetValue()
			}
		}
	}
	return 0
}

// whoSQL says as whom a statement runs; the guard lets neither through, so it
// is run past it.
const whoSQL = "select session_user::text || ' as ' || current_user::text"

func who(t *testing.T, r *replica.Replica, s ask.Session) (string, error) {
	t.Helper()
	snap, err := r.Begin(deadline(t), s)
	if err != nil {
		return "", err
	}
	defer snap.Close()
	res, err := snap.RunUnguarded(deadline(t), "", whoSQL)
	if err != nil {
		return "", err
	}
	return string(res.Rows[0][0]), nil
}

// BenchmarkUsers measures a candidate that is judged and run: by the service
// login, by a login of the asker's own, and by that at a standby whose log is quiet.
func BenchmarkUsers(b *testing.B) {
	c, db := usersCluster(b)
	login := proof(b, c, "ann", "secret")
	own := session(db, "ann")
	own.Login = login
	quiet := func(on string) {
		pgtest.Exec(b, c.Standby.URL(pgtest.Superuser, "postgres"), "alter system set log_min_messages = "+on)
		pgtest.Exec(b, c.Standby.URL(pgtest.Superuser, "postgres"), "select pg_reload_conf()")
	}
	for _, bench := range []struct {
		name, log string
		s         ask.Session
	}{{"service", "warning", session(db, "ann")}, {"own login", "warning", own}, {"own login, quiet log", "fatal", own}} {
		b.Run(bench.name, func(b *testing.B) {
			quiet(bench.log)
			r := start(b, config(b, c.Standby))
			snap, err := r.Begin(deadline(b), bench.s)
			if err != nil {
				b.Fatal(err)
			}
			defer snap.Close()
			for b.Loop() {
				if _, err := snap.Run(deadline(b), "select city, count(*) from customers group by city order by 2 desc"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func TestUsers(t *testing.T) {
	c, db := usersCluster(t)
	at := func(login *ask.Login, role string) ask.Session {
		s := session(db, role)
		s.SessionUser, s.Login = login.User(), login
		return s
	}
	const sql = "select id, name from customers where id <= 2 order by id"
	const answer = "1|customer 1\n2|customer 2"

	t.Run("as whom", func(t *testing.T) {
		r := startUsers(t, c, nil)
		forgotten := proof(t, c, "ann", "secret")
		forgotten.Forget()
		for _, tt := range []struct {
			name string
			s    ask.Session
			want string
		}{
			{"a user", at(proof(t, c, "ann", "secret"), "ann"), "ann as ann"},
			{"a user who has become another role", at(proof(t, c, "member", "secret"), "analyst"), "member as analyst"},
			{"without a key", session(db, "ann"), "askpg as ann"},
			{"a key that was forgotten", at(forgotten, "ann"), "askpg as ann"},
			{"a superuser", at(proof(t, c, "boss", "secret"), "boss"), "askpg as askpg"},
			{"a superuser who has become another role", at(proof(t, c, "boss", "secret"), "ann"), "askpg as ann"},
			{"a member of a privileged role, who does not inherit", at(proof(t, c, "monitor", "secret"), "monitor"), "askpg as askpg"},
			{"a server that trusts askpg", at(proof(t, c, "trusted", "wrong"), "trusted"), "trusted as trusted"},
		} {
			if got, err := who(t, r.Replica, tt.s); err != nil || got != tt.want {
				t.Errorf("%s: %q, %v; want %q", tt.name, got, err, tt.want)
			}
		}
		service := startUsers(t, c, func(cfg *replica.Config) { cfg.Login = replica.LoginService })
		if got, err := who(t, service.Replica, at(proof(t, c, "ann", "secret"), "ann")); err != nil || got != "askpg as ann" {
			t.Errorf("with login = service: %q, %v", got, err)
		}
	})

	t.Run("a role that begins as another", func(t *testing.T) {
		pgtest.Exec(t, c.Primary.URL(pgtest.Superuser, db), "grant bob to member; alter role member set role = 'bob'")
		defer pgtest.Exec(t, c.Primary.URL(pgtest.Superuser, db), "alter role member reset role")
		catchUp(t, c)
		r := startUsers(t, c, nil)
		if got, err := who(t, r.Replica, at(proof(t, c, "member", "secret"), "member")); err != nil || got != "member as member" {
			t.Errorf("%q, %v", got, err)
		}
	})

	t.Run("rows, with the guard's judgement", func(t *testing.T) {
		r := startUsers(t, c, nil)
		s := at(proof(t, c, "ann", "secret"), "ann")
		snap := begin(t, r.Replica, s)
		res, err := snap.Run(deadline(t), sql)
		if err != nil || show(res.Rows) != answer {
			t.Fatal(res, err)
		}
		if plan, err := snap.Check(deadline(t), sql); err != nil || plan.Text == "" {
			t.Fatal(plan, err)
		}
		// Which of two functions is meant is known by their analysis alone, which an
		// ordinary session would have in the server's log: it goes without.
		for text, want := range map[string]string{
			"select lower(city) from customers":                            ask.CodeRefused,
			"select upper(city) from customers":                            "",
			"select lower(id) from customers":                              ask.CodeRefused,
			"select secret from customers":                                 "42501",
			"select pg_sleep(1)":                                           ask.CodeRefused,
			"select nothing from customers":                                "42703",
			"select set_config('role', 'bob', true)":                       ask.CodeRefused,
			"select name from customers where id = any (array[1]::int8[])": "",
		} {
			_, err := snap.Run(deadline(t), text)
			if got := codeOf(err); got != want {
				t.Errorf("%s: %v, want code %q", text, err, want)
			}
		}
		var logged int
		one(t, c.Standby, "select count(*) from regexp_matches(pg_read_file($1), '\\{QUERY', 'g')", &logged, c.Standby.Dir+".log")
		if logged > 0 {
			t.Errorf("the server's log has %d trees", logged)
		}
		snap.Close()
		if got, again, err := opened(t, r.Replica, s, sql); err != nil || got != answer || again {
			t.Fatal(got, again, err)
		}
		if got := askUntilRepeated(t, r.Replica, s, sql); got != answer {
			t.Error("in one round trip: ", got)
		}
		// A judgement of the login's is not another's.
		if got, again, err := opened(t, r.Replica, at(proof(t, c, "bob", "secret"), "bob"), sql); err != nil || got != answer || again {
			t.Error(got, again, err)
		}
		// Nor is one of a role's for all who are in it.
		const orders = "select count(*) from orders where id <= 10"
		askUntilRepeated(t, r.Replica, at(proof(t, c, "member", "secret"), "analyst"), orders)
		if got, again, err := opened(t, r.Replica, session(db, "analyst"), orders); err != nil || got != "10" || again {
			t.Error("the same role without a login of its own: ", got, again, err)
		}
		if n := r.metric(t, "askpg_replica_logins_total", "reused"); n == 0 {
			t.Error("no connection was used again")
		}
	})

	t.Run("what a way past the guard comes to", func(t *testing.T) {
		r := startUsers(t, c, nil)
		snap := begin(t, r.Replica, at(proof(t, c, "member", "secret"), "analyst"))
		for before, want := range map[string]string{
			"reset role": "member as member", "set session authorization default": "member as member", "set role ann": "42501", "set session authorization ann": "42501",
		} {
			res, err := snap.RunUnguarded(deadline(t), before, whoSQL)
			got := codeOf(err)
			if err == nil {
				got = string(res.Rows[0][0])
			}
			if got != want {
				t.Errorf("%s: %q, want %q", before, got, want)
			}
		}
		snap.Close()
		if got, err := who(t, r.Replica, at(proof(t, c, "member", "secret"), "analyst")); err != nil || got != "member as analyst" {
			t.Errorf("the next question: %q, %v", got, err)
		}
	})

	t.Run("refused", func(t *testing.T) {
		pgtest.Exec(t, c.Primary.URL(pgtest.Superuser, db), "alter role bob connection limit 0")
		defer pgtest.Exec(t, c.Primary.URL(pgtest.Superuser, db), "alter role bob connection limit -1")
		catchUp(t, c)
		r := startUsers(t, c, nil)
		for _, tt := range []struct {
			user, password    string
			code, text, hints string
		}{
			{"ann", "wrong", "42501", `refuses the login of "ann": password authentication failed`, "log in again"},
			{"kept_out", "secret", "42501", `refuses the login of "kept_out": pg_hba.conf rejects`, "pg_hba.conf"},
			{"clear", "secret", "42501", `can't log in to replica .* as "clear": The server asks for the password itself`, `replica.login = "service"`},
			{"bob", "secret", "53300", `too many connections for role "bob"`, ""},
		} {
			_, err := who(t, r.Replica, at(proof(t, c, tt.user, tt.password), tt.user))
			e := ask.AsError(err)
			if e == nil || e.Code != tt.code || !regexp.MustCompile(tt.text).MatchString(e.Message+": "+e.Detail) || !strings.Contains(e.Hint, tt.hints) {
				t.Errorf("%s: %v, %+v", tt.user, err, e)
			}
		}
		if n := r.metric(t, "askpg_replica_unusable_total"); n != 0 {
			t.Error("a login that was refused counts against the server: ", n)
		}
		if n := r.metric(t, "askpg_replica_logins_total", "failed"); n != 4 {
			t.Errorf("%v logins failed, want 4", n)
		}
	})

	t.Run("the replica does not know the role, or its password, yet", func(t *testing.T) {
		pgtest.Exec(t, c.Standby.URL(pgtest.Superuser, "postgres"), "select pg_wal_replay_pause()")
		paused := true
		resume := func() {
			if paused {
				pgtest.Exec(t, c.Standby.URL(pgtest.Superuser, "postgres"), "select pg_wal_replay_resume()")
				catchUp(t, c)
			}
			paused = false
		}
		defer resume()
		old := at(proof(t, c, "ann", "secret"), "ann")
		pgtest.Exec(t, c.Primary.URL(pgtest.Superuser, db), "create role newcomer login password 'secret'; grant newcomer to askpg; grant select (id, name) on customers to newcomer; alter role ann password 'changed'")
		newcomer, renewed := at(proof(t, c, "newcomer", "secret"), "newcomer"), at(proof(t, c, "ann", "changed"), "ann")
		r := startUsers(t, c, func(cfg *replica.Config) { cfg.MaxLag = ask.Duration(time.Hour) })
		for _, s := range []ask.Session{newcomer, renewed} {
			_, err := who(t, r.Replica, s)
			if e := ask.AsError(err); e == nil || e.Code != "42501" || !strings.Contains(e.Hint, "may not have replayed it yet") {
				t.Errorf("%s: %v", s.Role, err)
			}
		}
		if got, err := who(t, r.Replica, old); err != nil || got != "ann as ann" {
			t.Errorf("the old password where it is not replayed: %q, %v", got, err)
		}
		resume()
		for _, s := range []ask.Session{newcomer, renewed} {
			if got, err := who(t, r.Replica, s); err != nil || got != s.Role+" as "+s.Role {
				t.Errorf("%s: %q, %v", s.Role, got, err)
			}
		}
		// The connection that the old key opened is for who has shown that key.
		if n := sessions(t, c.Standby, "ann"); n != 4 {
			t.Errorf("%d sessions of ann's, want two of each key", n)
		}
		fresh := startUsers(t, c, nil)
		if _, err := who(t, fresh.Replica, old); codeOf(err) != "42501" {
			t.Error("the old password: ", err)
		}
	})

	t.Run("cancelled", func(t *testing.T) {
		r := startUsers(t, c, nil)
		snap := begin(t, r.Replica, at(proof(t, c, "bob", "secret"), "bob"))
		defer snap.Close()
		ctx, cancel := context.WithTimeout(deadline(t), 300*time.Millisecond)
		defer cancel()
		if _, err := snap.RunUnguarded(ctx, "", "select pg_sleep(60)"); codeOf(err) != ask.CodeQueryCanceled {
			t.Error(err)
		}
		eventually(t, func() error {
			var n int
			if one(t, c.Standby, "select count(*) from pg_stat_activity where usename = 'bob' and state = 'active'", &n); n != 0 {
				return fmt.Errorf("%d statements still run", n)
			}
			return nil
		})
	})

	t.Run("bounds", func(t *testing.T) {
		r := startUsers(t, c, func(cfg *replica.Config) { cfg.IdleLogins = 3 })
		users := []string{"bob", "member", "trusted", "newcomer"}
		for _, user := range users {
			if got, err := who(t, r.Replica, at(proof(t, c, user, "secret"), user)); err != nil || got != user+" as "+user {
				t.Fatal(got, err)
			}
		}
		eventually(t, func() error {
			sum := 0
			for _, user := range users {
				sum += sessions(t, c.Standby, user)
			}
			if waiting := r.metric(t, "askpg_replica_logins_waiting"); sum != 3 || waiting != 3 {
				return fmt.Errorf("%d connections, %v of them known to wait; want 3", sum, waiting)
			}
			return nil
		})
		if n := sessions(t, c.Standby, "bob"); n != 0 {
			t.Errorf("who has waited longest still has %d", n)
		}
		r.Close()
		eventually(t, func() error {
			if n := sessions(t, c.Standby, "newcomer"); n != 0 {
				return fmt.Errorf("%d connections after the end", n)
			}
			return nil
		})
		none := startUsers(t, c, func(cfg *replica.Config) { cfg.IdleLogins = 0 })
		if _, err := who(t, none.Replica, at(proof(t, c, "bob", "secret"), "bob")); err != nil {
			t.Fatal(err)
		}
		if n := none.metric(t, "askpg_replica_logins_waiting"); n != 0 {
			t.Errorf("%v wait, where none may", n)
		}
		short := startUsers(t, c, func(cfg *replica.Config) { cfg.IdleTimeout = ask.Duration(time.Second) })
		if _, err := who(t, short.Replica, at(proof(t, c, "bob", "secret"), "bob")); err != nil {
			t.Fatal(err)
		}
		eventually(t, func() error {
			if n := short.metric(t, "askpg_replica_logins_waiting"); n != 0 {
				return fmt.Errorf("%v wait after replica.idle_timeout", n)
			}
			return nil
		})
	})

	t.Run("the server is restarted", func(t *testing.T) {
		r := startUsers(t, c, nil)
		s := at(proof(t, c, "bob", "secret"), "bob")
		askUntilRepeated(t, r.Replica, s, sql)
		// Several connections wait, all of them dead then.
		all := []*replica.Snapshot{begin(t, r.Replica, s), begin(t, r.Replica, s), begin(t, r.Replica, s)}
		for _, snap := range all {
			snap.Close()
		}
		if err := c.Standby.Restart(deadline(t)); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if got, _, err := opened(t, r.Replica, s, sql); err != nil || got != answer {
				t.Fatal(got, err)
			}
			if got, err := who(t, r.Replica, s); err != nil || got != "bob as bob" {
				t.Fatal(got, err)
			}
		}
	})

	t.Run("planner's settings of the role", func(t *testing.T) {
		pgtest.Exec(t, c.Primary.URL(pgtest.Superuser, db), "alter role bob set cpu_tuple_cost = 0; alter role bob set join_collapse_limit = 100; alter role bob in database "+db+" set geqo = off; alter role bob set DateStyle = German")
		catchUp(t, c)
		r := startUsers(t, c, nil)
		for range 2 { // the second time on the connection of the first
			snap := begin(t, r.Replica, at(proof(t, c, "bob", "secret"), "bob"))
			res, err := snap.RunUnguarded(deadline(t), "", "select string_agg(name || ' ' || setting, ', ' order by name) from pg_settings where name in ('cpu_tuple_cost', 'join_collapse_limit', 'geqo', 'seq_page_cost')")
			snap.Close()
			if err != nil {
				t.Fatal(err)
			}
			if got, want := string(res.Rows[0][0]), "cpu_tuple_cost 0.01, geqo on, join_collapse_limit 8, seq_page_cost 1"; got != want {
				t.Errorf("%s, want %s", got, want)
			}
		}
		pgtest.Exec(t, c.Primary.URL(pgtest.Superuser, db), "alter role bob reset all; alter role bob in database "+db+" reset all")
		catchUp(t, c)
	})

	t.Run("libpq's words in the URL", func(t *testing.T) {
		for options, want := range map[string]string{
			"require_auth=scram-sha-256": "", "require_auth=password": "42501", "channel_binding=require": "42501",
			"require_auth=!scram-sha-256": "42501", "channel_binding=disable": "",
		} {
			r := startUsers(t, c, func(cfg *replica.Config) { cfg.URL = c.Standby.URL("bob", "postgres") + "&password=secret&" + options })
			pgtest.Exec(t, c.Primary.URL(pgtest.Superuser, db), "grant newcomer to bob")
			catchUp(t, c)
			_, err := who(t, r.Replica, at(proof(t, c, "newcomer", "secret"), "newcomer"))
			if got := codeOf(err); got != want {
				t.Errorf("%s: %v, want code %q", options, err, want)
			}
			if want == "" && strings.HasPrefix(options, "require_auth") {
				_, err = who(t, r.Replica, at(proof(t, c, "trusted", "secret"), "trusted"))
				if e := ask.AsError(err); e == nil || !strings.Contains(e.Detail, "no authentication") {
					t.Errorf("%s, and a server that trusts askpg: %v", options, err)
				}
			}
		}
	})
}

func catchUp(t testing.TB, c *pgtest.Cluster) {
	t.Helper()
	if err := c.CatchUp(deadline(t)); err != nil {
		t.Fatal(err)
	}
}

func eventually(t *testing.T, f func() error) {
	t.Helper()
	var err error
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if err = f(); err == nil {
			return
		}
	}
	t.Error(err)
}

// codeOf is an error's SQLSTATE.
func codeOf(err error) string {
	if e := ask.AsError(err); e != nil {
		return e.Code
	}
	return code(err)
}
