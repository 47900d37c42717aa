package catalog

import (
	"slices"
	"sync"
)

// Weights of the fields of a column and of a relation.
const (
	weightName     = 3
	weightSynonym  = 3
	weightRelation = 0.8 // a column's relation
	weightComment  = 1
	weightValue    = 0.5
	weightColumn   = 0.6 // a relation's columns
)

// index is what Search looks things up in. Relations and columns have numbers;
// the columns of relation n are those from first[n] on, in its own order.
//
// After a change only the changed relations are indexed anew: theirs is a part
// of its own, and what the parts before say of them no longer counts.
type index struct {
	parts    []*indexPart
	relation []*Relation
	column   []*Column
	first    []int32 // one more than relations
	owner    []int32 // relation of each column
	alive    []bool  // relations that are as this index has them
	length   []int32 // words of each relation's name
	links    []bool  // relations that hold foreign keys and nothing else
	numbers  map[*Relation]int32
	schema   []int32 // number of each relation's schema
	schemas  map[string]int32
	known    vocabulary
	free     sync.Pool
}

// indexPart has what terms are in the names, comments and labels of some
// relations and their columns.
type indexPart struct {
	terms     map[string]int32
	sorted    []string // all terms
	reversed  []string // all terms, read backwards
	columns   *bm25
	relations *bm25
	names     [][]int32 // by term, the relations that have it in their name, as often as they do
	base      *indexPart
}

// maxParts bounds the parts of an index; beyond it everything is indexed anew.
const maxParts = 8

// newIndex indexes the snapshot, on top of the index of an earlier one of which
// it has kept relations, or of nil.
func newIndex(s *Snapshot, old *index) *index {
	x := &index{numbers: make(map[*Relation]int32, len(s.Relations)), schemas: map[string]int32{}, first: []int32{0}}
	fresh := s.Relations
	if old != nil && len(old.parts) < maxParts {
		fresh = nil
		*x = index{
			parts: slices.Clip(old.parts), relation: slices.Clip(old.relation), column: slices.Clip(old.column), first: slices.Clip(old.first),
			owner: slices.Clip(old.owner), alive: make([]bool, len(old.alive)), length: slices.Clip(old.length), links: slices.Clip(old.links),
			numbers: x.numbers, schema: slices.Clip(old.schema), schemas: x.schemas, known: old.known,
		}
		for schema, n := range old.schemas {
			x.schemas[schema] = n
		}
		for _, r := range s.Relations {
			if n, ok := old.numbers[r]; ok {
				x.numbers[r], x.alive[n] = n, true
			} else {
				fresh = append(fresh, r)
			}
		}
	}
	if x.parts == nil {
		x.known = newVocabulary(s.Relations)
	}
	if len(fresh) > 0 {
		x.add(s, fresh)
	}
	x.free.New = func() any { return newSheet(x) }
	return x
}

// add indexes relations as a part of their own.
func (x *index) add(s *Snapshot, relations []*Relation) {
	in := indexer{
		index: x, part: &indexPart{terms: map[string]int32{}}, names: map[string][]int32{}, stems: map[string]int32{},
		columns: bm25Builder{firstID: int32(len(x.column))}, relations: bm25Builder{firstID: int32(len(x.relation))},
		measured: map[*Column][]string{},
	}
	for _, m := range s.Measures {
		for _, e := range []expression{m.expression, m.filter} {
			for _, ref := range e.refs {
				in.measured[ref.column] = append(append(in.measured[ref.column], m.Name), m.Synonyms...)
			}
		}
	}
	for _, r := range relations {
		in.relation(s, r)
	}
	in.finish()
}

// indexer makes one part.
type indexer struct {
	*index
	part      *indexPart
	columns   bm25Builder
	relations bm25Builder
	named     []occurrence
	names     map[string][]int32   // terms of names seen before
	stems     map[string]int32     // terms by word of running text
	measured  map[*Column][]string // names of the measures that a column is part of
}

func (in *indexer) term(t string) int32 {
	n, ok := in.part.terms[t]
	if !ok {
		n = int32(len(in.part.terms))
		in.part.terms[t] = n
	}
	return n
}

func (in *indexer) numbersOf(terms []string) []int32 {
	out := make([]int32, len(terms))
	for i, t := range terms {
		out[i] = in.term(t)
	}
	return out
}

