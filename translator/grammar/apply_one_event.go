// Conditions that are said of one event: who "played on the Main Stage at Riverside" did both at once.

package grammar

import "slices"

// ofOneEvent makes one condition of several that relate a phrase's things to the same events, unless "and" or "or" parts what the
// question says of them: who "bought a kite and a drum" may have bought twice.
func (p *parser) ofOneEvent(n *phrase) *phrase {
	if n.set == nil || len(n.set.conditions) < 2 || p.hasConjunction(n.words[1]) {
		return n
	}
	list := slices.Clone(n.set.conditions)
	for i := 0; i < len(list); i++ {
		for j := len(list) - 1; j > i; j-- {
			if areOfOneEvent(list[i], list[j]) {
				list[i].child, list[i].path = p.eventOfBoth(list[i], list[j]), path{edges: list[i].path.edges[:1], cost: list[i].path.cost}
				list = slices.Delete(list, j, j+1)
			}
		}
	}
	if len(list) == len(n.set.conditions) {
		return n
	}
	x := *n.set
	x.conditions = list
	return n.replacing(&x)
}

// hasConjunction reports whether a word from token i on joins parts of the sentence, and is in no name.
func (p *parser) hasConjunction(i int) bool {
	for ; i < len(p.tokens); i++ {
		if (len(p.ends(i, "and", "or")) > 0 || p.tokens[i].lower == "also") && !p.inName(i) {
			return true
		}
	}
	return false
}

// areOfOneEvent reports whether two conditions lead to the same events, and to different things from there.
func areOfOneEvent(a, b condition) bool {
	for _, c := range []condition{a, b} {
		if c.kind != related || c.negated || c.count != nil || c.joined || c.optional || c.forSuperlative || c.child.superlative != nil || c.path.edges[0].toOne {
			return false
		}
	}
	sameColumn := slices.ContainsFunc(a.child.conditions, func(c condition) bool { return c.column != nil && speaksOf(b.child.conditions, c.column) })
	return a.path.edges[0] == b.path.edges[0] && !sameColumn && !(len(a.path.edges) > 1 && slices.Equal(a.path.edges, b.path.edges))
}

// eventOfBoth returns the events that two conditions lead to, narrowed to those that meet both.
func (p *parser) eventOfBoth(a, b condition) *set {
	event := &set{id: p.newID(), relation: a.path.edges[0].to}
	for _, c := range []condition{a, b} {
		if len(c.path.edges) == 1 {
			event = event.with(c.child.conditions...)
			continue
		}
		c.path = path{edges: c.path.edges[1:]}
		event = event.with(c)
	}
	return event
}
