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

// Weights of the fields of a column and of a relation.
const (
	weightName     = 3
	weightSynonym  = 3
	weightRelation = 0.8 // a column's relation
	weightComment  = 1
	weightValue    = 0.5
	weightColumn   = 0.6 // a relation's columns
)

// index is what Search looks things up in.
type index struct {
	columns   *bm25
	column    []*Column
	relations *bm25
	ids       map[*Relation]int
	words     vocabulary
	names     [][]string // terms of each relation's name
	links     []bool     // relations that hold foreign keys and nothing else
	byPrefix  []string   // all terms, sorted
}

func newIndex(s *Snapshot) *index {
	x := &index{columns: newBM25(), relations: newBM25(), ids: make(map[*Relation]int, len(s.Relations)), words: newVocabulary(s.Relations)}
	cache := map[string][]string{}
	terms := func(name string) []string {
		t, ok := cache[name]
		if !ok {
			t = x.words.nameTerms(name)
			cache[name] = t
		}
		return t
	}
	measured := map[*Column][]string{} // names of the measures that a column is part of
	for _, m := range s.Measures {
		for _, e := range []expression{m.expression, m.filter} {
			for _, ref := range e.refs {
				measured[ref.column] = append(append(measured[ref.column], m.Name), m.Synonyms...)
			}
		}
	}
	for i, r := range s.Relations {
		x.ids[r] = i
		x.relations.next()
		rel := terms(r.Name.Name)
		x.names = append(x.names, nameStems(r.Name.Name, x.words))
		x.links = append(x.links, isLink(s, r))
		x.relations.add(rel, weightName)
		x.relations.add(textTerms(r.Comment), weightComment)
		x.relations.add(synonymTerms(r.Synonyms), weightSynonym)
		for _, c := range r.Columns {
			x.column = append(x.column, c)
			x.columns.next()
			own := terms(c.Name)
			x.columns.add(own, weightName)
			x.columns.add(rel, weightRelation)
			x.relations.add(own, weightColumn)
			if c.Comment != "" {
				t := textTerms(c.Comment)
				x.columns.add(t, weightComment)
				x.relations.add(t, weightColumn/2)
			}
			if syn := synonymTerms(append(c.Synonyms[:len(c.Synonyms):len(c.Synonyms)], measured[c]...)); syn != nil {
				x.columns.add(syn, weightSynonym)
				x.relations.add(syn, weightColumn)
			}
			for _, list := range [][]string{c.Enum, c.Allowed} {
				for _, v := range list {
					x.columns.add(textTerms(v), weightValue)
				}
			}
		}
	}
	seen := map[string]bool{}
	for _, b := range []*bm25{x.columns, x.relations} {
		for t := range b.terms {
			if !seen[t] {
				seen[t] = true
				x.byPrefix = append(x.byPrefix, t)
			}
		}
	}
	sort.Strings(x.byPrefix)
	return x
}

// nameStems returns one stem for each word of a name, unlike nameTerms.
func nameStems(name string, v vocabulary) []string {
	var out []string
	for _, w := range Words(name) {
		parts := v.split(w)
		if parts == nil {
			parts = []string{w}
		}
		for _, p := range parts {
			if long, ok := english().abbreviations[p]; ok {
				out = append(out, long)
			} else {
				out = append(out, stem(p))
			}
		}
	}
	return out
}

// isLink reports whether a relation only joins others.
func isLink(s *Snapshot, r *Relation) bool {
	keys := map[*Column]bool{}
	others := map[*Relation]bool{}
	for _, e := range s.graph.at[s.graph.ids[r]] {
		if k := s.graph.edges[e].key; k.From == r {
			others[k.To] = true
			for _, c := range k.FromCols {
				keys[c] = true
			}
		}
	}
	return len(others) >= 2 && len(keys) == len(r.Columns)
}

func synonymTerms(list []string) []string {
	var out []string
	for _, s := range list {
		out = append(out, textTerms(s)...)
	}
	return out
}

// textTerms returns the terms of running text.
func textTerms(text string) []string {
	if text == "" {
		return nil
	}
	var out []string
	for _, w := range Words(text) {
		if !stopWords[w] || askedNames[w] {
			out = append(out, stem(w))
		}
	}
	return out
}

// expand returns the terms of the index that a query term stands for: itself,
// or if no name has it, names that it abbreviates, is abbreviated by, or is a
// typing mistake away from.
func (x *index) expand(q queryTerm) []queryTerm {
	var out []queryTerm
	if len(x.columns.terms[q.term]) > 0 || len(x.relations.terms[q.term]) > 0 {
		out = append(out, q)
	}
	if len(q.term) < 4 || q.weight < 0.5 {
		return out
	}
	// Names that run together what the vocabulary cannot split.
	for _, t := range x.byPrefix {
		if len(t) > len(q.term)+1 && (strings.HasSuffix(t, q.term) || strings.HasSuffix(t, q.word)) {
			out = append(out, queryTerm{t, q.weight * 0.5, q.word})
			if len(out) > 20 {
				break
			}
		}
	}
	if out != nil {
		return out
	}
	add := func(t string, w float64) { out = append(out, queryTerm{t, q.weight * w, q.word}) }
	// Terms that begin with it, and those that it begins with.
	for i := sort.SearchStrings(x.byPrefix, q.term); i < len(x.byPrefix) && strings.HasPrefix(x.byPrefix[i], q.term); i++ {
		add(x.byPrefix[i], 0.6)
		if len(out) > 20 {
			break
		}
	}
	for n := len(q.term) - 1; n >= 3; n-- {
		if t := q.term[:n]; len(x.columns.terms[t])+len(x.relations.terms[t]) > 0 {
			add(t, 0.6*float64(n)/float64(len(q.term)))
			break
		}
	}
	if out == nil {
		for _, t := range x.byPrefix {
			if t[0] == q.term[0] && len(t) >= 4 && similarity(q.term, t) >= 0.79 {
				add(t, 0.6)
			}
		}
	}
	return out
}

