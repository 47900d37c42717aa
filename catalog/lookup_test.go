package catalog_test

import (
	"strings"
	"testing"
	"time"

	"askpg/ask"
	"askpg/internal/pgtest"
)

const million = `
create table parcels (id int primary key, tracking text, receiver text, card_number text);
insert into parcels select i, 'TRK' || lpad(i::text, 7, '0'), 'Receiver ' || i, 'secret' || i from generate_series(1, 1000000) i;
update parcels set receiver = 'Ottokar Zimmermannova' where id = 777777;
create table guests (id int primary key, owner text, nick text);
insert into guests select i, case when i % 2 = 0 then 'mine' else 'other' end, 'Guest' || i || 'x' from generate_series(1, 20000) i;
alter table guests enable row level security;
create policy p on guests using (owner = 'mine');
analyze parcels; analyze guests;
`

// TestCatalog_Lookup asks a column of a million values with and without an
// index of pg_trgm.
func TestCatalog_Lookup(t *testing.T) {
	database := pgtest.NewDatabase(t, million)
	role := newRole(t, database, "reader")
	primary(t, database, "grant select on all tables in schema public to "+role)
	cfg := settings()
	cfg.LookupTime = ask.Duration(time.Minute) // a busy machine takes its time
	c := newCatalog(t, cfg)
	s := snapshot(t, c, database, role)
	lookup := func(question string) string {
		t.Helper()
		var out []string
		for _, h := range c.Lookup(t.Context(), s, question) {
			if h.Column.Private || question[h.Start:h.End] == "" {
				t.Errorf("%q: %s is asked", question, h.Column.Name)
			}
			out = append(out, h.Column.Relation.Name.Name+"."+h.Column.Name+"="+h.Value)
		}
		return strings.Join(out, " ")
	}
	for question, want := range map[string]string{
		"where is the parcel with tracking TRK0424242":      "parcels.tracking=TRK0424242",
		"parcels of the receiver 'ottokar zimmermannova'":   "parcels.receiver=Ottokar Zimmermannova",
		"how many parcels has the receiver Zimmermannova":   "parcels.receiver=Ottokar Zimmermannova",
		"how many parcels are there":                        "",
		"parcels whose tracking is 'TRK%'":                  "",
		"card number 'secret12345' of parcels":              "",
		"guests with the nick Guest4242x":                   "guests.nick=Guest4242x",
		"guests with the nick Guest4243x, of someone other": "",
	} {
		if got := lookup(question); got != want {
			t.Errorf("%q finds %q, want %q", question, got, want)
		}
	}

	// Without an index a larger relation is left alone.
	cfg.LookupRows = 500000
	small := newCatalog(t, cfg)
	if hits := small.Lookup(t.Context(), snapshot(t, small, database, role), "tracking TRK0424242 of the parcel"); len(hits) != 0 {
		t.Errorf("a relation of more than lookup_rows is scanned: %v", hits)
	}
	primary(t, database, "create extension pg_trgm; set maintenance_work_mem = '256MB'; create index on parcels using gin (receiver gin_trgm_ops)")
	pgtest.CatchUp(t)
	c = small
	s = snapshot(t, c, database, role)
	for question, want := range map[string]string{
		"how many parcels has the receiver Zimmermannova":  "parcels.receiver=Ottokar Zimmermannova",
		"parcels of the receiver 'ottokar zimmermanova'":   "parcels.receiver=Ottokar Zimmermannova", // a letter is missing
		"parcels of the receiver 'nobody at all anywhere'": "",
	} {
		if got := lookup(question); got != want {
			t.Errorf("with an index %q finds %q, want %q", question, got, want)
		}
	}

	// The time is bounded, and nothing is said where it is over.
	cfg.LookupTime = ask.Duration(time.Millisecond)
	hasty := newCatalog(t, cfg)
	if hits := hasty.Lookup(t.Context(), snapshot(t, hasty, database, role), "where is the parcel with tracking TRK0424242"); len(hits) > 1 {
		t.Errorf("found in no time: %v", hits)
	}
	off := settings()
	off.Lookup = false
	quietly := newCatalog(t, off)
	if hits := quietly.Lookup(t.Context(), snapshot(t, quietly, database, role), "tracking TRK0424242"); hits != nil {
		t.Errorf("found although catalog.lookup is off: %v", hits)
	}
}
