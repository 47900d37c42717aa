package grammar_test

import "testing"

// upkeep are questions to a firm that looks after what others own.
var upkeep = map[string][]asked{
	"a number is that of rows that are named, and what is first no first name": {
		{"lifts", "give me the numbers for Alder Homes", ``},
		{"lifts", "full number of Birch Estates", ``},
		{"lifts", "agreement numbers of Birch Estates", `SELECT agreement_no FROM agreements WHERE owner_id = 2`},
		{"zoo", "tags of cleanings, most common first", ``},
		{"zoo", "tags for cleanings, most frequent first", ``},
		{"zoo", "first and last names of keepers", `SELECT first_name, last_name FROM keepers`},
		{"zoo", "licence number of Ann Bell", `SELECT 'L1'`},
	},
	"what has a time itself is not dated by what it is of": {
		{"lifts", "repairs at Mill Court in the last 6 months", `SELECT 'J-1'`},
		{"lifts", "jobs at Quay House in the last 2 months", `SELECT 'J-3'`},
	},
	"who is called by his name may have left": {
		{"lifts", "who is the foreman of Bo Cain", `SELECT 'Ann Bell'`},
		{"lifts", "fitters", `SELECT full_name FROM fitters WHERE left_on IS NULL`},
	},
	"a state that is said like a verb is not left out": {
		{"lifts", "oldest lift still running", `SELECT 'L-2'`},
		{"lifts", "lifts running", `SELECT serial_no FROM lifts WHERE decommissioned_on IS NULL`},
		{"lifts", "which faults are still active right now?", `SELECT fault_id FROM faults WHERE cleared_at IS NULL`},
		{"lifts", "faults still open", `SELECT fault_id FROM faults WHERE cleared_at IS NULL`},
	},
	"the next days are today and those after it, and what was called off has none": {
		{"lifts", "agreements that end in the next 30 days", `SELECT 'A-1'`},
		{"lifts", "agreements beginning in the next 2 weeks", `SELECT 'A-4'`},
		{"lifts", "jobs due in the next 5 days", `SELECT 'J-2' UNION ALL SELECT 'J-4'`},
		{"lifts", "jobs due tomorrow", `SELECT 'J-4'`},
		{"lifts", "lifts with a check due in the next 30 days", `SELECT 'L-3'`},
		{"lifts", "how many faults in the next 3 months", ``},
		{"lifts", "how many faults will be raised next month", ``},
	},
	"verbs of two words mean what those of one do": {
		{"lifts", "agreements that run out in the next 30 days", `SELECT 'A-1'`},
		{"lifts", "agreements that ran out in the last 100 days", `SELECT 'A-2'`},
		{"lifts", "agreements expiring in the next 30 days", `SELECT 'A-1'`},
		{"lifts", "which code comes up most often", `SELECT 'DOOR'`},
		{"lifts", "how many jobs did we finish in the last 30 days", `SELECT 1`},
		{"lifts", "jobs done in the last 30 days", `SELECT 'J-1'`},
		{"lifts", "how many repairs were carried out in the last 30 days", `SELECT 1`},
		{"lifts", "jobs called off in the last 30 days", ``},
	},
	"what has a begin and an end goes on between them": {
		{"lifts", "running agreements", `SELECT 'A-1'`},
		{"lifts", "which owners have no running agreement?", `SELECT name FROM owners WHERE owner_id > 1`},
		{"lifts", "how many agreements are active", `SELECT 1`},
	},
	"who has no foreman need not be one": {
		{"lifts", "fitters without a foreman", `SELECT 'Ann Bell'`},
	},
	"what we look after is what there is": {
		{"lifts", "how many lifts do we look after?", `SELECT 2`},
		{"lifts", "number of lifts we maintain per maker", `SELECT 'Otter', 1 UNION ALL SELECT 'Kite', 1`},
		{"lifts", "houses that we manage", `SELECT name FROM houses`},
		{"lifts", "how many fitters do we employ", `SELECT 2`},
	},
	"less is there than the level says, and pieces are no money": {
		{"lifts", "materials below their reorder level", `SELECT 'Rope'`},
		{"lifts", "materials above reorder level", `SELECT 'Door motor'`},
		{"lifts", "what is the value of our stock", ``},
		{"lifts", "stock of Rope", `SELECT 4`},
	},
	"a number column before its things": {
		{"lifts", "urgency 1 jobs", `SELECT job_no FROM jobs WHERE urgency = 1`},
		{"lifts", "how many urgency 2 jobs are there", `SELECT 1`},
	},
	"what nobody is assigned to has nobody": {
		{"lifts", "jobs that nobody is assigned to", `SELECT job_no FROM jobs WHERE foreman_id IS NULL`},
		{"lifts", "unassigned jobs", `SELECT job_no FROM jobs WHERE foreman_id IS NULL`},
		{"lifts", "urgency 1 jobs that nobody is assigned to", `SELECT 'J-4'`},
		{"lifts", "unassigned lifts", ``},
	},
	"what is out of use does not count unless asked for": {
		{"lifts", "lifts", `SELECT serial_no FROM lifts WHERE decommissioned_on IS NULL`},
		{"lifts", "lifts decommissioned in 2020", `SELECT 'L-1'`},
		{"lifts", "lifts installed in 1995", `SELECT 'L-1'`},
		{"lifts", "maker of lift L-1", `SELECT 'Otter'`},
		{"lifts", "how many lifts are there, decommissioned ones too", `SELECT 3`},
		{"vans", "vans not washed in the last 60 days", ``},
		{"vans", "vans not washed in the last 60 days, sold ones too", `SELECT plate FROM vans`},
		{"vans", "vans that were never washed", `SELECT 'V-3'`},
	},
	"a price per hour is no number of hours, and a moment no length": {
		{"vans", "trips longer than 12 hours", `SELECT 2`},
		{"vans", "trips shorter than 2 hours", `SELECT 3`},
		{"vans", "longest trip", `SELECT 2, ends_at - starts_at FROM trips WHERE trip_id = 2`},
	},
	"the most new ones are no newest": {
		{"vans", "who referred the most new people", ``},
		{"vans", "who referred the most people", ``},
		{"vans", "newest van", `SELECT 'V-3'`},
	},
	"what signs up joins, what ends up as something is so, and what is fixed is repaired": {
		{"vans", "people who signed up in 2024", `SELECT 'Cy Dorn'`},
		{"vans", "trips that ended up as no shows", `SELECT 3`},
		{"vans", "damages that have not been fixed yet", `SELECT 2`},
		{"vans", "damages fixed in May 2024", `SELECT 1`},
	},
	"marks are averaged by the name of what holds them": {
		{"vans", "average rating", `SELECT avg(stars) FROM ratings`},
		{"vans", "average rating per model", `SELECT 'Swift', 5 UNION ALL SELECT 'Ox', 3`},
	},
}

func TestLifts(t *testing.T) { testAsked(t, schemas(t, "lifts", "vans", "zoo"), upkeep) }
