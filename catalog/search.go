package catalog

import (
	"cmp"
	"slices"
	"strings"
)

// Match is a column that a text is likely about.
type Match struct {
	Column *Column
	Score  float64
	Words  []string // of the text that led to it
	Values []Hit    // values of the column that the text mentions
}

// RelationMatch is a relation that a text is likely about.
type RelationMatch struct {
	Relation *Relation
	Score    float64
	Words    []string
	Joins    bool // nothing in the text names it, but it connects those that are named
}

// maxHits bounds the values of a match.
const maxHits = 8

// Search returns the columns that a text is likely about, the likeliest first,
// at most limit: by names, comments, synonyms and values, with the keys and
// names of the relations that it is likely about.
func (s *Snapshot) Search(text string, limit int) []Match {
	f := s.look(text)
	defer f.close()
	f.favour(f.rank(considered))
	best := topK(f.columns.touched, limit, func(a, b int32) int {
		if c := cmp.Compare(f.columns.score[b], f.columns.score[a]); c != 0 {
			return c
		}
		x, y := f.column[a], f.column[b]
		if x.Relation != y.Relation {
			return x.Relation.Name.compare(y.Relation.Name)
		}
		return cmp.Compare(x.Num, y.Num)
	})
	values := map[*Column][]Hit{}
	for _, doc := range best {
		values[f.column[doc]] = nil
	}
	for _, h := range f.hits {
		if list, ok := values[h.Column]; ok && len(list) < maxHits {
			values[h.Column] = append(list, h)
		}
	}
	out := make([]Match, len(best))
	for i, doc := range best {
		c := f.column[doc]
		out[i] = Match{c, f.columns.score[doc], f.words(f.columns.marks[doc]), values[c]}
	}
	return out
}

// SearchRelations returns the relations that a text is likely about, the
// likeliest first, at most limit. Relations that connect the best ones are
// among them: nobody names a link table.
func (s *Snapshot) SearchRelations(text string, limit int) []RelationMatch {
	f := s.look(text)
	defer f.close()
	return f.rank(limit)
}

// found is what a text has to do with everything in a snapshot.
type found struct {
	*index
	*sheet
	snap *Snapshot
	hits []Hit
	near []*Relation // by meaning
}

// look scores everything in the snapshot.
func (s *Snapshot) look(text string) *found {
	s.index()
	x := s.searchIndex()
	f := &found{index: x, sheet: x.free.Get().(*sheet), snap: s, near: s.near(text)}
	f.queries = append(append(f.queries, queryTerms(text)...), x.acronyms(text)...)
	asked := map[string]bool{}
	for i, q := range f.queries {
		f.score(q)
		f.columns.settle(i)
		f.relations.settle(i)
		if q.weight == 1 && !asked[q.term] {
			asked[q.term] = true
			f.cover(q.term)
		}
	}
	f.bury()
	f.weighNames()
	f.hits = s.Values.Find(text)
	f.addValues()
	f.raise()
	return f
}

func (f *found) close() {
	f.sheet.clear()
	f.index.free.Put(f.sheet)
}

// score offers scores for a query. Of the terms that a word stands for, the
// best counts, not all.
func (f *found) score(q queryTerm) {
	for _, e := range f.expand(q) {
		for _, p := range f.parts {
			t, ok := p.terms[e.term]
			if !ok {
				continue
			}
			columns, relations := p.columns.of(t), p.relations.of(t)
			nc, nr := len(columns), len(relations)
			if p.base != nil {
				if t, ok := p.base.terms[e.term]; ok {
					nc += len(p.base.columns.of(t))
					nr += len(p.base.relations.of(t))
				}
			}
			weight := e.weight * idf(float64(nc), p.columns.docs)
			for _, o := range columns {
				f.columns.offer(o.doc, weight*float64(o.impact))
			}
			weight = e.weight * idf(float64(nr), p.relations.docs)
			for _, o := range relations {
				f.relations.offer(o.doc, weight*float64(o.impact))
			}
		}
	}
}

