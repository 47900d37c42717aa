package prompt

import (
	"slices"

	"askpg/catalog"
)

// Followed says which definitions an answer goes by, as far as can be told, and
// when and by whom they were agreed: the measures and terms that the question
// names, of which the SQL reads all columns, and the usual filters that it has.
func Followed(in Input, reads []*catalog.Column, filtered []*catalog.Relation) (lines []string) {
	n := newNames(&in)
	for _, m := range slices.Concat(in.Snapshot.Measures, in.Snapshot.Terms) {
		unread := func(r catalog.Reference) bool { return !slices.Contains(reads, r.Column) }
		refs := slices.Concat(m.Aggregate.Refs, m.Condition.Refs)
		if named(m, in.Question+" "+in.Hint) && len(refs) > 0 && !slices.ContainsFunc(refs, unread) {
			lines = append(lines, definitionLine(m, n)+agreed(m.Agreed))
		}
	}
	for _, r := range filtered {
		if r.Agreed != "" { // else the words for the SQL say as much
			lines = append(lines, n.relation(r)+" are rows where "+line(r.Condition.With(n.column))+agreed(r.Agreed))
		}
	}
	return lines
}

// Touched returns the measures and terms that share a word of their names with the question.
func Touched(in Input) []*catalog.Measure {
	asked := catalog.Asked(in.Question + " " + in.Hint)
	return slices.DeleteFunc(slices.Concat(in.Snapshot.Measures, in.Snapshot.Terms), func(m *catalog.Measure) bool { return in.touches(m, asked) < touched })
}

func agreed(note string) string {
	if note == "" {
		return ""
	}
	return " (agreed " + line(note) + ")"
}
