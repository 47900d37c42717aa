package grammar_test

import "testing"

// infirmary are questions to an old system of a hospital.
var infirmary = map[string][]asked{
	"a title says what people are, where the database knows that": {
		{"infirmary", "bleep of Dr Quill", `SELECT '101'`},
		{"infirmary", "bleep of Dr. Rook", `SELECT '303'`},
		{"infirmary", "town of Mrs Tarn", `SELECT 'Stoke'`},
		{"wards", "salary of Dr Ida Bek", `SELECT 9000`},
	},
	"a key called after a role points to people": {
		{"infirmary", "operations of Dr Rook", `SELECT op_descr FROM op WHERE op_id = 2`},
		{"infirmary", "how many daycare appointments does Dr Quill have", `SELECT 2`},
	},
	"abbreviations stand for several words, and have a plural": {
		{"infirmary", "average length of stay per wing", `SELECT 'East', 6 UNION ALL SELECT 'West', 3`},
		{"infirmary", "the longest operation", `SELECT op_descr FROM op WHERE op_id = 2`},
		{"infirmary", "how many daycare appointments are there", `SELECT 3`},
	},
	"a kind of measurement is named like a column": {
		{"infirmary", "patients with a potassium above 6", `SELECT fname, lname FROM pat WHERE pat_no IN (1, 3)`},
		{"infirmary", "patients whose glucose is over 10", `SELECT 'Flo', 'Usher'`},
		{"infirmary", "average potassium by sex", `SELECT 'F', 5.25 UNION ALL SELECT 'M', 6`},
		{"infirmary", "highest potassium per patient", `SELECT 'Eve', 'Tarn', 6.4 UNION ALL SELECT 'Flo', 'Usher', 4.1 UNION ALL SELECT 'Gus', 'Vole', 7 UNION ALL SELECT 'Hal', 'Wren', 5`},
		{"infirmary", "potassium per patient", ``}, // which of several, or their average
	},
	"what is not in a time that it is in says nothing": {
		{"bazaar", "orders placed in 2023 but not placed in 2024", ``},
	},
}

func TestInfirmary(t *testing.T) {
	testAsked(t, schemas(t, "infirmary", "wards", "bazaar"), infirmary)
}
