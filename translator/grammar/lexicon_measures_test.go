package grammar_test

import (
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"askpg/ask"
	"askpg/catalog"
	"askpg/eval"
	"askpg/internal/pgtest"
	"askpg/internal/shop"
	"askpg/translator/grammar"
)

const shopSemantics = `
[[table]]
name = "public.orders"
synonyms = ["purchases"]
filter = "status <> 'cancelled'"
[[table]]
name = "public.shipments"
time = "delivered_at"
[[table]]
name = "public.stores"
hidden = true
[[measure]]
name = "revenue"
synonyms = ["turnover"]
table = "public.order_items"
expression = "sum(quantity * unit_price)"
filter = "orders.status = 'delivered'"
[[measure]]
name = "deliveries"
table = "public.shipments"
expression = "count(*)"
time = "shipped_at"
[[term]]
name = "foreign web orders"
synonyms = ["exports", "tier 1 orders", "B2B orders", "30-day sales", "R&D orders"]
table = "public.orders"
condition = "store_id is null and customers.country <> 'Germany'"
[[term]]
name = "order channel"
table = "public.orders"
expression = "case when store_id is null then 'web' else 'street' end"
[[column]]
name = "public.products.supplier_id"
values = { "1" = "housebrand" }
[[measure]]
name = "average order value"
table = "public.order_items"
expression = "sum(quantity * unit_price) / count(distinct order_id)"
[[measure]]
name = "dropout rate"
table = "public.orders"
expression = "100.0 * count(*) filter (where status = 'cancelled') / count(*)"
[[measure]]
name = "spoilage"
table = "public.order_items"
expression = "100.0 * count(*) filter (where orders.status = 'cancelled') / count(*)"
[[measure]]
name = "order total"
table = "public.customers"
expression = "sum(orders.total)"
`

// TestInterpret_semantics asks for what an administrator has defined.
func TestInterpret_semantics(t *testing.T) {
	db, conn := loadShop(t)
	s := withSemantics(t, db, shopSemantics)
	if len(s.Problems) > 0 || len(s.Measures) != 6 || len(s.Terms) != 2 {
		t.Fatalf("problems %v, measures %v, terms %v", s.Problems, s.Measures, s.Terms)
	}
	const delivered = " FROM order_items i JOIN orders o ON o.id = i.order_id JOIN customers c ON c.id = o.customer_id WHERE o.status = 'delivered'"
	for _, q := range []struct{ text, gold string }{
		{"revenue", "SELECT sum(quantity * unit_price)" + delivered},
		{"what is the total revenue", "SELECT sum(quantity * unit_price)" + delivered},
		{"revenue by country", "SELECT c.country, sum(quantity * unit_price)" + delivered + " GROUP BY 1"},
		{"turnover per country", "SELECT c.country, sum(quantity * unit_price)" + delivered + " GROUP BY 1"},
		{"what is the revenue in Germany", "SELECT sum(quantity * unit_price)" + delivered + " AND c.country = 'Germany'"},
		{"revenue for each product", "SELECT p.name, sum(i.quantity * i.unit_price) FROM order_items i JOIN orders o ON o.id = i.order_id JOIN products p ON p.id = i.product_id WHERE o.status = 'delivered' GROUP BY p.id, p.name"},
		{"how many orders are there", "SELECT count(*) FROM orders WHERE status <> 'cancelled'"},
		{"how many purchases are there", "SELECT count(*) FROM orders WHERE status <> 'cancelled'"},
		{"how many exports are there", "SELECT count(*) FROM orders o JOIN customers c ON c.id = o.customer_id WHERE o.store_id IS NULL AND c.country <> 'Germany' AND o.status <> 'cancelled'"},
		{"how many tier 1 orders are there", "SELECT count(*) FROM orders o JOIN customers c ON c.id = o.customer_id WHERE o.store_id IS NULL AND c.country <> 'Germany' AND o.status <> 'cancelled'"},
		{"number of 30-day sales", "SELECT count(*) FROM orders o JOIN customers c ON c.id = o.customer_id WHERE o.store_id IS NULL AND c.country <> 'Germany' AND o.status <> 'cancelled'"},
		{"how many R&D orders do we have", "SELECT count(*) FROM orders o JOIN customers c ON c.id = o.customer_id WHERE o.store_id IS NULL AND c.country <> 'Germany' AND o.status <> 'cancelled'"},
		{"how many b2b orders were paid", "SELECT count(*) FROM orders o JOIN customers c ON c.id = o.customer_id WHERE o.store_id IS NULL AND c.country <> 'Germany' AND o.status = 'paid'"},
		{"how many foreign web orders were paid", "SELECT count(*) FROM orders o JOIN customers c ON c.id = o.customer_id WHERE o.store_id IS NULL AND c.country <> 'Germany' AND o.status = 'paid'"},
		{"deliveries in 2025", "SELECT count(*) FROM shipments WHERE shipped_at >= '2025-01-01' AND shipped_at < '2026-01-01'"},
		{"how many housebrand products are there", "SELECT count(*) FROM products WHERE supplier_id = 1"},
		{"how many orders are cancelled", "SELECT count(*) FROM orders WHERE status = 'cancelled'"},
		{"dropout rate", "SELECT 100.0 * count(*) FILTER (WHERE status = 'cancelled') / count(*) FROM orders"}, // of all, though a filter leaves these out
		{"spoilage", "SELECT 100.0 * count(*) FILTER (WHERE o.status = 'cancelled') / count(*) FROM order_items i JOIN orders o ON o.id = i.order_id"},
		{"how many shipments in 2025", "SELECT count(*) FROM shipments WHERE delivered_at >= '2025-01-01' AND delivered_at < '2026-01-01'"},
	} {
		list, err := grammar.Interpret(q.text, "", s, grammar.Options{Now: time.Now(), Location: time.UTC})
		if err != nil {
			t.Errorf("%q: %v", q.text, err)
			continue
		}
		want, err := run(conn, q.gold)
		if err != nil {
			t.Fatalf("%s: %v", q.gold, err)
		}
		got, err := run(conn, list[0].SQL)
		if err != nil || !eval.Compare(want, got, false).Perm {
			t.Errorf("%q is read as %s\n%v", q.text, list[0].SQL, err)
		}
	}
	if list, err := grammar.Interpret("dropout rate", "", s, grammar.Options{Now: time.Now()}); err != nil || !strings.Contains(list[0].SQL, " AS dropout_rate FROM") {
		t.Errorf("the output is not headed by the measure's name: %v, %v", list, err)
	}
	for _, text := range []string{"revenue of orders", "orders with revenue over 100", "order with the highest turnover"} {
		if list, err := grammar.Interpret(text, "", s, grammar.Options{Now: time.Now()}); err == nil {
			t.Errorf("%q leaves out what is defined: %s", text, list[0].SQL)
		}
	}
	for _, text := range []string{"how many stores are there", "list all stores", "city of each store"} {
		list, _ := grammar.Interpret(text, "", s, grammar.Options{Now: time.Now()})
		for _, i := range list {
			if strings.Contains(i.SQL, "stores") {
				t.Errorf("%q: a hidden table is asked: %s", text, i.SQL)
			}
		}
	}
	for _, text := range []string{"order total", "order total by country"} {
		if list, err := grammar.Interpret(text, "", s, grammar.Options{Now: time.Now()}); err == nil {
			t.Errorf("%q: the measure joins several rows for each of its own, and another sum is none: %s", text, list[0].SQL)
		}
	}
	list, err := grammar.Interpret("revenue by country", "", s, grammar.Options{Now: time.Now()})
	if err != nil || !strings.Contains(list[0].SQL, "delivered") {
		t.Errorf("the measure's filter is left out: %v, %v", list, err)
	}
}

