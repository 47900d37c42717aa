package catalog_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"askpg/internal/pgtest"
)

// Names that need quotes come through, so that SQL made of them runs, and
// values are read of them all.
func TestCatalog_QuotedNames(t *testing.T) {
	odd := []string{`select`, `Mixed Case`, `with"quote`, `dot.ted`, `ünïcode 漢字`, `back\slash`, `semi;colon`, ` lead`, `new` + "\n" + `line`, `%s`, `user`, strings.Repeat("x", 63), `a'b`, `$1`}
	var b strings.Builder
	quote := func(parts ...string) string { return pgx.Identifier(parts).Sanitize() }
	for i, n := range odd {
		fmt.Fprintf(&b, "create schema %s; create table %s (%s text primary key, %s int);\n", quote(n+"_"[:i%2]), quote(n+"_"[:i%2], n), quote(n), quote("n"+fmt.Sprint(i)))
		fmt.Fprintf(&b, "insert into %s values ('value%d', %d); comment on column %s is 'it''s %%';\n", quote(n+"_"[:i%2], n), i, i, quote(n+"_"[:i%2], n, n))
	}
	for _, statistics := range []string{"", "analyze"} {
		database := pgtest.NewDatabase(t, b.String()+statistics)
		s := snapshot(t, newCatalog(t, settings()), database, pgtest.Superuser)
		if len(s.Relations) != len(odd) {
			t.Fatalf("%d relations, want %d", len(s.Relations), len(odd))
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		conn, err := pgx.Connect(ctx, pgtest.Shared(t).Standby.URL(pgtest.Superuser, database))
		if err != nil {
			t.Fatal(err)
		}
		for i, n := range odd {
			hits := s.Values.Find(fmt.Sprintf("where is value%d", i))
			if len(hits) != 1 || hits[0].Column.Name != n || hits[0].Column.Relation.Name.Name != n {
				t.Fatalf("value%d: %+v, want it in %q", i, hits, n)
			}
			c := hits[0].Column
			var got int
			sql := fmt.Sprintf("select %s from %s where %s = $1", quote("n"+fmt.Sprint(i)), quote(c.Relation.Schema, c.Relation.Name.Name), quote(c.Name))
			if err := conn.QueryRow(ctx, sql, hits[0].Value).Scan(&got); err != nil || got != i {
				t.Errorf("%s: %d, %v", sql, got, err)
			}
			if c.Profile == nil || c.Comment != "it's %" {
				t.Errorf("%q: profile %v, comment %q", n, c.Profile, c.Comment)
			}
		}
		_ = conn.Close(ctx)
		cancel()
	}
}

// Tables of one name in two schemas are two tables.
func TestCatalog_SameNames(t *testing.T) {
	database := pgtest.NewDatabase(t, `create schema a; create schema b;
		create table a.orders (id int primary key, x text); create table b.orders (id int primary key, y text);
		create table a.lines (order_id int references a.orders); create table b.lines (order_id int references b.orders);
		insert into b.orders values (1, 'needle'); analyze`)
	s := snapshot(t, newCatalog(t, settings()), database, pgtest.Superuser)
	if s.Lookup("a", "orders").Column("x") == nil || s.Lookup("b", "orders").Column("y") == nil || s.Lookup("public", "orders") != nil {
		t.Fatal("the two tables are mixed up")
	}
	if h := s.Values.Find("needle"); len(h) != 1 || h[0].Column.Relation != s.Lookup("b", "orders") {
		t.Fatalf("hits %+v", h)
	}
	path, ambiguous := s.Path(s.Lookup("b", "lines"), s.Lookup("b", "orders"))
	if len(path) != 1 || ambiguous || path[0].Key.To.Schema != "b" {
		t.Fatalf("path %+v", path)
	}
	if p, _ := s.Path(s.Lookup("a", "lines"), s.Lookup("b", "orders")); p != nil {
		t.Fatalf("a path across schemas: %+v", p)
	}
}
