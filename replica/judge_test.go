package replica_test

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"askpg/ask"
	"askpg/internal/pgtest"
)

// TestJudge_ChattyServer has a server that tells a lot while a statement is
// analysed: its tree is found among it.
func TestJudge_ChattyServer(t *testing.T) {
	db := pgtest.NewDatabase(t, script+hostileScript+`
		do $$ begin create role chatty login noinherit; exception when duplicate_object then null; end $$;
		grant analyst to chatty;
		alter role chatty set log_min_messages = 'fatal';
		alter role chatty set log_statement = 'all';
		alter role chatty set log_duration = 'on';
		alter role chatty set log_min_duration_statement = 0;
		alter role chatty set log_parser_stats = 'on';
		alter role chatty set debug_pretty_print = 'on';
		alter role chatty set debug_print_plan = 'on'`)
	cfg := config(t, pgtest.Shared(t).Standby)
	cfg.URL = pgtest.Shared(t).Standby.URL("chatty", "postgres")
	snap := begin(t, start(t, cfg), session(db, "analyst"))
	for sql, want := range map[string]string{"select lower('X'), count(*) from customers": "", "select lower(1)": "42501", "select * from her_view": "42501"} {
		if _, err := snap.Run(deadline(t), sql); ask.CodeOf(err) != want {
			t.Errorf("%s: got %v, want %q", sql, err, want)
		}
	}
}

// TestJudge_SeesChanges changes what names mean while askpg remembers what
// they meant.
func TestJudge_SeesChanges(t *testing.T) {
	db := pgtest.NewDatabase(t, script+loud+"create schema later; grant usage on schema later to public")
	c := pgtest.Shared(t)
	ctx := deadline(t)
	super, err := pgx.Connect(ctx, c.Primary.URL(pgtest.Superuser, db))
	if err != nil {
		t.Fatal(err)
	}
	defer super.Close(ctx)
	const view = "create or replace view public.changing as select "
	for _, login := range []string{"askpg", "askpg_loud"} {
		bothServers(t, func(t *testing.T, server *pgtest.Server, primary bool) {
			cfg := config(t, server)
			cfg.URL, cfg.AllowPrimary = server.URL(login, "postgres"), primary
			r := start(t, cfg)
			s := session(db, "analyst")
			s.Settings["search_path"] = "later, public"
			for _, tt := range []struct{ ddl, sql, want string }{
				{"select 1", "select upper('x')", ""},
				{"create function later.triple(int) returns int immutable language sql as 'select 3 * $1'", "select triple(1)", "ASK05"},
				{"drop function later.triple(int)", "select triple(1)", "42883"},
				{view + "'a'::text as x; grant select on public.changing to analyst", "select * from changing", ""},
				{view + "pg_read_file('x') as x", "select * from changing", "ASK05"},
				{view + "'b'::text as x", "select * from changing", ""},
				{"drop view public.changing; create view later.changing as select pg_sleep(1)::text as x; grant select on later.changing to analyst", "select * from changing", "ASK05"},
				{"alter view later.changing rename to sleeping; create table later.changing (x int); grant select on later.changing to analyst", "select * from changing", ""},
				{"drop view later.sleeping; drop table later.changing", "select * from changing", "42P01"},
			} {
				if _, err := super.PgConn().Exec(ctx, tt.ddl).ReadAll(); err != nil {
					t.Fatal(err)
				}
				pgtest.CatchUp(t)
				snap := begin(t, r, s)
				if _, err := snap.Run(ctx, tt.sql); ask.CodeOf(err) != tt.want {
					t.Errorf("%s, after %s: %s: got %v, want %q", login, tt.ddl, tt.sql, err, tt.want)
				}
				snap.Close()
			}
		})
	}
}

