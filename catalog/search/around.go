package search

import "askpg/catalog/schema"

// neighboured is how many of the best relations bring in what they refer to and
// what refers to them.
const neighboured = 6

// Around returns the relations that a text is likely about, the best first: the
// n best of FindRelations, then what keys join to the first of them, at most 2n
// in all.
func (x *Index) Around(text string, n int) []*schema.Relation {
	var out []*schema.Relation
	seen := map[*schema.Relation]bool{}
	add := func(r *schema.Relation) {
		if !seen[r] && len(out) < 2*n {
			seen[r] = true
			out = append(out, r)
		}
	}
	best := x.FindRelations(text, n)
	for _, m := range best {
		add(m.Relation)
	}
	for _, m := range best[:min(len(best), neighboured)] {
		for _, k := range x.Graph.Keys(m.Relation) {
			add(k.To)
			add(k.From)
		}
	}
	return out
}
