package catalog_test

import (
	"slices"
	"testing"

	"askpg/catalog"
	"askpg/internal/pgtest"
)

const sales = `
create table tblcustomers (cust_id int primary key, "fullName" text, dob date);
create table orders (id int primary key, cust_id int references tblcustomers, qty int, unitprice numeric);
comment on column orders.unitprice is 'what one piece sells for, without VAT';
create table cars (id int primary key, mpg float, colour text);
insert into cars values (1, 20, 'bordeaux');
create table papers (pid int primary key, title text);
create table people (hid int primary key, surname text);
create table wrote (pid int references papers, hid int references people);
create table archive_log (entry text, secret_note text);
create table payroll (salary int);
`

func TestSnapshot_Search(t *testing.T) {
	database := pgtest.NewDatabase(t, sales)
	role := newRole(t, database, "reader")
	primary(t, database, "grant select on all tables in schema public to "+role+"; revoke all on payroll from "+role+
		"; revoke all on archive_log from "+role+"; grant select (entry) on archive_log to "+role)
	s := snapshot(t, newCatalog(t, settings()), database, role)
	for _, c := range []struct{ text, want string }{
		{"the customer's full name", "tblcustomers.fullName"},
		{"how old are they", "tblcustomers.dob"},
		{"quantity ordered", "orders.qty"},
		{"price of one piece", "orders.unitprice"},
		{"miles per gallon", "cars.mpg"},
		{"bordeaux ones", "cars.colour"},
		{"surnames", "people.surname"},
		{"prise", "orders.unitprice"},
	} {
		if found := names(s.Search(c.text, 10)); len(found) == 0 || found[0] != c.want {
			t.Errorf("%q finds %v first, want %s", c.text, found, c.want)
		}
	}
	for _, text := range []string{"salary in the payroll", "secret note", ""} {
		for _, c := range s.Search(text, 100) {
			if c.Name == "salary" || c.Name == "secret_note" {
				t.Errorf("%q finds %s, which the role may not read", text, c.Name)
			}
		}
	}

	var rels []string
	for _, m := range s.SearchRelations("which people have papers", 3) {
		rels = append(rels, m.Relation.Name.Name)
	}
	slices.Sort(rels)
	if want := []string{"papers", "people", "wrote"}; !slices.Equal(rels, want) {
		t.Errorf("relations %v, want %v", rels, want)
	}
	if got := s.Search("customer", 1); len(got) != 1 {
		t.Errorf("%d matches with a limit of 1", len(got))
	}
	if got := s.SearchRelations("", 5); len(got) != 0 {
		t.Errorf("an empty text finds %v", got)
	}
}

func names(columns []*catalog.Column) []string {
	var out []string
	for _, c := range columns {
		out = append(out, c.Relation.Name.Name+"."+c.Name)
	}
	return out
}
