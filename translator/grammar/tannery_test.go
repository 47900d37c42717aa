package grammar_test

import "testing"

// tannery are questions whose words mean what comments and code tables say.
var tannery = map[string][]asked{
	"a comment names the code table and the key of a column": {
		{"tannery", "void bills", `SELECT 2`},
		{"tannery", "revenue per month", `SELECT date '2024-01-01', 40 UNION ALL SELECT '2024-02-01', 90`}, // without what is void
		{"tannery", "how many goat hides", `SELECT 1`},
	},
	"what is empty until something happens": {
		{"tannery", "claims not yet refunded", `SELECT 2`},
		{"tannery", "how many claims are not refunded", `SELECT 1`},
		{"tannery", "claims without a flaw", ``}, // each has one
	},
	"a price list is no price": {
		{"tannery", "price of the Bark vat", ``},
		{"tannery", "price of Tanning", `SELECT 90`},
	},
	"a description may have the prefix of its relation": {
		{"tannery", "number of hides per vat", `SELECT 'Lime', 1 UNION ALL SELECT 'Bark', 2`},
	},
	"active members are not those of active plans": {
		{"tannery", "how many active members have we got right now", ``},
		{"tannery", "how many active plans", `SELECT 1`},
	},
	"what values mean is no name": {
		{"tannery", "credits in 2024", ``},
	},
	"rows with a key of several columns are shown whole": {
		{"tannery", "acid log of Bark", `SELECT 20, date '2024-01-02', 5.1`},
	},
	"goods under so much are sold for that": {
		{"tannery", "services under 50 euros", `SELECT 'Liming'`},
	},
	"most have none": {
		{"tannery", "bills with a rebate", ``},
		{"tannery", "bills with a rebate over 1 euro", `SELECT 3`},
	},
	"a return rate is no rate to return": {
		{"tannery", "return rate", ``},
		{"tannery", "return the ratings in 2023", `SELECT rating FROM gradings WHERE false`},
	},
	"what failed has no time of its success": {
		{"tannery", "failed loads in January 2024", `SELECT 2`},
		{"tannery", "cancelled loads in January 2024", `SELECT 3`},
	},
	"the busiest hour is one of each day": {
		{"tannery", "busiest hour for fetched loads", `SELECT 9, 2`},
		{"tannery", "which hour had the most fetched loads", `SELECT 9, 2`},
	},
	"a number of things may be called num": {
		{"tannery", "recipe with the highest number of steps", `SELECT 'Oak'`},
	},
	"the most money is no number of rows": {
		{"tannery", "in which month did we pay the most money", ``},
	},
	"lanes do not add up": {
		{"tannery", "lane list for January 2024", ``},
		{"tannery", "highest lane in January 2024", `SELECT 2`},
	},
	"what is busiest has the most rows": {
		{"vintner", "busiest weekday for orders", `SELECT 'Monday', 2`},
		{"bazaar", "which day had the most orders", `SELECT placed_on, 1 FROM orders`},
		{"bazaar", "busiest day for orders", `SELECT placed_on, 1 FROM orders`},
		{"vintner", "busiest weekday for sales", `SELECT 'Tuesday', 200`},
	},
	"the average of a month is over months": {
		{"tannery", "average number of hides per month", `SELECT 3 / 2.0`},
		{"tannery", "average number of fetched loads per weekday", `SELECT 3 / 3.0`},
	},
	"an average is compared, and not each row": {
		{"tannery", "services with an average rating under 3 stars", `SELECT 'Tanning'`},
		{"tannery", "members with an average rating over 3 stars", `SELECT 'Ada'`},
	},
}

func TestTannery(t *testing.T) { testAsked(t, schemas(t, "tannery", "vintner", "bazaar"), tannery) }
