package grammar_test

import "testing"

// merchant are what a wine merchant asks first.
var merchant = map[string][]asked{
	"an average that is compared is the average": {
		{"merchant", "wines with an average rating below 2", `SELECT 'Haus Berg'`},
		{"merchant", "wines whose average rating is below 4", `SELECT unnest(ARRAY['Casa Alta', 'Haus Berg'])`},
		{"merchant", "which wines have an average rating of at least 4", `SELECT 'Villa Serra'`},
		{"merchant", "regions with an average price of at least 20", `SELECT unnest(ARRAY['Rioja', 'Douro'])`},
		{"merchant", "average rating below 2 per wine", ``},
		{"merchant", "average of ratings below 3", `SELECT 1.5`},
	},
	"what is in stock is what there is some of": {
		{"merchant", "wines in stock", `SELECT name FROM wines WHERE bottles_in_stock > 0`},
		{"merchant", "organic wines in stock", `SELECT 'Villa Serra'`},
		{"merchant", "how many red wines are in stock", `SELECT 2`},
		{"merchant", "number of wines in stock by region", `SELECT 'Rioja', 1 UNION ALL SELECT 'Mosel', 1 UNION ALL SELECT 'Douro', 1`},
		{"merchant", "wines that are not in stock", `SELECT 'Casa Alta'`},
		{"merchant", "stock of Haus Berg", `SELECT 14`},
		{"merchant", "out of stock wines", `SELECT 'Casa Alta'`},
		{"merchant", "in stock red wines", `SELECT name FROM wines WHERE colour = 'red' AND bottles_in_stock > 0`},
	},
	"a flag that says whether somebody came is not passed over": {
		{"merchant", "clients who came to a tasting", ``},
		{"merchant", "which clients have never come to a tasting", ``},
		{"merchant", "clients who booked a tasting", `SELECT unnest(ARRAY['Ann Hill', 'Bob Stone'])`},
		{"merchant", "how many guests came to each tasting", `SELECT 'Red Night', 1`},
	},
	"what stands first of out and in is the begin": {
		{"merchant", "longest run", `SELECT 2, got_in_at - went_out_at FROM runs WHERE id = 2`},
		{"merchant", "average length of a run in minutes for each van", `SELECT 'blue', 90 UNION ALL SELECT 'red', 60`},
		{"merchant", "average length of a run for each van in minutes", `SELECT 'blue', 90 UNION ALL SELECT 'red', 60`},
	},
	"words that say what is asked are not passed over": {
		{"merchant", "which tastings are coming up", `SELECT 'New World'`},
		{"merchant", "who rang up the most ratings", ``},
		{"merchant", "what did we pay for Casa Alta", ``},
		{"merchant", "what did we frob for Casa Alta", ``},
		{"merchant", "total amount of bills", ``},
	},
	"a number that things are wanted with is shown": {
		{"merchant", "red wines with cost", `SELECT name, cost FROM wines WHERE colour = 'red'`},
		{"merchant", "wines with a cost", `SELECT name FROM wines WHERE cost IS NOT NULL`},
	},
	"what costs something is under an amount by its price": {
		{"merchant", "wines under 20", `SELECT unnest(ARRAY['Casa Alta', 'Haus Berg'])`},
		{"merchant", "wines from Rioja or Douro under 20", `SELECT 'Casa Alta'`},
		{"merchant", "how many wines are over 30", `SELECT 1`},
		{"merchant", "wines above 2015", ``},
		{"merchant", "clients under 20", ``},
	},
}

func TestMerchant(t *testing.T) { testAsked(t, schemas(t, "merchant"), merchant) }
