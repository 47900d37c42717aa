package catalog

import (
	"sort"
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

// expand returns the terms of the index that a query term stands for: itself,
// or if no name has it, names that it abbreviates, is abbreviated by, or is a
// typing mistake away from.
func (x *index) expand(q queryTerm) []queryTerm {
	var out []queryTerm
	if x.has(q.term) {
		out = append(out, q)
	}
	if len(q.term) < 4 || q.weight < 0.5 {
		return out
	}
	add := func(t string, w float64) { out = append(out, queryTerm{t, q.weight * w, q.word}) }
	// Names that run together what the vocabulary cannot split.
	for _, p := range x.parts {
		for _, t := range p.sorted {
			if len(t) > len(q.term)+1 && len(out) < maxExpansions && (strings.HasSuffix(t, q.term) || strings.HasSuffix(t, q.word)) {
				add(t, 0.5)
			}
		}
	}
	if out != nil {
		return out
	}
	// Terms that begin with it, and those that it begins with.
	for _, p := range x.parts {
		for i := sort.SearchStrings(p.sorted, q.term); i < len(p.sorted) && len(out) < maxExpansions && strings.HasPrefix(p.sorted[i], q.term); i++ {
			add(p.sorted[i], 0.6)
		}
	}
	for n := len(q.term) - 1; n >= 3; n-- {
		if t := q.term[:n]; x.has(t) {
			add(t, 0.6*float64(n)/float64(len(q.term)))
			break
		}
	}
	if out == nil {
		for _, p := range x.parts {
			for _, t := range p.sorted {
				if t[0] == q.term[0] && len(t) >= 4 && similarity(q.term, t) >= 0.79 {
					add(t, 0.6)
				}
			}
		}
	}
	return out
}

// maxExpansions bounds the terms that one word of a question stands for.
const maxExpansions = 20

// found is what a text has to do with everything in the snapshot.
type found struct {
	columns   map[*Column]*Match
	relations map[*Relation]*RelationMatch
}

func (f *found) column(c *Column) *Match {
	m := f.columns[c]
	if m == nil {
		m = &Match{Column: c}
		f.columns[c] = m
	}
	return m
}

func (f *found) relation(r *Relation) *RelationMatch {
	m := f.relations[r]
	if m == nil {
		m = &RelationMatch{Relation: r}
		f.relations[r] = m
	}
	return m
}

func (s *Snapshot) search(text string) *found {
	x := s.searchIndex()
	f := &found{map[*Column]*Match{}, map[*Relation]*RelationMatch{}}
	asked := map[string]bool{}
	for _, q := range append(queryTerms(text), x.acronyms(text)...) {
		if q.weight == 1 {
			asked[q.term] = true
		}
		// Of the terms that a word stands for, the best counts, not all.
		cols, rels := map[*Column]float64{}, map[*Relation]float64{}
		for _, t := range x.expand(q) {
			for _, p := range x.parts {
				p.columns.score(t.term, func(doc int32, score float64) {
					if c := p.column[doc]; x.live[c.Relation] == p {
						cols[c] = max(cols[c], t.weight*score)
					}
				})
				p.relations.score(t.term, func(doc int32, score float64) {
					if r := p.relation[doc]; x.live[r] == p {
						rels[r] = max(rels[r], t.weight*score)
					}
				})
			}
		}
		for c, score := range cols {
			m := f.column(c)
			m.Score += score
			m.Words = append(m.Words, q.word)
		}
		for r, score := range rels {
			m := f.relation(r)
			m.Score += score
			m.Words = append(m.Words, q.word)
		}
	}
	for r, m := range f.relations {
		part := x.live[r]
		n := 0
		for _, t := range part.names[r] {
			if asked[t] {
				n++
			}
		}
		cover := float64(n) / float64(max(1, len(part.names[r])))
		m.Score *= 0.6 + 0.4*cover
		if n > 0 && n == len(part.names[r]) {
			m.Score += coverScore
		}
		if part.links[r] {
			m.Score *= linkShare
		}
	}
	f.addValues(s.Values.Find(text))
	return f
}

const (
	coverScore = 3   // for a relation whose whole name is in the text
	linkShare  = 0.6 // a link table comes in by what it joins rather than by its name
)

// acronyms returns the terms of names that are the initials of words that
// follow each other: mpg for miles per gallon.
func (x *index) acronyms(text string) []queryTerm {
	ts := tokens(text)
	var out []queryTerm
	for n := 3; n <= 5; n++ {
		for i := 0; i+n <= len(ts); i++ {
			b := make([]byte, n)
			for j, t := range ts[i : i+n] {
				b[j] = t.text[0]
			}
			if t := string(b); x.has(t) && !stopWords[t] {
				out = append(out, queryTerm{t, 0.9, text[ts[i].start:ts[i+n-1].end]})
			}
		}
	}
	return out
}

// valueScore is what a mentioned value adds to its column and relation, less
// if many columns hold it.
const valueScore = 6

func (f *found) addValues(hits []Hit) {
	at := map[[2]int]int{} // columns of a span
	for _, h := range hits {
		at[[2]int{h.Start, h.End}]++
	}
	best := map[*Relation]float64{}
	for _, h := range hits {
		many := at[[2]int{h.Start, h.End}]
		score := valueScore * h.Score * h.Score / (1 + 0.15*float64(many-1))
		m := f.column(h.Column)
		m.Score += score
		if len(m.Values) < 8 {
			m.Values = append(m.Values, h)
		}
		best[h.Column.Relation] = max(best[h.Column.Relation], score)
	}
	for r, score := range best {
		f.relation(r).Score += score
	}
}

// SearchRelations returns the relations that a text is likely about, the
// likeliest first, at most limit. Relations that connect the best ones are
// among them: nobody names a link table.
func (s *Snapshot) SearchRelations(text string, limit int) []RelationMatch {
	f := s.search(text)
	f.raise()
	out := f.ranked(limit)
	return f.connect(s, out, limit)
}

// raise adds the relations' best columns to their scores.
func (f *found) raise() {
	best := map[*Relation][3]float64{}
	for _, m := range f.columns {
		b := best[m.Column.Relation]
		v := m.Score
		for i := range b {
			if v > b[i] {
				b[i], v = v, b[i]
			}
		}
		best[m.Column.Relation] = b
	}
	for _, m := range f.relations {
		b := best[m.Relation]
		m.Score += 0.5*b[0] + 0.25*b[1] + 0.125*b[2]
	}
}

func (f *found) ranked(limit int) []RelationMatch {
	out := make([]RelationMatch, 0, len(f.relations))
	for _, m := range f.relations {
		out = append(out, *m)
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].Score != out[j].Score {
			return out[i].Score > out[j].Score
		}
		return out[i].Relation.Name.less(out[j].Relation.Name)
	})
	return out[:min(len(out), limit)]
}

