package vote

import (
	"slices"

	"askpg/ask"
)

// sortedFirst puts the members first whose rows come in the order that most of
// those with an ORDER BY agree on, if at least half of the votes have one. The
// order of rows is not voted on where the question asks for none, but a person
// reads sorted rows more easily, and a majority that sorts has its reasons.
func sortedFirst(members []int, ballots []Ballot) {
	if len(members) < 2 {
		return
	}
	votes, sorting := 0.0, 0.0
	orders := map[int]string{}
	weight := map[string]float64{}
	for _, m := range members {
		b := ballots[m]
		votes += b.Weight
		if !sorts(b.SQL) {
			continue
		}
		sorting += b.Weight
		orders[m] = newTable(b.Result).fingerprint(true)
		weight[orders[m]] += b.Weight
	}
	if sorting == 0 || 2*sorting < votes {
		return
	}
	usual := ""
	for _, m := range members {
		if o, ok := orders[m]; ok && (usual == "" || weight[o] > weight[usual]) {
			usual = o
		}
	}
	first := func(m int) bool { return orders[m] == usual && !ballots[m].Echo }
	slices.SortStableFunc(members, func(a, b int) int { return count(first(b)) - count(first(a)) })
}

// sorts says whether a statement has an ORDER BY of its own.
func sorts(sql string) bool {
	tree, err := ask.Parse(sql)
	if err != nil || len(tree.Stmts) != 1 {
		return false
	}
	return len(tree.Stmts[0].GetStmt().GetSelectStmt().GetSortClause()) > 0
}
