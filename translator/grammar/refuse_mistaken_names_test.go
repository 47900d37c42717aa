package grammar_test

import "testing"

// ropery are questions in which a verb or a name is easily taken for that of something else.
var ropery = map[string][]asked{
	"a verb behind when says which time": {
		{"ropery", "when was R-100 packed", `SELECT packed_at FROM parcels WHERE order_id = 1`},
		{"ropery", "when was order R-100 packed", `SELECT packed_at FROM parcels WHERE order_id = 1`},
		{"ropery", "when was R-102 coiled", ``},
		{"ropery", "when was the last packed order", ``}, // the last of those that are packed, or the last to be packed
		{"ropery", "when was R-100 placed", `SELECT placed_at FROM orders WHERE id = 1`},
	},
	"what sold best in each group needs to know whose the group is": {
		{"ropery", "best selling rope in each land", ``},
		{"ropery", "best selling rope per maker land", `SELECT 'Norway', 'Hawser Line K12', 5 UNION ALL SELECT 'Wales', 'Bell Pull', 8`},
		{"ropery", "best selling rope per colour", `SELECT 'red', 'Deck Cord', 1 UNION ALL SELECT 'white', 'Bell Pull', 8`},
	},
	"a name does not count what has it": {
		{"ropery", "how many Hawser lines are in the Hull shed", ``},
		{"ropery", "how many Hawser lines were sold", `SELECT 5`},
		{"ropery", "how many ropes are called Deck Cord", `SELECT 1`},
	},
	"the verb of a state is no state of one thing": {
		{"ropery", "coil order R-102", toBeDone},
		{"ropery", "coiled orders", `SELECT order_number FROM orders WHERE status = 'coiled'`},
	},
}

func TestRopery(t *testing.T) { testAsked(t, schemas(t, "ropery"), ropery) }

// TestTermOfPart asks for things whose name has that of others in it, of which a term is defined.
func TestTermOfPart(t *testing.T) {
	testDefined(t, "ropery", `
[[table]]
name = "orders"
synonyms = ["orders", "sales orders"]
[[table]]
name = "restk"
synonyms = ["purchase orders"]
[[column]]
name = "restk.sts"
values = { O = "open", R = "received" }
[[term]]
name = "open orders"
table = "orders"
condition = "status <> 'coiled'"
`, map[string]string{
		"purchase orders still open": `SELECT rno FROM restk WHERE sts = 'O'`,
		"orders still open":          `SELECT order_number FROM orders WHERE status <> 'coiled'`,
	})
}
