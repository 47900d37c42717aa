package learn

import (
	"slices"
	"strings"

	pg_query "github.com/pganalyze/pg_query_go/v5"

	"askpg/ask"
	"askpg/catalog"
)

// reader reads one query of a statement.
type reader struct {
	*learner
	builder   *builder
	query     *query
	statement *Statement
}

// used is a resolved column of an expression.
type used struct {
	place  *place
	name   string
	column *catalog.Column // nil if the place is no relation
}

// columns of a resolved expression.
func (r *reader) columns(n *pg_query.Node) []used {
	var out []used
	each(n, func(n *pg_query.Node) bool {
		if f := fields(n.GetColumnRef()); len(f) == 2 {
			u := used{place: r.builder.at(f[0]), name: f[1]}
			if u.place != nil && u.place.relation != nil {
				u.column = u.place.relation.Column(f[1])
			}
			out = append(out, u)
		}
		return true
	})
	return out
}

// places of a resolved expression, each once.
func (r *reader) places(n *pg_query.Node) []*place {
	var out []*place
	for _, u := range r.columns(n) {
		out = with(out, u.place)
	}
	return out
}

// equality is a condition that two places have equal columns.
type equality struct {
	a, b used
	node *pg_query.Node
}

// equalities of two columns of different places among conditions.
func (r *reader) equalities(conds []*pg_query.Node) []equality {
	var out []equality
	for _, c := range conds {
		e := c.GetAExpr()
		if !ask.Equates(e) {
			continue
		}
		a, b := r.column(e.Lexpr), r.column(e.Rexpr)
		if a != nil && b != nil && a.place != b.place {
			out = append(out, equality{*a, *b, c})
		}
	}
	return out
}

// allConds are the conditions of the query and of its outer joins.
func (r *reader) allConds() []*pg_query.Node {
	out := slices.Clone(r.query.conds)
	for _, p := range r.query.places {
		out = with(out, p.on...)
	}
	return out
}

// joining are the equalities that join places: where one of a pair of places
// has a key, only those with it.
func (r *reader) joining() []equality {
	all := r.equalities(r.allConds())
	same := func(x, y equality) bool {
		return x.a.place == y.a.place && x.b.place == y.b.place || x.a.place == y.b.place && x.b.place == y.a.place
	}
	keyed := func(e equality) bool {
		return e.a.place.unique([]string{e.a.name}) || e.b.place.unique([]string{e.b.name})
	}
	return slices.DeleteFunc(slices.Clone(all), func(e equality) bool {
		return !keyed(e) && slices.ContainsFunc(all, func(o equality) bool { return same(e, o) && keyed(o) })
	})
}

// reached returns the places that have at most one row for each row of the
// place: what is looked up from it by keys. The place is the first of them.
func (r *reader) reached(from *place, joins []equality) []*place {
	out := []*place{from}
	for again := true; again; {
		again = false
		for _, p := range r.query.places {
			if slices.Contains(out, p) {
				continue
			}
			var columns []string
			for _, j := range joins {
				if j.a.place == p && slices.Contains(out, j.b.place) {
					columns = append(columns, j.a.name)
				} else if j.b.place == p && slices.Contains(out, j.a.place) {
					columns = append(columns, j.b.name)
				}
			}
			if len(columns) > 0 && p.unique(columns) {
				out, again = append(out, p), true
			}
		}
	}
	return out
}

// whole reports whether each row of the query has another row of the place.
func (r *reader) whole(p *place, joins []equality) bool {
	return len(r.reached(p, joins)) == len(r.query.places)
}

// isDate reports whether an expression has columns, and all are dates or times.
func (r *reader) isDate(n *pg_query.Node) bool {
	u := r.columns(n)
	return len(u) > 0 && !slices.ContainsFunc(u, func(u used) bool { return !r.dated(u) })
}

// dated reports whether a column, or an output of a subquery, is a date or time, as far as the tree tells.
func (r *reader) dated(u used) bool {
	if u.column != nil {
		return u.column.Class == catalog.Date || u.column.Class == catalog.Timestamp
	}
	if u.place == nil || u.place.sub == nil {
		return false
	}
	i := slices.IndexFunc(u.place.sub.outs, func(o output) bool { return o.name == u.name })
	if i < 0 {
		return false
	}
	n := ask.Uncast(u.place.sub.outs[i].expr)
	if f := n.GetFuncCall(); slices.Contains([]string{"min", "max", "date_trunc", "lag", "lead"}, function(f)) {
		n = ask.Uncast(f.Args[len(f.Args)-1])
		if function(f) != "date_trunc" {
			n = ask.Uncast(f.Args[0])
		}
	}
	inner := r.column(n)
	return inner != nil && r.dated(*inner)
}

// isNow reports whether an expression is the present time, and not one before
// or after it.
func isNow(n *pg_query.Node) bool {
	if c := n.GetTypeCast(); c != nil {
		return isNow(c.Arg)
	}
	return n.GetSqlvalueFunction() != nil || function(n.GetFuncCall()) == "now"
}

