package grammar_test

import "testing"

var canteen = map[string][]asked{
	"what was cancelled brought in nothing, also where a time says so": {
		{"canteen", "turnover in 2024", `SELECT 35`},
		{"canteen", "turnover per month in 2024", `SELECT date '2024-03-01', 30 UNION ALL SELECT '2024-04-01', 5`},
		{"canteen", "revenue per dish in 2024", `SELECT 'Stew', 14 UNION ALL SELECT 'Apple pie', 16 UNION ALL SELECT 'Broth', 5`},
	},
	"what is sorted is what the words of the order speak of": {
		{"canteen", "dishes with their price, cheapest first", `SELECT name, price FROM dishes ORDER BY price`},
		{"canteen", "dishes with their price and weight, heaviest first", `SELECT name, price, weight_g FROM dishes ORDER BY weight_g DESC`},
		{"canteen", "dishes with their weight, highest first", `SELECT name, weight_g FROM dishes ORDER BY weight_g DESC`},
	},
	"a measured number divides nothing": {
		{"canteen", "dishes by price", ``},
		{"canteen", "2 best selling dishes by quantity in 2024", `SELECT name FROM dishes JOIN order_lines USING (dish_id) JOIN orders USING (order_id) WHERE ordered_at >= '2024-01-01' AND ordered_at < '2025-01-01' AND cancelled_at IS NULL GROUP BY dish_id, name ORDER BY sum(quantity) DESC LIMIT 2`},
		{"canteen", "total amount of claims per insurer", `SELECT 'Mill', 100 UNION ALL SELECT 'Farm', 60`},
	},
	"what was taken back does not count": {
		{"canteen", "how many claims", `SELECT 2`},
		{"canteen", "total amount of claims in 2024", `SELECT 160`},
		{"canteen", "voided claims", `SELECT 'B2'`},
	},
	"un- denies what is called so alone": {
		{"canteen", "unmarried staff", ``},
		{"canteen", "how many unhappy staff", ``},
		{"canteen", "unpaid orders", ``},                             // a payment may have failed
		{"canteen", "undelivered orders", `SELECT 2 UNION SELECT 4`}, // and nobody waits for what was cancelled
	},
	"what can happen is not what has happened": {
		{"canteen", "which vouchers can guests use", ``},
		{"canteen", "which vouchers did guests use", `SELECT 'Welcome'`},
	},
}

func TestCanteen(t *testing.T) { testAsked(t, schemas(t, "canteen"), canteen) }
