// Changing a logical form so that it has simpler SQL, or any.

package grammar

import "slices"

// hasToMany reports whether a set has a condition on rows of which there may be several.
func hasToMany(s *set) bool {
	return slices.ContainsFunc(s.conditions, func(c condition) bool { return c.kind == related && c.count == nil && !c.joined && !c.path.toOne() })
}

// repeatsValues reports whether the only output is a text that many rows share.
func repeatsValues(n *phrase) bool {
	if len(n.items) != 1 || n.items[0].aggregate != "" || len(n.group) > 0 || len(n.order) > 0 {
		return false
	}
	return hasRepeats(n.items[0].column)
}

// withoutValues returns the values that have a row of what must not be there, nil if nothing of that kind is said: "countries without airports".
// Amounts and times are no such values: a row that has something may have the same by chance.
func (b *builder) withoutValues(n *phrase) *phrase {
	if !n.attributeHead || len(n.items) != 1 || n.items[0].aggregate != "" || n.set.superlative != nil || len(n.group) > 0 || len(n.order) > 0 || n.items[0].setID != n.set.id || !isText(n.items[0].column) && !b.lexicon.graph.isForeign(n.items[0].column) {
		return nil
	}
	for i, c := range n.set.conditions {
		if c.kind == related && c.negated {
			s := *n.set
			s.conditions = append([]condition(nil), n.set.conditions...)
			s.conditions[i].negated = false
			x := n.clone()
			x.set, x.attributeHead = &s, false
			return x
		}
	}
	return nil
}

// difference writes the values that are not among those of minus.
func (b *builder) difference(n, minus *phrase) string {
	s := *n.set
	s.conditions = nil
	for _, c := range n.set.conditions {
		if !(c.kind == related && c.negated) {
			s.conditions = append(s.conditions, c)
		}
	}
	all := n.clone()
	all.set, all.attributeHead, all.distinct = &s, false, false
	first := b.nested(all)
	return first + " EXCEPT " + b.nested(minus)
}

// fromGroup begins a phrase with the things that it is grouped by, where those are shown that it has nothing of.
func (b *builder) fromGroup(n *phrase) *phrase {
	if !n.keepsAll || len(n.group) != 1 || !n.group[0].entity || len(n.having) > 0 || n.set.superlative != nil || len(n.partition) > 0 {
		return n
	}
	for i, c := range n.set.conditions {
		if c.kind != related || c.negated || c.count != nil || c.child.id != n.group[0].setID {
			continue
		}
		rows := *n.set
		rows.conditions = slices.Delete(slices.Clone(rows.conditions), i, i+1)
		return n.over(c.child.with(condition{kind: related, child: &rows, path: c.path.reversed(), joined: true, optional: true}))
	}
	if n.group[0].setID != n.set.id {
		b.noSQL()
	}
	return n
}

// withoutRoot drops a relation of which only a key is used that the related rows have too.
func (b *builder) withoutRoot(n *phrase) *phrase {
	s := n.set
	if len(s.conditions) != 1 || s.superlative != nil || len(n.group) > 0 || len(n.order) > 0 || len(n.having) > 0 || len(n.items) > 1 {
		return n
	}
	c := s.conditions[0]
	if c.kind != related || c.negated || c.count != nil || c.joined || c.forSuperlative || len(c.path.edges) != 1 || !c.path.edges[0].implied || c.path.edges[0].toOne {
		return n
	}
	shown := b.display(s)
	it := item{}
	if len(n.items) == 1 {
		it = n.items[0]
		if it.setID != s.id || it.column == nil && it.aggregate != "count" {
			return n
		}
	}
	if len(shown) != 1 || shown[0].column != c.path.edges[0].fromCols[0] || it.column != nil && it.column != shown[0].column {
		return n
	}
	x := n.clone()
	it.column, it.setID = c.path.edges[0].toCols[0], c.child.id
	x.items, x.attributeHead, x.set = []item{it}, false, c.child
	if c.child.superlative == nil && len(c.child.conditions) == 0 {
		x.distinct = it.aggregate == ""
		x.items[0].distinct = it.aggregate != ""
	}
	return x
}

// ofOthers reports whether all outputs are of one thing that the rows of the
// set point to, of which several may point to the same.
func ofOthers(n *phrase) bool {
	return !slices.ContainsFunc(n.items, func(it item) bool { return it.setID == n.set.id || !reachedToOne(n.set, it.setID) })
}
