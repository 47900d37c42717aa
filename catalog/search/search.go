package search

import (
	"cmp"
	"slices"
	"strings"

	"askpg/catalog/schema"
	"askpg/catalog/words"
)

// RelationMatch is a relation that a text is likely about.
type RelationMatch struct {
	Relation *schema.Relation
	Score    float64
}

// FindColumns returns the columns that a text is likely about, the likeliest
// first, at most limit. It finds them by names, comments, synonyms and values.
// With them come the keys and names of the relations that the text is likely
// about.
func (x *Index) FindColumns(text string, limit int) []*schema.Column {
	s := x.search(text, x.Values.Find(text))
	defer s.close()
	s.addColumnsOf(s.rank(boostedRelations))
	best := topK(s.columns.docs, limit, func(a, b int32) int {
		if c := cmp.Compare(s.columns.score[b], s.columns.score[a]); c != 0 {
			return c
		}
		c, d := s.column[a], s.column[b]
		return cmp.Or(c.Relation.Name.Compare(d.Relation.Name), cmp.Compare(c.Num, d.Num))
	})
	out := make([]*schema.Column, len(best))
	for i, doc := range best {
		out[i] = s.column[doc]
	}
	return out
}

// FindRelations returns the relations that a text is likely about, the
// likeliest first, at most limit. Relations that connect the best ones are
// among them: nobody names a link table.
func (x *Index) FindRelations(text string, limit int) []RelationMatch {
	return x.findRelations(text, x.Values.Find(text), limit)
}

func (x *Index) findRelations(text string, values []Hit, limit int) []RelationMatch {
	s := x.search(text, values)
	defer s.close()
	return s.rank(limit)
}

// search is one search: what a text has to do with everything in an index.
type search struct {
	*Index
	*workspace
	byMeaning []*schema.Relation
}

// search scores everything in the index for a text that mentions values.
func (x *Index) search(text string, values []Hit) *search {
	s := &search{Index: x, workspace: x.workspaces.Get().(*workspace), byMeaning: x.semantic.nearest(text)}
	asked := map[string]bool{}
	for _, t := range append(queryTerms(text), x.acronyms(text)...) {
		s.offer(t)
		s.columns.addOffered()
		s.relations.addOffered()
		if t.weight == 1 && !asked[t.term] {
			asked[t.term] = true
			s.countNamed(t.term)
		}
	}
	s.dropStale()
	s.weighNames()
	s.addValues(values)
	s.addBestColumns()
	return s
}

func (s *search) close() {
	s.workspace.clear()
	s.workspaces.Put(s.workspace)
}

// offer offers scores for a query term. Of the terms of names that it stands
// for, the best counts, not all.
func (s *search) offer(q queryTerm) {
	for _, t := range s.expand(q) {
		for _, p := range s.parts {
			n, ok := p.terms[t.term]
			if !ok {
				continue
			}
			columns, relations := p.columns.postings(n), p.relations.postings(n)
			withTerm, relationsWithTerm := len(columns), len(relations)
			if p.base != nil {
				if n, ok := p.base.terms[t.term]; ok {
					withTerm += len(p.base.columns.postings(n))
					relationsWithTerm += len(p.base.relations.postings(n))
				}
			}
			offer(&s.columns, columns, t.weight*idf(float64(withTerm), p.columns.docs))
			offer(&s.relations, relations, t.weight*idf(float64(relationsWithTerm), p.relations.docs))
		}
	}
}

func offer(to *scores, postings []posting, weight float64) {
	for _, p := range postings {
		to.offer(p.doc, weight*float64(p.impact))
	}
}

// countNamed counts a term of the text for the relations that have it in their
// name.
func (s *search) countNamed(term string) {
	for _, p := range s.parts {
		if t, ok := p.terms[term]; ok {
			for _, r := range p.names[t] {
				s.named[r]++
			}
		}
	}
}

