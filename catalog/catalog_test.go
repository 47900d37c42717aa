package catalog_test

import (
	"slices"
	"strings"
	"testing"

	"askpg/catalog"
	"askpg/internal/pgtest"
)

const shop = `
create type status as enum ('new', 'paid', 'sent');
create domain colour as text check (value in ('red', 'green'));
create table customers (
	id int primary key,
	name text not null,
	email text unique,
	city text,
	note text
);
comment on table customers is 'people who buy';
comment on column customers.email is 'askpg:private address';
comment on column customers.city is 'where they live';
create table orders (
	id int, ordered date not null, customer_id int not null references customers,
	status status not null default 'new',
	channel text check (channel in ('web', 'phone', 'shop floor')),
	total numeric(10, 2),
	primary key (id, ordered)
) partition by range (ordered);
create table orders_2025 partition of orders for values from ('2025-01-01') to ('2026-01-01');
create table orders_2026 partition of orders for values from ('2026-01-01') to ('2027-01-01');
create table items (order_id int, ordered date, line int, shade colour, "Qty" int,
	primary key (order_id, line), foreign key (order_id, ordered) references orders);
create view paid as select id, status, total from orders where status = 'paid';
create materialized view per_city as select city, count(*) as n from customers group by city;
create materialized view empty as select 1 as a with no data;
create unlogged table scratch (a int);
create table secret (a int);
create table tenants (id int, name text);
alter table tenants enable row level security;
insert into customers select i, (array['Ann','Bob','Zoë'])[i % 3 + 1] || i, 'p' || i || '@example.org',
	(array['New York','York','São Paulo','Springfield'])[i % 4 + 1], null from generate_series(1, 500) i;
insert into orders select i, date '2025-06-01' + i, i % 500 + 1, (array['new','paid','sent'])[i % 3 + 1]::status, 'web', i
	from generate_series(1, 400) i;
analyze;
`

func newShop(t *testing.T) (database, role string) {
	t.Helper()
	database = pgtest.NewDatabase(t, shop)
	role = newRole(t, database, "reader")
	primary(t, database, `grant select on customers, orders, items, paid, per_city, empty, scratch, tenants to `+role)
	return database, role
}

