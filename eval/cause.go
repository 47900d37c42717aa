package eval

import (
	"maps"
	"slices"
	"strings"

	pg_query "github.com/pganalyze/pg_query_go/v5"
	"google.golang.org/protobuf/reflect/protoreflect"

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
	tree, err := ask.Parse(sql)
	if err != nil {
		return description{}, false
	}
	tables, columns := map[string]bool{}, map[string]bool{}
	var ctes []string
	ask.Walk(tree.ProtoReflect(), func(m protoreflect.Message) {
		switch n := m.Interface().(type) {
		case *pg_query.RangeVar:
			tables[n.Relname] = true
		case *pg_query.CommonTableExpr:
			ctes = append(ctes, n.Ctename)
		case *pg_query.ColumnRef:
			if name := n.Fields[len(n.Fields)-1].GetString_().GetSval(); name != "" {
				columns[name] = true
			}
		}
	})
	for _, name := range ctes {
		delete(tables, name)
	}
	joined := func(names map[string]bool) string { return strings.Join(slices.Sorted(maps.Keys(names)), " ") }
	return description{joined(tables), joined(columns), fingerprint}, true
}
