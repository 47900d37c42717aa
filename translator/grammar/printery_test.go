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
	"a city is where all are that have it": {
		{"printery", "which city has the most clients", `SELECT 'Bath'`},
		{"printery", "which city has the most addresses", `SELECT 'York'`},
		{"printery", "which address has the most clients", ``},
	},
}

func TestPrintery(t *testing.T) { testAsked(t, schemas(t, "printery"), printery) }
