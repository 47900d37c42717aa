package sentence_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"askpg/translator/sentence"
)

// keys is a schema in which columns of one name, and "id" with "<relation>_id", are keys, and "id" is unique and never NULL.
type keys struct{}

func (keys) IsKey(a, b sentence.Column) bool {
	return a.Name == b.Name || a.Name == "id" && strings.HasSuffix(b.Name, "_id") || b.Name == "id" && strings.HasSuffix(a.Name, "_id")
}

func (keys) NotNull(c sentence.Column) bool { return c.Name == "id" }

func (keys) IsUnique(c sentence.Column) bool { return c.Name == "id" }

func TestOf(t *testing.T) {
	for sql, want := range map[string]string{
		"SELECT count(*) FROM customers":                                  "number of customers",
		"SELECT name, city FROM customers c WHERE c.country = 'It''s'":    "name, city of customers where country is 'It''s'",
		"SELECT DISTINCT city FROM customers ORDER BY 1":                  "different city of customers, by city",
		"SELECT city, count(*) AS n FROM customers GROUP BY 1 ORDER BY n": "number of customers, for each city, lowest first",
		"SELECT c.name, sum(o.total) AS s FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.id, c.name ORDER BY s DESC LIMIT 5":                       "sum of total of orders from customers and orders, for each id, name of customers, highest first, the first 5",
		"SELECT c.name FROM customers c LEFT JOIN orders o ON o.customer_id = c.id AND o.status = 'paid' WHERE o.id IS NULL":                                          "name of customers from customers, with or without orders (only where status of orders is 'paid') where there are no orders",
		"SELECT name FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id AND o.total > 10)":                                          "name of customers where there are no orders where total is above 10",
		"SELECT name FROM customers WHERE id NOT IN (SELECT customer_id FROM orders)":                                                                                 "name of customers where id is not among (customer_id of orders)",
		"SELECT name FROM products WHERE price > (SELECT avg(price) FROM products)":                                                                                   "name of products where price is above (average price of products)",
		"SELECT p.name FROM products p WHERE p.price > (SELECT avg(q.price) FROM products q WHERE q.category_id = p.category_id)":                                     "name of products where price is above (average price of products where the same category_id)",
		"SELECT p.name FROM staff p WHERE p.pay > (SELECT q.pay FROM staff q WHERE q.id = p.boss_id)":                                                                 "name of staff where pay is above (pay of staff where id is the boss_id of the row)",
		"SELECT a.name FROM a JOIN b ON a.name = b.city":                                                                                                              "name of a from a and b where name of a is city of b",
		"SELECT count(*) FILTER (WHERE paid)::numeric / nullif(count(*), 0) FROM orders":                                                                              "number of rows (only where paid) ÷ number of rows of orders",
		"SELECT sum(CASE WHEN status = 'paid' THEN total ELSE 0 END) FROM orders":                                                                                     "sum of total (only where status is 'paid') of orders",
		"SELECT date_trunc('month', placed)::date, sum(a * b) FROM orders WHERE placed >= date '2025-01-01' AND placed < current_date GROUP BY 1 HAVING count(*) > 2": "total (a × b) of orders where placed is on or after 2025-01-01 and placed is before today, for each month of placed, only where number of rows is above 2",
		"SELECT name FROM a WHERE name ILIKE '%x%' OR name NOT LIKE 'y%'":                                                                                             "name of a where (name contains 'x' (upper or lower case) or name does not begin with 'y')",
		"SELECT x FROM a WHERE to_date(NULLIF(d, 0)::text, 'YYYYMMDD') >= current_date - interval '30 days'":                                                          "x of a where d is on or after 30 days before today",
		"SELECT x FROM a WHERE d >= current_date - interval '30 days'":                                                                                                "x of a where d is on or after 30 days before today",
		"SELECT x FROM a WHERE y IN (1, 2, 3) AND z BETWEEN 1 AND 2 AND NOT active":                                                                                   "x of a where y is 1, 2 or 3 and z is between 1 and 2 and not active",
		"SELECT c.name FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.id, c.name ORDER BY count(*) DESC LIMIT 1":                                   "name of customers from customers and orders, for each id, name of customers, by number of rows descending, the first 1",
		"SELECT a.x, count(*) FROM orders a JOIN orders b ON a.customer_id = b.customer_id WHERE b.status = 'paid' GROUP BY a.x":                                      "number of rows from orders (a) and orders (b) where the same customer_id and status of orders (b) is 'paid', for each x of orders (a)",
		"SELECT x FROM a WHERE d >= date_trunc('month', now()) - interval '1 month' AND d < date_trunc('month', now())":                                               "x of a where d is on or after 1 month before the start of this month and d is before the start of this month",
		"SELECT x FROM a EXCEPT SELECT x FROM b":                                                                                                                      "x of a; without what is in x of b",
		"WITH t AS (SELECT city, count(*) AS n FROM a GROUP BY city) SELECT avg(n) FROM t":                                                                            "average n of t; t is number of a, for each city",
		"SELECT EXISTS (SELECT a.id FROM a JOIN b ON b.a_id = a.id WHERE a.x = 1)":                                                                                    "whether there are a and b where x of a is 1",
		"SELECT m, sum(v) OVER (ORDER BY m) FROM s":                                                                                                                   "m, running total v by m of s",
	} {
		if got, ok := sentence.Of(sql, keys{}); got != want || !ok {
			t.Errorf("%s\n got %q, %v\nwant %q", sql, got, ok, want)
		}
	}
}

