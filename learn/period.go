package learn

import (
	"slices"
	"strings"

	pg_query "github.com/pganalyze/pg_query_go/v5"
	"google.golang.org/protobuf/reflect/protoreflect"

	"askpg/ask"
)

// generalised returns the SQL of a statement that is one SELECT without what restricts one report: the conditions that choose its
// period, which of the last groups it shows (HAVING) and how many rows. It returns these as well. A single row is chosen, and so no
// restriction. ok is false if it is no such statement.
func (l *learner) generalised(s *Statement) (sql string, restrictions []string, ok bool) {
	tree, err := ask.Parse(s.SQL)
	if err != nil || len(tree.Stmts) != 1 || tree.Stmts[0].Stmt.GetSelectStmt() == nil {
		return "", nil, false
	}
	last := tree.Stmts[0].Stmt.GetSelectStmt()
	if h := last.HavingClause; h != nil {
		restrictions, last.HavingClause = append(restrictions, "HAVING "+ask.DeparseExpression(h)), nil
	}
	if n := last.LimitCount; n != nil && n.GetAConst().GetIval().GetIval() != 1 {
		restrictions, last.LimitCount, last.LimitOffset, last.LimitOption = append(restrictions, "LIMIT "+ask.DeparseExpression(n)), nil, nil, pg_query.LimitOption_LIMIT_OPTION_DEFAULT
	}
	b := &builder{names: l.names}
	b.query(last, nil)
	drop := b.periods(l, s)
	ask.Walk(tree.ProtoReflect(), func(m protoreflect.Message) {
		if sel, is := m.Interface().(*pg_query.SelectStmt); is && len(drop) > 0 {
			sel.WhereClause = without(sel.WhereClause, func(c *pg_query.Node) bool {
				if drop[c] {
					restrictions = append(restrictions, ask.DeparseExpression(c))
				}
				return drop[c]
			})
		}
	})
	if len(restrictions) == 0 {
		return strings.TrimSpace(s.SQL), nil, true
	}
	sql, err = ask.Deparse(tree)
	return sql, restrictions, err == nil
}

// periods returns the conditions of WHERE, as the statement has them, that choose a period. Those of a statement that sets
// periods against each other are part of what it computes: where two of its queries bound a date differently, or a query
// takes what holds on a day ("ended_on IS NULL OR ended_on > day"). So are those that say which things are meant: of a query
// with HAVING ("1,000 in a year"), or in an expression, such as EXISTS.
func (b *builder) periods(l *learner, s *Statement) map[*pg_query.Node]bool {
	drop := map[*pg_query.Node]bool{}
	bounds := map[string][]string{} // of a date, in each query that bounds it
	for _, q := range b.queries {
		r := &reader{learner: l, builder: b, query: q, statement: s}
		if q.tested || q.having || slices.ContainsFunc(q.conds, r.hasWindowInside) {
			continue
		}
		here := map[string]string{}
		for _, c := range q.conds {
			if u := r.window(c); u != nil && b.written[c] != nil {
				drop[b.written[c]] = true
				bare, _ := replaceColumns(c, func(*pg_query.ColumnRef) *pg_query.Node { return columnNode(u.name) })
				here[u.name] += ask.DeparseExpression(bare) + "; "
			}
		}
		for date, bound := range here {
			bounds[date] = with(bounds[date], bound)
		}
	}
	for _, different := range bounds {
		if len(different) > 1 {
			return nil
		}
	}
	return drop
}

// without takes the conditions that are dropped out of a condition, nil if none is left.
func without(n *pg_query.Node, dropped func(*pg_query.Node) bool) *pg_query.Node {
	b := n.GetBoolExpr()
	switch {
	case n == nil || dropped(n):
		return nil
	case b == nil || b.Boolop != pg_query.BoolExprType_AND_EXPR:
		return n
	}
	var left []*pg_query.Node
	for _, a := range b.Args {
		if a = without(a, dropped); a != nil {
			left = append(left, a)
		}
	}
	if b.Args = left; len(left) < 2 {
		return slices.Concat(left, []*pg_query.Node{nil})[0]
	}
	return n
}
