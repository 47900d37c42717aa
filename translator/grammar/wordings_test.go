package grammar_test

import "testing"

// wordings are everyday forms of questions whose pieces are read elsewhere, each on schemas that have nothing in common.
var wordings = map[string][]asked{
	"an order said behind is one of the count, or of the one measure": {
		{"dogs", "members by house, largest first", `SELECT h.name, count(*) FROM members m JOIN houses h ON h.id = m.house_id GROUP BY 1 ORDER BY 2 DESC`},
		{"dogs", "members by house, smallest first", `SELECT h.name, count(*) FROM members m JOIN houses h ON h.id = m.house_id GROUP BY 1 ORDER BY 2`},
		{"dogs", "members by house, biggest group on top", `SELECT h.name, count(*) FROM members m JOIN houses h ON h.id = m.house_id GROUP BY 1 ORDER BY 2 DESC`},
		{"soaps", "orders by carrier, most on top", `SELECT c.name, count(*) FROM orders o JOIN carriers c ON c.id = o.carrier_id GROUP BY 1 ORDER BY 2 DESC`},
		{"soaps", "how many orders per status, most common first", `SELECT status, count(*) FROM orders GROUP BY 1 ORDER BY 2 DESC`},
		{"soaps", "revenue per customer, best on top", `SELECT c.name, sum(total) FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY 1 ORDER BY 2 DESC`},
		{"soaps", "revenue per customer, worst on top", `SELECT c.name, sum(total) FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY 1 ORDER BY 2`},
		{"courier", "complaints by reason, worst on top", ``},
		{"soaps", "carriers by number of orders, worst first", ``},
	},
	"what is the most common is counted": {
		{"soaps", "return reasons, most frequent first", `SELECT 'too strong', 2 UNION ALL SELECT 'broken', 1 ORDER BY 2 DESC`},
		{"soaps", "return reasons in August 2024, most common first", `SELECT 'too strong', 2 UNION ALL SELECT 'broken', 1 ORDER BY 2 DESC`},
		{"dogs", "diagnoses, most common first", `SELECT 'sprain', 2 UNION ALL SELECT 'ticks', 1 ORDER BY 2 DESC`},
		{"dogs", "breeds, rarest first", `SELECT breed, count(*) FROM dogs GROUP BY 1 ORDER BY 2`},
		{"courier", "reasons of complaints, most common first", `SELECT reason, count(*) FROM complaints GROUP BY 1 ORDER BY 2 DESC`},
		{"soaps", "customers, most frequent first", ``},
		{"soaps", "soaps, most common first", ``},
		{"soaps", "return reasons, rarest first", ``},
	},
	"what is used the most is counted by the only rows that refer to it": {
		{"soaps", "which discount code is used the most", `SELECT 'SPRING'`},
		{"soaps", "most used discount code", `SELECT 'SPRING'`},
		{"soaps", "which carrier was used most in August 2024", `SELECT 'Heron'`},
		{"soaps", "top 2 most used discount codes", `SELECT 'SPRING', 2 UNION ALL SELECT 'LOYAL', 1`},
		{"soaps", "most common return reason", `SELECT 'too strong'`},
		{"dogs", "which house is used the most", `SELECT 'North'`},
		{"soaps", "which customer is used the most", ``},
		{"soaps", "most used soap", ``},
		{"soaps", "most popular carrier", ``},
		{"soaps", "which discount codes are used the least", ``},
		{"dogs", "most used dog", ``},
	},
	"how many of the most common are wanted may stand before": {
		{"dogs", "2 most common dog breeds", `SELECT 'Boxer', 4 UNION ALL SELECT 'Spitz', 3`},
		{"dogs", "top 1 diagnoses", `SELECT 'sprain'`},
		{"dogs", "top 5 diagnoses", `SELECT 'sprain', 2 UNION ALL SELECT 'ticks', 1`},
		{"soaps", "top 2 most common scents", `SELECT 'lavender', 2 UNION ALL SELECT 'salt', 1`},
		{"dogs", "top 5 most booked class types", `SELECT 'Agility', 3 UNION ALL SELECT 'Puppy', 1 UNION ALL SELECT 'Recall', 1`},
		{"soaps", "most reviewed soap", `SELECT 'Meadow'`},
		{"dogs", "top 3 breeds", ``},
		{"stall", "most ordered product", ``},
		{"soaps", "2 most returned soaps", ``},
	},
	"a limit said behind a superlative takes the place of its one": {
		{"soaps", "who spent the most", `SELECT 'Bea Clay'`},
		{"soaps", "who spent the most, top 2", `SELECT 'Bea Clay', 105 UNION ALL SELECT 'Ada Birch', 50`},
		{"soaps", "who spent most in August 2024, top 5", `SELECT 'Bea Clay', 105 UNION ALL SELECT 'Ada Birch', 50`},
		{"stall", "which customers spent the most, top 2", `SELECT 'Ana Sol', 1590 UNION ALL SELECT 'Ben Tor', 1200`},
		{"soaps", "which soap has the highest price (top 2)", `SELECT 'Grove', 8 UNION ALL SELECT 'Tide', 7`},
		{"soaps", "cheapest soap, top 2", `SELECT 'Meadow', 6 UNION ALL SELECT 'Tide', 7`},
		{"soaps", "busiest weekday for orders, top 1", `SELECT 'Monday', 3`},
		{"dogs", "most common diagnosis, top 2", `SELECT 'sprain', 2 UNION ALL SELECT 'ticks', 1`},
		{"library", "who borrowed most often, top 2", `SELECT 'Gil Orr', 3 UNION ALL SELECT 'Jon Reed', 2`},
		{"soaps", "who spent the most, bottom 2", ``},
		{"soaps", "who ordered the most, top 2", ``},
		{"soaps", "latest order of each customer, top 2", ``},
		{"soaps", "number of customers, top 2", ``},
		{"outfitter", "who earned the most, top 2", ``},
	},
	"how many there are and what they are worth": {
		{"soaps", "cancelled orders in the last 60 days, how many and what were they worth", `SELECT count(*), sum(total) FROM orders WHERE status = 'cancelled' AND ordered_at >= current_date - 60`},
		{"soaps", "orders in August 2024, how many and how much were they worth", `SELECT 4, 155`},
		{"dogs", "vet visits in July 2024, how many and what were they worth", `SELECT 4, 115`},
		{"soaps", "returns in August 2024, how many and what were they worth", ``},
	},
	"all things are things, and who asks politely asks the same": {
		{"bazaar", "list all wares that nobody bought in 2024", `SELECT name FROM wares WHERE id NOT IN (SELECT ware_id FROM order_lines l JOIN orders o ON o.id = l.order_id WHERE placed_on BETWEEN '2024-01-01' AND '2024-12-31')`},
		{"bazaar", "list wares above 25 pls", `SELECT 'Lantern'`},
		{"smithy", "list all tools repaired in March 2024", `SELECT DISTINCT t.name FROM tools t JOIN tool_repairs r ON r.tool_id = t.id WHERE repaired_on BETWEEN '2024-03-01' AND '2024-03-31'`},
		{"library", "show me all the readers who borrowed books in 2024", `SELECT name FROM readers WHERE id IN (SELECT reader_id FROM loans WHERE lent_on BETWEEN '2024-01-01' AND '2024-12-31')`},
		{"courier", "couriers with a phone please", `SELECT name FROM couriers WHERE phone IS NOT NULL`},
		{"stall", "products whose name contains roo, pls", `SELECT 'Broom'`},
		{"dogs", "dogs that never had a vet visit, how many", `SELECT 6`},
		{"stall", "list all 2 products with the worst rating", `SELECT 'Drum', 2 UNION ALL SELECT 'Kite', 4`},
		{"bazaar", "please delete all wares", toBeDone},
	},
	"a word with the first letter of its table is whole": {
		{"soaps", "scent of Tide", `SELECT 'salt'`},
	},
}

func TestWordings(t *testing.T) {
	testAsked(t, schemas(t, "soaps", "dogs", "stall", "courier", "library", "bazaar", "smithy", "outfitter"), wordings)
}
