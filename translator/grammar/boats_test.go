package grammar_test

import "testing"

// boats are questions of a hire of boats.
var boats = map[string][]asked{
	"a word for a state is not passed over": {
		{"boats", "available boats", `SELECT 'AB1' UNION ALL SELECT 'AB4'`},
		{"boats", "which boats are available at North Pier", `SELECT 'AB1'`},
		{"boats", "how many boats are available", `SELECT 2`},
		{"boats", "how many boats are on rent", `SELECT 1`},
		{"boats", "boats in use", ``},
		{"boats", "available extras", ``},
		{"boats", "which piers belong to us", ``},
	},
	"an article stands within a state": {
		{"boats", "which boats are in the yard", `SELECT 'AB3'`},
		{"boats", "which boats are in the yard right now", `SELECT 'AB3'`},
	},
	"what something costs for each day": {
		{"boats", "price per day of the Child vest", `SELECT 4.5`},
		{"boats", "child vest price per day", `SELECT 4.5`},
		{"boats", "daily price of the Anchor", `SELECT 12`},
		{"boats", "rentals per day", `SELECT begun_on, count(*) FROM rentals GROUP BY 1`},
	},
	"an amount is net or gross": {
		{"boats", "gross amount of bill B-1", `SELECT 119`},
		{"boats", "net amount of bill B-2", `SELECT 200`},
	},
	"what is known last is called by the rest of its comment": {
		{"boats", "engine reading of AB1", `SELECT 700`},
	},
	"how many each has may be asked behind": {
		{"boats", "which boats had two or more rentals, and how many each?", `SELECT 'AB1', 2 UNION ALL SELECT 'AB2', 3`},
	},
}

func TestBoats(t *testing.T) { testAsked(t, schemas(t, "boats"), boats) }
