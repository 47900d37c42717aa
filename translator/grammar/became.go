// The time of what became of things: "cancelled orders this month" may have been ordered in it or cancelled in it.

package grammar

import (
	"slices"
	"strings"

	"askpg/catalog"
)

// alsoBecame adds the readings in which a time that no verb binds is that of what is said before its noun.
func (p *parser) alsoBecame(list []reading) []reading {
	for _, r := range list {
		if r.phrase.set == nil {
			continue
		}
		for _, c := range r.phrase.set.conditions {
			became := p.becameAt(r.phrase.set.relation, c)
			if became == nil {
				continue
			}
			if then := datedThen(r.phrase, became); then != nil {
				list = append(list, reading{then, r.cost})
			}
		}
	}
	return list
}

// becameAt returns the time at which a condition came to hold: that which is not empty, or the one that is called as a value
// which stands before the things: closed_at of "closed tickets". nil if there is none.
func (p *parser) becameAt(r *catalog.Relation, c condition) *catalog.Column {
	switch {
	case c.kind == compare && c.op == "is not null" && isTime(c.column):
		return c.column
	case c.kind != compare || c.op != "=" || !textual(c.column):
		return nil
	}
	for i := range p.tokens {
		for end, hits := range inOrder(p.mentions.values[i]) {
			if !p.inflected(i) || !p.namesAt(end, r) || !slices.ContainsFunc(hits, func(h hit) bool { return h.column == c.column }) {
				continue
			}
			for _, a := range p.mentions.attributes[i][end].all() {
				if a.column.Relation == r && a.score >= namedScore && isTime(a.column) && !a.column.NotNull {
					return a.column
				}
			}
		}
	}
	return nil
}

// datedThen says the time of a phrase's things, which no verb binds, of another column. nil if it has none but that, or it is
// still to come.
func datedThen(n *phrase, column *catalog.Column) *phrase {
	bare := slices.IndexFunc(n.set.conditions, func(c condition) bool {
		return c.bare && c.kind == compare && c.op == "range" && !strings.Contains(c.value.literals[0], "+")
	})
	if bare < 0 || n.set.conditions[bare].column == column {
		return nil
	}
	x, s := n.clone(), *n.set
	s.conditions = slices.Clone(s.conditions)
	s.conditions[bare].column = column
	s.conditions = slices.DeleteFunc(s.conditions, func(c condition) bool { return c.kind == compare && c.op == "is not null" && c.column == column })
	x.set = &s
	return x
}
