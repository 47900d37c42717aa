package grammar_test

import "testing"

// usualWords are wordings that are as usual as those that were read before.
var usualWords = map[string][]asked{
	"things begin with what their names begin with": {
		{"hire", "clubs starting with Wr", `SELECT 'Wrens'`},
		{"hire", "how many clubs begin with Fin", `SELECT 1`},
		{"hire", "yards that start with Oak", `SELECT 'Oak Yard'`},
		{"hire", "hires starting with May", ``},
		{"hire", "clubs starting in 2023", `SELECT name FROM clubs WHERE since >= '2023-01-01'`},
	},
	"which values there are": {
		{"hire", "which towns are our yards in", `SELECT 'York' UNION ALL SELECT 'Hull'`},
		{"hire", "which helper jobs do we have", `SELECT 'driver' UNION ALL SELECT 'rigger'`},
		{"hire", "which yards do we have", `SELECT name FROM yards`},
		{"luthier", "what prices do our cellos have", `SELECT 900 UNION ALL SELECT 700`},
	},
	"a day may be asked for by its noun": {
		{"hire", "on what date was Oak Yard opened", `SELECT date '2021-01-01'`},
		{"hire", "on which day was the oldest yard opened", `SELECT date '2019-01-01'`},
	},
	"what is asked for each is of each": {
		{"hire", "for every hire, how much was the bill", ``},
		{"luthier", "for every buyer, what is the total of the orders", `SELECT full_name, sum(total) FROM buyers JOIN orders USING (buyer_id) GROUP BY buyer_id`},
		{"luthier", "for each order, what was the total", `SELECT order_id, total FROM orders`},
	},
	"a total that a column has is no filler": {
		{"luthier", "what is the order total", `SELECT 1996`},
		{"luthier", "for each channel, what was the order total", `SELECT channel, sum(total) FROM orders GROUP BY 1`},
		{"luthier", "how many buyers are there total", `SELECT 5`},
	},
	"a place said with its kind": {
		{"hire", "yards in the town of Hull", `SELECT 'Oak Yard'`},
		{"hire", "do we have a yard in the town of York", `SELECT true`},
		{"hire", "yards in the town of Larks", ``},
	},
	"a range up to its end": {
		{"hire", "units with a width from 3 up to 4 m", `SELECT 1 UNION ALL SELECT 2`},
		{"luthier", "instruments that cost from 60 up to 90", `SELECT 'Vega Bow' UNION ALL SELECT 'Lyra Bow'`},
	},
	"what becomes of things has a time of its own": {
		{"hire", "how many faults did we close in 2024", `SELECT 1`},
		{"hire", "how many faults did we close in York in 2024", twoReadings},
		{"hire", "which faults did we close in York in 2024", twoReadings},
		{"hire", "how many faults were opened in York in 2024", `SELECT 2`},
	},
}

func TestUsualWords(t *testing.T) {
	testAsked(t, schemas(t, "hire", "luthier"), usualWords)
}
