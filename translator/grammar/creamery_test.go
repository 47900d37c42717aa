package grammar_test

import "testing"

// creamery are superlatives of what several rows have.
var creamery = map[string][]asked{
	"the amounts of a value add up": {
		{"creamery", "which kind has the most turnover", `SELECT 'soft'`},
		{"creamery", "kind with the highest turnover", `SELECT 'soft'`},
		{"creamery", "which channel had the highest total", `SELECT 'web'`},
		{"creamery", "cheese with the most turnover", `SELECT 'Blue Hill'`},
		{"creamery", "sale with the highest total", `SELECT 1`},
	},
	"what somebody spends is not how many they are": {
		{"creamery", "which tier spends the most", `SELECT 'gold'`},
		{"creamery", "which tier spends most often", ``},
		{"creamery", "which channel brings the most", ``},
		{"creamery", "which channel earns the most", ``}, // not that of the seller with the highest salary
		{"creamery", "who earns the most", `SELECT 'Dan Oak'`},
		{"creamery", "which channel is used the most", `SELECT 'web'`},
		{"creamery", "which channel appears the most", `SELECT 'web'`},
		{"creamery", "which channel is used most often", `SELECT 'web'`},
	},
	"things are ranked by what stands behind by": {
		{"creamery", "buyers by revenue", `SELECT 'Ada Lund', 150 UNION ALL SELECT 'Bo Marsh', 60 UNION ALL SELECT 'Cleo North', 70`},
		{"creamery", "buyers by number of sales", `SELECT 'Ada Lund', 3 UNION ALL SELECT 'Bo Marsh', 1 UNION ALL SELECT 'Cleo North', 1`},
		{"creamery", "shops by total sales", `SELECT 'Hill Dairy', 90 UNION ALL SELECT 'Mill Dairy', 10`},
		{"creamery", "cheeses sorted by litres", `SELECT name FROM cheeses`},
		{"creamery", "buyers sorted by revenue", `SELECT 'Ada Lund', 150 UNION ALL SELECT 'Bo Marsh', 60 UNION ALL SELECT 'Cleo North', 70`},
	},
	"who paid has payments, whatever the status of what they are for": {
		{"creamery", "buyers who paid by card", `SELECT unnest(ARRAY['Ada Lund', 'Cleo North'])`},
		{"creamery", "buyers who paid in April 2024", `SELECT 'Cleo North'`},
		{"creamery", "paid sales", `SELECT 2`},
	},
	"a verb that is recorded says by what, and when": {
		{"creamery", "who returned the most cheeses", ``}, // no maker of them
		{"creamery", "buyers who returned something in April 2024", `SELECT 'Cleo North'`},
		{"creamery", "which buyers returned cheeses in March 2024", ``}, // they were bought then
	},
	"a digit behind a thing is its number": {
		{"creamery", "sales of buyer 1", `SELECT unnest(ARRAY[1, 4, 5])`},
		{"creamery", "last sale of buyer 1", `SELECT 5`},
		{"creamery", "what cheeses did buyer 2 buy", `SELECT 'Blue Hill'`},
		{"creamery", "cheese 3", `SELECT 'Old Mill'`},
		{"creamery", "sale 3 days ago", ``},
		{"creamery", "top buyer 3", ``},
	},
	"which shop is none of the sales whose channel is called so": {
		{"creamery", "which shop has the highest total", `SELECT 'Hill Dairy'`},
		{"creamery", "shop with the highest total", `SELECT 'Hill Dairy'`},
		{"creamery", "shop sales", `SELECT id FROM sales WHERE channel = 'shop'`},
		{"creamery", "total revenue of the Hill Dairy shop in March 2024", `SELECT 90`},
		{"creamery", "shops in York", `SELECT 'Mill Dairy'`},
	},
}

// TestCreamery asks superlatives of what several rows have.
func TestCreamery(t *testing.T) {
	testAsked(t, schemas(t, "creamery"), creamery)
}