// cover counts a term that is asked for to the names that have it.
func (f *found) cover(term string) {
	for _, p := range f.parts {
		if t, ok := p.terms[term]; ok {
			for _, r := range p.names[t] {
				f.covered[r]++
			}
		}
	}
}

// bury takes out what belongs to relations that are no longer as an older part
// of the index has them.
func (f *found) bury() {
	if !slices.Contains(f.alive, false) {
		return
	}
	f.columns.drop(func(c int32) bool { return !f.alive[f.owner[c]] })
	f.relations.drop(func(r int32) bool {
		if !f.alive[r] {
			f.covered[r] = 0
		}
		return !f.alive[r]
	})
}

const (
	coverScore = 3   // for a relation whose whole name is in the text
	linkShare  = 0.6 // a link table comes in by what it joins rather than by its name
)

// weighNames makes relations count by how much of their name is asked for.
func (f *found) weighNames() {
	for _, r := range f.relations.touched {
		n, all := f.covered[r], f.length[r]
		score := f.relations.score[r] * (0.6 + 0.4*float64(n)/float64(max(1, all)))
		if n > 0 && n == all {
			score += coverScore
		}
		if f.links[r] {
			score *= linkShare
		}
		f.relations.score[r] = score
	}
}

// valueScore is what a mentioned value adds to its column and relation, less
// if many columns hold it.
const valueScore = 6

func (f *found) addValues() {
	best := map[int32]float64{}
	for i := 0; i < len(f.hits); {
		// Hits of one span follow each other.
		j := i
		for j < len(f.hits) && f.hits[j].Start == f.hits[i].Start && f.hits[j].End == f.hits[i].End {
			j++
		}
		for _, h := range f.hits[i:j] {
			doc := f.number(h.Column)
			if doc < 0 {
				continue
			}
			score := valueScore * h.Score * h.Score / (1 + 0.15*float64(j-i-1))
			f.columns.add(doc, score)
			best[f.owner[doc]] = max(best[f.owner[doc]], score)
		}
		i = j
	}
	for r, score := range best {
		f.relations.add(r, score)
	}
}

// raise adds the relations' best columns to their scores.
func (f *found) raise() {
	for _, c := range f.columns.touched {
		b, v := &f.top[f.owner[c]], f.columns.score[c]
		for i := range b {
			if v > b[i] {
				b[i], v = v, b[i]
			}
		}
	}
	for _, r := range f.relations.touched {
		b := &f.top[r]
		f.relations.score[r] += 0.5*b[0] + 0.25*b[1] + 0.125*b[2]
	}
}

// favour adds to the columns of the best relations: most to the keys that join
// them and to what names or numbers their rows.
func (f *found) favour(rels []RelationMatch) {
	if len(rels) == 0 {
		return
	}
	near := map[*Relation]bool{}
	for _, m := range rels {
		near[m.Relation] = true
	}
	keys := map[*Column]bool{}
	graph := f.snap.graph
	for _, m := range rels {
		for _, h := range graph.at(graph.ids[m.Relation]) {
			if k := graph.edges[h.edge].key; near[k.From] && near[k.To] {
				for i := range k.FromCols {
					keys[k.FromCols[i]], keys[k.ToCols[i]] = true, true
				}
			}
		}
	}
	for rank, m := range rels {
		share := 3 * m.Score / rels[0].Score
		if rank > 5 {
			share /= 2
		}
		n := f.numbers[m.Relation]
		for doc := f.first[n]; doc < f.first[n+1]; doc++ {
			bonus := 0.6 * share
			switch c := f.column[doc]; {
			case keys[c]:
				bonus = share
			case naming(c):
				bonus = 0.9 * share
			case c.Unique && len(m.Relation.PrimaryKey) == 1 && m.Relation.PrimaryKey[0] == c:
				bonus = 0.8 * share
			}
			f.columns.add(doc, bonus)
		}
	}
}

// naming reports whether a column's name says that it names the row.
func naming(c *Column) bool {
	w := Words(c.Name)
	if len(w) == 0 || c.Class != Text {
		return false
	}
	last := w[len(w)-1]
	return strings.HasSuffix(last, "name") || last == "title" || last == "label"
}
