package learn

import (
	"slices"
	"strings"

	pg_query "github.com/pganalyze/pg_query_go/v5"

	"askpg/ask"
	"askpg/catalog"
)

// readingKind is what a name stands for.
type readingKind byte

const (
	aggregate readingKind = iota // a measure
	rowValue                     // a value of each row
	rowSet                       // rows that meet a condition
)

// reading is what a name stands for in one query.
type reading struct {
	kind       readingKind
	name       string
	statement  *Statement
	relation   *catalog.Relation // nil if it can't be written as a definition
	expression string
	formula    string // equal for other spellings of the expression
	columns    []*catalog.Column
	filter     []conjunct
	time       *catalog.Column // that its query goes by
	inner      bool            // of a part of a statement, which does not show it
	final      bool            // an output of the statement itself
	open       bool            // a parameter stands for a constant of it
	listed     bool            // it is a property of the rows that the query lists, and no figure
}

// learn collects what one query says.
func (l *learner) learn(r *reader) {
	joins := r.joining()
	r.learnJoins(joins)
	r.learnFacts(joins)
	r.learnDates()
	r.learnValues()
	for _, o := range r.query.outs {
		r.learnOutput(o, joins)
	}
	if r.statement.View != "" && !r.query.inner && !r.query.grouped {
		r.learnView(joins)
	}
}

// learnJoins notes how relations are joined.
func (r *reader) learnJoins(joins []equality) {
	type pair struct{ a, b *place }
	pairs := map[pair][2][]*catalog.Column{}
	var order []pair
	for _, j := range joins {
		a, b := j.a, j.b
		if a.column == nil || b.column == nil || a.column.Private || b.column.Private {
			continue
		}
		if a.place.unique([]string{a.name}) && !b.place.unique([]string{b.name}) || pairs[pair{b.place, a.place}][0] != nil {
			a, b = b, a
		}
		p := pair{a.place, b.place}
		if pairs[p][0] == nil {
			order = append(order, p)
		}
		pairs[p] = [2][]*catalog.Column{append(pairs[p][0], a.column), append(pairs[p][1], b.column)}
	}
	for _, p := range order {
		from, to := pairs[p][0], pairs[p][1]
		if !p.b.unique(columnNames(to)) || r.declared(from, to) || slices.Equal(from, to) {
			continue // only where one side is a key is it known what the join means
		}
		r.learner.joins.add(r.list(from), r.list(to), r.statement)
	}
}

// list names columns of a relation as a join of the semantics file does.
func (r *reader) list(columns []*catalog.Column) string {
	var s strings.Builder
	s.WriteString(r.names.column(columns[0]))
	for _, c := range columns[1:] {
		s.WriteString(", " + c.Name)
	}
	return s.String()
}

// declared reports whether the database or an admin says the join already.
func (r *reader) declared(from, to []*catalog.Column) bool {
	return slices.ContainsFunc(r.snap.ForeignKeys, func(k *catalog.ForeignKey) bool {
		return (!k.Implied || k.Preferred) && (slices.Equal(k.FromCols, from) && slices.Equal(k.ToCols, to) || slices.Equal(k.FromCols, to) && slices.Equal(k.ToCols, from))
	})
}

// learnFacts notes which conditions the rows of each relation meet.
func (r *reader) learnFacts(joins []equality) {
	node := map[*pg_query.Node]bool{}
	for _, j := range joins {
		node[j.node] = true
	}
	conds := r.allConds()
	for _, p := range r.query.places {
		if p.relation == nil {
			continue
		}
		f := fact{statement: r.statement, relation: p.relation, main: r.whole(p, joins), open: map[*catalog.Column]bool{}}
		for _, c := range conds {
			if node[c] || !slices.Contains(r.places(c), p) {
				continue
			}
			if r.selects(c) {
				for _, u := range r.columns(c) {
					f.open[u.column] = true
				}
				continue
			}
			if con, ok := r.conjunct(c, p); ok && len(r.places(c)) == 1 && !r.testsMissing(c, p) {
				f.conjuncts = append(f.conjuncts, con)
			}
		}
		r.facts = append(r.facts, f)
	}
}

// learnDates notes which date column of a relation reports go by: queries that
// group or add up. Programs look for rows by any date.
func (r *reader) learnDates() {
	if !r.query.grouped {
		return
	}
	for _, u := range r.periodColumns() {
		r.dates.add(r.names.of(u.Relation), u.Name, r.statement)
	}
}

// periodColumns are the date columns that the query groups or chooses by.
func (r *reader) periodColumns() []*catalog.Column {
	var out []*catalog.Column
	add := func(u *used) {
		if u != nil && u.column != nil {
			out = with(out, u.column)
		}
	}
	for _, c := range r.allConds() {
		add(r.window(c))
	}
	for _, o := range r.query.outs {
		if hasAggregate(o.expr) {
			continue
		}
		each(o.expr, func(n *pg_query.Node) bool {
			f := n.GetFuncCall()
			if f == nil || !byPeriod(f) {
				return true
			}
			for _, a := range f.Args {
				for _, u := range r.columns(a) {
					if r.dated(u) {
						add(&u)
					}
				}
			}
			return true
		})
	}
	return out
}

// learnValues notes what CASE says of codes.
func (r *reader) learnValues() {
	exprs := r.allConds()
	for _, o := range slices.Concat(r.query.outs, r.query.merged) {
		exprs = append(exprs, o.expr)
	}
	for _, e := range exprs {
		each(e, func(n *pg_query.Node) bool {
			c, codes := r.codes(n.GetCaseExpr())
			for code, label := range codes {
				r.values.add(r.names.column(c)+"\x00"+code, label, r.statement)
			}
			return true
		})
	}
}

// codes returns what a CASE says that the codes of a column stand for.
func (r *reader) codes(e *pg_query.CaseExpr) (c *catalog.Column, codes map[string]string) {
	subjects, codes := ask.Codes(e)
	for _, s := range subjects {
		u := r.column(s)
		if u == nil || u.column == nil || u.column.Private || c != nil && u.column != c {
			return nil, nil
		}
		c = u.column
	}
	return c, codes
}