// TestOf_Weekdays holds that a day of a week is told by its name where it is surely the nearest of that name.
func TestOf_Weekdays(t *testing.T) {
	for condition, want := range map[string]string{
		"d >= date_trunc('week', CURRENT_DATE - INTERVAL '5 days')::date + INTERVAL '4 days'":                                                                                                           "d is on or after the last Friday before today",
		"d >= date_trunc('week', CURRENT_DATE - INTERVAL '2 days')::date + INTERVAL '2 days'":                                                                                                           "d is on or after the last Wednesday up to today",
		"d >= date_trunc('week', CURRENT_DATE - INTERVAL '1 day')::date":                                                                                                                                "d is on or after the last Monday before today",
		"d >= date_trunc('week', CURRENT_DATE + INTERVAL '4 days')::date + INTERVAL '3 days'":                                                                                                           "d is on or after the next Thursday after today",
		"d >= date_trunc('week', CURRENT_DATE + INTERVAL '3 days')::date + INTERVAL '3 days'":                                                                                                           "d is on or after the next Thursday from today on",
		"d >= date_trunc('week', CURRENT_DATE - INTERVAL '4 days')::date + INTERVAL '2 days'":                                                                                                           "d is on or after 2 days after week of 4 days before today",
		"d >= date_trunc('week', CURRENT_DATE - INTERVAL '5 days')::date + INTERVAL '4 days' AND d < date_trunc('week', CURRENT_DATE - INTERVAL '5 days')::date + INTERVAL '4 days' + INTERVAL '1 day'": "d is on the last Friday before today",
		"d >= CURRENT_DATE AND e < CURRENT_DATE + INTERVAL '1 day'":                                                                                                                                     "d is on or after today and e is before 1 day after today",
		"d >= CURRENT_DATE AND d < CURRENT_DATE + INTERVAL '1 day'":                                                                                                                                     "d is today",
		"extract(isodow FROM d) IN (6, 7)":                                                                                                                                                              "d is on a Saturday or Sunday",
		"extract(isodow FROM d) = 1":                                                                                                                                                                    "d is on a Monday",
		"extract(isodow FROM d) = 8":                                                                                                                                                                    "weekday number of d is 8",
		"extract(dow FROM d) = 1":                                                                                                                                                                       "weekday number of d is 1",
	} {
		if got, _ := sentence.Of("SELECT x FROM a WHERE "+condition, keys{}); got != "x of a where "+want {
			t.Errorf("%s\n got %s\nwant x of a where %s", condition, got, want)
		}
	}
}

// TestOf_NoWords holds that nothing is told in part.
func TestOf_NoWords(t *testing.T) {
	for _, sql := range []string{
		"DELETE FROM a", "SELECT 1; SELECT 2", "no SQL", "SELECT x FROM a, b", "SELECT x FROM a TABLESAMPLE system (1)", "SELECT my.f(x) FROM a",
		"SELECT x FROM a WHERE f(x)", "SELECT EXISTS (SELECT count(*) FROM a GROUP BY x)", "SELECT x FROM a WHERE x @> y", "SELECT sum(x) OVER (ORDER BY y ROWS 3 PRECEDING) FROM a",
		"SELECT count(*) FROM a GROUP BY ROLLUP (x)", "SELECT x FROM a NATURAL JOIN b", "SELECT x FROM a WHERE EXISTS (SELECT 1 FROM b)",
		"WITH RECURSIVE t AS (SELECT 1) SELECT * FROM t", "VALUES (1)", "SELECT x FROM a WHERE x = ANY(SELECT y FROM b) AND (x, y) = (1, 2)",
		"SELECT x FROM a WHERE x > ALL (SELECT y FROM b)", "SELECT x FROM a FOR UPDATE", "SELECT x::box FROM a", "SELECT x FROM a WHERE y = 'z' COLLATE \"C\"",
		"SELECT x FROM a WHERE b IN (" + strings.Repeat("1, ", 300) + "1)",
	} {
		if got, ok := sentence.Of(sql, keys{}); ok {
			t.Errorf("%s is told as %q", sql, got)
		}
	}
}

