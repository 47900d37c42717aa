package learn

import (
	"slices"

	pg_query "github.com/pganalyze/pg_query_go/v5"

	"askpg/ask"
)

// An outer join has a row with NULLs where it finds no row of a place. A definition over the place has no such row, so what
// counts it, or asks whether it is there, is none. The terms are those of the planner: src/backend/optimizer/util/clauses.c,
// find_nonnullable_rels.

// leavesMissing reports whether conditions or each aggregate of an expression leave out the rows that an outer join makes up
// for a place.
func (r *reader) leavesMissing(p *place, expr *pg_query.Node, conds []*pg_query.Node) bool {
	if !p.nullable || slices.ContainsFunc(conds, func(c *pg_query.Node) bool { return r.rejects(c, p) }) {
		return true
	}
	return allAggregates(expr, func(n *pg_query.Node) bool { return r.skips(n, p) })
}

// skips reports whether an aggregate is the same without rows of which all columns of a place are NULL.
func (r *reader) skips(n *pg_query.Node, p *place) bool {
	f := filtered(clone(n)).GetFuncCall()
	if r.rejects(f.AggFilter, p) {
		return true
	}
	if len(f.Args) == 0 || slices.Contains([]string{"array_agg", "json_agg", "jsonb_agg"}, function(f)) {
		return false
	}
	arg := f.Args[0]
	if c := ask.Uncast(arg).GetCoalesceExpr(); function(f) == "sum" && len(c.GetArgs()) == 2 {
		if zero, ok := ask.ConstantText(c.Args[1]); ok && zero == "0" {
			arg = c.Args[0]
		}
	}
	return r.strict(arg, p)
}

// rejects reports whether a condition is not met where all columns of a place are NULL.
func (r *reader) rejects(n *pg_query.Node, p *place) bool {
	if t := n.GetNullTest(); t != nil {
		return t.Nulltesttype == pg_query.NullTestType_IS_NOT_NULL && r.strict(t.Arg, p)
	}
	if t := n.GetBooleanTest(); t != nil {
		return (t.Booltesttype == pg_query.BoolTestType_IS_TRUE || t.Booltesttype == pg_query.BoolTestType_IS_FALSE) && r.strict(t.Arg, p)
	}
	rejects := func(a *pg_query.Node) bool { return r.rejects(a, p) }
	switch b := n.GetBoolExpr(); b.GetBoolop() {
	case pg_query.BoolExprType_AND_EXPR:
		return slices.ContainsFunc(b.Args, rejects)
	case pg_query.BoolExprType_OR_EXPR:
		return !slices.ContainsFunc(b.Args, func(a *pg_query.Node) bool { return !rejects(a) })
	}
	return r.strict(n, p)
}

// strictFunctions are functions, beside those of the calendar, that are NULL where an argument is.
var strictFunctions = []string{"lower", "upper", "abs", "round", "trim", "btrim", "length", "left", "right"}

// strict reports whether an expression is NULL where all columns of a place are.
func (r *reader) strict(n *pg_query.Node, p *place) bool {
	strict := func(a *pg_query.Node) bool { return a != nil && r.strict(a, p) }
	if u := r.column(n); u != nil {
		return u.place == p
	}
	if c := n.GetTypeCast(); c != nil {
		return strict(c.Arg)
	}
	if e := n.GetAExpr(); e != nil {
		switch e.Kind {
		case pg_query.A_Expr_Kind_AEXPR_OP:
			return strict(e.Lexpr) || strict(e.Rexpr)
		case pg_query.A_Expr_Kind_AEXPR_DISTINCT, pg_query.A_Expr_Kind_AEXPR_NOT_DISTINCT, pg_query.A_Expr_Kind_AEXPR_OP_ALL:
			return false
		}
		return strict(e.Lexpr)
	}
	if f := n.GetFuncCall(); f != nil && (calendar[function(f)] || slices.Contains(strictFunctions, function(f))) {
		return slices.ContainsFunc(f.Args, strict)
	}
	if b := n.GetBoolExpr(); b != nil {
		return !slices.ContainsFunc(b.Args, func(a *pg_query.Node) bool { return !strict(a) })
	}
	return false
}

// testsMissing reports whether an expression asks whether an outer join has found a row of a place: it tests a column of it for
// NULL that never is, or has another value in its place.
func (r *reader) testsMissing(n *pg_query.Node, p *place) bool {
	never := func(n *pg_query.Node) bool {
		u := r.column(ask.Uncast(n))
		return u != nil && u.place == p && u.column != nil && u.column.NotNull
	}
	return p.nullable && contains(n, func(n *pg_query.Node) bool {
		return never(n.GetNullTest().GetArg()) || len(n.GetCoalesceExpr().GetArgs()) > 0 && never(n.GetCoalesceExpr().Args[0])
	})
}

// restricted reports whether an outer join finds rows of a place by more than its keys. A condition that is one on the
// main place's rows as well does not count: a definition joins by keys alone.
func (r *reader) restricted(p, main *place) bool {
	joins := r.joining()
	return slices.ContainsFunc(p.on, func(c *pg_query.Node) bool {
		return !slices.Contains(main.on, c) && !slices.ContainsFunc(joins, func(j equality) bool { return j.node == c })
	})
}
