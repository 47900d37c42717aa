package grammar_test

import "testing"

// proved are questions of which a reading sounds right that the schema does not prove.
var proved = map[string][]asked{
	"what several rows lead to is counted once": {
		{"farm", "growers who delivered to more than one market", `SELECT 'Ben Reed'`},
		{"farm", "which grower delivered to the most markets", `SELECT 'Ben Reed'`},
		{"farm", "number of markets per grower", `SELECT 'Ben Reed', 2 UNION ALL SELECT 'Ada Moss', 1 UNION ALL SELECT 'Cid Fern', 1`},
		{"farm", "growers with more than 3 deliveries", `SELECT 'Ada Moss'`},
	},
	"what most rows lack is no value": {
		{"farm", "most common complaint", `SELECT 'late'`},
		{"farm", "which town has the most markets", `SELECT town FROM markets WHERE town IS NOT NULL`},
	},
	"what is called better by another name is not added": {
		{"farm", "gold tier growers", `SELECT name FROM growers WHERE tier = 'gold'`},
	},
	"a name that is asked for is shown": {
		{"farm", "list the market code and name in the town of Hull", `SELECT code, name FROM markets WHERE town = 'Hull'`},
		{"farm", "names of markets in Hull", `SELECT 'Quay'`},
		{"farm", "number of markets per town name", `SELECT town, count(*) FROM markets GROUP BY 1`},
	},
	"where there are not any, there are none": {
		{"farm", "what are the ids of the markets that do not have any lots packed by Kim Bay", `SELECT id FROM markets WHERE id <> 1`},
		{"farm", "markets that do not have any lots", `SELECT name FROM markets WHERE id IN (3, 4)`},
	},
	"what did not happen did not happen in the time": {
		{"farm", "which growers did not use the press in the last 30 days", ``},
	},
	"who is employed today need not have come today": {
		{"farm", "how many pickers do we employ today", ``},
		{"farm", "how many pickers are employed today", ``},
		{"farm", "pickers hired today", `SELECT 'Gus Orr'`},
	},
	"what was paid is not all that was sold": {
		{"farm", "revenue per month", `SELECT date '2026-03-01', 100 UNION ALL SELECT '2026-04-01', 200`},
		{"farm", "total payments per month", `SELECT date '2026-03-01', 60 UNION ALL SELECT '2026-04-01', 200`},
	},
	"what is said of the market is not said of the buyer": {
		{"farm", "which customers are in York", ``},
		{"farm", "buyers of lots in York", `SELECT 'Ivy Co'`},
	},
	"a code of the thing itself may be what is said before it": {
		{"farm", "express deliveries", ``},
		{"farm", "deliveries to Express", `SELECT 6`},
	},
	"a table is called by its name without the number behind it, or by its comment": {
		{"packet", "passengers in Hull", `SELECT nam FROM pasm1 WHERE town = 'Hull' AND delfl = ' '`},
		{"packet", "how many cargos", `SELECT 16`},
		{"packet", "passengers who ordered this month", `SELECT nam FROM pasm1 WHERE delfl = ' ' AND pasno IN (SELECT pasno FROM orders WHERE ordered_on >= date_trunc('month', current_date) AND ordered_on < date_trunc('month', current_date) + interval '1 month')`},
		{"packet", "number of passengers", `SELECT 16`},
	},
	"who somebody is, no thing is": {
		{"packet", "who works in the North office", ``},
		{"packet", "which clerks are in the North office", `SELECT 'Ida Moor'`},
	},
	"a state is not of what the question does not name": {
		{"packet", "when does order F-102 leave?", ``},
		{"packet", "clerks who left", `SELECT 'Ole Quist'`},
	},
	"sales are amounts": {
		{"packet", "sales by office", `SELECT office, sum(total_amount) FROM orders JOIN clerks USING (clerk_id) GROUP BY 1`},
		{"packet", "number of sales by office", `SELECT office, count(*) FROM orders JOIN clerks USING (clerk_id) GROUP BY 1`},
	},
	"nobody is a number": {
		{"farm", "who is the driver of Quay", ``},
	},
	"what was called off before it began did not happen": {
		{"farm", "how many visits in 2026", ``},
		{"farm", "how many visits have status A", `SELECT 20`},
		{"farm", "how many visits ended in 2026", `SELECT 20`},
	},
	"what runs has begun": {
		{"farm", "which campaigns are running now", `SELECT 'Leeks'`},
	},
	"a unit is said of what is shown": {
		{"farm", "the 2 longest routes in km", `SELECT 'North', 90 UNION ALL SELECT 'South', 70`},
		{"farm", "the 2 longest routes", `SELECT 'North' UNION ALL SELECT 'South'`},
	},
	"a number is of what stands behind it": {
		{"farm", "marks with more than 2 places", ``},
	},
	"a column called just so is meant, and no synonym": {
		{"farm", "number of growers per grade", ``},
		{"farm", "number of growers per village grade", `SELECT 1, 2 UNION ALL SELECT 2, 1`},
	},
}

func TestProved(t *testing.T) { testAsked(t, schemas(t, "packet", "farm"), proved) }
