package grammar_test

import "testing"

// newcomer are what people ask of a database in the first minutes, in the words of every day.
var newcomer = map[string][]asked{
	"what became of things in a time became so then, or they are of that time": {
		{"lodge", "cancelled bookings this year", twoReadings},
		{"lodge", "bookings cancelled this year", `SELECT booking_id FROM bookings WHERE cancelled_on >= date_trunc('year', current_date)`},
		{"kennel", "how many paid stays in 2020", twoReadings},
		{"lodge", "cancelled bookings", `SELECT booking_id FROM bookings WHERE cancelled_on IS NOT NULL`},
	},
	"a role that nobody said is a way as good as that by what happened": {
		{"lodge", "cabins per helper", twoReadings},
		{"lodge", "cabins per keeper", `SELECT 'Ann Bell', 2 UNION ALL SELECT 'Bo Cain', 1`},
	},
	"new is a stage, or what came in that time": {
		{"lodge", "new repairs this month", twoReadings},
		{"lodge", "new repairs", `SELECT repair_id FROM repairs WHERE stage = 'new'`},
	},
	"what begins and ends came when it began": {
		{"lodge", "repairs per day last month", `SELECT opened_at::date, count(*) FROM repairs WHERE opened_at >= date_trunc('month', current_date) - interval '1 month' AND opened_at < date_trunc('month', current_date) GROUP BY 1`},
		{"lodge", "repairs older than 30 days that are not closed", `SELECT 4`},
		{"lodge", "longest open repair", `SELECT 4`},
		{"lodge", "which repair has been open longest", `SELECT 4`},
		{"hotline", "cases in May 2024", `SELECT subject FROM cases WHERE opened_at >= '2024-05-01' AND opened_at < '2024-06-01'`},
	},
	"un- denies a flag, what happened, or a link": {
		{"lodge", "unassigned repairs", `SELECT repair_id FROM repairs WHERE assigned_helper_id IS NULL`},
		{"lodge", "uninsured repairs", `SELECT repair_id FROM repairs WHERE NOT insured`},
		{"lodge", "non insured repairs per stage", `SELECT stage, count(*) FROM repairs WHERE NOT insured GROUP BY 1`},
		{"lodge", "repairs not insured", `SELECT repair_id FROM repairs WHERE NOT insured`},
		{"hotline", "unanswered cases", `SELECT subject FROM cases WHERE answered_at IS NULL`},
		{"lodge", "unassigned cabins", ``},
		{"lodge", "unheated cabins", ``},
	},
	"a number column is called by its name and the number": {
		{"lodge", "how many cabins on storey 2", `SELECT 2`},
		{"lodge", "cabins on storey 3", `SELECT 4`},
		{"hotline", "rooms on storey 1", `SELECT label FROM rooms WHERE storey = 1`},
	},
	"what is done most often is told by what records it": {
		{"lodge", "which kind is booked most often", `SELECT name FROM kinds WHERE kind_id = 1`},
		{"lodge", "which channel is most common", `SELECT 'web'`},
		{"lodge", "which channel of bookings is most common", `SELECT 'web'`},
		{"hotline", "which priority is most common", `SELECT 'high'`},
		{"lodge", "which kind is most popular", ``},
	},
	"how old somebody is follows from the birth": {
		{"lodge", "how old is our oldest visitor", `SELECT extract(year FROM age(date '1950-04-01'))`},
		{"lodge", "how old is Hal Ives", `SELECT extract(year FROM age(date '1980-04-01'))`},
		{"lodge", "how old is the oldest booking", ``},
		{"kennel", "how old is the youngest owner", `SELECT extract(year FROM age(max(birth_date))) FROM owners`},
	},
	"of the year is of this one": {
		{"lodge", "longest walk of the year", `SELECT walk_id FROM walks WHERE walked_on >= date_trunc('year', current_date) ORDER BY hours DESC LIMIT 1`},
		{"lodge", "how many walks of the month", `SELECT count(*) FROM walks WHERE walked_on >= date_trunc('month', current_date)`},
	},
	"nothing is not the most common value": {
		{"lodge", "most common channel of bookings", `SELECT 'web'`},
	},
}

func TestNewcomer(t *testing.T) {
	testAsked(t, schemas(t, "lodge", "kennel", "hotline"), newcomer)
}
