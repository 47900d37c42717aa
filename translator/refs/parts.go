package refs

import (
	"slices"

	pg_query "github.com/pganalyze/pg_query_go/v5"

	"askpg/ask"
	"askpg/catalog"
)

// Parts are what a statement demands in WHERE, ON and FILTER, each part that AND joins for itself, and the functions that it calls: as
// SQL with columns by the names of their relations.
type Parts []string

// PartsOf returns the parts of a statement. A text that does not parse has none.
func PartsOf(sql string, s *catalog.Snapshot, searchPath []string) Parts {
	w := &walk{snapshot: s, path: searchPath, tables: map[string][]*catalog.Relation{}}
	return w.parts(sql)
}

// Demand reports whether a condition that an administrator has given is among them, as it is written. An empty one is.
func (p Parts) Demand(condition func(alias func(*catalog.Relation) string) string) bool {
	text := condition((*catalog.Relation).QuotedName)
	return text == "" || p.have("SELECT WHERE "+text)
}

// Compute reports whether the aggregates of an expression that an administrator has given are among them, as they are written.
func (p Parts) Compute(expression func(alias func(*catalog.Relation) string) string) bool {
	text := expression((*catalog.Relation).QuotedName)
	return text == "" || p.have("SELECT "+text)
}

func (p Parts) have(sql string) bool {
	return !slices.ContainsFunc((&walk{}).parts(sql), func(own string) bool { return !slices.Contains(p, own) })
}

// parts writes what a statement demands and calls.
func (w *walk) parts(sql string) (out []string) {
	tree, err := ask.Parse(sql)
	if err != nil {
		return nil
	}
	if w.snapshot != nil {
		w.nameColumns(tree)
	}
	var add func(*pg_query.Node)
	add = func(n *pg_query.Node) {
		if b := n.GetBoolExpr(); b.GetBoolop() == pg_query.BoolExprType_AND_EXPR {
			for _, a := range b.Args {
				add(a)
			}
		} else if n != nil {
			out = append(out, ask.DeparseExpression(n))
		}
	}
	ask.Nodes(tree, func(n *pg_query.Node) {
		add(n.GetSelectStmt().GetWhereClause())
		add(n.GetJoinExpr().GetQuals())
		if f := n.GetFuncCall(); f != nil {
			add(f.AggFilter)
			f.AggFilter = nil
			out = append(out, ask.DeparseExpression(n))
		}
	})
	return out
}

// nameColumns writes the columns of a statement by the names of their relations.
func (w *walk) nameColumns(tree *pg_query.ParseResult) {
	ask.Nodes(tree, func(n *pg_query.Node) { w.relation(n.GetRangeVar()) })
	ask.Nodes(tree, func(n *pg_query.Node) {
		if c := w.column(n.GetColumnRef()); c != nil {
			n.GetColumnRef().Fields = []*pg_query.Node{pg_query.MakeStrNode(c.Relation.Schema), pg_query.MakeStrNode(c.Relation.Name.Name), pg_query.MakeStrNode(c.Name)}
		}
	})
}
