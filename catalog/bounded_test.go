package catalog_test

import (
	"testing"

	"askpg/internal/pgtest"
)

// TestCatalog_LongTexts reads of comments and definitions no more than a length: a
// role's own table must not keep the catalog from others.
func TestCatalog_LongTexts(t *testing.T) {
	database := pgtest.NewDatabase(t, `create table towns (name text);
		do $$ begin execute format('comment on table towns is %L', repeat('x', 40000000)); end $$;
		create table rivers (name text check (name <> repeat('x', 3)));
		do $$ begin execute format('create view many as select %s as a', repeat('1 + ', 1000) || length(repeat('x', 3)) || ' + ' || quote_literal(repeat('y', 200000)) || '::text::int'); end $$;`)
	s := snapshot(t, newCatalog(t, settings()), database, pgtest.Superuser)
	towns, many := s.Lookup("public", "towns"), s.Lookup("public", "many")
	if towns == nil || len(towns.Comment) != 2000 {
		t.Errorf("towns: %+v", towns)
	}
	if many == nil || len(many.Definition) > 100000 {
		t.Errorf("many: %v", many == nil)
	}
}
