package grammar_test

import (
	"os"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"askpg/internal/pgtest"
	"askpg/translator/grammar"
)

// oldNames are questions to a database whose names are cut short, whose days are numbers and whose codes stand in one table.
var oldNames = map[string][]asked{
	"a table's short name stands for words that something else is called by": {
		{"brewery", "taverns in Wells", `SELECT tavnm FROM tavms WHERE tcity = 'Wells'`},
		{"brewery", "how many deliveries are there", `SELECT 4`},
		{"bazaar", "wares sold in April 2024", `SELECT 'Lamp'`},
	},
	"a code table explains codes": {
		{"brewery", "active taverns", `SELECT tavnm FROM tavms WHERE tavsts = 'A'`},
		{"brewery", "taverns on credit hold", `SELECT 'Zum Baum'`},
		{"brewery", "how many open deliveries are there", `SELECT 2`},
	},
	"a day may be a number": {
		{"brewery", "how many deliveries in May 2024", `SELECT 2`},
		{"brewery", "number of deliveries per month in 2024", `SELECT date '2024-05-01', 2 UNION ALL SELECT date '2024-06-01', 1`},
	},
	"a code of two letters is a country": {
		{"brewery", "taverns in Austria", `SELECT tavnm FROM tavms WHERE tctry = 'AT'`},
		{"brewery", "Belgian taverns", `SELECT 'La Cloche'`},
		{"brewery", "taverns in Italy", ``},
	},
	"a thing is told by its number": {
		{"brewery", "city of tavern 4712", `SELECT 'Graz'`},
		{"brewery", "how many deliveries did tavern 4711 get", `SELECT 2`},
		{"brewery", "name of tavern 1007", `SELECT tavnm FROM tavms WHERE false`},
		{"brewery", "deliveries of tavern 4711", `SELECT delno FROM delh WHERE tavno = 4711`},
		{"bazaar", "orders 2024", `SELECT id FROM orders WHERE placed_on >= '2024-01-01' AND placed_on < '2025-01-01'`},
	},
}

func TestOldNames(t *testing.T) { testAsked(t, schemas(t, "brewery", "bazaar"), oldNames) }

const brewerySemantics = `
[[column]]
name = "delh.delamt"
synonyms = ["amount"]
[[column]]
name = "tavms.tavsts"
values = { "A" = "active", "H" = "on hold, blocked", "C" = "shut, not selling" }
[[term]]
name = "open delivery"
synonyms = ["not settled"]
table = "delh"
condition = "delh.delsts in ('O', 'B')"
[[measure]]
name = "turnover"
table = "delh"
expression = "sum(delh.delamt)"
time = "deldt"
`

// TestOldNames_definitions asks for what an admin has defined over short names.
func TestOldNames_definitions(t *testing.T) {
	testDefined(t, "brewery", brewerySemantics, map[string]string{
		"how many deliveries are open?":       `SELECT 3`,
		"deliveries that are still open":      `SELECT delno FROM delh WHERE delsts IN ('O', 'B')`,
		"deliveries over 500":                 `SELECT delno FROM delh WHERE delamt > 500`,
		"blocked taverns":                     `SELECT 'Zum Baum'`,
		"turnover in May 2024":                `SELECT 1520`,
		"which deliveries are not settled":    `SELECT delno FROM delh WHERE delsts IN ('O', 'B')`,
		"taverns not selling":                 ``,
		"turnover of tavern 4711 in May 2024": `SELECT 620`,
		// of a unit of time the best is that of the highest measure
		"which month had the highest turnover":          `SELECT date '2024-05-01', 1520`,
		"which month had the lowest turnover in 2024":   `SELECT date '2024-06-01', 480`,
		"our best month ever by turnover":               `SELECT date '2024-05-01', 1520`,
		"worst month for turnover":                      `SELECT date '2023-12-01', 75`,
		"year with the highest turnover":                `SELECT 2024, 2000`,
		"which month had the highest turnover in Wells": `SELECT date '2024-05-01', 620`,
	})
}

// TestOldNames_usualRows asks for rows of a table of which an admin has said in two conditions which of them count.
func TestOldNames_usualRows(t *testing.T) {
	testDefined(t, "brewery", "[[table]]\nname = \"delh\"\nfilter = \"delsts <> 'B' and frtamt < 600\"\n[[column]]\nname = \"delh.frtamt\"\nsynonyms = [\"freight\"]\n", map[string]string{
		"how many deliveries are there":      `SELECT 2`,
		"how many open deliveries are there": `SELECT count(*) FROM delh WHERE delsts = 'O' AND frtamt < 600`, // the question speaks of the state alone
		"deliveries with a freight over 600": `SELECT delno FROM delh WHERE frtamt > 600 AND delsts <> 'B'`,
	})
}

// testDefined asks questions to one of the schemas with an admin's definitions. Those without SQL have to be refused.
func testDefined(t *testing.T, name, semantics string, asked map[string]string) {
	t.Helper()
	script, err := os.ReadFile("testdata/" + name + ".sql")
	if err != nil {
		t.Fatal(err)
	}
	db := pgtest.NewDatabase(t, string(script))
	pgtest.CatchUp(t)
	conn, err := pgx.Connect(t.Context(), pgtest.Shared(t).Primary.URL(pgtest.Superuser, db))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	s := definedFor(t, db, pgtest.Superuser, semantics)
	if len(s.Problems) > 0 {
		t.Fatal(s.Problems)
	}
	for question, gold := range asked {
		got, err := grammar.Interpret(question, "", s, grammar.Options{Now: time.Now()})
		if gold == "" {
			if err == nil && len(got) > 0 {
				t.Errorf("%q is read as %s", question, got[0].SQL)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", question, err)
			continue
		}
		want, err := run(conn, gold)
		if err != nil {
			t.Fatal(err)
		}
		if r, err := run(conn, got[0].SQL); err != nil || !sameRows(conn, want, got[0].SQL, r, false) {
			t.Errorf("%q is read as %s (%v)", question, got[0].SQL, err)
		}
	}
}
