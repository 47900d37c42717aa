package prompt

import (
	"slices"

	"askpg/catalog"
)

// Followed says which definitions an answer goes by, as far as can be told: the
// measures and terms that the question names, of which the SQL reads all columns.
func Followed(in Input, reads []*catalog.Column) (lines []string) {
	n := newNames(&in)
	for _, m := range slices.Concat(in.Snapshot.Measures, in.Snapshot.Terms) {
		unread := func(r catalog.Reference) bool { return !slices.Contains(reads, r.Column) }
		refs := slices.Concat(m.Aggregate.Refs, m.Condition.Refs)
		if named(m, in.Question+" "+in.Hint) && len(refs) > 0 && !slices.ContainsFunc(refs, unread) {
			lines = append(lines, definitionLine(m, n))
		}
	}
	return lines
}
