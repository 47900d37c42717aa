package catalog_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"askpg/catalog"
	"askpg/internal/pgtest"
)

const ledger = `
create table customers (id int primary key, name text, "Region" text);
create table orders (id int primary key, customer_id int references customers, payer_id int references customers, status text, ordered date, entered date);
create table lines (order_id int references orders, quantity int, unit_price numeric, cost numeric);
create table audit (id int, who text);
comment on table orders is E'what was bought\naskpg:synonyms purchases, sales\naskpg:time ordered';
comment on column lines.cost is 'askpg:unit EUR';
`

const semantics = `
[[table]]
name = "public.orders"
filter = "status <> 'cancelled'"
[[table]]
name = "audit"
hidden = true
[[table]]
name = "nowhere"
[[column]]
name = "customers.Region"
synonyms = ["territory"]
values = { "S" = "south", "N" = "north" }
description = "where the customer lives"
[[measure]]
name = "revenue"
synonyms = ["turnover"]
table = "lines"
expression = "sum(quantity * lines.unit_price)"
filter = "orders.status = 'sent'"
[[measure]]
name = "entries"
table = "orders"
expression = "count(*)"
time = "entered"
[[term]]
name = "late orders"
table = "orders"
condition = "entered > ordered and customers.name <> ''"
[[term]]
name = "order year"
table = "orders"
expression = "extract(year from ordered)"
[[measure]]
name = "margin"
table = "lines"
expression = "sum(unit_price - cost) filter (where extract(year from orders.ordered) > 2000 and 'é' < orders.status)"
[[query]]
names = ["orders per day", "days"]
sql = "WITH d AS (SELECT ordered, count(*) FROM orders GROUP BY 1) SELECT avg(count) AS per_day FROM d"
[[query]]
names = ["cost"]
sql = "SELECT sum(l.cost) AS cost FROM lines l"
[[join]]
from = "orders.customer_id"
to = "customers.id"
[[measure]]
name = "elsewhere"
database = "other"
table = "none"
expression = "count(*)"
`

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestCatalog_Semantics(t *testing.T) {
	database := pgtest.NewDatabase(t, ledger)
	role := newRole(t, database, "reader")
	primary(t, database, "grant select on customers, orders to "+role+"; grant select (order_id, quantity, unit_price) on lines to "+role)
	cfg := settings()
	cfg.Semantics = filepath.Join(t.TempDir(), "semantics.toml")
	writeFile(t, cfg.Semantics, semantics)
	c := newCatalog(t, cfg)
	s := snapshot(t, c, database, pgtest.Superuser)

	orders, customers := s.Lookup("public", "orders"), s.Lookup("public", "customers")
	if orders.Comment != "what was bought" || !slices.Equal(orders.Synonyms, []string{"purchases", "sales"}) || orders.Time != orders.Column("ordered") {
		t.Errorf("comment of orders: %q, %q, %v", orders.Comment, orders.Synonyms, orders.Time)
	}
	alias := func(r *catalog.Relation) string { return strings.ToUpper(r.Name.Name[:1]) }
	if got := orders.Filter(alias); got != `O."status" <> 'cancelled'` {
		t.Errorf("filter of orders: %q", got)
	}
	if c := customers.Column("Region"); !slices.Equal(c.Labels, []catalog.Label{{Value: "N", Text: "north"}, {Value: "S", Text: "south"}}) || !slices.Equal(c.Synonyms, []string{"territory"}) || c.Comment != "where the customer lives" {
		t.Errorf("Region: %+v", c)
	}
	if c := s.Lookup("public", "lines").Column("cost"); c.Unit != "EUR" || c.Comment != "" {
		t.Errorf("cost: %+v", c)
	}
	if s.Lookup("public", "audit") != nil {
		t.Error("a hidden table is in the snapshot")
	}
	if len(s.Measures) != 3 || s.Measures[1].Time != orders.Column("entered") {
		t.Fatalf("measures %+v", s.Measures)
	}
	m := s.Measures[0]
	if got, want := m.Expression(alias), `sum(L."quantity" * L."unit_price")`; got != want {
		t.Errorf("expression %s, want %s", got, want)
	}
	if got, want := m.Filter(alias), `O."status" = 'sent'`; got != want || !slices.Equal(m.Relations, []*catalog.Relation{m.Relation, orders}) {
		t.Errorf("filter %s over %v, want %s", got, m.Relations, want)
	}
	if got, want := s.Measures[2].Expression(alias), `sum(L."unit_price" - L."cost") filter (where extract(year from O."ordered") > 2000 and 'é' < O."status")`; got != want {
		t.Errorf("expression %s, want %s", got, want)
	}
	if len(s.Terms) != 2 || s.Terms[0].Filter(alias) != `O."entered" > O."ordered" and C."name" <> ''` || len(s.Terms[0].Relations) != 2 ||
		s.Terms[1].Expression(alias) != `extract(year from O."ordered")` {
		t.Errorf("terms %+v", s.Terms)
	}
	if len(s.Queries) != 2 || !slices.Equal(s.Queries[0].Names, []string{"orders per day", "days"}) || !slices.Equal(s.Queries[0].Relations, []*catalog.Relation{orders}) {
		t.Errorf("queries %+v", s.Queries)
	}
	path, ambiguous := s.Path(orders, customers)
	if len(path) != 1 || path[0].Key.FromCols[0].Name != "customer_id" || ambiguous {
		t.Errorf("path %+v, ambiguous %v", path, ambiguous)
	}
	if got := fmt.Sprint(s.Problems); !strings.Contains(got, `table nowhere: role "postgres" can read no table "nowhere"`) || len(s.Problems) != 1 {
		t.Errorf("problems: %s", got)
	}
	if ms := s.Search("turnover by territory", 3); len(ms) < 2 || !slices.Contains(names(ms), "customers.Region") {
		t.Errorf("search: %v", names(ms))
	}

	// A role that may not read a part of a measure does not have it.
	if other := snapshot(t, c, database, role); len(other.Measures) != 2 || other.Measures[0].Name != "revenue" || len(other.Queries) != 1 {
		t.Errorf("measures of %s: %+v", role, other.Measures)
	}

	// A changed file counts at once, a broken one not at all.
	writeFile(t, cfg.Semantics, "[[table]]\nname = 'orders'\nsynonyms = ['deals']\n")
	s = snapshot(t, c, database, pgtest.Superuser)
	if got := s.Lookup("public", "orders").Synonyms; !slices.Contains(got, "deals") || s.Lookup("public", "audit") == nil {
		t.Errorf("after a change of the file: %v", got)
	}
	writeFile(t, cfg.Semantics, "[[table]]\nnome = 'orders'\n")
	_ = os.Chtimes(cfg.Semantics, time.Now(), time.Now().Add(time.Minute))
	if next := snapshot(t, c, database, pgtest.Superuser); !slices.Contains(next.Lookup("public", "orders").Synonyms, "deals") {
		t.Error("a broken file took the place of a good one")
	}
	if err := cfg.Validate(); err == nil || !strings.Contains(err.Error(), "nome") {
		t.Errorf("validation of a broken file: %v", err)
	}
}

