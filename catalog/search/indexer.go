package search

import (
	"maps"
	"slices"

	"askpg/catalog/schema"
	"askpg/catalog/words"
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

// add indexes relations as a part of their own.
func (x *Index) add(relations []*schema.Relation) {
	in := indexer{
		Index: x, part: &indexPart{terms: map[string]int32{}}, names: map[string][]int32{}, stems: map[string]int32{},
		columns: bm25Builder{firstID: int32(len(x.column))}, relations: bm25Builder{firstID: int32(len(x.relation))},
		measured: map[*schema.Column][]string{},
	}
	for _, m := range x.Measures {
		for _, ref := range slices.Concat(m.Aggregate.Refs, m.Condition.Refs) {
			in.measured[ref.Column] = append(append(in.measured[ref.Column], m.Name), m.Synonyms...)
		}
	}
	for _, r := range relations {
		in.add(r)
	}
	in.finish()
}

// indexer makes one part.
type indexer struct {
	*Index
	part      *indexPart
	columns   bm25Builder
	relations bm25Builder
	nameTerms []occurrence
	names     map[string][]int32          // terms of names seen before
	stems     map[string]int32            // terms by word of running text
	measured  map[*schema.Column][]string // names of the measures that a column is part of
}

func (in *indexer) term(t string) int32 {
	n, ok := in.part.terms[t]
	if !ok {
		n = int32(len(in.part.terms))
		in.part.terms[t] = n
	}
	return n
}

// name returns the terms of a name.
func (in *indexer) name(name string) []int32 {
	t, ok := in.names[name]
	if !ok {
		for _, term := range in.vocabulary.NameTerms(name) {
			t = append(t, in.term(term))
		}
		in.names[name] = t
	}
	return t
}

// text returns the terms of running texts.
func (in *indexer) text(texts ...string) []int32 {
	var out []int32
	for _, text := range texts {
		for _, w := range words.Split(text) {
			if !words.IsSearched(w) {
				continue
			}
			t, ok := in.stems[w]
			if !ok {
				t = in.term(words.Stem(w))
				in.stems[w] = t
			}
			out = append(out, t)
		}
	}
	return out
}

func (in *indexer) add(r *schema.Relation) {
	x := in.Index
	number := int32(len(x.relation))
	x.numbers[r] = number
	x.relation, x.current, x.isLink = append(x.relation, r), append(x.current, true), append(x.isLink, linksOthers(x.Graph, r))
	stems := x.vocabulary.NameStems(r.Name.Name)
	x.nameLength = append(x.nameLength, int32(len(stems)))
	for _, t := range stems {
		in.nameTerms = append(in.nameTerms, occurrence{term: in.term(t), doc: number})
	}
	in.relations.next()
	name := in.name(r.Name.Name)
	in.relations.add(name, weightName)
	in.relations.add(in.text(r.Comment), weightComment)
	in.relations.add(in.text(r.Synonyms...), weightSynonym)
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
		synonyms := append(in.text(c.Synonyms...), in.text(in.measured[c]...)...)
		in.columns.add(synonyms, weightSynonym)
		in.relations.add(synonyms, weightColumn)
		in.columns.add(in.text(c.Enum...), weightValue)
		in.columns.add(in.text(c.Allowed...), weightValue)
		for _, l := range c.Labels {
			in.columns.add(in.text(l.Text), weightValue)
		}
	}
	x.first = append(x.first, int32(len(x.column)))
}

func (in *indexer) finish() {
	part, x := in.part, in.Index
	var columns, relations *bm25
	if len(x.parts) > 0 {
		part.base = x.parts[0]
		columns, relations = part.base.columns, part.base.relations
	}
	part.columns = in.columns.build(len(part.terms), columns)
	part.relations = in.relations.build(len(part.terms), relations)
	part.names = make([][]int32, len(part.terms))
	for _, o := range in.nameTerms {
		part.names[o.term] = append(part.names[o.term], o.doc)
	}
	part.sorted = slices.Sorted(maps.Keys(part.terms))
	for _, t := range part.sorted {
		part.reversed = append(part.reversed, reverse(t))
	}
	slices.Sort(part.reversed)
	x.parts = append(x.parts, part)
}

// reverse returns the bytes in the other order.
func reverse(s string) string {
	b := []byte(s)
	slices.Reverse(b)
	return string(b)
}
