package replica_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"askpg/internal/pgtest"
)

// TestSetup_MissingRole has one of the askers not exist: that is said, and all
// else is done.
func TestSetup_MissingRole(t *testing.T) {
	db := pgtest.NewDatabase(t, roles+"do $$ begin create role partly_asks; exception when duplicate_object then null; end $$; grant create on schema public to public")
	c := pgtest.Shared(t)
	asks := config(t, c.Standby)
	sql, err := asks.Setup([]string{"no such asker", pgtest.Superuser, "partly_asks"})
	if err != nil {
		t.Fatal(err)
	}
	ctx := deadline(t)
	cfg, err := pgx.ParseConfig(c.Primary.URL(pgtest.Superuser, db))
	if err != nil {
		t.Fatal(err)
	}
	var notices []*pgconn.Notice
	cfg.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) { notices = append(notices, n) }
	conn, err := pgx.ConnectConfig(ctx, cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, sql); err != nil {
		t.Fatal(err)
	}
	wants := []string{`role "no such asker" does not exist`, `role "` + pgtest.Superuser + `" is not granted: it is a superuser`}
	if len(notices) != len(wants) {
		t.Fatalf("it says %+v", notices)
	}
	for i, want := range wants {
		if !strings.Contains(notices[i].Message, want) || notices[i].Hint == "" {
			t.Errorf("it says %+v, want %s", notices[i], want)
		}
	}
	var member, super, create bool
	err = conn.QueryRow(ctx, "select pg_has_role('askpg', 'partly_asks', 'member'), pg_has_role('askpg', $1, 'member'), has_schema_privilege('stranger', 'public', 'create')", pgtest.Superuser).Scan(&member, &super, &create)
	if err != nil || !member || super || create {
		t.Errorf("the rest: member %t, of the superuser %t, create %t, %v", member, super, create, err)
	}
}

// TestSetup_Names has names that try to end the quotation marks and comments they stand in.
func TestSetup_Names(t *testing.T) {
	db := pgtest.NewDatabase(t, "")
	super := pgtest.Shared(t).Primary.URL(pgtest.Superuser, db)
	made := "create role made_by_a_name"
	login := "setup_login\n" + made + "; --\r" + made + "; $askpg$"
	names := []string{"a$askpg$; " + made + "; --", "b$_askpg$; " + made + "; --", "c'; " + made + "; --", `d\'; ` + made + "; --"}
	for _, name := range append(names, login) {
		pgtest.Exec(t, super, "create role "+pgx.Identifier{name}.Sanitize())
		t.Cleanup(func() { pgtest.Exec(t, super, "drop role "+pgx.Identifier{name}.Sanitize()) })
	}
	cfg := config(t, pgtest.Shared(t).Standby)
	cfg.URL = "postgres://" + url.PathEscape(login) + "@localhost/postgres"
	cfg.SuperuserRole = names[0]
	sql, err := cfg.Setup(names[1:])
	if err != nil {
		t.Fatal(err)
	}
	pgtest.Exec(t, super, sql)
	conn, err := pgx.Connect(deadline(t), super)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(deadline(t))
	var members int
	var injected bool
	err = conn.QueryRow(deadline(t), "select count(*) filter (where pg_has_role($1, oid, 'member')), bool_or(rolname = 'made_by_a_name') from pg_roles where rolname = any ($2) or rolname = 'made_by_a_name'", login, names).Scan(&members, &injected)
	if err != nil || members != len(names) || injected {
		t.Errorf("a member of %d of %d, a role made by a name: %t, %v", members, len(names), injected, err)
	}
}

// TestSetup runs what Setup prints on a primary where everything is wrong:
// afterwards the audit finds nothing, and it can be run again.
func TestSetup(t *testing.T) {
	db := pgtest.NewDatabase(t, roles+`
		do $$ begin create role "Ask'er" login inherit createdb createrole; exception when duplicate_object then null; end $$;
		grant create on schema public to public; create extension dblink`)
	c := pgtest.Shared(t)
	cfg := config(t, c.Standby)
	cfg.URL = strings.Replace(c.Standby.URL("x", "postgres"), "//x@", "//Ask%27er@", 1)
	cfg.SuperuserRole = "su_asks"
	sql, err := cfg.Setup([]string{"analyst", "support", "su_asks"})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(sql, "ARRAY['analyst', 'support', 'su_asks']::text[]") {
		t.Errorf("a role is in the list twice, or not at all: %s", sql)
	}
	for range 2 {
		pgtest.Exec(t, c.Primary.URL(pgtest.Superuser, db), sql)
	}
	pgtest.CatchUp(t)
	for _, f := range start(t, cfg).Audit(deadline(t), db) {
		if f.Problem != "" {
			t.Errorf("%+v", f)
		}
	}
	res, err := begin(t, start(t, cfg), session(db, "postgres")).Run(deadline(t), "select current_user")
	if err != nil || show(res.Rows) != "su_asks" {
		t.Fatalf("a superuser's question ran as %v, %v", res, err)
	}
	if _, err := begin(t, start(t, cfg), session(db, "analyst")).Run(deadline(t), "select 1"); err != nil {
		t.Fatal(err)
	}
}
