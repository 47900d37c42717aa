package grammar_test

import "testing"

// hire are what a newcomer asks of his own database first, with names that ordinary words can be taken for.
var hire = map[string][]asked{
	"a name that could be cut into other words is whole": {
		{"hire", "how many units are there", `SELECT 5`},
		{"hire", "how many units are in York", `SELECT 3`},
		{"hire", "number of units per yard", `SELECT 'Elm Yard', 3 UNION ALL SELECT 'Oak Yard', 2`},
		{"hire", "number of faults by topic", `SELECT topic, count(*) FROM faults GROUP BY 1`},
	},
	"since opens a time, though a column is called so": {
		{"hire", "clubs since 2023", `SELECT name FROM clubs WHERE since >= '2023-01-01'`},
		{"hire", "how many clubs since August 2023", `SELECT 2`},
		{"hire", "clubs since last year", `SELECT name FROM clubs WHERE since >= date_trunc('year', current_date) - interval '1 year'`},
	},
	"a synonym is no other word of its stem": {
		{"hire", "occupancy", ``},
		{"hire", "occupancy per yard", ``},
		{"hire", "occupations of helpers", `SELECT job FROM helpers`},
	},
}

func TestHire(t *testing.T) { testAsked(t, schemas(t, "hire"), hire) }
