package refs_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"askpg/catalog"
	"askpg/internal/pgtest"
	"askpg/translator/refs"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

type source struct{ *pgtest.Server }

func (s source) As(ctx context.Context, database, _ string, fn func(pgx.Tx) error) error {
	conn, err := pgx.Connect(ctx, s.URL(pgtest.Superuser, database))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	return pgx.BeginFunc(ctx, conn, fn)
}

func snapshot(t *testing.T, semantics string) *catalog.Snapshot {
	t.Helper()
	database := pgtest.NewDatabase(t, `
create type mood as enum ('sad', 'happy');
create table pets (id int primary key, kind text not null, mood mood, note text);
create table owners (id int primary key, pet int references pets, kind text);
create schema other; create table other.pets (id int, colour text);
insert into pets select n, case n % 2 when 0 then 'dog' else 'cat' end, 'happy', md5(n::text) || md5((n+1)::text) || md5((n+2)::text) || md5((n+3)::text) from generate_series(1, 40) n;
insert into owners select n, n, 'person' from generate_series(1, 10) n;
insert into other.pets values (1, 'red');
analyze`)
	cfg := catalog.DefaultConfig()
	if semantics != "" {
		cfg.Semantics = filepath.Join(t.TempDir(), "semantics.toml")
		if err := os.WriteFile(cfg.Semantics, []byte(semantics), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c := catalog.New(cfg, source{pgtest.Shared(t).Primary}, slog.New(slog.NewTextHandler(io.Discard, nil)), nil)
	t.Cleanup(c.Close)
	s, err := c.Snapshot(t.Context(), database, pgtest.Superuser)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestOf(t *testing.T) {
	s := snapshot(t, "")
	for _, tt := range []struct{ sql, relations, columns, compared string }{
		{"select kind from pets", "public.pets", "pets.kind", ""},
		{"select p.kind from pets p join owners o on o.pet = p.id where o.kind = 'x'", "public.owners public.pets", "owners.kind owners.pet pets.id pets.kind", "owners.kind=x"},
		{"select kind from pets, owners", "public.owners public.pets", "", ""},
		{"with d as (select * from pets where kind in ('dog', 'cat')) select count(*) from d", "public.pets", "pets.kind", "pets.kind=dog,cat"},
		{"select colour from other.pets where 'red' = colour", "other.pets", "pets.colour", "pets.colour=red"},
		{"select 1 from pets where mood = 'sad'::mood", "public.pets", "pets.mood", "pets.mood=sad"},
		{"select from where", "", "", ""},
		{"select 1" + strings.Repeat("+1", 50_000), "", "", ""},
	} {
		r := refs.Of(tt.sql, s, []string{"public"})
		var relations, columns, compared []string
		for _, x := range r.Relations {
			relations = append(relations, x.Schema+"."+x.Name.Name)
		}
		for _, c := range r.Columns {
			columns = append(columns, c.Relation.Name.Name+"."+c.Name)
		}
		for _, c := range r.Comparisons {
			compared = append(compared, c.Column.Relation.Name.Name+"."+c.Column.Name+"="+strings.Join(c.Values, ","))
		}
		slices.Sort(relations)
		slices.Sort(columns)
		if got := strings.Join(relations, " "); got != tt.relations {
			t.Errorf("%.60s: relations %q, want %q", tt.sql, got, tt.relations)
		}
		if got := strings.Join(columns, " "); got != tt.columns {
			t.Errorf("%.60s: columns %q, want %q", tt.sql, got, tt.columns)
		}
		if got := strings.Join(compared, " "); got != tt.compared {
			t.Errorf("%.60s: compared %q, want %q", tt.sql, got, tt.compared)
		}
	}
}

// TestParts_Demand: a statement has the usual filter of a relation if it demands all of it, of that relation.
func TestParts_Demand(t *testing.T) {
	s := snapshot(t, `[[table]]
name = "public.pets"
filter = "kind <> 'cat' AND note IS NOT NULL"
`)
	for sql, want := range map[string]bool{
		"select count(*) from pets where note is not null and kind <> 'cat'":                              true,
		"select 1 from owners o join pets p on p.id = o.pet and p.kind <> 'cat' where p.note is not null": true,
		"select count(*) from pets where kind <> 'cat'":                                                   false,
		"select count(*) from pets where kind <> 'dog' and note is not null":                              false,
		"select count(*) from pets where kind <> 'cat' or note is not null":                               false,
		"select count(*) from pets where not (kind <> 'cat' and note is not null)":                        false,
		"select 1 from owners o join pets p on p.id = o.pet where o.kind <> 'cat' and p.note is not null": false,
		"select count(*) filter (where kind <> 'cat' and note is not null) from pets":                     true,
		"select kind, note from pets group by 1, 2":                                                       false,
		"select count(*) from owners where kind <> 'cat'":                                                 false,
		"select from where": false,
	} {
		pets := s.Lookup("public", "pets")
		if got := refs.PartsOf(sql, s, []string{"public"}).Demand(pets.Filter); got != want {
			t.Errorf("%s: %v, want %v", sql, got, want)
		}
	}
	owners := s.Lookup("public", "owners")
	if !refs.PartsOf("select 1", s, nil).Demand(owners.Filter) {
		t.Error("a relation without a filter")
	}
}

// TestParts_Compute: a statement computes a measure if it calls its aggregates, of the same columns.
func TestParts_Compute(t *testing.T) {
	s := snapshot(t, `[[measure]]
name = "pets an owner"
table = "public.owners"
expression = "count(DISTINCT pet)::numeric / count(*)"
`)
	for sql, want := range map[string]bool{
		"select count(distinct o.pet) / nullif(count(*), 0) from owners o":       true,
		"select count(distinct pet) filter (where id > 1), count(*) from owners": true,
		"select count(pet) / count(*) from owners":                               false,
		"select count(distinct pet) from owners":                                 false,
		"select pet, count(*) from owners group by 1":                            false,
	} {
		if got := refs.PartsOf(sql, s, []string{"public"}).Compute(s.Measures[0].Expression); got != want {
			t.Errorf("%s: %v, want %v", sql, got, want)
		}
	}
}

func TestHeld(t *testing.T) {
	s := snapshot(t, "")
	for sql, want := range map[string]string{
		"select 1 from pets where kind = 'dog'":            "[dog held]",
		"select 1 from pets where kind = 'Dog'":            "[Dog not held]",
		"select 1 from pets where kind in ('dog', 'bird')": "[dog held bird not held]",
		"select 1 from pets where mood = 'angry'":          "[angry not held]",
		"select 1 from pets where note = 'anything'":       "[anything unknown]", // too long to be indexed
	} {
		var got []string
		for _, c := range refs.Of(sql, s, []string{"public"}).Comparisons {
			for _, v := range c.Values {
				switch held, known := refs.Held(s, c.Column, v); {
				case held:
					got = append(got, v+" held")
				case known:
					got = append(got, v+" not held")
				default:
					got = append(got, v+" unknown")
				}
			}
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%s: %v, want %s", sql, got, want)
		}
	}
}
