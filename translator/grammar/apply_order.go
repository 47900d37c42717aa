// Applying an order to a phrase.

package grammar

import (
	"fmt"
	"slices"
)

// applyOrder sorts the answer.
func (p *parser) applyOrder(n *phrase, m *modifier) (out []reading) {
	switch {
	case n.isPronoun || n.isValue() || m.phrase == nil || m.ofThingItself && m.phrase.isAttribute() && (n.hasAggregate() || len(n.group) > 0):
		return nil
	case m.op == "count":
		return p.orderByNumber(n, m)
	case len(m.phrase.items) == 1 && m.phrase.items[0].aggregate != "":
		return p.orderByAggregate(n, m)
	case n.set == nil:
		return p.applyResolved(n, m)
	}
	switch {
	case m.phrase.isAttribute():
		out = p.orderByAttribute(n, m)
	case m.phrase.isEntity():
		if d := p.lexicon.relationInfo[m.phrase.set.relation].display; len(d) > 0 {
			walk(n.set, func(s *set, depth int) {
				if s.relation == m.phrase.set.relation {
					out = append(out, n.sortedBy(n.set, m.descending, 0.4, item{column: d[0], setID: s.id}))
				}
			})
		}
	case m.phrase.set != nil && len(m.phrase.items) == 1 && m.phrase.items[0].column != nil:
		c := m.phrase.items[0].column
		walk(n.set, func(s *set, depth int) {
			if s.relation == c.Relation && len(m.phrase.set.conditions) == 0 {
				out = append(out, n.sortedBy(n.set, m.descending, 0.1, item{column: c, setID: s.id}))
			}
		})
	}
	return cheapestReadings(out, 4)
}

// sortedBy adds sort keys to a phrase, on a set that has their columns. A key that is there already gets the direction: "by price, the highest
// price first".
func (n *phrase) sortedBy(root *set, descending bool, cost float64, keys ...item) reading {
	x := n.over(root)
	x.order = n.order[:len(n.order):len(n.order)]
	for _, k := range keys {
		x.order = append(slices.DeleteFunc(slices.Clone(x.order), func(o ordering) bool { return o.by.isSameColumn(k) }), ordering{k, descending})
	}
	return reading{x, cost}
}

// isSameColumn reports whether two sort keys are one column of one set.
func (it item) isSameColumn(o item) bool {
	return it.column != nil && it.column == o.column && it.setID == o.setID && it.aggregate == o.aggregate && it.trunc == o.trunc && it.subtrahend == nil && o.subtrahend == nil
}

// orderByAttribute sorts by columns. Which of several rows of a column a thing is sorted by is not said: what was earned is added up.
func (p *parser) orderByAttribute(n *phrase, m *modifier) (out []reading) {
	several := false
	for _, l := range p.resolveItems(n.set, m.phrase.items) {
		if len(l.items) == 0 || m.ofThingItself && (p.reference(l.items) != nil || !isRankable(l.items[0])) {
			continue // "by house, largest first": neither the number of a house is large, nor its name
		}
		keys := slices.Clone(l.items)
		for i := range keys {
			keys[i] = n.shownAggregate(keys[i])
		}
		if slices.ContainsFunc(keys, func(it item) bool { return n.ofSeveralRows(l.root, it) }) {
			several = true
			continue
		}
		out = append(out, n.sortedBy(l.root, m.descending, l.cost, keys...))
	}
	if several && p.isRevenue(m.phrase) {
		out = append(out, p.orderedGroups(n, m)...)
	}
	return out
}

// ofSeveralRows reports whether a thing has several rows of a column that it is sorted by.
func (n *phrase) ofSeveralRows(root *set, it item) bool {
	return !n.hasAggregate() && len(n.group) == 0 && it.aggregate == "" && it.column != nil && it.setID != n.set.id && !reachedToOne(root, it.setID)
}

// shownAggregate returns the aggregate of a column that the phrase shows, which is then the sort key; or else the column itself.
func (n *phrase) shownAggregate(it item) item {
	for _, shown := range n.items {
		if shown.aggregate != "" && shown.column == it.column && it.column != nil {
			it = shown
		}
	}
	return it
}

// orderedGroups sorts things or values by an aggregate of each, and shows it: "clients by number of claims, most first".
func (p *parser) orderedGroups(n *phrase, m *modifier) (out []reading) {
	if len(m.phrase.order) > 0 || len(m.phrase.group) > 0 {
		return nil
	}
	for _, r := range p.applyGroup(m.phrase, &modifier{kind: modifierGroup, phrase: n}) {
		if len(r.phrase.items) != 1 || r.phrase.set == nil {
			continue
		}
		sorted := r.phrase.sortedBy(r.phrase.set, m.descending, r.cost+0.1, r.phrase.items[0])
		sorted.phrase.keepsAll = sorted.phrase.beginsWithFewest()
		out = append(out, sorted)
	}
	return cheapestReadings(out, 3)
}

