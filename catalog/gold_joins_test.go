package catalog_test

import (
	"maps"

	pg_query "github.com/pganalyze/pg_query_go/v5"
	"google.golang.org/protobuf/reflect/protoreflect"

	"askpg/catalog"
)

// goldJoins returns the pairs of columns that a query compares for equality,
// by = or USING, and by IN with a subquery of one column.
func goldJoins(s *catalog.Snapshot, sql string) [][2]*catalog.Column {
	tree, err := pg_query.Parse(sql)
	if err != nil {
		return nil
	}
	g := &joinReader{snap: s, with: map[string]bool{}}
	for _, st := range tree.Stmts {
		g.visit(st.ProtoReflect(), nil)
	}
	return g.found
}

type joinReader struct {
	snap  *catalog.Snapshot
	with  map[string]bool // names of WITH, which hide those of tables
	found [][2]*catalog.Column
}

// fromNames are those of one FROM and of the queries around it: relations by
// alias, nil for what is none.
type fromNames struct {
	tables map[string]*catalog.Relation
	outer  *fromNames
}

func (g *joinReader) visit(m protoreflect.Message, n *fromNames) {
	switch q := m.Interface().(type) {
	case *pg_query.SelectStmt:
		for _, c := range q.GetWithClause().GetCtes() {
			g.with[c.GetCommonTableExpr().Ctename] = true
		}
		n = &fromNames{map[string]*catalog.Relation{}, n}
		for _, f := range q.FromClause {
			g.from(f, n)
		}
	case *pg_query.A_Expr:
		if len(q.Name) == 1 && q.Name[0].GetString_().GetSval() == "=" {
			g.add(g.column(q.Lexpr, n), g.column(q.Rexpr, n))
		}
	case *pg_query.SubLink:
		if sub := q.Subselect.GetSelectStmt(); q.Testexpr != nil && sub != nil && len(sub.TargetList) == 1 {
			inner := &fromNames{map[string]*catalog.Relation{}, nil}
			for _, f := range sub.FromClause {
				g.from(f, inner)
			}
			g.add(g.column(q.Testexpr, n), g.column(sub.TargetList[0].GetResTarget().GetVal(), inner))
		}
	}
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.Kind() != protoreflect.MessageKind:
		case f.IsList():
			for i := range v.List().Len() {
				g.visit(v.List().Get(i).Message(), n)
			}
		default:
			g.visit(v.Message(), n)
		}
		return true
	})
}

func (g *joinReader) from(f *pg_query.Node, n *fromNames) {
	switch {
	case f.GetRangeVar() != nil:
		v := f.GetRangeVar()
		alias := v.Relname
		if v.Alias != nil {
			alias = v.Alias.Aliasname
		}
		if n.tables[alias] = nil; !g.with[v.Relname] {
			n.tables[alias] = g.snap.Lookup("public", v.Relname)
		}
	case f.GetJoinExpr() != nil:
		j := f.GetJoinExpr()
		left, right := &fromNames{map[string]*catalog.Relation{}, n.outer}, &fromNames{map[string]*catalog.Relation{}, n.outer}
		g.from(j.Larg, left)
		g.from(j.Rarg, right)
		for _, u := range j.UsingClause {
			g.add(left.only(u.GetString_().GetSval()), right.only(u.GetString_().GetSval()))
		}
		for _, side := range []*fromNames{left, right} {
			maps.Copy(n.tables, side.tables)
		}
	case f.GetRangeSubselect().GetAlias() != nil:
		n.tables[f.GetRangeSubselect().Alias.Aliasname] = nil
	}
}

func (n *fromNames) lookup(alias string) *catalog.Relation {
	for ; n != nil; n = n.outer {
		if r, ok := n.tables[alias]; ok {
			return r
		}
	}
	return nil
}

// only returns the one column of that name in a FROM.
func (n *fromNames) only(name string) (found *catalog.Column) {
	for _, r := range n.tables {
		if r == nil {
			continue
		}
		if c := r.Column(name); c != nil {
			if found != nil {
				return nil
			}
			found = c
		}
	}
	return found
}

func (g *joinReader) column(e *pg_query.Node, n *fromNames) *catalog.Column {
	ref := e.GetColumnRef()
	if ref == nil {
		return nil
	}
	last := ref.Fields[len(ref.Fields)-1].GetString_().GetSval()
	if len(ref.Fields) > 1 {
		if r := n.lookup(ref.Fields[len(ref.Fields)-2].GetString_().GetSval()); r != nil {
			return r.Column(last)
		}
		return nil
	}
	for ; n != nil; n = n.outer {
		if c := n.only(last); c != nil {
			return c
		}
	}
	return nil
}

func (g *joinReader) add(a, b *catalog.Column) {
	if a != nil && b != nil && a != b {
		g.found = append(g.found, [2]*catalog.Column{a, b})
	}
}
