package catalog_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"askpg/catalog"
	"askpg/internal/pgtest"
)

// asking has views that show the role that asks something else than others, in
// every way that PostgreSQL has of asking, and views that show the same to everybody.
const asking = `
create table rows_of_all (who text, word text, at timestamptz default now());
insert into rows_of_all select 'postgres', 'word' || n % 3 from generate_series(1, 30) n;
create table guarded (word text);
insert into guarded values ('hidden');
alter table guarded enable row level security;
create policy p on guarded using (current_user = 'postgres');
create function me() returns text language sql stable as 'select current_user::text';
create function fixed() returns text language sql immutable as 'select current_user::text';
create function same(text, text) returns boolean language sql immutable as 'select $1 = current_user';
create operator === (function = same, leftarg = text, rightarg = text);

create view own_current_user as select word from rows_of_all where who = current_user;
create view own_user as select word from rows_of_all where who = user;
create view own_session_user as select word from rows_of_all where who = session_user;
create view own_current_role as select word from rows_of_all where who = current_role;
create view own_catalog as select word || current_catalog as word from rows_of_all;
create view own_schema as select word || current_schema as word from rows_of_all;
create view own_setting as select word from rows_of_all where who = current_setting('app.who', true);
create view own_schemas as select word from rows_of_all where current_schemas(true) is not null;
create view own_member as select word from rows_of_all where pg_has_role('postgres', 'member');
create view own_privilege as select word from rows_of_all where has_table_privilege('rows_of_all', 'insert');
create view own_backend as select word from rows_of_all where pg_backend_pid() > 0;
create view own_address as select word from rows_of_all where inet_client_addr() is null;
create view own_function as select word from rows_of_all where who = me();
create view own_immutable as select word from rows_of_all where who = fixed();
create view own_operator as select word from rows_of_all where who === word;
create view own_random as select word from rows_of_all where random() > 0.5;
create view own_policy as select word from guarded;
create view own_nested as select word as w from own_session_user;
create view own_subquery as select word from rows_of_all where exists (select from own_setting);
create view own_catalogs as select relname::text as word from pg_class;
create view own_information as select table_name::text as word from information_schema.tables;
create view own_tables as select word from rows_of_all where query_to_xml('select 1', true, true, '') is not null;

create view all_plain as select word from rows_of_all;
create view all_upper as select upper(word) as word from rows_of_all where who like 'p%' and length(who) > 3;
create view all_today as select word from rows_of_all where at > now() - interval '1 year' and at::date <= current_date;
create view all_grouped as select word, count(*), max(at), string_agg(who, ',' order by who) as whos from rows_of_all group by word;
create view all_windows as select word, row_number() over (partition by who order by at range between interval '1 day' preceding and current row) from rows_of_all;
create view all_nested as with recursive q as (select word from all_plain union select word from q) select q.word from q join all_grouped using (word);
create view all_cases as select coalesce(nullif(word, ''), case who when 'x' then 'y' else to_char(at, 'YYYY') end) as word, greatest(who, word), (array[word])[1] as a, row(who, word) = row(word, who) as b
	from rows_of_all where word in ('word1', 'word2') and who is not null and (at, word) > (timestamptz '2000-01-01', '') or exists (select from (values (1), (2)) v(n), generate_series(1, 2) g where g = n);
create materialized view all_kept as select word from rows_of_all where who = current_user;
`

func TestSnapshot_Shared(t *testing.T) {
	database := pgtest.NewDatabase(t, asking+"analyze")
	role := newRole(t, database, "one")
	primary(t, database, "grant select on all tables in schema public to "+role)
	s := snapshot(t, newCatalog(t, settings()), database, role)
	seen := 0
	for _, r := range s.Relations {
		want := !strings.HasPrefix(r.Name.Name, "own_") && r.Name.Name != "guarded"
		if r.Shared() != want {
			t.Errorf("%s is shared: %v, want %v", r.Name.Name, r.Shared(), want)
		}
		seen++
	}
	if seen < 30 {
		t.Errorf("only %d relations", seen)
	}
	for c, v := range s.Values.All() {
		if !c.Relation.Shared() {
			t.Errorf("the index has %q of %s", v, c.Relation.Name.Name)
		}
	}
	if !slices.Contains(s.Values.Of(s.Lookup("public", "all_upper").Column("word")), "WORD1") {
		t.Error("values of a view that shows the same to everybody are not there")
	}
}

