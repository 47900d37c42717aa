// Applying superlatives: by a column, or by a number of rows.

package grammar

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"askpg/catalog"
)

// applySuperlative keeps the things with the highest or lowest attribute.
func (p *parser) applySuperlative(n *phrase, m *modifier) (out []reading) {
	if n.set == nil || n.set.superlative != nil || n.hasAggregate() && len(n.group) == 0 {
		return nil
	}
	count := m.count
	if n.number != "" {
		count = n.number
	}
	items := []item{{attribute: m.attribute}}
	if m.attribute == nil {
		items = m.phrase.items
		if m.phrase.set != nil {
			return p.superlativeOver(n, m, count)
		}
	}
	for _, l := range p.resolveItems(n.set, items) {
		if len(l.items) != 1 {
			continue
		}
		by := l.items[0]
		if by.aggregate == "" && by.column != nil && by.column.Class != catalog.Number && by.column.Class != catalog.Date && by.column.Class != catalog.Timestamp && by.column.Class != catalog.Interval && by.column.Class != catalog.Time {
			continue
		}
		if by.column != nil && n.attributeHead && by.setID != n.set.id && p.isPeople(by.column.Relation) && p.mentions.nameCounts[by.column.Relation] == 0 {
			continue // the channel that earns most is none whose salesman has the highest salary
		}
		x := n.clone()
		s := *l.root
		s.superlative = &superlative{by: by, descending: m.descending, count: count}
		x.set, x.number = &s, ""
		cost := l.cost
		aggregate := ""
		switch {
		case by.aggregate != "":
		case by.setID != n.set.id && !reachedToOne(l.root, by.setID):
			// of many rows each: which of them is not said, or all together
			cost += 0.15
			aggregate = p.aggregateOfSeveral(by.column)
		case by.setID == n.set.id && p.isOfSeveralRows(n, by.column):
			cost += 0.35
			aggregate = "sum"
		}
		if aggregate != "" {
			cost += 0.45
			y := n.clone()
			t := s
			sum := by
			sum.aggregate = aggregate
			t.superlative = &superlative{by: sum, descending: m.descending, count: count}
			y.set, y.number = &t, ""
			out = append(out, reading{y, cost - 0.8})
		}
		out = append(out, reading{x, cost})
	}
	return cheapestReadings(out, 4)
}

// isOfSeveralRows reports whether what is asked for is a value that several rows have, and their amounts add up to that of the value:
// the revenue of a category is that of all its products.
func (p *parser) isOfSeveralRows(n *phrase, amount *catalog.Column) bool {
	if !n.attributeHead || len(n.items) != 1 || n.items[0].column == nil || n.items[0].setID != n.set.id || amount == nil || !p.isAdditive(amount) {
		return false
	}
	c := n.items[0].column
	if c.Unique || c.Relation != amount.Relation || p.isIdentifier(c) || slices.Contains(p.lexicon.relationInfo[c.Relation].display, c) {
		return false
	}
	return c.Profile == nil || c.Profile.Distinct < 0.9*c.Relation.Rows
}

// aggregateOfSeveral returns the aggregate of several values of a number: "sum" of amounts, "avg" of ratings, "" if it is not clear.
func (p *parser) aggregateOfSeveral(c *catalog.Column) string {
	switch {
	case p.isAdditive(c):
		return "sum"
	case p.isMark(c):
		return "avg"
	}
	return ""
}

// isAdditive reports whether the values of a column add up. They do if its name says so; or if the rows are events, or count something,
// and the column is no rate or size.
func (p *parser) isAdditive(c *catalog.Column) bool {
	if _, measured := p.lexicon.eavAttributes[c]; measured || c.Class != catalog.Number || p.isIdentifier(c) {
		return false
	}
	info, event := p.lexicon.relationInfo[c.Relation], false
	words := splitName(c.Name)
	things := singular(words[len(words)-1]) != "" // the participants of bookings
	if !p.lexicon.hasName(c.Relation) && (len(info.dates) > 0 || things) || things && len(info.dates) > 0 && p.isNumbering(info.display[0]) {
		event = slices.ContainsFunc(p.lexicon.graph.edges[c.Relation], func(e *edge) bool { return e.toOne })
	}
	total := p.isTotal(c)
	for _, s := range info.names[c] {
		if p.language.notAdditiveNames[s] && !(s == "day" && words[len(words)-1] == "days") && !(total && p.language.moneyNames[s]) {
			return false // a day is a date, days are a number of them, and a total price is that of all that was bought
		}
		event = event || p.language.additiveNames[s] || p.language.revenueStems[s]
	}
	return event
}

