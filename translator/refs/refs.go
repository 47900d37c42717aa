// Package refs says what a statement reads: the relations and columns of a
// catalog snapshot that its text names, and the values that it compares columns with.
package refs

import (
	"cmp"
	"slices"
	"strings"

	pg_query "github.com/pganalyze/pg_query_go/v5"

	"askpg/ask"
	"askpg/catalog"
)

// Refs are what a statement refers to, aliases resolved. A column that could
// be of two relations is left out.
type Refs struct {
	Relations   []*catalog.Relation
	Columns     []*catalog.Column
	Comparisons []comparison
}

// comparison is a column compared by = or IN with string literals.
type comparison struct {
	Column *catalog.Column
	Values []string
}

// Of parses a statement. A text that does not parse refers to nothing.
func Of(sql string, s *catalog.Snapshot, searchPath []string) Refs {
	tree, err := ask.Parse(sql)
	if err != nil {
		return Refs{}
	}
	w := &walk{snapshot: s, path: searchPath, tables: map[string][]*catalog.Relation{}}
	ask.Nodes(tree, func(n *pg_query.Node) { w.relation(n.GetRangeVar()) })
	ask.Nodes(tree, func(n *pg_query.Node) {
		if c := w.column(n.GetColumnRef()); c != nil && !slices.Contains(w.refs.Columns, c) {
			w.refs.Columns = append(w.refs.Columns, c)
		}
		w.compare(n.GetAExpr())
	})
	return w.refs
}

// Find returns the relation that a name means under a search path, or nil.
func Find(s *catalog.Snapshot, searchPath []string, schema, name string) *catalog.Relation {
	if schema != "" {
		return s.Lookup(schema, name)
	}
	for _, p := range searchPath {
		if r := s.Lookup(p, name); r != nil {
			return r
		}
	}
	return nil
}

// walk goes over a parse tree.
type walk struct {
	snapshot *catalog.Snapshot
	path     []string
	tables   map[string][]*catalog.Relation // by alias, over all scopes
	refs     Refs
}

func (w *walk) relation(n *pg_query.RangeVar) {
	r := Find(w.snapshot, w.path, n.GetSchemaname(), n.GetRelname())
	if r == nil {
		return
	}
	alias := cmp.Or(n.Alias.GetAliasname(), n.Relname)
	if !slices.Contains(w.tables[alias], r) {
		w.tables[alias] = append(w.tables[alias], r)
	}
	if !slices.Contains(w.refs.Relations, r) {
		w.refs.Relations = append(w.refs.Relations, r)
	}
}

// column resolves a column reference, nil if nothing or more than one column
// fits it.
func (w *walk) column(ref *pg_query.ColumnRef) *catalog.Column {
	fields := ref.GetFields()
	if len(fields) == 0 {
		return nil
	}
	from := w.refs.Relations
	if len(fields) > 1 {
		from = w.tables[fields[len(fields)-2].GetString_().GetSval()]
	}
	var found *catalog.Column
	for _, r := range from {
		if c := r.Column(fields[len(fields)-1].GetString_().GetSval()); c != nil {
			if found != nil {
				return nil
			}
			found = c
		}
	}
	return found
}

func (w *walk) compare(e *pg_query.A_Expr) {
	kind, names := e.GetKind(), e.GetName()
	if kind != pg_query.A_Expr_Kind_AEXPR_OP && kind != pg_query.A_Expr_Kind_AEXPR_IN || len(names) != 1 {
		return
	}
	if op := names[0].GetString_().GetSval(); op != "=" && op != "<>" {
		return
	}
	for _, side := range [][2]*pg_query.Node{{e.Lexpr, e.Rexpr}, {e.Rexpr, e.Lexpr}} {
		if c, values := w.column(side[0].GetColumnRef()), literals(side[1]); c != nil && len(values) > 0 {
			w.refs.Comparisons = append(w.refs.Comparisons, comparison{c, values})
		}
	}
}

func literals(n *pg_query.Node) (out []string) {
	switch {
	case n.GetAConst().GetSval() != nil:
		return []string{n.GetAConst().GetSval().Sval}
	case n.GetTypeCast() != nil:
		return literals(n.GetTypeCast().Arg)
	}
	for _, item := range n.GetList().GetItems() {
		out = append(out, literals(item)...)
	}
	return out
}

// Held says whether a column holds a value, as far as it is known: known is
// false if it may hold values that the snapshot does not know.
func Held(s *catalog.Snapshot, c *catalog.Column, value string) (held, known bool) {
	if len(c.Enum) > 0 {
		return slices.Contains(c.Enum, value), true
	}
	if c.Class != catalog.Text || c.Private {
		return false, false
	}
	if held, known = s.Values.Has(c, value); held || known {
		return held, known
	}
	if p := c.Profile; p != nil && len(p.Common) > 0 {
		all := float64(len(p.Common)) >= p.Distinct-0.5 && !strings.HasPrefix(c.Type, "char")
		return slices.Contains(p.Common, value), all || slices.Contains(p.Common, value)
	}
	return false, false
}
