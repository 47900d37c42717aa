package grammar_test

import "testing"

// lamps are questions about the shops of a chain, what they sold and how fast it came.
var lamps = map[string][]asked{
	"how long something takes is the average of all that there were": {
		{"lamps", "how long does a shipment take", `SELECT interval '2 days 8 hours'`},
		{"lamps", "how long does delivery usually take", `SELECT interval '2 days 8 hours'`},
		{"lamps", "how long does DHL take", `SELECT interval '3 days'`},
		{"lamps", "how long does DHL take to deliver", `SELECT interval '3 days'`},
		{"lamps", "how long does delivery take by carrier", `SELECT 'DHL', interval '3 days' UNION ALL SELECT 'UPS', interval '1 day'`},
		{"lamps", "how long does it take to deliver an order", ``}, // from its date or from the day that it was shipped
		{"lamps", "how long does Alto take", ``},
	},
	"what buyers spent and shops sold": {
		{"lamps", "top 2 buyers by amount spent in November 2024", `SELECT 'Bob Ray', 60 UNION ALL SELECT 'Ann Lee', 10`},
		{"lamps", "amount spent by Bob Ray", `SELECT 60`},
		{"lamps", "which shop sold the most in October 2024", `SELECT 'North Shop'`},
		{"lamps", "which shop sold the most", `SELECT 'North Shop'`},
		{"lamps", "which shop sold the most Corno", ``},
	},
	"what is ranked is what was where the question says": {
		{"lamps", "best selling lamp in the South Shop", `SELECT 'Corno'`},
		{"lamps", "which lamp sold the most in the South Shop", `SELECT 'Corno'`},
		{"lamps", "top 1 buyers by number of orders in the North Shop", `SELECT 'Ann Lee', 1`},
		{"lamps", "which buyer spent the most without cancelled orders", `SELECT 'Ann Lee'`},
	},
	"what came in is what was paid": {
		{"lamps", "how much came in by PayPal each month", `SELECT DATE '2024-11-01', 50`},
		{"lamps", "how much money came in from Bob Ray", `SELECT 55`},
	},
	"what somebody bought last is what his last order has": {
		{"lamps", "what did Ann Lee buy last", `SELECT 'Alto'`},
		{"lamps", "what did Bob Ray order last time", `SELECT 'Basso' UNION ALL SELECT 'Corno'`},
		{"lamps", "what did Ann Lee buy last October", ``},
	},
	"what somebody is may be said with what he is in general": {
		{"lamps", "is Ann Lee a gold buyer", `SELECT true`},
		{"lamps", "is Bob Ray a gold buyer", `SELECT false`},
		{"lamps", "is Ann Lee a gold shop", ``},
		{"lamps", "is Ann Lee a new buyer", ``},
	},
}

func TestLamps(t *testing.T) { testAsked(t, schemas(t, "lamps"), lamps) }
