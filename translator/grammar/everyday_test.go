package grammar_test

import "testing"

// everyday are constructions of short questions at work, each shown on three schemas.
var everyday = map[string][]asked{
	"an amount is compared without its name": {
		{"stall", "orders over 1000", `SELECT id FROM orders WHERE total > 1000`},
		{"stall", "orders of more than 1000 euros", `SELECT id FROM orders WHERE total > 1000`},
		{"gym", "unpaid fees over 20", `SELECT id FROM fees WHERE amount > 20 AND paid_on IS NULL AND NOT waived`},
		{"press", "jobs of 300 or more", `SELECT title FROM jobs WHERE amount >= 300`},
		{"academy", "bills between 10 and 50", `SELECT id FROM bills WHERE amount BETWEEN 10 AND 50`},
		{"library", "books over 300", ``},
		{"stall", "orders of more than 3 products", ``},
		{"gym", "fees over 30 days old", ``},
		{"courier", "parcels over 5", ``},
		{"stall", "orders over 2023", ``},
		{"stall", "orders over 1000 euro", `SELECT id FROM orders WHERE total > 1000`},
		{"stall", "orders over 20 people", ``},
		{"stall", "orders over 10%", ``},
	},
	"the last time that somebody did something": {
		{"stall", "when did Ana Sol last order", `SELECT timestamptz '2024-05-01 10:00+00'`},
		{"library", "when did Gil Orr last borrow a book", `SELECT max(lent_on) FROM loans WHERE reader_id = 1`},
		{"library", "when was Low Tide last reserved", `SELECT max(reserved_at) FROM reservations WHERE book_id = 1`},
		{"wards", "when was Mia Frey first admitted", `SELECT date '2024-01-01'`},
		{"gym", "when did Pia Quin last book a session", `SELECT max(booked_at) FROM sessions s JOIN members m ON m.id = s.member_id WHERE m.name = 'Pia Quin'`},
	},
	"whose last one was in a time has none later": {
		{"stall", "customers whose last order was before May 2024", `SELECT name FROM customers WHERE id IN (2, 3)`},
		{"stall", "customers whose last order is more than a year ago", `SELECT name FROM customers WHERE id IN (SELECT customer_id FROM orders GROUP BY 1 HAVING max(ordered_at) < current_date - interval '1 year')`},
		{"library", "readers whose last loan was before 2024", `SELECT name FROM readers WHERE id IN (SELECT reader_id FROM loans GROUP BY 1 HAVING max(lent_on) < '2024-01-01')`},
		{"library", "readers who last borrowed before 2024", `SELECT name FROM readers WHERE id IN (SELECT reader_id FROM loans GROUP BY 1 HAVING max(lent_on) < '2024-01-01')`},
		{"wards", "patients whose last admission is older than 2 years", `SELECT name FROM patients WHERE id IN (SELECT patient_id FROM admissions GROUP BY 1 HAVING max(admitted_on) < current_date - interval '2 years')`},
		{"bazaar", "buyers whose first order was in April 2024", `SELECT b.name FROM buyers b JOIN orders o ON o.buyer_id = b.id GROUP BY b.id, b.name HAVING min(placed_on) >= '2024-04-01' AND min(placed_on) < '2024-05-01'`},
	},
	"how often something was done": {
		{"library", "how often was Low Tide borrowed", `SELECT count(*) FROM loans WHERE book_id = 1`},
		{"library", "how many times did Gil Orr borrow something in 2024", `SELECT count(*) FROM loans WHERE reader_id = 1 AND lent_on BETWEEN '2024-01-01' AND '2024-12-31'`},
		{"stall", "how often was the Kite ordered in 2024", `SELECT count(*) FROM orders o JOIN order_items i ON i.order_id = o.id WHERE product_id = 1 AND ordered_at >= '2024-01-01' AND ordered_at < '2025-01-01'`},
		{"wards", "patients admitted at least twice", `SELECT 'Mia Frey'`},
		{"gym", "methods of fees and how often each one came up", `SELECT method, count(*) FROM fees GROUP BY 1`},
	},
	"what nobody did was never done": {
		{"stall", "products nobody ever ordered", `SELECT name FROM products WHERE id NOT IN (SELECT product_id FROM order_items)`},
		{"library", "books nobody has ever borrowed", `SELECT title FROM books WHERE id NOT IN (SELECT book_id FROM loans)`},
		{"bazaar", "wares that nobody bought in 2024", `SELECT name FROM wares WHERE id NOT IN (SELECT ware_id FROM order_lines l JOIN orders o ON o.id = l.order_id WHERE placed_on BETWEEN '2024-01-01' AND '2024-12-31')`},
	},
	"what is left out is left out of what is added up": {
		{"bazaar", "top 2 buyers by total, void orders left out", `SELECT b.name, sum(total) FROM buyers b JOIN orders o ON o.buyer_id = b.id WHERE state <> 'void' GROUP BY b.id, b.name ORDER BY 2 DESC LIMIT 2`},
		{"bazaar", "top 2 buyers by total, void ones don't count", `SELECT b.name, sum(total) FROM buyers b JOIN orders o ON o.buyer_id = b.id WHERE state <> 'void' GROUP BY b.id, b.name ORDER BY 2 DESC LIMIT 2`},
		{"bazaar", "number of order lines per ware, void orders left out", `SELECT 'Lamp', 1 UNION ALL SELECT 'Rake', 1`},
		{"bazaar", "number of orders per buyer (no void ones)", `SELECT b.name, count(*) FROM buyers b JOIN orders o ON o.buyer_id = b.id WHERE state <> 'void' GROUP BY b.id, b.name`},
		{"courier", "number of parcels per courier (no cancelled ones)", `SELECT 'Abe Cole', 2 UNION ALL SELECT 'Bea Dunn', 1 UNION ALL SELECT 'Cal Eads', 1`},
		{"gym", "total amount of fees by method, without the waived ones", `SELECT method, sum(amount) FROM fees WHERE NOT waived GROUP BY 1`},
	},
	"the second of an order": {
		{"library", "second longest book", `SELECT title FROM books ORDER BY pages DESC OFFSET 1 LIMIT 1`},
		{"stall", "the third cheapest product", `SELECT 'Drum'`},
		{"press", "second most expensive machine", `SELECT 'Ibis'`},
		{"bazaar", "verdicts of the second most expensive ware", `SELECT 1`},
		{"stall", "second most expensive product of each category", `SELECT 'toys', 'Kite', 20`},
	},
	"an amount may have the sign of its currency": {
		{"stall", "orders over $50", `SELECT id FROM orders WHERE total > 50`},
	},
	"who left first": {
		{"ferry", "which sailor left first", `SELECT first_name, last_name FROM sailors WHERE left_on IS NOT NULL ORDER BY left_on LIMIT 1`},
		{"ferry", "arriving ships", ``},
	},
	"what comes first is what has the most": {
		{"ferry", "ships by number of defects, most first", `SELECT s.name, count(*) FROM ships s JOIN defects d ON d.ship_id = s.id GROUP BY s.id, s.name ORDER BY 2 DESC`},
		{"ferry", "ships with their number of defects, largest first", `SELECT s.name, count(*) FROM ships s JOIN defects d ON d.ship_id = s.id GROUP BY s.id, s.name ORDER BY 2 DESC`},
		{"ferry", "ships by number of trips, fewest first", `SELECT s.name, count(*) FROM ships s JOIN trips t ON t.ship_id = s.id GROUP BY s.id, s.name ORDER BY 2`},
		{"library", "books by number of loans, highest first", `SELECT b.title, count(*) FROM books b JOIN loans l ON l.book_id = b.id GROUP BY b.id, b.title ORDER BY 2 DESC`},
		{"stall", "customers by number of orders, best first", `SELECT c.name, count(*) FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.id, c.name ORDER BY 2 DESC`},
		{"stall", "customers by orders made, most first", ``},
	},
	"what is so, in percent": {
		{"gym", "waived fees in % per method", `SELECT method, 100.0 * count(*) FILTER (WHERE waived) / count(*) FROM fees GROUP BY 1`},
		{"gym", "waived fees in percent", `SELECT 100.0 * count(*) FILTER (WHERE waived) / count(*) FROM fees`},
		{"ferry", "closed defects in % per ship", `SELECT s.name, 100.0 * count(*) FILTER (WHERE d.closed_at IS NOT NULL) / count(*) FROM ships s JOIN defects d ON d.ship_id = s.id GROUP BY s.id, s.name`},
		{"gym", "fees in percent", ``},
		{"ferry", "ships in percent", ``},
	},
	"marks are stars": {
		{"stall", "5 star reviews", `SELECT id FROM reviews WHERE rating = 5`},
		{"office", "how many opinions with 2 stars or less", `SELECT count(*) FROM opinions WHERE rating <= 2`},
		{"bazaar", "verdicts with at least 4 stars", `SELECT id FROM verdicts WHERE rating >= 4`},
	},
	"the same time of last year": {
		{"library", "loans this month compared with the same month last year", `SELECT count(*) FILTER (WHERE lent_on >= date_trunc('month', current_date)), count(*) FILTER (WHERE lent_on < date_trunc('month', current_date)) FROM loans WHERE date_trunc('month', lent_on) IN (date_trunc('month', current_date), date_trunc('month', current_date) - interval '1 year')`},
		{"stall", "orders this year vs the same period last year", `SELECT count(*) FILTER (WHERE ordered_at >= date_trunc('year', current_date)), count(*) FILTER (WHERE ordered_at < current_date + interval '1 day' - interval '1 year' AND ordered_at >= date_trunc('year', current_date) - interval '1 year') FROM orders`},
		{"ferry", "cruises this year vs the same period last year", `SELECT count(*) FILTER (WHERE cruised_on >= date_trunc('year', current_date)), count(*) FILTER (WHERE cruised_on >= date_trunc('year', current_date) - interval '1 year' AND cruised_on < current_date + interval '1 day' - interval '1 year') FROM cruises`},
		{"ferry", "cruises this month compared with the same month last year", `SELECT count(*) FILTER (WHERE cruised_on >= date_trunc('month', current_date)), count(*) FILTER (WHERE cruised_on >= date_trunc('month', current_date) - interval '1 year' AND cruised_on < date_trunc('month', current_date) - interval '11 months') FROM cruises`},
		{"courier", "complaints in 2024 compared with the same period a year before", `SELECT count(*) FILTER (WHERE extract(year FROM filed_on) = 2024), count(*) FILTER (WHERE extract(year FROM filed_on) = 2023) FROM complaints`},
	},
	"different ones are counted once": {
		{"stall", "customers with more than 1 different products", `SELECT c.name FROM customers c JOIN orders o ON o.customer_id = c.id JOIN order_items i ON i.order_id = o.id GROUP BY c.id, c.name HAVING count(DISTINCT product_id) > 1`},
		{"library", "readers with at least 2 different books", `SELECT r.name FROM readers r JOIN loans l ON l.reader_id = r.id GROUP BY r.id, r.name HAVING count(DISTINCT book_id) >= 2`},
		{"gym", "members with more than 1 different trainers", `SELECT m.name FROM members m JOIN sessions s ON s.member_id = m.id GROUP BY m.id, m.name HAVING count(DISTINCT s.trainer_id) > 1`},
	},
	"in every month is no list of months": {
		{"stall", "customers who ordered in every quarter of last year", ``},
		{"library", "readers who borrowed in each month of 2024", ``},
		{"wards", "patients who were admitted in every month of 2024", ``},
	},
	"who serves longest came first": {
		{"academy", "longest serving tutor still with us", `SELECT name FROM tutors WHERE left_on IS NULL ORDER BY hired_on LIMIT 1`},
		{"depot", "longest serving driver", `SELECT name FROM drivers WHERE left_on IS NULL ORDER BY hired_on LIMIT 1`},
		{"harbour", "longest serving pilot", `SELECT name FROM pilots WHERE gone_on IS NULL ORDER BY hired_on LIMIT 1`},
	},
	"a verb may say that a flag holds": {
		{"allotment", "how many gardeners get the newsletter", `SELECT 2`},
		{"ferry", "captains who want reminders", `SELECT 'Dee Eads'`},
		{"studio", "artists who get a discount", `SELECT 'Gil Hale'`},
	},
	"since when something is so tells that it is": {
		{"allotment", "plots out of use", `SELECT 'P-2'`},
		{"ferry", "how many ships are on loan", `SELECT 1`},
		{"studio", "microphones in repair", `SELECT name FROM microphones WHERE id IN (2, 3)`},
	},
	"a flag is not so where something is lacking": {
		{"clinic", "patients without insurance", `SELECT "fullName" FROM "Patients" WHERE NOT insured`},
		{"press", "proofs without approval", `SELECT id FROM proofs WHERE NOT approved`},
		{"office", "how many opinions with 5 stars", `SELECT 1`},
	},
	"ten percent is 0.1 where a column holds shares": {
		{"allotment", "leases with a rebate above 5%", `SELECT id FROM leases WHERE rebate > 0.05`},
		{"allotment", "how many leases have a rebate of 10 percent", `SELECT 1`},
		{"ferry", "trips with a commission of at least 10 %", `SELECT id FROM trips WHERE commission >= 0.1`},
		{"ferry", "trips with a commission between 4 and 12.5%", `SELECT id FROM trips WHERE id < 3`},
		{"ferry", "captains with an average commission above 12%", `SELECT 'Dee Eads'`},
		{"studio", "bookings with a margin above 8%", `SELECT id FROM bookings WHERE margin > 8`},
	},
	"a number in another unit is one of the column's": {
		{"quarry", "blocks heavier than 3 tonnes", `SELECT name FROM blocks WHERE weight_kg > 3000`},
		{"quarry", "blocks with a weight over 5000 kg", `SELECT name FROM blocks WHERE weight_kg > 5000`},
		{"quarry", "how many blocks weigh more than 2 tons", ``}, // of 907 or of 1000 kg
		{"quarry", "blocks with a height of at least 200 cm", `SELECT name FROM blocks WHERE height_m >= 2`},
		{"quarry", "blocks with a height above 10 feet", `SELECT name FROM blocks WHERE height_m > 3.048`},
		{"quarry", "blocks with a height above 3 kg", ``},
		{"quarry", "cuts longer than 200 minutes", `SELECT id FROM cuts WHERE hours > 200 / 60.0`},
		{"quarry", "cuts with a depth between 1 and 2 metres", `SELECT id FROM cuts WHERE depth BETWEEN 100 AND 200`},
		{"quarry", "cuts with a width above 15 mm", `SELECT id FROM cuts WHERE width > 15`},
	},
	"two kinds of things are counted each for itself": {
		{"allotment", "how many gardeners and plots are there", `SELECT 3, 3`},
		{"ferry", "number of captains and ships", `SELECT 2, 2`},
		{"studio", "how many bookings in January 2024 and how many faults", `SELECT 1, 3`},
		{"studio", "how many artists and bookings in 2024", ``},
		{"ferry", "number of trips and captains by month", ``},
		{"ferry", "trips per ship and captain", `SELECT s.name, c.name, count(*) FROM trips t JOIN ships s ON s.id = t.ship_id JOIN captains c ON c.id = t.captain_id GROUP BY 1, 2`},
		{"allotment", "number of leases per plot and gardeners", ``},
	},
	"what goes on is counted for each": {
		{"allotment", "how many complaints are still open", `SELECT 3`},
		{"allotment", "open complaints per gardener", `SELECT 'Ann Bell', 2 UNION ALL SELECT 'Cy Dorn', 1`},
		{"ferry", "open defects by ship", `SELECT 'Gull', 2 UNION ALL SELECT 'Heron', 1`},
		{"studio", "open faults per microphone", `SELECT 'M2', 1 UNION ALL SELECT 'M3', 1`},
	},
	"what is included is said by the flag of it": {
		{"allotment", "which leases include water", `SELECT id FROM leases WHERE water_included`},
		{"allotment", "leases with water included", `SELECT id FROM leases WHERE water_included`},
		{"ferry", "trips that include a meal", `SELECT id FROM trips WHERE meal_included`},
		{"ferry", "how many trips include a meal", `SELECT 2`},
		{"studio", "bookings with an engineer", `SELECT id FROM bookings WHERE engineer_included`},
	},
	"stock is as many as there are of it": {
		{"allotment", "total stock", `SELECT 18`},
		{"allotment", "stock per shed", `SELECT 'North', 7 UNION ALL SELECT 'South', 11`},
		{"ferry", "total stock per depot", `SELECT 'East Quay', 7 UNION ALL SELECT 'West Quay', 11`},
		{"ferry", "parts out of stock", `SELECT 'Bolt'`},
		{"studio", "how many cables are out of stock", `SELECT 1`},
		{"studio", "stock per room in pieces", `SELECT 'Red Room', 7 UNION ALL SELECT 'Blue Room', 11`},
	},
	"people are who they are where there is one kind": {
		{"allotment", "how many people work here", `SELECT 3`},
		{"ferry", "number of people per depot", `SELECT 'East Quay', 1 UNION ALL SELECT 'West Quay', 2`},
		{"studio", "everyone in the Blue Room", `SELECT first_name, last_name FROM workers WHERE id IN (2, 3)`},
	},
	"days are added up": {
		{"allotment", "absence days per helper", `SELECT 'Hal', 'Ives', 2 UNION ALL SELECT 'Ida', 'Jost', 7 UNION ALL SELECT 'Kai', 'Lutz', 5`},
		{"allotment", "helpers with absences", `SELECT 'Hal', 'Ives' UNION ALL SELECT 'Ida', 'Jost' UNION ALL SELECT 'Kai', 'Lutz'`},
		{"ferry", "training days by month", `SELECT date '2024-01-01', 5 UNION ALL SELECT date '2024-02-01', 4`},
		{"studio", "holiday days per worker", `SELECT 'Nia', 'Orr', 2 UNION ALL SELECT 'Oda', 'Pohl', 7`},
	},
	"the value of things is their amount": {
		{"stall", "average order value", `SELECT avg(total) FROM orders`},
		{"ferry", "average charter value by ship", `SELECT 'Gull', 300 UNION ALL SELECT 'Heron', 300`},
		{"studio", "highest sale value", `SELECT 500`},
		{"ferry", "ships by charter value", ``},
		{"stall", "how many orders in 2024, and total amount", `SELECT count(*), sum(total) FROM orders WHERE ordered_at >= '2024-01-01' AND ordered_at < '2025-01-01'`},
	},
	"a share in percent is out of a hundred": {
		{"allotment", "share of gardeners with newsletter in percent", `SELECT 100.0 * 2 / 3`},
		{"studio", "share of bookings with an engineer in percent", `SELECT 100.0 * 2 / 3`},
		{"ferry", "share of trips with a meal in percent", `SELECT 100.0 * 2 / 3`},
		{"ferry", "share of trips with a meal", `SELECT 200 / 3.0`},
	},
	"who leaves on a day to come is still there": {
		{"allotment", "helpers per shed", `SELECT 'North', 1 UNION ALL SELECT 'South', 2`},
		{"ferry", "how many sailors", `SELECT 3`},
		{"studio", "list the workers", `SELECT first_name, last_name FROM workers WHERE id < 4`},
	},
	"who is asked for is not what was said": {
		{"allotment", "who is North", ``},
		{"ferry", "who is Rope", ``},
		{"studio", "who is the Blue Room", ``},
	},
}

func TestEveryday(t *testing.T) {
	testAsked(t, schemas(t, "stall", "library", "gym", "press", "academy", "wards", "bazaar", "courier", "office", "depot", "harbour", "clinic", "allotment", "ferry", "studio", "quarry"), everyday)
}
