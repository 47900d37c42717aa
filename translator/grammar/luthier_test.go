package grammar_test

import "testing"

// luthier are questions that call things by a part of their names.
var luthier = map[string][]asked{
	"things of one kind share the end of their names": {
		{"luthier", "how many cellos do we have", `SELECT 2`},
		{"luthier", "list all cellos", `SELECT name FROM instruments WHERE instrument_id IN (1, 2)`},
		{"luthier", "cheapest cello", `SELECT 'Lyra Cello'`},
		{"luthier", "average price of bows", `SELECT 75`}, // a rainbow mute is no bow
		{"luthier", "which cellos are out of stock", `SELECT 'Lyra Cello'`},
		{"luthier", "buyers who ordered a cello", `SELECT 'Otto Hahn' UNION ALL SELECT 'Ida Hahn'`},
		{"luthier", "orders without a cello", `SELECT 3 UNION ALL SELECT 4`},
		{"luthier", "how many bows were sold", `SELECT 5`},
		{"luthier", "how many different bows do we sell", ``},
	},
	"a name may be in the plural": {
		{"luthier", "how many strings do we have", `SELECT 2`},
		{"luthier", "cheapest strings", `SELECT 'Lyra Strings'`},
	},
	"makers begin them": {
		{"luthier", "how many Vega instruments do we have", `SELECT 3`},
		{"luthier", "average price of Lyra", `SELECT 256`},
	},
	"what is quoted may stand anywhere": {
		{"luthier", "buyers whose name contains O'", `SELECT 'Jo O''Dea' UNION ALL SELECT 'Ole O''Dea'`},
		{"luthier", "buyers whose name contains hahn?", `SELECT full_name FROM buyers WHERE buyer_id < 4`},
		{"luthier", `instruments named "Bow"`, `SELECT 'Vega Bow' UNION ALL SELECT 'Lyra Bow'`},
	},
	"people share a name where they are said to be called so": {
		{"luthier", "buyers named Hahn", `SELECT 'Otto Hahn' UNION ALL SELECT 'Ida Hahn'`},
		{"luthier", "orders of Hahn", ``}, // of which?
		{"luthier", "how many orders did Hahn place", ``},
	},
	"two kinds beside each other": {
		{"luthier", "number of web orders vs phone orders", `SELECT 'web', 2 UNION ALL SELECT 'phone', 1`},
		{"luthier", "web orders vs phone orders", `SELECT 'web', 2 UNION ALL SELECT 'phone', 1`},
		{"luthier", "how many web and how many phone orders do we have", `SELECT 'web', 2 UNION ALL SELECT 'phone', 1`},
		{"luthier", "how many orders were paid by card and how many by cheque", `SELECT 2, 1`},
		{"luthier", "how many orders were paid by card and how many by web", ``},
		{"luthier", "compare web and phone orders", `SELECT 'web', 2 UNION ALL SELECT 'phone', 1`},
		{"luthier", "how many web orders and phone orders", `SELECT 'web', 2 UNION ALL SELECT 'phone', 1`},
	},
	"what is to be shown may be said behind": {
		{"luthier", "Which instruments cost more than 500? Name and price.", `SELECT name, price FROM instruments WHERE price > 500`},
		{"luthier", "Which orders came by phone? Show the buyer and the channel.", `SELECT 'Ida Hahn', 'phone'`},
		{"luthier", "List the payments by card. With the order's channel.", `SELECT payment_id, 'web' FROM payments WHERE method = 'card'`},
		{"luthier", "names and makers of all instruments", ``},
	},
	"how many have none": {
		{"luthier", "for how many orders is there no payment", `SELECT 0`},
		{"luthier", "for how many buyers do we have no order", `SELECT 2`},
		{"luthier", "for how many buyers don't we have an order", `SELECT 2`},
	},
	"the largest first, by what is counted": {
		{"luthier", "count the orders by channel, the biggest channel first", `SELECT 'web', 2 UNION ALL SELECT 'phone', 1 UNION ALL SELECT 'shop', 1`},
	},
	"the time belongs to what is ranked by": {
		{"luthier", "top 2 buyers in April 2025 by number of orders", `SELECT 'Mia Hahnel', 2`},
		{"luthier", "biggest buyer by number of orders", `SELECT 'Mia Hahnel', 2`},
		{"luthier", "who was our best buyer in March 2025 by number of payments", `SELECT full_name, 1 FROM buyers WHERE buyer_id < 3`},
		{"luthier", "who is our best buyer", ``},
	},
	"who buys, and what": {
		{"luthier", "who never ordered", `SELECT full_name FROM buyers WHERE buyer_id > 3`},
		{"luthier", "total price of the instruments ordered in 2025", ``}, // of each, or of each piece
		{"luthier", "who spent more than 200", `SELECT full_name FROM buyers WHERE buyer_id IN (SELECT buyer_id FROM orders GROUP BY 1 HAVING sum(total) > 200)`},
		{"luthier", "who bought a cello", `SELECT 'Otto Hahn' UNION ALL SELECT 'Ida Hahn'`},
		{"luthier", "who ordered in March 2025 but not in April 2025", `SELECT full_name FROM buyers WHERE buyer_id < 3`},
		{"luthier", "what did Otto Hahn buy", `SELECT 'Vega Cello' UNION ALL SELECT 'Vega Bow'`},
		{"luthier", "what has Mia Hahnel ordered in May 2025", `SELECT name FROM instruments WHERE false`},
		{"luthier", "which buyer ordered the most bows", ``}, // kinds of them, or pieces
	},
	"who composes is a composer": {
		{"luthier", "who composed Vesper", `SELECT 'Bo Rask'`},
		{"luthier", "who composed the most pieces", `SELECT 'Ada Lund'`},
	},
	"what several things come to together": {
		{"luthier", "buyers whose orders total more than 200", `SELECT full_name FROM buyers WHERE buyer_id < 4`},
		{"luthier", "buyers whose orders add up to less than 500", `SELECT 'Mia Hahnel'`},
	},
	"a range has two ends": {
		{"luthier", "price range of cellos", `SELECT 700, 900`},
		{"luthier", "what is the range of prices", `SELECT 8, 900`},
	},
	"euros are no dollars": {
		{"luthier", "orders over 500 euros", `SELECT 1 UNION ALL SELECT 2`},
		{"luthier", "orders over 500 dollars", ``},
		{"luthier", "total of orders in usd", ``},
	},
	"one order behind another": {
		{"luthier", "instruments sorted by stock and then by price", `SELECT name FROM instruments ORDER BY stock, price`},
		{"luthier", "list the orders, newest first, then by channel", `SELECT order_id FROM orders ORDER BY ordered_on DESC, channel`},
		{"luthier", "instruments by name, newest first", ``},
		{"luthier", "instruments with the price of the stock", ``},
	},
	"days of a month, and the last of a year": {
		{"luthier", "orders from 1 to 2 March 2025", `SELECT 1 UNION ALL SELECT 2`},
		{"luthier", "orders between 5 and 6 April 2025", `SELECT 3 UNION ALL SELECT 4`},
		{"luthier", "orders 2-5 April 2025", `SELECT 3`},
		{"luthier", "orders in March '25", `SELECT 1 UNION ALL SELECT 2`},
		{"luthier", "how many orders in the last 9 months of 2025", `SELECT 2`},
		{"luthier", "orders in the last 2 hours", `SELECT order_id FROM orders WHERE false`},
	},
	"what groups are compared by is shown": {
		{"luthier", "which buyers spent more than 200", `SELECT full_name FROM buyers WHERE buyer_id < 4`},
		{"luthier", "Which buyers spent more than 200 euros? Name and total.", `SELECT full_name, sum(total) FROM buyers JOIN orders USING (buyer_id) GROUP BY buyer_id HAVING sum(total) > 200`},
		{"luthier", "Which buyers spent less than 1000 euros? Name and buyer id.", `SELECT 'Ida Hahn', 2 UNION ALL SELECT 'Mia Hahnel', 3`},
	},
	"what is said in other words is not dropped": {
		{"luthier", `instruments named ""`, `SELECT * FROM instruments WHERE false`},
		{"luthier", `instruments named " "`, `SELECT * FROM instruments WHERE false`},
		{"luthier", `how many buyers in ""`, ``},
		{"luthier", "orders longer than 5", ``},
		{"luthier", "buyers bigger than 100", ``},
		{"luthier", "how many orders has Otto Hahn lost", ``},
		{"luthier", "best month for cellos", ``},
		{"luthier", "buyers with last name Hahn", ``},
		{"luthier", "buyers of Otto Hahn", ``},
		{"luthier", "buyers with total spending above 500", ``},
		{"luthier", "buyers who paid by card more than twice", ``},
		{"luthier", "Percentage of orders that came by phone", `SELECT 25.0`},
	},
	"true and false are values of flags": {
		{"luthier", "instruments where restored is true", `SELECT 'Lyra Cello' UNION ALL SELECT 'Old Flute'`},
		{"luthier", "how many instruments where restored = false", `SELECT 7`},
		{"luthier", "instruments where stock is true", ``},
	},
	"what begins a name says of no thing what it is": {
		{"luthier", "old instruments", ``},
	},
}

func TestLuthier(t *testing.T) {
	testAsked(t, schemas(t, "luthier"), luthier)
}
