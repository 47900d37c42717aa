package learn

import (
	"slices"
	"strings"

	pg_query "github.com/pganalyze/pg_query_go/v5"

	"askpg/ask"
	"askpg/catalog"
)

// learnOutput notes what the name of an output stands for.
func (r *reader) learnOutput(o output, joins []equality) {
	if !o.explicit || o.expr == nil {
		return
	}
	if u := r.column(o.expr); u != nil && u.column != nil {
		if !r.query.inner && !u.column.Private {
			r.aliases.add(spoken(o.name), r.names.column(u.column), r.statement)
		}
		return
	}
	at, expr := r.descend(o.expr)
	if at != r {
		joins = at.joining()
	}
	got := reading{name: spoken(o.name), statement: r.statement, final: !r.query.inner, inner: r.query.inner && !r.builder.top[o.name]}
	switch {
	case hasAggregate(expr):
		got.kind, got.listed = aggregate, at.listed(expr)
		at.measure(&got, expr, joins)
	case at != r || at.defines(expr):
		got.kind = rowValue
		at.rowValue(&got, expr, joins)
	default:
		return
	}
	r.reads = append(r.reads, got)
}

// descend goes into the grouped subquery that all columns of an expression are
// of: a ratio of two of its sums is a measure of its rows.
func (r *reader) descend(expr *pg_query.Node) (*reader, *pg_query.Node) {
	at := r
	for !at.query.grouped {
		places := at.places(expr)
		if len(places) != 1 || places[0] == nil || places[0].sub == nil || places[0].sub.opaque {
			break
		}
		sub := places[0].sub
		inner, ok := replaceColumns(expr, func(ref *pg_query.ColumnRef) *pg_query.Node {
			for _, o := range sub.outs {
				if f := fields(ref); o.name == f[1] {
					return o.expr
				}
			}
			return nil
		})
		if !ok {
			break
		}
		at, expr = &reader{learner: r.learner, builder: r.builder, query: sub, statement: r.statement}, inner
	}
	return at, expr
}

// defines reports whether a value of a row says something of a business: it
// has a CASE or computes with columns. A period, a name put together or a
// replaced NULL does not.
func (r *reader) defines(n *pg_query.Node) bool {
	if hasWindow(n) || hasSubquery(n) {
		return false
	}
	return contains(n, func(n *pg_query.Node) bool {
		if e := n.GetAExpr(); e != nil {
			return slices.Contains([]string{"+", "-", "*", "/"}, ask.Operator(e)) && len(r.columns(n)) > 0
		}
		if c := n.GetCoalesceExpr(); c != nil {
			return len(r.columns(c.Args[0])) > 0 && len(c.Args) > 1 && len(r.columns(c.Args[1])) > 0
		}
		column, _ := r.codes(n.GetCaseExpr())
		return n.GetCaseExpr() != nil && column == nil
	})
}

// bare takes rounding, a last type and a replaced NULL from an expression.
func bare(n *pg_query.Node) *pg_query.Node {
	for {
		switch {
		case n.GetTypeCast() != nil:
			n = n.GetTypeCast().Arg
		case function(n.GetFuncCall()) == "round" && len(n.GetFuncCall().Args) > 0:
			n = n.GetFuncCall().Args[0]
		case len(n.GetCoalesceExpr().GetArgs()) == 2 && ask.Uncast(n.GetCoalesceExpr().Args[1]).GetAConst() != nil && hasAggregate(n):
			n = n.GetCoalesceExpr().Args[0]
		default:
			return n
		}
	}
}

// measure completes the reading of an aggregate.
func (r *reader) measure(got *reading, expr *pg_query.Node, joins []equality) {
	if !r.query.grouped || hasSubquery(expr) || outside(expr) {
		return
	}
	expr = clone(bare(expr))
	got.open = hasParameter(expr)
	var own []*pg_query.Node
	expr = filtered(expr)
	if f := expr.GetFuncCall(); f != nil && f.AggFilter != nil { // the same as a condition on all rows
		own = conjunctsOf(f.AggFilter)
		f.AggFilter = nil
	}
	main := r.main(expr, own, joins)
	if main == nil {
		return
	}
	got.open = got.open || r.open(own)
	filter, ok := r.filter(main, own, joins)
	if !ok {
		return
	}
	if got.expression, got.columns, ok = r.write(expr, main); !ok {
		return
	}
	got.relation, got.filter, got.formula = main.relation, filter, formula(got.expression)
	if times := r.periodColumns(); len(times) == 1 {
		got.time = times[0]
	}
}

