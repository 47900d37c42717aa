package vote

import (
	"cmp"
	"slices"
	"strings"

	"askpg/ask"
)

// near says whether two tables mean the same although their fingerprints differ:
// tables of the same shape whose fractions lie on either side of a rounding edge.
// Columns are matched by content, rows in order or sorted by their exact cells first.
func (t *table) near(u *table, ordered bool) bool {
	if len(t.rows) != len(u.rows) || t.width != u.width || t.complete != u.complete ||
		len(t.rows) == 0 || t.width > 64 || !t.hasFractions() && !u.hasFractions() {
		return false
	}
	return matchColumns(t, u, ordered)
}

func (t *table) hasFractions() bool {
	return slices.ContainsFunc(t.rows, func(row []value) bool {
		return slices.ContainsFunc(row, func(v value) bool { return v.inexact })
	})
}

// matchColumns looks for columns of u in the order of t's, by backtracking
// over those whose sorted cells agree, and compares the rows at the end.
func matchColumns(t, u *table, ordered bool) bool {
	candidates := make([][]int, t.width)
	tc, uc := sortedColumns(t), sortedColumns(u)
	for i := range t.width {
		for j := range u.width {
			if equalCells(tc[i], uc[j]) {
				candidates[i] = append(candidates[i], j)
			}
		}
		if len(candidates[i]) == 0 {
			return false
		}
	}
	tries := maxOrders
	var try func(match []int) bool
	try = func(match []int) bool {
		if len(match) == t.width {
			tries--
			return equalRows(t, u, match, ordered)
		}
		return slices.ContainsFunc(candidates[len(match)], func(j int) bool { return tries > 0 && !slices.Contains(match, j) && try(append(match, j)) })
	}
	return try(nil)
}

func sortedColumns(t *table) [][]value {
	out := make([][]value, t.width)
	for j := range out {
		out[j] = make([]value, len(t.rows))
		for i := range t.rows {
			out[j][i] = t.rows[i][j]
		}
		slices.SortFunc(out[j], compareValues)
	}
	return out
}

func compareValues(a, b value) int {
	x, ok1 := a.float()
	y, ok2 := b.float()
	switch {
	case ok1 && ok2:
		return cmp.Compare(x, y)
	case ok1:
		return -1
	case ok2:
		return 1
	}
	return strings.Compare(a.text, b.text)
}

func equalCells(a, b []value) bool {
	return slices.EqualFunc(a, b, value.equal)
}

// equalRows compares the rows of t with those of u, whose columns are taken
// in the order of match. Unordered rows are matched greedily: equality within
// a tolerance is not transitive, but rows that a tolerance confuses are rows
// that mean the same.
func equalRows(t, u *table, match []int, ordered bool) bool {
	left, right := slices.Clone(t.rows), make([][]value, len(u.rows))
	for i, row := range u.rows {
		right[i] = make([]value, len(match))
		for k, j := range match {
			right[i][k] = row[j]
		}
	}
	if ordered {
		return slices.EqualFunc(left, right, equalCells)
	}
	byRow := func(a, b []value) int { return slices.CompareFunc(a, b, compareValues) }
	slices.SortFunc(left, byRow)
	slices.SortFunc(right, byRow)
	used := make([]bool, len(right))
	first := 0
	for _, l := range left {
		for first < len(right) && used[first] {
			first++
		}
		found := false
		for k := first; k < len(right) && k < first+50; k++ {
			if !used[k] && equalCells(l, right[k]) {
				used[k], found = true, true
				break
			}
		}
		if !found {
			return false
		}
	}
	return true
}

// Blank says whether a result says nothing: no rows, or NULLs only.
func Blank(r *ask.Result) bool {
	return !slices.ContainsFunc(r.Rows, func(row [][]byte) bool {
		return slices.ContainsFunc(row, func(cell []byte) bool { return cell != nil })
	})
}
