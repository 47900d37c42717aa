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
	"which shop is none of the sales whose channel is called so": {
		{"creamery", "which shop has the highest total", `SELECT 'Hill Dairy'`},
		{"creamery", "shop with the highest total", `SELECT 'Hill Dairy'`},
		{"creamery", "shop sales", `SELECT id FROM sales WHERE channel = 'shop'`},
		{"creamery", "shops in York", `SELECT 'Mill Dairy'`},
	},
}

// TestCreamery asks superlatives of what several rows have.
func TestCreamery(t *testing.T) {
	testAsked(t, schemas(t, "creamery"), creamery)
}
