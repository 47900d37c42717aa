package catalog_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"askpg/catalog"
	"askpg/internal/pgtest"
)

func implied(t *testing.T, script string) []string {
	t.Helper()
	database := pgtest.NewDatabase(t, script)
	s := snapshot(t, newCatalog(t, settings()), database, pgtest.Superuser)
	var got []string
	for _, k := range s.ForeignKeys {
		if k.Implied {
			got = append(got, k.From.Name.Name+"."+joinedNames(k.FromCols)+">"+k.To.Name.Name+"."+joinedNames(k.ToCols)+map[bool]string{true: "?"}[k.Guess])
		}
	}
	slices.Sort(got)
	return got
}

func joinedNames(columns []*catalog.Column) string {
	var names []string
	for _, c := range columns {
		names = append(names, c.Name)
	}
	return strings.Join(names, ",")
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
// TestSnapshot_CommentedKeys finds keys by what comments call their values.
func TestSnapshot_CommentedKeys(t *testing.T) {
	const script = `
		create table parm1 (parno int primary key, nm text);
		comment on table parm1 is 'parish master';
		create table clrgy (clno int primary key, nm text, supno int);
		comment on column clrgy.supno is 'clno of the dean';
		create table bapt (bno int primary key, plc int, wit int, cnt int);
		comment on column bapt.plc is 'parish';
		comment on column bapt.wit is 'parish or clergy';
		comment on column bapt.cnt is 'parish, how many came';
		insert into parm1 select 5000 + i, 'p' || i from generate_series(1, 40) i;
		insert into clrgy select 700 + i, 'c' || i, 701 + i % 3 from generate_series(1, 20) i;
		insert into bapt select i, 5001 + i % 40, 5001 + i % 7, 5001 + i % 9 from generate_series(1, 90) i;`
	want := []string{"bapt.plc>parm1.parno", "clrgy.supno>clrgy.clno"}
	if got := implied(t, script); !slices.Equal(got, want) {
		t.Errorf("implied joins %q, want %q", got, want)
	}
}

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

// A view of a table's owner says what codes stand for; a stranger's view, groups, an order and private columns do not, nor what
// is no value of a column: rounded, or of a WITH that has the table's name.
func TestSnapshot_ViewLabels(t *testing.T) {
	const script = `
		create table fees (id int primary key, state int, kind text, level int, secret_token text, code varchar(2), price numeric, rest int, size text, tone text, grade int);
		create view told as select f.id, case f.state when 1 then 'open' when 2 then 'paid' end as state,
			case when f.level = 1 then 'low' when f.level = 2 then 'low' else 'high' end as level,
			case f.secret_token when 'a' then 'one' when 'b' then 'two' end as token from fees f;
		create materialized view kept as select case code when 'A' then 'adult' when 'C' then 'child' end as code from fees;
		create view rounded as select case price::int when 1 then 'cheap' when 2 then 'dear' end as price from fees;
		create view rests as with fees as (select id % 3 as rest from fees), named as (select case rest when 1 then 'one' when 2 then 'two' end as rest from fees)
			select rest from (select case rest when 1 then 'one' when 2 then 'two' end as rest from fees) r union all select rest from named;
		create view ordered as select case size when 'S' then 1 when 'L' then 2 end as rank, case tone when 'red' then 'Red' when 'b' then 'blue' end as tone from fees;
		create view graded as select case grade when 1 then 'good' when 2 then 'bad' end as grade_secret from fees;
		create view lies as select f.id, case f.kind when 'A' then 'adult' when 'C' then 'child' end as kind from fees f;`
	database := pgtest.NewDatabase(t, script)
	primary(t, database, "alter view lies owner to "+newRole(t, database, "stranger"))
	fees := snapshot(t, newCatalog(t, settings()), database, pgtest.Superuser).Lookup("public", "fees")
	want := map[string][]catalog.Label{"state": {{Value: "1", Text: "open"}, {Value: "2", Text: "paid"}}, "code": {{Value: "A", Text: "adult"}, {Value: "C", Text: "child"}}}
	for _, c := range fees.Columns {
		if !slices.Equal(c.Labels, want[c.Name]) {
			t.Errorf("%s: labels %v, want %v", c.Name, c.Labels, want[c.Name])
		}
	}
}

// What a view says is known to roles that may read the view, and only while it says so: snapshots share the tables.
func TestSnapshot_ViewLabelsAreNotShared(t *testing.T) {
	database := pgtest.NewDatabase(t, "create table fees (id int primary key, state int); create table other (id int primary key)")
	reader, stranger := newRole(t, database, "reader"), newRole(t, database, "stranger")
	primary(t, database, "grant select on fees, other to "+reader+", "+stranger)
	c := newCatalog(t, settings())
	labels := func(role string) string {
		return fmt.Sprint(snapshot(t, c, database, role).Lookup("public", "fees").Column("state").Labels)
	}
	before := snapshot(t, c, database, reader)
	view := func(paid string) string {
		return "create or replace view told as select id, case state when 1 then 'open' when 2 then '" + paid + "' end as state from fees"
	}
	for _, step := range []struct{ ddl, reader, stranger string }{
		{view("paid") + "; grant select on told to " + reader, "[{1 open} {2 paid}]", "[]"},
		{view("settled"), "[{1 open} {2 settled}]", "[]"},
		{"alter table other add column a int", "[{1 open} {2 settled}]", "[]"},
		{"drop view told", "[]", "[]"},
	} {
		primary(t, database, step.ddl)
		if got := labels(reader); got != step.reader {
			t.Errorf("%s: labels %s, want %s", step.ddl, got, step.reader)
		}
		if got := labels(stranger); got != step.stranger {
			t.Errorf("%s: a role that may not read the view has labels %s", step.ddl, got)
		}
	}
	if got := before.Lookup("public", "fees").Column("state").Labels; len(got) > 0 {
		t.Errorf("a snapshot of before the view has labels %v", got)
	}
}

// Pairs of columns that were taken for keys wrongly, and keys that were missing.
func TestSnapshot_ImpliedCases(t *testing.T) {
	cases := map[string][]struct {
		key   string // or the column alone, that refers to nothing
		found bool
	}{
		"university": {
			{"course.num_semesters", false}, {"course.num_reviews", false}, {"course_tags_count.cares_for_students", false},
			{"instructor.instructor_id", false}, {"course_offering.section_number", false}, {"comment_instructor.score", false},
			{"course_offering.semester>semester.semester_id", true},
			{"student.predicted_graduation_semester>semester.semester_id", true},
		},
		"desk": {
			{"coupons.cid", false}, {"checkin.cid", false}, {"accounts.seats", false}, {"ticket_replies.minutes", false},
			{"tickets.assignee_id>employees.id", true}, {"refunds.approved_by>employees.id", true}, {"accounts.parent_id>accounts.id", true},
			{"accounts.country>countries.name", true}, {"events.session_uid>sessions.uid", true},
		},
		"insurance": {
			{"policy_coverage_detail.insurable_object_identifier", false}, {"claim.insurable_object_identifier", false},
			{"agreement_party_role.agreement_identifier>policy.policy_identifier", true},
			{"premium.policy_amount_identifier>policy_amount.policy_amount_identifier", true},
		},
		"trade": {
			{"invhdr.cust_nm", false}, {"ordhdr.cust_nm", false}, {"orddtl.itm_desc", false}, {"ordhdr.stat", false},
			{"ordhdr.rep_no>empmst.emp_no", true}, {"empmst.mgr_no>empmst.emp_no", true}, {"shpdtl.ord_no,ln_no>orddtl.ord_no,ln_no", true},
		},
	}
	for name, keys := range cases {
		t.Run(name, func(t *testing.T) {
			script, err := os.ReadFile("testdata/keys/" + name + ".sql")
			if err != nil {
				t.Fatal(err)
			}
			got := implied(t, string(script)+";analyze;")
			for _, k := range keys {
				if found := slices.ContainsFunc(got, func(g string) bool { return g == k.key || strings.HasPrefix(g, k.key+">") }); found != k.found {
					t.Errorf("%s: found %v, want %v", k.key, found, k.found)
				}
			}
		})
	}
}

// What chance may explain is a guess, and only where nothing else joins two
// tables and no other key has the values.
func TestSnapshot_GuessedJoins(t *testing.T) {
	const script = `
		create table gauges (gauge_no int primary key, label text);
		create table readings (id bigint primary key, site_no int, level numeric(6, 2));
		insert into gauges select i, 'g' from generate_series(1, 30) i;
		insert into readings select 1000 + i, i % 30 + 1, 1 from generate_series(1, 400) i;`
	for _, c := range []struct {
		name, more string
		want       []string
	}{
		{"Alone", "", []string{"readings.site_no>gauges.gauge_no?"}},
		{"AnotherKeyHasThem", "create table pumps (pump_no int primary key); insert into pumps select generate_series(1, 40);", nil},
		{"JoinedByAnother", `create table sites (gauge_no int references gauges, reading_id bigint references readings);
			insert into sites select i % 30 + 1, 1000 + i from generate_series(1, 90) i;`, nil},
		{"NotThere", "update readings set site_no = site_no + 5;", nil},
		{"Telling", "update gauges set gauge_no = 90000 + gauge_no * 37; update readings set site_no = 90000 + site_no * 37;", []string{"readings.site_no>gauges.gauge_no"}},
		{"TellingByDomain", `create domain gauge as int; alter table gauges alter gauge_no type gauge; alter table readings alter site_no type gauge;
			update gauges set gauge_no = 90000 + gauge_no; update readings set site_no = 90000 + site_no;`, []string{"readings.site_no>gauges.gauge_no"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := implied(t, script+c.more+"analyze;"); !slices.Equal(got, c.want) {
				t.Fatalf("got %q, want %q", got, c.want)
			}
		})
	}
}

// A private column refers to nothing, and nothing to it: its values are not
// compared with any.
func TestSnapshot_ImpliedPrivate(t *testing.T) {
	const script = `
		create table members (member_no int primary key, label text);
		create table visits (member_no int, guest_no int, day date);
		insert into members select 7000 + i * 13, 'm' from generate_series(1, 50) i;
		insert into visits select 7000 + (i % 50 + 1) * 13, 7000 + (i % 50 + 1) * 13, '2024-01-01' from generate_series(1, 300) i;`
	for _, c := range []struct {
		name, more string
		want       []string
	}{
		{"Open", "", []string{"visits.guest_no>members.member_no", "visits.member_no>members.member_no"}},
		{"TargetPrivate", "comment on column members.member_no is 'askpg:private';", nil},
		{"ColumnPrivate", "comment on column visits.member_no is 'askpg:private';", []string{"visits.guest_no>members.member_no"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := implied(t, script+c.more+"analyze;"); !slices.Equal(got, c.want) {
				t.Fatalf("got %q, want %q", got, c.want)
			}
		})
	}
}

// Between schemas small numbers join only what can be meant by nothing else.
func TestSnapshot_ImpliedAcrossSchemas(t *testing.T) {
	const script = `
		create schema crm; create schema old; create schema sales;
		create table crm.customers (id int primary key); create table crm.agents (id int primary key); create table old.agents (id int primary key);
		create table sales.orders (id bigint primary key, customer_id int, agent_id int, num_customers int);
		insert into crm.customers select generate_series(1, 40); insert into crm.agents select generate_series(1, 20); insert into old.agents select generate_series(1, 20);
		insert into sales.orders select 1000 + i, i % 40 + 1, i % 20 + 1, i % 5 + 1 from generate_series(1, 300) i;
		analyze;`
	if got, want := implied(t, script), []string{"orders.customer_id>customers.id"}; !slices.Equal(got, want) {
		t.Fatalf("got %q, want %q", got, want)
	}
}
