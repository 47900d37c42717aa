package grammar

import (
	"askpg/catalog"
	"slices"
)

// applyHaving narrows groups by an aggregate: "with an average age above 30".
func (p *parser) applyHaving(n *phrase, m *modifier) []reading {
	if n.set == nil || m.phrase == nil || len(m.phrase.items) != 1 || m.value.query != nil || len(m.value.literals) == 0 {
		return nil
	}
	var out []reading
	for _, l := range p.resolveItems(n.set, m.phrase.items) {
		if len(l.items) != 1 {
			continue
		}
		x := n.clone()
		x.set = l.root
		x.having = append(n.having[:len(n.having):len(n.having)], groupCondition{l.items[0], m.op, m.value})
		out = append(out, reading{x, l.cost + 0.1})
	}
	return cheapestReadings(out, 3)
}

// applyGroup divides what is said by a key: "number of orders per customer".
func (p *parser) applyGroup(n *phrase, m *modifier) []reading {
	if n.pronoun || n.isValue() || len(n.ratio) > 0 {
		return nil
	}
	if n.set == nil {
		return p.applyResolved(n, m)
	}
	if m.op != "" {
		return p.groupByTime(n, m.op)
	}
	if n.set.superlative != nil {
		return p.rankBy(n, m)
	}
	// "top 5 countries by population", "top 3 customers by number of orders"
	if n.number != "" && !n.hasAggregate() && len(m.phrase.items) == 1 && len(m.phrase.group) == 0 {
		it := m.phrase.items[0]
		switch {
		case it.aggregate != "":
			return p.ranking(n, &modifier{kind: modifierSuperlative, phrase: m.phrase, descending: !n.bottom, count: n.number})
		case it.attribute != nil && m.phrase.set == nil:
			return p.ranking(n, &modifier{kind: modifierSuperlative, attribute: it.attribute, descending: !n.bottom, count: n.number})
		}
	}
	if m.phrase.hasAggregate() || n.set.superlative != nil {
		return nil
	}
	var out []reading
	if !n.hasAggregate() && !m.leading && !(m.phrase.set != nil && m.phrase.set.relation == n.set.relation) {
		// "revenue per country": of several rows each, so it is added up
		for _, r := range p.total(n) {
			for _, g := range p.applyGroup(r.phrase, m) {
				out = append(out, reading{g.phrase, r.cost + g.cost})
			}
		}
		if len(n.items) == 0 || len(n.items) == 1 && numeric(n.items) {
			return cheapestReadings(out, 4)
		}
	}
	extra := 0.0
	if !n.hasAggregate() {
		extra = 0.6
	}
	keyed := func(root *set, keys []item, cost float64) {
		x := n.clone()
		x.set = root
		x.group = append(n.group[:len(n.group):len(n.group)], keys...)
		x.items = nil
		for _, it := range n.items {
			if len(keys) == 1 && it.column == keys[0].column && it.aggregate != "" && it.aggregate != "count" && len(n.items) > 1 {
				continue // "average weight and year for each year"
			}
			x.items = append(x.items, it)
		}
		out = append(out, reading{x, cost + extra})
	}
	switch {
	case m.phrase.isAttribute():
		for _, l := range p.resolveItems(n.set, m.phrase.items) {
			if e := p.reference(l.items); e != nil {
				// "per manager": who that is, not his number
				child := &set{id: p.newID(), relation: e.to}
				x := n.clone()
				x.set = l.root.replace(l.root.find(l.items[0].setID).with(condition{kind: related, child: child, path: path{edges: []*edge{e}, cost: e.cost}, joined: true}))
				x.group = append(n.group[:len(n.group):len(n.group)], item{entity: true, setID: child.id})
				out = append(out, reading{x, l.cost + extra})
				continue
			}
			keyed(l.root, l.items, l.cost)
		}
	case m.phrase.isEntity():
		out = p.groupByEntity(n, m.phrase, extra)
		if len(m.phrase.group) > 0 {
			return nil
		}
	case slices.ContainsFunc(m.phrase.items, func(it item) bool {
		s := m.phrase.set.find(it.setID)
		return s != nil && s.relation == n.set.relation && s != m.phrase.set
	}):
		// "orders by status for gold customers": the status is that of the orders
	case m.phrase.set != nil:
		// a key of related things: "by country of the customer"
		found := false
		walk(n.set, func(s *set, depth int) {
			if s.relation == m.phrase.set.relation && len(m.phrase.set.conditions) == 0 && !found {
				found = true
				keys := append([]item(nil), m.phrase.items...)
				for i := range keys {
					if keys[i].setID == m.phrase.set.id {
						keys[i].setID = s.id
					} else {
						return
					}
				}
				keyed(n.set, keys, 0.1)
			}
		})
		for _, pt := range p.pathsBetween(n.set.relation, m.phrase.set.relation) {
			cost := 0.2 + 0.25*(pt.cost-1) + 0.15*float64(pt.after)
			if !pt.toOne() {
				cost += 0.2
			}
			keyed(n.set.with(condition{kind: related, child: m.phrase.set, path: pt, joined: true}), m.phrase.items, cost)
		}
	}
	return cheapestReadings(out, 4)
}

