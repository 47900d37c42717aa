package learn

import (
	"slices"

	pg_query "github.com/pganalyze/pg_query_go/v5"
)

// scope is what names of columns and of WITH mean in a query.
type scope struct {
	outer   *scope
	with    map[string]*pg_query.CommonTableExpr
	entries []entry
}

type entry struct {
	alias string
	place *place
	outs  []output // of a subquery that was made part of its query; place is nil then
}

// all are the outputs of an entry, as * means them.
func (e *entry) all() []output {
	if e.place == nil {
		return e.outs
	}
	var out []output
	switch {
	case e.place.relation != nil:
		for _, c := range e.place.relation.Columns {
			out = append(out, output{name: c.Name, expr: columnNode(e.place.id, c.Name)})
		}
	case e.place.sub != nil:
		for _, o := range e.place.sub.outs {
			out = append(out, output{name: o.name, expr: columnNode(e.place.id, o.name)})
		}
	}
	return out
}

// resolveOr is resolve for a name that may be that of an output.
func (b *builder) resolveOr(sc *scope, n *pg_query.Node) *pg_query.Node {
	left := b.left
	r := b.resolve(sc, n)
	b.left = left
	return r
}

// conditions resolves a condition and takes it apart at AND.
func (b *builder) conditions(sc *scope, n *pg_query.Node) []*pg_query.Node {
	var out []*pg_query.Node
	for _, c := range conjunctsOf(n) {
		if r := b.resolve(sc, c); r != nil {
			out = append(out, r)
		}
	}
	return out
}

// where is conditions for a WHERE. It notes what each is made of.
func (b *builder) where(sc *scope, n *pg_query.Node) []*pg_query.Node {
	if b.written == nil {
		b.written = map[*pg_query.Node]*pg_query.Node{}
	}
	var out []*pg_query.Node
	for _, c := range conjunctsOf(n) {
		for _, r := range b.conditions(sc, c) {
			b.written[r] = c
			out = append(out, r)
		}
	}
	return out
}

// resolve returns an expression with resolved columns, and builds its subqueries.
func (b *builder) resolve(sc *scope, n *pg_query.Node) *pg_query.Node {
	if n == nil {
		return nil
	}
	b.subqueries(n, sc)
	r, ok := replaceColumns(n, func(ref *pg_query.ColumnRef) *pg_query.Node { return sc.column(fields(ref)) })
	if !ok {
		b.left = leftUnknown
		return nil
	}
	return r
}

// subqueries builds those of an expression.
func (b *builder) subqueries(n *pg_query.Node, sc *scope) {
	outer := b.tested
	b.tested = true
	each(n, func(n *pg_query.Node) bool {
		if s := n.GetSubLink(); s != nil {
			b.query(s.Subselect.GetSelectStmt(), sc).inner = true
		}
		return true
	})
	b.tested = outer
}

// column resolves a column's names: as an expression over places, nil if there
// is no such column.
func (sc *scope) column(names []string) *pg_query.Node {
	name := names[len(names)-1]
	for ; sc != nil; sc = sc.outer {
		var unknown *place
		for i := range sc.entries {
			e := &sc.entries[i]
			if len(names) > 1 && names[len(names)-2] != e.alias {
				continue
			}
			if n := e.column(name); n != nil {
				return n
			}
			if e.place != nil && e.place.relation == nil && (e.place.sub == nil || e.place.sub.opaque) {
				unknown = e.place
			}
			if len(names) == 1 && name == e.alias && e.place != nil {
				return columnNode(e.place.id, "*") // a whole row
			}
		}
		if unknown != nil {
			return columnNode(unknown.id, name)
		}
	}
	return nil
}

func (e *entry) column(name string) *pg_query.Node {
	if e.place != nil && e.place.relation != nil {
		if e.place.relation.Column(name) == nil {
			return nil
		}
		return columnNode(e.place.id, name)
	}
	for _, o := range e.outs {
		if o.name == name {
			return o.expr
		}
	}
	if e.place != nil && e.place.sub != nil && slices.ContainsFunc(e.place.sub.outs, func(o output) bool { return o.name == name }) {
		return columnNode(e.place.id, name)
	}
	return nil
}
