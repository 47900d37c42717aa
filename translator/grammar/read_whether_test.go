package grammar_test

import "testing"

// whether are questions that begin with a verb or a preposition, and what nobody did.
var whether = map[string][]asked{
	"is any so": {
		{"lodge", "is any cabin in the Tower occupied", ``},
		{"kennel", "is any stay over 45 still unpaid", `SELECT true`},
		{"library", "are any books by Ursula Bell over 10", ``},
		{"stall", "is there an order over 100 that is still open", ``},
		{"allotment", "is any plot out of use", `SELECT true`},
		{"ferry", "is there any defect of Gull still open", `SELECT true`},
		{"ferry", "are any defects still open", `SELECT true`},
	},
	"did somebody do it": {
		{"library", "did Gil Orr borrow a book in 2024", `SELECT EXISTS (SELECT FROM loans WHERE reader_id = 1 AND lent_on BETWEEN '2024-01-01' AND '2024-12-31')`},
		{"library", "has Gil Orr ever borrowed anything", `SELECT EXISTS (SELECT FROM loans WHERE reader_id = 1)`},
		{"library", "was Low Tide ever borrowed", `SELECT EXISTS (SELECT FROM loans WHERE book_id = 1)`},
		{"stall", "did Ana Sol order anything in 2024", `SELECT EXISTS (SELECT FROM orders WHERE customer_id = 1 AND ordered_at >= '2024-01-01' AND ordered_at < '2025-01-01')`},
		{"stall", "has Ana Sol ever had an order", `SELECT EXISTS (SELECT FROM orders WHERE customer_id = 1)`},
		{"wards", "has Mia Frey ever had an admission", `SELECT EXISTS (SELECT FROM admissions WHERE patient_id = 1)`},
		{"ferry", "did Dee Eads have a trip in 2024", `SELECT true`},
		{"stall", "did Ana Sol leave", ``},
	},
	"more of it than in another time": {
		{"library", "did we have more loans in 2024 than in 2023", `SELECT count(*) FILTER (WHERE extract(year FROM lent_on) = 2024), count(*) FILTER (WHERE extract(year FROM lent_on) = 2023) FROM loans`},
		{"ferry", "were there fewer cruises this month than last month", `SELECT count(*) FILTER (WHERE cruised_on >= date_trunc('month', current_date)), count(*) FILTER (WHERE cruised_on >= date_trunc('month', current_date) - interval '1 month' AND cruised_on < date_trunc('month', current_date)) FROM cruises`},
		{"ferry", "cruises this year vs the year before", `SELECT count(*) FILTER (WHERE cruised_on >= date_trunc('year', current_date)), count(*) FILTER (WHERE cruised_on >= date_trunc('year', current_date) - interval '1 year' AND cruised_on < date_trunc('year', current_date)) FROM cruises`},
		{"ferry", "cruises in the last 12 months vs the 12 months before that", `SELECT count(*) FILTER (WHERE cruised_on >= current_date - interval '12 months'), count(*) FILTER (WHERE cruised_on < current_date - interval '12 months' AND cruised_on >= current_date - interval '24 months') FROM cruises`},
		{"ferry", "did more sailors leave in 2023 than in 2022", `SELECT 1, 0`},
		{"library", "did more readers borrow in 2024 than in 2023", ``},
		{"stall", "did we have more orders than customers", ``},
		{"stall", "did we have more orders in May", ``},
	},
	"what nobody does is done by none": {
		{"library", "which books has nobody borrowed", `SELECT title FROM books WHERE id NOT IN (SELECT book_id FROM loans)`},
		{"stall", "is there a product nobody has ordered", `SELECT EXISTS (SELECT 1 FROM products WHERE id NOT IN (SELECT product_id FROM order_items))`},
		{"lodge", "cabins nobody keeps", `SELECT 4`},
		{"bazaar", "wares that nobody has ordered", `SELECT name FROM wares WHERE id NOT IN (SELECT ware_id FROM order_lines)`},
	},
	"both numbers are asked for": {
		{"ferry", "how many defects are open and how many are closed", `SELECT 3, 2`},
		{"ferry", "how many trips have a meal included and how many do not", ``},
		{"lodge", "how many repairs are insured and how many are not", `SELECT 3, 2`},
		{"lodge", "how many dues are paid and how many of them are not", `SELECT 3, 2`},
		{"lodge", "how many dues are paid and how many are unpaid", `SELECT 3, 2`},
		{"lodge", "how many visitors are female and how many are male", `SELECT 2, 2`},
		{"lodge", "how many cabins are there and how many are not", ``},
	},
	"kinds are compared by their names": {
		{"lodge", "huts vs barns", ``},
		{"ferry", "drinks vs meals", `SELECT 'drink', 2 UNION ALL SELECT 'meal', 1`},
		{"ferry", "how many drinks and how many meals", `SELECT 'drink', 2 UNION ALL SELECT 'meal', 1`},
	},
	"only such is such, and none that is not": {
		{"ferry", "trips with only drink purchases", `SELECT * FROM trips t WHERE EXISTS (SELECT 1 FROM purchases WHERE trip_id = t.id) AND NOT EXISTS (SELECT 1 FROM purchases WHERE trip_id = t.id AND item <> 'drink')`},
		{"lodge", "helpers who only did insured repairs", ``},
		{"lodge", "visitors who only have unpaid dues", `SELECT full_name FROM visitors v WHERE EXISTS (SELECT 1 FROM dues WHERE visitor_id = v.visitor_id) AND NOT EXISTS (SELECT 1 FROM dues WHERE visitor_id = v.visitor_id AND paid_on IS NOT NULL)`},
		{"stall", "customers with only 2 orders", `SELECT name FROM customers WHERE id IN (SELECT customer_id FROM orders GROUP BY 1 HAVING count(*) = 2)`},
	},
	"a flag tells what is so now": {
		{"lodge", "how many repairs are insured at the moment", ``},
		{"allotment", "which gardeners get the newsletter at the moment", `SELECT name FROM gardeners WHERE newsletter`},
		{"ferry", "captains not getting reminders", `SELECT 'Ed Frey'`},
		{"lodge", "repairs not insured", `SELECT repair_id FROM repairs WHERE NOT insured`},
		{"ferry", "ships not on loan", `SELECT name FROM ships WHERE on_loan_since IS NULL`},
	},
	"are in each is per": {
		{"ferry", "how many sailors are in each depot", `SELECT 'East Quay', 1 UNION ALL SELECT 'West Quay', 2`},
		{"library", "how many readers are there in each town", `SELECT town, count(*) FROM readers GROUP BY 1`},
		{"wards", "how many beds are on each ward", `SELECT name, beds FROM wards`},
	},
	"in which of them there are some": {
		{"lodge", "in which cabins do we have more than 2 bookings", `SELECT 1 WHERE false`},
		{"ferry", "on which ships do we have the most defects", `SELECT 'Gull'`},
		{"library", "in how many towns do our readers live", `SELECT count(DISTINCT town) FROM readers`},
		{"lodge", "in which cabins were there no bookings", `SELECT 1 WHERE false`},
	},
}

func TestWhether(t *testing.T) {
	testAsked(t, schemas(t, "lodge", "kennel", "library", "stall", "allotment", "ferry", "wards", "bazaar"), whether)
}
