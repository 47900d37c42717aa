package grammar

func hasMany(s *set) bool {
	for _, c := range s.conds {
		if c.kind == related && c.count == nil && !c.join && !c.path.toOne() {
			return true
		}
	}
	return false
}

func repeated(n *np) bool {
	if len(n.items) != 1 || n.items[0].agg != "" || len(n.group) > 0 || len(n.order) > 0 {
		return false
	}
	c := n.items[0].col
	return c != nil && textual(c) && c.Profile != nil && c.Relation.Rows > 20 && c.Profile.Distinct < 0.5*c.Relation.Rows
}

func withoutValues(n *np) *np {
	if !n.byItems || len(n.items) != 1 || n.items[0].agg != "" || n.set.sup != nil || len(n.group) > 0 || len(n.order) > 0 || n.items[0].sid != n.set.id {
		return nil
	}
	for i, c := range n.set.conds {
		if c.kind == related && c.neg {
			s := *n.set
			s.conds = append([]cond(nil), n.set.conds...)
			s.conds[i].neg = false
			x := n.clone()
			x.set, x.byItems = &s, false
			return x
		}
	}
	return nil
}

func (b *builder) difference(n, minus *np) string {
	s := *n.set
	s.conds = nil
	for _, c := range n.set.conds {
		if !(c.kind == related && c.neg) {
			s.conds = append(s.conds, c)
		}
	}
	all := n.clone()
	all.set, all.byItems, all.distinct = &s, false, false
	first := b.nested(all)
	return first + " EXCEPT " + b.nested(minus)
}

func (b *builder) withoutRoot(n *np) *np {
	s := n.set
	if len(s.conds) != 1 || s.sup != nil || len(n.group) > 0 || len(n.order) > 0 || len(n.having) > 0 || len(n.items) > 1 {
		return n
	}
	c := s.conds[0]
	if c.kind != related || c.neg || c.count != nil || c.join || c.rank || len(c.path.edges) != 1 || !c.path.edges[0].implied || c.path.edges[0].toOne {
		return n
	}
	shown := b.display(s)
	it := item{}
	if len(n.items) == 1 {
		it = n.items[0]
		if it.sid != s.id || it.col == nil && it.agg != "count" {
			return n
		}
	}
	if len(shown) != 1 || shown[0].col != c.path.edges[0].fromCols[0] || it.col != nil && it.col != shown[0].col {
		return n
	}
	x := n.clone()
	it.col, it.sid = c.path.edges[0].toCols[0], c.child.id
	x.items, x.byItems, x.set = []item{it}, false, c.child
	x.ties = true // every row of the extreme thing
	if c.child.sup == nil && len(c.child.conds) == 0 {
		x.distinct = it.agg == ""
		x.items[0].distinct = it.agg != ""
	}
	return x
}

func hasEntity(group []item) bool {
	for _, g := range group {
		if g.entity {
			return true
		}
	}
	return false
}