// rankBy says by what a superlative is meant: "the largest state by area".
func (p *parser) rankBy(n *phrase, m *modifier) []reading {
	if m.phrase == nil || !m.phrase.isAttribute() || len(m.phrase.items) != 1 || m.phrase.items[0].aggregate != "" || n.set.superlative.by.aggregate != "" {
		return nil
	}
	var out []reading
	for _, l := range p.resolveItems(n.set, m.phrase.items) {
		if len(l.items) == 1 && l.items[0].column != nil && ordered(l.items[0].column) {
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

// groupByEntity divides what is said by the things of another phrase.
func (p *parser) groupByEntity(n, key *phrase, extra float64) []reading {
	var out []reading
	if n.set.relation == key.set.relation {
		if len(key.set.conditions) > 0 || key.set.superlative != nil {
			return nil
		}
		// rows of the thing itself, each for itself, with what it is called
		x := n.clone()
		if n.hasAggregate() {
			if len(n.group) > 0 || slices.ContainsFunc(n.items, func(it item) bool { return it.column == nil }) {
				return nil
			}
			x.group = []item{{entity: true, setID: n.set.id}}
			return []reading{{x, 0.4}}
		}
		if !slices.ContainsFunc(n.items, func(it item) bool { return it.column != nil && textual(it.column) }) {
			x.items = append(p.withDisplay(&phrase{set: n.set}).items, n.items...)
		}
		return []reading{{x, 0.4}}
	}
	walk(n.set, func(s *set, depth int) {
		if s != n.set && s.relation == key.set.relation && len(key.set.conditions) == 0 && key.set.superlative == nil {
			x := n.clone()
			x.group = append(n.group[:len(n.group):len(n.group)], item{entity: true, setID: s.id})
			out = append(out, reading{x, 0.1 + extra})
		}
	})
	for _, pt := range p.pathsBetween(n.set.relation, key.set.relation) {
		cost := 0.1 + 0.3*(pt.cost-1) + 0.15*float64(pt.after) + extra
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

// groupByTime divides what is said by units of time.
func (p *parser) groupByTime(n *phrase, unit string) []reading {
	var out []reading
	if !n.hasAggregate() {
		for _, r := range p.total(n) {
			for _, g := range p.groupByTime(r.phrase, unit) {
				out = append(out, reading{g.phrase, r.cost + g.cost})
			}
		}
		return cheapestReadings(out, 4)
	}
	walk(n.set, func(s *set, depth int) {
		for _, c := range s.relation.Columns {
			cost := 0.2 + 0.3*float64(depth)
			it := item{column: c, setID: s.id}
			stems := p.lexicon.relationInfo[s.relation].names[c]
			switch {
			case c.Class == catalog.Date || c.Class == catalog.Timestamp:
				if !(unit == "day" && c.Class == catalog.Date) && !(unit != "day" && slices.Contains(stems, p.language.stem(unit))) {
					it.trunc = unit // unless the column is of such units already
				}
				if slices.Contains(stems, "creat") || slices.Contains(stems, "updat") {
					cost += 0.1
				}
				if p.isLater(c) {
					cost += 0.1
				}
				if info := p.lexicon.relationInfo[s.relation]; p.lexicon.isBirth(c) || c == info.deleted || c == info.left {
					cost += 0.5 // things are divided by when they came
				}
				if s.relation.Time == c {
					cost -= 0.2 // as an administrator says
				}
			case unit == "year" && c.Class == catalog.Number && slices.Contains(stems, "year"):
				cost -= 0.1
			default:
				continue
			}
			x := n.clone()
			x.group = append(n.group[:len(n.group):len(n.group)], it)
			out = append(out, reading{x, cost})
		}
	})
	return cheapestReadings(out, 4)
}
