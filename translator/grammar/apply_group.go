// Applying "per", "for each" and "by": the groups of an answer.

package grammar

import (
	"fmt"
	"slices"

	"askpg/catalog"
)

// applyHaving narrows groups by an aggregate: "with an average age above 30".
func (p *parser) applyHaving(n *phrase, m *modifier) (out []reading) {
	if m.phrase == nil || len(m.phrase.items) != 1 || m.value.query != nil || len(m.value.literals) == 0 || m.op == "=" && p.isYearInQuestion(m.value.literals[0]) {
		return nil
	}
	for _, l := range p.resolveItems(n.set, m.phrase.items) {
		if len(l.items) != 1 {
			continue
		}
		x := n.over(l.root)
		x.having = append(n.having[:len(n.having):len(n.having)], groupCondition{l.items[0], m.op, m.value})
		out = append(out, reading{x, l.cost + 0.1})
	}
	return cheapestReadings(out, 3)
}

// applyGroup groups a phrase by a key: "number of orders per customer".
func (p *parser) applyGroup(n *phrase, m *modifier) (out []reading) {
	switch {
	case n.isPronoun || n.isValue() || len(n.ratio) > 0:
		return nil
	case n.set == nil:
		return p.applyResolved(n, m)
	case p.isOfEveryOne(n, m):
		return nil // who ordered in every month is asked for, and not how many are of each
	case n.isEntity() && m.isKeyBehindBy() && m.op == "" && p.isOwnName(n.set.relation, m.phrase):
		return p.applyOrder(n, &modifier{kind: modifierOrder, phrase: m.phrase}) // "products by name"
	case m.op != "":
		unit := m.op
		if unit == "hour" && !saysTime(n.set) {
			unit = hourOfDay // of all days there are too many hours
		}
		return slices.DeleteFunc(p.groupByTime(n, unit), func(r reading) bool {
			key := r.phrase.group[len(r.phrase.group)-1].column
			return m.attribute != nil && !slices.ContainsFunc(m.attribute.candidates, func(c columnCandidate) bool { return c.column == key })
		})
	case n.set.superlative != nil && m.isKeyBehindBy():
		return append(p.rankBy(n, m), p.ofEachGroup(n, m)...)
	case n.set.superlative != nil:
		return p.ofEachGroup(n, m)
	}
	if top := p.topBy(n, m); top != nil && m.isKeyBehindBy() {
		return p.showMeasure(p.applySuperlative(n, top))
	}
	if all := p.rankingOfAll(n, m); len(all) > 0 || m.phrase.hasAggregate() || n.isEntity() && m.isKeyBehindBy() && p.isRevenue(m.phrase) {
		return all
	}
	extra := 0.0
	if !n.hasAggregate() {
		extra = 0.6
		if !m.leading && (m.phrase.set == nil || m.phrase.set.relation != n.set.relation) {
			// "revenue per country": of several rows each, so it is added up
			out = thenApply(p.total(n), 4, func(total *phrase) []reading { return p.applyGroup(total, m) })
			if len(n.items) == 0 || len(n.items) == 1 && hasNumeric(n.items) {
				return cheapestReadings(out, 4)
			}
		}
	}
	switch {
	case m.phrase.isAttribute():
		out = append(out, p.groupByAttribute(n, m.phrase, extra)...)
	case m.phrase.isEntity() && len(m.phrase.group)+len(m.phrase.order) > 0:
		return nil // "members by house, largest first": the groups are sorted
	case m.phrase.isEntity():
		out = p.groupByEntity(n, m.phrase, extra)
	case m.phrase.set != nil:
		out = append(out, p.groupByRelated(n, m.phrase, extra)...)
	}
	return cheapestReadings(out, 4)
}

// isOfEveryOne reports whether things are said to be so in every one of others, and not to be counted for each.
func (p *parser) isOfEveryOne(n *phrase, m *modifier) bool {
	if m.leading || n.set == nil || n.hasAggregate() || len(m.hints) == 0 || m.hints[0] == "for" || !isUniversal(m.hints[len(m.hints)-1]) {
		return false
	}
	return p.hasDatedEvent(n.set) || n.isEntity() && n.set.superlative == nil && m.op == "" && len(m.hints) > 1 && m.hints[len(m.hints)-1] == "every"
}

