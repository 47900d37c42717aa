package translator

import (
	"iter"
	"slices"

	"askpg/catalog"
)

// Bounds of what linking adds.
const (
	maxBetween = 3   // relations between two linked ones
	maxPairs   = 200 // pairs of linked relations that are looked for a path between
)

// closeLinks adds to linked relations those that a join between them needs,
// and to linked columns the keys that they are joined by. Relations that refer to the
// same key of a third are joined by it without the third. Only parts that nothing joins are
// connected, each by the shortest path: a neighbour that is not needed may mislead.
func (s *state) closeLinks(relations []*catalog.Relation, columns map[*catalog.Column]bool) []*catalog.Relation {
	relations = slices.Clone(relations)
	unconnected := map[[2]*catalog.Relation]bool{} // pairs without a path
	for range relations {
		parts := s.components(relations)
		if len(parts) < 2 {
			break
		}
		path := s.pathBetween(parts, unconnected)
		if path == nil {
			break
		}
		for _, j := range path {
			for _, r := range []*catalog.Relation{j.Key.From, j.Key.To} {
				if !slices.Contains(relations, r) {
					relations = append(relations, r)
				}
			}
		}
	}
	if columns != nil {
		s.linkKeys(relations, columns)
	}
	return relations
}

// linkKeys adds the columns that relations are joined by, and their primary keys.
func (s *state) linkKeys(relations []*catalog.Relation, columns map[*catalog.Column]bool) {
	for _, k := range s.snap.ForeignKeys {
		if !slices.Contains(relations, k.From) {
			continue
		}
		if slices.Contains(relations, k.To) || s.shared(k, relations) {
			for i := range k.FromCols {
				columns[k.FromCols[i]], columns[k.ToCols[i]] = true, true
			}
		}
	}
	for _, r := range relations {
		for _, c := range r.PrimaryKey {
			columns[c] = true
		}
	}
}

// dropIdle drops relations of which no column is linked, unless they hold
// others together.
func (s *state) dropIdle(relations []*catalog.Relation, columns map[*catalog.Column]bool) []*catalog.Relation {
	relations = slices.Clone(relations)
	busy := func(r *catalog.Relation) bool {
		return slices.ContainsFunc(r.Columns, func(c *catalog.Column) bool { return columns[c] })
	}
	for i, relation := range slices.Backward(relations) {
		if busy(relation) {
			continue
		}
		if without := slices.Delete(slices.Clone(relations), i, i+1); len(s.components(without)) <= len(s.components(relations)) {
			relations = without
		}
	}
	return relations
}

// shared says whether another of the relations refers to the key that k
// refers to, in the same role.
func (s *state) shared(k *catalog.ForeignKey, relations []*catalog.Relation) bool {
	return slices.ContainsFunc(s.snap.ForeignKeys, func(o *catalog.ForeignKey) bool {
		return o.From != k.From && o.To == k.To && slices.Equal(o.ToCols, k.ToCols) && slices.Contains(relations, o.From) && catalog.Role(o) == catalog.Role(k)
	})
}

// components divides relations into those that keys join, directly or by a third
// that both refer to in the same role.
func (s *state) components(relations []*catalog.Relation) [][]*catalog.Relation {
	part := map[*catalog.Relation]int{}
	for i, r := range relations {
		part[r] = i
	}
	join := func(a, b *catalog.Relation) {
		from, to := part[a], part[b]
		for r, p := range part {
			if p == from {
				part[r] = to
			}
		}
	}
	type target struct {
		key  *catalog.Column
		role string
	}
	byTarget := map[target]*catalog.Relation{}
	for _, k := range s.snap.ForeignKeys {
		if _, ok := part[k.From]; !ok {
			continue
		}
		if _, ok := part[k.To]; ok {
			join(k.From, k.To)
		}
		if len(k.ToCols) == 1 && !k.Guess {
			t := target{k.ToCols[0], catalog.Role(k)}
			if other, ok := byTarget[t]; ok {
				join(k.From, other)
			}
			byTarget[t] = k.From
		}
	}
	index := map[int]int{}
	var out [][]*catalog.Relation
	for _, r := range relations {
		i, ok := index[part[r]]
		if !ok {
			i = len(out)
			index[part[r]] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], r)
	}
	return out
}

// pathBetween returns the shortest path between relations of different parts, nil
// if there is none worth its tables.
func (s *state) pathBetween(parts [][]*catalog.Relation, unconnected map[[2]*catalog.Relation]bool) []catalog.Join {
	var best []catalog.Join
	tried := 0
	for pair := range pairs(parts) {
		if unconnected[pair] || tried == maxPairs {
			continue
		}
		tried++
		path, _ := s.snap.Path(pair[0], pair[1])
		if len(path) == 0 || len(path) > maxBetween+1 {
			unconnected[pair] = true
			continue
		}
		if best == nil || length(path) < length(best) {
			best = path
		}
	}
	return best
}

// pairs goes through the pairs of relations of different parts.
func pairs(parts [][]*catalog.Relation) iter.Seq[[2]*catalog.Relation] {
	return func(yield func([2]*catalog.Relation) bool) {
		for i, part := range parts {
			for _, a := range part {
				for _, b := range slices.Concat(parts[i+1:]...) {
					if !yield([2]*catalog.Relation{a, b}) {
						return
					}
				}
			}
		}
	}
}

// length counts a path's joins, those that are not declared twice.
func length(path []catalog.Join) int {
	n := len(path)
	for _, j := range path {
		if j.Key.Implied {
			n++
		}
	}
	return n
}
