package catalog

// Join is one step of a join path: a foreign key followed in one direction.
type Join struct {
	Key     *ForeignKey
	Reverse bool // from Key.To to Key.From
}

// Path returns the shortest join path between two relations, nil if there is
// none. Ambiguous is true if another path is as short.
func (s *Snapshot) Path(from, to *Relation) (path []Join, ambiguous bool) { return nil, false }

// Tree returns the joins of a Steiner tree that connects the relations: the
// fewest joins, declared keys before implied ones. ok is false if they can't
// be connected; ambiguous is true if another tree costs the same.
func (s *Snapshot) Tree(relations []*Relation) (joins []Join, ambiguous, ok bool) {
	return nil, false, false
}