// A query of the semantics file that could show what is private is not shown, and nor is such an example.
func TestCatalog_SemanticsQueries(t *testing.T) {
	database := pgtest.NewDatabase(t, "create table a (id int, pin_token text, note text); create table b (id int, note text)")
	cfg := settings()
	cfg.Semantics = filepath.Join(t.TempDir(), "semantics.toml")
	for sql, shown := range map[string]bool{
		"SELECT count(*) FROM a WHERE note = 'x'":                                       true,
		"SELECT b.note AS n FROM b JOIN a USING (id) ORDER BY n":                        true,
		"SELECT count(*) FROM (SELECT id FROM b) x (i) WHERE i = 1":                     true,
		"SELECT count(*) FROM a WHERE pin_token = 'x'":                                  false,
		"SELECT pin_token AS pin_token FROM a":                                          false,
		"SELECT b.note AS pin_token FROM b, a WHERE a.pin_token = 'x'":                  false,
		"SELECT count(*) FROM (SELECT * FROM a) x (p, q, r) WHERE q = 'x'":              false,
		"SELECT count(*) FROM a JOIN (SELECT 'x' AS pin_token) x USING (pin_token)":     false,
		"SELECT count(*) FROM public.a, nowhere":                                        false,
		"SELECT nothing FROM b":                                                         false,
		"SELECT count(*) FROM b WHERE b::text LIKE '%x%'":                               true,
		"SELECT count(*) FROM a WHERE a::text LIKE '%x%'":                               false,
		"SELECT count(*) FROM (SELECT * FROM a) s WHERE s::text LIKE '%x%'":             false,
		"WITH w AS (SELECT * FROM a) SELECT count(*) FROM w WHERE w = row(1, 'x', 'y')": false,
		"WITH w (p, q, r) AS (SELECT * FROM a) SELECT count(*) FROM w WHERE q = 'x'":    false,
		"SELECT (SELECT count(*) FROM a WHERE lower(pin_token) LIKE 'x%') AS n FROM b":  false,
	} {
		writeFile(t, cfg.Semantics, "[[query]]\nnames = ['q']\nsql = \"\"\"\n"+sql+"\"\"\"\n")
		s := snapshot(t, newCatalog(t, cfg), database, pgtest.Superuser)
		if got := len(s.Queries) == 1; got != shown || got == (len(s.Problems) > 0) {
			t.Errorf("%s: %d queries, problems %v", sql, len(s.Queries), s.Problems)
		}
		if got := s.TellsPrivate(sql, []string{"public"}); got == shown && sql != "SELECT nothing FROM b" {
			t.Errorf("%s: tells what is private: %v", sql, got)
		}
	}
	s := snapshot(t, newCatalog(t, cfg), database, pgtest.Superuser)
	for _, sql := range []string{"SELECT FROM WHERE", "SELECT 1; SELECT 2", "DELETE FROM b", "SELECT * FROM pg_catalog.pg_stats"} {
		if !s.TellsPrivate(sql, []string{"public"}) {
			t.Errorf("%s is taken for one that tells nothing private", sql)
		}
	}
}

