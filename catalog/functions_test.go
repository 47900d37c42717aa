package catalog_test

import (
	"slices"
	"testing"

	"askpg/catalog"
	"askpg/internal/pgtest"
)

// Of the functions that users made a snapshot has those that its role may call
// and that are admitted, and a question finds those that it speaks of.
func TestCatalog_Functions(t *testing.T) {
	database := pgtest.NewDatabase(t, `create schema tax; create schema other; create schema closed;
		create function tax.net_amount(gross numeric, rate numeric default 0.19) returns numeric language sql immutable as 'select $1 / (1 + $2)';
		comment on function tax.net_amount is 'amount without value added tax';
		create function tax.months(since date) returns table (month date, total numeric) language sql stable as 'select current_date, 1.0';
		create function tax.owners() returns int language sql stable as 'select 1'; revoke execute on function tax.owners() from public;
		create aggregate tax.product(numeric) (sfunc = numeric_mul, stype = numeric);
		create function tax.notify() returns trigger language plpgsql as 'begin return new; end';
		create procedure tax.close_month() language sql as 'select 1';
		create function other.net_amount() returns int language sql as 'select 1';
		create function closed.net_amount() returns int language sql immutable as 'select 1'`)
	role := newRole(t, database, "caller")
	primary(t, database, "grant usage on schema tax, other to "+role)
	c := newCatalog(t, settings())
	c.Admit(func(f *catalog.Function) bool { return f.Volatile != 'v' })
	list := func(s *catalog.Snapshot) (out []string) {
		for _, f := range s.Functions {
			out = append(out, f.Schema+"."+f.Name.Name+"("+f.Arguments+") "+f.Result)
		}
		return out
	}
	s := snapshot(t, c, database, role)
	if want := []string{"tax.months(since date) TABLE(month date, total numeric)", "tax.net_amount(gross numeric, rate numeric DEFAULT 0.19) numeric", "tax.product(numeric) numeric"}; !slices.Equal(list(s), want) {
		t.Fatalf("functions %q, want %q", list(s), want)
	}
	found := s.SearchFunctions("what is the net amount of each invoice per month", 1)
	if len(found) != 1 || found[0].Name.Name != "net_amount" || found[0].Comment != "amount without value added tax" {
		t.Fatalf("found %+v", found)
	}
	if found := s.SearchFunctions("which customers live in Bern", 3); len(found) != 0 {
		t.Fatalf("found %+v", found)
	}
	primary(t, database, "grant execute on function tax.owners() to "+role+"; drop function tax.months(date)")
	next := snapshot(t, c, database, role)
	if want := []string{"tax.net_amount(gross numeric, rate numeric DEFAULT 0.19) numeric", "tax.owners() integer", "tax.product(numeric) numeric"}; !slices.Equal(list(next), want) || next.Version == s.Version {
		t.Fatalf("functions %q, want %q", list(next), want)
	}
	if s := snapshot(t, newCatalog(t, settings()), database, role); len(s.Functions) > 0 {
		t.Fatalf("functions without anybody's leave: %q", list(s))
	}
}

// A column says by which collation it compares, if it is not the database's.
func TestCatalog_Collations(t *testing.T) {
	database := pgtest.NewDatabase(t, `create collation any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
		create table t (a text collate any_case, b text, c text collate "C", d name, e int)`)
	s := snapshot(t, newCatalog(t, settings()), database, pgtest.Superuser)
	r := s.Lookup("public", "t")
	if c := r.Column("a").Collation; c == nil || c.Name.Name != "any_case" || !c.Loose || c.Locale != "und-u-ks-level2" {
		t.Errorf("a has collation %+v", c)
	}
	if c := r.Column("c").Collation; c == nil || c.Name.Name != "C" || c.Loose {
		t.Errorf("c has collation %+v", c)
	}
	for _, name := range []string{"b", "d", "e"} {
		if c := r.Column(name).Collation; c != nil {
			t.Errorf("%s has collation %+v", name, c)
		}
	}
	if len(s.Collations) != 1 || s.Collations[0].Name.Name != "any_case" {
		t.Errorf("collations %+v", s.Collations)
	}
}