// saysTime reports whether rows are of a time that is said.
func saysTime(s *set) bool {
	for _, c := range conditionsIn(s) {
		if c.op == "range" {
			return true
		}
	}
	return false
}

// isOwnName reports whether a key is the name by which the things of a relation are told apart: they are sorted by it.
func (p *parser) isOwnName(r *catalog.Relation, key *phrase) bool {
	display := p.lexicon.relationInfo[r].display
	if !key.isAttribute() || len(key.items) != 1 || key.items[0].attribute == nil || len(display) == 0 || !isNearlyUnique(display[0]) {
		return false
	}
	a := key.items[0].attribute
	return a.asksName || slices.ContainsFunc(a.candidates, func(c columnCandidate) bool { return c.column == display[0] && c.score >= namedScore })
}

// isKeyBehindBy reports whether a key stands behind "by" or the like, which says what ranks, too; "per" and "each" only divide.
func (m *modifier) isKeyBehindBy() bool {
	return !slices.ContainsFunc(m.hints, func(w string) bool { return w == "per" || w == "each" || w == "every" })
}

// withGroup adds grouping keys to a phrase.
func (n *phrase) withGroup(root *set, keys []item) *phrase {
	x := n.over(root)
	x.group = slices.Concat(n.group, keys)
	if len(keys) == 1 && len(n.items) > 1 {
		// "average weight and year for each year"
		x.items = slices.DeleteFunc(slices.Clone(n.items), func(it item) bool {
			return it.column == keys[0].column && it.aggregate != "" && it.aggregate != "count"
		})
	}
	return x
}

// groupByAttribute groups a phrase by an attribute, or by the things that it refers to.
func (p *parser) groupByAttribute(n, key *phrase, extra float64) (out []reading) {
	for _, l := range p.resolveItems(n.set, key.items) {
		e := p.reference(l.items)
		if e == nil {
			out = append(out, reading{n.withGroup(l.root, l.items), l.cost + extra})
			continue
		}
		// "per manager": who that is, not his number
		child := &set{id: p.newID(), relation: e.to}
		x := n.over(l.root.replace(l.root.find(l.items[0].setID).with(condition{kind: related, child: child, path: e.path(), joined: true})))
		x.group = append(n.group[:len(n.group):len(n.group)], item{entity: true, setID: child.id})
		out = append(out, reading{x, l.cost + extra})
	}
	return out
}

// groupByRelated groups a phrase by a column of related things: "by country of the customer".
func (p *parser) groupByRelated(n, key *phrase, extra float64) (out []reading) {
	if slices.ContainsFunc(key.items, func(it item) bool {
		s := key.set.find(it.setID)
		return s != nil && s.relation == n.set.relation && s != key.set
	}) {
		return nil // "orders by status for gold customers": the status is that of the orders
	}
	if s := n.set.joinedTo(key.set.relation); s != nil && len(key.set.conditions) == 0 {
		if keys, ok := key.itemsOf(s); ok {
			out = append(out, reading{n.withGroup(n.set, keys), 0.1 + extra})
		}
	}
	for _, pt := range p.pathsBetween(n.set.relation, key.set.relation) {
		cost := 0.2 + 0.25*(pt.cost-1) + 0.15*float64(pt.cheaperPaths)
		if !pt.toOne() {
			if slices.ContainsFunc(key.items, func(it item) bool { return it.column != nil && p.isAdditive(it.column) }) {
				continue // "customers by order value" are no groups of equal amounts
			}
			cost += 0.2
		}
		root := n.set.with(condition{kind: related, child: key.set, path: pt, joined: true})
		out = append(out, reading{n.withGroup(root, key.items), cost + extra})
	}
	return out
}

