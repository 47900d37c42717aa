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
		{"hotline", "cases in May 2024", `SELECT subject FROM cases WHERE opened_at >= '2024-05-01' AND opened_at < '2024-06-01'`},
	},
	"nothing is not the most common value": {
		{"lodge", "most common channel of bookings", `SELECT 'web'`},
	},
}

func TestNewcomer(t *testing.T) {
	testAsked(t, schemas(t, "lodge", "kennel", "hotline"), newcomer)
}
