package grammar_test

import "testing"

var yachts = map[string][]asked{
	"a day until which something is so ends no thing, and does not say what is so now": {
		{"yachts", "how many boats do we have", `SELECT count(*) FROM boats`},
		{"yachts", "number of boats by type", `SELECT boat_type, count(*) FROM boats GROUP BY 1`},
		{"yachts", "how many boats are insured", ``},
		{"yachts", "which boats are no longer insured", ``},
		{"yachts", "boats older than 40 years", ``},
	},
	"a participle may name a year": {
		{"yachts", "boats built before 1985", `SELECT name FROM boats WHERE built < 1985`},
		{"yachts", "how many boats were built after 2010", `SELECT count(*) FROM boats WHERE built > 2010`},
		{"yachts", "oldest boat", `SELECT name FROM boats WHERE built = (SELECT min(built) FROM boats)`},
	},
	"who has left a place was there": {
		{"yachts", "how many guest stays are there", `SELECT count(*) FROM guest_stays`},
		{"yachts", "unpaid guest stays", `SELECT id FROM guest_stays WHERE NOT paid`},
	},
	"a bill of something else is a bill, too": {
		{"yachts", "revenue this year", `SELECT sum(amount) FROM invoices WHERE issued_on >= date_trunc('year', current_date) AND issued_on < date_trunc('year', current_date) + interval '1 year'`},
	},
	"what was not terminated may have ended": {
		{"yachts", "how many running contracts do we have", `SELECT count(*) FROM contracts WHERE terminated_on IS NULL AND starts_on <= current_date AND ends_on >= current_date`},
	},
	"revenue is an amount": {
		{"yachts", "fuel revenue last month", ``},
		{"yachts", "total fuel revenue", ``},
	},
}

func TestYachts(t *testing.T) { testAsked(t, schemas(t, "yachts"), yachts) }