// beginsWithFewest reports whether the things of which there are the fewest come first. None are the fewest.
func (n *phrase) beginsWithFewest() bool {
	return n.order[0].by.aggregate == "count" && !n.order[0].descending
}

// orderByNumber reads "houses by members, most first" as by their number, where each of these belongs to one of the things.
func (p *parser) orderByNumber(n *phrase, m *modifier) []reading {
	key := m.phrase.set
	if !n.isPlain() || !p.isPlural(n) || key.relation == n.set.relation || p.pointedTo(n.set, key) {
		return nil
	}
	out := p.orderedGroups(n, m)
	if !p.pointedTo(key, n.set) {
		for i := range out {
			out[i].phrase.refusal = fmt.Sprintf("It is not said which are counted: say by number of %s, or number of %s.", key.relation.Name.Name, n.set.relation.Name.Name)
		}
	}
	return out
}

// orderByAggregate sorts by an aggregate: one that is shown, or a further one.
func (p *parser) orderByAggregate(n *phrase, m *modifier) (out []reading) {
	switch {
	case !n.hasAggregate() && len(n.group) == 0 && n.number == "" && (n.set == nil || n.set.superlative == nil):
		return p.orderedGroups(n, m)
	case n.set == nil:
		return p.applyResolved(n, m)
	}
	if n.number != "" && !n.hasAggregate() && n.set.superlative == nil {
		return p.ranked(n, p.applySuperlative(n, &modifier{phrase: m.phrase, descending: !n.fromEnd})) // "top 2 buyers ranked by number of orders"
	}
	for _, it := range n.items {
		if it.aggregate == m.phrase.items[0].aggregate && (m.phrase.set == nil || it.aggregate == "count") {
			out = append(out, n.sortedBy(n.set, m.descending, 0.1, it))
		}
	}
	if len(out) > 0 {
		return out
	}
	if m.phrase.set == nil {
		for _, l := range p.resolveItems(n.set, m.phrase.items) {
			if len(l.items) == 1 {
				out = append(out, n.sortedBy(l.root, m.descending, l.cost+0.1, l.items...))
			}
		}
		return cheapestReadings(out, 3)
	}
	for _, r := range p.superlativeOver(n, &modifier{phrase: m.phrase, descending: m.descending}, "") {
		s := *r.phrase.set
		by := s.superlative.by
		s.superlative = nil
		out = append(out, n.sortedBy(&s, m.descending, r.cost+0.2, by))
	}
	return cheapestReadings(out, 3)
}

// applyDirection gives the last sort key its direction, or sorts by what is
// shown first.
func (p *parser) applyDirection(n *phrase, m *modifier) []reading {
	if n.set == nil {
		if n.isAttribute() {
			return p.applyResolved(n, m)
		}
		return nil
	}
	x := n.clone()
	if m.adjective != nil && m.adjective.isBad() && slices.ContainsFunc(n.items, func(it item) bool { return it.aggregate == "count" }) {
		x.refusal = "It is not said whether the most are the worst or the fewest: say most first, or fewest first."
	}
	if r, ok := p.wholeRanking(n, m); ok {
		return []reading{r}
	}
	if list, ok := p.orderByAge(n, m); ok {
		return list
	}
	if m.date != nil {
		return p.orderByTime(n, m.descending)
	}
	if m.adjective != nil && len(n.order) == 0 && !slices.ContainsFunc(n.items, func(it item) bool { return it.aggregate != "" || it.column != nil && isOrdered(it.column) }) {
		return p.orderByAdjective(n, m)
	}
	if len(n.order) > 0 {
		x.order = append([]ordering(nil), n.order...)
		for i := range x.order {
			if i == len(x.order)-1 || !x.order[i].descending {
				x.order[i].descending = m.descending
			}
		}
		x.keepsAll = n.keepsAll || x.beginsWithFewest()
		return []reading{{x, 0}}
	}
	if len(n.items) > 0 {
		x.order = []ordering{{p.sortedItem(n, m), m.descending}}
		return []reading{{x, 0.2}}
	}
	if p.lexicon.hasName(n.set.relation) {
		x.order = []ordering{{item{column: p.lexicon.relationInfo[n.set.relation].display[0], setID: n.set.id}, m.descending}}
		return []reading{{x, 0.2}}
	}
	return nil
}

