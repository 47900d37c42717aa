package grammar_test

import "testing"

// newcomer are what people ask of a database in the first minutes, in the words of every day.
var newcomer = map[string][]asked{
	"what became of things in a time became so then, or they are of that time": {
		{"lodge", "cancelled bookings this year", twoReadings},
		{"lodge", "bookings cancelled this year", `SELECT booking_id FROM bookings WHERE cancelled_on >= date_trunc('year', current_date)`},
		{"kennel", "how many paid stays in 2020", twoReadings},
		{"hotline", "closed cases in May 2024", twoReadings},
		{"hotline", "closed cases", `SELECT subject FROM cases WHERE status = 'closed'`},
		{"hotline", "cases closed in May 2024", `SELECT subject FROM cases WHERE closed_at >= '2024-05-01' AND closed_at < '2024-06-01'`},
		{"hotline", "cases answered and closed in June 2024", twoReadings},
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
		{"lodge", "uncancelled bookings", `SELECT booking_id FROM bookings WHERE cancelled_on IS NULL`},
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
		{"hotline", "which priority is most common", `SELECT DISTINCT priority FROM cases`},
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
		{"lodge", "helper of the month", ``},
		{"lodge", "walk of the year", ``},
		{"lodge", "how many walks of the month", `SELECT count(*) FROM walks WHERE walked_on >= date_trunc('month', current_date)`},
	},
	"what begins and ends lasts": {
		{"lodge", "bookings longer than 4 days", `SELECT booking_id FROM bookings WHERE check_out - check_in > 4`},
		{"lodge", "how many bookings are shorter than 3 nights", `SELECT count(*) FROM bookings WHERE check_out - check_in < 3`},
		{"lodge", "bookings longer than 4 hours", ``},
		{"lodge", "average length of stay", `SELECT avg(check_out - check_in) FROM bookings WHERE booking_id IN (1, 3, 4)`},
		{"lodge", "longest stay", `SELECT 4, check_out - check_in FROM bookings WHERE booking_id = 4`},
		{"lodge", "average stay", ``},
		{"lodge", "how long do visitors stay on average", `SELECT avg(check_out - check_in) FROM bookings WHERE booking_id IN (1, 3, 4)`},
		{"gym", "sessions longer than 90 minutes", `SELECT id FROM sessions WHERE ends_at - starts_at > interval '90 minutes'`},
		{"lodge", "repairs shorter than 3 days", `SELECT 3`},
		{"lodge", "average time to close a repair", `SELECT avg(closed_at - opened_at) FROM repairs`},
		{"lodge", "average time to close a repair by stage", `SELECT stage, avg(closed_at - opened_at) FROM repairs GROUP BY 1`},
		{"lodge", "average time in days to close a repair", ``},
		{"hotline", "how long does it take to answer a case on average", `SELECT avg(answered_at - opened_at) FROM cases`},
		{"hotline", "how long does it take to close a case on average", `SELECT avg(closed_at - opened_at) FROM cases`},
		{"lodge", "how long does payment take on average", `SELECT avg(paid_on - billed_on) FROM dues`},
		{"hotline", "how long does an answer take on average", `SELECT avg(answered_at - opened_at) FROM cases`},
		{"lodge", "average time to pay a due", `SELECT avg(paid_on - billed_on) FROM dues`},
	},
	"what somebody has not done is left of what he has": {
		{"lodge", "visitors who have not paid their dues", `SELECT full_name FROM visitors WHERE visitor_id IN (1, 2)`},
		{"lodge", "who hasn't paid their dues", `SELECT full_name FROM visitors WHERE visitor_id IN (1, 2)`},
		{"lodge", "who has not paid his dues?", `SELECT full_name FROM visitors WHERE visitor_id IN (1, 2)`},
		{"lodge", "visitors who paid dues", `SELECT full_name FROM visitors WHERE visitor_id IN (1, 3, 4)`},
		{"lodge", "visitors who never paid dues", `SELECT 'Flo Gant'`},
	},
	"kinds that are counted together are counted each for itself": {
		{"lodge", "how many men and women", `SELECT sex, count(*) FROM visitors GROUP BY 1`},
		{"lodge", "number of women and men", `SELECT sex, count(*) FROM visitors GROUP BY 1`},
	},
	"rows are called by a flag or a value that is a noun": {
		{"lodge", "how many no shows", `SELECT 2`},
		{"lodge", "number of no shows", `SELECT 2`},
		{"lodge", "drop outs per helper", `SELECT 'Ann Bell', 1 UNION ALL SELECT 'Cy Dorn', 1`},
		{"lodge", "no", ``},
	},
	"how many hours is their sum": {
		{"lodge", "how many hours did visitors walk in total", `SELECT 9.5`},
		{"lodge", "how many hours did Hal Ives walk", `SELECT 5.5`},
	},
	"what is made is so when it is booked": {
		{"lodge", "bookings made last month", `SELECT booking_id FROM bookings WHERE booked_on >= date_trunc('month', current_date) - interval '1 month' AND booked_on < date_trunc('month', current_date)`},
		{"lodge", "how many bookings were made this year", `SELECT count(*) FROM bookings WHERE booked_on >= date_trunc('year', current_date)`},
		{"lodge", "bookings this year", twoReadings},
		{"gym", "how many sessions were made in March 2024", twoReadings},
	},
	"who gives is who donates": {
		{"hotline", "donors who gave more than once", `SELECT full_name FROM donors JOIN donations ON donor_id = donors.id GROUP BY donors.id, 1 HAVING count(*) > 1`},
		{"hotline", "donors who gave in 2024", `SELECT DISTINCT full_name FROM donors JOIN donations ON donor_id = donors.id WHERE donated_on >= '2024-01-01' AND donated_on < '2025-01-01'`},
		{"hotline", "how much did Ada give", `SELECT sum(amount) FROM donations JOIN donors ON donor_id = donors.id WHERE full_name = 'Ada'`},
		{"hotline", "give me the number of donors", `SELECT 3`},
		{"hotline", "give the number of donors of the purpose training", `SELECT 2`},
		{"hotline", "how much have we raised", `SELECT 130`},
		{"hotline", "how much have we raised in June 2024", `SELECT 120`},
		{"lodge", "how much have we raised", ``},
		{"hotline", "how much did Ada donate in total", `SELECT sum(amount) FROM donations JOIN donors ON donor_id = donors.id WHERE full_name = 'Ada'`},
	},
	"what is called by a part of a time has none yet": {
		{"hotline", "cases with no answer", `SELECT subject FROM cases WHERE answered_at IS NULL`},
		{"lodge", "repairs without an answer", `SELECT repair_id FROM repairs WHERE answered_at IS NULL`},
	},
	"what was done took a time": {
		{"lodge", "repairs closed within 3 days", `SELECT 3`},
		{"lodge", "share of repairs closed within 3 days", `SELECT 20`},
		{"lodge", "how many repairs were answered after more than 2 days", `SELECT 1`},
		{"lodge", "dues not paid within 15 days", `SELECT due_id FROM dues WHERE coalesce(paid_on, current_date) > billed_on + 15`},
		{"lodge", "dues paid within 15 days", `SELECT due_id FROM dues WHERE paid_on <= billed_on + 15`},
		{"lodge", "dues paid within 2 hours", ``},
		{"lodge", "how much did Dee Eck pay", `SELECT 50`},
		{"lodge", "how often did Dee Eck pay", `SELECT 1`},
		{"lodge", "repairs open for more than 30 days", `SELECT 4`},
		{"lodge", "how many repairs have been open for less than 30 days", `SELECT 2`},
	},
	"values by count are how many of each there are": {
		{"lodge", "channels by count", `SELECT channel, count(*) FROM bookings WHERE channel IS NOT NULL GROUP BY 1`},
		{"lodge", "visitors by count", ``},
		{"hotline", "donors by number", ``},
		{"hotline", "priorities by number", `SELECT priority, count(*) FROM cases GROUP BY 1`},
	},
	"nothing is not the most common value": {
		{"lodge", "most common channel of bookings", `SELECT 'web'`},
	},
}

func TestNewcomer(t *testing.T) {
	testAsked(t, schemas(t, "lodge", "kennel", "hotline", "gym"), newcomer)
}
