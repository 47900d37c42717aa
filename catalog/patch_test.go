package catalog_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"askpg/catalog"
	"askpg/internal/pgtest"
)

// ddl is a schema that random statements change. What it remembers of its
// objects may be wrong: a statement that fails changes nothing. No rows change,
// as those are not looked for.
type ddl struct {
	rnd   *rand.Rand
	names []string // of relations that were there
	roles []string
	next  int
}

func (d *ddl) pick(list ...string) string { return list[d.rnd.IntN(len(list))] }
func (d *ddl) name() string               { return d.pick(d.names...) }
func (d *ddl) role() string               { return d.pick(append(d.roles, "public")...) }

func (d *ddl) fresh(prefix string) string {
	d.next++
	return fmt.Sprintf("%s%d", prefix, d.next)
}

// statement returns a random change. Relations are given columns of few names,
// so that most statements find theirs.
func (d *ddl) statement() string {
	col := d.pick("id", "name", "state", "town", "amount")
	switch d.rnd.IntN(30) {
	case 0, 1:
		t := d.pick("a", "b") + "." + d.fresh("t")
		d.names = append(d.names, t)
		return fmt.Sprintf("create table %s (id int primary key, name text, state mood, town place, amount numeric(%d, 2) check (amount > 0))", t, 5+d.rnd.IntN(5))
	case 2:
		v := d.pick("a", "b") + "." + d.fresh("v")
		d.names = append(d.names, v)
		return fmt.Sprintf("create view %s as select id, name, state, amount from %s where name <> current_setting('x', true) or state = 'sad'", v, d.name())
	case 3:
		v := d.pick("a", "b") + "." + d.fresh("c")
		d.names = append(d.names, v)
		return fmt.Sprintf("create view %s as select count(*) as id from %s", v, d.name())
	case 4:
		return fmt.Sprintf("drop table %s %s", d.name(), d.pick("", "cascade"))
	case 5:
		t := d.name()
		schema, _, _ := strings.Cut(t, ".")
		name := d.fresh("r")
		d.names = append(d.names, schema+"."+name)
		return fmt.Sprintf("alter table %s rename to %s", t, name)
	case 6:
		return fmt.Sprintf("alter table %s rename column %s to %s", d.name(), col, d.fresh("renamed"))
	case 7:
		return fmt.Sprintf("alter table %s rename column %s to %s", d.name(), d.fresh("renamed"), col)
	case 8:
		return fmt.Sprintf("alter table %s alter column %s", d.name(), d.pick("amount type text using null", "amount type bigint using null", "name type varchar(20)", "town type text", "id type bigint"))
	case 9:
		return fmt.Sprintf("alter table %s drop column %s %s", d.name(), col, d.pick("", "cascade"))
	case 10:
		return fmt.Sprintf("alter table %s add column %s %s", d.name(), d.pick(col, d.fresh("extra")), d.pick("int", "text", "mood", `text collate "C"`, "int generated always as identity", "text check (length(id::text) < 9)"))
	case 11:
		return fmt.Sprintf("alter table %s alter column %s %s not null", d.name(), col, d.pick("set", "drop"))
	case 12, 13:
		return fmt.Sprintf("grant select on %s to %s", d.name(), d.role())
	case 14:
		return fmt.Sprintf("revoke all on %s from %s", d.name(), d.role())
	case 15:
		return fmt.Sprintf("grant select (%s) on %s to %s", col, d.name(), d.role())
	case 16:
		return fmt.Sprintf("revoke select (%s) on %s from %s", col, d.name(), d.role())
	case 17:
		return fmt.Sprintf("comment on table %s is %s", d.name(), d.pick("null", "'words'", "E'words\\naskpg:synonyms things, stuff'", "'askpg:hidden'"))
	case 18:
		return fmt.Sprintf("comment on column %s.%s is %s", d.name(), col, d.pick("null", "'words'", "'askpg:private'", "'askpg:hidden'", "'askpg:unit EUR'"))
	case 19:
		return fmt.Sprintf("alter table %s add constraint %s foreign key (%s) references %s", d.name(), d.fresh("k"), d.pick("id", "amount"), d.name())
	case 20:
		return fmt.Sprintf("alter table %s add constraint %s %s", d.name(), d.pick("u", "w"), d.pick("unique (name)", "check (name in ('x', 'y'))", "check (amount <> 3 and same(id) = 4)"))
	case 21:
		return fmt.Sprintf("alter table %s drop constraint %s cascade", d.name(), d.pick("u", "w", fmt.Sprintf("k%d", d.rnd.IntN(d.next+1))))
	case 22:
		p := fmt.Sprint(d.rnd.IntN(9))
		return d.pick("create table a.p"+p+" partition of a.parts for values in ("+p+")", "alter table a.parts detach partition a.p"+p,
			"alter table a.parts attach partition a.p"+p+" for values in ("+p+")", "drop table a.p"+p, "grant select on a.p"+p+" to "+d.role(), "alter table a.parts add column "+d.fresh("part")+" int")
	case 23:
		i := d.rnd.IntN(len(d.roles) - 1)
		return d.pick("grant ", "revoke ") + d.roles[i] + d.pick(" to ", " from ") + d.roles[i+1]
	case 24:
		// Not of a view: what it shows depends on its owner's rights.
		return fmt.Sprintf("alter table %s owner to %s", d.pick("a.t0", "a.parts", "b.child", "a.t"+fmt.Sprint(d.rnd.IntN(d.next+1))), d.pick(d.roles...))
	case 25:
		return fmt.Sprintf("alter table %s %s row level security", d.name(), d.pick("enable", "disable"))
	case 26:
		return d.pick("grant usage on schema ", "revoke usage on schema ") + d.pick("a", "b") + d.pick(" to ", " from ") + d.role()
	case 27:
		return d.pick("alter type mood add value '"+d.fresh("m")+"'", "alter type mood rename value 'sad' to 'blue'", "alter type mood rename value 'blue' to 'sad'",
			"alter domain place add check (value <> '"+d.fresh("nowhere")+"')", "alter domain place set not null", "alter domain place drop not null", "alter type mood set schema b", "alter type b.mood set schema public")
	case 28:
		return d.pick("create function a."+d.fresh("f")+"(n int) returns int language sql as 'select 1'", "alter function same(int) rename to other", "alter function other(int) rename to same",
			"comment on function a.f1(int) is 'one'", "revoke execute on function same(int) from public", "grant execute on function same(int) to "+d.role(), "drop function a.f"+fmt.Sprint(d.rnd.IntN(d.next+1)))
	default:
		return d.pick("create or replace view a.w as select id, name from "+d.name(), "create index "+d.fresh("i")+" on "+d.name()+" (name)", "create unique index on "+d.name()+" (name, id)",
			"alter table "+d.name()+" set schema "+d.pick("a", "b"), "refresh materialized view a.m", "create temp table "+d.fresh("tmp")+" (a int primary key)", "vacuum full "+d.name(), "analyze")
	}
}