// wholeRanking sorts all things of a ranking: "the longest rivers, from longest to shortest".
func (p *parser) wholeRanking(n *phrase, m *modifier) (reading, bool) {
	ranked := n.set.superlative
	if ranked == nil || ranked.by.column == nil || ranked.by.aggregate != "" || ranked.count != "1" || len(n.items) > 0 {
		return reading{}, false
	}
	x, s := n.clone(), *n.set
	s.superlative = nil
	x.set = &s
	x = p.withDisplay(x).clone()
	x.items = append(x.items[:len(x.items):len(x.items)], ranked.by)
	x.order = []ordering{{ranked.by, m.descending}}
	return reading{x, 0.1}, true
}

// orderByAge sorts what has an age by it, as in "oldest first". It refuses people whose age no column says.
func (p *parser) orderByAge(n *phrase, m *modifier) ([]reading, bool) {
	if m.date == nil || m.adjective == nil || n.hasAggregate() || len(n.group) > 0 {
		return nil, false
	}
	if p.isAgeless(n.set.relation, *m.adjective) {
		x := n.clone()
		x.refusal = ageless(n.set.relation)
		return []reading{{x, 0}}, true
	}
	if !p.isAged(n.set.relation, p.attributeNamed(m.adjective.columns, m.adjective.down, 0, 0), *m.adjective) {
		return nil, false
	}
	byAge := *m
	byAge.descending = m.adjective.up
	return p.orderByAdjective(n, &byAge), true
}

// sortedItem returns what an answer is sorted by of which only the direction is said: the aggregate that it shows, the column that the
// adjective speaks of ("products with their price and stock, cheapest first"), the only number or time, or else what comes first.
func (p *parser) sortedItem(n *phrase, m *modifier) item {
	ordered := func(it item) bool { return it.aggregate != "" || it.column != nil && isOrdered(it.column) }
	for _, k := range slices.Backward(n.items) {
		if k.aggregate != "" {
			return k
		}
	}
	if m.adjective != nil {
		named := p.attributeNamed(m.adjective.columns, m.adjective.down, 0, 0).all()
		for _, k := range n.items {
			if ordered(k) && slices.ContainsFunc(named, func(c columnCandidate) bool { return c.column == k.column }) {
				return k
			}
		}
	}
	numbers := slices.DeleteFunc(slices.Clone(n.items), func(it item) bool { return !ordered(it) })
	if len(numbers) == 1 {
		return numbers[0]
	}
	return n.items[0]
}

// orderByTime sorts by the time that is shown, or else by the time of the things.
func (p *parser) orderByTime(n *phrase, descending bool) (out []reading) {
	add := func(it item, cost float64) {
		x := n.clone()
		x.order = []ordering{{it, descending}}
		out = append(out, reading{x, cost})
	}
	for _, it := range append(append([]item(nil), n.group...), n.items...) {
		if c := it.column; c != nil && it.aggregate == "" && (isTime(c) || p.lexicon.holdsYears(c)) {
			add(it, 0)
			return out
		}
	}
	if len(n.group) > 0 || n.hasAggregate() {
		return nil
	}
	for _, c := range n.set.conditions {
		if c.kind == compare && c.op == "range" {
			add(item{column: c.column, setID: n.set.id}, 0)
			return out
		}
	}
	for _, c := range p.dateColumns(n.set, &modifier{date: &dateRange{loYear: 1}}) {
		if !p.lexicon.isBirth(c.column) {
			add(item{column: c.column, setID: n.set.id}, max(0, 1-c.score)+0.1)
		}
	}
	return cheapestReadings(out, 3)
}

// orderByAdjective sorts by what an adjective speaks of: "cheapest first".
func (p *parser) orderByAdjective(n *phrase, m *modifier) (out []reading) {
	a := p.attributeNamed(m.adjective.columns, m.adjective.down, 0, 0)
	if a == nil || len(n.group) > 0 || n.hasAggregate() {
		return nil
	}
	for _, pl := range p.place(n.set, a) {
		if pl.root == n.set {
			x := n.clone()
			x.order = []ordering{{item{column: pl.column, setID: pl.setID}, m.descending != pl.candidate.reversed}}
			out = append(out, reading{x, pl.cost + 0.1})
		}
	}
	return cheapestReadings(out, 2)
}

// applyLimit keeps the first groups by their measure: "top 5".
func (p *parser) applyLimit(n *phrase, m *modifier) []reading {
	if n.set == nil || len(n.group) == 0 || n.number != "" {
		return nil
	}
	for _, it := range n.items {
		if it.aggregate != "" {
			x := n.clone()
			x.number, x.order = m.count, []ordering{{it, m.descending}}
			return []reading{{x, 0}}
		}
	}
	return nil
}
