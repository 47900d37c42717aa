package grammar_test

import "testing"

// proved are questions of which a reading sounds right that the schema does not prove.
var proved = map[string][]asked{
	"what several rows lead to is counted once": {
		{"farm", "growers who delivered to more than one market", `SELECT 'Ben Reed'`},
		{"farm", "which grower delivered to the most markets", `SELECT 'Ben Reed'`},
		{"farm", "number of markets per grower", `SELECT 'Ben Reed', 2 UNION ALL SELECT 'Ada Moss', 1 UNION ALL SELECT 'Cid Fern', 1`},
		{"farm", "growers with more than 3 deliveries", `SELECT 'Ada Moss'`},
	},
	"what most rows lack is no value": {
		{"farm", "most common complaint", `SELECT 'late'`},
		{"farm", "which town has the most markets", `SELECT town FROM markets WHERE town IS NOT NULL`},
	},
}

func TestProved(t *testing.T) {
	testAsked(t, schemas(t, "farm"), proved)
}
