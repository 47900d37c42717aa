package catalog

import "sort"

// Weights of the fields of a column and of a relation.
const (
	weightName     = 3
	weightSynonym  = 3
	weightRelation = 0.8 // a column's relation
	weightComment  = 1
	weightValue    = 0.5
	weightColumn   = 0.6 // a relation's columns
)

// index is what Search looks things up in. After a change only the changed
// relations are indexed anew: theirs is a part of its own, and what the parts
// before say of them no longer counts.
type index struct {
	parts []*indexPart
	live  map[*Relation]*indexPart
	words vocabulary
}

type indexPart struct {
	columns   *bm25
	column    []*Column
	relations *bm25
	relation  []*Relation
	names     map[*Relation][]string // terms of a relation's name
	links     map[*Relation]bool     // relations that hold foreign keys and nothing else
	sorted    []string               // all terms
}

// maxParts bounds the parts of an index; beyond it everything is indexed anew.
const maxParts = 8

// newIndex indexes the snapshot, on top of the index of an earlier one of which
// it has kept relations, or of nil.
func newIndex(s *Snapshot, old *index) *index {
	x := &index{live: make(map[*Relation]*indexPart, len(s.Relations))}
	fresh := s.Relations
	if old != nil && len(old.parts) < maxParts {
		fresh = nil
		for _, r := range s.Relations {
			if part := old.live[r]; part != nil {
				x.live[r] = part
			} else {
				fresh = append(fresh, r)
			}
		}
		x.parts, x.words = old.parts[:len(old.parts):len(old.parts)], old.words
	}
	if x.parts == nil {
		x.words = newVocabulary(s.Relations)
	}
	if len(fresh) > 0 {
		x.add(s, fresh)
	}
	return x
}

// add indexes relations as a part of their own.
func (x *index) add(s *Snapshot, relations []*Relation) {
	part := &indexPart{columns: newBM25(), relations: newBM25(), names: map[*Relation][]string{}, links: map[*Relation]bool{}}
	if len(x.parts) > 0 {
		part.columns.base, part.relations.base = x.parts[0].columns, x.parts[0].relations
	}
	x.parts = append(x.parts, part)
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
	for _, r := range relations {
		x.live[r] = part
		part.relation = append(part.relation, r)
		part.relations.next()
		rel := terms(r.Name.Name)
		part.names[r] = nameStems(r.Name.Name, x.words)
		part.links[r] = isLink(s, r)
		part.relations.add(rel, weightName)
		part.relations.add(textTerms(r.Comment), weightComment)
		part.relations.add(synonymTerms(r.Synonyms), weightSynonym)
		for _, c := range r.Columns {
			part.column = append(part.column, c)
			part.columns.next()
			own := terms(c.Name)
			part.columns.add(own, weightName)
			part.columns.add(rel, weightRelation)
			part.relations.add(own, weightColumn)
			if c.Comment != "" {
				t := textTerms(c.Comment)
				part.columns.add(t, weightComment)
				part.relations.add(t, weightColumn/2)
			}
			if syn := synonymTerms(append(c.Synonyms[:len(c.Synonyms):len(c.Synonyms)], measured[c]...)); syn != nil {
				part.columns.add(syn, weightSynonym)
				part.relations.add(syn, weightColumn)
			}
			for _, list := range [][]string{c.Enum, c.Allowed} {
				for _, v := range list {
					part.columns.add(textTerms(v), weightValue)
				}
			}
		}
	}
	seen := map[string]bool{}
	for _, b := range []*bm25{part.columns, part.relations} {
		for t := range b.terms {
			if !seen[t] {
				seen[t] = true
				part.sorted = append(part.sorted, t)
			}
		}
	}
	sort.Strings(part.sorted)
}

// has reports whether a name, comment or label has the term.
func (x *index) has(term string) bool {
	for _, p := range x.parts {
		if len(p.columns.terms[term]) > 0 || len(p.relations.terms[term]) > 0 {
			return true
		}
	}
	return false
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
