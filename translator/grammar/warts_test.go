package grammar_test

import "testing"

// warts are questions to an old system, asked in ordinary words.
var warts = map[string][]asked{
	"codes mean what one table of lists says, and initials in capitals stand for that": {
		{"spa", "how many passed exams are there", `SELECT count(*) FROM exam WHERE ex_st = 2 AND del_ts IS NULL`},
		{"spa", "how many exams did not turn up", `SELECT count(*) FROM exam WHERE ex_st = 3 AND del_ts IS NULL`},
		{"spa", "how many DNTUs did we have", `SELECT count(*) FROM exam WHERE ex_st = 3 AND del_ts IS NULL`},
		{"spa", "how many dntus did we have", ``},
		{"spa", "stays that were transferred", `SELECT stay_no FROM stay WHERE dis_how = '2' AND void_yn = 'N'`},
	},
	"a verb that is a state is no mere verb": {
		{"spa", "how many exams were passed last month", ``},
		{"spa", "kiosks running at Stone Quay", `SELECT 'Ice Kiosk'`},
		{"spa", "kiosks at Stone Quay", `SELECT 'Ice Kiosk' UNION ALL SELECT 'Tea Kiosk'`},
	},
	"the time of a row is the one that is called as it is": {
		{"spa", "how many exams last month", `SELECT count(*) FROM exam WHERE del_ts IS NULL AND exam_ts >= date_trunc('month', current_date) - interval '1 month' AND exam_ts < date_trunc('month', current_date)`},
	},
	"what was merged, made for a test, entered in error or deleted does not count, also where it lies between": {
		{"spa", "how many guests are there", `SELECT 4`},
		{"spa", "merged guests", ``},
		{"spa", "how many guests are in", ``},
		{"spa", "how many guests stayed on Long Lodge", `SELECT 2`},
	},
	"a day in the far future is none": {
		{"spa", "how many crew are there", `SELECT 3`},
		{"spa", "crew who have left", `SELECT fnm, snm FROM crew WHERE lv_d < current_date`},
		{"spa", "former crew", `SELECT fnm, snm FROM crew WHERE lv_d < current_date`},
	},
	"who was hired and has an end has left": {
		{"spa", "how many cooks are there", `SELECT 1`},
		{"spa", "cooks who left in the last 6 months", `SELECT 'Hew', 'Vole'`},
		{"spa", "how many cooks left in the last two years", `SELECT 2`},
	},
	"who is somewhere came and has not gone": {
		{"spa", "guests on Long Lodge right now", `SELECT 'Eli', 'Rook'`},
		{"spa", "who is on Long Lodge at the moment?", `SELECT 'Eli', 'Rook'`},
		{"spa", "who is on Long Lodge", `SELECT 'Eli', 'Rook'`},
		{"spa", "stays on Long Lodge right now", `SELECT 1`},
	},
	"how something ended has the time of the end": {
		{"spa", "how many guests cured on our lodges this year", ``},
	},
	"what was called off before it began is counted only where that is said": {
		{"spa", "how many trips are there", ``},
		{"spa", "number of all trips", `SELECT 12`},
		{"spa", "how many done trips", `SELECT 9`},
		{"spa", "trips this year", `SELECT trip_no FROM trip WHERE trip_d >= date_trunc('year', current_date) AND trip_d < date_trunc('year', current_date) + interval '1 year'`},
	},
	"a name before a thing may be the code of its kind": {
		{"spa", "Evening trips", ``},
		{"spa", "trips of Evening", `SELECT trip_no FROM trip WHERE lodge_cd = 'E'`},
		{"spa", "Noon trips", `SELECT trip_no FROM trip WHERE lodge_cd = 'N'`},
	},
	"what is so today is not what was done today": {
		{"spa", "number of crew we employ today", ``},
		{"spa", "how many crew were hired today", `SELECT 0`},
	},
	"the total number of what a number counts is its sum": {
		{"spa", "number of rooms of open lodges", ``}, // of each, or of all
		{"spa", "total number of rooms of open lodges", `SELECT sum(rooms) FROM lodge WHERE clsd_d IS NULL`},
	},
	"names that are cut short": {
		{"spa", "open lodges", `SELECT lodge_nm FROM lodge WHERE clsd_d IS NULL`},
		{"spa", "which lodge has closed, and when", `SELECT 'Old Lodge', clsd_d FROM lodge WHERE lodge_cd = 'O'`},
		{"spa", "mobile number of Hal Umber", `SELECT '0706'`},
		{"spa", "when did Fay Sand die", `SELECT date '2024-03-05'`},
		{"spa", "living guests", `SELECT fnm, snm FROM guest WHERE dod IS NULL AND rec_st = 'A'`},
		{"spa", "how many hermits are there", ``}, // no line of anything
	},
	"times begin at their start": {
		{"spa", "stays since the start of the year", `SELECT stay_no FROM stay WHERE void_yn = 'N' AND adm_d >= date_trunc('year', current_date)`},
		{"spa", "stays since the beginning of last year", `SELECT stay_no FROM stay WHERE void_yn = 'N' AND adm_d >= date_trunc('year', current_date) - interval '1 year'`},
	},
	"one kind against another is how many there are of each": {
		{"spa", "summer vs winter stays", `SELECT kind, count(*) FROM stay WHERE kind IN ('S', 'W') AND void_yn = 'N' GROUP BY 1`},
	},
}

func TestWarts(t *testing.T) { testAsked(t, schemas(t, "spa"), warts) }