// joinedTo returns the first set of a relation among a set and those that it is joined to, nil if there is none.
func (s *set) joinedTo(r *catalog.Relation) (first *set) {
	walk(s, func(s *set, _ int) {
		if first == nil && s.relation == r {
			first = s
		}
	})
	return first
}

// itemsOf returns the items of a phrase moved to another set of the same relation, and whether all of them were of the phrase's own set.
func (n *phrase) itemsOf(s *set) ([]item, bool) {
	items := slices.Clone(n.items)
	for i := range items {
		if items[i].setID != n.set.id {
			return nil, false
		}
		items[i].setID = s.id
	}
	return items, true
}

// groupByEntity groups a phrase by the things of another phrase.
func (p *parser) groupByEntity(n, key *phrase, extra float64) (out []reading) {
	if p.statusOnly(key) {
		n = n.clone()
		n.refusal = fmt.Sprintf("%q is a status: say for each of what.", p.text(key.words[0], key.words[1]))
	}
	if len(key.set.conditions) > 0 && slices.ContainsFunc(p.relationsFrom(key.words[0]), func(m relationMention) bool { return m.end == key.words[1] && m.relation != key.set.relation }) {
		return nil // "per store" is of stores, and not of what is sold in a "store"
	}
	if n.set.relation == key.set.relation {
		if len(key.set.conditions) > 0 || key.set.superlative != nil {
			return nil
		}
		return p.eachRow(n)
	}
	walk(n.set, func(s *set, depth int) {
		if s != n.set && s.relation == key.set.relation && len(key.set.conditions) == 0 && key.set.superlative == nil {
			x := n.clone()
			x.group = append(n.group[:len(n.group):len(n.group)], item{entity: true, setID: s.id})
			out = append(out, reading{x, 0.1 + extra})
		}
	})
	for _, pt := range p.withEqualCosts(p.pathsBetween(n.set.relation, key.set.relation)) {
		cost := 0.1 + 0.3*(pt.cost-1) + 0.15*float64(pt.cheaperPaths) + extra
		x := n.clone()
		if e := pt.edges[0]; len(pt.edges) == 1 && e.implied && e.toOne && len(key.set.conditions) == 0 && slices.Equal(p.lexicon.relationInfo[e.to].display, e.toCols) {
			// its name is here already: a join would lose what has another spelling
			x.group = append(n.group[:len(n.group):len(n.group)], item{column: e.fromCols[0], setID: n.set.id})
			out = append(out, reading{x, cost})
			continue
		}
		x.set = n.set.with(condition{kind: related, child: key.set, path: pt, joined: true})
		x.group = append(n.group[:len(n.group):len(n.group)], item{entity: true, setID: key.set.id})
		out = append(out, reading{x, cost})
	}
	return cheapestReadings(out, 4)
}

// eachRow shows the outputs for each row, with the display columns of the row: "price of each product".
func (p *parser) eachRow(n *phrase) []reading {
	x := n.clone()
	switch {
	case n.hasAggregate():
		if len(n.group) > 0 || slices.ContainsFunc(n.items, func(it item) bool { return it.column == nil }) {
			return nil
		}
		x.group = []item{{entity: true, setID: n.set.id}}
		if n.items[0].aggregate == "avg" {
			x.group = nil // "average net per invoice": of one there is one
		}
	case !slices.ContainsFunc(n.items, func(it item) bool { return it.column != nil && isText(it.column) }):
		x.items = append(p.withDisplay(&phrase{set: n.set}).items, n.items...)
	}
	return []reading{{x, 0.4}}
}

// statusOnly reports whether a grouping key is named only by a value of a status: "by customer", where accounts may have the status
// "customer".
func (p *parser) statusOnly(key *phrase) bool {
	return len(key.set.conditions) == 1 && len(p.mentions.values[key.words[0]][key.words[1]]) > 0 &&
		slices.ContainsFunc(key.set.conditions, func(c condition) bool {
			return c.kind == compare && p.lexicon.isNamed(c.column, []string{"status", "state"})
		})
}

