package grammar_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"askpg/ask"
	"askpg/eval"
	"askpg/internal/pgtest"
	"askpg/internal/shop"
	"askpg/translator/grammar"
)

// loadShop returns the name of a database with the demo's shop, and a superuser's
// connection to it; the standby has it too.
func loadShop(t *testing.T) (string, *pgx.Conn) {
	t.Helper()
	db := pgtest.NewDatabase(t, "")
	conn, err := pgx.Connect(t.Context(), pgtest.Shared(t).Primary.URL(pgtest.Superuser, db))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	if err := shop.Load(t.Context(), conn); err != nil {
		t.Fatal(err)
	}
	pgtest.CatchUp(t)
	return db, conn
}

// examplePattern finds the questions that the documents ask: in comments, by ASK, and in ask('…').
var examplePattern = regexp.MustCompile("(?:[-/*]+ ask: |ASK \\$\\$|ASK '|ask\\('|`ASK )([a-z][^$'`*;,…]*(?:'s [^$`*;,…]*)?)")

// examples returns the questions of documents, without what ends them.
func examples(t *testing.T, files ...string) (list []string) {
	t.Helper()
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join("../..", file))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range examplePattern.FindAllStringSubmatch(string(text), -1) {
			list = append(list, strings.TrimRight(m[1], " ?"))
		}
	}
	if len(list) < 10 {
		t.Fatalf("the documents have the examples %q", list)
	}
	return list
}

