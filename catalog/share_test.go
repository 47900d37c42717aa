package catalog_test

import (
	"slices"
	"testing"

	"askpg/internal/pgtest"
)

const shared = `
create table towns (name text primary key, mayor text);
create table rivers (name text primary key, town text references towns);
create view mine as select name as nick from towns where mayor = current_user;
create view over_mine as select nick as label from mine;
insert into towns values ('Bern', 'x'), ('Oslo', 'postgres');
insert into rivers values ('Aare', 'Bern');
`

func TestCatalog_RolesOfSameRightsShare(t *testing.T) {
	database := pgtest.NewDatabase(t, shared)
	a, b, other := newRole(t, database, "one"), newRole(t, database, "two"), newRole(t, database, "three")
	primary(t, database, "grant select on all tables in schema public to "+a+", "+b+"; grant select (name) on towns to "+other)
	c := newCatalog(t, settings())
	sa, sb, so := snapshot(t, c, database, a), snapshot(t, c, database, b), snapshot(t, c, database, other)
	if sa.Role != a || sb.Role != b || sa.Version != sb.Version || sa.Relations[0] != sb.Relations[0] || sa.Values != sb.Values {
		t.Errorf("roles of the same rights do not share: versions %s and %s", sa.Version, sb.Version)
	}
	if so.Version == sa.Version || len(so.Relations) != 1 || len(so.Relations[0].Columns) != 1 {
		t.Errorf("another role has %+v", so.Relations)
	}
	if h := so.Values.Find("x Bern Aare"); len(h) != 1 || h[0].Column != so.Relations[0].Columns[0] {
		t.Errorf("another role finds %+v", h)
	}
	for _, h := range sa.Values.Find("Oslo") {
		if h.Column.Relation.Name.Name != "towns" {
			t.Errorf("Oslo found in %s, which shows other rows to others", h.Column.Relation.Name.Name)
		}
	}
}

// After a change only what changed is read anew, and nothing of before is left.
func TestCatalog_Keeps(t *testing.T) {
	database := pgtest.NewDatabase(t, shared+"analyze")
	c := newCatalog(t, settings())
	before := snapshot(t, c, database, pgtest.Superuser)
	for i := range 12 { // more often than an index has parts
		primary(t, database, `alter table rivers add column length int; create table lakes (lake text, town text); insert into lakes values ('Thun', 'Bern'); analyze lakes;
			update rivers set name = 'Emme'`)
		s := snapshot(t, c, database, pgtest.Superuser)
		towns, rivers := s.Lookup("public", "towns"), s.Lookup("public", "rivers")
		if towns != before.Lookup("public", "towns") {
			t.Fatalf("round %d: an unchanged relation was not kept", i)
		}
		if rivers == before.Lookup("public", "rivers") || rivers.Column("length") == nil || rivers.Column("name").Profile == nil {
			t.Fatalf("round %d: the changed relation is %+v", i, rivers)
		}
		var found []string
		for _, h := range s.Values.Find("Aare, Emme, Thun, Bern") {
			if s.Lookup("public", h.Column.Relation.Name.Name) != h.Column.Relation {
				t.Fatalf("round %d: %s of an earlier snapshot is among the values", i, h.Column.Name)
			}
			found = append(found, h.Column.Relation.Name.Name+"."+h.Column.Name+"="+h.Value)
		}
		slices.Sort(found)
		if want := []string{"lakes.lake=Thun", "lakes.town=Bern", "rivers.name=Emme", "rivers.town=Bern", "towns.name=Bern"}; !slices.Equal(found, want) {
			t.Fatalf("round %d: values %q, want %q", i, found, want)
		}
		for _, c := range s.Search("length of rivers and lakes in towns", 50) {
			if s.Lookup("public", c.Relation.Name.Name) != c.Relation {
				t.Fatalf("round %d: a search finds %s of an earlier snapshot", i, c.Name)
			}
		}
		if path, _ := s.Path(rivers, towns); len(path) != 1 || path[0].End() != towns {
			t.Fatalf("round %d: path %+v", i, path)
		}
		primary(t, database, "drop table lakes; alter table rivers drop column length; update rivers set name = 'Aare'")
		s = snapshot(t, c, database, pgtest.Superuser)
		if h := s.Values.Find("Thun"); s.Lookup("public", "lakes") != nil || len(h) != 0 {
			t.Fatalf("round %d: a dropped table is still there: %+v", i, h)
		}
		if ms := s.Search("lakes", 5); slices.Contains(names(ms), "lakes.lake") {
			t.Fatalf("round %d: a search finds a dropped table", i)
		}
	}
}
