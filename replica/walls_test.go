package replica_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/replica"
)

// bothServers runs a test on a standby and on a primary that is allowed.
func bothServers(t *testing.T, fn func(t *testing.T, server *pgtest.Server, primary bool)) {
	c := pgtest.Shared(t)
	t.Run("standby", func(t *testing.T) { fn(t, c.Standby, false) })
	t.Run("primary", func(t *testing.T) { fn(t, c.Primary, true) })
}

// TestTransaction_Alone lets statements past the guard: the read-only
// transaction, the role and the limits stop them.
func TestTransaction_Alone(t *testing.T) {
	db := pgtest.NewDatabase(t, script+hostileScript)
	bothServers(t, func(t *testing.T, server *pgtest.Server, primary bool) {
		cfg := config(t, server)
		cfg.AllowPrimary = primary
		cfg.StatementTimeout = ask.Duration(time.Second)
		snap := begin(t, start(t, cfg), session(db, "analyst"))
		for _, tt := range []struct{ sql, codes string }{
			{"insert into log values ('x')", "25006"},
			{"with x as (insert into log values ('x') returning 1) select * from x", "25006"},
			{"select burn()", "25006"},
			{"select nextval('tickets')", "25006"},
			{"create table t (a int)", "25006 42501"},
			{"select * from customers for update", "25006 42501"},
			{"select token from secrets", "42501"},
			{"select secret from customers", "42501"},
			{"select rolpassword from pg_authid", "42501"},
			{"select pg_read_file('/etc/passwd')", "42501"},
			{"select pg_ls_dir('.')", "42501"},
			{"select lo_import('/etc/passwd')", "42501 25006"},
			{"select set_config('role', 'postgres', false)", "42501"},
			{"select set_config('role', 'stranger', false)", "42501"},
			{"select set_config('session_authorization', 'postgres', false)", "42501"},
			{"select set_config('transaction_read_only', 'off', false)", "25001 0A000"},
			{"select set_config('temp_file_limit', '-1', false)", "42501"},
			{"select pg_sleep(60)", "57014"},
			{"select pg_reload_conf()", "42501"},
			{"copy log to program 'id'", "42501"},
			{"alter system set work_mem = '1MB'", "42501 25006 25001"},
			{"set session authorization postgres", "42501"},
			{"select 1; select 2", "42601"}, // the extended protocol takes one statement
		} {
			_, err := snap.RunUnguarded(deadline(t), "", tt.sql)
			if code := ask.CodeOf(err); code == "" || !strings.Contains(tt.codes, code) {
				t.Errorf("%s: got %v, want one of %s", tt.sql, err, tt.codes)
			}
		}
	})
}

