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
	"a word with the first letter of its table is whole": {
		{"soaps", "scent of Tide", `SELECT 'salt'`},
	},
}

func TestWordings(t *testing.T) {
	testAsked(t, schemas(t, "soaps", "dogs", "stall", "courier"), wordings)
}