func TestCheckSemantics_Refuses(t *testing.T) {
	for text, want := range map[string]string{
		"[[tables]]\nname = 'a'":                                                    "unknown key",
		"[[table]]\nsynonyms = ['a']":                                               "no name",
		"[[table]]\nname = 'a'\nfilter = 'x ='":                                     "filter",
		"[[measure]]\nname = 'm'\ntable = 'a'\nexpression = 'sum('":                 "expression",
		"[[measure]]\nname = 'm'\ntable = 'a'\nexpression = 'sum(a); drop table b'": "expression",
		"[[measure]]\nname = 'm'\ntable = 'a'\nexpression = '(select 1)'":           "subquery",
		"[[measure]]\nname = 'm'\ntable = 'a'\nexpression = 'a) from b where (c'":   "expression",
		"[[measure]]\nname = 'm'\ntable = 'a'":                                      "needs name, table and expression",
		"[[term]]\nname = 't'\ntable = 'a'":                                         "either condition or expression",
		"[[term]]\nname = 't'\ntable = 'a'\ncondition = 'b'\nexpression = 'c'":      "either condition or expression",
		"[[term]]\nname = 't'\ntable = 'a'\ncondition = 'b in (select 1)'":          "subquery",
		"[[query]]\nnames = ['q']\nsql = 'delete from a'":                           "one SELECT",
		"[[query]]\nsql = 'select 1'":                                               "needs names",
		"[[column]]\nname = 'a'":                                                    "table.column",
		"[[join]]\nfrom = 'a.b'\nto = 'c.d, e'":                                     "as many columns",
	} {
		if err := catalog.CheckSemantics(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
