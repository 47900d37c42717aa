package replica_test

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"askpg/ask"
	"askpg/internal/pgtest"
)

// escapeScript makes functions that change roles, of a superuser's and of a
// stranger's; everybody may call them.
const escapeScript = `
create table secrets (id int primary key, token text);
create function as_none() returns text stable language sql set role = 'none' as 'select current_user::text';
create function as_boss() returns text stable language sql set role = 'postgres' as 'select current_user::text';
create function as_boss_session() returns text stable language sql set session_authorization = 'postgres' as 'select current_user::text';
create function runs(q text) returns void language plpgsql as $$ begin execute q; end $$;
grant create on schema public to stranger;
set role stranger;
create function strangers() returns text stable security definer language sql as 'select current_user::text';
create function strangers_run(q text) returns void security definer language plpgsql as $$ begin execute q; end $$;
reset role;
revoke create on schema public from stranger;
`

// escapes are statements that try to leave the asker's role, one after another
// as far as they belong together.
var escapes = [][]string{
	{"reset role"}, {"set role none"}, {"set local role none"}, {"set role postgres"}, {"set role stranger"}, {"set session role postgres"},
	{"set session authorization default"}, {"reset session authorization"}, {"set session authorization postgres"}, {"set local session authorization postgres"},
	{"reset all"}, {"discard all"},
	{"select set_config('role', 'none', false)"}, {"select set_config('role', 'none', true)"}, {"select set_config('role', 'postgres', false)"},
	{"select set_config('role', 'stranger', true)"}, {"select set_config('session_authorization', 'postgres', false)"},
	{"select set_config('is_superuser', 'on', false)"},
	{"update pg_settings set setting = 'postgres' where name = 'role'"},
	{"do $$ begin reset role; end $$"}, {"do $$ begin execute 'set role postgres'; end $$"}, {"do $$ begin perform set_config('role', 'none', false); end $$"},
	{"do $$ begin set session authorization postgres; end $$"},
	{"select as_none()"}, {"select as_boss()"}, {"select as_boss_session()"}, {"select * from as_none()"},
	{"select runs('reset role')"}, {"select runs('set role postgres')"}, {"select runs('set session authorization postgres')"},
	{"select strangers()"}, {"select strangers_run('reset role')"}, {"select strangers_run('set role none')"}, {"select strangers_run('set role postgres')"},
	{"select strangers_run('set session authorization default')"}, {"select strangers_run($$select set_config('role', 'none', false)$$)"},
	{"prepare p as select set_config('role', 'none', false)", "execute p"}, {"prepare q as select set_config('role', 'postgres', false)", "execute q"},
	{"prepare r(text) as select set_config('role', $1, false)", "execute r('stranger')", "execute r('none')"},
	{"create function pg_temp.own() returns text language sql set role = 'postgres' as 'select current_user::text'", "select pg_temp.own()"},
	{"create function pg_temp.own() returns text security definer language plpgsql as $$ begin reset role; return current_user; end $$", "select pg_temp.own()"},
	{"create function pg_temp.own() returns int language sql as 'select 1'", "alter function pg_temp.own() owner to postgres"},
	{"create procedure pg_temp.own() language plpgsql as $$ begin rollback; reset role; commit; end $$", "call pg_temp.own()"},
	{"alter function as_none() security definer"}, {"alter function as_none() reset all"}, {"create or replace function as_boss() returns text language sql as 'select 1::text'"},
	{"grant postgres to analyst"}, {"grant stranger to analyst"}, {"grant analyst to stranger"}, {"alter role analyst superuser"}, {"alter role askpg superuser"},
	{"alter database postgres set role = 'postgres'"}, {"set role analyst", "reset role"},
}

// TestRole_Escape has neither guard nor read-only transaction: whatever is
// tried, the session stays the service login's, as the asker or as the login
// itself, and reads nothing that neither of them may read.
func TestRole_Escape(t *testing.T) {
	db := pgtest.NewDatabase(t, script+escapeScript)
	ctx := deadline(t)
	// The login may have been set up to be read-only, which would hide what rights alone refuse.
	c, err := pgx.Connect(ctx, pgtest.Shared(t).Primary.URL("askpg", db)+"&default_transaction_read_only=off")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(ctx)
	exec := func(sql string) error { return c.PgConn().Exec(ctx, sql).Close() }
	left := 0
	for _, e := range escapes {
		all := strings.Join(e, "; ")
		for _, sql := range []string{"rollback", "discard all", "set role analyst"} {
			if err := exec(sql); err != nil {
				t.Fatal(err)
			}
		}
		for _, sql := range e {
			_ = exec(sql) // refused or not, what follows is what counts
		}
		var current, session, super string
		if err := c.QueryRow(ctx, "select current_user, session_user, current_setting('is_superuser')", pgx.QueryExecModeSimpleProtocol).Scan(&current, &session, &super); err != nil {
			t.Fatal(err)
		}
		if current != "analyst" && current != "askpg" || session != "askpg" || super != "off" {
			t.Errorf("%s: now %s in a session of %s, superuser %s", all, current, session, super)
		}
		if current == "askpg" {
			left++
		}
		for _, sql := range []string{"select token from secrets", "select secret from customers", "delete from orders", "alter role askpg superuser"} {
			if err := exec(sql); code(err) != "42501" {
				t.Errorf("%s, then %s: got %v", all, sql, err)
			}
		}
	}
	if left < 10 { // PostgreSQL lets a session go back; if none did, nothing was tried
		t.Errorf("%d statements went back to the service login", left)
	}
}

// TestGuard_Escape has the guard alone say no to each, whoever asks.
func TestGuard_Escape(t *testing.T) {
	db := pgtest.NewDatabase(t, script+escapeScript)
	bothServers(t, func(t *testing.T, server *pgtest.Server, primary bool) {
		cfg := config(t, server)
		cfg.AllowPrimary = primary
		snap := begin(t, start(t, cfg), session(db, "analyst"))
		for _, e := range escapes {
			for _, sql := range e {
				_, err := snap.Check(deadline(t), sql)
				if missing := strings.Contains(sql, "select pg_temp."); ask.CodeOf(err) != ask.CodeRefused && ask.CodeOf(err) != ask.CodeInsufficientRights && !(missing && err != nil) {
					t.Errorf("%s: got %v", sql, err)
				}
			}
		}
	})
}

// TestPool_Escape lets each past the guard, inside a question's transaction:
// the next question on the same connection runs as its own asker.
func TestPool_Escape(t *testing.T) {
	db := pgtest.NewDatabase(t, script+escapeScript)
	bothServers(t, func(t *testing.T, server *pgtest.Server, primary bool) {
		cfg := config(t, server)
		cfg.AllowPrimary = primary
		cfg.PerInstance = 1
		r := start(t, cfg)
		for _, e := range escapes {
			all := strings.Join(e, "; ")
			if all == "discard all" || strings.Contains(all, "rollback") {
				continue // not in a transaction
			}
			before := e[:len(e)-1]
			snap := begin(t, r, session(db, "analyst"))
			_, _ = snap.RunUnguarded(deadline(t), strings.Join(before, "; "), e[len(e)-1])
			snap.Close()
			next := begin(t, r, session(db, "support"))
			res, err := next.Run(deadline(t), "select current_user, session_user, count(*) from orders")
			if err != nil || show(res.Rows) != "support|askpg|10" {
				t.Errorf("after %s: got %v, %v", all, res, err)
			}
			next.Close()
		}
	})
}
