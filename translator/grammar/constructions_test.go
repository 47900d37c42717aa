package grammar_test

import "testing"

// constructions are ways in which known words go together, each shown on three
// schemas.
var constructions = map[string][]asked{
	"what to show is said last": {
		{"courier", "complaints by reason with total refund", `SELECT reason, sum(refund) FROM complaints GROUP BY 1`},
		{"courier", "two most recent complaints with reason and refund", `SELECT id, reason, refund FROM complaints WHERE id IN (1, 2)`},
		{"courier", "offices with number of couriers", `SELECT 'Harbour', 2 UNION ALL SELECT 'Market', 1`},
		{"gym", "fees by method, how many of each", `SELECT method, count(*) FROM fees GROUP BY 1`},
		{"gym", "members: name and town", `SELECT name, town FROM members`},
		{"gym", "members, name and town only", `SELECT name, town FROM members`},
		{"gym", "fees by method with total", `SELECT method, sum(amount) FROM fees GROUP BY 1`},
		{"gym", "number of fees by method with total", `SELECT method, count(*), sum(amount) FROM fees GROUP BY 1`},
		{"gym", "trainers and their members", ``},
		{"press", "jobs per client with total amount", `SELECT c.name, sum(amount) FROM jobs j JOIN clients c ON c.id = client_id GROUP BY c.id, c.name`},
		{"press", "the 2 newest jobs with paper and machine", `SELECT j.title, j.paper, m.name FROM jobs j JOIN machines m ON m.id = machine_id WHERE j.id IN (2, 4)`},
		{"press", "jobs with their client", `SELECT j.title, c.name FROM jobs j JOIN clients c ON c.id = client_id`},
	},
	"how many, and how much, is said last": {
		{"courier", "complaints in 2024, how many?", `SELECT 2`},
		{"courier", "complaints in 2024: how many and total", `SELECT 2, 13`},
		{"courier", "couriers from Hull, just the number", `SELECT 2`},
		{"gym", "fees paid by card, only the count", `SELECT 3`},
		{"gym", "are there any members from Oslo, and how many?", `SELECT 2`},
		{"gym", "fees in 2024, number and total", `SELECT 3, 110`},
		{"press", "jobs not started, just count", `SELECT 1`},
		{"press", "rush jobs? how many", `SELECT 2`},
		{"press", "glossy jobs, count and total", `SELECT 2, 590`},
	},
	"what holds of all is said last": {
		{"courier", "parcels per courier, cancelled ones not counted", `SELECT 'Abe Cole', 2 UNION ALL SELECT 'Bea Dunn', 1 UNION ALL SELECT 'Cal Eads', 1`},
		{"gym", "number of fees, waived ones excluded", `SELECT 3`},
		{"press", "total amount per client, rush jobs only", `SELECT 'Fern Books', 500 UNION ALL SELECT 'Gale Press', 300`},
	},
	"late is after the day by which it had to be": {
		{"courier", "parcels delivered late", `SELECT 2`},
		{"courier", "late parcels", ``}, // one of them is still open
		{"courier", "late deliveries", `SELECT 2`},
		{"courier", "parcels delivered before the promised date", `SELECT 1`},
		{"courier", "what percentage of parcels was delivered on time", `SELECT 100.0 * 2 / 3`},
		{"courier", "on time rate", `SELECT 100.0 * 2 / 3`},
		{"gym", "fees paid late", `SELECT 1`},
		{"gym", "fees that were paid on or before the due date", `SELECT id FROM fees WHERE id IN (2, 3)`},
		{"gym", "members who paid late", `SELECT 'Pia Quin'`},
		{"gym", "sessions started late", ``},
		{"gym", "fees not paid that were paid late", ``},
		{"courier", "parcels not delivered that were delivered late", ``},
		{"press", "jobs not finished that were finished late", ``},
		{"press", "jobs finished late", `SELECT 'Bible'`},
		{"press", "how many jobs were finished on time", `SELECT 2`},
		{"press", "jobs ordered late", ``},
	},
	"two columns of a row are compared": {
		{"courier", "parcels whose paid is lower than their charge", `SELECT id FROM parcels WHERE paid < charge`},
		{"press", "machines whose price is lower than their scrap value", `SELECT 'Heron'`},
		{"gym", "fees whose due date is after 2024", `SELECT id FROM fees WHERE due_on >= '2025-01-01'`},
	},
	"how long is from one time to another": {
		{"courier", "average days from sending to delivery", `SELECT 11 / 3.0`},
		{"courier", "how long does a crate take on average from sent to delivered", `SELECT 4.0`},
		{"gym", "average days between billed and paid", `SELECT (41 + 19 + 31) / 3.0`},
		{"gym", "average length of sessions in minutes", `SELECT 90.0`},
		{"gym", "how many days after the due date do members pay on average", `SELECT (10 - 10 + 0) / 3.0`},
		{"press", "average hours between order and start", `SELECT 48.0`},
		{"press", "average duration of jobs in days by paper", `SELECT paper, avg(extract(epoch FROM finished_at - started_at) / 86400) FROM jobs GROUP BY 1`},
		{"press", "longest job", `SELECT title, finished_at - started_at FROM jobs WHERE title = 'Bible'`},
		{"press", "average days between order and approval", ``},
	},
	"a share is of all that is not said last": {
		{"courier", "cancellation rate", `SELECT 20.0`},
		{"courier", "broken complaints in percent", `SELECT 100.0 * 2 / 3`},
		{"gym", "cancellation rate of sessions by trainer", `SELECT 'Uma Vale', 0.0 UNION ALL SELECT 'Vic Ware', 50.0`},
		{"gym", "members by gender in percent", `SELECT 'f', 100.0 * 2 / 3 UNION ALL SELECT 'm', 100.0 / 3`},
		{"press", "approval rate", `SELECT 75.0`},
		{"press", "jobs per paper with share", `SELECT paper, count(*), 50.0 FROM jobs GROUP BY 1`},
	},
	"two times are compared side by side": {
		{"courier", "complaints this year vs last year", `SELECT count(*) FILTER (WHERE filed_on >= date_trunc('year', current_date)), count(*) FILTER (WHERE filed_on < date_trunc('year', current_date) AND filed_on >= date_trunc('year', current_date) - interval '1 year') FROM complaints`},
		{"courier", "total refund in 2024 compared with 2023", `SELECT 13, 7`},
		{"gym", "number of fees in 2024 versus 2023", `SELECT 3, 1`},
		{"press", "proofs in 2023 vs 2024", `SELECT 1, 3`},
		{"press", "compare proofs in 2024 with 2023", `SELECT 3, 1`},
	},
	"times that come again divide": {
		{"courier", "number of complaints per weekday", `SELECT to_char(filed_on, 'FMDay'), count(*) FROM complaints GROUP BY 1`},
		{"courier", "which month had the most complaints", `SELECT date '2024-02-01', 2`},
		{"press", "number of proofs by day of the week", `SELECT to_char(sent_on, 'FMDay'), count(*) FROM proofs GROUP BY 1`},
		{"stall", "which month had the most orders in 2024", `SELECT date_trunc('month', ordered_at)::date, count(*) FROM orders WHERE extract(year FROM ordered_at) = 2024 GROUP BY 1 ORDER BY 2 DESC LIMIT 1`},
	},
	"halves and quarters of a year": {
		{"stall", "number of orders in the first half of 2024", `SELECT count(*) FROM orders WHERE ordered_at >= '2024-01-01' AND ordered_at < '2024-07-01'`},
		{"press", "how many proofs were sent in H2 2023", `SELECT count(*) FROM proofs WHERE sent_on >= '2023-07-01' AND sent_on < '2024-01-01'`},
		{"courier", "parcels sent in the second half of last year", `SELECT id FROM parcels WHERE sent_on >= date_trunc('year', now())::date - interval '6 months' AND sent_on < date_trunc('year', now())`},
		{"gym", "how many fees by half", ``},
	},
	"one of two comparisons": {
		{"stall", "products that cost less than 10 or more than 25", `SELECT name FROM products WHERE price < 10 OR price > 25`},
		{"bazaar", "wares with a price below 16 or above 25", `SELECT name FROM wares WHERE price < 16 OR price > 25`},
		{"courier", "parcels with a weight under 2 or over 8", `SELECT id FROM parcels WHERE weight < 2 OR weight > 8`},
	},
	"one done and another not": {
		{"stall", "customers who bought Kite but not Broom", `SELECT name FROM customers c WHERE EXISTS (SELECT FROM orders o JOIN order_items i ON i.order_id = o.id WHERE o.customer_id = c.id AND i.product_id = 1) AND NOT EXISTS (SELECT FROM orders o JOIN order_items i ON i.order_id = o.id WHERE o.customer_id = c.id AND i.product_id = 3)`},
		{"stall", "customers who bought Kite but never Drum", `SELECT name FROM customers c WHERE EXISTS (SELECT FROM orders o JOIN order_items i ON i.order_id = o.id WHERE o.customer_id = c.id AND i.product_id = 1) AND NOT EXISTS (SELECT FROM orders o JOIN order_items i ON i.order_id = o.id WHERE o.customer_id = c.id AND i.product_id = 2)`},
		{"academy", "tutors who teach Light but not Motion", `SELECT 'Abe Cole'`},
		{"bazaar", "buyers who bought Rake but not Lamp", `SELECT name FROM buyers WHERE false`}, // who has no verdict on a lamp may have bought one
		{"bazaar", "buyers who bought Lamp but not Lantern", `SELECT 'Oda Pike'`},
	},
	"of each group one is first": {
		{"courier", "latest parcel of each courier", `SELECT 'Abe Cole', 2, date '2024-02-05' UNION ALL SELECT 'Bea Dunn', 3, '2023-02-05' UNION ALL SELECT 'Cal Eads', 4, '2024-08-01'`},
		{"courier", "heaviest parcel per kind", `SELECT 'letter', 1, 1 UNION ALL SELECT 'crate', 2, 9 UNION ALL SELECT 'bag', 5, 3`},
		{"gym", "latest session of each trainer", `SELECT 'Uma Vale', 2, timestamp '2024-03-02 10:00' UNION ALL SELECT 'Vic Ware', 4, '2023-05-01 08:00'`},
		{"press", "for each paper the most expensive machine", ``},
		{"bazaar", "top 2 buyers by order total per channel", `SELECT 'web', 'Oda Pike', 60 UNION ALL SELECT 'web', 'Pia Quin', 30 UNION ALL SELECT 'shop', 'Oda Pike', 15`},
		{"stall", "top 1 product by price per category", `SELECT 'toys', 'Drum', 30 UNION ALL SELECT 'home', 'Broom', 8`},
		{"stall", "the 2 most expensive products in each category", `SELECT category, name, price FROM products`},
		{"courier", "top 2 parcels per kind by weight", `SELECT kind, id, weight FROM (SELECT kind, id, weight, rank() OVER (PARTITION BY kind ORDER BY weight DESC) r FROM parcels) x WHERE r <= 2`},
		{"bazaar", "best rated ware in each group", `SELECT 'Light', 'Lamp', 5 UNION ALL SELECT 'Lanterns', 'Lantern', 2 UNION ALL SELECT 'Garden', 'Rake', 4`},
		{"bazaar", "when was the first order of each buyer", ``},
		{"press", "cheapest machine by maker", `SELECT 'Roto', 'Ibis', 700`},
	},
	"only one is one of several": {
		{"gym", "members who only ever booked one trainer", ``},
		{"press", "clients who only ever painted one machine", ``},
	},
	"who is told by what he does": {
		{"office", "who plans Tunnel", `SELECT 'Ann Bell'`},
		{"choir", "who conducts Summer", `SELECT 'Jo', 'Gale'`},
		{"depot", "who checks the North route", `SELECT 'Lee Ives'`},
	},
	"what came long ago is old": {
		{"courier", "complaints older than 30 days", `SELECT id FROM complaints WHERE filed_on < current_date - interval '30 days'`},
		{"library", "loans older than 2 years", `SELECT id FROM loans WHERE lent_on < current_date - interval '2 years'`},
		{"press", "proofs older than 6 months", `SELECT id FROM proofs WHERE sent_on < current_date - interval '6 months'`},
		{"gym", "sessions older than 30 days", ``},
	},
	"a time may be so long ago": {
		{"courier", "complaints filed more than 2 years ago", `SELECT id FROM complaints WHERE filed_on < current_date - interval '2 years'`},
		{"gym", "fees due more than 60 days ago", `SELECT id FROM fees`},
		{"library", "loans lent less than 3 weeks ago", `SELECT id FROM loans WHERE lent_on >= current_date - interval '3 weeks'`},
	},
	"but takes away": {
		{"library", "readers with loans but no reservations", `SELECT name FROM readers WHERE id IN (2, 4)`},
		{"gym", "members with fees but without sessions", `SELECT 'Sue Tarn'`},
		{"courier", "couriers with parcels but without phone", `SELECT 'Bea Dunn'`},
	},
	"a kind of thing is called in the singular, too": {
		{"courier", "is there a crate from 2023", twoReadings},
		{"office", "number of opinions per engineer", ``},
		{"depot", "is there a bus with more than 5 seats", `SELECT true`},
		{"choir", "is there a tenor from 2020", `SELECT true`},
		{"office", "is there an engineer hired in 2021", `SELECT true`},
	},
	"a text is in a name": {
		{"courier", "couriers with bea in their name", `SELECT 'Bea Dunn'`},
		{"library", "books with tide in the title", `SELECT 'Low Tide'`},
		{"press", "jobs with ib in the title", `SELECT 'Bible'`},
	},
	"what is spent on is added up": {
		{"courier", "how much did we spend on complaints", ``},
		{"gym", "how much did we spend on fees in 2024", `SELECT 110`},
		{"press", "how much did we pay for jobs in 2023", `SELECT 90`},
	},
	"the median is the value in the middle": {
		{"courier", "median weight of parcels", `SELECT 3`},
		{"gym", "median amount of fees", `SELECT 35`},
		{"press", "median price of machines", `SELECT 800`},
	},
}

func TestConstructions(t *testing.T) { askAll(t, constructions) }
