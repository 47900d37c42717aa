// The relations and columns that a reading uses.

package grammar

import (
	"slices"

	"askpg/catalog"
)

// objects are the relations and columns that a reading uses.
type objects struct {
	lexicon   *lexicon
	root      *catalog.Relation // what the things are that are asked for, nil if that is not known
	relations map[*catalog.Relation]bool
	columns   map[*catalog.Column]bool
	measures  map[*catalog.Measure]bool
}

// used returns the objects that a reading uses.
func (p *parser) used(n *phrase) *objects {
	u := &objects{lexicon: p.lexicon, relations: map[*catalog.Relation]bool{}, columns: map[*catalog.Column]bool{}, measures: map[*catalog.Measure]bool{}}
	if n.set != nil {
		u.root = n.set.relation
	}
	u.phrase(n)
	return u
}

func (u *objects) phrase(n *phrase) {
	for _, part := range n.ratio {
		u.phrase(part)
	}
	if n.set == nil {
		return
	}
	u.set(n.set)
	if len(n.items) == 0 {
		u.display(n.set)
	}
	n.eachItem(func(it item) { u.item(it, n.set) })
}

func (u *objects) display(s *set) {
	for _, c := range u.lexicon.relationInfo[s.relation].display {
		u.columns[c] = true
	}
}

func (u *objects) item(it item, root *set) {
	if it.measure != nil {
		u.measures[it.measure.m] = true
	}
	if it.column != nil {
		u.columns[it.column] = true
	}
	if s := root.find(it.setID); it.entity && s != nil {
		u.display(s)
	}
	for _, other := range []*item{it.divisor, it.subtrahend} {
		if other != nil {
			u.item(*other, root)
		}
	}
	u.conditions(it.where)
}

func (u *objects) set(s *set) {
	u.relations[s.relation] = true
	u.conditions(s.conditions)
	if s.superlative != nil {
		u.item(s.superlative.by, s)
	}
}

func (u *objects) conditions(list []condition) {
	for _, c := range list {
		if c.written != nil {
			u.measures[c.written.m] = true
		}
		if c.column != nil {
			u.columns[c.column] = true
		}
		u.operand(c.value)
		for _, e := range c.path.edges {
			u.relations[e.to] = true
			for _, column := range append(e.fromCols[:len(e.fromCols):len(e.fromCols)], e.toCols...) {
				u.columns[column] = true
			}
		}
		if c.child != nil {
			u.set(c.child)
		}
		u.conditions(c.parts)
	}
}

func (u *objects) operand(v operand) {
	if v.query != nil {
		u.phrase(v.query)
	}
	if v.column != nil {
		u.columns[v.column] = true
	}
	if v.outer != nil {
		u.columns[v.outer] = true
		for _, e := range u.lexicon.graph.edges[v.outer.Relation] {
			if e.toOne && slices.Equal(e.fromCols, []*catalog.Column{v.outer}) {
				u.relations[e.to] = true
			}
		}
	}
}
