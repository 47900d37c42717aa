package replica_test

import (
	"strings"
	"testing"

	"askpg/internal/pgtest"
)

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
	sql, err := cfg.Setup([]string{"analyst", "support"})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		pgtest.Exec(t, c.Primary.URL(pgtest.Superuser, db), sql)
	}
	pgtest.CatchUp(t)
	for _, f := range start(t, cfg).Audit(deadline(t), db) {
		if !f.OK {
			t.Errorf("%+v", f)
		}
	}
	s := session(db, "postgres")
	s.Superuser = true
	res, err := begin(t, start(t, cfg), s).Run(deadline(t), "select current_user")
	if err != nil || show(res.Rows) != "su_asks" {
		t.Fatalf("a superuser's question ran as %v, %v", res, err)
	}
	if _, err := begin(t, start(t, cfg), session(db, "analyst")).Run(deadline(t), "select 1"); err != nil {
		t.Fatal(err)
	}
}
