// Which time is meant where something happened to the things that are asked for: "customers with two orders in 2025"; and conditions that
// are said of one event.

package grammar

import (
	"slices"

	"askpg/catalog"
)

// datedSet is a set that was narrowed to a time, with the cost of that.
type datedSet struct {
	set  *set
	cost float64
}

// dateEvent applies a time that follows an event to the event, and not to its subject: "customers with two orders in 2025" ordered in
// 2025, whenever they signed up. The event is the last related set that has a time, or the set that an aggregate among items is over. It
// returns nil if there is no event.
func (p *parser) dateEvent(s *set, items []item, m *modifier) []datedSet {
	for i := len(s.conditions) - 1; i >= 0; i-- {
		c := s.conditions[i]
		if c.kind != related || c.joined && !aggregates(items, c.child) {
			continue
		}
		narrowed, ends := p.datedConditions(s, c, items, m)
		var out []datedSet
		for _, n := range narrowed {
			x := *s
			x.conditions = slices.Clone(s.conditions)
			x.conditions[i] = n.condition
			out = append(out, datedSet{&x, n.cost})
		}
		if ends || len(out) > 0 {
			return out
		}
	}
	return nil
}

// datedConditions applies a time to the rows that a condition relates to a set. ends says that no earlier condition of the set can be
// meant.
func (p *parser) datedConditions(s *set, c condition, items []item, m *modifier) (out []conditionCandidate, ends bool) {
	if c.undated || p.isLineOf(c.child.relation, s.relation) && len(c.path.edges) == 1 {
		return nil, false // the lines of an order are of its time
	}
	with := func(child *set, cost float64) {
		x := c
		x.child = child
		out = append(out, conditionCandidate{x, cost})
	}
	for _, t := range p.dateEvent(c.child, items, m) {
		with(t.set, t.cost)
	}
	if len(out) > 0 {
		return out, true
	}
	if root, of := p.withOrderOfLines(c.child); of != nil && c.count == nil {
		for _, col := range p.dateColumns(of, m) {
			if condition, ok := dateCondition(col.column, m.date); ok {
				with(root.replace(of.with(condition)), 1-col.score)
			}
		}
		return out, true
	}
	at := p.eventEdge(s, c)
	if at < 0 {
		return nil, false
	}
	if at < len(c.path.edges)-1 && c.count != nil {
		return nil, true // how many of the child there are in that time is not counted by its rows alone
	}
	return p.dateEdge(c, at, m), false
}

// dateEdge applies a time to the rows that the edge number at of a condition's path leads to.
func (p *parser) dateEdge(c condition, at int, m *modifier) (out []conditionCandidate) {
	event, last := c.child, at == len(c.path.edges)-1
	if !last {
		event = &set{id: p.newID(), relation: c.path.edges[at].to}
	}
	for _, col := range p.dateColumns(event, m) {
		dated, ok := dateCondition(col.column, m.date)
		if !ok {
			continue
		}
		dated.unbound = len(m.hints) == 0 && !p.isEvent(event.relation)
		x := c
		x.child = event.with(dated)
		if c.negated {
			x.child = p.stillRunningIn(x.child)
		}
		if !last {
			inner := c
			inner.negated, inner.path = false, path{edges: c.path.edges[at+1:]}
			x.child = x.child.with(inner)
			x.path.edges = c.path.edges[:at+1]
		}
		out = append(out, conditionCandidate{x, 1 - col.score})
	}
	return out
}

// stillRunningIn replaces a condition "begins in a time to come" by "is going on in that time": a room "without a booking next week" is
// free in all of it.
func (p *parser) stillRunningIn(s *set) *set {
	interval := p.interval(s.relation)
	i := slices.IndexFunc(s.conditions, func(c condition) bool {
		return interval != nil && c.future && c.column == interval.from && c.value.literals[0] != ""
	})
	if i < 0 {
		return s
	}
	x := *s
	x.conditions = slices.Clone(s.conditions)
	begun := x.conditions[i]
	lo, hi := begun.value.literals[0], begun.value.literals[1]
	begun.value.literals = []string{"", hi}
	x.conditions[i] = begun
	return x.with(condition{kind: compare, column: interval.to, op: ">", value: operand{literals: []string{lo}, plain: begun.value.plain}})
}

// eventEdge returns which edge of a condition's path leads to the event, -1 if none does: to the child, if there may be several rows of
// it and the question names it; else to the relation between; else to the child. Something that has a time of its own does not take that
// of its owner: a repair is not as old as the machine.
func (p *parser) eventEdge(s *set, c condition) int {
	last := len(c.path.edges) - 1
	if end := c.path.edges[last].to; !c.path.edges[last].toOne && p.mentionsRelation(end) && len(p.lexicon.relationInfo[end].dates) > 0 {
		return last
	}
	of := len(p.lexicon.relationInfo[s.relation].dates) > 0 // as long as each of the set has one of it
	for i, e := range c.path.edges {
		if of = of && e.toOne; of {
			continue
		}
		if (i < last || !c.path.toOne()) && len(p.lexicon.relationInfo[e.to].dates) > 0 {
			return i
		}
	}
	return -1
}

