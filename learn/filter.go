package learn

import (
	"slices"

	pg_query "github.com/pganalyze/pg_query_go/v5"

	"askpg/catalog"
)

// filter returns the conditions on the rows of a place, with those on what is looked up from it. ok is false if one of
// them can't be written.
func (r *reader) filter(main *place, own []*pg_query.Node, joins []equality) (out []conjunct, ok bool) {
	for _, p := range r.query.places {
		if p != main && p.relation == nil && !p.nullable {
			return nil, false // it may leave rows out
		}
	}
	conds := slices.Concat(own, r.query.conds)
	if main.nullable { // an aggregate leaves the missing rows out
		conds = append(conds, main.on...)
	}
	if out, ok = r.conjuncts(main, conds, joins); !ok {
		return nil, false
	}
	for _, n := range r.present(out, joins) {
		con, ok := r.conjunct(n, main)
		if !ok {
			return nil, false
		}
		out = append(out, con)
	}
	return reduce(out), true
}

// conjuncts writes conditions but for those that join and those that one report wanted; ok is false if one can't be written.
func (r *reader) conjuncts(main *place, conds []*pg_query.Node, joins []equality) (out []conjunct, ok bool) {
	for _, c := range conds {
		joined := slices.ContainsFunc(joins, func(j equality) bool { return j.node == c })
		if joined || len(r.columns(c)) == 0 && !hasSubquery(c) || !hasSubquery(c) && r.selects(c) {
			continue
		}
		con, ok := r.conjunct(c, main)
		if !ok {
			return nil, false
		}
		out = append(out, con)
	}
	return out, true
}

// present returns the conditions that inner joins are: where a column that refers to another place is empty, there is no row. A
// definition with a condition on the other place joins it itself.
func (r *reader) present(said []conjunct, joins []equality) (out []*pg_query.Node) {
	for _, j := range joins {
		if !slices.Contains(r.query.conds, j.node) {
			continue
		}
		for _, side := range [][2]used{{j.a, j.b}, {j.b, j.a}} {
			c, other := side[0].column, side[1].column
			if c == nil || other == nil || !mayBeEmpty(c) ||
				slices.ContainsFunc(said, func(s conjunct) bool {
					return slices.ContainsFunc(s.columns, func(c *catalog.Column) bool { return c.Relation == other.Relation })
				}) {
				continue
			}
			out = append(out, &pg_query.Node{Node: &pg_query.Node_NullTest{NullTest: &pg_query.NullTest{
				Arg: columnNode(side[0].place.id, side[0].name), Nulltesttype: pg_query.NullTestType_IS_NOT_NULL}}})
		}
	}
	return out
}

// mayBeEmpty reports whether a table's column may be NULL. Many that may be never are, as far as statistics know: reports that join
// by them say nothing else than those that do not.
func mayBeEmpty(c *catalog.Column) bool {
	view := c.Relation.Kind == catalog.View || c.Relation.Kind == catalog.MaterializedView
	never := c.NotNull || c.Profile != nil && !c.Profile.Sampled && c.Profile.NullFrac == 0
	return !view && !never
}

// ownFilter returns the conditions on a place's own rows: those that a value of them was computed for. ok is false if one can't be
// written, as one with a subquery.
func (r *reader) ownFilter(p *place, joins []equality) (out []conjunct, ok bool) {
	conds := slices.Clone(r.query.conds)
	if p.nullable {
		conds = append(conds, p.on...)
	}
	conds = slices.DeleteFunc(conds, func(c *pg_query.Node) bool {
		return !hasSubquery(c) && (!slices.Contains(r.places(c), p) || len(r.places(c)) > 1)
	})
	if out, ok = r.conjuncts(p, conds, joins); !ok {
		return nil, false
	}
	return reduce(out), true
}

// rowValue completes the reading of a value of each row. What its query says of the rows is part of it, as nobody has computed it
// for others. A period of a date is the same for all rows.
func (r *reader) rowValue(got *reading, expr *pg_query.Node, joins []equality) {
	got.open = hasParameter(expr)
	for _, p := range r.places(expr) {
		if p == nil || p.relation == nil || r.testsMissing(expr, p) {
			return
		}
		reached := r.reached(p, joins)
		if slices.ContainsFunc(r.places(expr), func(o *place) bool { return !slices.Contains(reached, o) }) {
			continue
		}
		sql, columns, ok := r.write(expr, p)
		if !ok {
			continue
		}
		if !ofCalendar(expr) {
			if got.filter, ok = r.ownFilter(p, joins); !ok {
				return
			}
		}
		got.relation, got.expression, got.formula, got.columns = p.relation, sql, formula(sql), columns
		return
	}
}

// ofCalendar reports whether a value is a period of a date, such as a fiscal year.
func ofCalendar(expr *pg_query.Node) bool {
	return contains(expr, func(n *pg_query.Node) bool { return byPeriod(n.GetFuncCall()) }) &&
		!contains(expr, func(n *pg_query.Node) bool { return n.GetCaseExpr() != nil })
}
