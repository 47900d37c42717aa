package replica_test

import (
	"strings"
	"testing"

	"askpg/ask"
	"askpg/internal/pgtest"
)

// owners makes a database of three owners: its own, an application's, a
// stranger's.
const owners = roles + `
do $$ begin create role app; exception when duplicate_object then null; end $$;
create schema app authorization app;
create schema strange authorization stranger;
create type span as range (subtype = float8, subtype_diff = float8mi);
create table measured (id int primary key, at span);
insert into measured values (1, '[1,2]');
create function late(int) returns int stable language sql as 'select abs($1)';
create function settled(int) returns int stable language sql set search_path = pg_catalog as 'select abs($1)';
create view through_late as select late(id) from measured;
create view through_settled as select settled(id) from measured;
set role app;
create table app.orders (id int primary key, total int);
insert into app.orders values (1, 10);
create view app.totals as select sum(total) from app.orders;
reset role;
set role stranger;
create table strange.things (id int);
create domain strange.positive as int check (value > 0);
reset role;
create table of_strange_type (id strange.positive);
create view of_orders as select total from app.orders;
create view of_both as select o.id from app.orders o join measured m using (id);
grant usage on schema app, strange to analyst;
grant select on all tables in schema public, app, strange to analyst;
`

// TestOwners asks about relations of several owners: what an owner has who is
// not trusted is refused, with his name and with what an admin can do.
func TestOwners(t *testing.T) {
	db := pgtest.NewDatabase(t, owners)
	c := pgtest.Shared(t)
	for _, tt := range []struct {
		trusted []string
		sql     string
		code    string
		says    string
	}{
		{nil, "select at, upper(at), span(1, 2) from measured", "", ""},
		{nil, "select * from through_late", "42501", "names in its body are looked up when it runs"},
		{nil, "select * from app.orders", "42501", `table app.orders: the statement depends on it, and its owner "app" is not trusted`},
		{nil, "select * from of_both", "42501", `"app"`},
		{nil, "select * from of_strange_type", "42501", `type strange.positive`},
		{nil, "select 1::strange.positive", "42501", `"stranger"`},
		{nil, "select * from strange.no_such", "42704", "strange.no_such"},
		{nil, "select 1::nowhere.no_such", "42704", "nowhere"},
		{nil, "select * from no_such", "42P01", "no_such"},
		{[]string{"app"}, "select * from app.orders", "", ""},
		{[]string{"app"}, "select * from app.totals", "", ""},
		{[]string{"app"}, "select * from of_both", "", ""},
		{[]string{"app"}, "select * from strange.things", "42501", `"stranger"`},
		{[]string{"app", "stranger"}, "select * from strange.things", "", ""},
	} {
		for _, login := range []string{"askpg", "askpg_loud"} {
			pgtest.Exec(t, c.Primary.URL(pgtest.Superuser, db), loud)
			cfg := config(t, c.Standby)
			cfg.URL, cfg.TrustedOwners = c.Standby.URL(login, "postgres"), tt.trusted
			pgtest.CatchUp(t)
			snap := begin(t, start(t, cfg), session(db, "analyst"))
			_, err := snap.Run(deadline(t), tt.sql)
			if ask.CodeOf(err) != tt.code || err != nil && !strings.Contains(err.Error(), tt.says) {
				t.Errorf("%s, trusted %v: %s: got %v", login, tt.trusted, tt.sql, err)
			}
			if e := ask.AsError(err); tt.code == "42501" && !strings.Contains(e.Hint, "replica.trusted_owners") && !strings.Contains(e.Hint, "replica.allow_functions") {
				t.Errorf("%s: hint %q", tt.sql, e.Hint)
			}
		}
	}
}

