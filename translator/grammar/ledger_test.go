package grammar_test

import "testing"

// ledger are questions of which one wrong answer each was an easy one.
var ledger = map[string][]asked{
	"a name that says nothing is known by its comment up to a comma": {
		{"ledger", "average salary", `SELECT 3000`},
		{"ledger", "who joined in 2018", `SELECT hn_nam FROM hndmas WHERE hn_in BETWEEN 20180101 AND 20181231`},
	},
	"0 is no day, so that who has it is still there": {
		{"ledger", "list of our current employees", `SELECT hn_nam FROM hndmas WHERE hn_out = 0`},
		{"ledger", "how many employees do we have", `SELECT 3`},
	},
	"what is current has to be a condition": {
		{"ledger", "current bills", ``},
		{"ledger", "current sales reps", ``},
	},
	"what a comment calls deleted does not count": {
		{"ledger", "how many bills", `SELECT 5`},
	},
	"cents are counted in what they are a hundredth of": {
		{"ledger", "bills over 150", `SELECT bl_no FROM blhmas WHERE bl_no IN (2, 3)`},
		{"ledger", "total payments received in January 2024", `SELECT 40`},
		{"ledger", "total payments received in January 2024 in cents", ``},
	},
	"when a bill is due is not when it was": {
		{"ledger", "number of bills in February 2024", `SELECT 1`},
	},
	"numbers of people are no people": {
		{"ledger", "bills per sales rep", ``},
	},
	"revenue is what was billed and not cancelled": {
		{"ledger", "revenue in January 2024", `SELECT 300`},
	},
	"what is purchased is not sold": {
		{"ledger", "how many Oar did we sell", ``},
		{"ledger", "how many Oar did we sell in 2024", ``},
	},
	"whether there are any is yes or no": {
		{"ledger", "are there any bills over 900", `SELECT false`},
		{"lodge", "do we have any open repairs", `SELECT true`},
		{"lodge", "which repairs are open", `SELECT repair_id FROM repairs WHERE closed_at IS NULL`},
	},
}

func TestLedger(t *testing.T) { testAsked(t, schemas(t, "ledger", "lodge"), ledger) }
