package eval

import (
	"askpg/ask"
)

// endsOrdered reports whether a statement's outermost query has an ORDER BY,
// which is how Spider's comparison decides whether the order of rows counts.
func endsOrdered(sql string) bool {
	tree, err := ask.Parse(sql)
	if err != nil || len(tree.Stmts) == 0 {
		return false
	}
	s := tree.Stmts[0].Stmt.GetSelectStmt()
	return s != nil && len(s.SortClause) > 0
}
