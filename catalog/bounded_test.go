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

// TestCatalog_LargeDefinitions leaves definitions out that would take minutes to write out: a role's own view must
// not keep the catalog from others.
func TestCatalog_LargeDefinitions(t *testing.T) {
	database := pgtest.NewDatabase(t, `create table towns (name text);
		create view names as select name from towns;
		do $$ declare
			columns text := (select string_agg(format('c%s int', i), ',') from generate_series(1, 1500) i);
			joins text := 'wide w0';
			long text := (select string_agg(md5(i::text), '') from generate_series(1, 5000) i);
		begin
			execute format('create table wide (%s)', columns);
			for i in 1..8 loop joins := format('(%s cross join wide w%s) as j%s', joins, i, i); end loop;
			execute 'create view joined as select 1 as a from ' || joins;
			execute format('create view long as select name, %L::text as a from towns', long);
			execute format('create table checked (a text check (a <> %L))', long);
			execute format('create domain word as text check (value <> %L)', long);
			execute format('create function first(a text default %L) returns text language sql as ''select a''', long);
		end $$;
		create table words (a word);`)
	s := snapshot(t, newCatalog(t, settings()), database, pgtest.Superuser)
	for _, name := range []string{"joined", "long"} {
		if v := s.Lookup("public", name); v == nil || v.Definition != "" || v.Shared() || !v.Closed {
			t.Errorf("%s: %+v; want a closed view without a definition, not shared", name, v)
		}
	}
	if v := s.Lookup("public", "names"); v == nil || v.Definition == "" || v.Closed {
		t.Errorf("names: %+v; want its definition", v)
	}
	for _, name := range []string{"checked", "words"} {
		if r := s.Lookup("public", name); r == nil || len(r.Checks) > 0 && r.Checks[0] != "" {
			t.Errorf("%s: want it without its long check", name)
		}
	}
}
