package grammar_test

import "testing"

// belfry are questions about times, orders and quoted names as people say them.
var belfry = map[string][]asked{
	"a month may be of this year or the last": {
		{"belfry", "how many peals in March of last year", `SELECT 1`}, // asked in 2024
		{"belfry", "ringers with at least one peal since March last year", `SELECT name FROM ringers WHERE ringer_id < 4`},
		{"belfry", "ringers with at least three peals since March last year", `SELECT 'Ann Toll'`},
		{"belfry", "how many peals in March the year before last", ``},
	},
	"times in words": {
		{"belfry", "how many peals on the fifth of March 2025", `SELECT 1`},
		{"belfry", "how many peals on the twenty first of March 2025", `SELECT 1`},
		{"belfry", "how many peals in the first six months of 2025", `SELECT 3`},
		{"belfry", "how many peals in the month of June 2025", `SELECT 1`},
		{"belfry", "how many peals over the year 1999", `SELECT 0`},
		{"belfry", "peals rung before 9 in the morning in 1999", `SELECT peal_id FROM peals WHERE false`},
		{"belfry", "how many peals were rung before nine o'clock in the morning", `SELECT count(*) FROM peals WHERE rung_at::time < '09:00'`},
		{"belfry", "how many peals were rung after 6 in the evening", `SELECT 1`},
	},
	"what is quoted is not left out": {
		{"belfry", "when was the latest peal in 'Old Tower'", `SELECT max(rung_at) FROM peals WHERE tower_id = 1`},
		{"belfry", "when was the latest peal 'Nowhere' rung", ``},
	},
	"the oldest are so by age": {
		{"belfry", "name and age of the ringers, oldest first", `SELECT name, age FROM ringers ORDER BY age DESC`},
		{"belfry", "ringers, youngest first", `SELECT name FROM ringers ORDER BY age`},
		{"belfry", "wardens, oldest first", ``},
	},
	"a sort key has one direction, and each is kept": {
		{"belfry", "bells sorted by price, the highest price on top", `SELECT name FROM bells ORDER BY price DESC`},
		{"belfry", "bells sorted by tower and price, highest price first", `SELECT name, price FROM bells ORDER BY tower_id, price DESC`},
	},
	"numbers of things are not how many there are": {
		{"belfry", "give me the numbers of the peals in Old Tower in March 2025", `SELECT peal_number FROM peals WHERE peal_id < 3`},
		{"belfry", "the numbers of the bells", ``},
	},
	"an address is shown by its parts, and people are counted once": {
		{"belfry", "address of Bea Knell", `SELECT 'Low Street 4', '200', 'Bath'`},
		{"belfry", "which district has the most ringers", `SELECT 'South'`},
		{"belfry", "cities with more than 1 ringer", ``}, // of towers, or of addresses
	},
	"of each row there is one": {
		{"belfry", "How many bells does each tower have? List tower name, bell id and the number.", ``},
	},
	"neither an average nor each of them is left out": {
		{"belfry", "how many peals were rung at each of the towers", ``}, // in all, or at each
		{"belfry", "number of peals per tower", `SELECT 'Old Tower', 6 UNION ALL SELECT 'New Tower', 2`},
		{"belfry", "For every tower I need the mean price of the bells. Show price and tower.", ``},
		{"belfry", "bells that cost more than the average", `SELECT 'Great Tom'`},
	},
	"a number of rows is whole": {
		{"belfry", "the 1.5 most expensive bells", ``},
	},
	"a payment that failed brought nothing": {
		{"belfry", "total payments in 2023", `SELECT 30`},
		{"belfry", "total captured payments in 2023", `SELECT 30`},
		{"belfry", "how many payments failed in 2023", `SELECT 1`},
	},
	"who does not have somebody": {
		{"belfry", "wardens who don't have a captain", `SELECT 'Dee Dong'`},
		{"belfry", "ringers who did not have any peal in 2025", `SELECT name FROM ringers WHERE ringer_id NOT IN (SELECT ringer_id FROM peals WHERE extract(year FROM rung_at) = 2025)`},
	},
	"last by what was done": {
		{"belfry", "most recently hired warden", `SELECT 'Flo Gong'`},
		{"belfry", "who is the last hired warden", `SELECT 'Flo Gong'`},
		{"belfry", "most recently bought bell", ``},
		{"belfry", "most recently purchased bell", `SELECT 'Maria'`},
		{"belfry", "last inspected peal", ``}, // the last to be rung, or the last inspection
		{"belfry", "who has been with us the longest", `SELECT name FROM wardens ORDER BY hired_on LIMIT 1`},
		{"belfry", "which warden has been with the company longest?", `SELECT name FROM wardens ORDER BY hired_on LIMIT 1`},
		{"belfry", "who joined the company in 2024", `SELECT name FROM wardens WHERE hired_on >= '2024-01-01' AND hired_on < '2025-01-01'`},
		{"belfry", "the last hired warden", `SELECT 'Flo Gong'`},
		{"belfry", "most recently hired wardens", ``}, // how many?
		{"belfry", "did we have any hires in January 2023", `SELECT true`},
		{"belfry", "bells worth more than 250 euros", `SELECT name FROM bells WHERE price > 250`},
	},
	"the last part of a time": {
		{"belfry", "how many peals in the last month of 2025", `SELECT 0`},
		{"belfry", "how many peals on the last day of June 2025", `SELECT 1`},
		{"belfry", "how many peals in the last day of June 2025", `SELECT 1`},
		{"belfry", "how many peals in the last week of March 2025", `SELECT 0`},
		{"belfry", "how many peals in the last 11 days of March 2025", `SELECT 1`},
		{"belfry", "how many peals in the last hour of 2025", ``},
		{"belfry", "how many peals in the last quarter of March 2025", ``},
	},
	"two times of one column": {
		{"belfry", "how many peals in 2025 in the last 30 days", ``},
		{"belfry", "how many peals last month in 2025", ``},
		{"belfry", "how many peals last month in the last 7 days", ``},
		{"belfry", "how many peals in 2025 before 9 in the morning", `SELECT 2`},
	},
	"two answers": {
		{"belfry", "Which bells cost more than 100, and how many are there", ``},
		{"belfry", "bells that cost more than 100, how many are there", `SELECT 2`},
		{"belfry", "which bells cost more than 100? just the count", `SELECT 2`},
	},
	"what one of each would be": {
		{"belfry", "each of the towers' most expensive bell", ``},
	},
	"words that go together": {
		{"belfry", "which bells were never hired out", `SELECT 'Great Tom'`},
		{"belfry", "ringers with 2+ peals in 2025", `SELECT name FROM ringers WHERE ringer_id IN (SELECT ringer_id FROM peals WHERE extract(year FROM rung_at) = 2025 GROUP BY 1 HAVING count(*) > 1)`},
		{"belfry", "bells priced either below 10 or above 500", `SELECT name FROM bells WHERE price < 10 OR price > 500`},
		{"belfry", "Italian and French ringers", `SELECT name FROM ringers WHERE country IN ('Italy', 'France')`},
		{"belfry", "every ringer who lives in Italy", `SELECT name FROM ringers WHERE country = 'Italy'`},
	},
}

func TestBelfry(t *testing.T) {
	testAsked(t, schemas(t, "belfry"), belfry)
}
