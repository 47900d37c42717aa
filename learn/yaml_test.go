package learn_test

import (
	"strings"
	"testing"

	"askpg/learn"
)

// TestReadYAML reads what Metabase and Superset export, in the forms that they document.
func TestReadYAML(t *testing.T) {
	for name, c := range map[string]struct{ yaml, want, never string }{
		"metabase": {`
name: Takings by month
type: question
dataset_query:
  "lib/type": mbql/query
  database: gym
  stages:
  - "lib/type": mbql.stage/native
    native: |
      SELECT date_trunc('month', paid) AS month, sum(amount) AS takings FROM fees
      WHERE state = 2 AND {{period}} [[AND member_id = {{who}}]] GROUP BY 1
    template-tags:
      period: {type: dimension, name: period}
      who: {type: number, name: who}
`, "100 calls; metabase: question \"Takings by month\")\n[[measure]]\nname = \"takings\"\ntable = \"fees\"\nexpression = \"sum(amount)\"\nfilter = \"state = 2\"\ntime = \"paid\"\n", "filter = \"state = 2 AND"},
		"metabase, tags with the SQL": {`
name: Takings
dataset_query:
  stages:
  - native:
      query: SELECT sum(amount) AS takings FROM fees WHERE member_id = {{ who }} AND state = 2
      template-tags: {who: {type: number}}
`, "parameters stand where a constant would say what is meant: takings", "[[measure]]"},
		"metabase, older": {`
name: Takings
dataset_query:
  type: native
  native:
    query: SELECT sum(amount) AS takings FROM fees WHERE state = 2
`, "name = \"takings\"\n", ""},
		"metabase, archived":       {"name: Takings\narchived: true\ndataset_query: {type: native, native: {query: SELECT sum(amount) AS takings FROM fees WHERE state = 2}}\n", "", "takings"},
		"metabase, a snippet":      {"name: Takings\ndataset_query: {type: native, native: {query: 'SELECT sum(amount) AS takings FROM fees WHERE {{snippet: paid}}', template-tags: {'snippet: paid': {type: snippet}}}}\n", "do not parse", "[[measure]]"},
		"metabase, made of clicks": {"name: Takings\ndataset_query: {stages: [{lib/type: mbql.stage/mbql, source-table: [gym, public, fees], aggregation: [[sum, {}, amount]]}]}\n", "", "[[measure]]"},
		"superset, a table": {`
table_name: fees
main_dttm_col: paid
schema: public
sql: null
metrics:
- metric_name: takings
  verbose_name: null
  expression: SUM(amount) FILTER (WHERE state = 2)
- metric_name: count
  expression: COUNT(*)
columns:
- column_name: amount
  expression: null
version: 1.0.0
`, "100 calls; superset: metric \"takings\" of fees)\n[[measure]]\nname = \"takings\"\ntable = \"fees\"\n", "name = \"count\""},
		"superset, a query":       {"table_name: paid fees\nsql: SELECT amount, state, member_id FROM fees WHERE state = 2\nmetrics:\n- {metric_name: takings, expression: sum(amount)}\n", "name = \"takings\"\ntable = \"fees\"\nexpression = \"sum(amount)\"\nfilter = \"state = 2\"\n", ""},
		"superset, a saved query": {"label: Takings\nsql: |\n  SELECT sum(amount) AS takings FROM fees WHERE state = 2\nversion: 1.0.0\n", "(100 calls; superset: Takings)\n", ""},
		"superset, all":           {"databases:\n- database_name: gym\n  tables:\n  - table_name: fees\n    schema: public\n    metrics:\n    - {metric_name: takings, expression: 'sum(amount * 2)'}\n", "expression = \"sum(amount * 2)\"\n", ""},
		"something else":          {"services:\n  db: {image: postgres}\n", "", "export.yaml"},
		"nothing":                 {"", "", "export.yaml"},
	} {
		t.Run(name, func(t *testing.T) {
			list, err := learn.ReadYAML(strings.NewReader(c.yaml), "export.yaml")
			if err != nil {
				t.Fatal(err)
			}
			text := learn.Learn(snapshot(t, ""), []string{"public"}, list).Fragment()
			if !strings.Contains(text, c.want) || c.never != "" && strings.Contains(text, c.never) {
				t.Errorf("%d statements:\n%s", len(list), text)
			}
		})
	}
	if _, err := learn.ReadYAML(strings.NewReader("a: [b"), "export.yaml"); err == nil || !strings.Contains(err.Error(), "export.yaml") {
		t.Errorf("a broken file: %v", err)
	}
}
