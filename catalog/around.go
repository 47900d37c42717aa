package catalog

// neighboured is how many of the best relations bring in what they refer to and
// what refers to them.
const neighboured = 6

// Around returns the relations that a text is likely about, the best first: the
// n best, those that connect the very best of them, then what keys join to the foremost, at
// most 2n in all.
func (s *Snapshot) Around(text string, n int) []*Relation {
	var out []*Relation
	in := map[*Relation]bool{}
	add := func(r *Relation) {
		if !in[r] && len(out) < 2*n {
			in[r] = true
			out = append(out, r)
		}
	}
	best := s.SearchRelations(text, n)
	for _, m := range best {
		add(m.Relation)
	}
	s.index()
	for _, m := range best[:min(len(best), neighboured)] {
		for _, h := range s.graph.at(s.graph.ids[m.Relation]) {
			k := s.graph.edges[h.edge].key
			add(k.To)
			add(k.From)
		}
	}
	return out
}
