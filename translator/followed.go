package translator

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"askpg/catalog"
	"askpg/translator/prompt"
	"askpg/translator/refs"
)

// followed says which definitions of an administrator a statement goes by.
func (s *state) followed(sql string) string {
	reads, parts := refs.Of(sql, s.snap, s.set.searchPath), refs.PartsOf(sql, s.snap, s.set.searchPath)
	filtered := slices.DeleteFunc(reads.Relations, func(r *catalog.Relation) bool { return !parts.Demand(r.Filter) })
	return strings.Join(prompt.Followed(s.named(), reads.Columns, filtered), "; ")
}

// named is what definitions are chosen by.
func (s *state) named() prompt.Input {
	return prompt.Input{Snapshot: s.snap, Question: s.q.Text, Hint: s.q.Hint, SearchPath: s.set.searchPath}
}

// differByDefinition says which definitions each of some readings goes by, of those that share a word with the question; "" if that is the
// same for all.
func (s *state) differByDefinition(readings []string) string {
	touched := prompt.Touched(s.named())
	var each, by []string
	for i, sql := range readings {
		by = append(by, cmp.Or(strings.Join(s.meant(sql, touched), " and "), "none"))
		each = append(each, fmt.Sprintf("reading %d goes by %s", i+1, by[i]))
	}
	if len(slices.Compact(slices.Sorted(slices.Values(by)))) < 2 {
		return ""
	}
	return "The readings differ by a definition: " + strings.Join(each, ", ") + "."
}

// meant returns the quoted names of the definitions among some by which a statement goes: it has their aggregates and conditions as they
// are written. Of those with the same aggregate, one without a condition is not meant beside one with it.
func (s *state) meant(sql string, touched []*catalog.Measure) (names []string) {
	reads, parts := refs.Of(sql, s.snap, s.set.searchPath).Relations, refs.PartsOf(sql, s.snap, s.set.searchPath)
	goesBy := slices.DeleteFunc(slices.Clone(touched), func(m *catalog.Measure) bool {
		return !slices.Contains(reads, m.Relation) || !parts.Compute(m.Expression) || !parts.Demand(m.Filter)
	})
	for _, m := range goesBy {
		narrower := func(o *catalog.Measure) bool {
			return o.Relation == m.Relation && o.Aggregate.Text == m.Aggregate.Text && m.Condition.Text == "" && o.Condition.Text != ""
		}
		if !slices.ContainsFunc(goesBy, narrower) {
			names = append(names, fmt.Sprintf("%q", m.Name))
		}
	}
	return names
}
