package grammar_test

import (
	"testing"
	"time"

	"askpg/translator/grammar"
)

// larder are questions about stock at several places, times of orders, and words in another order.
var larder = map[string][]asked{
	"stock is counted at each place": {
		{"larder", "how many cheeses are sold out per store", `SELECT 1, 2 UNION ALL SELECT 2, 2`},
		{"larder", "which cheeses are out of stock in York", `SELECT 'Brie' UNION ALL SELECT 'Stilton'`},
		{"larder", "which cheeses are out of stock", `SELECT 'Stilton'`},
		{"larder", "cheeses out of stock in Hull", ``}, // where members live, and no store is
	},
	"an order is of the time at which it was ordered": {
		{"larder", "how many orders in March 2024", `SELECT 2`},
		{"larder", "orders per month", `SELECT date '2024-02-01', 1 UNION ALL SELECT '2024-03-01', 2`},
		{"larder", "last order", `SELECT 1`},
	},
	"in a place is no order of rows": {
		{"larder", "orders on the web and in a store", `SELECT order_id FROM orders WHERE channel = 'web' AND store_id IS NOT NULL`},
	},
	"late is what was done, at the time when it was done": {
		{"larder", "how many parcels arrived late in March 2024", `SELECT 1`},
		{"larder", "parcels delivered late in April 2024", `SELECT 1`},
	},
	"how long it takes": {
		{"larder", "how long does a repair take on average", `SELECT 7`},
	},
	"words in another order": {
		{"larder", "phone York store", `SELECT '01904 1'`},
		{"larder", "top 1 towns for newsletter members", `SELECT 'Hull', 2`},
		{"larder", "which payment method do people use most often", `SELECT 'card'`},
		{"larder", "members who registered but never ordered", `SELECT name FROM members WHERE member_id > 2`},
	},
}

func TestLarder(t *testing.T) { testAsked(t, schemas(t, "larder"), larder) }

// TestLarder_OneTime holds that nobody is asked back which of its times an order is of.
func TestLarder_OneTime(t *testing.T) {
	s := schemas(t, "larder")["larder"]
	for _, question := range []string{"how many orders in March 2024", "orders per month", "last order"} {
		got, err := grammar.Interpret(question, "", s.snap, grammar.Options{Now: now, Location: time.UTC})
		if err != nil || len(got) > 1 && got[1].Near {
			t.Errorf("%q is read as %v, %v; it has one reading", question, got, err)
		}
	}
}