// connect puts the relations that join the best ones right behind them.
func (f *found) connect(s *Snapshot, ranked []RelationMatch, limit int) []RelationMatch {
	if len(ranked) < 2 || limit < 3 {
		return ranked
	}
	s.index()
	at := map[*Relation]int{}
	for i := range ranked {
		at[ranked[i].Relation] = i
	}
	between := map[*Relation]float64{}
	for i := range ranked[:min(len(ranked), 5)] {
		for j := range ranked[:i] {
			a, b := &ranked[j], &ranked[i]
			if b.Score < 0.35*ranked[0].Score {
				continue
			}
			path, _ := s.Path(a.Relation, b.Relation)
			if len(path) < 2 || len(path) > 3 {
				continue
			}
			for _, step := range path[:len(path)-1] {
				between[step.End()] = max(between[step.End()], 0.8*min(a.Score, b.Score)/float64(len(path)-1))
			}
		}
	}
	for r, score := range between {
		if i, ok := at[r]; ok {
			ranked[i].Score += score / 2
		} else {
			ranked = append(ranked, RelationMatch{Relation: r, Score: score, Joins: true})
		}
	}
	sort.SliceStable(ranked, func(i, j int) bool {
		if ranked[i].Score != ranked[j].Score {
			return ranked[i].Score > ranked[j].Score
		}
		return ranked[i].Relation.Name.less(ranked[j].Relation.Name)
	})
	return ranked[:min(len(ranked), limit)]
}

// Search returns the columns that a text is likely about, the likeliest first,
// at most limit: by names, comments, synonyms and values, with the keys and
// names of the relations that it is likely about.
func (s *Snapshot) Search(text string, limit int) []Match {
	f := s.search(text)
	f.raise()
	rels := f.connect(s, f.ranked(12), 12)
	if len(rels) > 0 {
		top := rels[0].Score
		near := map[*Relation]bool{}
		for _, m := range rels {
			near[m.Relation] = true
		}
		keys := map[*Column]bool{}
		for _, m := range rels {
			for _, h := range s.graph.at(s.graph.ids[m.Relation]) {
				if k := s.graph.edges[h.edge].key; near[k.From] && near[k.To] {
					for i := range k.FromCols {
						keys[k.FromCols[i]], keys[k.ToCols[i]] = true, true
					}
				}
			}
		}
		for rank, m := range rels {
			share := 3 * m.Score / top
			if rank > 5 {
				share /= 2
			}
			for _, c := range m.Relation.Columns {
				bonus := 0.6 * share
				switch {
				case keys[c]:
					bonus = share
				case naming(c):
					bonus = 0.9 * share
				case c.Unique && len(m.Relation.PrimaryKey) == 1 && m.Relation.PrimaryKey[0] == c:
					bonus = 0.8 * share
				}
				f.column(c).Score += bonus
			}
		}
	}
	out := make([]Match, 0, len(f.columns))
	for _, m := range f.columns {
		out = append(out, *m)
	}
	sort.Slice(out, func(i, j int) bool {
		a, b := &out[i], &out[j]
		if a.Score != b.Score {
			return a.Score > b.Score
		}
		if a.Column.Relation != b.Column.Relation {
			return a.Column.Relation.Name.less(b.Column.Relation.Name)
		}
		return a.Column.Num < b.Column.Num
	})
	return out[:min(len(out), limit)]
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
