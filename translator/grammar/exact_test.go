package grammar_test

import "testing"

// exact are questions that sound easy and whose words a reading can leave out or stretch; each is right or refused.
var exact = map[string][]asked{
	"each number of the question is in the answer": {
		{"pottery", "when was order 2 delivered", ``},
		{"ferry", "when was cruise 3 cruised", ``},
		{"pottery", "orders over 500", `SELECT id FROM orders WHERE total_price > 500`},
		{"ferry", "trips with a commission between 4 and 12.5%", `SELECT id FROM trips WHERE id < 3`},
	},
	"a rating is no rate": {
		{"pottery", "cheapest supplier", ``},
		{"pottery", "most expensive supplier", ``},
		{"pottery", "best rated supplier", `SELECT 'Clay & Co'`},
	},
	"hours are not an hourly rate": {
		{"pottery", "which painter worked the most hours", `SELECT p.name FROM painters p JOIN paintings g ON g.painter_id = p.id GROUP BY p.id, p.name ORDER BY sum(hours) DESC LIMIT 1`},
		{"pottery", "hours per painter", `SELECT p.name, sum(hours) FROM painters p JOIN paintings g ON g.painter_id = p.id GROUP BY p.id, p.name`},
		{"pottery", "average hourly rate", `SELECT avg(hourly_rate) FROM painters`},
	},
	"a mass is not counted in rows": {
		{"pottery", "which supplier delivered the most clay", ``},
		{"pottery", "clay used per outcome", ``},
		{"pottery", "which supplier has the most lots", `SELECT 'Clay & Co'`},
		{"stall", "which supplier has the least stock", ``},
	},
	"an amount is of the thing itself": {
		{"pottery", "total cost of clay lots", ``},
		{"pottery", "total cost of firings", ``},
		{"pottery", "cost of clay lots", ``},
	},
	"of several amounts none is the one": {
		{"pottery", "what is the average price", ``},
		{"pottery", "average weight", twoReadings},
		{"pottery", "average total price", `SELECT avg(total_price) FROM orders`},
	},
	"what was summed up without a time is summed up anew for one": {
		{"stall", "top 2 products by revenue in 2024", `SELECT 'Broom', 120 UNION ALL SELECT 'Kite', 60`}, // and not of those added then
		{"stall", "revenue per product in 2024", `SELECT 'Broom', 120 UNION ALL SELECT 'Kite', 60 UNION ALL SELECT 'Drum', 30`},
		{"stall", "revenue by category in 2024", `SELECT 'home', 120 UNION ALL SELECT 'toys', 90`},
		{"stall", "revenue of toys in 2024", `SELECT 90`},
		{"stall", "which product made the most revenue in May 2024", `SELECT 'Drum'`},
		{"stall", "revenue in 2024", `SELECT sum(revenue) FROM monthly_sales WHERE month >= '2024-01-01' AND month < '2025-01-01'`},
		{"stall", "revenue per product", `SELECT product, revenue FROM product_sales`},
	},
	"what nothing is written of is un-": {
		{"stall", "unreviewed products", `SELECT 'Broom'`},
		{"stall", "how many unreviewed products", `SELECT 1`},
		{"stall", "unreviewed products added in 2024", `SELECT name FROM products WHERE false`},
	},
	"what is kept by the month tells of no week and no day": {
		{"stall", "revenue since 10 April 2024", `SELECT sum(total) FROM orders WHERE ordered_at >= '2024-04-10'`},
		{"stall", "revenue by week", `SELECT date_trunc('week', ordered_at)::date, sum(total) FROM orders GROUP BY 1`},
		{"stall", "revenue since April 2024", `SELECT sum(revenue) FROM monthly_sales WHERE month >= '2024-04-01'`},
	},
	"a name is no number": {
		{"pottery", "number per maker", ``},
		{"ferry", "number per depot", ``},
		{"pottery", "number of pots per order", `SELECT order_id, count(*) FROM pots GROUP BY 1`},
	},
	"what is late may still be open": {
		{"pottery", "list all orders that are late", ``},
		{"pottery", "orders delivered late", `SELECT 1`},
		{"courier", "parcels delivered late", `SELECT 2`},
		{"pottery", "orders overdue today", `SELECT 3`},
	},
	"things are told apart where many have one name": {
		{"pottery", "heaviest pot", `SELECT id, name FROM pots ORDER BY weight_kg DESC LIMIT 1`},
		{"pottery", "the 2 lightest pots", `SELECT id, name FROM pots ORDER BY weight_kg LIMIT 2`},
		{"library", "longest book", `SELECT 'Night Ferry'`},
	},
	"with something is the contrary of without it": {
		{"pottery", "pots with a mark", `SELECT id, name FROM pots WHERE mark IS NOT NULL`},
		{"pottery", "how many pots have a mark", `SELECT 12`},
		{"wards", "patients with phone", `SELECT name FROM patients WHERE phone IS NOT NULL`},
		{"wards", "patients with email and phone", `SELECT name, email, phone FROM patients`},
		{"wards", "patients with their phone", `SELECT name, phone FROM patients`},
		{"courier", "couriers with a phone", `SELECT name FROM couriers WHERE phone IS NOT NULL`},
	},
	"who left is not everybody": {
		{"pottery", "makers who left", `SELECT 'Ria Vos'`},
		{"depot", "drivers who left", `SELECT name FROM drivers WHERE left_on IS NOT NULL`},
		{"clinic", "doctors who left", ``},
		{"library", "readers who left", ``},
	},
	"of one there is no average": {
		{"pottery", "average total price per order", `SELECT avg(total_price) FROM orders`},
		{"fitness", "average amount per fee", `SELECT avg(amount) FROM fees`},
	},
	"people are called by their names": {
		{"pottery", "list the guides", `SELECT first_name, last_name FROM guides`},
		{"pottery", "tours per guest", `SELECT first_name, last_name, count(*) FROM tours t JOIN guests g ON g.id = t.guest_id GROUP BY g.id`},
		{"pottery", "guides of guests born in 1980", `SELECT first_name, last_name FROM guides`},
	},
	"a role is no title": {
		{"pottery", "which helper has the most tours", ``},
		{"pottery", "helpers", `SELECT first_name, last_name FROM guides WHERE job_title = 'helper'`},
		{"pottery", "which guide has the most tours", `SELECT first_name, last_name FROM guides`},
	},
	"what is named so is one": {
		{"pottery", "how many workshops in May 2023", `SELECT count(*) FROM tours t JOIN kinds k ON k.code = t.kind WHERE description = 'Workshop' AND toured_on >= '2023-05-01' AND toured_on < '2023-06-01'`},
		{"pottery", "workshops in May 2023", `SELECT t.id FROM tours t JOIN kinds k ON k.code = t.kind WHERE description = 'Workshop' AND toured_on >= '2023-05-01' AND toured_on < '2023-06-01'`},
		{"pottery", "seats of a workshop", `SELECT 30`},
	},
	"where something happened is not where somebody is": {
		{"pottery", "guests in Rye", ``},
		{"pottery", "guests who toured Rye", `SELECT first_name, last_name FROM guests WHERE id IN (SELECT guest_id FROM tours WHERE town_id = 2)`},
		{"pottery", "tours in Rye", `SELECT id FROM tours WHERE town_id = 2`},
	},
	"sums of money are added up": {
		{"pottery", "total payments per method", `SELECT method, sum(amount) FROM payments GROUP BY 1`},
		{"pottery", "total number of payments per method", `SELECT method, count(*) FROM payments GROUP BY 1`},
		{"tours", "total tickets per band", `SELECT b.name, count(*) FROM tickets t JOIN concerts c ON c.id = t.concert_id JOIN bands b ON b.id = c.band_id GROUP BY b.id, b.name`},
	},
	"no is no number, others are no value": {
		{"pottery", "no shows in 2023", ``},
		{"pottery", "tours with others", ``},
	},
	"what people do is not when they came": {
		{"wards", "patients not seen in 2024", ``},
		{"wards", "patients seen in 2024", ``},
	},
	"what has a begin and an end lasts": {
		{"pottery", "coupons valid on 2 May 2023", `SELECT 'SPRING'`},
		{"pottery", "coupons valid in June 2023", `SELECT 'SUMMER'`},
		{"pottery", "coupons valid in May 2023", `SELECT code FROM coupons`},
	},
	"kinds of a thing are shown once": {
		{"pottery", "names of pot", `SELECT DISTINCT name FROM pots`},
		{"stall", "categories of product", `SELECT DISTINCT category FROM products`},
		{"stall", "what categories of product do we sell", `SELECT DISTINCT category FROM products`},
	},
	"a total at the end is a sum": {
		{"pottery", "prices of orders in April 2023, total", ``},
		{"pottery", "prices of orders in April 2023, total?", ``},
		{"pottery", "orders in April 2023, total price", `SELECT id, total_price FROM orders WHERE id = 1`},
	},
	"who is to make it so": {
		{"gym", "waive all fees of Pia Quin", toBeDone},
		{"gym", "waived fees", `SELECT id FROM fees WHERE waived`},
		{"library", "block Gil Orr", toBeDone},
		{"library", "blocked readers", `SELECT name FROM readers WHERE blocked`},
	},
	"not paid is unpaid": {
		{"gym", "fees over 20 not paid", `SELECT id FROM fees WHERE amount > 20 AND paid_on IS NULL AND NOT waived`},
	},
	"how something was paid is no status": {
		{"pottery", "share of bills paid with cash", `SELECT 200 / 3.0`},
		{"pottery", "bills paid with cash", `SELECT id FROM bills WHERE method = 'cash'`},
		{"pottery", "open bills", `SELECT 2`},
	},
	"what is said is no answer": {
		{"pottery", "list the workshops", `SELECT t.id FROM tours t JOIN kinds k ON k.code = t.kind WHERE description = 'Workshop'`},
		{"pottery", "show Rye", ``},
		{"pottery", "list the towns called Rye", `SELECT 'Rye'`},
	},
	"in GB is no unit where something holds it": {
		{"pottery", "suppliers in GB", `SELECT 'Clay & Co'`},
	},
}

func TestExact(t *testing.T) {
	testAsked(t, schemas(t, "pottery", "ferry", "stall", "library", "courier", "wards", "depot", "clinic", "fitness", "tours", "gym"), exact)
}
