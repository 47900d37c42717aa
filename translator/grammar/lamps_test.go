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
	"what is not counted is left out of all that is asked": {
		{"lamps", "top 2 buyers by total of orders, cancelled orders left out", `SELECT 'Ann Lee', 90 UNION ALL SELECT 'Bob Ray', 60`},
		{"lamps", "which buyer spent the most, cancelled orders don't count", `SELECT 'Ann Lee'`},
		{"lamps", "number of orders per buyer, not counting cancelled ones", `SELECT 'Ann Lee', 2 UNION ALL SELECT 'Bob Ray', 1 UNION ALL SELECT 'Cid Orr', 1`},
		{"lamps", "number of orders per buyer, no cancellations", `SELECT 'Ann Lee', 2 UNION ALL SELECT 'Bob Ray', 1 UNION ALL SELECT 'Cid Orr', 1`},
		{"lamps", "Leaving out cancelled orders, what is the average order total?", `SELECT 38.75`},
		{"lamps", "average order total of gold buyers (cancelled orders are not counted)", `SELECT 95.0 / 3`},
		{"lamps", "how many buyers ordered in December 2024? Cancelled orders don't count.", `SELECT 1`},
		{"lamps", "how many orders are there, cancelled and paid ones left out", `SELECT 0`},
		{"lamps", "share of orders by buyer, cancelled orders left out", `SELECT 'Ann Lee', 50.0 UNION ALL SELECT 'Bob Ray', 25.0 UNION ALL SELECT 'Cid Orr', 25.0`},
		{"lamps", "average number of orders per buyer, cancelled orders left out", `SELECT 4.0 / 3`},
		{"lamps", "average number of lamps per shop, cancelled orders left out", ``},
		{"lamps", "buyers without cancelled orders", `SELECT 'Bob Ray'`},
		{"lamps", "how many buyers have no cancelled orders", `SELECT 1`},
		{"lamps", "how many buyers with no cancelled orders are there", `SELECT 1`},
		{"lamps", "average price of lamps, cancelled orders left out", ``},
	},
	"a month may be that of this year or of the last": {
		{"lamps", "how many orders were there this October", `SELECT 1`}, // asked in September 2024
		{"lamps", "how many orders were there last October", `SELECT 0`}, // of 2023
	},
	"of two times each is meant": {
		{"lamps", "average order total this year and last year", `SELECT NULL::numeric, NULL::numeric`},
		{"lamps", "how many orders this year and last year", `SELECT 0, 0`},
		{"lamps", "average order total in 2023 and in 2024", `SELECT NULL::numeric, 656.0 / 6`},
		{"lamps", "how many orders were there in 2024 and how many in 2023", `SELECT 6, 0`},
		{"lamps", "how many orders were there in 2023 and in 2024", `SELECT 6`},
		{"lamps", "did we have more orders this October than last October", `SELECT 1, 0`},
		{"lamps", "average order total per shop in 2023 and in 2024", `SELECT 'North Shop', NULL::numeric, 80 UNION ALL SELECT 'South Shop', NULL, 35`},
	},
	"what was sold and earned": {
		{"lamps", "how many units of each lamp were sold", `SELECT 'Alto', 3 UNION ALL SELECT 'Basso', 2 UNION ALL SELECT 'Corno', 3`},
		{"lamps", "how many of every lamp did we sell in October 2024", `SELECT 'Alto', 2 UNION ALL SELECT 'Basso', 1`},
		{"lamps", "which shop took the most money in October 2024", `SELECT 'North Shop'`},
		{"lamps", "which shop made the most money", `SELECT 'North Shop'`},
		{"lamps", "how much money did we take in November 2024", `SELECT 70`},
		{"lamps", "orders in November 2024, how many per shop", `SELECT 'South Shop', 2`},
	},
	"a share of each is one of all": {
		{"lamps", "share of orders by status", `SELECT 'cancelled', 100.0 / 3 UNION ALL SELECT 'paid', 200.0 / 3`},
		{"lamps", "what percentage of orders came from each shop", `SELECT 'North Shop', 100.0 / 6 UNION ALL SELECT 'South Shop', 100.0 / 3 UNION ALL SELECT NULL, 50.0`},
		{"lamps", "share of payments by method", `SELECT 'card', 50.0 UNION ALL SELECT 'paypal', 50.0`},
		{"lamps", "what share of orders does each shop have", `SELECT 'North Shop', 100.0 / 6 UNION ALL SELECT 'South Shop', 100.0 / 3 UNION ALL SELECT NULL, 50.0`},
		{"lamps", "share of orders by buyer", `SELECT 'Ann Lee', 50.0 UNION ALL SELECT 'Bob Ray', 100.0 / 6 UNION ALL SELECT 'Cid Orr', 100.0 / 3`},
	},
	"what is counted by others is counted for each of them": {
		{"lamps", "orders by buyer", `SELECT 'Ann Lee', 3 UNION ALL SELECT 'Bob Ray', 1 UNION ALL SELECT 'Cid Orr', 2`},
		{"lamps", "orders by shop", `SELECT 'North Shop', 1 UNION ALL SELECT 'South Shop', 2`},
	},
	"things are sorted from what an adjective says": {
		{"lamps", "lamps from cheapest to most expensive", `SELECT name FROM lamps ORDER BY price`},
		{"lamps", "lamps from the most expensive to the cheapest", `SELECT name FROM lamps ORDER BY price DESC`},
		{"lamps", "orders from newest to oldest", `SELECT id FROM orders ORDER BY ordered_at DESC`},
		{"lamps", "lamps from a to z", `SELECT name FROM lamps ORDER BY name`},
		{"lamps", "the 2 latest orders, newest first", `SELECT id FROM orders WHERE status <> 'cancelled' ORDER BY ordered_at DESC LIMIT 2`},
		{"lamps", "who placed the biggest order", `SELECT 'Cid Orr'`},
		{"lamps", "who placed the biggest order in October 2024", `SELECT 'Ann Lee'`},
		{"lamps", "who placed the biggest lamp", ``},
		{"lamps", "cancelled orders, the oldest first", `SELECT id FROM orders WHERE status = 'cancelled' ORDER BY ordered_at`},
	},
	"what was done by somebody was done at that time": {
		{"lamps", "parcels delivered by DHL in November 2024", `SELECT id, order_id, carrier, shipped_at, delivered_at FROM shipments WHERE id = 2`},
		{"lamps", "how many shipments were delivered by DHL in October 2024", `SELECT 1`},
		{"lamps", "how many shipments did UPS deliver in November 2024", `SELECT 1`},
		{"lamps", "how many shipments did UPS ship in December 2024", `SELECT 1`},
		{"lamps", "shipments that DHL delivered in October 2024", `SELECT id, order_id, carrier, shipped_at, delivered_at FROM shipments WHERE id = 1`},
	},
	"when and where most was earned": {
		{"lamps", "what was our best month ever", `SELECT DATE '2024-12-01', 505`},
		{"lamps", "worst month in 2024", `SELECT DATE '2024-09-01', 1`},
		{"lamps", "best month for the North Shop", ``},
		{"lamps", "was our revenue in October 2024 higher than in November 2024", `SELECT 80, 70`},
		{"lamps", "did we sell more in October 2024 than in November 2024", `SELECT 80, 70`},
		{"lamps", "rank the shops by total of orders", `SELECT 'North Shop', 80 UNION ALL SELECT 'South Shop', 70`},
		{"lamps", "best selling lamp, by units sold", `SELECT 'Alto' UNION ALL SELECT 'Corno'`},
	},
	"things are ranked by what happened to them": {
		{"lamps", "most returned lamp", `SELECT 'Basso'`},
		{"lamps", "most returned lamps in November 2024", `SELECT 'Basso', 1 UNION ALL SELECT 'Alto', 1`},
		{"lamps", "most ordered lamp", ``}, // by its pieces, or by the orders
		{"lamps", "most delivered lamp", ``},
	},
	"how long it takes may be told by two tables": {
		{"lamps", "average time from order to shipping", `SELECT interval '1 day'`},
		{"lamps", "how long does it take us on average to ship an order", `SELECT interval '1 day'`},
		{"lamps", "how long does it take to ship an order on average?", `SELECT interval '1 day'`},
		{"lamps", "average days from order to delivery by carrier", `SELECT 'DHL', 4 UNION ALL SELECT 'UPS', 2`},
		{"lamps", "how long does it take us to deliver an order", ``}, // from when it was ordered or shipped
		{"lamps", "average time from delivery to payment", ``},
		{"lamps", "average time from order to shipping in October 2024", ``}, // ordered or shipped then
		{"lamps", "average time from order to shipping of shipments shipped in October 2024", `SELECT interval '1 day'`},
	},
	"what is under another one of its kind belongs to it": {
		{"lamps", "subkinds of Indoor", `SELECT 'Desk' UNION ALL SELECT 'Floor'`},
		{"lamps", "what kinds are there under Indoor?", `SELECT 'Desk' UNION ALL SELECT 'Floor'`},
		{"lamps", "how many kinds are there under Indoor", `SELECT 2`},
		{"lamps", "number of subkinds of Indoor", `SELECT 2`},
		{"lamps", "which kinds are in Indoor", `SELECT 'Desk' UNION ALL SELECT 'Floor'`},
	},
	"people who buy are buyers": {
		{"lamps", "how many people bought the Alto", `SELECT 1`},
		{"lamps", "how many people ordered in November 2024", `SELECT 2`},
		{"lamps", "which shop sells the most", `SELECT 'North Shop'`},
		{"lamps", "share of each payment method", `SELECT 'card', 50.0 UNION ALL SELECT 'paypal', 50.0`},
	},
	"who manages a shop has the post of its manager": {
		{"lamps", "who is the manager of the North Shop?", `SELECT 'Flo Ivy'`},
		{"lamps", "who manages the South Shop", `SELECT 'Eve Hay'`},
		{"lamps", "who manages the Alto", ``},
	},
	"people live where their address is": {
		{"lamps", "where does Ann Lee live", `SELECT 'Leeds'`},
	},
	"of one thing its status says what has become of it": {
		{"lamps", "is order 5 cancelled", `SELECT 'cancelled'`},
		{"lamps", "was order 1 cancelled?", `SELECT 'paid'`},
		{"lamps", "has order 1 been paid yet", `SELECT 'paid'`},
		{"lamps", "average number of pieces per order", `SELECT 8.0 / 6`},
	},
	"what came in is what was paid": {
		{"lamps", "how much came in by PayPal each month", `SELECT DATE '2024-11-01', 50`},
		{"lamps", "how much money came in from Bob Ray", `SELECT 55`},
	},
	"what somebody bought last is what his last order has": {
		{"lamps", "what did Ann Lee buy last", `SELECT 'Alto'`},
		{"lamps", "what did Bob Ray order last time", `SELECT 'Basso' UNION ALL SELECT 'Corno'`},
		{"lamps", "what did Ann Lee buy last time in October", ``},
	},
	"what somebody is may be said with what he is in general": {
		{"lamps", "is Ann Lee a gold buyer", `SELECT true`},
		{"lamps", "is Bob Ray a gold buyer", `SELECT false`},
		{"lamps", "is Ann Lee a gold shop", ``},
		{"lamps", "is Ann Lee a new buyer", ``},
	},
}

func TestLamps(t *testing.T) { testAsked(t, schemas(t, "lamps"), lamps) }