// TestOf_Counted: the number of joined rows is told as that of one relation only if each of its rows is joined once at the most.
func TestOf_Counted(t *testing.T) {
	for from, want := range map[string]string{
		"orders o JOIN customers c ON o.customer_id = c.id":                                                               "number of orders of customers",
		"customers c, orders o WHERE o.customer_id = c.id AND c.city = 'X'":                                               "number of orders of customers where city of customers is 'X'",
		"customers c JOIN orders o ON o.customer_id = c.id JOIN items i ON i.order_id = o.id":                             "number of items of customers and orders",
		"staff JOIN staff boss ON staff.boss_id = boss.id":                                                                "number of staff (staff) of staff (boss)",
		"orders o JOIN customers c ON o.customer_id = c.id AND o.paid > c.age":                                            "number of orders of customers where paid of orders is above age of customers",
		"customers c LEFT JOIN orders o ON o.customer_id = c.id":                                                          "number of rows from customers, with or without orders",
		"orders o JOIN visits v ON o.customer_id = v.customer_id":                                                         "number of rows from orders and visits",
		"customers c JOIN orders o ON o.customer_id = c.id JOIN visits v ON v.customer_id = c.id":                         "number of rows from customers, orders and visits",
		"orders o JOIN customers c USING (id)":                                                                            "number of orders of customers",
		"customers c JOIN orders o ON o.customer_id = c.id JOIN visits v USING (id)":                                      "number of orders of customers and visits",
		"orders o JOIN customers c ON o.customer_id = c.id WHERE EXISTS (SELECT 1 FROM visits v WHERE v.order_id = o.id)": "number of orders of customers where there are visits",
	} {
		got, _ := sentence.Of("SELECT count(*) FROM "+from, keys{})
		if got != want {
			t.Errorf("%s\ngot  %s\nwant %s", from, got, want)
		}
	}
}

// TestOf_Nested holds that the work does not double with each level of a statement.
func TestOf_Nested(t *testing.T) {
	cases, groups := "x", "x"
	for range 60 {
		cases = "case " + cases + " when 1 then 1 when 2 then 2 end"
		groups = "(select " + groups + " from a group by 1 order by 1)"
	}
	for _, sql := range []string{cases, groups} {
		if got, ok := sentence.Of("select "+sql+" from a", keys{}); ok {
			t.Errorf("told as %q", got)
		}
	}
}

func FuzzOf(f *testing.F) {
	f.Add("SELECT a, count(*) FROM b JOIN c USING (d) WHERE e IS NULL GROUP BY 1 ORDER BY 2 DESC LIMIT 3")
	f.Fuzz(func(t *testing.T, sql string) {
		if text, ok := sentence.Of(sql, keys{}); ok && (text == "" || len(text) > sentence.MaxLength) {
			t.Errorf("%q is told as %q", sql, text)
		}
	})
}

// TestOf_Recorded prints how many of the recorded answers of models in the sets of ASKPG_BENCH can be told.
func TestOf_Recorded(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(os.Getenv("ASKPG_BENCH"), "*", "predictions", "*.jsonl"))
	if os.Getenv("ASKPG_BENCH") == "" || len(files) == 0 {
		t.Skip("ASKPG_BENCH does not name a folder of question sets with recorded answers")
	}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		told, all := 0, 0
		for lines := bufio.NewScanner(f); lines.Scan(); {
			var answer struct{ SQL string }
			if json.Unmarshal(lines.Bytes(), &answer) != nil || answer.SQL == "" {
				continue
			}
			all++
			if _, ok := sentence.Of(answer.SQL, keys{}); ok {
				told++
			}
		}
		t.Logf("%s: %d of %d", filepath.Base(name), told, all)
	}
}
