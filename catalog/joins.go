package catalog

// Join is one step of a join path: a foreign key followed in one direction.
type Join struct {
	Key     *ForeignKey
	Reverse bool // from Key.To to Key.From
}

// Start returns the relation that the step leaves.
func (j Join) Start() *Relation {
	if j.Reverse {
		return j.Key.To
	}
	return j.Key.From
}

// End returns the relation that the step reaches.
func (j Join) End() *Relation {
	if j.Reverse {
		return j.Key.From
	}
	return j.Key.To
}

// Costs of a join: an implied key has to be shorter by two tables to be
// preferred to declared ones.
const (
	declaredCost = 1
	minedCost    = 2
	impliedCost  = 3
)

func (k *ForeignKey) cost() int {
	switch {
	case k.Cost > 0:
		return k.Cost
	case k.mined:
		return minedCost
	case k.Implied:
		return impliedCost
	}
	return declaredCost
}

// Path returns the shortest join path between two relations, nil if there is
// none or if they are the same. Ambiguous is true if another path is as short.
func (s *Snapshot) Path(from, to *Relation) (path []Join, ambiguous bool) {
	s.index()
	a, okA := s.graph.ids[from]
	b, okB := s.graph.ids[to]
	if !okA || !okB || a == b {
		return nil, false
	}
	return s.graph.path(a, b, far-1)
}

// Tree returns the joins of a Steiner tree that connects the relations: the
// fewest joins, declared keys before implied ones. Every join but the first
// starts at a relation that an earlier one has reached; the first starts at
// relations[0]. ok is false if they can't be connected; ambiguous is true if
// another tree costs the same.
//
// A relation named twice counts once. The tree is exact (Dreyfus and Wagner,
// "The Steiner problem in graphs", Networks 1, 1971) for up to maxTerminals
// relations, unless too many others lie between them; beyond that it is grown
// path by path.
func (s *Snapshot) Tree(relations []*Relation) (joins []Join, ambiguous, ok bool) {
	s.index()
	var terminals []int
	seen := map[int]bool{}
	for _, r := range relations {
		id, known := s.graph.ids[r]
		if !known {
			return nil, false, false
		}
		if !seen[id] {
			seen[id] = true
			terminals = append(terminals, id)
		}
	}
	if len(terminals) < 2 {
		return nil, false, len(terminals) == 1
	}
	edges, ambiguous, ok := s.graph.tree(terminals)
	if !ok {
		return nil, false, false
	}
	return s.graph.orient(edges, terminals[0]), ambiguous, true
}
