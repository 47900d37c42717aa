package grammar_test

import "testing"

// saddlery are questions about what a name, a comment or a verb says, and about what it only seems to say.
var saddlery = map[string][]asked{
	"a price before discount is not what was paid": {
		{"saddlery", "total revenue", `SELECT 470`},
		{"saddlery", "revenue per shop", `SELECT 'North Gate', 370 UNION ALL SELECT 'South Gate', 100`},
	},
	"orders are those of the table that is called so in short": {
		{"saddlery", "how many orders are there", `SELECT 3`},
		{"saddlery", "how many orders were there in March 2024", `SELECT 2`},
		{"saddlery", "how many purchase orders are there", `SELECT 2`},
	},
	"how many there may be is not how many there are": {
		{"saddlery", "average number of participants per course", ``},
		{"saddlery", "average participants of courses", ``},
		{"saddlery", "average maximum participants of courses", `SELECT 10`},
	},
	"what we make is not all that there is": {
		{"saddlery", "which tack do we produce", ``},
		{"saddlery", "which tack do we sell", `SELECT name FROM tack`},
	},
	"what was never done is recorded by no rows": {
		{"saddlery", "which tack has never been sold", `SELECT 'Girth'`},
		{"saddlery", "tack that was never sold", `SELECT 'Girth'`},
		{"saddlery", "tack never repaired", `SELECT unnest(ARRAY['Bridle', 'Rope'])`},
		{"saddlery", "how many tack have not been repaired", `SELECT 2`},
		{"wards", "patients who were never discharged", `SELECT name FROM patients WHERE id NOT IN (SELECT patient_id FROM admissions WHERE discharged_on IS NOT NULL)`}, // though admitted
	},
	"what will be is not what was": {
		{"saddlery", "how many orders will we have in March", ``},
		{"saddlery", "how many orders will there be in March 2024", ``},
	},
}

// TestSaddlery asks about what a name, a comment or a verb says.
func TestSaddlery(t *testing.T) { testAsked(t, schemas(t, "saddlery", "wards"), saddlery) }
