package grammar_test

import "testing"

// grocer are questions that everybody asks of a shop and of a school.
var grocer = map[string][]asked{
	"what all have a time of sale was sold": {
		{"grocer", "sales per shop", `SELECT shop_name, sum(total_amount) FROM receipts JOIN shops USING (shop_id) GROUP BY shop_id, shop_name`},
		{"grocer", "total sales 2024", `SELECT 42`},
		{"grocer", "sales in 2024", `SELECT 42`},
		{"grocer", "which shop had the highest sales in 2024", `SELECT 'Mill Lane'`},
		{"grocer", "turnover by ware group", `SELECT 'Roots', 27 UNION ALL SELECT 'Fruit', 75`},
		{"grocer", "wares that were never sold", `SELECT 'Quince'`},
	},
	"what only some have does not say where all are": {
		{"grocer", "revenue per town", `SELECT 'Ely', 90 UNION ALL SELECT 'Ware', 12`},
		{"grocer", "average receipt amount in Ely", `SELECT 45`},
	},
	"each of two values stands beside the other": {
		{"grocer", "average receipt amount in Ely compared to Ware", `SELECT 'Ely', 45 UNION ALL SELECT 'Ware', 12`},
		{"grocer", "number of receipts in Ely vs Ware", `SELECT 'Ely', 2 UNION ALL SELECT 'Ware', 1`},
		{"grocer", "average price per term of group courses vs individual courses", `SELECT 'group', 100 UNION ALL SELECT 'individual', 200`},
		{"grocer", "average price per term of individual courses", `SELECT 200`},
		{"grocer", "average price of wares in Ely vs Roots", ``},
	},
	"a unit says what a number is of": {
		{"grocer", "wares under 2 pounds", `SELECT 'Beet'`},
		{"grocer", "wares under £2", `SELECT 'Beet'`}, // and not by what they cost us
		{"grocer", "wares over 200 grams", `SELECT ware_name FROM wares WHERE weight_grams > 200`},
		{"grocer", "deliveries of more than 500 kilos", `SELECT delivery_id FROM deliveries WHERE quantity_kg > 500`},
		{"grocer", "deliveries of more than 2 tonnes", `SELECT delivery_id FROM deliveries WHERE quantity_kg > 2000`},
		{"grocer", "deliveries of more than 3 days", ``},
		{"stall", "orders over 500 kg", ``},
	},
	"a question behind another one asks for what to show": {
		{"grocer", "what was the biggest receipt ever and in which shop was it", `SELECT 3, 60, 'The Arches'`},
		{"grocer", "what is the most expensive course and how much is it", `SELECT 'Noodles', 200`},
		{"grocer", "which cook has the highest rate and how much is it", `SELECT 'Hal Irby', 55`},
		{"grocer", "who is the highest paid clerk and how much do they earn", `SELECT 'Ann Bold', 14`},
	},
	"people who are employed": {
		{"grocer", "everyone we hired in 2024", `SELECT name FROM staff WHERE hired_on >= '2024-01-01' AND hired_on < '2025-01-01'`},
		{"grocer", "how many people are currently employed at Mill Lane", `SELECT 1`},
		{"grocer", "people employed in 2023", ``}, // who was there then may have come before
	},
	"what is not there": {
		{"grocer", "growers from outside the UK", `SELECT 'Jansen'`},
		{"grocer", "how many members dont have an email address on file", `SELECT 1`},
		{"grocer", "members we have no phone for", `SELECT 'Eve Frey'`},
		{"grocer", "cuisines we don't offer a course for", `SELECT 'Tuscan'`},
	},
	"who is in a state": {
		{"grocer", "who is on the waiting list", `SELECT 'Eve Frey'`},
		{"grocer", "canceled members", `SELECT 'Fay Gill'`},
		{"grocer", "which member was absent most often", `SELECT 'Dot Eads'`},
		{"grocer", "which courses were cancelled most often", ``},
	},
	"what was delivered has no time before": {
		{"grocer", "how many deliveries came late in 2024", `SELECT 1`},
		{"gym", "late fees", ``},
	},
	"a column says how many were sold": {
		{"grocer", "how many tickets did we sell for the 2025 tastings", `SELECT 110`},
		{"grocer", "how many tickets were sold", `SELECT 150`},
		{"grocer", "which tasting sold the most tickets", `SELECT 'Berry day'`},
	},
	"the shortest way leads to what is meant": {
		{"grocer", "which cuisine has the most enrolments in it", `SELECT 'Thai'`},
	},
	"an ordinal before a number's name": {
		{"grocer", "shops on the second storey", `SELECT 'The Arches'`},
	},
}

func TestGrocer(t *testing.T) { testAsked(t, schemas(t, "grocer", "stall", "gym"), grocer) }