// TestExplain says what a statement uses and why it may.
func TestExplain(t *testing.T) {
	db := pgtest.NewDatabase(t, script)
	r := start(t, config(t, pgtest.Shared(t).Standby))
	v, err := r.Explain(deadline(t), session(db, "analyst"), "select lower(name), random() from customers, pg_class")
	if err != nil || !v.Allowed() {
		t.Fatal(v, err)
	}
	var uses []string
	for _, u := range v.Uses {
		uses = append(uses, u.What+": "+u.Why)
	}
	got := strings.Join(uses, "\n")
	for _, want := range []string{"function pg_catalog.lower(): built in, immutable", "function pg_catalog.random(): random numbers", "relation public.customers: the role's rights decide", "relation pg_catalog.pg_class: relations and types"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in:\n%s", want, got)
		}
	}
	v, err = r.Explain(deadline(t), session(db, "analyst"), "select pg_sleep(1), nextval('x')")
	if err != nil || len(v.Problems) != 2 || v.Problems[0].Why == "" || v.Problems[0].Fix == "" {
		t.Fatal(v, err)
	}
}

// TestJudge_QueryWithin has reading a constant run a function of SQL, whose query the server prints as well. What is judged
// must be the statement itself, which calls the function of an owner who is not trusted.
func TestJudge_QueryWithin(t *testing.T) {
	db := pgtest.NewDatabase(t, script+loud+`
		do $$ begin create role mallory nologin; exception when duplicate_object then null; end $$;
		create function public.is_ok(t text) returns bool language sql immutable set search_path = pg_catalog begin atomic select length(t) > 0; end;
		create domain public.email as text check (public.is_ok(value));
		create function public.lower(orders) returns text language sql as $$ select 'mallory was here' $$;
		alter function public.lower(orders) owner to mallory`)
	for _, login := range []string{"askpg", "askpg_loud"} {
		cfg := config(t, pgtest.Shared(t).Standby)
		cfg.URL = pgtest.Shared(t).Standby.URL(login, "postgres")
		cfg.AllowFunctions = []string{"public.is_ok"}
		s := session(db, "analyst")
		s.Settings["search_path"] = "public"
		snap := begin(t, start(t, cfg), s)
		for sql, want := range map[string]string{
			"select id from orders where '{a}'::text[] is not null":                     "",
			"select lower(o) from orders o":                                             "42501",
			"select lower(o) from orders o where '{a}'::email[] is not null":            "ASK05",
			"select lower(o) from orders o where '{a}'::email[]::text = 'x' or id = -1": "ASK05",
		} {
			if login == "askpg_loud" && want != "" {
				want = "42501" // judged by name
			}
			if res, err := snap.Run(deadline(t), sql); ask.CodeOf(err) != want {
				t.Errorf("%s: %s: got %v, %v, want %q", login, sql, res, err, want)
			}
		}
	}
}

// TestJudge_ExtensionsText holds that a function of an allowed extension runs no SQL that it makes from its arguments,
// as ST_FindExtent of PostGIS does. No extension reads relations that are given as text.
func TestJudge_ExtensionsText(t *testing.T) {
	db := pgtest.NewDatabase(t, script+`
		create extension citext schema public;
		create function public.extent(c text, t text) returns text language plpgsql stable as
			$$ declare r text; begin execute 'select max("' || c || '")::text from "' || t || '"' into r; return r; end $$;
		create function public.half(float8) returns float8 language sql immutable as 'select $1 / 2';
		alter extension citext add function public.extent(text, text);
		alter extension citext add function public.half(float8)`)
	s := session(db, "analyst")
	s.Settings["search_path"] = "public"
	snap := begin(t, start(t, config(t, pgtest.Shared(t).Standby)), s)
	for sql, want := range map[string]string{
		"select half(id) from orders":                       "",
		"select extent('id', 'orders')":                     "ASK05",
		"select id from orders where extent('x', 'y') > ''": "ASK05",
	} {
		if _, err := snap.Run(deadline(t), sql); ask.CodeOf(err) != want {
			t.Errorf("%s: got %v, want %q", sql, err, want)
		}
	}
}