// isTotal reports whether a column is called a total, and the question by no other word for money: a total price may be no cost.
func (p *parser) isTotal(c *catalog.Column) bool {
	names := p.lexicon.relationInfo[c.Relation].names[c]
	return slices.Contains(names, p.language.stem("total")) && !slices.ContainsFunc(p.tokens, func(t token) bool {
		return p.language.moneyNames[t.stem] && !isWorth(t) && !p.language.isRevenueWord(t.lower) && !slices.Contains(names, t.stem)
	})
}

// reachedToOne reports whether a set within s has at most one row for each of
// s's own.
func reachedToOne(s *set, id int) bool {
	for _, c := range s.conditions {
		if c.kind == related && c.child.find(id) != nil {
			return c.path.toOne() && (c.child.id == id || reachedToOne(c.child, id))
		}
	}
	return s.id == id
}

// superlativeOver ranks by an aggregate over related rows: "by number of orders".
func (p *parser) superlativeOver(n *phrase, m *modifier, count string) (out []reading) {
	if len(m.phrase.items) != 1 || len(m.phrase.group) > 0 || m.phrase.set.superlative != nil {
		return nil
	}
	it, unsaid := m.phrase.items[0], ""
	add := func(root *set, it item, cost float64) {
		x := n.clone()
		s := *root
		s.superlative = &superlative{by: it, descending: m.descending, count: count}
		x.set, x.number = &s, ""
		if unsaid != "" {
			x.refusal = unsaid
		}
		out = append(out, reading{x, cost})
	}
	if m.phrase.set.relation == n.set.relation && m.verb == nil {
		moved := it
		if moved.setID == m.phrase.set.id {
			moved.setID = n.set.id
			if m := it.measure; m != nil {
				moved.measure = &measured{m.m, maps.Clone(m.sets)}
				moved.measure.sets[n.set.relation] = n.set.id
			}
			cost := 0.1
			if !n.attributeHead && it.aggregate != measureAggregate {
				cost = 1.2
			}
			add(n.set.with(m.phrase.set.conditions...), moved, cost)
		}
		return out
	}
	var paths []path
	paths, unsaid = p.pathsOfVerb(n.set.relation, m.phrase.set.relation, m)
	unsaid = cmp.Or(unsaid, m.phrase.refusal)
	e := p.eventOf(m.hints)
	pieces := m.verb != nil && p.isSoldInPieces(m.phrase.set.relation)
	if unsaid == "" && (pieces || e != nil && m.verb == nil && !p.recordsEvent(m.phrase.set.relation, e)) {
		unsaid = fmt.Sprintf("It is not said whether the most is of the kinds of %s or of an amount: name what is counted or added up.", m.phrase.set.relation.Name.Name)
	}
	for _, pt := range p.withEqualCosts(paths) {
		if m.verb != nil && !pt.passes(m.verb.relation) {
			continue
		}
		add(n.set.with(condition{kind: related, child: m.phrase.set, path: pt, joined: true, forSuperlative: true, optional: !m.descending && it.aggregate == "count"}), it, 0.2+0.25*(pt.cost-1)+0.15*float64(pt.cheaperPaths)+p.hintCost(pt, m.hints))
	}
	return cheapestReadings(out, 3)
}

// applyMostRows keeps the things with the most rows of another kind.
func (p *parser) applyMostRows(n *phrase, m *modifier) (out []reading) {
	if n.set == nil || n.set.superlative != nil || n.hasAggregate() {
		return nil
	}
	children := []reading{{m.phrase, 0}}
	if m.phrase.isAttribute() {
		children = p.resolvePhrase(m.phrase)
	}
	for _, ch := range children {
		if ch.phrase.set == nil || ch.phrase.set.superlative != nil || m.ofThingItself && !p.pointedTo(ch.phrase.set, n.set) {
			continue
		}
		mm := *m
		it := item{aggregate: "count", setID: ch.phrase.set.id, distinct: ch.phrase.distinct}
		if len(ch.phrase.items) == 1 {
			it.column, it.setID = ch.phrase.items[0].column, ch.phrase.items[0].setID
			if p.isTally(ch.phrase.items[0]) {
				it.aggregate = "sum" // the most seats
			}
		}
		mm.phrase = &phrase{set: ch.phrase.set, items: []item{it}, refusal: m.phrase.refusal}
		if p.isMass(m.phrase) {
			mm.phrase.refusal = p.notCounted(m.phrase)
		}
		mm.hints = append(mm.hints[:len(mm.hints):len(mm.hints)], ch.phrase.hints...)
		count := m.count
		if n.number != "" {
			count = n.number
		}
		for _, r := range p.superlativeOver(n, &mm, count) {
			out = append(out, reading{r.phrase, r.cost + ch.cost})
		}
	}
	return cheapestReadings(out, 4)
}

