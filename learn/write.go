package learn

import (
	"slices"
	"strings"

	pg_query "github.com/pganalyze/pg_query_go/v5"

	"askpg/ask"
	"askpg/catalog"
)

// conjunct is a condition of a filter, as the semantics file writes it.
type conjunct struct {
	text    string
	columns []*catalog.Column
	tree    *pg_query.Node // for implied
}

// column returns the column that an expression is, or nil.
func (r *reader) column(n *pg_query.Node) *used {
	if n.GetColumnRef() == nil {
		return nil
	}
	if u := r.columns(n); len(u) == 1 && u[0].place != nil {
		return &u[0]
	}
	return nil
}

// write writes a resolved expression as the semantics file has it, with the
// columns of a place without their table. ok is false if it can't be written.
func (r *reader) write(n *pg_query.Node, main *place) (_ string, _ []*catalog.Column, ok bool) {
	if n == nil || hasSubquery(n) || hasWindow(n) || hasParameter(n) {
		return "", nil, false
	}
	var columns []*catalog.Column
	out, ok := replaceColumns(n, func(ref *pg_query.ColumnRef) *pg_query.Node {
		f := fields(ref)
		p := r.builder.at(f[0])
		if p == nil || p.relation == nil || p.relation.Column(f[1]) == nil || p.relation.Column(f[1]).Private {
			return nil
		}
		columns = with(columns, p.relation.Column(f[1]))
		if p == main {
			return columnNode(f[1])
		}
		if slices.ContainsFunc(r.query.places, func(o *place) bool { return o != p && o.relation == p.relation }) || p.relation == main.relation {
			return nil // which of the two is meant, no expression can say
		}
		if r.restricted(p, main) {
			return nil
		}
		if r.bare[p.relation.Name.Name] == 1 {
			return columnNode(p.relation.Name.Name, f[1])
		}
		return columnNode(p.relation.Schema, p.relation.Name.Name, f[1])
	})
	if !ok {
		return "", nil, false
	}
	sql := ask.DeparseExpression(normalise(out))
	return sql, columns, sql != ""
}

// normalise writes what says the same in the same way: "x = false" as "NOT x",
// "= ANY (ARRAY[…])" as IN, lists in order, constants without their type where
// a column stands on the other side.
func normalise(n *pg_query.Node) *pg_query.Node {
	each(n, func(n *pg_query.Node) bool {
		normaliseBoolean(n)
		if e := n.GetAExpr(); e != nil {
			normaliseComparison(e)
			if b := e.Rexpr.GetAConst().GetBoolval(); b != nil && e.Kind == pg_query.A_Expr_Kind_AEXPR_OP {
				switch ask.Operator(e) {
				case equals[b.Boolval]:
					n.Node = e.Lexpr.Node
				case equals[!b.Boolval]:
					n.Node = not(e.Lexpr)
				}
			}
		}
		return true
	})
	return n
}

// equals is the operator by which a condition is compared with true, and with false, without a change of its sense.
var equals = map[bool]string{true: "=", false: "<>"}

func not(n *pg_query.Node) *pg_query.Node_BoolExpr {
	return &pg_query.Node_BoolExpr{BoolExpr: &pg_query.BoolExpr{Boolop: pg_query.BoolExprType_NOT_EXPR, Args: []*pg_query.Node{n}}}
}

// normaliseComparison writes an array of alternatives as a list, and the constants without their types and in order.
func normaliseComparison(e *pg_query.A_Expr) {
	if e.Kind == pg_query.A_Expr_Kind_AEXPR_OP_ANY && ask.Operator(e) == "=" || e.Kind == pg_query.A_Expr_Kind_AEXPR_OP_ALL && ask.Operator(e) == "<>" {
		if a := ask.Uncast(e.Rexpr).GetAArrayExpr(); a != nil {
			e.Kind, e.Rexpr = pg_query.A_Expr_Kind_AEXPR_IN, pg_query.MakeListNode(a.Elements)
		}
	}
	if column(e.Lexpr) && slices.Contains([]string{"=", "<>", "<", "<=", ">", ">="}, ask.Operator(e)) {
		e.Lexpr, e.Rexpr = ask.Untexted(e.Lexpr), constant(e.Rexpr)
	}
	if l := e.Rexpr.GetList(); l != nil && e.Kind == pg_query.A_Expr_Kind_AEXPR_IN {
		for i := range l.Items {
			l.Items[i] = constant(l.Items[i])
		}
		sortByText(l.Items)
		if len(l.Items) == 1 {
			e.Kind, e.Rexpr = pg_query.A_Expr_Kind_AEXPR_OP, l.Items[0]
		}
	}
}

// sortByText orders expressions by their SQL.
func sortByText(list []*pg_query.Node) {
	sql := make(map[*pg_query.Node]string, len(list))
	for _, n := range list {
		sql[n] = ask.DeparseExpression(n)
	}
	slices.SortFunc(list, func(a, b *pg_query.Node) int { return strings.Compare(sql[a], sql[b]) })
}

