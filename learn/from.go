package learn

import (
	"slices"

	pg_query "github.com/pganalyze/pg_query_go/v5"

	"askpg/ask"
	"askpg/catalog"
)

// from adds an item of FROM.
func (b *builder) from(q *query, sc *scope, n *pg_query.Node, nullable bool) {
	switch {
	case n.GetRangeVar() != nil:
		b.named(q, sc, n.GetRangeVar(), nullable)
	case n.GetRangeSubselect() != nil:
		s := n.GetRangeSubselect()
		outer := &scope{outer: sc.outer, with: sc.with}
		if s.Lateral {
			outer = sc
		}
		b.sub(q, sc, b.query(s.Subquery.GetSelectStmt(), outer), s.GetAlias(), nullable)
	case n.GetJoinExpr() != nil:
		b.join(q, sc, n.GetJoinExpr(), nullable)
	default:
		b.add(q, sc, n.GetRangeFunction().GetAlias(), place{nullable: nullable})
	}
}

// named adds a relation, a query of WITH, or a view by its definition.
func (b *builder) named(q *query, sc *scope, v *pg_query.RangeVar, nullable bool) {
	alias := v.GetAlias()
	if alias == nil {
		alias = &pg_query.Alias{Aliasname: v.Relname}
	}
	for s := sc; s != nil && v.Schemaname == ""; s = s.outer {
		if c := s.with[v.Relname]; c != nil {
			if len(c.Aliascolnames) > 0 {
				alias.Colnames = c.Aliascolnames
			}
			outer := &scope{outer: s.outer, with: map[string]*pg_query.CommonTableExpr{}}
			for name, other := range s.with {
				if name != v.Relname {
					outer.with[name] = other
				}
			}
			b.sub(q, sc, b.query(c.Ctequery.GetSelectStmt(), outer), alias, nullable)
			return
		}
	}
	r := b.find(v.Schemaname, v.Relname)
	if r == nil {
		b.left = leftUnknown
		return
	}
	b.used = with(b.used, r)
	if s := b.view(r); s != nil && len(alias.Colnames) == 0 {
		b.sub(q, sc, s, alias, nullable)
		return
	}
	if len(alias.Colnames) > 0 {
		r = nil
	}
	b.add(q, sc, alias, place{relation: r, nullable: nullable})
}

// view builds a view's own query, nil if it can't be made part of others: one
// that groups has rows of its own, of which there can be measures.
func (b *builder) view(r *catalog.Relation) *query {
	if r.Kind != catalog.View && r.Kind != catalog.MaterializedView || r.Closed || r.Definition == "" {
		return nil
	}
	tree, err := ask.Parse(r.Definition)
	if err != nil || len(tree.Stmts) != 1 {
		return nil
	}
	before := *b
	q := b.query(tree.Stmts[0].Stmt.GetSelectStmt(), nil)
	if b.left != before.left || q.grouped || q.cut || q.opaque {
		before.built = b.built
		*b = before
		return nil
	}
	q.inner = true
	return q
}

// sub adds a subquery: as part of the query if it only chooses rows and columns.
func (b *builder) sub(q *query, sc *scope, s *query, alias *pg_query.Alias, nullable bool) {
	s.inner = true
	switch {
	case len(alias.GetColnames()) > 0:
		b.add(q, sc, alias, place{nullable: nullable})
		return
	case s.grouped || s.cut || s.opaque:
		b.add(q, sc, alias, place{sub: s, nullable: nullable})
		return
	}
	for _, p := range s.places {
		p.nullable = p.nullable || nullable
		if nullable {
			p.on = append(p.on, s.conds...)
		}
		q.places = append(q.places, p)
	}
	if !nullable {
		q.conds = append(q.conds, s.conds...)
	}
	q.merged = slices.Concat(q.merged, s.merged, s.outs)
	b.queries = slices.DeleteFunc(b.queries, func(other *query) bool { return other == s })
	sc.entries = append(sc.entries, entry{alias: alias.GetAliasname(), outs: s.outs})
}

// join adds both sides of a JOIN and its condition.
func (b *builder) join(q *query, sc *scope, j *pg_query.JoinExpr, nullable bool) {
	full := j.Jointype == pg_query.JoinType_JOIN_FULL
	start, first := len(q.places), len(sc.entries)
	b.from(q, sc, j.Larg, nullable || full || j.Jointype == pg_query.JoinType_JOIN_RIGHT)
	middle, second := len(q.places), len(sc.entries)
	b.from(q, sc, j.Rarg, nullable || full || j.Jointype == pg_query.JoinType_JOIN_LEFT)
	conds := b.conditions(sc, j.Quals)
	for _, u := range j.UsingClause {
		name := u.GetString_().GetSval()
		if l, r := columnOf(sc.entries[first:second], name), columnOf(sc.entries[second:], name); l != nil && r != nil {
			conds = append(conds, pg_query.MakeAExprNode(pg_query.A_Expr_Kind_AEXPR_OP, []*pg_query.Node{pg_query.MakeStrNode("=")}, clone(l), clone(r), 0))
		}
	}
	if j.IsNatural {
		q.opaque = true
	}
	within := q.places[start:]
	switch j.Jointype {
	case pg_query.JoinType_JOIN_INNER:
		if !nullable {
			q.conds = append(q.conds, conds...)
			return
		}
	case pg_query.JoinType_JOIN_LEFT:
		within = q.places[middle:]
	case pg_query.JoinType_JOIN_RIGHT:
		within = q.places[start:middle]
	}
	for _, p := range within {
		p.on = append(p.on, conds...)
	}
}

func columnOf(entries []entry, name string) *pg_query.Node {
	for i := range entries {
		if n := entries[i].column(name); n != nil {
			return n
		}
	}
	return nil
}
