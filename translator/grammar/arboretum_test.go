package grammar_test

import "testing"

// arboretum are questions of a business whose deliveries and visits are planned before they happen, and whose bills are paid in parts.
var arboretum = map[string][]asked{
	"a bill is paid when nothing of it is open": {
		{"arboretum", "is bill B-1 paid", `SELECT false`},
		{"arboretum", "has bill B-2 been paid", `SELECT true`},
		{"arboretum", "which bills are paid", `SELECT 'B-2'`},
		{"arboretum", "paid bills of Castle", `SELECT 'B-2'`},
		{"arboretum", "when was bill B-1 paid", `SELECT CURRENT_DATE - 20`},
		{"arboretum", "amount paid on bill B-1", `SELECT 40`},
		{"arboretum", "how much is still open on bill B-1", `SELECT 60`},
		{"arboretum", "what do all Castle customers owe us", `SELECT 0`},
		{"arboretum", "how much do all our customers owe us", `SELECT 460`},
		{"arboretum", "revenue by tree", `SELECT 'Birch', 400 UNION ALL SELECT 'Maple', 100 UNION ALL SELECT 'Cedar', 90`},
	},
	"one thing is so or not": {
		{"arboretum", "is bill B-1 overdue", `SELECT true`},
		{"arboretum", "is bill B-3 overdue", `SELECT false`},
		{"arboretum", "is Ida Ash on holiday today", `SELECT true`},
		{"arboretum", "is Jon Elm on holiday today", `SELECT false`}, // it was rejected
		{"arboretum", "is Maple in stock", `SELECT true`},
		{"arboretum", "is Ida Ash a gardener", `SELECT true`},
		{"arboretum", "is order O-2 cancelled", `SELECT false`},
	},
	"what is planned has not happened": {
		{"arboretum", "has order O-2 been delivered", `SELECT false`},
		{"arboretum", "has order O-1 been delivered", `SELECT true`},
		{"arboretum", "when was the last visit to Abbey", `SELECT CURRENT_DATE - 10`},
		{"arboretum", "when was the last visit to Bridge Inn", `SELECT CURRENT_DATE - 20`}, // a later one was cancelled
		{"arboretum", "when is the next visit to Abbey", `SELECT CURRENT_DATE + 5`},
		{"arboretum", "next visit", `SELECT * FROM visits WHERE visit_id = 2`},
	},
	"somebody is away until he is back": {
		{"arboretum", "absences this week", `SELECT * FROM absences WHERE absence_id IN (1, 3)`},
		{"arboretum", "who is away today", `SELECT 'Ida', 'Ash' UNION ALL SELECT 'Kim', 'Fir'`},
		{"arboretum", "who is sick today", `SELECT 'Kim', 'Fir'`},
	},
	"of which goods, and whose": {
		{"arboretum", "which trees do we have to reorder", `SELECT 'Maple'`},
		{"arboretum", "which maples do we have to reorder", ``},
		{"arboretum", "how many trees of Maple do we have", ``},
		{"arboretum", "how many Maples do we have", `SELECT 3`},
		{"arboretum", "city of Ida Ash", ``},
		{"arboretum", "city of Abbey", `SELECT 'Wells'`},
		{"arboretum", "customers without a gardener", `SELECT 'Castle'`},
	},
}

func TestArboretum(t *testing.T) { testAsked(t, schemas(t, "arboretum"), arboretum) }
