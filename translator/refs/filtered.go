package refs

import (
	"slices"

	pg_query "github.com/pganalyze/pg_query_go/v5"

	"askpg/ask"
	"askpg/catalog"
)

// Filtered returns the relations of a statement whose usual filter it has, as the filter is written.
func Filtered(sql string, s *catalog.Snapshot, searchPath []string) (out []*catalog.Relation) {
	read := &walk{snapshot: s, path: searchPath, tables: map[string][]*catalog.Relation{}}
	demanded := read.conditions(sql)
	for _, r := range read.refs.Relations {
		filter := r.Filter((*catalog.Relation).QuotedName)
		if filter == "" {
			continue
		}
		own := (&walk{snapshot: s, path: searchPath, tables: map[string][]*catalog.Relation{}}).conditions("SELECT FROM " + r.QuotedName() + " WHERE " + filter)
		if !slices.ContainsFunc(own, func(c string) bool { return !slices.Contains(demanded, c) }) {
			out = append(out, r)
		}
	}
	return out
}

// conditions writes what a statement demands in WHERE and ON, each part that AND joins for itself, with columns by their
// relation's name.
func (w *walk) conditions(sql string) (out []string) {
	tree, err := ask.Parse(sql)
	if err != nil {
		return nil
	}
	ask.Nodes(tree, func(n *pg_query.Node) { w.relation(n.GetRangeVar()) })
	ask.Nodes(tree, func(n *pg_query.Node) {
		if c := w.column(n.GetColumnRef()); c != nil {
			n.GetColumnRef().Fields = []*pg_query.Node{pg_query.MakeStrNode(c.Relation.Schema), pg_query.MakeStrNode(c.Relation.Name.Name), pg_query.MakeStrNode(c.Name)}
		}
	})
	var add func(*pg_query.Node)
	add = func(n *pg_query.Node) {
		if b := n.GetBoolExpr(); b.GetBoolop() == pg_query.BoolExprType_AND_EXPR {
			for _, a := range b.Args {
				add(a)
			}
		} else if n != nil {
			out = append(out, text(n))
		}
	}
	ask.Nodes(tree, func(n *pg_query.Node) {
		add(n.GetSelectStmt().GetWhereClause())
		add(n.GetJoinExpr().GetQuals())
	})
	return out
}

// text writes an expression as SQL.
func text(n *pg_query.Node) string {
	tree, err := ask.Parse("SELECT 1")
	if err != nil {
		return ""
	}
	tree.Stmts[0].Stmt.GetSelectStmt().TargetList[0].GetResTarget().Val = n
	sql, err := ask.Deparse(tree)
	if err != nil {
		return ""
	}
	return sql
}