// A change of row security, of a comment or of a function's kind far behind a
// view is seen in a snapshot that takes over what has not changed.
func TestSnapshot_SealsAnew(t *testing.T) {
	database := pgtest.NewDatabase(t, `create type pair as (a text, b text);
create table base (word text, note text, more pair); create view inner_view as select word, note || (more).b as remark from base;
create view outer_view as select upper(word) as word, remark as more from inner_view; create table other (word text); insert into base values ('a', 'b'); analyze`)
	role := newRole(t, database, "one")
	primary(t, database, "grant select on all tables in schema public to "+role)
	c := newCatalog(t, settings())
	for _, tt := range []struct {
		change         string
		shared, closed bool
	}{
		{"select 1", true, false},
		{"alter table base enable row level security", false, false},
		{"alter table base disable row level security", true, false},
		{"comment on column base.note is 'askpg:private'", false, true},
		{"comment on column base.note is null", true, false},
		{"alter type pair rename attribute a to password", false, true},
		{"alter type pair rename attribute password to a", true, false},
		{"alter type pair add attribute token text", false, true},
		{"alter type pair drop attribute token", true, false},
		{"comment on column pair.a is 'askpg:private'", false, true},
		{"comment on column pair.a is null", true, false},
		{"create or replace view inner_view as select word, note as remark from base where current_user <> ''", false, false},
		{"create or replace view inner_view as select word, note as remark from base", true, false},
	} {
		primary(t, database, tt.change)
		s := snapshot(t, c, database, role)
		for _, name := range []string{"inner_view", "outer_view"} {
			if r := s.Lookup("public", name); r.Shared() != tt.shared || r.Closed != tt.closed {
				t.Errorf("after %s: %s shared %v, closed %v; want %v, %v", tt.change, name, r.Shared(), r.Closed, tt.shared, tt.closed)
			}
		}
		if more := s.Lookup("public", "outer_view").Column("more"); more.Private != tt.closed {
			t.Errorf("after %s: a view's column is private: %v", tt.change, more.Private)
		}
		if !s.Lookup("public", "other").Shared() {
			t.Errorf("after %s: a table of its own is not shared", tt.change)
		}
	}
}

// What is private by a pattern, a comment or the file is private wherever its
// values show.
func TestSnapshot_PrivateEverywhere(t *testing.T) {
	database := pgtest.NewDatabase(t, `
create table people (id int primary key, name text, note text, salary int, label text);
comment on column people.note is 'askpg:private';
create table more (extra int) inherits (people);
create table parted (id int, note text) partition by list (id);
create table part_one partition of parted for values in (1);
comment on column part_one.note is 'askpg:private';
create table keyed (salary int unique, password text primary key);
create table referring (pw text references keyed);
create table computed (secret text, open text, twice text generated always as (secret || open) stored);
create table free (open text, twice text generated always as (open || open) stored);
create type person as (name text, password text);
create type holder as (one int, held person);
create type marked as (a int, b text);
comment on column marked.b is 'askpg:private';
create type harmless as (a int, b text);
create type span as range (subtype = person);
create domain a_person as person;
create domain persons as person[];
create table filed (label text);
create table boxed (attribute person, elements person[], domained a_person, domained_array persons, nested holder, nested_array holder[],
	by_comment marked, ranged span, multiranged span_multirange, row_by_comment people, rows_by_comment people[], row_by_file filed, row_by_key referring,
	open harmless, opens harmless[], row_open free, numbers int4range, dates datemultirange, words text[]);
create table boxes (one boxed, open int);
create view unboxed as select (b.attribute).name from boxed b;
create view built as select row('a', 'b')::person as one, 1 as two;
create view renamed as select name as note, note as name from people;
create view whole as select p, p.id from people p;
create view as_json as select to_jsonb(p) - 'note' as j from people p;
create view filtered as select name from people where salary > 3;
create view sorted as select name from people order by label;
create view joined as select name from people natural join (select 3 as salary) s;
create view counted as select count(*) from people;
create view named as select name from people;
create view statistics as select attname::text from pg_stats;
create table of_view (one renamed, two named);
create materialized view kept as select note from people;`)
	cfg := settings()
	cfg.Private = append(catalog.DefaultConfig().Private, "people.salary")
	cfg.Semantics = filepath.Join(t.TempDir(), "semantics.toml")
	writeFile(t, cfg.Semantics, "[[column]]\nname = 'people.label'\nprivate = true\n[[column]]\nname = 'filed.label'\nprivate = true\n")
	s := snapshot(t, newCatalog(t, cfg), database, pgtest.Superuser)
	var private, closed []string
	for _, r := range s.Relations {
		if r.Closed {
			closed = append(closed, r.Name.Name)
		}
		for _, c := range r.Columns {
			if c.Private && r.Kind != catalog.View && r.Kind != catalog.MaterializedView {
				private = append(private, r.Name.Name+"."+c.Name)
			}
		}
	}
	slices.Sort(private)
	slices.Sort(closed)
	wantPrivate := []string{"boxed.attribute", "boxed.by_comment", "boxed.domained", "boxed.domained_array", "boxed.elements", "boxed.multiranged",
		"boxed.nested", "boxed.nested_array", "boxed.ranged", "boxed.row_by_comment", "boxed.row_by_file", "boxed.row_by_key", "boxed.rows_by_comment", "boxes.one",
		"computed.secret", "computed.twice", "filed.label", "keyed.password", "more.label", "more.note", "more.salary", "of_view.one", "parted.note",
		"people.label", "people.note", "people.salary", "referring.pw"}
	if !slices.Equal(private, wantPrivate) {
		t.Errorf("private: %q, want %q", private, wantPrivate)
	}
	if !s.Lookup("public", "built").Column("one").Private || s.Lookup("public", "built").Column("two").Private {
		t.Error("of a view that makes a composite value not that value alone is private")
	}
	if want := []string{"as_json", "filtered", "joined", "kept", "renamed", "sorted", "statistics", "unboxed", "whole"}; !slices.Equal(closed, want) {
		t.Errorf("closed: %q, want %q", closed, want)
	}
}