// listed reports whether an aggregate is over columns of a place of which the query has a row for each row: bool_or(due < now()) of a
// vehicle and its repairs is a property of the vehicle, whatever repairs the report has chosen.
func (r *reader) listed(expr *pg_query.Node) bool {
	places := r.places(expr)
	if len(places) != 1 || places[0] == nil || !repeatable(expr) {
		return false
	}
	var columns []string
	for _, o := range r.query.outs {
		if u := r.column(o.expr); u != nil && u.place == places[0] {
			columns = append(columns, u.name)
		}
	}
	return places[0].unique(columns)
}

// filtered writes "sum(CASE WHEN c THEN x END)" as "sum(x) FILTER (WHERE c)". Where 1 is added up or counted, it writes
// a count of rows.
func filtered(expr *pg_query.Node) *pg_query.Node {
	f := expr.GetFuncCall()
	name := function(f)
	if name != "sum" && name != "count" || len(f.Args) != 1 || f.AggFilter != nil || f.AggDistinct {
		return expr
	}
	c := ask.Uncast(f.Args[0]).GetCaseExpr()
	if c == nil || c.Arg != nil || len(c.Args) != 1 {
		return expr
	}
	zero, ok := ask.ConstantText(c.Defresult)
	if null := constant(c.Defresult).GetAConst().GetIsnull(); c.Defresult != nil && !null && (name == "count" || !ok || zero != "0") {
		return expr
	}
	when := c.Args[0].GetCaseWhen()
	f.AggFilter = when.Expr
	if one, ok := ask.ConstantText(when.Result); ok && (one == "1" || name == "count") {
		f.Funcname, f.Args, f.AggStar = []*pg_query.Node{pg_query.MakeStrNode("count")}, nil, true
		return expr
	}
	f.Args = []*pg_query.Node{when.Result}
	return expr
}

// outside reports whether an expression has columns outside of its aggregates.
func outside(expr *pg_query.Node) (found bool) {
	each(expr, func(n *pg_query.Node) bool {
		found = found || n.GetColumnRef() != nil
		return !isAggregate(n)
	})
	return found
}

// main returns the place whose rows an aggregate is over: that of its columns,
// none of whose rows the joins repeat. Where they repeat rows only aggregates
// that don't care for it are right. Rows that an outer join makes up are none of it.
func (r *reader) main(expr *pg_query.Node, own []*pg_query.Node, joins []equality) *place {
	conds := slices.Concat(own, r.query.conds)
	candidates := r.places(expr)
	if len(candidates) == 0 {
		candidates = r.query.places
	}
	for _, p := range candidates {
		if p == nil || p.relation == nil || !r.leavesMissing(p, expr, conds) {
			continue
		}
		if r.whole(p, joins) || len(candidates) == 1 && repeatable(expr) && r.optional(p, joins) {
			return p
		}
	}
	return nil
}

// optional reports whether all places that may repeat the rows of a place are
// there by outer joins. An inner join leaves out rows that have none there,
// which no condition of a definition can say.
func (r *reader) optional(p *place, joins []equality) bool {
	reached := r.reached(p, joins)
	return !slices.ContainsFunc(r.query.places, func(o *place) bool { return !o.nullable && !slices.Contains(reached, o) })
}

// repeatable reports whether every aggregate of an expression is the same where rows are repeated.
func repeatable(expr *pg_query.Node) bool {
	return allAggregates(expr, func(n *pg_query.Node) bool {
		f := n.GetFuncCall()
		return f.AggDistinct || slices.Contains([]string{"min", "max", "bool_or", "bool_and", "every"}, function(f))
	})
}

// open reports whether a condition has a parameter in place of a constant: but
// for times and keys, which are what one report wants, it may be part of a
// definition.
func (r *reader) open(own []*pg_query.Node) bool {
	return slices.ContainsFunc(slices.Concat(own, r.allConds()), func(n *pg_query.Node) bool {
		return hasParameter(n) && r.window(n) == nil && !r.byKey(n)
	})
}

// learnView notes the rows that a view shows as what it is called after.
func (r *reader) learnView(joins []equality) {
	w := catalog.Words(r.statement.View)
	w = slices.DeleteFunc(w, func(w string) bool { return slices.Contains([]string{"v", "vw", "view", "mv", "matview"}, w) })
	for _, p := range r.query.places {
		if p.relation == nil || !r.whole(p, joins) || len(w) == 0 || !r.leavesMissing(p, nil, r.query.conds) {
			continue
		}
		if filter, ok := r.filter(p, nil, joins); ok && len(filter) > 0 {
			r.reads = append(r.reads, reading{kind: rowSet, name: strings.Join(w, " "), statement: r.statement, relation: p.relation, filter: filter})
		}
		return
	}
}
