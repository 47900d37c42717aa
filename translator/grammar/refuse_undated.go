// Refusing times of what a definition names, where it has none and its rows have several.

package grammar

import (
	"fmt"
	"slices"
	"strings"

	"askpg/catalog"
)

// refuseUndated refuses a time of rows that an admin's definition names, where neither the definition nor the question says which of
// several times is meant: a rental begins and ends.
func (p *parser) refuseUndated(n *phrase) (why string) {
	definitions := n.definitions()
	walk(n.set, func(s *set, _ int) {
		d := definitions[s.id]
		if d == nil || s.time != nil || s.relation.Time != nil {
			return
		}
		columns := p.ownTimes(s.relation)
		if len(columns) < 2 || !slices.ContainsFunc(columns, func(c *catalog.Column) bool { return s.datedBy(c) || n.groupedBy(s, c) }) {
			return
		}
		var names []string
		for _, c := range columns {
			names = append(names, c.Name)
		}
		why = fmt.Sprintf("It is not said by which time %s are meant: say %s, or have an admin give the definition its time.", d.Name, strings.Join(names, " or "))
	})
	return why
}

// definitions returns what an admin has defined that the rows of each set are, or are measured by.
func (n *phrase) definitions() map[int]*catalog.Measure {
	out := map[int]*catalog.Measure{}
	add := func(w *measured) {
		if w != nil {
			out[w.sets[w.m.Relation]] = w.m
		}
	}
	for _, it := range n.items {
		add(it.measure)
	}
	for _, c := range conditionsIn(n.set) {
		add(c.written)
	}
	return out
}

// ownTimes returns the times of a relation, without those of writing and deleting the row and without births.
func (p *parser) ownTimes(r *catalog.Relation) (out []*catalog.Column) {
	info := p.lexicon.relationInfo[r]
	for _, c := range info.dates {
		written := slices.ContainsFunc(info.names[c], func(s string) bool { return s == "creat" || s == "updat" || s == "modifi" })
		if !written && c != info.deleted && c != info.left && !p.lexicon.isBirth(c) {
			out = append(out, c)
		}
	}
	return out
}

// datedBy reports whether an unbound time is compared with a column.
func (s *set) datedBy(c *catalog.Column) bool {
	return slices.ContainsFunc(s.conditions, func(o condition) bool {
		return o.unbound && (o.column == c || slices.ContainsFunc(o.parts, func(part condition) bool { return part.column == c }))
	})
}

// groupedBy reports whether the reading has a group for each period of a column of the set.
func (n *phrase) groupedBy(s *set, c *catalog.Column) bool {
	return slices.ContainsFunc(n.group, func(it item) bool { return it.trunc != "" && it.setID == s.id && it.column == c })
}
