package grammar_test

import "testing"

// printery are questions about the stock, the agents and the clients of a printery.
var printery = map[string][]asked{
	"what is said of a row is said of that row": {
		{"printery", "how many goods in the Central Site are below their reorder point", `SELECT 2`},
		{"printery", "which goods are below their reorder point in the North Site", `SELECT 'Mini Stapler Blue'`},
	},
	"what nobody counts is added up": {
		{"printery", "which agent has earned us the most commission", `SELECT 'Bob Ray'`},
		{"printery", "which agent has the most commissions", `SELECT 'Ann Lee'`},
	},
	"a word within a name says not what the thing is": {
		{"printery", "cheapest stapler", ``},
		{"printery", "cheapest folder", `SELECT 'Ash Folder'`},
	},
	"things are no times": {
		{"printery", "which commission invoices are unpaid", ``},
		{"printery", "invoice dates of unpaid commissions", `SELECT DATE '2024-02-01' UNION ALL SELECT DATE '2024-02-02'`},
	},
	"goods are worth what they cost": {
		{"printery", "stock value", `SELECT sum(quantity_on_hand * cost) FROM stock_levels JOIN goods ON id = good_id`},
		{"printery", "what is our stock worth at selling price?", `SELECT sum(quantity_on_hand * price) FROM stock_levels JOIN goods ON id = good_id`},
		{"printery", "how much is the stock in the Central Site worth", `SELECT 28`},
		{"printery", "how much is the stock in our warehouse worth", `SELECT sum(quantity_on_hand * cost) FROM stock_levels JOIN goods ON id = good_id`},
		{"printery", "how much is our stock worth at cost", `SELECT sum(quantity_on_hand * cost) FROM stock_levels JOIN goods ON id = good_id`},
		{"printery", "value of our stock per site", `SELECT s.name, sum(quantity_on_hand * cost) FROM stock_levels JOIN goods g ON g.id = good_id JOIN sites s ON s.id = site_id GROUP BY 1`},
		{"printery", "which goods have the highest margin", `SELECT 'Big Stapler'`},
		{"printery", "top 2 goods by margin", `SELECT 'Big Stapler', 7 UNION ALL SELECT 'Half Stapler', 4`},
		{"printery", "margin of the Oak Folder", `SELECT 2`},
		{"printery", "goods with a margin below 40 percent", ``},
		{"printery", "total margin", ``},
		{"printery", "stock value last month", ``}, // nobody knows it any more
		{"printery", "margin by month", ``},
	},
	"a city is where all are that have it": {
		{"printery", "which city has the most clients", `SELECT 'Bath'`},
		{"printery", "which city has the most addresses", `SELECT 'York'`},
		{"printery", "which address has the most clients", ``},
	},
}

func TestPrintery(t *testing.T) { testAsked(t, schemas(t, "printery"), printery) }

// What an admin calls the worth of the stock is no product of the cost, whatever the question calls it.
func TestPrintery_Defined(t *testing.T) {
	testDefined(t, "printery", `
[[measure]]
name = "stock value"
synonyms = ["stock worth"]
table = "stock_levels"
expression = "sum(stock_levels.quantity_on_hand)"
`, map[string]string{
		"stock value":             `SELECT 28`,
		"what is our stock worth": `SELECT 28`,
		"stock value at cost":     ``,
	})
}
