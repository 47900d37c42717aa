package grammar_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"askpg/ask"
	"askpg/catalog"
	"askpg/internal/pgtest"
	"askpg/translator/grammar"
)

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
	"of two states of one column either holds, of two columns both": {
		{"hire", "open and closed faults", `SELECT fault_id FROM faults`},
		{"hire", "how many open and closed faults are there", `SELECT 3`},
		{"hire", "open or closed yards", `SELECT name FROM yards`},
		{"lettings", "paid and unpaid invoices", `SELECT invoice_no FROM invoices WHERE status IN (1, 2)`},
		{"lettings", "open and overdue invoices", `SELECT invoice_no FROM invoices WHERE status = 1 AND due_on < current_date`},
	},
	"an amount was not done, and amounts are not compared": {
		{"hire", "pledges never paid", ``},
		{"hire", "pledges that were never billed", ``},
		{"hire", "widths of units that were never hired", `SELECT width_m FROM units WHERE unit_id = 5`},
		{"bazaar", "prices of wares nobody ever ordered", `SELECT price FROM wares WHERE id NOT IN (SELECT ware_id FROM order_lines)`},
	},
	"what has ended counts where the question says so": {
		{"hire", "how many hires are there", ``},
		{"hire", "how many hires were there, ended ones too", `SELECT 4`},
		{"hire", "number of hires per source, ended or not", `SELECT source, count(*) FROM hires GROUP BY 1`},
		{"hire", "number of all hires", `SELECT 4`},
		{"hire", "how many hires ever", `SELECT 4`},
		{"hire", "how many hires are open", `SELECT 2`},
		{"hire", "clubs with more than 1 hires, including ended ones", `SELECT 'Robins'`},
		{"depot", "how many leases, expired ones included", `SELECT count(*) FROM leases`},
		{"office", "total fee of all contracts", `SELECT sum(fee) FROM contracts`},
	},
	"what happened in something may have happened before it ended": {
		{"hire", "top 2 clubs by amount of receipts", `SELECT 'Robins', 800 UNION ALL SELECT 'Wrens', 700`},
		{"hire", "clubs with hires", ``},
	},
}

func TestHire(t *testing.T) {
	testAsked(t, schemas(t, "hire", "lettings", "bazaar", "depot", "office"), hire)
}

// TestHire_Ended has a refusal name the question for what goes on, and that for all.
func TestHire_Ended(t *testing.T) {
	s := schemas(t, "hire")["hire"]
	for question, want := range map[string][]string{
		"how many hires are there":   {`"how many running hires are there"`, `"how many hires are there, ended ones too"`},
		"clubs with hires":           {`"clubs with running hires"`, `"clubs with hires, ended ones too"`},
		"average pledge per yard":    {`"average pledge of running hires per yard"`, `"average pledge per yard, ended hires too"`},
		"which club has most hires?": {`"which club has most running hires"`, `"which club has most hires, ended ones too"`},
	} {
		_, err := grammar.Interpret(question, "", s.snap, grammar.Options{Now: now, Suggest: true})
		e := ask.AsError(err)
		if e == nil {
			t.Errorf("%q has an answer", question)
			continue
		}
		for _, w := range want {
			if !strings.Contains(e.Hint, w) {
				t.Errorf("%q: %s %s, without %s", question, e.Detail, e.Hint, w)
			}
		}
	}
}

const hireSemantics = `
[[measure]]
name = "takings"
table = "receipts"
expression = "sum(amount)"
time = "received_at"
[[term]]
name = "open defects"
table = "faults"
condition = "closed_at IS NULL"
[[term]]
name = "handbacks"
table = "hires"
condition = "end_on IS NOT NULL"
`

// TestHire_Semantics asks for what an administrator has defined: the definition's words and its time come before what
// names and comments of the schema suggest.
func TestHire_Semantics(t *testing.T) {
	dbs := schemas(t, "hire")
	cfg := catalog.DefaultConfig()
	cfg.Semantics = filepath.Join(t.TempDir(), "semantics.toml")
	if err := os.WriteFile(cfg.Semantics, []byte(hireSemantics), 0o600); err != nil {
		t.Fatal(err)
	}
	s := dbs["hire"]
	c := catalog.New(cfg, source{func(database string) string { return pgtest.Shared(t).Primary.URL(pgtest.Superuser, database) }},
		slog.New(slog.DiscardHandler), prometheus.NewRegistry())
	t.Cleanup(c.Close)
	snap, err := c.Snapshot(t.Context(), s.snap.Database, pgtest.Superuser)
	if err != nil || len(snap.Problems) > 0 {
		t.Fatal(err, snap.Problems)
	}
	dbs["hire"] = schema{s.conn, snap}
	testAsked(t, dbs, map[string][]asked{
		"the time of a measure is that of its definition": {
			{"hire", "takings of Elm Yard in May 2024", `SELECT 500`},
			{"hire", "takings per yard in 2024", `SELECT 'Elm Yard', 500 UNION ALL SELECT 'Oak Yard', 850`},
		},
		"a term comes before what a comment says": {
			{"hire", "how many open defects are there", `SELECT 2`},
			{"hire", "open defects per yard", `SELECT 'Elm Yard', 1 UNION ALL SELECT 'Oak Yard', 1`},
			{"hire", "how many defects are there", ``},
		},
		"what has a time by its definition was then": {
			{"hire", "how many handbacks in June 2023", `SELECT 1`},
			{"hire", "handbacks by month", `SELECT date '2023-06-01', 1 UNION ALL SELECT '2024-05-01', 1`},
		},
	})
}