// A question's transaction is read-only by itself, whatever its session's default is.
func TestTransaction_ReadOnly(t *testing.T) {
	conn, err := pgx.Connect(deadline(t), pgtest.Shared(t).Primary.URL(pgtest.Superuser, "postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(deadline(t))
	if _, err := conn.Exec(deadline(t), "set default_transaction_read_only = off"); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Exec(deadline(t), replica.BeginSQL); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Exec(deadline(t), "create table public.written (i int)"); code(err) != "25006" {
		t.Fatal(err)
	}
}

// TestPlan_Alone has nothing but the plan looked at.
func TestPlan_Alone(t *testing.T) {
	db := pgtest.NewDatabase(t, script+hostileScript+"grant update on orders to analyst; grant usage on foreign server files to analyst")
	cfg := config(t, pgtest.Shared(t).Primary)
	cfg.AllowPrimary = true
	snap := begin(t, start(t, cfg), session(db, "analyst"))
	for sql, want := range map[string]string{
		"select * from orders for update":                                                           "LockRows",
		"with x as (delete from log returning line) select * from x":                                "ModifyTable",
		"insert into log values ('x')":                                                              "ModifyTable",
		"select * from passwd":                                                                      "passwd",
		"select count(*) from measures":                                                             "measures_old",
		"select (select count(*) from measures_old where line is not null) from customers":          "does not exist",
		"select x from (select count(*) as x from passwd) q where x > (select min(id) from orders)": "passwd",
		"select count(*) from orders":                                                               "",
	} {
		_, err := snap.PlanUnguarded(deadline(t), sql)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", sql, err, want)
		}
	}
	cfg.AllowRelations = []string{"public.passwd"}
	snap = begin(t, start(t, cfg), session(db, "analyst"))
	if res, err := snap.Run(deadline(t), "select count(*) > 0 from passwd"); err != nil || show(res.Rows) != "t" {
		t.Fatalf("a foreign table that is allowed: %v, %v", res, err)
	}
}

// TestTimer_Alone lets a statement lift its own limits: askpg's timer cancels
// it all the same.
func TestTimer_Alone(t *testing.T) {
	db := pgtest.NewDatabase(t, script)
	bothServers(t, func(t *testing.T, server *pgtest.Server, primary bool) {
		cfg := config(t, server)
		cfg.AllowPrimary = primary
		cfg.StatementTimeout = ask.Duration(300 * time.Millisecond)
		snap := begin(t, start(t, cfg), session(db, "analyst"))
		_, err := snap.RunUnguarded(deadline(t), "set statement_timeout = 0", "select pg_sleep(60)")
		if ask.CodeOf(err) != "57014" || !strings.Contains(err.Error(), "canceled by askpg") {
			t.Fatalf("got %v", err)
		}
		idle(t, server, "pg_sleep")
	})
}

// idle waits until no statement with the text runs on the server.
func idle(t *testing.T, server *pgtest.Server, text string) {
	t.Helper()
	ctx := deadline(t)
	conn, err := pgx.Connect(ctx, server.URL(pgtest.Superuser, "postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	for {
		var n int
		if err := conn.QueryRow(ctx, "select count(*) from pg_stat_activity where query like $1 and state = 'active' and pid <> pg_backend_pid()", "%"+text+"%").Scan(&n); err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// TestSession_Clean lets a statement change its session: the next question
// finds nothing of it.
func TestSession_Clean(t *testing.T) {
	db := pgtest.NewDatabase(t, script)
	bothServers(t, func(t *testing.T, server *pgtest.Server, primary bool) {
		cfg := config(t, server)
		cfg.AllowPrimary = primary
		cfg.PerQuestion, cfg.PerRole, cfg.PerInstance = 1, 1, 1
		r := start(t, cfg)
		snap := begin(t, r, session(db, "analyst"))
		const look = `select current_user, current_setting('statement_timeout'), current_setting('search_path'), current_setting('work_mem'),
			(select count(*) from pg_prepared_statements where name not in ('answer')), (select count(*) from pg_cursors where is_holdable)`
		before, err := snap.RunUnguarded(deadline(t), "", look)
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			_, err = snap.RunUnguarded(deadline(t), `prepare stays as select 1; declare c cursor with hold for select 1; set statement_timeout = 0; set work_mem = '1GB';
				select pg_advisory_lock(77); commit; set default_transaction_read_only = off; set role support; begin`, "select set_config('search_path', 'evil', false)")
			if err != nil {
				t.Fatal(err)
			}
		}
		after, err := snap.RunUnguarded(deadline(t), "", look)
		if err != nil {
			t.Fatal(err)
		}
		if show(before.Rows) != show(after.Rows) {
			t.Fatalf("session before %s, after %s", show(before.Rows), show(after.Rows))
		}
		locks, err := snap.RunUnguarded(deadline(t), "", "select count(*) from pg_locks where locktype = 'advisory'")
		if err != nil || show(locks.Rows) != "0" {
			t.Fatalf("advisory locks %v, %v", locks, err)
		}
	})
}

// TestRole_Alone has nothing but the role between the hostile statements and a
// writable server: what it lets through is what a role may do by itself, and
// nothing that another role owns is read or changed.
func TestRole_Alone(t *testing.T) {
	db := pgtest.NewDatabase(t, script+hostileScript)
	ctx := deadline(t)
	c, err := pgx.Connect(ctx, pgtest.Shared(t).Primary.URL("askpg", db))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(ctx)
	// The setup makes the login read-only by default, which is another wall.
	if _, err := c.Exec(ctx, "set default_transaction_read_only = off"); err != nil {
		t.Fatal(err)
	}
	for _, sql := range []string{
		"select token from secrets", "update secrets set token = ''", "select * from customers", "drop table customers", "create table public.t (a int)",
		"select pg_read_file('/etc/passwd')", "select rolpassword from pg_authid", "create role r", "alter role askpg superuser", "set session authorization postgres",
		"set role postgres", "set role mallory", "grant postgres to askpg", "copy secrets to program 'id'", "select dblink_connect_u('dbname=postgres')",
	} {
		if _, err := c.Exec(ctx, sql); code(err) != "42501" && code(err) != "42704" && code(err) != "2F003" {
			t.Errorf("service login: %s: got %v", sql, err)
		}
	}
	for _, role := range []string{"analyst", "support"} {
		if _, err := c.Exec(ctx, "set role "+role); err != nil {
			t.Fatal(err)
		}
		for _, sql := range []string{"select token from secrets", "select secret from customers", "delete from customers", "set session authorization postgres", "select pg_read_file('/etc/passwd')", "create role r", "alter role analyst superuser"} {
			if _, err := c.Exec(ctx, sql); code(err) != "42501" {
				t.Errorf("%s: %s: got %v", role, sql, err)
			}
		}
	}
}

func code(err error) string {
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		return pg.Code
	}
	return ""
}

// TestSearchPath_Hostile puts a schema of an untrusted role in front of
// pg_catalog: names are not looked up there. What he has in a schema of somebody
// else's is judged, by the overload that is meant where the server's analysis is known.
func TestSearchPath_Hostile(t *testing.T) {
	db := pgtest.NewDatabase(t, script+loud+hostileScript)
	bothServers(t, func(t *testing.T, server *pgtest.Server, primary bool) {
		for _, login := range []string{"askpg", "askpg_loud"} {
			cfg := config(t, server)
			cfg.URL = server.URL(login, "postgres")
			cfg.AllowPrimary = primary
			r := start(t, cfg)
			for _, tt := range []struct{ path, sql, code string }{
				{"public", "select lower('X')", ""},
				{"evil, public", "select lower('X')", ""},
				{"pg_catalog, evil", "select lower('X'), 1 + 1", ""},
				{"evil, pg_catalog", "select lower('X')", ""},
				{"evil, pg_catalog", "select 1 + 1", ""},
				{"evil, pg_catalog", "select * from owned", "42P01"},
				{"public, pg_catalog", "select lower(1)", "42501"},
				{"evil, pg_catalog", "select upper('X'), 2 - 1", ""},
				{`"evil",pg_catalog`, "select pg_catalog.lower('X')", ""},
				{`pg_temp, evil, pg_catalog`, "select lower('X')", ""},
				{`PG_CATALOG, Evil`, "select count(1)", ""},
				{`"$user", "no such"`, "select count(*) from public.customers", ""},
				{``, "select count(*) from public.customers", ""},
				{`pg_temp`, "select count(*) from public.customers", ""},
				{`pg_temp, public`, "select * from pg_temp.customers", "ASK05"},
			} {
				s := session(db, "analyst")
				s.Settings["search_path"] = tt.path
				snap := begin(t, r, s)
				_, err := snap.Run(deadline(t), tt.sql)
				want := tt.code
				if login == "askpg_loud" && strings.HasSuffix(tt.path, "public") && strings.Contains(tt.sql, "lower") {
					want = "42501" // by name alone any overload may be meant
				}
				if ask.CodeOf(err) != want {
					t.Errorf("%s: path %s: %s: got %v, want %q", login, tt.path, tt.sql, err, want)
				}
				snap.Close()
			}
		}
	})
}

// TestSettings takes over what shapes results and nothing else.
func TestSettings(t *testing.T) {
	db := pgtest.NewDatabase(t, script)
	r := start(t, config(t, pgtest.Shared(t).Standby))
	s := session(db, "analyst")
	s.Settings = map[string]string{"TimeZone": "Asia/Tokyo", "DateStyle": "German, DMY", "IntervalStyle": "iso_8601", "bytea_output": "escape", "search_path": "public",
		"role": "postgres", "session_authorization": "postgres", "statement_timeout": "0", "transaction_read_only": "off", "default_transaction_read_only": "off", "work_mem": "1GB", "standard_conforming_strings": "off"}
	snap := begin(t, r, s)
	res, err := snap.Run(deadline(t), `select timestamptz '2024-02-01 00:00+00', interval '1 day', '\x00'::bytea, '\', current_user`)
	if err != nil || show(res.Rows) != `01.02.2024 09:00:00 JST|P1D|\000|\|analyst` {
		t.Fatalf("got %s, %v", show(res.Rows), err)
	}
	s.Settings["TimeZone"] = "Mars/Olympus"
	if _, err := r.Begin(deadline(t), s); ask.CodeOf(err) != "22023" || !strings.Contains(err.Error(), "Mars/Olympus") {
		t.Fatalf("an unknown time zone: %v", err)
	}
}

// TestCancel has the caller go away while a candidate runs: it ends on the
// server too.
func TestCancel(t *testing.T) {
	db := pgtest.NewDatabase(t, script)
	c := pgtest.Shared(t)
	r := start(t, config(t, c.Standby))
	snap := begin(t, r, session(db, "analyst"))
	ctx, cancel := context.WithCancel(deadline(t))
	done := make(chan error)
	go func() {
		_, err := snap.Run(ctx, "with recursive x as (select 1 as n union all select n + 1 from x) select 'cancel me', count(*) from x")
		done <- err
	}()
	running(t, c.Standby, "cancel me")
	cancel()
	if err := <-done; ask.CodeOf(err) != "57014" || !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	idle(t, c.Standby, "cancel me")
	if _, err := snap.Run(deadline(t), "select 1"); err != nil {
		t.Fatalf("the next candidate: %v", err)
	}

	// Close ends what runs.
	go func() {
		_, err := snap.Run(deadline(t), "with recursive x as (select 1 as n union all select n + 1 from x) select 'close me', count(*) from x")
		done <- err
	}()
	running(t, c.Standby, "close me")
	snap.Close()
	if err := <-done; ask.CodeOf(err) != "57014" {
		t.Fatalf("got %v", err)
	}
	idle(t, c.Standby, "close me")
	if _, err := snap.Run(deadline(t), "select 1"); ask.CodeOf(err) != "57014" {
		t.Fatalf("a closed snapshot: %v", err)
	}
}

// running waits until a statement with the text runs on the server.
func running(t *testing.T, server *pgtest.Server, text string) {
	t.Helper()
	ctx := deadline(t)
	conn, err := pgx.Connect(ctx, server.URL(pgtest.Superuser, "postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	for n := 0; n == 0; {
		if err := conn.QueryRow(ctx, "select count(*) from pg_stat_activity where query like $1 and state = 'active' and pid <> pg_backend_pid()", "%"+text+"%").Scan(&n); err != nil {
			t.Fatal(err)
		}
	}
}

// TestQuestionTimeout has a question hold its snapshot for too long.
func TestQuestionTimeout(t *testing.T) {
	db := pgtest.NewDatabase(t, script)
	cfg := config(t, pgtest.Shared(t).Standby)
	cfg.QuestionTimeout = ask.Duration(300 * time.Millisecond)
	snap := begin(t, start(t, cfg), session(db, "analyst"))
	for range 2 {
		_, err := snap.Run(deadline(t), "with recursive x as (select 1 as n union all select n + 1 from x) select 'question', count(*) from x")
		if e := ask.AsError(err); e == nil || e.Code != "57014" || !strings.Contains(e.Hint, "question_timeout") {
			t.Fatalf("got %v", err)
		}
	}
}
