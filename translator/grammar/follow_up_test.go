package grammar_test

import (
	"cmp"
	"os"
	"strings"
	"testing"
	"time"

	"askpg/ask"
	"askpg/eval"
	"askpg/internal/pgtest"
	"askpg/internal/shop"
	"askpg/translator/grammar"
)

// turn is a question or a follow-up, and SQL that says what it means; "" if it has to be refused.
type turn struct{ text, gold string }

// conversations are follow-ups one after the other: each changes the question as the one before it has left it, and one that is
// refused changes nothing.
var conversations = map[string][][]turn{
	"shop": {
		{{"how many orders in 2025", `SELECT count(*) FROM orders WHERE ordered_at >= '2025-01-01' AND ordered_at < '2026-01-01'`},
			{"and in october?", `SELECT count(*) FROM orders WHERE ordered_at >= '2025-10-01' AND ordered_at < '2025-11-01'`},
			{"and in september?", `SELECT count(*) FROM orders WHERE ordered_at >= '2025-09-01' AND ordered_at < '2025-10-01'`},
			{"and in 2024?", `SELECT count(*) FROM orders WHERE ordered_at >= '2024-09-01' AND ordered_at < '2024-10-01'`},
			{"by channel", `SELECT channel, count(*) FROM orders WHERE ordered_at >= '2024-09-01' AND ordered_at < '2024-10-01' GROUP BY 1`},
			{"and how many customers", ``},
			{"by status instead", `SELECT status, count(*) FROM orders WHERE ordered_at >= '2024-09-01' AND ordered_at < '2024-10-01' GROUP BY 1`}},
		{{"number of orders by channel", `SELECT channel, count(*) FROM orders GROUP BY 1`},
			{"only the web ones", `SELECT channel, count(*) FROM orders WHERE channel = 'web' GROUP BY 1`},
			{"by status", `SELECT status, count(*) FROM orders WHERE channel = 'web' GROUP BY 1`},
			{"in 2025", `SELECT status, count(*) FROM orders WHERE channel = 'web' AND ordered_at >= '2025-01-01' AND ordered_at < '2026-01-01' GROUP BY 1`},
			{"sorted by status", `SELECT status, count(*) FROM orders WHERE channel = 'web' AND ordered_at >= '2025-01-01' AND ordered_at < '2026-01-01' GROUP BY 1`},
			{"what about store", `SELECT status, count(*) FROM orders WHERE channel = 'store' AND ordered_at >= '2025-01-01' AND ordered_at < '2026-01-01' GROUP BY 1`}},
		{{"average order total by channel", `SELECT channel, avg(total) FROM orders GROUP BY 1`},
			{"for gold customers", `SELECT channel, avg(total) FROM orders o JOIN customers c ON c.id = o.customer_id WHERE tier = 'gold' GROUP BY 1`},
			{"and silver?", `SELECT channel, avg(total) FROM orders o JOIN customers c ON c.id = o.customer_id WHERE tier = 'silver' GROUP BY 1`},
			{"by month", `SELECT date_trunc('month', ordered_at)::date, avg(total) FROM orders o JOIN customers c ON c.id = o.customer_id WHERE tier = 'silver' GROUP BY 1`},
			{"in kilometres", ``}},
		{{"number of orders per region", `SELECT region, count(*) FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY 1`},
			{"in 2025", `SELECT region, count(*) FROM orders o JOIN customers c ON c.id = o.customer_id WHERE ordered_at >= '2025-01-01' AND ordered_at < '2026-01-01' GROUP BY 1`},
			{"only cancelled", `SELECT region, count(*) FROM orders o JOIN customers c ON c.id = o.customer_id WHERE ordered_at >= '2025-01-01' AND ordered_at < '2026-01-01' AND status = 'cancelled' GROUP BY 1`},
			{"only delivered", `SELECT region, count(*) FROM orders o JOIN customers c ON c.id = o.customer_id WHERE ordered_at >= '2025-01-01' AND ordered_at < '2026-01-01' AND status = 'delivered' GROUP BY 1`}},
		{{"how many orders last month", `SELECT count(*) FROM orders WHERE ordered_at >= date_trunc('month', now()) - interval '1 month' AND ordered_at < date_trunc('month', now())`},
			{"and the month before", `SELECT count(*) FROM orders WHERE ordered_at >= date_trunc('month', now()) - interval '2 months' AND ordered_at < date_trunc('month', now()) - interval '1 month'`},
			{"and the year before", ``}},
		{{"how many orders this year", `SELECT count(*) FROM orders WHERE ordered_at >= date_trunc('year', now()) AND ordered_at < date_trunc('year', now()) + interval '1 year'`},
			{"the year before", `SELECT count(*) FROM orders WHERE ordered_at >= date_trunc('year', now()) - interval '1 year' AND ordered_at < date_trunc('year', now())`}},
		{{"how many customers do we have", `SELECT count(*) FROM customers`},
			{"only gold", `SELECT count(*) FROM customers WHERE tier = 'gold'`},
			{"only silver", `SELECT count(*) FROM customers WHERE tier = 'silver'`},
			{"by region", `SELECT region, count(*) FROM customers WHERE tier = 'silver' GROUP BY 1`},
			{"and by country", `SELECT country, count(*) FROM customers WHERE tier = 'silver' GROUP BY 1`}},
		{{"top 3 customers by number of orders", `SELECT c.name, count(*) FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.id, c.name ORDER BY count(*) DESC LIMIT 3`},
			{"top 5", `SELECT c.name, count(*) FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.id, c.name ORDER BY count(*) DESC LIMIT 5`},
			{"top 10", `SELECT c.name, count(*) FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.id, c.name ORDER BY count(*) DESC LIMIT 10`}},
		{{"products cheaper than 20", `SELECT name FROM products WHERE price < 20`},
			{"cheaper than 10", `SELECT name FROM products WHERE price < 10`},
			{"sorted by price", `SELECT name FROM products WHERE price < 10 ORDER BY price`},
			{"how many are there", `SELECT count(*) FROM products WHERE price < 10`}},
		{{"how many products are out of stock", `SELECT count(*) FROM products WHERE stock = 0`},
			{"in days", ``}},
		{{"average delivery time by carrier", `SELECT carrier, avg(delivered_at - shipped_at) FROM shipments GROUP BY 1`},
			{"in days", `SELECT carrier, avg(extract(epoch FROM delivered_at - shipped_at) / 86400) FROM shipments GROUP BY 1`}},
		{{"how many orders last year", `SELECT count(*) FROM orders WHERE ordered_at >= date_trunc('year', now()) - interval '1 year' AND ordered_at < date_trunc('year', now())`},
			{"and this year?", `SELECT count(*) FROM orders WHERE ordered_at >= date_trunc('year', now()) AND ordered_at < date_trunc('year', now()) + interval '1 year'`},
			{"in march", ``},
			{"last month", `SELECT count(*) FROM orders WHERE ordered_at >= date_trunc('month', now()) - interval '1 month' AND ordered_at < date_trunc('month', now())`}},
		{{"average price of products", `SELECT avg(price) FROM products`},
			{"and the highest?", `SELECT max(price) FROM products`},
			{"by category", `SELECT c.name, max(price) FROM products p JOIN categories c ON c.id = p.category_id GROUP BY c.id, 1`},
			{"minimum instead", `SELECT c.name, min(price) FROM products p JOIN categories c ON c.id = p.category_id GROUP BY c.id, 1`}},
		{{"customers from Germany", `SELECT name FROM customers WHERE country = 'Germany'`},
			{"how many are there", `SELECT count(*) FROM customers WHERE country = 'Germany'`},
			{"and in Austria", `SELECT count(*) FROM customers WHERE country = 'Austria'`},
			{"which of them are gold", ``},
			{"how many of them are gold", `SELECT count(*) FROM customers WHERE country = 'Austria' AND tier = 'gold'`}},
		{{"orders without a payment", `SELECT id FROM orders o WHERE NOT EXISTS (SELECT 1 FROM payments WHERE order_id = o.id)`},
			{"how many of them are from this month", `SELECT count(*) FROM orders o WHERE NOT EXISTS (SELECT 1 FROM payments WHERE order_id = o.id) AND ordered_at >= date_trunc('month', now()) AND ordered_at < date_trunc('month', now()) + interval '1 month'`}},
		{{"orders without a payment", `SELECT id FROM orders o WHERE NOT EXISTS (SELECT 1 FROM payments WHERE order_id = o.id)`},
			{"from this month", `SELECT id FROM orders o WHERE NOT EXISTS (SELECT 1 FROM payments WHERE order_id = o.id) AND ordered_at >= date_trunc('month', now()) AND ordered_at < date_trunc('month', now()) + interval '1 month'`},
			{"only web", `SELECT id FROM orders o WHERE NOT EXISTS (SELECT 1 FROM payments WHERE order_id = o.id) AND channel = 'web' AND ordered_at >= date_trunc('month', now()) AND ordered_at < date_trunc('month', now()) + interval '1 month'`}},
		{{"orders that have no payments", `SELECT id FROM orders o WHERE NOT EXISTS (SELECT 1 FROM payments WHERE order_id = o.id)`},
			{"from this year", `SELECT id FROM orders o WHERE NOT EXISTS (SELECT 1 FROM payments WHERE order_id = o.id) AND ordered_at >= date_trunc('year', now()) AND ordered_at < date_trunc('year', now()) + interval '1 year'`}},
		{{"customers without orders in 2024", `SELECT name FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders WHERE customer_id = c.id AND ordered_at >= '2024-01-01' AND ordered_at < '2025-01-01')`},
			{"and in 2025", `SELECT name FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders WHERE customer_id = c.id AND ordered_at >= '2025-01-01' AND ordered_at < '2026-01-01')`}},
		{{"number of orders per month in 2025", `SELECT date_trunc('month', ordered_at)::date, count(*) FROM orders WHERE ordered_at >= '2025-01-01' AND ordered_at < '2026-01-01' GROUP BY 1`},
			{"only web", `SELECT date_trunc('month', ordered_at)::date, count(*) FROM orders WHERE ordered_at >= '2025-01-01' AND ordered_at < '2026-01-01' AND channel = 'web' GROUP BY 1`},
			{"and 2024", `SELECT date_trunc('month', ordered_at)::date, count(*) FROM orders WHERE ordered_at >= '2024-01-01' AND ordered_at < '2025-01-01' AND channel = 'web' GROUP BY 1`},
			{"by quarter", `SELECT date_trunc('quarter', ordered_at)::date, count(*) FROM orders WHERE ordered_at >= '2024-01-01' AND ordered_at < '2025-01-01' AND channel = 'web' GROUP BY 1`}},
		{{"orders with a total over 1000", `SELECT id FROM orders WHERE total > 1000`},
			{"over 1500", `SELECT id FROM orders WHERE total > 1500`}},
		{{"how many orders with a total over 1000", `SELECT count(*) FROM orders WHERE total > 1000`},
			{"over 1500", `SELECT count(*) FROM orders WHERE total > 1500`},
			{"below 100", `SELECT count(*) FROM orders WHERE total < 100`},
			{"in 2025 by channel", `SELECT channel, count(*) FROM orders WHERE total < 100 AND ordered_at >= '2025-01-01' AND ordered_at < '2026-01-01' GROUP BY 1`}},
	},
	"library": {
		{{"books with more than 200 pages", `SELECT title FROM books WHERE pages > 200`}, {"longest first", `SELECT title FROM books WHERE pages > 200`}, {"how many", `SELECT count(*) FROM books WHERE pages > 200`}},
		{{"number of books by genre", `SELECT genre, count(*) FROM books GROUP BY 1`}, {"the best", `SELECT 'novel', 2`}},
		{{"average pages of books by genre", `SELECT genre, avg(pages) FROM books GROUP BY 1`}, {"worst", `SELECT genre, avg(pages) FROM books GROUP BY 1 ORDER BY 2 LIMIT 1`}},
		{{"books with more than 200 pages", `SELECT title FROM books WHERE pages > 200`}, {"worst", ``}},
		{{"how many loans in 2023", `SELECT 3`}, {"and in 2024?", `SELECT 3`}, {"and in 2022?", `SELECT 0`}},
		{{"number of books by genre", `SELECT genre, count(*) FROM books GROUP BY 1`},
			{"per author instead", `SELECT a.name, count(*) FROM books b JOIN authors a ON a.id = b.author_id GROUP BY a.id, 1`},
			{"by genre again", `SELECT genre, count(*) FROM books GROUP BY 1`},
			{"top 1", `SELECT 'novel', 2`}},
		{{"how many readers", `SELECT 4`}, {"only from York", `SELECT 2`}, {"and from Leeds", `SELECT 2`}, {"only blocked", `SELECT count(*) FROM readers WHERE town = 'Leeds' AND blocked`}},
		{{"how many readers from York", `SELECT 2`}, {"and in Leeds", `SELECT 2`}},
		{{"how many readers not from York", `SELECT 2`}, {"and Leeds", ``}}, // neither, or those of York again
		{{"number of novel books", `SELECT 2`}, {"what about the poetry ones", `SELECT 1`}, {"and crime?", `SELECT 1`}},
		{{"average pages of books", `SELECT avg(pages) FROM books`}, {"by genre", `SELECT genre, avg(pages) FROM books GROUP BY 1`}, {"total instead", `SELECT genre, sum(pages) FROM books GROUP BY 1`}},
		{{"books with more than 200 pages", `SELECT title FROM books WHERE pages > 200`}, {"more than 300", `SELECT title FROM books WHERE pages > 300`}, {"how many are there", `SELECT 2`}},
		{{"readers from York", `SELECT name FROM readers WHERE town = 'York'`}, {"with their town", `SELECT name, town FROM readers WHERE town = 'York'`}},
		{{"how many books were bought in 2024", `SELECT 2`}, {"and in 2020?", `SELECT 1`}, {"in march", `SELECT 0`}, {"in january", `SELECT 1`}},
		{{"total fine of loans per month", `SELECT date_trunc('month', lent_on)::date, sum(fine) FROM loans GROUP BY 1`}, {"by year", `SELECT extract(year FROM lent_on), sum(fine) FROM loans GROUP BY 1`}, {"in 2023", `SELECT extract(year FROM lent_on), sum(fine) FROM loans WHERE lent_on >= '2023-01-01' AND lent_on < '2024-01-01' GROUP BY 1`}},
	},
	"tours": {
		{{"how many concerts in 2024", `SELECT 4`}, {"what about only the cancelled ones", `SELECT 2`}, {"and in 2023", `SELECT 0`}, {"only played", `SELECT 1`}},
		{{"attendance per band", `SELECT b.name, sum(attendance) FROM concerts c JOIN bands b ON b.id = c.band_id GROUP BY b.id, 1`}, {"by venue", `SELECT v.name, sum(attendance) FROM concerts c JOIN venues v ON v.id = c.venue_id GROUP BY v.id, 1`}, {"in 2024", `SELECT v.name, sum(attendance) FROM concerts c JOIN venues v ON v.id = c.venue_id WHERE played_on >= '2024-01-01' AND played_on < '2025-01-01' GROUP BY v.id, 1`}},
		{{"how many concerts in Hull", `SELECT 3`}, {"and in Bath?", `SELECT 2`}, {"Hull?", `SELECT 3`}, {"only the cancelled ones", `SELECT 1`}, {"and in Bath?", `SELECT 1`}},
		{{"how many concerts in Hull", `SELECT 3`}, {"Bath?", `SELECT 2`}},
		{{"how many cancelled concerts in Hull", `SELECT 1`}, {"and in Bath?", `SELECT 1`}, {"and played", `SELECT 1`}},
		{{"number of played concerts", `SELECT 3`}, {"and cancelled ones?", `SELECT 2`}, {"by band", `SELECT b.name, count(*) FROM concerts c JOIN bands b ON b.id = c.band_id WHERE status = 'cancelled' GROUP BY b.id, 1`}},
		{{"how many fans", `SELECT 4`}, {"and venues?", `SELECT 3`}, {"and bands?", `SELECT 3`}},
		{{"average amount of tickets", `SELECT avg(amount) FROM tickets`}, {"in 2024", `SELECT avg(amount) FROM tickets WHERE sold_at >= '2024-01-01' AND sold_at < '2025-01-01'`}, {"and the maximum", `SELECT max(amount) FROM tickets WHERE sold_at >= '2024-01-01' AND sold_at < '2025-01-01'`}},
		{{"venues with a capacity over 200", `SELECT name FROM venues WHERE capacity > 200`}, {"at least 800", `SELECT name FROM venues WHERE capacity >= 800`}},
		{{"rock bands", `SELECT name FROM bands WHERE style = 'rock'`}, {"jazz", `SELECT name FROM bands WHERE style = 'jazz'`}, {"how many are there", `SELECT 1`}, {"which ones", `SELECT name FROM bands WHERE style = 'jazz'`}},
	},
	"clinic": {
		{{"how many visits in 2023", `SELECT count(*) FROM visits WHERE visited_at >= '2023-01-01' AND visited_at < '2024-01-01'`}, {"and in 2024", `SELECT 3`}, {"only the cancelled ones", `SELECT count(*) FROM visits WHERE visited_at >= '2024-01-01' AND visited_at < '2025-01-01' AND state = 'cancelled'`}},
		{{"how many visits in 2023", `SELECT count(*) FROM visits WHERE visited_at >= '2023-01-01' AND visited_at < '2024-01-01'`}, {"only the cancelled ones", `SELECT 1`}, {"only done", `SELECT count(*) FROM visits WHERE visited_at >= '2023-01-01' AND visited_at < '2024-01-01' AND state = 'done'`}},
		{{"how many patients from Oslo", `SELECT count(*) FROM "Patients" WHERE city = 'Oslo'`}, {"and from Bergen?", `SELECT count(*) FROM "Patients" WHERE city = 'Bergen'`}, {"insured ones only", `SELECT count(*) FROM "Patients" WHERE city = 'Bergen' AND insured`}},
		{{"number of done visits", `SELECT count(*) FROM visits WHERE state = 'done'`}, {"and cancelled ones?", `SELECT 1`}},
		{{"how many transfers from Cardiology", `SELECT count(*) FROM transfers WHERE from_dept = 1`}, {"and to Radiology?", `SELECT 1`}},
		{{"how many transfers from Cardiology to Surgery", `SELECT count(*) FROM transfers WHERE from_dept = 1 AND to_dept = 2`}, {"and to Radiology?", `SELECT 1`}},
		{{"how many transfers from Cardiology to Surgery", `SELECT count(*) FROM transfers WHERE from_dept = 1 AND to_dept = 2`}, {"and Radiology?", ``}},
		{{"how many patients live in Oslo or Bergen", `SELECT count(*) FROM "Patients" WHERE city IN ('Oslo', 'Bergen')`}, {"and Tromsø?", ``}},
		{{"how many visits in 2023", `SELECT count(*) FROM visits WHERE visited_at >= '2023-01-01' AND visited_at < '2024-01-01'`}, {"and in 2023 and 2024?", `SELECT 7`}},
		{{"average salary of doctors", `SELECT avg(salary) FROM doctors`}, {"by department", `SELECT d.name, avg(salary) FROM doctors JOIN departments d ON d.id = department_id GROUP BY d.id, 1`}, {"hired after 2015", `SELECT d.name, avg(salary) FROM doctors JOIN departments d ON d.id = department_id WHERE hired_on >= '2016-01-01' GROUP BY d.id, 1`}},
		{{"patients older than 40", `SELECT "fullName" FROM "Patients" WHERE age > 40`}, {"older than 60", `SELECT "fullName" FROM "Patients" WHERE age > 60`}, {"from Oslo", `SELECT "fullName" FROM "Patients" WHERE age > 60 AND city = 'Oslo'`}},
	},
}

