package grammar_test

import "testing"

// unaskedFor are questions of which nothing is left out and to which nothing is added,
// each rule shown on three schemas.
var unaskedFor = map[string][]asked{
	"what a comment takes back does not count, unless it is named": {
		{"harbour", "how many boats", `SELECT 3`},
		{"bakery", "how many loaves", `SELECT 3`},
		{"theatre", "how many plays", `SELECT 3`},
		{"harbour", "how many boats are void", `SELECT 1`},
	},
	"one kind of several is not all rows": {
		{"harbour", "how many vessels", ``},
		{"bakery", "how many breads", ``},
		{"theatre", "how many dramas", ``},
	},
	"who has left does not count, as a comment says": {
		{"harbour", "how many pilots", `SELECT 2`},
		{"bakery", "how many bakers, people who left not counted", `SELECT 2`},
		{"theatre", "number of actors without those who left", `SELECT 2`},
	},
	"what people do is not dated by when they came": {
		{"harbour", "when does Ann Bell work next week", ``},
		{"bakery", "bakers who worked in 2024", ``},
		{"theatre", "when did Gil Hale play last week", ``},
		{"harbour", "pilots who started in 2024", `SELECT 'Cy Dorn'`},
		{"bakery", "bakers hired in 2024", `SELECT 'Flo Gray'`},
		{"theatre", "when was Gil Hale hired", `SELECT date '2020-01-01'`},
	},
	"what a noun says to have happened has its time": {
		{"harbour", "cancellations in May 2024", `SELECT 1`},
		{"harbour", "list the cancellations in May 2024", `SELECT 'M-2'`},
		{"bakery", "how many terminations in 2024", `SELECT 2`},
		{"theatre", "cancellations per month", `SELECT date '2024-05-01', 1 UNION ALL SELECT '2024-06-01', 1`},
	},
	"what goes on until it is cancelled is not taken for what has been": {
		{"harbour", "total berths of moorings", ``},
		{"bakery", "total pieces of standing orders", ``},
		{"theatre", "total seats", ``},
		{"theatre", "total seats of subscriptions that were canceled in 2024", `SELECT 5`},
	},
	"rows without a name are shown by their number": {
		{"harbour", "moorings started in 2023", `SELECT 'M-1'`},
		{"bakery", "standing orders started in 2023", `SELECT 'S-1'`},
		{"theatre", "subscriptions started in 2023", `SELECT 'A-1'`},
	},
	"new is said of a time": {
		{"harbour", "new boats in 2024", `SELECT name FROM boats WHERE id IN (2, 4)`},
		{"bakery", "number of new loaves per month in 2024", `SELECT date '2024-02-01', 1 UNION ALL SELECT '2024-04-01', 1`},
		{"theatre", "new plays", ``},
	},
	"a thing belongs to another of its kind": {
		{"harbour", "which fleets belong to North", `SELECT name FROM fleets WHERE id IN (2, 3)`},
		{"bakery", "ranges that belong to Rustic", `SELECT name FROM ranges WHERE id IN (2, 3)`},
		{"theatre", "troupes that belong to Globe", `SELECT name FROM troupes WHERE id IN (2, 3)`},
	},
	"what one of several others is, is not said of the thing": {
		{"harbour", "broken fleets", ``},
		{"bakery", "stale ranges", ``},
		{"theatre", "warm troupes", ``},
	},
	"what each row has one of is joined for something": {
		{"harbour", "torn defects by fleet", `SELECT 'Fjord', 1`},
		{"harbour", "moorings started in 2023 by boat", `SELECT 'Gull', 1`},
		{"bakery", "standing orders started in 2023, with loaf", `SELECT s.contract, l.name FROM standing_orders s JOIN loaves l ON l.id = s.loaf_id WHERE s.contract = 'S-1'`},
		{"theatre", "notices that are warm, with troupe", `SELECT n.id, t.name FROM notices n JOIN plays p ON p.id = n.play_id JOIN troupes t ON t.id = p.troupe_id WHERE n.tone = 'warm'`},
	},
	"one thing is not in two places at once": {
		{"harbour", "boats in both Fjord and South", ``},
		{"bakery", "loaves of both Rustic and Sweet", ``},
		{"theatre", "plays of both Globe and Rose", ``},
	},
	"anybody and anything are nobody and nothing": {
		{"harbour", "boats that were never moored by anyone", `SELECT name FROM boats WHERE false`},
		{"library", "readers who never borrowed anything", `SELECT 'Ines Quay'`},
		{"stall", "products that were never ordered by anybody", `SELECT name FROM products WHERE id NOT IN (SELECT product_id FROM order_items)`},
		{"gym", "members that have no sessions yet", `SELECT 'Sue Tarn'`},
	},
}

func TestUnasked(t *testing.T) {
	testAsked(t, schemas(t, "harbour", "bakery", "theatre", "library", "stall", "gym"), unaskedFor)
}