// isPlural reports whether the head of a phrase is several: "the cars with the
// lowest weight" are all that have it.
func (p *parser) isPlural(n *phrase) bool {
	return n.words[1] > 0 && singular(p.at(n.words[1]-1).lower) != ""
}

// rankBy says by what a superlative is meant: "the largest state by area".
func (p *parser) rankBy(n *phrase, m *modifier) (out []reading) {
	if m.phrase == nil || !m.phrase.isAttribute() || len(m.phrase.items) != 1 || m.phrase.items[0].aggregate != "" || n.set.superlative.by.aggregate != "" {
		return nil
	}
	for _, l := range p.resolveItems(n.set, m.phrase.items) {
		if len(l.items) == 1 && l.items[0].column != nil && isOrdered(l.items[0].column) {
			x := n.clone()
			s := *l.root
			superlative := *n.set.superlative
			superlative.by = l.items[0]
			s.superlative = &superlative
			x.set = &s
			out = append(out, reading{x, l.cost})
		}
	}
	return cheapestReadings(out, 2)
}

// ofEachGroup keeps the first rows of each group: "the latest order of each customer", "top 3 products by sales per category".
func (p *parser) ofEachGroup(n *phrase, m *modifier) (out []reading) {
	key := m.phrase
	by := n.set.superlative.by
	bare := n.clone()
	bare.items = slices.DeleteFunc(slices.Clone(n.items), func(it item) bool { return it.aggregate == by.aggregate && it.column == by.column })
	if key == nil || bare.hasAggregate() || len(n.group) > 0 || by.aggregate == "" && by.setID != n.set.id || by.subtrahend != nil {
		return nil
	}
	keyed := func(root *set, keys, shown []item, cost float64) {
		x := p.withDisplay(bare).clone()
		x.set, x.partition = root, keys
		x.items = append(append(shown[:len(shown):len(shown)], x.items...), by)
		out = append(out, reading{x, cost})
	}
	switch {
	case key.isAttribute():
		for _, l := range p.resolveItems(n.set, key.items) {
			if p.reference(l.items) == nil && len(l.items) == 1 && (reachedToOne(l.root, l.items[0].setID) || by.aggregate != "" && l.items[0].setID == by.setID) {
				keyed(l.root, l.items, l.items, l.cost+0.1)
			}
		}
	case key.isEntity() && key.set.relation != n.set.relation && key.set.superlative == nil:
		for _, pt := range p.pathsBetween(n.set.relation, key.set.relation) {
			info := p.lexicon.relationInfo[key.set.relation]
			if !pt.toOne() || len(info.key) == 0 {
				continue
			}
			keys, shown := columnsOf(key.set, info.key), columnsOf(key.set, info.display)
			keyed(n.set.with(condition{kind: related, child: key.set, path: pt, joined: true}), keys, shown, 0.1+0.3*(pt.cost-1)+0.15*float64(pt.cheaperPaths))
		}
	}
	return cheapestReadings(out, 3)
}

// columnsOf returns columns of a set as items.
func columnsOf(s *set, columns []*catalog.Column) (out []item) {
	for _, c := range columns {
		out = append(out, item{column: c, setID: s.id})
	}
	return out
}

// ordinal reads "second most expensive product": what comes behind the first ones.
func (p *parser) ordinal(i int) (out []candidate) {
	for k, tag := range []string{"second", "third", "fourth", "fifth"} {
		for _, e := range p.ends(i, tag) {
			for _, c := range p.mostAdjective(e, "1") {
				if c.phrase.set == nil || c.phrase.set.superlative == nil || p.isPlural(c.phrase) {
					continue
				}
				n, s, by := c.phrase.clone(), *c.phrase.set, *c.phrase.set.superlative
				by.skip = k + 1
				s.superlative, n.set = &by, &s
				out = append(out, candidate{n, c.end, c.cost})
			}
		}
	}
	return out
}
