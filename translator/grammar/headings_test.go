package grammar_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"askpg/internal/pgtest"
	"askpg/translator/grammar"
)

// TestInterpret_Headings looks for the names in the SQL.
func TestInterpret_Headings(t *testing.T) {
	s := schemas(t, "playhouse")["playhouse"].snap
	for question, want := range map[string]string{
		"percentage of pledges that are paid": " AS percent FROM",
		"ratio of shows to plays":             " AS ratio",
		"number of shows by month":            " AS month, count(*)",
		"number of shows by weekday":          " AS weekday, count(*)",
	} {
		if list, err := grammar.Interpret(question, "", s, grammar.Options{Now: now}); err != nil || !strings.Contains(list[0].SQL, want) {
			t.Errorf("%q: %v, %v; want %q", question, list, err, want)
		}
	}
}

// TestInterpret_FollowUpBound reads a follow-up with all of its steps, with as many as a few tries take, and with none.
func TestInterpret_FollowUpBound(t *testing.T) {
	s := schemas(t, "playhouse")["playhouse"].snap
	for left, want := range map[int]bool{30000: true, 2600: true, 1000: false, 0: false} {
		if got := grammar.FollowsWithin(left, "number of plays by genre", "in 2024", s); got != want {
			t.Errorf("with %d steps left a follow-up is understood: %v", left, got)
		}
	}
}

// TestInterpret_HostileColumns shows columns in cents, of names with parentheses, dots and SQL.
func TestInterpret_HostileColumns(t *testing.T) {
	db := pgtest.NewDatabase(t, `CREATE TABLE bills (id integer PRIMARY KEY, title text NOT NULL UNIQUE, "fee (cents)" integer);
		CREATE TABLE tolls (id integer PRIMARY KEY, title text NOT NULL UNIQUE, ". levy FROM v--" integer);
		COMMENT ON COLUMN tolls.". levy FROM v--" IS 'in cents';
		CREATE TABLE spots (id integer PRIMARY KEY, name text NOT NULL UNIQUE, place text NOT NULL, size integer NOT NULL);
		CREATE VIEW v AS SELECT 1 AS id, 'x'::text AS title, 666 AS ". levy FROM v--";
		INSERT INTO bills VALUES (1, 'Rent', 250), (2, 'Heat', 100);
		INSERT INTO tolls VALUES (1, 'Bridge', 300);
		INSERT INTO spots VALUES (1, 'Dune', 'Sylt', 3), (2, 'Cove', 'Sylt', 2), (3, 'Reef', 'Juist', 1)`)
	url := pgtest.Shared(t).Primary.URL(pgtest.Superuser, db)
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	s := snapshot(t, func(database string) string { return pgtest.Shared(t).Primary.URL(pgtest.Superuser, database) }, db, pgtest.Superuser)
	for question, want := range map[string]string{
		"fee of Rent":                   "2.5",
		"title and fee of bills":        "Heat 1,Rent 2.5",
		"total fee of bills":            "3.5",
		"levy of Bridge":                "3",
		"title and levy of the tolls":   "Bridge 3",
		"top 2 spots by size per place": "Juist Reef 1,Sylt Cove 2,Sylt Dune 3",
	} {
		list, err := grammar.Interpret(question, "", s, grammar.Options{Now: now})
		if err != nil {
			if want != "" {
				t.Errorf("%q: %v", question, err)
			}
			continue
		}
		rows, err := conn.Query(t.Context(), list[0].SQL)
		if err != nil {
			t.Errorf("%q: %s: %v", question, list[0].SQL, err)
			continue
		}
		got, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (string, error) {
			values, err := row.Values()
			var text []string
			for _, v := range values {
				if n, ok := v.(pgtype.Numeric); ok {
					f, _ := n.Float64Value()
					v = f.Float64
				}
				text = append(text, fmt.Sprint(v))
			}
			return strings.Join(text, " "), err
		})
		slices.Sort(got)
		if err != nil || strings.Join(got, ",") != want {
			t.Errorf("%q: %s: %v, %v; want %s", question, list[0].SQL, got, err, want)
		}
	}
}
