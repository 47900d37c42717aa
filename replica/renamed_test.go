package replica_test

import (
	"io"
	"log/slog"
	"testing"
	"time"

	"askpg/ask"
	"askpg/catalog"
	"askpg/internal/pgtest"
)

// TestOwned_Renamed has a trusted owner rename a table of the catalog's snapshot, in a schema where the tenant may
// create. The tenant then makes a view of the old name. What is looked up for a question does not read the view.
func TestOwned_Renamed(t *testing.T) {
	db, version := ownedDatabase(t)
	if version < 13 {
		t.Skip("opening any table evaluates the tenant's partition keys there, so that the catalog is not read")
	}
	c := pgtest.Shared(t)
	primary := c.Primary.URL(pgtest.Superuser, db)
	pgtest.Exec(t, primary, `set role keeper; create table app.named (id int, name text); insert into app.named values (1, 'Zanzibar'), (2, 'Quagga');
		grant select on app.named to public; reset role; analyze app.named`)
	pgtest.CatchUp(t)
	r := ownedModes[0].replica(t, c.Standby)
	rec := recordsOf(t, c.Standby)
	cfg := catalog.DefaultConfig()
	cfg.ImpliedJoins, cfg.ValuesDistinct, cfg.LookupColumns = false, 1, 1000
	cfg.LookupTime = ask.Duration(10 * time.Second)
	cat := catalog.New(cfg, r, slog.New(slog.NewTextHandler(io.Discard, nil)), nil)
	defer cat.Close()
	snap, err := cat.Snapshot(deadline(t), db, "asker")
	if err != nil {
		t.Fatal(err)
	}
	found := func() bool {
		for _, h := range cat.Lookup(deadline(t), snap, "who is called Zanzibar") {
			if h.Column.Relation.Name == (catalog.Name{Schema: "app", Name: "named"}) {
				return true
			}
		}
		return false
	}
	if !found() {
		t.Error("the table is not looked up")
	}
	pgtest.Exec(t, primary, `alter table app.named rename to was_named;
		set role tenant; create view app.named as select 1 as id, 'Zanzibar'::text as name where tenant.run(1); grant select on app.named to public`)
	pgtest.CatchUp(t)
	if found() {
		t.Error("the tenant's view is read")
	}
	for _, line := range rec.take() {
		t.Errorf("RECORDED by the look-up for a question: %s", line)
	}
}