// TestShop asks the demo's shop what the README and a newcomer ask first.
func TestShop(t *testing.T) {
	db, conn := loadShop(t)
	server := func(database string) string { return pgtest.Shared(t).Standby.URL(pgtest.Superuser, database) }
	analyst, support := snapshot(t, server, db, shop.Analyst), snapshot(t, server, db, shop.Support)

	type question struct{ text, gold string }
	questions := []question{
		{"how many customers do we have", "SELECT count(*) FROM customers"},
		{"what's the number of customers we have", "SELECT count(*) FROM customers"},
		{"how many orders are there", "SELECT count(*) FROM orders"},
		{"what's the number of orders per status", "SELECT status, count(*) FROM orders GROUP BY status"},
		{"what's the highest price of all products", "SELECT max(price) FROM products"},
		{"how many orders per month this year", "SELECT date_trunc('month', ordered_at)::date, count(*) FROM orders WHERE ordered_at >= date_trunc('year', now()) AND ordered_at < date_trunc('year', now()) + interval '1 year' GROUP BY 1"},
		{"monthly sales", "SELECT month, order_count, revenue FROM monthly_sales"},
		{"sales 2024", "SELECT sum(total) FROM orders WHERE ordered_at >= '2024-01-01' AND ordered_at < '2025-01-01'"},
		{"orders that have not been paid", "SELECT id FROM orders o WHERE status <> 'cancelled' AND NOT EXISTS (SELECT 1 FROM payments p WHERE p.order_id = o.id)"},
		{"products with no stock", "SELECT name FROM products WHERE stock = 0"},
		{"units in stock by category", "SELECT c.name, sum(p.stock) FROM products p JOIN categories c ON c.id = p.category_id GROUP BY c.id"},
		{"stock by product", "SELECT name, stock FROM products"},
		{"how many units in stock do we have", "SELECT sum(stock) FROM products"},
		{"revenue by country", "SELECT c.country, sum(o.total) FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY 1"},
		{"revenue from gold customers", "SELECT sum(o.total) FROM orders o JOIN customers c ON c.id = o.customer_id WHERE c.tier = 'gold'"},
		{"orders by store", "SELECT s.name, count(*) FROM orders o JOIN stores s ON s.id = o.store_id GROUP BY s.id"},
		{"top 5 customers by sales", "SELECT c.name, sum(o.total) FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY c.id ORDER BY 2 DESC LIMIT 5"},
		{"which employee made the highest sales in 2024", "SELECT s.name FROM orders o JOIN staff s ON s.id = o.staff_id WHERE ordered_at >= '2024-01-01' AND ordered_at < '2025-01-01' GROUP BY s.id ORDER BY sum(o.total) DESC LIMIT 1"},
		{"top 3 products by margin", "SELECT name, price - cost FROM products ORDER BY 2 DESC LIMIT 3"},
		{"how many people bought the Delphi Laptop", "SELECT count(*) FROM customers c WHERE EXISTS (SELECT 1 FROM orders o JOIN order_items i ON i.order_id = o.id JOIN products p ON p.id = i.product_id WHERE o.customer_id = c.id AND p.name = 'Delphi Laptop')"},
		{"stores from oldest to newest", "SELECT name FROM stores ORDER BY opened_on"},
		{"list the products by name", "SELECT name FROM products ORDER BY name"},
		{"customers by name, newest first", "SELECT name FROM customers ORDER BY signed_up_on DESC"},
		{"names and categories of all products", "SELECT p.name, c.name FROM products p JOIN categories c ON c.id = p.category_id"},
		{"Which products have an average rating below 3? Name and rating.", "SELECT p.name, avg(r.rating) FROM products p JOIN reviews r ON r.product_id = p.id GROUP BY p.id HAVING avg(r.rating) < 3"},
		{"how many customers signed up each year", "SELECT extract(year FROM signed_up_on), count(*) FROM customers GROUP BY 1"},
		{"which customers have no orders", "SELECT name FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id)"},
	}
	for _, q := range shop.Questions {
		questions = append(questions, question{q.Text, append(q.Also, q.Gold)[0]}) // with its measure
	}
	documented := map[string]string{
		"what's the number of orders per status": "SELECT status, count(*) FROM orders GROUP BY status",
		"top 5 customers by number of orders":    "SELECT c.name, count(*) FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.id, c.name ORDER BY count(*) DESC LIMIT 5",
		"how many customers are there":           "SELECT count(*) FROM customers",
		"how many customers":                     "SELECT count(*) FROM customers",
		"which products were never ordered":      "SELECT name FROM products p WHERE NOT EXISTS (SELECT 1 FROM order_items i WHERE i.product_id = p.id)",
		"average order total by region":          "SELECT c.region, avg(o.total) FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY 1",
		"revenue by month":                       "SELECT month, revenue FROM monthly_sales",
	}
	for _, text := range examples(t, "README.md", "docs/asking.md") {
		gold := documented[text]
		if gold == "" {
			t.Errorf("the documents' example %q has no answer here", text)
			continue
		}
		questions = append(questions, question{text, gold})
	}
	for _, q := range questions {
		list, err := grammar.Interpret(q.text, "", analyst, grammar.Options{Now: time.Now(), Location: time.UTC})
		if err != nil {
			t.Errorf("%q: %v", q.text, err)
			continue
		}
		want, err := run(conn, q.gold)
		if err != nil {
			t.Fatal(err)
		}
		got, err := run(conn, list[0].SQL)
		if err != nil || !eval.Compare(want, got, false).Perm {
			t.Errorf("%q is read as %s\n%v", q.text, list[0].SQL, err)
		}
	}

	// A word that names what the role may not read is never taken for
	// something else.
	for _, text := range []string{"how many payments are there", "sum of the amount of all payments", "what is the number of suppliers", "average amount of payments", "total amount of payments"} {
		_, err := grammar.Interpret(text, "", support, grammar.Options{Now: time.Now()})
		if e := ask.AsError(err); e == nil || e.Code != ask.CodeInsufficientRights || !strings.Contains(e.Message, "payments") && !strings.Contains(e.Message, "suppliers") {
			t.Errorf("support, %q: got %v, want 42501 that names the relation", text, err)
		}
	}
	for text, column := range map[string]string{"email of customers": "email", "customers with their email": "email", "customers without a phone": "phone", "birth date of each customer": "birth_date"} {
		_, err := grammar.Interpret(text, "", analyst, grammar.Options{Now: time.Now()})
		if e := ask.AsError(err); e == nil || e.Code != ask.CodeInsufficientRights || !strings.Contains(e.Message, "column "+column+" of") {
			t.Errorf("analyst, %q: got %v, want 42501 that names the column", text, err)
		}
	}
	for _, text := range []string{"cost of products", "average cost of products", "cost per product", "products ordered by cost", "products where cost is over 100"} {
		_, err := grammar.Interpret(text, "", support, grammar.Options{Now: time.Now()})
		if e := ask.AsError(err); e == nil || e.Code != ask.CodeInsufficientRights || !strings.Contains(e.Message, "column cost of") {
			t.Errorf("support, %q: got %v, want 42501 and no price", text, err)
		}
	}
	if list, err := grammar.Interpret("phone orders", "", analyst, grammar.Options{Now: time.Now()}); err != nil || !strings.Contains(list[0].SQL, "channel = 'phone'") {
		t.Errorf("phone orders: got %v, %v", list, err)
	}
	for _, text := range []string{"average time from signup to order", "on which shelf is the Alto Laptop", "reviews by title, newest first"} {
		if list, err := grammar.Interpret(text, "", analyst, grammar.Options{Now: time.Now()}); err == nil {
			t.Errorf("%q is read as %s", text, list[0].SQL)
		}
	}
	// What it has no word for is said, not guessed, and as it was written.
	for text, word := range map[string]string{
		"how many gizmotrons do we have": "gizmotrons", "average salary of customers": "salary", "which customers are happy": "happy", "gizmos of O'Gorman": `"O'Gorman"`,
	} {
		_, err := grammar.Interpret(text, "", support, grammar.Options{Now: time.Now()})
		if e := ask.AsError(err); e == nil || !strings.Contains(e.Message+e.Detail, word) {
			t.Errorf("%q: got %v, want an error that names %s", text, err, word)
		}
	}
	// What has other words, or two meanings, is said in words that have an answer.
	for text, want := range map[string][]string{
		"who are our best customers?":                {`"top 10 customers by number of orders"`, `"top 10 customers by total of orders"`},
		"which customers bought the most this year?": {`"top 10 customers by number of orders this year"`, `"top 10 customers by total of orders this year"`},
		"what are the most popular products?":        {`"top 10 products by number of order items"`},
		"best selling products":                      {`"top 10 products by quantity"`, `"top 10 products by revenue"`}, "which products sold best?": {`"top 10 products by quantity"`, `"top 10 products by revenue"`},
		"undelivered orders": {"near"},
	} {
		_, err := grammar.Interpret(text, "", analyst, grammar.Options{Now: time.Now(), Suggest: true})
		for _, w := range want {
			if e := ask.AsError(err); e == nil || !strings.Contains(e.Detail+e.Hint, w) {
				t.Errorf("%q: got %v, want %s", text, err, w)
			}
		}
	}
	// What is left without the most asks for something else.
	if _, err := grammar.Interpret("which channel brings the most money", "", analyst, grammar.Options{Now: time.Now(), Suggest: true}); err == nil || strings.Contains(ask.AsError(err).Hint, "it has an answer") {
		t.Errorf("which channel brings the most money: %v", err)
	}
	// A program that leaves a ? in a comment as it is has not said in what.
	for _, text := range []string{"how many customers in", "how many customers in ?"} {
		if list, err := grammar.Interpret(text, "", analyst, grammar.Options{Now: time.Now()}); err == nil {
			t.Errorf("%q is read as %s", text, list[0].SQL)
		}
	}
}
