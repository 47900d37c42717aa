package catalog_test

import (
	"testing"

	"askpg/catalog"
	"askpg/internal/pgtest"
)

const described = `
create type mood as enum ('good', 'bad');
create table t (id int primary key, town text, code text, day text, price numeric, born date, mood mood, size text check (size in ('S', 'M')),
	nothing text, password text, unique_name text, half text);
insert into t select i, (array['Oslo', 'Oslo', 'Bern', 'Riga'])[i % 4 + 1], (array['AB', 'CD', 'EF'])[i % 3 + 1],
	(array['2024-01-01', '2024-02-01', '2024-03-01'])[i % 3 + 1], i % 90, date '2000-01-01' + i, 'good', 'S', null, 'hunter' || i % 3,
	'n' || i, case when i % 2 = 0 then 'x' || i % 5 end
from generate_series(1, 400) i;
comment on column t.price is 'askpg:unit EUR';
`

func TestColumn_Describe(t *testing.T) {
	for name, c := range map[string]struct {
		script string
		want   map[string]string
	}{
		"Analyzed": {described + "analyze", map[string]string{
			"id":       "all values differ; from 1 to 400",
			"town":     "3 distinct values: Oslo (50 %), Bern (25 %), Riga (25 %)",
			"price":    "in EUR; 90 distinct values; from 0 to 89",
			"born":     "all values differ; from 2000-01-02 to 2001-02-04",
			"mood":     `one of "good", "bad"`,
			"size":     `one of "S", "M"`,
			"nothing":  "always empty",
			"password": "3 distinct values",
		}},
		"Sampled": {described, map[string]string{
			"id":       "all values differ; from 1 to 400",
			"town":     "3 distinct values: Bern, Oslo, Riga",
			"password": "3 distinct values",
			"nothing":  "always empty",
			"born":     "all values differ; from 2000-01-02 to 2001-02-04",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			database := pgtest.NewDatabase(t, c.script)
			r := snapshot(t, newCatalog(t, settings()), database, pgtest.Superuser).Lookup("public", "t")
			for column, want := range c.want {
				if got := r.Column(column).Describe(true); got != want {
					t.Errorf("%s: %q, want %q", column, got, want)
				}
			}
			if got, want := r.Column("town").Describe(false), "3 distinct values"; got != want {
				t.Errorf("town without values: %q, want %q", got, want)
			}
		})
	}
}

func TestProfile_Shape(t *testing.T) {
	for _, c := range []struct {
		want   string
		values []string
	}{
		{"upper case, 2 long", []string{"AB", "CD", "EF"}},
		{"lower case", []string{"a", "bc", "def"}},
		{"dates as YYYY-MM-DD", []string{"2024-01-01", "2024-02-01", "2023-12-31"}},
		{"whole numbers as text", []string{"1", "22", "-3"}},
		{"e-mail addresses", []string{"a@b.org", "c@d.org", "e@f.example"}},
		{"", []string{"a", "B", "1"}},
		{"", []string{"a", "b"}},
		{"", nil},
	} {
		if got := (&catalog.Profile{Common: c.values}).Shape(catalog.Text); got != c.want {
			t.Errorf("%q: %q, want %q", c.values, got, c.want)
		}
	}
}