// found is what a text has to do with everything in the snapshot.
type found struct {
	columns   map[int32]*Match
	relations map[int]*RelationMatch
}

func (s *Snapshot) search(text string) (*found, *index) {
	x := s.searchIndex()
	f := &found{map[int32]*Match{}, map[int]*RelationMatch{}}
	relation := func(i int) *RelationMatch {
		m := f.relations[i]
		if m == nil {
			m = &RelationMatch{Relation: s.Relations[i]}
			f.relations[i] = m
		}
		return m
	}
	column := func(i int32) *Match {
		m := f.columns[i]
		if m == nil {
			m = &Match{Column: x.column[i]}
			f.columns[i] = m
		}
		return m
	}
	asked := map[string]bool{}
	for _, q := range append(queryTerms(text), x.acronyms(text)...) {
		if q.weight == 1 {
			asked[q.term] = true
		}
		// Of the terms that a word stands for, the best counts, not all.
		cols, rels := map[int32]float64{}, map[int32]float64{}
		for _, t := range x.expand(q) {
			x.columns.score(t.term, func(doc int32, score float64) { cols[doc] = max(cols[doc], t.weight*score) })
			x.relations.score(t.term, func(doc int32, score float64) { rels[doc] = max(rels[doc], t.weight*score) })
		}
		for doc, score := range cols {
			m := column(doc)
			m.Score += score
			m.Words = append(m.Words, q.word)
		}
		for doc, score := range rels {
			m := relation(int(doc))
			m.Score += score
			m.Words = append(m.Words, q.word)
		}
	}
	for i, m := range f.relations {
		n := 0
		for _, t := range x.names[i] {
			if asked[t] {
				n++
			}
		}
		cover := float64(n) / float64(max(1, len(x.names[i])))
		m.Score *= 0.6 + 0.4*cover
		if n > 0 && n == len(x.names[i]) {
			m.Score += coverScore
		}
		if x.links[i] {
			m.Score *= linkShare
		}
	}
	f.addValues(s, x, text, column, relation)
	return f, x
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
			if t := string(b); len(x.columns.terms[t]) > 0 && !stopWords[t] {
				out = append(out, queryTerm{t, 0.9, text[ts[i].start:ts[i+n-1].end]})
			}
		}
	}
	return out
}

// valueScore is what a mentioned value adds to its column and relation, less
// if many columns hold it.
const valueScore = 6

func (f *found) addValues(s *Snapshot, x *index, text string, column func(int32) *Match, relation func(int) *RelationMatch) {
	hits := s.Values.Find(text)
	if len(hits) == 0 {
		return
	}
	at := map[[2]int]int{} // columns of a span
	for _, h := range hits {
		at[[2]int{h.Start, h.End}]++
	}
	first := make(map[*Relation]int32, len(s.Relations)) // of a relation's columns
	n := int32(0)
	for _, r := range s.Relations {
		first[r] = n
		n += int32(len(r.Columns))
	}
	best := map[*Relation]float64{}
	for _, h := range hits {
		many := at[[2]int{h.Start, h.End}]
		score := valueScore * h.Score * h.Score / (1 + 0.15*float64(many-1))
		r := h.Column.Relation
		for i, c := range r.Columns {
			if c == h.Column {
				m := column(first[r] + int32(i))
				m.Score += score
				if len(m.Values) < 8 {
					m.Values = append(m.Values, h)
				}
			}
		}
		best[r] = max(best[r], score)
	}
	for r, score := range best {
		relation(x.ids[r]).Score += score
	}
}

// SearchRelations returns the relations that a text is likely about, the
// likeliest first, at most limit. Relations that connect the best ones are
// among them: nobody names a link table.
func (s *Snapshot) SearchRelations(text string, limit int) []RelationMatch {
	f, _ := s.search(text)
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
	f, x := s.search(text)
	f.raise()
	rels := f.connect(s, f.ranked(12), 12)
	first := make([]int32, len(s.Relations))
	n := int32(0)
	for i, r := range s.Relations {
		first[i] = n
		n += int32(len(r.Columns))
	}
	if len(rels) > 0 {
		top := rels[0].Score
		near := map[*Relation]bool{}
		for _, m := range rels {
			near[m.Relation] = true
		}
		keys := map[*Column]bool{}
		for _, m := range rels {
			for _, e := range s.graph.at[s.graph.ids[m.Relation]] {
				if k := s.graph.edges[e].key; near[k.From] && near[k.To] {
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
			for i, c := range m.Relation.Columns {
				id := first[x.ids[m.Relation]] + int32(i)
				bonus := 0.6 * share
				switch {
				case keys[c]:
					bonus = share
				case naming(c):
					bonus = 0.9 * share
				case c.Unique && len(m.Relation.PrimaryKey) == 1 && m.Relation.PrimaryKey[0] == c:
					bonus = 0.8 * share
				}
				if f.columns[id] == nil {
					f.columns[id] = &Match{Column: c}
				}
				f.columns[id].Score += bonus
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