// groupByTime groups a phrase by units of time.
func (p *parser) groupByTime(n *phrase, unit string) (out []reading) {
	if !n.hasAggregate() {
		return thenApply(p.total(n), 4, func(total *phrase) []reading { return p.groupByTime(total, unit) })
	}
	from := n.set
	if root, of := p.withOrderOfLines(n.set); of != nil {
		n = n.clone()
		n.set, from = root, of
	}
	walk(from, func(s *set, depth int) {
		for _, c := range s.relation.Columns {
			key, cost, ok := p.timeKey(s, c, unit)
			if !ok {
				continue
			}
			x := n.clone()
			if isTime(c) && !c.NotNull && s == n.set {
				x.set = n.set.with(condition{kind: compare, column: c, op: "is not null"}) // no time is no month
			}
			x.group = append(n.group[:len(n.group):len(n.group)], key)
			out = append(out, reading{x, 0.2 + 0.3*float64(depth) + cost})
		}
	})
	if len(out) == 0 && len(p.lexicon.relationInfo[n.set.relation].dates) == 0 {
		out = p.groupByTimeOfWhole(n, unit)
	}
	return cheapestReadings(out, 4)
}

// timeKey returns the key that groups the rows of a set by a column in units of time, and its cost; false if the column cannot be it.
func (p *parser) timeKey(s *set, c *catalog.Column, unit string) (key item, cost float64, ok bool) {
	key = item{column: c, setID: s.id}
	stems := p.lexicon.relationInfo[s.relation].names[c]
	switch {
	case isTime(c) && (unit != hourOfDay || c.Class != catalog.Date) && tellsUnit(c, unit):
		if unit == "day" && c.Class != catalog.Date || unit != "day" && !slices.Contains(stems, p.language.stem(unit)) {
			key.trunc = unit // unless the column is of such units already
		}
		return key, p.timeKeyCost(s, c), true
	case unit == "year" && c.Class == catalog.Number && slices.Contains(stems, "year"):
		return key, -0.1, true
	}
	return key, 0, false
}

// groupByTimeOfWhole groups rows without a time by the time of what they are a part of: order lines by month.
func (p *parser) groupByTimeOfWhole(n *phrase, unit string) (out []reading) {
	for _, e := range p.lexicon.graph.edges[n.set.relation] {
		if !e.toOne || len(e.fromCols) == 0 || len(p.lexicon.relationInfo[e.to].dates) == 0 || p.lexicon.hasName(e.to) {
			continue // a thing, whose time is not that of what is asked about
		}
		x := n.holding(condition{kind: related, child: &set{id: p.newID(), relation: e.to}, path: e.path(), joined: true})
		for _, r := range p.groupByTime(x, unit) {
			out = append(out, reading{r.phrase, r.cost + 0.2})
		}
	}
	return out
}

// timeKeyCost is the cost of grouping a set by one of its times. It is negative if the words of the question name that time.
func (p *parser) timeKeyCost(s *set, c *catalog.Column) (cost float64) {
	info := p.lexicon.relationInfo[s.relation]
	if stems := info.names[c]; slices.Contains(stems, "creat") && !p.isOnlyRequiredTime(c) || slices.Contains(stems, "updat") {
		cost += 0.1
	}
	if slices.ContainsFunc(s.conditions, func(o condition) bool { return o.op == "range" && o.column != c }) && !speaksOf(s.conditions, c) {
		cost += secondTimePenalty
	}
	if p.isLater(c) {
		cost += 0.1
	}
	if (p.comesAfter(c) || isOfRow(c)) && s.time != c {
		cost += laterTimePenalty
	}
	if p.hasOtherNamedTime(c) {
		cost += otherNamedTimePenalty
	}
	if p.lexicon.isBirth(c) || c == info.deleted || c == info.left {
		cost += 0.5 // things are divided by when they came
	}
	if s.relation.Time == c && s.time == nil || s.time == c {
		cost -= 0.2 // as an administrator says, or what happened is called by it
	}
	return cost
}