// withSemantics reads the shop with a semantics file of that text.
func withSemantics(t *testing.T, db, text string) *catalog.Snapshot {
	t.Helper()
	return definedFor(t, db, shop.Analyst, text)
}

// definedFor returns the snapshot of a role with an admin's definitions.
func definedFor(t *testing.T, db, role, text string) *catalog.Snapshot {
	t.Helper()
	cfg := catalog.DefaultConfig()
	cfg.Semantics = filepath.Join(t.TempDir(), "semantics.toml")
	if err := os.WriteFile(cfg.Semantics, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c := catalog.New(cfg, source{func(database string) string { return pgtest.Shared(t).Standby.URL(pgtest.Superuser, database) }},
		slog.New(slog.NewTextHandler(io.Discard, nil)), prometheus.NewRegistry())
	t.Cleanup(c.Close)
	s, err := c.Snapshot(t.Context(), db, role)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A shipment has two times. What a definition names goes by its own time; without one the question has to say which is meant.
func TestInterpret_definitionTime(t *testing.T) {
	db, _ := loadShop(t)
	s := withSemantics(t, db, `
[[term]]
name = "arrivals"
table = "public.shipments"
condition = "delivered_at is not null"
time = "delivered_at"
[[term]]
name = "parcels"
table = "public.shipments"
condition = "carrier <> 'none'"
[[measure]]
name = "transit time"
table = "public.shipments"
expression = "avg(delivered_at - shipped_at)"
`)
	if len(s.Problems) > 0 {
		t.Fatal(s.Problems)
	}
	for text, want := range map[string]string{
		"arrivals in 2025":                      "delivered_at >= DATE '2025-01-01'",
		"number of arrivals per month":          "date_trunc('month', delivered_at)",
		"how many parcels are there":            "carrier",
		"how many parcels were shipped in 2025": "shipped_at >= DATE '2025-01-01'",
		"how many parcels in 2025":              "",
		"number of parcels per month":           "",
		"transit time":                          "delivered_at",
		"transit time in 2025":                  "",
		"what was the transit time per month":   "",
		"how many shipments were there in 2025": "shipped_at >= DATE '2025-01-01'",
	} {
		list, err := grammar.Interpret(text, "", s, grammar.Options{Now: time.Now(), Location: time.UTC})
		switch {
		case want == "" && (err == nil || !strings.Contains(ask.AsError(err).Detail, "shipped_at or delivered_at")):
			t.Errorf("%q is answered or refused for another reason: %v, %v", text, list, err)
		case want != "" && (err != nil || !strings.Contains(strings.ReplaceAll(list[0].SQL, `"`, ""), want)):
			t.Errorf("%q: %v, %v", text, list, err)
		}
	}
}