// aggregates reports whether one of the items is an aggregate over the set or
// what it is joined to.
func aggregates(items []item, s *set) bool {
	return slices.ContainsFunc(items, func(it item) bool { return it.aggregate != "" && s.find(it.setID) != nil })
}

// createdInTime is how much likelier the time at which things came to be is meant, where a verb says only that.
const createdInTime = 0.15

// isTimeOfCreation reports whether a time is when a row was created, as a verb such as "made" or "did we get" says: booked_at of a booking, or created_at
// if no time is named by a verb.
func (p *parser) isTimeOfCreation(c *catalog.Column, hints []string) bool {
	if !isSaid(p.tokens, "get", "got") && !slices.ContainsFunc(hints, func(h string) bool { return p.language.creationVerbs[p.language.stem(h)] }) {
		return false
	}
	info := p.lexicon.relationInfo[c.Relation]
	return slices.ContainsFunc(info.names[c], func(s string) bool { return info.stems[s] || s == "creat" || p.language.creationVerbs[s] })
}

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

// ofSameRow says of the rows of a set what it says of all rows of something that each points to, where the rows themselves have it: products
// "below their reorder point in York" are so in York, and not those that York has besides.
func (p *parser) ofSameRow(n *phrase) *phrase {
	if n.set == nil || p.countMentions(n.set.relation) > 1 || isSaid(p.tokens[1:], "who", "that", "whose", "which") {
		return n
	}
	for _, c := range n.set.conditions {
		if c.kind != related || c.negated || c.count != nil || !c.path.toOne() {
			continue
		}
		for i, d := range c.child.conditions {
			back := len(c.path.edges)
			if d.kind != related || len(d.path.edges) <= back || !c.path.leadsBack(d.path.edges[:back]) {
				continue
			}
			d.path = path{edges: d.path.edges[back:]}
			if d.path.toOne() && !d.negated && !d.joined && d.count == nil && d.child.superlative == nil {
				child := *c.child
				child.conditions = slices.Delete(slices.Clone(child.conditions), i, i+1)
				return n.replacing(&child).holding(d)
			}
		}
	}
	return n
}

// ofRankedEvents says of the rows by which things are ranked what the question says of where they were: "the best selling lamp in the York shop" is
// that of which most was sold there, and not of all that were sold there once. A clause of its own says something of the things: "the
// buyer who ordered in York with the most orders".
func (p *parser) ofRankedEvents(n *phrase) *phrase {
	if n.set == nil || n.set.superlative == nil || isSaid(p.tokens[1:], "who", "that", "whose") {
		return n
	}
	ranked := slices.IndexFunc(n.set.conditions, func(c condition) bool {
		return c.kind == related && c.joined && !c.negated && !c.path.toOne() && c.child.id == n.set.superlative.by.setID
	})
	if ranked < 0 || p.countMentions(n.set.conditions[ranked].child.relation) > 1 {
		return n
	}
	events := n.set.conditions[ranked]
	var others []condition
	for i, c := range n.set.conditions {
		if i == ranked {
			continue
		}
		rest, ok := c.behind(events.path)
		switch {
		case ok:
			c.path = rest
			events.child = events.child.with(c)
		case c.deniesState(events.path):
			events.child = events.child.with(condition{kind: noneOf, parts: c.child.conditions})
		default:
			others = append(others, c)
		}
	}
	if len(others) == len(n.set.conditions)-1 {
		return n
	}
	x := *n.set
	x.conditions = append(others, events)
	return n.replacing(&x)
}

// behind returns the rest of the path of a condition that tests what each row at the end of another path points to. It is not ok if it tests
// something else.
func (c *condition) behind(first path) (rest path, ok bool) {
	from := len(first.edges)
	if c.kind != related || c.negated || c.joined || c.count != nil || c.child.superlative != nil || len(c.path.edges) <= from || !slices.Equal(c.path.edges[:from], first.edges) {
		return path{}, false
	}
	rest = path{edges: c.path.edges[from:]}
	return rest, rest.toOne()
}

// deniesState reports whether a condition says that there are no rows at the end of a path of which something of their own is so: "without
// cancelled orders".
func (c *condition) deniesState(first path) bool {
	return c.kind == related && c.negated && slices.Equal(c.path.edges, first.edges) && c.child.superlative == nil && len(c.child.conditions) > 0 &&
		!slices.ContainsFunc(c.child.conditions, func(s condition) bool { return s.kind != compare })
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