func TestCatalog_Snapshot(t *testing.T) {
	database, role := newShop(t)
	s := snapshot(t, newCatalog(t, settings()), database, role)

	var names []string
	for _, r := range s.Relations {
		names = append(names, r.Name.Name)
	}
	if want := []string{"customers", "items", "orders", "paid", "per_city", "tenants"}; !slices.Equal(names, want) {
		t.Fatalf("relations %v, want %v", names, want)
	}
	if want := []catalog.Name{{Schema: "public", Name: "secret"}}; !slices.Equal(s.Denied, want) {
		t.Fatalf("denied %v, want %v", s.Denied, want)
	}
	if want := []catalog.Name{{Schema: "public", Name: "empty"}, {Schema: "public", Name: "scratch"}}; !slices.Equal(s.Unusable, want) {
		t.Fatalf("unusable %v, want %v", s.Unusable, want)
	}

	customers := s.Lookup("public", "customers")
	if customers.Comment != "people who buy" || customers.Rows != 500 || customers.Kind != catalog.Table {
		t.Fatalf("customers: %+v", customers)
	}
	if k := customers.PrimaryKey; len(k) != 1 || k[0].Name != "id" || !k[0].Unique || k[0].Class != catalog.Number {
		t.Fatalf("primary key of customers: %v", k)
	}
	email := customers.Column("email")
	if !email.Private || !email.Unique || email.Profile == nil || email.Profile.Common != nil || email.Profile.Min != "" {
		t.Fatalf("email is private: %+v %+v", email, email.Profile)
	}
	if city := customers.Column("city"); city.Comment != "where they live" || city.Profile.Distinct != 4 || len(city.Profile.Common) != 4 {
		t.Fatalf("city: %+v %+v", city, city.Profile)
	}
	if id := customers.Column("id"); id.Profile.Distinct != 500 || id.Profile.Min != "1" || id.Profile.Max != "500" {
		t.Fatalf("id: %+v", id.Profile)
	}
	if p := customers.Column("note").Profile; p.NullFrac != 1 {
		t.Fatalf("note: %+v", p)
	}

	orders := s.Lookup("public", "orders")
	if orders.Kind != catalog.PartitionedTable || orders.Rows != 400 {
		t.Fatalf("orders: kind %c, %v rows; want p, 400", orders.Kind, orders.Rows)
	}
	if got := orders.Column("channel").Allowed; !slices.Equal(got, []string{"web", "phone", "shop floor"}) {
		t.Fatalf("values allowed for channel: %q", got)
	}
	if c := orders.Column("status"); c.Class != catalog.Enum || !slices.Equal(c.Enum, []string{"new", "paid", "sent"}) || c.Type != "public.status" {
		t.Fatalf("status: %+v", c)
	}
	if c := orders.Column("total"); c.Type != "numeric(10,2)" || c.Profile == nil {
		t.Fatalf("total: %+v", c)
	}
	if c := s.Lookup("public", "items").Column("shade"); c.Class != catalog.Text || !slices.Equal(c.Allowed, []string{"red", "green"}) {
		t.Fatalf("shade: %+v", c)
	}
	if len(s.ForeignKeys) != 2 {
		t.Fatalf("%d foreign keys, want 2: %+v", len(s.ForeignKeys), s.ForeignKeys)
	}
	if k := s.ForeignKeys[0]; k.From.Name.Name != "items" || k.To != orders || len(k.FromCols) != 2 || k.ToCols[1].Name != "ordered" {
		t.Fatalf("foreign key %+v", k)
	}
	if d := s.Lookup("public", "paid").Definition; !strings.Contains(d, "status = 'paid'") {
		t.Fatalf("definition of paid: %q", d)
	}
	if r := s.Lookup("public", "tenants"); !r.RowSecure || r.Columns[1].Profile != nil {
		t.Fatalf("tenants: %+v", r)
	}
	if s.Lookup("public", "orders_2025") != nil || s.Lookup("public", "secret") != nil {
		t.Fatal("a partition or a denied relation is in the snapshot")
	}
}

func TestCatalog_ColumnPrivileges(t *testing.T) {
	database := pgtest.NewDatabase(t, shop+`create schema hidden; create table hidden.t (a int);
		create view contacts as select name, email, lower(email) as mail, city as town from customers;`)
	role := newRole(t, database, "clerk")
	primary(t, database, `grant select (id, name) on customers to `+role+`;
		grant select (id, customer_id) on orders to `+role+`; grant select on hidden.t, contacts to `+role)
	s := snapshot(t, newCatalog(t, settings()), database, role)
	var got []string
	for _, r := range s.Relations {
		for _, c := range r.Columns {
			got = append(got, r.Name.Name+"."+c.Name)
		}
	}
	want := []string{"contacts.name", "contacts.email", "contacts.mail", "contacts.town", "customers.id", "customers.name", "orders.id", "orders.customer_id"}
	if !slices.Equal(got, want) {
		t.Fatalf("columns %v, want %v", got, want)
	}
	if len(s.ForeignKeys) != 1 || s.ForeignKeys[0].To.Name.Name != "customers" {
		t.Fatalf("foreign keys %+v", s.ForeignKeys)
	}
	if orders := s.Lookup("public", "orders"); orders.PrimaryKey != nil || orders.Checks != nil {
		t.Fatalf("key or check over columns that are not readable: %+v", orders)
	}
	if denied := s.Lookup("public", "customers").Denied; !slices.Contains(denied, "email") || slices.Contains(denied, "name") {
		t.Fatalf("denied columns of customers: %v", denied)
	}
	contacts := s.Lookup("public", "contacts")
	for _, c := range contacts.Columns {
		if want := c.Name != "name"; c.Private != want {
			t.Errorf("contacts.%s private %v, want %v", c.Name, c.Private, want)
		}
	}
	if !slices.Contains(s.Denied, catalog.Name{Schema: "hidden", Name: "t"}) {
		t.Fatalf("a table in a schema without USAGE is not among the denied: %v", s.Denied)
	}
}

