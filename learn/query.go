package learn

import (
	"slices"
	"strconv"

	pg_query "github.com/pganalyze/pg_query_go/v5"

	"askpg/ask"
	"askpg/catalog"
)

// query is one SELECT of a statement. Its expressions are resolved: each
// column reference has two fields, the id of a place and a column of it.
// Subqueries in FROM that only choose rows and columns are made part of it, as
// the planner does (PostgreSQL, src/backend/optimizer/README, "subquery pull-up").
type query struct {
	places  []*place
	conds   []*pg_query.Node // that all of its rows meet, taken apart at AND
	outs    []output
	merged  []output // of the subqueries that were made part of it
	groups  []string // names of the outputs that it is grouped by
	grouped bool     // a row stands for several
	having  bool     // only some groups are rows of it
	opaque  bool     // a set operation, or something that is not understood
	cut     bool     // DISTINCT, LIMIT or a window: not to be made part of another
	inner   bool     // a part of a statement
	tested  bool     // in an expression, where it is a condition or a value of other rows
}

type output struct {
	name     string
	explicit bool // by AS
	expr     *pg_query.Node
}

// place is what stands in a FROM.
type place struct {
	id       string
	relation *catalog.Relation // nil for what is no relation
	sub      *query            // whose rows it has; nil for relations and functions
	nullable bool              // an outer join may leave it without a row
	on       []*pg_query.Node  // the conditions of that join
}

// unique reports whether the columns tell the place's rows apart.
func (p *place) unique(columns []string) bool {
	all := func(key []string) bool {
		return !slices.ContainsFunc(key, func(k string) bool { return !slices.Contains(columns, k) })
	}
	switch {
	case p.relation != nil:
		for _, c := range p.relation.Columns {
			if c.Unique && slices.Contains(columns, c.Name) {
				return true
			}
		}
		return slices.ContainsFunc(append([][]*catalog.Column{p.relation.PrimaryKey}, p.relation.Unique...), func(key []*catalog.Column) bool { return len(key) > 0 && all(columnNames(key)) })
	case p.sub != nil && p.sub.grouped && !p.sub.opaque:
		return all(p.sub.groups)
	}
	return false
}

func columnNames(columns []*catalog.Column) (out []string) {
	for _, c := range columns {
		out = append(out, c.Name)
	}
	return out
}

// builder makes the queries of one statement.
type builder struct {
	*names
	queries []*query
	places  []*place // all, by id
	used    []*catalog.Relation
	top     map[string]bool // the names of the statement's own outputs
	left    string          // why the statement can't be used
	built   int             // queries, those of WITH and of views each time that they are named
	tested  bool            // what is built stands in an expression

	written map[*pg_query.Node]*pg_query.Node // the conditions of WHERE that were resolved, as the statement has them
}

// add adds a place, which its alias names, to a query.
func (b *builder) add(q *query, sc *scope, alias *pg_query.Alias, p place) {
	p.id = strconv.Itoa(len(b.places))
	b.places = append(b.places, &p)
	q.places = append(q.places, &p)
	sc.entries = append(sc.entries, entry{alias: alias.GetAliasname(), place: &p})
}

func (b *builder) at(id string) *place {
	n, err := strconv.Atoi(id)
	if err != nil || n >= len(b.places) {
		return nil
	}
	return b.places[n]
}

// maxQueries bounds the queries that are built for a statement: each name of
// WITH is built anew where it is used, and may use others.
const maxQueries = 500

// query builds a SELECT and what it is made of.
func (b *builder) query(sel *pg_query.SelectStmt, outer *scope) *query {
	q := &query{tested: b.tested}
	if b.built++; b.built > maxQueries {
		b.left = leftUnparsed
	}
	if sel == nil || b.left != "" {
		q.opaque = true
		return q
	}
	sc := &scope{outer: outer, with: map[string]*pg_query.CommonTableExpr{}}
	for _, c := range sel.GetWithClause().GetCtes() {
		sc.with[c.GetCommonTableExpr().GetCtename()] = c.GetCommonTableExpr()
	}
	if sel.GetOp() != pg_query.SetOperation_SETOP_NONE {
		q.opaque = true
		for _, arm := range []*pg_query.SelectStmt{sel.Larg, sel.Rarg} {
			b.query(arm, sc).inner = true
		}
		return q
	}
	if len(sel.ValuesLists) > 0 || sel.GetWithClause().GetRecursive() {
		q.opaque = true
		return q
	}
	for _, f := range sel.FromClause {
		b.from(q, sc, f, false)
	}
	q.conds = append(q.conds, b.where(sc, sel.WhereClause)...)
	b.outputs(q, sc, sel)
	q.cut = len(sel.DistinctClause) > 0 || sel.LimitCount != nil || sel.LimitOffset != nil || slices.ContainsFunc(q.outs, func(o output) bool { return hasWindow(o.expr) })
	b.grouping(q, sc, sel)
	if q.having = sel.HavingClause != nil; q.having {
		b.subqueries(sel.HavingClause, sc)
	}
	b.queries = append(b.queries, q)
	return q
}

func (b *builder) outputs(q *query, sc *scope, sel *pg_query.SelectStmt) {
	for _, t := range sel.TargetList {
		target := t.GetResTarget()
		if f := fields(target.GetVal().GetColumnRef()); len(f) > 0 && f[len(f)-1] == "*" {
			for _, e := range sc.entries {
				if len(f) == 1 || f[len(f)-2] == e.alias {
					q.outs = append(q.outs, e.all()...)
				}
			}
			continue
		}
		o := output{name: target.GetName(), explicit: target.GetName() != "", expr: b.resolve(sc, target.GetVal())}
		if f := fields(target.GetVal().GetColumnRef()); !o.explicit && len(f) > 0 {
			o.name = f[len(f)-1]
		}
		if !o.explicit && target.GetVal().GetFuncCall() != nil {
			o.name = function(target.GetVal().GetFuncCall())
		}
		q.outs = append(q.outs, o)
	}
}

func (b *builder) grouping(q *query, sc *scope, sel *pg_query.SelectStmt) {
	q.grouped = len(sel.GroupClause) > 0 || sel.HavingClause != nil || slices.ContainsFunc(q.outs, func(o output) bool { return hasAggregate(o.expr) })
	for _, g := range sel.GroupClause {
		name := ""
		if at := int(g.GetAConst().GetIval().GetIval()); g.GetAConst() != nil && at > 0 && at <= len(q.outs) {
			name = q.outs[at-1].name
		} else if f := fields(g.GetColumnRef()); len(f) > 0 {
			written := ask.DeparseExpression(b.resolveOr(sc, g))
			for _, o := range q.outs {
				if written != "" && ask.DeparseExpression(o.expr) == written || len(f) == 1 && o.name == f[0] {
					name = o.name
				}
			}
		}
		if name == "" {
			name = "(another)" // nothing is equated with it, so it makes no key
		}
		q.groups = append(q.groups, name)
	}
}
