package grammar_test

import "testing"

// spent are questions about what orders come to where only their lines say it.
var spent = map[string][]asked{
	"an amount of things that have several lines is their sum": {
		{"nursery", "gardeners with a revenue of more than 54", `SELECT 'Ben Nye'`},
		{"nursery", "orders with a total over 54", `SELECT 2`},
		{"nursery", "gardeners whose orders total more than 54", `SELECT 'Ben Nye'`},
		{"nursery", "orders over 54", `SELECT 2`},
		{"nursery", "orders over 10 in 2024", `SELECT 1 UNION ALL SELECT 2`},
		{"nursery", "how many orders were over 50 euros", `SELECT 2`},
		{"nursery", "gardeners with an order over 54", ``}, // one order, and not all of them
	},
	"who spends pays for what is ordered": {
		{"nursery", "who spent the most", `SELECT 'Ben Nye'`},
		{"nursery", "which gardener spent the most in 2024", `SELECT 'Ben Nye'`},
		{"nursery", "gardeners who spent more than 54", `SELECT 'Ben Nye'`},
		{"nursery", "amount spent per gardener", `SELECT 'Ada Moor', 54 UNION ALL SELECT 'Ben Nye', 55`},
		{"nursery", "top 1 gardeners by money spent", `SELECT 'Ben Nye', 55`},
	},
	"how many there are with a sum": {
		{"nursery", "how many gardeners spent more than 50", `SELECT 2`},
		{"stall", "how many customers spent more than 30", `SELECT count(*) FROM (SELECT FROM orders GROUP BY customer_id HAVING sum(total) > 30) AS spent`},
	},
	"what a thing costs is the price at which it is sold": {
		{"outfitter", "tents under 300 euros", `SELECT tent_id FROM tents WHERE sale_price < 300`},
	},
	"in every is in each": {
		{"nursery", "cheapest plant in every kind", `SELECT kind, name, price FROM plants`},
	},
}

func TestSpent(t *testing.T) { testAsked(t, schemas(t, "nursery", "stall", "outfitter"), spent) }
