// Which relations of a large schema a question may be about.

package grammar

import (
	"cmp"
	"slices"

	"askpg/catalog"
)

// Bounds of a schema that is read whole, and of the relations that a question to a larger one is read by.
const (
	wholeSchema   = 40
	nearRelations = 8  // that the catalog's search finds for the question; with what joins them twice as many
	farNames      = 16 // that a word keeps of what is not near, where nothing near is called so
)

// findNear finds the relations that a question is read by: all of a small schema, of a large one those that the catalog's
// search finds for it. There each word names something in many relations, and all ways to put these together take seconds.
func (p *parser) findNear(question string) {
	s := p.lexicon.snapshot
	if p.relations = s.Relations; len(p.relations) <= wholeSchema {
		return
	}
	best, beside := s.RelevantWith(question, p.foundValues, nearRelations)
	p.near = map[*catalog.Relation]bool{}
	p.relations = nil
	add := func(r *catalog.Relation) {
		if !p.near[r] {
			p.near[r] = true
			p.relations = append(p.relations, r)
		}
	}
	for _, r := range slices.Concat(best, beside) {
		add(r)
		for _, o := range p.relationsNamedAlike(r) {
			add(o)
		}
	}
}

// relationsNamedAlike returns relations that are called as one that the question names: which of them is meant has to be asked, however
// far the search finds the others.
func (p *parser) relationsNamedAlike(r *catalog.Relation) (out []*catalog.Relation) {
	info := p.lexicon.relationInfo[r]
	for s := range info.stems {
		if !slices.ContainsFunc(p.tokens, func(t token) bool { return t.stem == s }) {
			return nil
		}
	}
	for _, o := range p.lexicon.relationsOfSameName(r) {
		if p.isOnSearchPath(o) {
			out = append([]*catalog.Relation{o}, out...)
		} else {
			out = append(out, o)
		}
	}
	return out[:min(len(out), nearRelations)]
}

// relationsOfSameName returns the relations that are called as one is, with itself.
func (x *lexicon) relationsOfSameName(r *catalog.Relation) (out []*catalog.Relation) {
	for _, lb := range x.labelsByJoinedStem[x.relationInfo[r].joinedName] {
		if lb.column == nil {
			out = append(out, lb.relation)
		}
	}
	return out
}

// isOnSearchPath reports whether the search path leads to a relation by its name alone.
func (p *parser) isOnSearchPath(r *catalog.Relation) bool {
	for _, s := range p.options.SearchPath {
		if found := p.lexicon.snapshot.Lookup(s, r.Name.Name); found != nil {
			return found == r
		}
	}
	return false
}

// pathFirst orders relations that words name equally well: only the first of them are read further.
func (p *parser) pathFirst(a, b *catalog.Relation) int {
	order := cmp.Compare(a.OID, b.OID)
	if on := p.isOnSearchPath(a); on != p.isOnSearchPath(b) {
		order = 1
		if on {
			order = -1
		}
	}
	return order
}

// offSearchPathPenalty is by how much less likely a relation is meant than one of its name to which the search path leads: else who may create
// a schema decides what names mean in others' questions.
const offSearchPathPenalty = 0.2

// offPathCost finds relations that are called as one on the search path.
func (p *parser) offPathCost(n *phrase) (cost float64) {
	for r := range p.used(n).relations {
		if !p.isOnSearchPath(r) && slices.ContainsFunc(p.lexicon.relationsOfSameName(r), p.isOnSearchPath) {
			cost += offSearchPathPenalty
		}
	}
	return cost
}

// isNear reports whether a relation is among those that may be meant: see findNear.
func (p *parser) isNear(r *catalog.Relation) bool { return p.near == nil || p.near[r] }

// keepNear drops the mentions of relations that are not near the question. A word for which nothing near has a name keeps its mentions,
// so that the ambiguity is noticed.
func (p *parser) keepNear() {
	if p.near == nil {
		return
	}
	for i, list := range p.mentions.relations {
		p.mentions.relations[i] = nearest(list, func(m relationMention) bool { return p.near[m.relation] })
	}
	for _, byEnd := range inOrder(p.mentions.attributes) {
		for _, a := range inOrder(byEnd) {
			a.candidates = nearest(a.candidates, func(c columnCandidate) bool { return p.near[c.column.Relation] })
		}
	}
	for _, byEnd := range inOrder(p.mentions.values) {
		for end, hits := range inOrder(byEnd) {
			byEnd[end] = nearest(hits, func(h valueMention) bool { return p.near[h.column.Relation] })
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

// match is a label that a span may stand for, and how well it does.
type match struct {
	label *label
	score float64
}

// labelsOfSpan returns what a span may name: of relations and of columns those near the question, or where
// none is near the best of the others. near are the names near the question that may be it.
func (p *parser) labelsOfSpan(n *nameSpan, near []*label) []match {
	out := p.labelsAt(n, near, func(lb *label) bool { return p.isNear(lb.relation) })
	if p.near == nil {
		return out
	}
	for _, column := range []bool{false, true} {
		if slices.ContainsFunc(out, func(m match) bool { return (m.label.column != nil) == column }) {
			continue
		}
		far := p.labelsAt(n, p.holding(n, column), func(lb *label) bool { return (lb.column != nil) == column && !p.near[lb.relation] })
		out = append(out, far[:min(len(far), farNames)]...)
	}
	return out
}

// labelsNear returns the names near the question that hold a stem.
func (p *parser) labelsNear(stem string) (out []*label) {
	all := p.lexicon.labelsByStem[stem]
	if p.near == nil {
		return all
	}
	for _, r := range p.relations {
		k, _ := slices.BinarySearchFunc(all, r.OID, func(lb *label, oid uint32) int { return cmp.Compare(lb.relation.OID, oid) })
		for ; k < len(all) && all[k].relation == r; k++ {
			out = append(out, all[k])
		}
	}
	return out
}

// number returns the number of the column that a label is of, 0 of a relation.
func (lb *label) number() int16 {
	if lb.column == nil {
		return 0
	}
	return lb.column.Num
}
