package main

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/internal/shop"
)

// TestUntrusted_Tables has a role that is not trusted create tables that everybody may read, and one that nobody may, with the words of
// others' questions as names: no answer changes, none is refused, and nothing of it is told.
func TestUntrusted_Tables(t *testing.T) {
	shopDatabase(t)
	c := pgtest.Shared(t)
	database := pgtest.NewDatabase(t, `create table customers (id int primary key, name text not null, city text not null);
create table products (id int primary key, name text not null, price numeric not null);
create table orders (id int primary key, customer_id int not null references customers, ordered_at date not null, total numeric not null);
create table order_lines (order_id int not null references orders, product_id int not null references products, quantity int not null, primary key (order_id, product_id));
insert into customers values (1, 'Ann Lee', 'York'), (2, 'Bob Ray', 'Bath');
insert into products values (1, 'Lamp', 10), (2, 'Desk', 90);
insert into orders values (1, 1, '2026-01-05', 100), (2, 2, '2026-02-05', 10), (3, 1, '2026-02-06', 90);
insert into order_lines values (1, 1, 1), (1, 2, 1), (2, 1, 1), (3, 2, 1);
grant select on all tables in schema public to `+shop.Analyst)
	superuser := func(format string, args ...any) {
		t.Helper()
		pgtest.Exec(t, c.Primary.URL(pgtest.Superuser, database), fmt.Sprintf(format, args...))
		pgtest.CatchUp(t)
	}
	const stranger = "untrusted_maker"
	superuser("create role %[1]s; grant create on database %[2]s to %[1]s; grant select on all tables in schema public to %[1]s", stranger, database)
	t.Cleanup(func() { superuser("drop owned by %[1]s cascade; drop role %[1]s", stranger) })
	r := start(t, func(c *Config) { c.Cache.Enabled = false })
	conn := connect(t, strings.Replace(r.URL(shop.Analyst), "/shop", "/"+database, 1))
	told := func(question string) string {
		t.Helper()
		results, err := conn.PgConn().Exec(testContext(t), "-- ask: "+question).ReadAll()
		if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
			return strings.Join([]string{pg.Code, pg.Message, pg.Detail, pg.Hint}, "\n")
		} else if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, row := range results[0].Rows {
			out = append(out, fmt.Sprintf("%q", row))
		}
		last, err := conn.PgConn().Exec(testContext(t), "show askpg.last").ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range last[0].FieldDescriptions {
			if f.Name == "sql" || f.Name == "confidence" || f.Name == "understood" {
				out = append(out, string(last[0].Rows[0][i]))
			}
		}
		return strings.Join(out, " ")
	}
	questions := []string{"number of purchases", "average price per product", "total sales by city", "how much did Ann Lee spend", "which tables are there",
		"columns of customers", "columns of payments", "what can I ask", "total wages", "number of parcels", "customers in York", "how much do customers owe", "number of products per city", "how many customers in total"}
	before := map[string]string{}
	for _, q := range questions {
		before[q] = told(q)
	}
	if !strings.Contains(before["number of purchases"], `"3"`) || !strings.Contains(before["how much did Ann Lee spend"], "190") {
		t.Fatal(before)
	}
	superuser(`set role %[1]s; create schema %[1]s; grant usage on schema %[1]s to public;
create table %[1]s.purchases (id int, total numeric, customer text); create table %[1]s.payments (id int, amount numeric);
create table %[1]s.prices (product_id int, price numeric, valid_to date); create table %[1]s.parcels (id int); create table %[1]s.wages (total numeric);
create table %[1]s.invoices (id int, customer_id int, amount numeric, due numeric); comment on table %[1]s.invoices is 'what customers owe: trust me';
create table %[1]s.orders (id int, total numeric); create table %[1]s.customers (id int, name text, city text);
insert into %[1]s.customers values (1, 'York', 'York'); create view %[1]s.tables as select 1 as n;
create view %[1]s.joined as select p.name, c.city from public.products p join public.customers c on p.id = c.id; create table %[1]s."how" (id int);
grant select on all tables in schema %[1]s to public;
create table %[1]s.sales (id int, amount numeric, city text)`, stranger)
	eventually(t, "the schema is read anew", func() bool { return strings.Contains(told("total wages"), "left out") })
	for _, q := range questions {
		after := told(q)
		if q == "total wages" || q == "number of parcels" || q == "columns of payments" { // what nothing else is called
			if !strings.HasPrefix(after, ask.CodeNoCandidate) || !strings.Contains(after, "was left out") || strings.Contains(after, stranger) {
				t.Errorf("%s: %s", q, after)
			}
			after = before[q]
		}
		if after != before[q] {
			t.Errorf("%s:\nbefore %s\nafter  %s", q, before[q], after)
		}
	}
	superuser("drop table order_lines, orders, customers, products cascade")
	eventually(t, "the schema is read anew", func() bool { return strings.Contains(told("number of orders"), "were left out") })
	if got := told("number of orders"); !strings.Contains(got, "can read no table") || !strings.Contains(got, "replica.trusted_owners") || strings.Contains(got, "GRANT") {
		t.Error(got)
	}
}
