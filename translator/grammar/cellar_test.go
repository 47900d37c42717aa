package grammar_test

import "testing"

// cellar are what a wine merchant asks first.
var cellar = map[string][]asked{
	"an average that is compared is the average": {
		{"cellar", "wines with an average rating below 2", `SELECT 'Haus Berg'`},
		{"cellar", "wines whose average rating is below 4", `SELECT unnest(ARRAY['Casa Alta', 'Haus Berg'])`},
		{"cellar", "which wines have an average rating of at least 4", `SELECT 'Villa Serra'`},
		{"cellar", "regions with an average price of at least 20", `SELECT unnest(ARRAY['Rioja', 'Douro'])`},
		{"cellar", "average rating below 2 per wine", ``},
		{"cellar", "average of ratings below 3", `SELECT 1.5`},
	},
	"what is in stock is what there is some of": {
		{"cellar", "wines in stock", `SELECT name FROM wines WHERE bottles_in_stock > 0`},
		{"cellar", "organic wines in stock", `SELECT 'Villa Serra'`},
		{"cellar", "how many red wines are in stock", `SELECT 2`},
		{"cellar", "number of wines in stock by region", `SELECT 'Rioja', 1 UNION ALL SELECT 'Mosel', 1 UNION ALL SELECT 'Douro', 1`},
		{"cellar", "wines that are not in stock", `SELECT 'Casa Alta'`},
		{"cellar", "stock of Haus Berg", `SELECT 14`},
	},
	"a flag that says whether somebody came is not passed over": {
		{"cellar", "clients who came to a tasting", ``},
		{"cellar", "which clients have never come to a tasting", ``},
		{"cellar", "clients who booked a tasting", `SELECT unnest(ARRAY['Ann Hill', 'Bob Stone'])`},
		{"cellar", "how many guests came to each tasting", `SELECT 'Red Night', 1`},
	},
	"what costs something is under an amount by its price": {
		{"cellar", "wines under 20", `SELECT unnest(ARRAY['Casa Alta', 'Haus Berg'])`},
		{"cellar", "wines from Rioja or Douro under 20", `SELECT 'Casa Alta'`},
		{"cellar", "how many wines are over 30", `SELECT 1`},
		{"cellar", "wines above 2015", ``},
		{"cellar", "clients under 20", ``},
	},
}

func TestCellar(t *testing.T) { testAsked(t, schemas(t, "cellar"), cellar) }