// dropStale takes out what belongs to relations that are no longer as an older
// part of the index has them.
func (s *search) dropStale() {
	if !slices.Contains(s.current, false) {
		return
	}
	s.columns.drop(func(c int32) bool { return !s.current[s.owner[c]] })
	s.relations.drop(func(r int32) bool {
		if !s.current[r] {
			s.named[r] = 0
		}
		return !s.current[r]
	})
}

const (
	wholeNameScore = 3   // for a relation whose whole name is in the text
	linkShare      = 0.6 // a link table comes in by what it joins rather than by its name
)

// weighNames makes relations count by how much of their name is in the text.
func (s *search) weighNames() {
	for _, r := range s.relations.docs {
		n, all := s.named[r], s.nameLength[r]
		score := s.relations.score[r] * (0.6 + 0.4*float64(n)/float64(max(1, all)))
		if n > 0 && n == all {
			score += wholeNameScore
		}
		if s.isLink[r] {
			score *= linkShare
		}
		s.relations.score[r] = score
	}
}

// valueScore is what a mentioned value adds to its column and relation, less
// if many columns hold it.
const valueScore = 6

func (s *search) addValues(hits []Hit) {
	best := map[int32]float64{}
	for i := 0; i < len(hits); {
		// Hits of the same words follow each other.
		j := i
		for j < len(hits) && hits[j].Start == hits[i].Start && hits[j].End == hits[i].End {
			j++
		}
		for _, h := range hits[i:j] {
			doc := s.number(h.Column)
			if doc < 0 {
				continue
			}
			score := valueScore * h.Score * h.Score / (1 + 0.15*float64(j-i-1))
			s.columns.add(doc, score)
			best[s.owner[doc]] = max(best[s.owner[doc]], score)
		}
		i = j
	}
	for r, score := range best {
		s.relations.add(r, score)
	}
}

// addBestColumns adds to each relation's score those of its three best columns.
func (s *search) addBestColumns() {
	for _, c := range s.columns.docs {
		top, v := &s.top[s.owner[c]], s.columns.score[c]
		for i := range top {
			if v > top[i] {
				top[i], v = v, top[i]
			}
		}
	}
	for _, r := range s.relations.docs {
		top := &s.top[r]
		s.relations.score[r] += 0.5*top[0] + 0.25*top[1] + 0.125*top[2]
	}
}

// addColumnsOf adds to the scores of the columns of the best relations: most to
// the keys that join them, and to what names or numbers their rows.
func (s *search) addColumnsOf(best []RelationMatch) {
	keys := s.keysBetween(best)
	for rank, m := range best {
		share := 3 * m.Score / best[0].Score
		if rank > 5 {
			share /= 2
		}
		n := s.numbers[m.Relation]
		for doc := s.first[n]; doc < s.first[n+1]; doc++ {
			bonus := 0.6 * share
			switch c := s.column[doc]; {
			case keys[c]:
				bonus = share
			case namesRow(c):
				bonus = 0.9 * share
			case c.Unique && len(m.Relation.PrimaryKey) == 1 && m.Relation.PrimaryKey[0] == c:
				bonus = 0.8 * share
			}
			s.columns.add(doc, bonus)
		}
	}
}

// keysBetween returns the columns of the keys that join the relations.
func (s *search) keysBetween(relations []RelationMatch) map[*schema.Column]bool {
	among := map[*schema.Relation]bool{}
	for _, m := range relations {
		among[m.Relation] = true
	}
	keys := map[*schema.Column]bool{}
	for _, m := range relations {
		for _, k := range s.Graph.Keys(m.Relation) {
			if !among[k.From] || !among[k.To] {
				continue
			}
			for i := range k.FromCols {
				keys[k.FromCols[i]], keys[k.ToCols[i]] = true, true
			}
		}
	}
	return keys
}

// namesRow reports whether a column's name says that it names the row.
func namesRow(c *schema.Column) bool {
	w := words.Split(c.Name)
	if len(w) == 0 || c.Class != schema.Text {
		return false
	}
	last := w[len(w)-1]
	return strings.HasSuffix(last, "name") || last == "title" || last == "label"
}
