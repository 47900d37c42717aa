package grammar_test

import "testing"

// maternity are questions of a hospital whose names are cut short, and some of what other databases have shown.
var maternity = map[string][]asked{
	"what was done has the time that is called so": {
		{"maternity", "patients discharged in March 2024", `SELECT 'Dot', 'Urs'`},
		{"maternity", "how many patients were discharged in April 2024", `SELECT 1`},
		{"maternity", "patients admitted in March 2024", `SELECT 'Dot', 'Urs' UNION ALL SELECT 'Eve', 'Voss'`},
		{"maternity", "patients admitted", `SELECT 'Fay', 'Wit'`}, // it is a state of theirs
		{"maternity", "how many patients died this year", `SELECT 1`},
		{"maternity", "average length of stay", `SELECT (4 + 30) / 2.0`},
		{"maternity", "which patients are on the Lily ward", `SELECT 'Fay', 'Wit'`},
		{"maternity", "which patients are on the Rose ward", `SELECT first_name, last_name FROM patients WHERE false`},
	},
	"a word of what a code stands for": {
		{"maternity", "patients with diabetes", `SELECT 'Dot', 'Urs' UNION ALL SELECT 'Eve', 'Voss'`},
		{"maternity", "how many patients have hypertension", `SELECT 3`},
		{"maternity", "patients with asthma", `SELECT 'Fay', 'Wit'`},
		{"maternity", "most common diagnosis", `SELECT 'Essential hypertension', 3`},
		{"maternity", "pending lab results", `SELECT * FROM lab_results WHERE res_id = 2`},
		{"maternity", "who is on call today", `SELECT 'Ada', 'Ray'`},
	},
	"who and when": {
		{"maternity", "doctors without appointments", `SELECT 'Bea', 'Sim'`},
		{"maternity", "how many prescriptions did Bea Sim write in 2024", `SELECT 1`}, // by doc_id, and not by the doctor of the appointment
		{"maternity", "which month had the most admissions", `SELECT date '2024-03-01', 2`},
		{"maternity", "in which month did we have the most admissions", `SELECT date '2024-03-01', 2`},
	},
	"rows are counted by what they are of": {
		{"maternity", "vaccinations by vaccine", `SELECT 'Polio', 10 UNION ALL SELECT 'Mumps', 20`},
		{"maternity", "number of vaccinations per insurance company", ``},               // a copay is no company
		{"ambulance", "how many prescriptions has Dr. Sim written in 2024", `SELECT 1`}, // by doc_id, and not by the visit's doctor
	},
	"bills that are paid in part": {
		{"maternity", "unpaid invoices", `SELECT 'R1'`},
		{"maternity", "overdue invoices", `SELECT 'R1'`},
		{"maternity", "how much is outstanding", `SELECT 20`},
		{"maternity", "payments received per month in 2024", `SELECT date '2024-04-01', 130`},
		{"maternity", "money received in April 2024", `SELECT 130`},
		{"maternity", "how much did we invoice in March 2024", `SELECT 100`},
		{"maternity", "how much is an ultrasound", `SELECT 30`},
		{"maternity", "has invoice R2 been fully paid", `SELECT true`},
	},
}

func TestMaternity(t *testing.T) { testAsked(t, schemas(t, "maternity", "ambulance"), maternity) }