// TestOwners_Late has functions whose names are looked up when they run, beside a
// stranger who has, or may make, what they could find: neither a search_path of their own nor a schema that
// they write saves them.
func TestOwners_Late(t *testing.T) {
	const beside = "grant create on schema public to stranger; set role stranger; create function public.norm(varchar) returns text language sql as 'select null::text'; reset role;"
	for name, tt := range map[string]struct {
		script  string
		allowed []string
		code    string
	}{
		"nobody beside":              {"", nil, ""},
		"one who may create":         {"grant create on schema public to stranger", nil, "42501"},
		"one who has left something": {beside + "revoke create on schema public from stranger", nil, "42501"},
		"one who has left a type": {`grant create on schema public to stranger; set role stranger;
			create domain public.code as text check (set_config('role', 'boss', true) is not null); reset role; revoke create on schema public from stranger`, nil, "42501"},
		"one who may create schemas": {"do $$ begin execute format('grant create on database %I to stranger', current_database()); end $$", nil, "42501"},
		"one with a large object":    {"set role stranger; select lo_create(0); reset role", nil, ""},
		"named by an admin":          {beside, []string{"public.late", "public.settled"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			// The database's owner alone owns what is in it, but for the stranger's.
			db := pgtest.NewDatabase(t, roles+`create table measured (id int primary key); insert into measured values (1);
				create function late(int) returns int stable language sql as 'select abs($1)';
				create function settled(int) returns int stable language sql set search_path = public as 'select abs($1)';
				create view through_late as select late(id) from measured; create view through_settled as select settled(id) from measured;
				grant select on all tables in schema public to analyst;`+tt.script)
			cfg := config(t, pgtest.Shared(t).Standby)
			cfg.AllowFunctions = tt.allowed
			snap := begin(t, start(t, cfg), session(db, "analyst"))
			for _, sql := range []string{"select * from public.through_late", "select * from public.through_settled"} {
				if _, err := snap.Run(deadline(t), sql); ask.CodeOf(err) != tt.code {
					t.Errorf("%s: got %v", sql, err)
				}
			}
			if _, err := snap.Run(deadline(t), "select abs(-1), lower('X')"); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestPath_LeftOut leaves a schema out of the path where everybody may create,
// and says so.
func TestPath_LeftOut(t *testing.T) {
	db := pgtest.NewDatabase(t, script+"grant create on schema public to public")
	r := start(t, config(t, pgtest.Shared(t).Standby))
	snap := begin(t, r, session(db, "analyst"))
	if got := strings.Join(snap.Notices(), "\n"); !strings.Contains(got, "names are not looked up in schema public") {
		t.Errorf("notices: %s", got)
	}
	if res, err := snap.Run(deadline(t), "select count(*) from public.customers"); err != nil || show(res.Rows) != "100" {
		t.Errorf("with its schema: %v", err)
	}
	_, err := snap.Run(deadline(t), "select count(*) from customers")
	if e := ask.AsError(err); e == nil || e.Code != "42P01" || !strings.Contains(e.Hint, "REVOKE CREATE ON SCHEMA") {
		t.Errorf("without it: %v", err)
	}
	rows, err := r.Open(deadline(t), session(db, "analyst"), "select count(*) from public.customers", nil)
	if err != nil {
		t.Fatal(err)
	}
	rows.Close()
	_, err = snap.Run(deadline(t), "select public.late(1)")
	if ask.CodeOf(err) != "42501" {
		t.Errorf("a call by a schema's name where everybody may create: %v", err)
	}
}

// TestAudit_Owners says who owns what and what that refuses.
func TestAudit_Owners(t *testing.T) {
	db := pgtest.NewDatabase(t, owners)
	audit := func(database string, trusted ...string) string {
		cfg := config(t, pgtest.Shared(t).Standby)
		cfg.TrustedOwners = trusted
		var b strings.Builder
		for _, f := range start(t, cfg).Audit(deadline(t), database) {
			b.WriteString(f.What + " " + f.Problem + " " + f.Fix + "\n")
		}
		return b.String()
	}
	got := audit(db)
	for _, want := range []string{
		`owner "app" is not trusted`, `2 relations (app.orders, app.totals)`, `owner "stranger" is not trusted`, `1 type (strange.positive)`,
		"about public.of_both, public.of_orders are refused", "about public.of_strange_type are refused",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no word of %q in:\n%s", want, got)
		}
	}
	if strings.Contains(got, "nobody can ask") || strings.Contains(got, "public.measured are refused") {
		t.Errorf("too much is refused:\n%s", got)
	}
	if got := audit(db, "app", "stranger"); !strings.Contains(got, "everything belongs to") {
		t.Errorf("all trusted:\n%s", got)
	}
	// Without a name every database is looked at, as far as there are not too many.
	if got := audit(""); !strings.Contains(got, `database `+db+`: owner "app" is not trusted`) && !strings.Contains(got, "more databases: name one") {
		t.Errorf("no word of %s in:\n%s", db, got)
	}
}