// After any change the catalog that follows it has what one has that reads
// everything anew: the same metadata, and the same snapshot for every role.
func TestCatalog_PatchEqualsLoad(t *testing.T) {
	database := pgtest.NewDatabase(t, `create schema a; create schema b;
		create type mood as enum ('sad', 'glad'); create domain place as text check (value in ('here', 'there'));
		create function same(int) returns int language sql immutable as 'select $1';
		create table a.t0 (id int primary key, name text, state mood, town place, amount numeric(9, 2) check (amount > 0 and same(id) > 0));
		create table a.parts (id int, name text) partition by list (id);
		create table a.base (id int, name text); create table b.child (check (id < 9)) inherits (a.base);
		create materialized view a.m as select id, name from a.t0; create view a.w as select id, name from a.t0; create view b.over as select name as label from a.w;
		insert into a.t0 values (1, 'one', 'sad', 'here', 3); insert into a.base values (7, 'seven');`)
	d := &ddl{rnd: rand.New(rand.NewPCG(11, 12)), names: []string{"a.t0", "a.parts", "a.base", "b.child", "a.m", "a.w", "b.over"}}
	for i := range 3 {
		d.roles = append(d.roles, newRole(t, database, fmt.Sprintf("p%d", i)))
	}
	follows := newCatalog(t, settings())
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, pgtest.Shared(t).Primary.URL(pgtest.Superuser, database))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)

	asked := append([]string{pgtest.Superuser}, d.roles...)
	applied := 0
	for round := range 60 {
		var script []string
		for range 1 + d.rnd.IntN(6) {
			sql := d.statement()
			if _, err := conn.Exec(ctx, sql); err == nil {
				script = append(script, sql)
			}
		}
		applied += len(script)
		pgtest.CatchUp(t)
		fresh := newCatalog(t, settings())
		for _, role := range asked {
			got, want := snapshot(t, follows, database, role), snapshot(t, fresh, database, role)
			if diff := catalog.DifferentMetadata(follows, fresh, database); diff != "" {
				t.Fatalf("round %d, after\n%s\nthe metadatas differ in %s", round, strings.Join(script, ";\n"), diff)
			}
			compare(t, catalog.Dump(got), catalog.Dump(want), fmt.Sprintf("round %d, role %s, after\n%s", round, role, strings.Join(script, ";\n")))
		}
		fresh.Close()
	}
	if applied < 80 {
		t.Errorf("only %d statements could be run", applied)
	}
}

func compare(t *testing.T, got, want []string, when string) {
	t.Helper()
	for _, line := range got {
		if _, ok := slices.BinarySearch(want, line); !ok {
			t.Errorf("%s\nonly in the followed snapshot: %s", when, line)
		}
	}
	for _, line := range want {
		if _, ok := slices.BinarySearch(got, line); !ok {
			t.Errorf("%s\nonly in the new snapshot: %s", when, line)
		}
	}
	if t.Failed() {
		t.FailNow()
	}
}
