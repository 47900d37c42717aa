package grammar_test

import "testing"

// circus are questions in which one row has to meet several conditions, and words that describe what stands behind them.
var circus = map[string][]asked{
	"what is said of one event holds of one row": {
		{"circus", "Which troupes played in the Big Top on the Spring Tour?", `SELECT 'Ash'`}, // Birch did each by itself
		{"circus", "troupes that performed in the Old Mill on the Spring Tour in 2024", `SELECT 'Birch'`},
		{"circus", "how many troupes performed in the Big Top on the Spring Tour", `SELECT 1`},
	},
	"a number in a unit that nothing has is none of the column's": {
		{"circus", "performances longer than 90 minutes", `SELECT 4`},
		{"circus", "how many performances lasted longer than one hour", ``},
		{"circus", "performances longer than 2 hours", ``},
	},
	"a verb behind all describes what comes": {
		{"circus", "total of all bills", `SELECT 600`},
		{"circus", "total of all open bills", ``},
		{"circus", "total amount of all open bills", ``},
	},
	"a small word names no column": {
		{"circus", "how many performances in each month", `SELECT date '2024-03-01', 2 UNION ALL SELECT date '2024-04-01', 2`},
		{"circus", "how many performances were held in each month", `SELECT date '2024-03-01', 2 UNION ALL SELECT date '2024-04-01', 2`},
		{"circus", "which performances are in", ``},
	},
	"a name that is given is not asked for": {
		{"circus", "names of the members of the troupe Ash", ``},
		{"circus", "names of the artists of the troupe Ash", `SELECT unnest(ARRAY['Ida Ray', 'Jon Sea'])`},
	},
}

func TestCircus(t *testing.T) { testAsked(t, schemas(t, "circus"), circus) }
