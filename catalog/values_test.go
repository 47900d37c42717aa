package catalog_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"askpg/internal/pgtest"
)

const places = `
create type size as enum ('extra large', 'small');
create table state (code char(2) primary key, name text);
insert into state values ('NY', 'New York'), ('OR', 'Oregon'), ('IN', 'Indiana');
create table city (id int primary key, name text, state_name text, size size, motto text, api_token text);
insert into city values (1, 'New York', 'New York', 'small', 'U.S.', 'needle'), (2, 'São Paulo', 'Oregon', 'small', 'C++', 'needle'),
	(3, 'York', 'Oregon', 'small', 'O''Brien', 'needle'), (4, 'Springfield', 'Indiana', null, 'Hidden Mountains', 'needle');
create table wide (id int, code text, long text);
insert into wide select i, 'code' || i, repeat('x', 200) from generate_series(1, 9000) i;
create table guarded (name text, room text check (room in ('Xanadu')));
insert into guarded values ('Rosebud');
alter table guarded enable row level security;
create view through as select name as nick from guarded;
`

func TestValues_Find(t *testing.T) {
	database := pgtest.NewDatabase(t, places)
	role := newRole(t, database, "reader")
	primary(t, database, "grant select on all tables in schema public to "+role+"; create policy p on guarded using (true)")
	s := snapshot(t, newCatalog(t, settings()), database, role)
	for question, want := range map[string][]string{
		"cities in new york":           {"'new york' city.name=New York exact", "'new york' city.state_name=New York exact", "'new york' state.name=New York exact"},
		"how many live in York?":       {"'York' city.name=York exact"},
		"sao paulo or oregon":          {"'sao paulo' city.name=São Paulo exact", "'oregon' city.state_name=Oregon exact", "'oregon' state.name=Oregon exact"},
		"people from OR":               {"'OR' state.code=OR exact"},
		"what is in it":                nil,
		"Extra-Large ones":             {"'Extra-Large' city.size=extra large"},
		"those of O'Brien":             {"'O'Brien' city.motto=O'Brien exact"},
		"motto U.S. please":            {"'U.S.' city.motto=U.S. exact"},
		"a hidden mountain":            {"'hidden mountain' city.motto=Hidden Mountains"},
		"springfeild":                  {"'springfeild' city.name=Springfield"},
		"the needle":                   nil,
		"where is rosebud":             nil,
		"those in xanadu":              {"'xanadu' guarded.room=Xanadu exact"},
		"code77 and nothing":           nil,
		"":                             nil,
		"\xff\xfe new\u00a0york \x00.": {"'new\u00a0york' city.name=New York exact", "'new\u00a0york' city.state_name=New York exact", "'new\u00a0york' state.name=New York exact"},
	} {
		var got []string
		for _, h := range s.Values.Find(question) {
			e := ""
			if h.Exact {
				e = " exact"
			}
			got = append(got, fmt.Sprintf("'%s' %s.%s=%s%s", question[h.Start:h.End], h.Column.Relation.Name.Name, h.Column.Name, h.Value, e))
		}
		slices.Sort(got)
		want = slices.Clone(want)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%q:\n got %q\nwant %q", question, got, want)
		}
	}

	name := s.Lookup("public", "city").Column("name")
	if got := s.Values.Of(name); !slices.Equal(got, []string{"New York", "Springfield", "São Paulo", "York"}) {
		t.Errorf("values of city.name: %q", got)
	}
	if has, known := s.Values.Has(name, "Atlantis"); has || !known {
		t.Errorf("Atlantis: has %v, known %v", has, known)
	}
	var omitted []string
	for _, o := range s.Values.Omitted() {
		omitted = append(omitted, o.Column.Relation.Name.Name+"."+o.Column.Name+": "+strings.TrimLeft(o.Why, "0123456789 "))
	}
	for _, want := range []string{"city.api_token: private", "guarded.name: row security", "through.nick: may differ by who is asking", "wide.code: more than 5000 distinct values"} {
		if !slices.Contains(omitted, want) {
			t.Errorf("%q is not among what was left out: %q", want, omitted)
		}
	}
}

func FuzzValues_Find(f *testing.F) {
	database := pgtest.NewDatabase(f, places)
	c := newCatalog(f, settings())
	s := snapshot(f, c, database, pgtest.Superuser)
	f.Add("cities in New York")
	f.Add("São \xff Paulo İ ﬁ ẞ")
	f.Fuzz(func(t *testing.T, q string) {
		for _, h := range s.Values.Find(q) {
			if h.Start < 0 || h.End > len(q) || h.Start >= h.End || h.Value == "" {
				t.Fatalf("hit %+v in %q", h, q)
			}
		}
	})
}
