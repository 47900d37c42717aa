package grammar_test

import "testing"

// dairy are plain questions of a business whose goods are measured.
var dairy = map[string][]asked{
	"goods are measured in what they cost one of": {
		{"dairy", "how many litres did we sell", `SELECT 105`},
		{"dairy", "how many litres of goat did we sell in 2024", `SELECT 15`},
		{"dairy", "litres sold in June 2024", `SELECT 50`},
	},
	"what is paid for other things is earned, too": {
		{"dairy", "revenue in 2024", ``},
		{"dairy", "income per month", ``},
		{"dairy", "revenue from milk sales in June 2024", `SELECT 60`},
		{"nursery", "income in 2024", `SELECT 109`},
	},
	"what we sold for is the revenue": {
		{"nursery", "how much did we sell in 2024", `SELECT 109`},
		{"nursery", "how much money did we make in 2024", `SELECT 109`},
		{"dairy", "how much did we earn in 2024", ``},
	},
	"who is what one of the staff is": {
		{"dairy", "who is the head cheese maker", `SELECT 'Ada Bell'`},
		{"dairy", "who's our guide", `SELECT 'Ben Cole' UNION ALL SELECT 'Cy Dunn'`},
		{"clinic", "who is the cardiologist", ``},
	},
	"what sells best may be asked by what it came to": {
		{"stall", "best selling product by revenue", `SELECT product, revenue FROM product_sales ORDER BY 2 DESC LIMIT 1`},
		{"stall", "best selling products by revenue", ``},
	},
	"who did the most of things had the most of them": {
		{"dairy", "which guide did the most tastings", `SELECT 'Ben Cole'`},
		{"dairy", "who did the most tastings", `SELECT 'Ben Cole'`},
	},
}

func TestDairy(t *testing.T) { testAsked(t, schemas(t, "clinic", "dairy", "nursery", "stall"), dairy) }
