// What an edited question has to keep of the previous one.

package grammar

import (
	"slices"
	"strings"

	"askpg/ask"
)

// keeps reports whether an edit leaves in the form of a question what it does not speak of, and changes something.
func (e edit) keeps(was []Interpretation, now Interpretation) bool {
	if len(was) == 0 {
		return true // there is nothing to compare it with
	}
	a, b := was[0].shape, now.shape
	if was[0].SQL == now.SQL {
		return false
	}
	if e.replaces && !slices.Equal(a.compared, b.compared) || !containsAll(b.compared, a.compared) || !containsAll(b.negated, a.negated) {
		return false
	}
	switch e.kind {
	case editCondition:
		return slices.Equal(a.outputs, b.outputs) && slices.Equal(a.keys, b.keys) && a.limit == b.limit
	case editKey:
		return containsAll(b.outputs, a.aggregates()) && len(b.keys) > 0
	case editOrder:
		return containsAll(b.outputs, a.aggregates()) && containsAll(b.keys, a.keys)
	case editOutput:
		return len(b.outputs) > len(a.outputs) && containsAll(b.outputs, a.outputs) && slices.Equal(a.keys, b.keys) && a.limit == b.limit
	}
	return slices.Equal(a.keys, b.keys)
}

// containsAll reports whether all has each of part, as often.
func containsAll(all, part []string) bool {
	left := slices.Clone(all)
	for _, s := range part {
		i := slices.Index(left, s)
		if i < 0 {
			return false
		}
		left = slices.Delete(left, i, i+1)
	}
	return true
}

// shape is what a follow-up must not change of the previous question, unless it speaks of that: outputs, keys, limit.
type shape struct {
	outputs  []string
	keys     []string
	compared []string // columns that are compared with a value
	negated  []string // what there must be none of, with the columns that restrict it
	limit    string
}

// aggregates returns the outputs that are aggregates.
func (s shape) aggregates() (list []string) {
	for _, o := range s.outputs {
		if strings.Contains(o, "(") {
			list = append(list, o)
		}
	}
	return list
}

func (p *parser) shapeOf(n *phrase, links []ask.Link) (s shape) {
	describe := func(it item) string {
		text := it.aggregate
		if it.aggregate != "" {
			text += "("
		}
		if it.column != nil {
			text += it.column.Relation.Name.Name + "." + it.column.Name
		}
		if it.measure != nil {
			text += it.measure.m.Name
		}
		if of := n.set.find(it.setID); of != nil && (it.entity || it.column == nil) {
			text += " " + of.relation.Name.Name
		}
		return text + " " + it.trunc
	}
	for _, it := range n.items {
		s.outputs = append(s.outputs, describe(it))
	}
	for _, it := range n.group {
		s.keys = append(s.keys, describe(it))
	}
	for _, l := range links {
		if l.Value != "" {
			s.compared = append(s.compared, l.Object)
		}
	}
	slices.Sort(s.compared)
	if n.set != nil {
		s.negated = negatedBy(n.set)
	}
	if n.set != nil && n.set.superlative != nil {
		s.limit = n.set.superlative.count + describe(n.set.superlative.by)
	}
	s.limit += n.number
	return s
}

// negatedBy says what a set's rows have none of: the relation, and the columns that narrow it.
func negatedBy(s *set) (list []string) {
	for _, c := range s.conditions {
		if c.kind != related {
			continue
		}
		if !c.negated {
			list = append(list, negatedBy(c.child)...)
			continue
		}
		text := c.child.relation.Name.Schema + "." + c.child.relation.Name.Name
		walk(c.child, func(s *set, _ int) {
			for o := range comparisonsOf(s.conditions) {
				text += " " + o.column.Relation.Name.Name + "." + o.column.Name
			}
		})
		list = append(list, text)
	}
	return list
}