// calendar functions choose or group by periods.
var calendar = map[string]bool{"date_trunc": true, "to_char": true, "extract": true, "date_part": true, "date_bin": true}

// periods are the fields of extract that name a period, and not a part of each.
var periods = []string{"year", "quarter", "month", "week", "isoyear", "decade"}

// byPeriod reports whether a call is of a function that makes a period of a date.
func byPeriod(f *pg_query.FuncCall) bool {
	name := function(f)
	if !calendar[name] {
		return false
	}
	if name == "extract" || name == "date_part" {
		return len(f.Args) > 0 && slices.Contains(periods, strings.ToLower(f.Args[0].GetAConst().GetSval().GetSval()))
	}
	return true
}

// window returns the date column that a condition compares with a fixed time or
// period, if that is what it does: "issued_on >= current_date - 30".
// Comparisons with the present time say what a thing is, as in "overdue".
func (r *reader) window(n *pg_query.Node) *used {
	e := n.GetAExpr()
	if e == nil || slices.Contains([]string{"+", "-", "*", "/"}, ask.Operator(e)) {
		return nil
	}
	for _, side := range [][2]*pg_query.Node{{e.Lexpr, e.Rexpr}, {e.Rexpr, e.Lexpr}} {
		if !r.isDate(side[0]) || len(r.columns(side[1])) > 0 || side[1] == nil || isNow(side[1]) && ask.Operator(e) != "=" {
			continue
		}
		if contains(side[0], func(n *pg_query.Node) bool {
			f := n.GetFuncCall()
			return f != nil && !byPeriod(f)
		}) {
			continue
		}
		u := r.columns(side[0])
		if len(u) == 1 && !r.olderThan(e, side[0], u[0]) {
			return &u[0]
		}
	}
	return nil
}

// isAge reports whether an expression is the time from a date until now: current_date - due.
func isAge(n *pg_query.Node) bool {
	e := n.GetAExpr()
	return e != nil && ask.Operator(e) == "-" && isNow(e.Lexpr)
}

// olderThan reports whether a condition says that a date is before a day of the past. No other condition may say after
// which day it is: an invoice that was issued more than 30 days ago is overdue in each report.
func (r *reader) olderThan(e *pg_query.A_Expr, date *pg_query.Node, u used) bool {
	before := func(e *pg_query.A_Expr, date *pg_query.Node) bool {
		less, greater := []string{"<", "<="}, []string{">", ">="}
		if isAge(date) { // it grows as the date goes back
			less, greater = greater, less
		}
		return e.Lexpr == date && slices.Contains(less, ask.Operator(e)) || e.Rexpr == date && slices.Contains(greater, ask.Operator(e))
	}
	bound := e.Rexpr
	if date == e.Rexpr {
		bound = e.Lexpr
	}
	if !before(e, date) || !isAge(date) && !contains(bound, isNow) {
		return false
	}
	return !slices.ContainsFunc(r.allConds(), func(n *pg_query.Node) bool {
		o := n.GetAExpr()
		if o == nil || o == e {
			return false
		}
		for _, side := range []*pg_query.Node{o.Lexpr, o.Rexpr} {
			if list := r.columns(side); len(list) == 1 && list[0] == u && !before(o, side) {
				return true
			}
		}
		return false
	})
}

// selects reports whether a condition is what one report wanted: a time, a
// parameter, or the key of a row.
func (r *reader) selects(n *pg_query.Node) bool {
	return hasParameter(n) || r.window(n) != nil || r.byKey(n)
}

// byKey reports whether a condition compares a key with a constant.
func (r *reader) byKey(n *pg_query.Node) bool {
	e := n.GetAExpr()
	if e == nil {
		return false
	}
	u := r.column(e.Lexpr)
	return u != nil && u.column != nil && (u.column.Unique && !codes(u.column.Relation, u.column) || ask.Operator(e) == "=" && r.refers(u.column)) && len(r.columns(e.Rexpr)) == 0
}

// maxCodes bounds the rows of a relation that holds codes: to choose one of them
// says what a thing is, as "status = 'paid'" does, and not which one it is.
const maxCodes = 100

// refers reports whether a column refers to a relation that holds more than codes.
func (r *reader) refers(c *catalog.Column) bool {
	return slices.ContainsFunc(r.snap.ForeignKeys, func(k *catalog.ForeignKey) bool {
		return slices.Contains(k.FromCols, c) && !codes(k.To, c)
	})
}

// codes reports whether a relation holds codes, by how many rows it has; where
// that is not known, a text is taken for one.
func codes(r *catalog.Relation, key *catalog.Column) bool {
	return r.Rows >= 0 && r.Rows <= maxCodes || r.Rows < 0 && key.Class == catalog.Text
}

// hasWindowInside reports whether a part of a condition is a window of time, as
// of "as of a day".
func (r *reader) hasWindowInside(n *pg_query.Node) bool {
	return contains(n, func(part *pg_query.Node) bool { return part != n && r.window(part) != nil })
}