// A follow-up on a reading that the asker chose does not go back to the likeliest one.
func TestInterpret_FollowUpOnChosen(t *testing.T) {
	s := schemas(t, "library")["library"]
	o := grammar.Options{Now: now, Location: time.UTC}
	list, err := grammar.Interpret("how many loans in 2023", "", s.snap, o)
	if err != nil || len(list) < 2 {
		t.Fatal(list, err)
	}
	o.Previous, o.Chosen = "how many loans in 2023", list[1].SQL
	if list, err := grammar.Interpret("and in 2024?", "", s.snap, o); ask.CodeOf(err) != ask.CodeNoCandidate {
		t.Fatal(list, err)
	}
}

// TestInterpret_FollowUpOnRefused says that the question before was not understood, rather than that the follow-up was not.
func TestInterpret_FollowUpOnRefused(t *testing.T) {
	s := schemas(t, "stall")["stall"].snap
	const previous = "which customers are left-handed"
	_, err := grammar.Interpret("top 5", "", s, grammar.Options{Now: now, Location: time.UTC, Previous: previous})
	if e := ask.AsError(err); e == nil || !strings.HasPrefix(e.Detail, `"`+previous+`" was not understood`) {
		t.Errorf("the error is %v", err)
	}
}

// What goes on in a time to come is said once: the SQL of a follow-up that denies it twice runs.
func TestInterpret_FollowUpAhead(t *testing.T) {
	s := schemas(t, "inn")["inn"]
	o := grammar.Options{Now: now, Location: time.UTC, Previous: "bookings in the next 30 days"}
	list, err := grammar.Interpret("bookings in the next 30 days which rooms have no booking tomorrow", "", s.snap, o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.conn.Exec(t.Context(), list[0].SQL); err != nil {
		t.Fatal(list[0].SQL, err)
	}
}

func TestInterpret_FollowUp(t *testing.T) {
	dbs := schemas(t, "library", "tours", "clinic")
	db, conn := loadShop(t)
	server := func(database string) string { return pgtest.Shared(t).Standby.URL(pgtest.Superuser, database) }
	dbs["shop"] = schema{conn, snapshot(t, server, db, shop.Analyst)}
	right, total := 0, 0
	for name, list := range conversations {
		s := dbs[name]
		for _, turns := range list {
			previous := ""
			for _, q := range turns {
				o := grammar.Options{Now: now, Location: time.UTC, Previous: previous}
				if name == "shop" {
					o.Now = time.Now()
				}
				if previous != "" {
					total++
				}
				list, err := grammar.Interpret(q.text, "", s.snap, o)
				if q.gold == "" && ask.CodeOf(err) == ask.CodeNoCandidate {
					previous = cmp.Or(previous, q.text)
					continue
				}
				if err != nil || q.gold == "" {
					t.Errorf("%s: %q after %q: %v %v", name, q.text, previous, list, err)
					previous = cmp.Or(previous, q.text)
					continue
				}
				want, err := run(s.conn, q.gold)
				if err != nil {
					t.Fatal(err)
				}
				if got, err := run(s.conn, list[0].SQL); err != nil || list[1:] != nil && len(list) > 1 && list[1].Near || !eval.Compare(want, got, false).Perm {
					t.Errorf("%s: %q after %q is read as %q: %s (%v)", name, q.text, previous, list[0].Question, list[0].SQL, err)
				} else if previous != "" {
					right++
				}
				previous = cmp.Or(list[0].Question, q.text)
			}
		}
	}
	if os.Getenv("FOLLOW") != "" {
		t.Logf("%d of %d follow-ups", right, total)
	}
}

// TestInterpret_FollowUpReworded: a question that is read in other words was understood, whatever follows up on it.
func TestInterpret_FollowUpReworded(t *testing.T) {
	s := schemas(t, "kiln")["kiln"]
	_, err := grammar.Interpret("with gold", "", s.snap, grammar.Options{Now: now, Previous: "potters managed by Ann Lee"})
	if e := ask.AsError(err); e == nil || strings.Contains(e.Detail, "has nothing to change") {
		t.Errorf("got %v", err)
	}
}
