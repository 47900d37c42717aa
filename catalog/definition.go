package catalog

import (
	"errors"
	"slices"

	"askpg/ask"
	"askpg/catalog/schema"

	pg_query "github.com/pganalyze/pg_query_go/v5"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Define binds what an asker says a name means: a condition, such as tier = 'gold', makes a term, and an aggregate, such as
// sum(price * pieces), a measure. There is one for each relation that has all columns which the text names without a table.
// The snapshot stays as it is. The error says why the text defines nothing.
func (s *Snapshot) Define(name, text string) ([]*Measure, error) {
	aggregate, err := definitionKind(text)
	if err != nil {
		return nil, err
	}
	b := &builder{snap: s}
	var out []*Measure
	for _, r := range s.Relations {
		m := &Measure{Name: name, Relation: r, Relations: []*Relation{r}}
		into := &m.Condition
		if aggregate {
			into = &m.Aggregate
		}
		bound := b.bindParts(m, []part{{"definition", text, into}})
		if bound == nil && slices.ContainsFunc(into.Refs, func(c schema.Reference) bool { return c.Column.Relation == r }) {
			out = append(out, m)
		}
		err = bound
	}
	if len(out) == 0 {
		return nil, errors.Join(errors.New("no table has all of its columns"), err)
	}
	return out, nil
}

// definitionKind reports whether an expression aggregates rows. An expression that is neither an aggregate nor a condition is an error.
func definitionKind(text string) (aggregate bool, err error) {
	tree, err := ask.Parse("SELECT (" + text + "\n)")
	if err != nil {
		return false, err
	}
	ask.Walk(tree.ProtoReflect(), func(m protoreflect.Message) {
		if call, ok := m.Interface().(*pg_query.FuncCall); ok {
			name := call.Funcname[len(call.Funcname)-1].GetString_().GetSval()
			aggregate = aggregate || call.AggStar || slices.Contains(aggregates, name)
		}
	})
	if aggregate {
		return true, nil
	}
	switch n := tree.Stmts[0].Stmt.GetSelectStmt().GetTargetList()[0].GetResTarget().GetVal().GetNode().(type) {
	case *pg_query.Node_BoolExpr, *pg_query.Node_NullTest, *pg_query.Node_BooleanTest:
		return false, nil
	case *pg_query.Node_AExpr:
		operator := n.AExpr.Name[len(n.AExpr.Name)-1].GetString_().GetSval()
		if slices.Contains(comparisons, operator) {
			return false, nil
		}
	}
	return false, errors.New("it is neither a condition nor an aggregate")
}

// aggregates are PostgreSQL's aggregate functions of general use (PostgreSQL documentation, 9.21) that a measure is made with.
var aggregates = []string{"sum", "avg", "count", "min", "max"}

// comparisons are operators that make a condition. IN, BETWEEN and LIKE have operators of these names in the parse tree.
var comparisons = []string{"=", "<>", "<", "<=", ">", ">=", "IN", "BETWEEN", "NOT BETWEEN", "~~", "!~~", "~~*", "!~~*", "~", "~*"}
