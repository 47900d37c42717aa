package catalog_test

import (
	"slices"
	"testing"

	"askpg/internal/pgtest"
)

func implied(t *testing.T, script string) []string {
	t.Helper()
	database := pgtest.NewDatabase(t, script)
	s := snapshot(t, newCatalog(t, settings()), database, pgtest.Superuser)
	var got []string
	for _, k := range s.ForeignKeys {
		if k.Implied {
			got = append(got, k.From.Name.Name+"."+k.FromCols[0].Name+">"+k.To.Name.Name+"."+k.ToCols[0].Name)
		}
	}
	slices.Sort(got)
	return got
}

func TestSnapshot_ImpliedJoins(t *testing.T) {
	const script = `
		create table authors (aid int, name text);
		create table papers (pid int, title text, year int);
		create table wrote (aid int, pid int, year int);
		create table customers (id int primary key, name text);
		create table orders (id int primary key, customer_id int, billing_customer_id int, total int);
		create table refunds (id int primary key, order_id int references orders, customer_id int);
		create table airports (airportcode text primary key, name text);
		create table flights (flightno int, sourceairport text, status text);
		create table strangers (customer_id int, name text);
		create table empty (customer_id int, aid int);
		insert into authors select i, 'a' || i from generate_series(1, 50) i;
		insert into papers select i, 'p' || i, 2000 + i % 20 from generate_series(1, 70) i;
		insert into wrote select i % 50 + 1, i % 70 + 1, 2000 from generate_series(1, 200) i;
		insert into customers select i, 'c' || i from generate_series(1, 30) i;
		insert into orders select i, i % 30 + 1, i % 10 + 1, i from generate_series(1, 100) i;
		insert into refunds select i, i, i % 7 + 1 from generate_series(1, 10) i;
		insert into airports select 'X' || i, 'n' from generate_series(1, 10) i;
		insert into flights select i, 'X' || (i % 10 + 1), 'ok' from generate_series(1, 40) i;
		insert into strangers select i * 1000, 'c' || i from generate_series(1, 30) i;`
	want := []string{
		"empty.customer_id>customers.id", // nothing in it speaks against its name
		"flights.sourceairport>airports.airportcode",
		"orders.billing_customer_id>customers.id",
		"orders.customer_id>customers.id",
		"refunds.customer_id>customers.id",
		"wrote.aid>authors.aid",
		"wrote.pid>papers.pid",
	}
	for name, analyze := range map[string]string{"Analyzed": "analyze", "NoStatistics": ""} {
		t.Run(name, func(t *testing.T) {
			if got := implied(t, script+analyze); !slices.Equal(got, want) {
				t.Fatalf("got  %q\nwant %q", got, want)
			}
		})
	}
}

// Columns that begin with their table's abbreviation.
func TestSnapshot_AbbreviatedKeys(t *testing.T) {
	const script = `
		create table sbCustomer (sbCustId varchar(20) primary key, sbCustName text, sbCustPostalId text);
		create table sbTicker (sbTickerId varchar(20) primary key, sbTickerSymbol text);
		create table sbDailyPrice (sbDpTickerId varchar(20), sbDpDate date, sbDpKpId text);
		create table sbTransaction (sbTxId varchar(50) primary key, sbTxCustId varchar(20), sbTxTickerId varchar(20), sbTxType text);
		create table region (r_regionkey int primary key, r_name text);
		create table nation (n_nationkey int primary key, n_name text, n_regionkey int);
		create table orders (o_orderkey int primary key, o_total int);
		create table lineitem (l_orderkey int, l_partkey int, l_linenumber int, primary key (l_orderkey, l_linenumber));
		create table lots (lo_orderkey int, lo_size int);
		create table fare (fare_id bigint not null, cost int);
		create table flight_fare (flight_id bigint, fare_id bigint);
		insert into fare select i, 100 from generate_series(1, 10) i;
		insert into flight_fare select i, i from generate_series(1, 10) i;
		insert into sbCustomer select 'C' || i, 'n', 'T' || i from generate_series(1, 9) i;
		insert into sbTicker select 'T' || i, 's' from generate_series(1, 9) i;
		insert into sbDailyPrice select 'T' || i, '2024-01-01', 'X' || i from generate_series(1, 9) i;
		insert into sbTransaction select i, 'C' || i % 9 + 1, 'T' || i % 9 + 1, 'buy' from generate_series(1, 40) i;
		insert into region select i, 'r' from generate_series(1, 5) i;
		insert into nation select i, 'n', i % 5 + 1 from generate_series(1, 25) i;
		insert into orders select i, i from generate_series(1, 50) i;
		insert into lineitem select i, i, 1 from generate_series(1, 50) i;
		insert into lots select i * 1000, 1 from generate_series(1, 50) i;
		analyze;`
	want := []string{
		"flight_fare.fare_id>fare.fare_id",
		"lineitem.l_orderkey>orders.o_orderkey",
		"nation.n_regionkey>region.r_regionkey",
		"sbdailyprice.sbdptickerid>sbticker.sbtickerid",
		"sbtransaction.sbtxcustid>sbcustomer.sbcustid",
		"sbtransaction.sbtxtickerid>sbticker.sbtickerid",
	}
	if got := implied(t, script); !slices.Equal(got, want) {
		t.Fatalf("got  %q\nwant %q", got, want)
	}
}

// What views join by are keys, whatever the columns are called.
func TestSnapshot_ViewJoins(t *testing.T) {
	const script = `
		create table people (nr int primary key, secret_token text);
		create table visits (who int, place text, secret_token text);
		create view seen as select v.place, p.nr from visits v left join people p on p.nr = v.who;
		create view leaked as select v.place, p.nr from visits v join people p on p.secret_token = v.secret_token;
		create view mad as select v.place from visits v join people p on p.nr > v.who;
		analyze;`
	if got, want := implied(t, script), []string{"visits.who>people.nr"}; !slices.Equal(got, want) {
		t.Fatalf("got %q, want %q", got, want)
	}
}