func TestCatalog_Changes(t *testing.T) {
	database, role := newShop(t)
	other := newRole(t, database, "grantor")
	c := newCatalog(t, settings())
	last := snapshot(t, c, database, role)
	if again := snapshot(t, c, database, role); again != last {
		t.Fatal("a snapshot was read anew without a change")
	}
	primary(t, database, "insert into customers values (1000, 'Eve'); analyze customers; create table unseen (a int); drop table unseen")
	if s := snapshot(t, c, database, role); s.Version != last.Version {
		t.Fatal("the version changed with data that the role cannot tell from before")
	}
	for _, ddl := range []string{
		"alter table customers add column age int",
		"alter table customers rename column age to years",
		"alter table customers drop column years",
		"alter table customers alter column note set not null",
		"comment on table items is 'lines'",
		"comment on column items.line is 'number of the line'",
		"revoke select on paid from " + role,
		"grant select (a) on secret to " + role,
		"alter type status add value 'lost'",
		"create table fresh (a int); grant select on fresh to public",
		"drop table fresh",
		"alter table items rename to lines",
		"create or replace view per_status as select 1 as a; grant select on per_status to " + role,
		"create or replace view per_status as select 2 as a",
		"grant select on paid to " + other + "; grant " + other + " to " + role,
		"revoke " + other + " from " + role,
		"alter table customers add check (id > 0)",
		"alter table orders drop constraint orders_customer_id_fkey",
		"alter table lines enable row level security",
		"create schema moved; grant usage on schema moved to public; alter table customers set schema moved",
	} {
		primary(t, database, strings.ReplaceAll(ddl, "set not null", "set default ''; update customers set note = ''; alter table customers alter column note set not null"))
		s := snapshot(t, c, database, role)
		if s.Version == last.Version {
			t.Fatalf("not noticed: %s", ddl)
		}
		last = s
	}
}

func TestConfig_Validate(t *testing.T) {
	for name, change := range map[string]func(*catalog.Config){
		"load_timeout":  func(c *catalog.Config) { c.LoadTimeout = 0 },
		"max_snapshots": func(c *catalog.Config) { c.MaxSnapshots = 0 },
		"private":       func(c *catalog.Config) { c.Private = []string{"[a"} },
		"freshness":     func(c *catalog.Config) { c.Freshness = -1 },
	} {
		cfg := catalog.DefaultConfig()
		if err := cfg.Validate(); err != nil {
			t.Fatal(err)
		}
		change(&cfg)
		if err := cfg.Validate(); err == nil || !strings.Contains(err.Error(), "catalog."+name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What is read of relations without statistics holds no value of a private column.
func TestCatalog_PrivateSamples(t *testing.T) {
	database := pgtest.NewDatabase(t, `create table wages (id int, wage int, bonus text);
		insert into wages select i, 1000 + i, 'bonus ' || i % 3 from generate_series(1, 100) i;
		create view paid_out as select * from wages;
		comment on column wages.wage is 'askpg:private'; comment on column wages.bonus is 'askpg:private';
		comment on column paid_out.wage is 'askpg:private'; comment on column paid_out.bonus is 'askpg:private'`)
	role := newRole(t, database, "reader")
	primary(t, database, "grant select on wages, paid_out to "+role)
	s := snapshot(t, newCatalog(t, settings()), database, role)
	for _, name := range []string{"wages", "paid_out"} {
		r := s.Lookup("public", name)
		if p := r.Column("id").Profile; r.Kind == catalog.Table && (p == nil || p.Min != "1" || p.Max != "100") {
			t.Errorf("%s.id: %+v; want it sampled", name, p)
		}
		for _, column := range []string{"wage", "bonus"} {
			c := r.Column(column)
			if p := c.Profile; !c.Private || p != nil && (p.Min != "" || p.Max != "" || p.Common != nil) {
				t.Errorf("%s.%s is private: %+v, %+v", name, column, c, p)
			}
			if v := s.Values.Of(c); len(v) != 0 {
				t.Errorf("%s.%s: values %q", name, column, v)
			}
		}
	}
}
