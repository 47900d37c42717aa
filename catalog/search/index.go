// Package search finds what a question is about. It finds relations and columns
// by the words of their names, comments and synonyms (BM25F) and by meaning
// (vectors). It also finds the values that the question mentions.
package search

import (
	"slices"
	"sync"

	"askpg/catalog/joins"
	"askpg/catalog/schema"
	"askpg/catalog/words"
)

// Contents are what is searched: a snapshot's relations and what belongs to
// them. They must not change any more.
type Contents struct {
	Relations []*schema.Relation
	Measures  []*schema.Measure
	Graph     *joins.Graph
	Values    *Values
}

// Index finds relations and columns. It is safe for concurrent use.
//
// Relations and columns have numbers; the columns of relation n are those from
// first[n] on, in its own order. After a change only the changed relations are
// indexed anew: they get a part of their own, and what the older parts say of
// them no longer counts.
type Index struct {
	Contents
	parts      []*indexPart
	relation   []*schema.Relation
	column     []*schema.Column
	first      []int32 // one more than relations
	owner      []int32 // relation of each column
	current    []bool  // relations that are still in Contents
	nameLength []int32 // words of each relation's name
	isLink     []bool  // relations that hold foreign keys and nothing else
	numbers    map[*schema.Relation]int32
	vocabulary words.Vocabulary
	workspaces sync.Pool
	semantic   semantic
}

// indexPart has what terms are in the names, comments and labels of some
// relations and their columns.
type indexPart struct {
	terms     map[string]int32
	sorted    []string // all terms
	reversed  []string // all terms, read backwards, sorted
	columns   *bm25
	relations *bm25
	names     [][]int32  // by term, the relations that have it in their name, as often as they do
	base      *indexPart // the first part of the index, nil of itself
}

// maxParts bounds the parts of an index; beyond it everything is indexed anew.
const maxParts = 8

// NewIndex indexes the contents, on top of the index of an earlier snapshot
// with which they have relations in common, or of nil.
func NewIndex(c Contents, old *Index) *Index {
	x := &Index{Contents: c, numbers: make(map[*schema.Relation]int32, len(c.Relations)), first: []int32{0}}
	changed := c.Relations
	if old != nil && len(old.parts) < maxParts {
		changed = x.extend(old)
	} else {
		x.vocabulary = newVocabulary(c.Relations)
	}
	if len(changed) > 0 {
		x.add(changed)
	}
	x.workspaces.New = func() any { return newWorkspace(x) }
	return x
}

// extend takes over what an earlier index has, and returns the relations that
// it does not have.
func (x *Index) extend(old *Index) (changed []*schema.Relation) {
	x.parts, x.relation, x.column = slices.Clip(old.parts), slices.Clip(old.relation), slices.Clip(old.column)
	x.first, x.owner = slices.Clip(old.first), slices.Clip(old.owner)
	x.nameLength, x.isLink = slices.Clip(old.nameLength), slices.Clip(old.isLink)
	x.current = make([]bool, len(old.current))
	x.vocabulary = old.vocabulary
	for _, r := range x.Relations {
		if n, ok := old.numbers[r]; ok {
			x.numbers[r], x.current[n] = n, true
		} else {
			changed = append(changed, r)
		}
	}
	return changed
}

// newVocabulary has the words that the names and comments are made of.
func newVocabulary(relations []*schema.Relation) words.Vocabulary {
	v := words.NewVocabulary()
	for _, r := range relations {
		v.Add(r.Name.Name)
		v.Add(r.Comment)
		for _, c := range r.Columns {
			v.Add(c.Name)
			v.Add(c.Comment)
		}
	}
	return v
}

// has reports whether a name, comment or label has the term.
func (x *Index) has(term string) bool {
	return slices.ContainsFunc(x.parts, func(p *indexPart) bool { _, ok := p.terms[term]; return ok })
}

// number returns the column's number, -1 if the index does not have it.
func (x *Index) number(c *schema.Column) int32 {
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

// linksOthers reports whether a relation only joins others.
func linksOthers(g *joins.Graph, r *schema.Relation) bool {
	keys := map[*schema.Column]bool{}
	others := map[*schema.Relation]bool{}
	for _, k := range g.Keys(r) {
		if k.From == r {
			others[k.To] = true
			for _, c := range k.FromCols {
				keys[c] = true
			}
		}
	}
	return len(others) >= 2 && len(keys) == len(r.Columns)
}
