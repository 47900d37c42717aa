package grammar_test

import "testing"

// foundrySemantics are what an admin of a terse old program defines in an hour.
const foundrySemantics = `
[[table]]
name = "custm1"
synonyms = ["customers"]
[[table]]
name = "repm1"
synonyms = ["sales reps", "reps"]
[[table]]
name = "modm"
synonyms = ["models"]
[[table]]
name = "casth"
synonyms = ["orders", "COs"]
[[table]]
name = "castl"
synonyms = ["order lines"]
[[table]]
name = "ar_bil"
synonyms = ["bills"]
[[column]]
name = "modm.mgrp"
synonyms = ["group"]
[[measure]]
name = "bookings"
table = "castl"
expression = "sum(castl.pcs * castl.prc)"
filter = "casth.caststs <> 'X'"
[[measure]]
name = "turnover"
table = "ar_bil"
expression = "sum(ar_bil.net)"
time = "bildt"
`

// foundry are questions to the old program of which an admin has defined nothing.
var foundry = map[string][]asked{
	"a comment says what a number points to": {
		{"foundry", "number of ar_bil per customer", `SELECT 'Alder Works', 1 UNION ALL SELECT 'Birch & Co', 1 UNION ALL SELECT 'Cedar Ltd', 2`},
	},
}

func TestFoundry(t *testing.T) { testAsked(t, schemas(t, "foundry"), foundry) }

// TestDefinitions asks for what an admin has defined over tables that are joined in several ways, and have several times.
func TestDefinitions(t *testing.T) {
	testDefined(t, "foundry", foundrySemantics, map[string]string{
		// a key that is said to be the customer is by no role, and nearer than what lies between
		"turnover per customer":        `SELECT 'Alder Works', 50 UNION ALL SELECT 'Birch & Co', 300 UNION ALL SELECT 'Cedar Ltd', 710`,
		"top 2 customers by turnover":  `SELECT 'Cedar Ltd', 710 UNION ALL SELECT 'Birch & Co', 300`,
		"number of bills per customer": `SELECT 'Alder Works', 1 UNION ALL SELECT 'Birch & Co', 1 UNION ALL SELECT 'Cedar Ltd', 2`,
		// who ordered has orders, whatever else has the number of one
		"which customers ordered repair":     `SELECT 'Alder Works' UNION ALL SELECT 'Cedar Ltd'`,
		"customers who never ordered repair": `SELECT 'Birch & Co'`,
		// a measure is divided by things, which do not do it, and has the time of what it reads
		"bookings by sales rep this year": `SELECT 'Ida Moss', 160 UNION ALL SELECT 'Jon Penn', 300`,
		"bookings by group this year":     `SELECT 'STREET', 100 UNION ALL SELECT 'PARK', 360`,
		// initials have a plural
		"number of COs": `SELECT 4`,
	})
}
