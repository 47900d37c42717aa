package learn

import (
	"slices"

	pg_query "github.com/pganalyze/pg_query_go/v5"
	"google.golang.org/protobuf/reflect/protoreflect"

	"askpg/ask"
)

// read collects what a statement says; it returns why it was left out, or "".
func (l *learner) read(s *Statement) string {
	tree, err := ask.Parse(s.SQL)
	if err != nil {
		return leftUnparsed
	}
	s.Calls = max(s.Calls, 1)
	why := leftNoQuery
	for _, st := range tree.Stmts {
		sel := selectOf(st.Stmt)
		if sel == nil {
			continue
		}
		b := &builder{names: l.names, top: map[string]bool{}}
		for _, o := range b.query(sel, nil).outs {
			b.top[o.name] = true
		}
		if b.private(sel) {
			return leftPrivate
		}
		if b.left != "" {
			return b.left
		}
		why = ""
		for _, q := range b.queries {
			if !q.opaque {
				l.learn(&reader{learner: l, builder: b, query: q, statement: s})
			}
		}
	}
	return why
}

// selectOf returns the query of a statement: the statement itself, or what a view, a table or a file is made of. It
// returns nil if there is none. Statements that write may have anybody's data in them.
func selectOf(n *pg_query.Node) *pg_query.SelectStmt {
	switch {
	case n.GetSelectStmt() != nil:
		return n.GetSelectStmt()
	case n.GetViewStmt() != nil:
		return n.GetViewStmt().Query.GetSelectStmt()
	case n.GetCreateTableAsStmt() != nil:
		return n.GetCreateTableAsStmt().Query.GetSelectStmt()
	case n.GetCopyStmt() != nil && !n.GetCopyStmt().IsFrom:
		return n.GetCopyStmt().Query.GetSelectStmt()
	case n.GetExplainStmt() != nil:
		return n.GetExplainStmt().Query.GetSelectStmt()
	}
	return nil
}

// private reports whether the statement may compare something with a private
// column: it names one, or it has a relation's rows as a whole, or by other
// names, where a column of it is private. Names count wherever they stand, as
// no column's place is believed.
func (b *builder) private(sel *pg_query.SelectStmt) bool {
	hidden, some := map[string]bool{}, false
	for _, r := range b.used {
		if r.Closed {
			return true
		}
		some = some || r.HasPrivate
		for _, c := range r.Columns {
			if c.Private {
				hidden[c.Name], some = true, true
			}
		}
	}
	if !some {
		return false
	}
	found := false
	aliases := map[string]bool{}
	stars := map[*pg_query.ColumnRef]bool{} // that are outputs, which compare nothing
	ask.Walk(sel.ProtoReflect(), func(m protoreflect.Message) {
		switch n := m.Interface().(type) {
		case *pg_query.RangeVar:
			aliases[n.Relname] = true
		case *pg_query.Alias:
			aliases[n.Aliasname] = true
			found = found || len(n.Colnames) > 0
		case *pg_query.CommonTableExpr:
			aliases[n.Ctename] = true
			found = found || len(n.Aliascolnames) > 0
		case *pg_query.ResTarget:
			if f := fields(n.Val.GetColumnRef()); len(f) > 0 && f[len(f)-1] == "*" {
				stars[n.Val.GetColumnRef()] = true
			}
		case *pg_query.JoinExpr:
			found = found || n.IsNatural || slices.ContainsFunc(n.UsingClause, func(u *pg_query.Node) bool { return hidden[u.GetString_().GetSval()] })
		}
	})
	ask.Walk(sel.ProtoReflect(), func(m protoreflect.Message) {
		ref, ok := m.Interface().(*pg_query.ColumnRef)
		if !ok || stars[ref] {
			return
		}
		f := fields(ref)
		last := f[len(f)-1]
		found = found || hidden[last] || last == "*" || aliases[last]
	})
	return found
}