// name returns the terms of a name.
func (in *indexer) name(name string) []int32 {
	t, ok := in.names[name]
	if !ok {
		t = in.numbersOf(in.known.nameTerms(name))
		in.names[name] = t
	}
	return t
}

// text returns the terms of running text.
func (in *indexer) text(text string) []int32 {
	if text == "" {
		return nil
	}
	var out []int32
	for _, w := range Words(text) {
		if stopWords[w] && !askedNames[w] {
			continue
		}
		t, ok := in.stems[w]
		if !ok {
			t = in.term(stem(w))
			in.stems[w] = t
		}
		out = append(out, t)
	}
	return out
}

func (in *indexer) texts(list []string) []int32 {
	var out []int32
	for _, s := range list {
		out = append(out, in.text(s)...)
	}
	return out
}

func (in *indexer) relation(s *Snapshot, r *Relation) {
	x := in.index
	number := int32(len(x.relation))
	x.numbers[r] = number
	x.relation, x.alive, x.links = append(x.relation, r), append(x.alive, true), append(x.links, isLink(s, r))
	schema, ok := x.schemas[r.Schema]
	if !ok {
		schema = int32(len(x.schemas))
		x.schemas[r.Schema] = schema
	}
	x.schema = append(x.schema, schema)
	stems := nameStems(r.Name.Name, x.known)
	x.length = append(x.length, int32(len(stems)))
	for _, t := range stems {
		in.named = append(in.named, occurrence{term: in.term(t), doc: number})
	}
	in.relations.next()
	name := in.name(r.Name.Name)
	in.relations.add(name, weightName)
	in.relations.add(in.text(r.Comment), weightComment)
	in.relations.add(in.texts(r.Synonyms), weightSynonym)
	for _, c := range r.Columns {
		x.column, x.owner = append(x.column, c), append(x.owner, number)
		in.columns.next()
		own := in.name(c.Name)
		in.columns.add(own, weightName)
		in.columns.add(name, weightRelation)
		in.relations.add(own, weightColumn)
		comment := in.text(c.Comment)
		in.columns.add(comment, weightComment)
		in.relations.add(comment, weightColumn/2)
		synonyms := append(in.texts(c.Synonyms), in.texts(in.measured[c])...)
		in.columns.add(synonyms, weightSynonym)
		in.relations.add(synonyms, weightColumn)
		in.columns.add(in.texts(c.Enum), weightValue)
		in.columns.add(in.texts(c.Allowed), weightValue)
	}
	x.first = append(x.first, int32(len(x.column)))
}

func (in *indexer) finish() {
	part, x := in.part, in.index
	var columns, relations *bm25
	if len(x.parts) > 0 {
		part.base = x.parts[0]
		columns, relations = part.base.columns, part.base.relations
	}
	part.columns = in.columns.build(len(part.terms), columns)
	part.relations = in.relations.build(len(part.terms), relations)
	part.names = make([][]int32, len(part.terms))
	for _, o := range in.named {
		part.names[o.term] = append(part.names[o.term], o.doc)
	}
	part.sorted, part.reversed = make([]string, 0, len(part.terms)), make([]string, 0, len(part.terms))
	for t := range part.terms {
		part.sorted, part.reversed = append(part.sorted, t), append(part.reversed, reverse(t))
	}
	slices.Sort(part.sorted)
	slices.Sort(part.reversed)
	x.parts = append(x.parts, part)
}

// reverse returns the bytes in the other order.
func reverse(s string) string {
	b := []byte(s)
	slices.Reverse(b)
	return string(b)
}

// has reports whether a name, comment or label has the term.
func (x *index) has(term string) bool {
	for _, p := range x.parts {
		if _, ok := p.terms[term]; ok {
			return true
		}
	}
	return false
}

// number returns the column's number, -1 if the index does not have it.
func (x *index) number(c *Column) int32 {
	n, ok := x.numbers[c.Relation]
	if !ok {
		return -1
	}
	for i := x.first[n]; i < x.first[n+1]; i++ {
		if x.column[i] == c {
			return i
		}
	}
	return -1
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
	for _, h := range s.graph.at(s.graph.ids[r]) {
		if k := s.graph.edges[h.edge].key; k.From == r {
			others[k.To] = true
			for _, c := range k.FromCols {
				keys[c] = true
			}
		}
	}
	return len(others) >= 2 && len(keys) == len(r.Columns)
}
