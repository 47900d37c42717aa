package catalog_test

import (
	"fmt"
	"strings"
	"testing"

	"askpg/catalog"
	"askpg/internal/pgtest"
)

// codeTables has three tables of codes: one names the columns, the comment of one does, and columns' comments name one. Two are none.
const codeTables = `
create type mood as enum ('glad', 'sad');
create table orders (nr int primary key, ost smallint, pay char(2), kind text);
create table codes (field text, code text, meaning text);
insert into codes values ('PAY', 'CA', 'cash'), ('PAY', 'CC', 'credit card'), ('KIND', 'R', 'rush'), ('KIND', 'N', 'normal');
create table keyed (tab char(3), code smallint, txt text, primary key (tab, code));
comment on table keyed is 'OST orders.ost, BST boxes.state';
insert into keyed values ('OST', 1, 'entered'), ('OST', 2, 'shipped'), ('BST', 1, 'full'), ('BST', 2, 'empty');
create table lookup (domain text, code text, descr text);
insert into lookup values ('BILL_ST', 'V', 'void'), ('BILL_ST', 'P', 'paid'), ('BILL_TP', 'N', 'normal'), ('BILL_TP', 'L', repeat('ж', 60));
create table bills (nr int, st text, tp text, md text, dm text, dk text);
comment on column bills.st is 'lookup domain BILL_ST';
comment on column bills.tp is 'see Lookup, BILL_TP';
comment on column bills.dm is 'lookup domain = BILL_TP';
comment on column bills.dk is 'lookup domain=BILL_TP, N=new';
comment on column bills.md is 'BILL_ST or BILL_TP of lookup';
create table boxes (nr int, state smallint);
comment on column boxes.state is '1 = packed';
create table notes (topic text, nr int, body text);
insert into notes values ('KIND', 1, 'a note'), ('weather', 2, 'rain'), ('lunch', 3, 'soup');
create table twice (field text, code text, meaning text);
create table mixed (day date, yes boolean, size int, mood mood, rest text);
insert into codes values ('DAY', 'x', 'no day'), ('YES', 'Y', 'yes'), ('SIZE', 'XL', 'large'), ('SIZE', '1', 'small'), ('MOOD', 'glad', 'happy'), ('MOOD', 'up', 'high'),
	('REST', 'R', repeat('long ', 200000)), ('REST', repeat('R', 200000), 'short');
insert into twice values ('NR', '1', 'one'), ('NR', '1', 'another'), ('BODY', '2', 'two');
`

// labels lists what a snapshot says that codes stand for.
func labels(s *catalog.Snapshot) string {
	var out []string
	for _, r := range s.Relations {
		for _, c := range r.Columns {
			for _, l := range c.Labels {
				out = append(out, fmt.Sprintf("%s.%s %s %s", r.Name.Name, c.Name, l.Value, l.Text))
			}
		}
	}
	return strings.Join(out, ", ")
}

func TestCodeTables(t *testing.T) {
	database := pgtest.NewDatabase(t, codeTables)
	pgtest.CatchUp(t)
	sixty := strings.Repeat("ж", 60) // of 120 bytes
	want := "bills.st P paid, bills.st V void, bills.tp L " + sixty + ", bills.tp N normal, bills.dm L " + sixty + ", bills.dm N normal, orders.ost 1 entered, orders.ost 2 shipped, orders.pay CA cash, orders.pay CC credit card, orders.kind N normal, orders.kind R rush"
	if got := labels(snapshot(t, newCatalog(t, settings()), database, pgtest.Superuser)); got != want {
		t.Errorf("labels are %s,\nwant %s", got, want)
	}
	cfg := settings()
	cfg.Values = false
	if got := labels(snapshot(t, newCatalog(t, cfg), database, pgtest.Superuser)); got != "" {
		t.Errorf("rows are read although values are not to be: %s", got)
	}
	other := newRole(t, database, "other")
	primary(t, database, "create table spoof (field text, code text, meaning text); insert into spoof values ('NR', '1', 'spoof'), ('TOPIC', 'KIND', 'spoof'); alter table spoof owner to "+other+"; do $$ begin for i in 100..140 loop execute format('create table a%s_codes (field text, code text, meaning text)', i); execute format('alter table a%s_codes owner to "+other+"', i); end loop; end $$")
	if got := labels(snapshot(t, newCatalog(t, settings()), database, pgtest.Superuser)); got != want {
		t.Errorf("with another role's table labels are %s,\nwant %s", got, want)
	}
	role := newRole(t, database, "clerk")
	primary(t, database, "grant select on orders, codes, mixed to "+role)
	if got := labels(snapshot(t, newCatalog(t, settings()), database, role)); strings.Contains(got, "shipped") || !strings.Contains(got, "rush") {
		t.Errorf("a role that may not read one of the tables sees %s", got)
	}
}

// TestCodeTables_CalledSoFirst has more tables of the form of a code table than are read.
func TestCodeTables_CalledSoFirst(t *testing.T) {
	database := pgtest.NewDatabase(t, codeTables+`
do $$ begin for i in 1..40 loop execute format('create table a%s (field text, topic text, body text)', i); end loop; end $$`)
	pgtest.CatchUp(t)
	if got := labels(snapshot(t, newCatalog(t, settings()), database, pgtest.Superuser)); !strings.Contains(got, "orders.pay CA cash") {
		t.Errorf("labels are %s: the table called codes is not among those that are read", got)
	}
}

// TestPackedDates has numbers that are days, some that are none, and one whose name does not say so.
func TestPackedDates(t *testing.T) {
	database := pgtest.NewDatabase(t, `create table deeds (nr int primary key, inv_dt int, due_dat int not null, end_dt int, odd_dt int, plot int, fal int);
		comment on column deeds.fal is 'due on, yyyymmdd';
		insert into deeds select i, 20240101 + i, case when i % 5 = 0 then 0 else 20240201 + i end, null, 1000 + i, 20240101 + i, 20240301 + i from generate_series(1, 20) i`)
	pgtest.CatchUp(t)
	s := snapshot(t, newCatalog(t, settings()), database, pgtest.Superuser)
	var got []string
	for _, c := range s.Lookup("public", "deeds").Columns {
		if c.Packed && c.Class == catalog.Date {
			got = append(got, c.Name)
		}
		if c.Name == "due_dat" && (c.NotNull || c.Profile.Max != "2024-02-20") {
			t.Errorf("due_dat holds 0 for no day, and days up to %s", c.Profile.Max)
		}
	}
	if strings.Join(got, " ") != "inv_dt due_dat fal" {
		t.Errorf("days are in %v", got)
	}
}
