package grammar_test

import "testing"

// marina are everyday questions to a marina: what ended, what was good until a day, who somebody is.
var marina = map[string][]asked{
	"the total of bills is what their lines come to": {
		{"marina", "total of unpaid bills", `SELECT sum(qty * unit_price) FROM bill_lines JOIN bills USING (bill_no) WHERE paid_on IS NULL`},
		{"marina", "total amount of overdue bills", `SELECT sum(qty * unit_price) FROM bill_lines JOIN bills USING (bill_no) WHERE paid_on IS NULL AND due_on < current_date`},
		{"marina", "total number of unpaid bills", `SELECT count(*) FROM bills WHERE paid_on IS NULL`},
		{"marina", "total amount of bills per client", ``},
	},
	"how something ended has the time of the end": {
		{"marina", "offers won last year", `SELECT title FROM offers WHERE stage = 'won' AND extract(year FROM closed_on) = extract(year FROM current_date) - 1`},
		{"marina", "how many offers were lost last year", `SELECT count(*) FROM offers WHERE stage = 'lost' AND extract(year FROM closed_on) = extract(year FROM current_date) - 1`},
		{"marina", "won offers last year", twoReadings},
	},
	"what we did is what it is in": {
		{"marina", "how many offers did we win", `SELECT count(*) FROM offers WHERE stage = 'won'`},
		{"marina", "which jobs did we cancel", `SELECT job_no FROM jobs WHERE state = 'CX'`},
	},
	"what was not done in a time has a time of it": {
		{"marina", "which boats have not been used in the last six months", ``},
		{"marina", "boats that were not bought in 2019", `SELECT name FROM boats WHERE extract(year FROM bought_on) <> 2019`},
	},
	"what somebody has is good until a day": {
		{"marina", "pilots whose ticket has expired", `SELECT first_name, last_name FROM people_in_charge WHERE job = 'pilot' AND ticket_until < current_date AND left_on IS NULL`},
		{"marina", "pilots whose ticket has run out", `SELECT first_name, last_name FROM people_in_charge WHERE job = 'pilot' AND ticket_until < current_date AND left_on IS NULL`},
		{"marina", "pilots with an expired ticket", `SELECT first_name, last_name FROM people_in_charge WHERE job = 'pilot' AND ticket_until < current_date AND left_on IS NULL`},
		{"marina", "how many pilots do we have at the moment", `SELECT count(*) FROM people_in_charge WHERE job = 'pilot' AND left_on IS NULL`},
	},
	"a state in a table of codes is one of now": {
		{"marina", "how many jobs are on hold right now", `SELECT count(*) FROM jobs WHERE state = 'HD'`},
	},
	"things of a kind are listed by the kind's name": {
		{"marina", "list our current pilots", `SELECT first_name, last_name FROM people_in_charge WHERE job = 'pilot' AND left_on IS NULL`},
		{"marina", "who are the pilots", `SELECT first_name, last_name FROM people_in_charge WHERE job = 'pilot' AND left_on IS NULL`},
		{"marina", "list all basins", `SELECT 'West Basin'`},
	},
}

func TestMarina(t *testing.T) { testAsked(t, schemas(t, "marina"), marina) }
