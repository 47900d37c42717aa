package eval

import (
	"encoding/json"
	"sort"
	"strings"

	"askpg/ask"
)

// Cause is a guess at why an answer is wrong, from the two SQL texts.
type Cause string

// The causes, the first that holds.
const (
	causeNoGold   Cause = "gold fails"
	causeAnswered Cause = "answered the unanswerable"
	causeRefused  Cause = "refused"
	causeInvalid  Cause = "no valid SQL"
	causeFailed   Cause = "failed"            // an error that is no refusal: no model, a time-out
	causeDoubtful Cause = "gold doubtful"     // the gold returns nothing
	causeTie      Cause = "tie"               // the gold cuts off equal rows
	causeLinking  Cause = "linking"           // reads other tables than every gold
	causeColumns  Cause = "columns"           // reads other columns than every gold
	causeLiteral  Cause = "literal"           // a gold but for its constants
	causeOutput   Cause = "output columns"    // the gold's columns and further ones
	causeStruct   Cause = "structure"         // same tables and columns, put together otherwise
	causeOrder    Cause = "order of the rows" // the right rows in another order
)

// causeOf says why an outcome is wrong; it is "" if it is right.
func causeOf(q *Question, o *Outcome) Cause {
	switch {
	case o.right(q) == 1:
		return ""
	case o.NoGold:
		return causeNoGold
	case q.Unanswerable && o.Answered:
		return causeAnswered
	case !o.Answered && refusals[o.Code]:
		return causeRefused
	case !o.Answered && o.SQL != "":
		return causeInvalid
	case !o.Answered:
		return causeFailed
	case q.GoldEmpty:
		return causeDoubtful
	case q.Tie:
		return causeTie
	}
	got, ok := describe(o.SQL)
	if !ok {
		return causeInvalid
	}
	tables, columns, literal := false, false, false
	for _, gold := range q.Gold {
		want, ok := describe(gold)
		if !ok {
			continue
		}
		tables = tables || got.tables == want.tables
		columns = columns || got.columns == want.columns
		literal = literal || got.fingerprint == want.fingerprint
	}
	switch {
	case !tables:
		return causeLinking
	case literal && o.Contained < 1:
		return causeLiteral
	case o.Contained == 1 && q.Ordered:
		return causeOrder
	case o.Contained == 1:
		return causeOutput
	case !columns:
		return causeColumns
	}
	return causeStruct
}

// description is what of a statement causes are told from.
type description struct {
	tables, columns string
	fingerprint     string // pg_query's, which leaves constants out
}

func describe(sql string) (description, bool) {
	fingerprint, err := ask.Fingerprint(sql)
	if err != nil {
		return description{}, false
	}
	encoded, err := ask.ParseJSON(sql)
	if err != nil {
		return description{}, false
	}
	var tree any
	if err := json.Unmarshal([]byte(encoded), &tree); err != nil {
		return description{}, false
	}
	tables, columns, ctes := map[string]bool{}, map[string]bool{}, map[string]bool{}
	walk(tree, func(kind string, node map[string]any) {
		switch kind {
		case "RangeVar":
			if name, ok := node["relname"].(string); ok {
				tables[name] = true
			}
		case "CommonTableExpr":
			if name, ok := node["ctename"].(string); ok {
				ctes[name] = true
			}
		case "ColumnRef":
			if name := lastName(node["fields"]); name != "" {
				columns[name] = true
			}
		}
	})
	for name := range ctes {
		delete(tables, name)
	}
	return description{tables: joined(tables), columns: joined(columns), fingerprint: fingerprint}, true
}

func walk(v any, visit func(kind string, node map[string]any)) {
	switch v := v.(type) {
	case map[string]any:
		for kind, child := range v {
			if node, ok := child.(map[string]any); ok {
				// Some RangeVars are fields of their parent, without the type's name.
				if _, ok := node["relname"]; ok {
					visit("RangeVar", node)
				} else {
					visit(kind, node)
				}
			}
			walk(child, visit)
		}
	case []any:
		for _, child := range v {
			walk(child, visit)
		}
	}
}

// lastName returns the last name of a qualified one.
func lastName(fields any) string {
	list, _ := fields.([]any)
	if len(list) == 0 {
		return ""
	}
	last, _ := list[len(list)-1].(map[string]any)
	text, _ := last["String"].(map[string]any)
	name, _ := text["sval"].(string)
	return name
}

func joined(names map[string]bool) string {
	list := make([]string, 0, len(names))
	for name := range names {
		list = append(list, name)
	}
	sort.Strings(list)
	return strings.Join(list, " ")
}