// normaliseBoolean writes "x = 1 OR x = 2" as IN, "NOT x = 1" as "x <> 1", and tests
// of truth as the condition itself.
func normaliseBoolean(n *pg_query.Node) {
	if t := n.GetBooleanTest(); t != nil {
		switch t.Booltesttype {
		case pg_query.BoolTestType_IS_TRUE:
			n.Node = t.Arg.Node
		case pg_query.BoolTestType_IS_FALSE:
			n.Node = not(t.Arg)
		}
	}
	b := n.GetBoolExpr()
	if b == nil {
		return
	}
	if b.Boolop == pg_query.BoolExprType_NOT_EXPR {
		e := b.Args[0].GetAExpr()
		turned, ok := map[string]string{"=": "<>", "<>": "="}[ask.Operator(e)]
		if ok && (e.Kind == pg_query.A_Expr_Kind_AEXPR_OP || e.Kind == pg_query.A_Expr_Kind_AEXPR_IN) {
			e.Name[0] = pg_query.MakeStrNode(turned)
			n.Node = b.Args[0].Node
		}
		return
	}
	var items []*pg_query.Node
	for _, a := range b.Args {
		e := a.GetAExpr()
		if b.Boolop != pg_query.BoolExprType_OR_EXPR || e == nil || e.Kind != pg_query.A_Expr_Kind_AEXPR_OP || ask.Operator(e) != "=" || !column(e.Lexpr) ||
			constant(e.Rexpr).GetAConst() == nil || ask.DeparseExpression(e.Lexpr) != ask.DeparseExpression(b.Args[0].GetAExpr().Lexpr) {
			return
		}
		items = append(items, e.Rexpr)
	}
	n.Node = pg_query.MakeAExprNode(pg_query.A_Expr_Kind_AEXPR_IN, []*pg_query.Node{pg_query.MakeStrNode("=")}, b.Args[0].GetAExpr().Lexpr, pg_query.MakeListNode(items), 0).Node
}

// constant takes the type from a constant, as of a view's definition.
func constant(n *pg_query.Node) *pg_query.Node {
	if u := ask.Uncast(n); u.GetAConst() != nil {
		return u
	}
	return n
}

// column reports whether an expression is a column, with a type or without.
func column(n *pg_query.Node) bool { return ask.Uncast(n).GetColumnRef() != nil }

// conjunct writes a condition, ok is false if it can't be.
func (r *reader) conjunct(n *pg_query.Node, main *place) (c conjunct, ok bool) {
	if r.hasWindowInside(n) || slices.ContainsFunc(r.places(n), func(p *place) bool { return p != nil && p != main && r.testsMissing(n, p) }) {
		return c, false
	}
	c.text, c.columns, ok = r.write(n, main)
	c.tree = normalise(clone(n))
	return c, ok
}

// has reports whether a condition is among others, as it is written.
func has(list []conjunct, c conjunct) bool {
	return slices.ContainsFunc(list, func(o conjunct) bool { return o.text == c.text })
}

// meets reports whether rows that meet conditions meet another one: it is among them, or one implies it.
func meets(list []conjunct, c conjunct) bool {
	return has(list, c) || slices.ContainsFunc(list, func(o conjunct) bool { return implies(o, c) })
}

// meetsAll reports whether rows that meet conditions meet all of others.
func meetsAll(list, others []conjunct) bool {
	return !slices.ContainsFunc(others, func(c conjunct) bool { return !meets(list, c) })
}

// reduce sorts conditions and leaves out those that others imply.
func reduce(list []conjunct) []conjunct {
	var out []conjunct
	for i, c := range list {
		if !has(list[:i], c) && !slices.ContainsFunc(list, func(o conjunct) bool { return o.text != c.text && implies(o, c) }) {
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(a, b conjunct) int { return strings.Compare(a.text, b.text) })
	return out
}

// implies reports whether a condition on a column is met wherever another one
// is, as far as constants tell: status = 'won' implies status IN ('won', 'lost').
func implies(a, b conjunct) bool {
	if len(a.columns) != 1 || len(b.columns) != 1 || a.columns[0] != b.columns[0] {
		return false
	}
	values, in, ok := listed(a.tree)
	if !ok || !in {
		return false
	}
	if t := b.tree.GetNullTest(); t != nil {
		return t.Nulltesttype == pg_query.NullTestType_IS_NOT_NULL && column(t.Arg)
	}
	others, in, ok := listed(b.tree)
	return ok && !slices.ContainsFunc(values, func(v string) bool { return slices.Contains(others, v) != in })
}

// listed returns the constants that a condition compares a column with; in is
// false if the column must have none of them.
func listed(n *pg_query.Node) (values []string, in, ok bool) {
	e := n.GetAExpr()
	if e == nil || !column(e.Lexpr) || ask.Operator(e) != "=" && ask.Operator(e) != "<>" {
		return nil, false, false
	}
	items := []*pg_query.Node{e.Rexpr}
	switch {
	case e.Kind == pg_query.A_Expr_Kind_AEXPR_IN:
		items = e.Rexpr.GetList().GetItems()
	case e.Kind != pg_query.A_Expr_Kind_AEXPR_OP:
		return nil, false, false
	}
	for _, i := range items {
		v, ok := ask.ConstantText(i)
		if !ok {
			return nil, false, false
		}
		values = append(values, v)
	}
	return values, ask.Operator(e) == "=", len(values) > 0
}
