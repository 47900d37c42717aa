// Which relations a question to a large schema is read by.

package grammar

import (
	"slices"

	"askpg/catalog"
)

// Bounds of a schema that is read whole, and of the relations that a question to a larger one is read by.
const (
	wholeSchema   = 40
	nearRelations = 8 // that the catalog's search finds for the question; with what joins them twice as many
)

// keepNear leaves of what words of the question may name what belongs to the relations that the catalog's search finds for it.
// In a large schema each word names something in many relations, and all ways to put these together take seconds. What nothing near
// is called by stays, so that it is still asked which is meant.
func (p *parser) keepNear(question string) {
	s := p.lexicon.snapshot
	if len(s.Relations) <= wholeSchema {
		return
	}
	best, beside := s.Relevant(question, nearRelations)
	near := map[*catalog.Relation]bool{}
	for _, r := range slices.Concat(best, beside) {
		near[r] = true
	}
	for i, list := range p.mentions.relations {
		p.mentions.relations[i] = nearest(list, func(m relationMention) bool { return near[m.relation] })
	}
	for _, byEnd := range p.mentions.attributes {
		for _, a := range byEnd {
			a.candidates = nearest(a.candidates, func(c columnCandidate) bool { return near[c.column.Relation] })
		}
	}
	for _, byEnd := range p.mentions.values {
		for end, hits := range byEnd {
			byEnd[end] = nearest(hits, func(h hit) bool { return near[h.column.Relation] })
		}
	}
}

// nearest returns what is near of a list, or the list if nothing is.
func nearest[T any](list []T, near func(T) bool) []T {
	kept := slices.DeleteFunc(slices.Clone(list), func(t T) bool { return !near(t) })
	if len(kept) == 0 {
		return list
	}
	return kept
}
