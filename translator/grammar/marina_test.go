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
	"a state of two words stands behind things": {
		{"marina", "jobs on hold", `SELECT job_no FROM jobs WHERE state = 'HD'`},
		{"marina", "clients on hold", ``},
	},
	"who works somewhere is there": {
		{"marina", "how many pilots work at each quay", `SELECT 'West Basin', 11`},
	},
	"members are so since a day": {
		{"marina", "members since 2018", `SELECT name FROM clients WHERE status = 'member' AND member_since >= '2018-01-01'`},
		{"marina", "which members joined in 2018", `SELECT name FROM clients WHERE status = 'member' AND extract(year FROM member_since) = 2018`},
	},
	"a number of the form of others is one": {
		{"marina", "when was mooring KX-2501-F booked", ``},
		{"marina", "when was mooring MX-2501-F booked", `SELECT booked_on FROM moorings WHERE mooring_no = 'MX-2501-F'`},
		{"marina", "when was mooring 2501-F booked", ``},
	},
	"who has no key has none": {
		{"marina", "moorings without a quay", `SELECT mooring_no FROM moorings WHERE quay_id IS NULL`},
		{"marina", "moorings where no quay is set", `SELECT mooring_no FROM moorings WHERE quay_id IS NULL`},
	},
	"what was entered is no longer entered": {
		{"marina", "moorings entered in the last 7 days", `SELECT mooring_no FROM moorings WHERE booked_on >= current_date - 7`},
	},
	"what was paid by somebody is paid": {
		{"marina", "total amount paid by Client 9", ``},
		{"marina", "bills paid by Client 9", ``},
		{"marina", "total amount of offers of Client 9", `SELECT sum(amount) FROM offers WHERE client_id = 9`},
	},
	"of several that begin so none is meant": {
		{"marina", "email of Sunny Sails", ``},
		{"marina", "email of Sunny Sails Club", `SELECT email FROM clients WHERE id = 6`},
	},
	"what is told to be done is not asked": {
		{"marina", "who signed mooring MX-2501-F", ``},
	},
	"what has no name is called by its number": {
		{"marina", "berths deeper than 4", `SELECT berth_number FROM berths WHERE depth > 4`},
		{"marina", "berths at West Basin", `SELECT berth_number FROM berths WHERE quay_id = 1`},
	},
	"what comes has not been booked ahead": {
		{"marina", "berths without a stay in the next 10 days", `SELECT berth_number FROM berths b WHERE NOT EXISTS (SELECT 1 FROM stays s WHERE s.berth_id = b.id AND starts_on >= current_date AND starts_on < current_date + 11)`},
	},
	"things of a kind are listed by the kind's name": {
		{"marina", "list our current pilots", `SELECT first_name, last_name FROM people_in_charge WHERE job = 'pilot' AND left_on IS NULL`},
		{"marina", "who are the pilots", `SELECT first_name, last_name FROM people_in_charge WHERE job = 'pilot' AND left_on IS NULL`},
		{"marina", "list all basins", `SELECT 'West Basin'`},
	},
}

func TestMarina(t *testing.T) { testAsked(t, schemas(t, "marina"), marina) }
