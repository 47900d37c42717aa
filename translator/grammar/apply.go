package grammar

import "slices"

// apply returns what becomes of a phrase when a modifier is said of it.
func (p *parser) apply(n *phrase, m *modifier) []reading {
	switch m.kind {
	case modifierNothing:
		return []reading{{n, 0}}
	case modifierMostCommon:
		return p.mostCommon(n, m.descending, "1")
	case modifierOf:
		return p.applyOf(n, m)
	case modifierGroup:
		return p.applyGroup(n, m)
	case modifierOrder:
		return p.applyOrder(n, m)
	case modifierDirection:
		return p.applyDirection(n, m)
	case modifierLimit:
		return p.applyLimit(n, m)
	}
	if n.pronoun || len(n.ratio) > 0 {
		return nil
	}
	if n.isValue() {
		if m.kind == modifierRelated || len(n.hits) != 1 {
			return nil
		}
		// the thing of that kind: "a cat that is 3 years old"
		var out []reading
		for _, v := range p.valueEntity(n) {
			for _, a := range p.apply(v.phrase, m) {
				out = append(out, reading{a.phrase, v.cost + a.cost})
			}
		}
		return cheapestReadings(out, 4)
	}
	if n.set == nil {
		// an attribute: what is said of it is said of the things it is of
		if m.kind == modifierRelated && (m.phrase.isValue() || m.phrase.isEntity()) && !m.negated && m.quantifier == nil && m.verb == nil && n.isAttribute() {
			out := p.applyOf(n, m)
			for i := range out {
				out[i].cost += 0.1
				if p.verbal(m.hints) {
					out[i].cost += 0.5 // what does something is hardly what has the attribute
					if m.phrase.isEntity() {
						out[i].cost -= 0.5
						out[i].phrase = out[i].phrase.clone()
						out[i].phrase.distinct = true // "which countries do customers come from"
					}
				}
			}
			around := p.applyResolved(n, m)
			for i := range around {
				around[i].cost += 0.35
			}
			return cheapestReadings(append(out, around...), 6)
		}
		return p.applyResolved(n, m)
	}
	if len(n.group) > 0 && m.kind != modifierRelated && m.kind != modifierDate && m.kind != modifierExcept && m.kind != modifierCompare && m.kind != modifierSuperlative {
		return nil
	}
	switch m.kind {
	case modifierRelated:
		return p.applyRelated(n, m)
	case modifierCompare:
		if m.attribute == nil {
			return p.applyHaving(n, m)
		}
		return p.applyComparison(n, m)
	case modifierComparative:
		a := p.attributeNamed(m.adjective.columns, m.adjective.down, 0, 0)
		if a == nil {
			return nil
		}
		return p.applyComparison(n, &modifier{kind: modifierCompare, attribute: a, op: m.op, value: m.value, phrase: m.phrase, adjective: m.adjective})
	case modifierSuperlative:
		return p.ranked(n, p.applySuperlative(n, m))
	case modifierFirstOrLast:
		return p.applyFirstOrLast(n, m)
	case modifierSuperlativeAdjective:
		return p.extremeByAdjective(n, *m.adjective, m.count, 0, 0)
	case modifierMostRows:
		return p.ranked(n, p.applyMostRows(n, m))
	case modifierDate:
		return p.applyDate(n, m)
	case modifierExcept:
		return p.applyExcept(n, m)
	case modifierNamed:
		return p.applyNamed(n, m)
	case modifierAll:
		out := []reading{{n, 0}}
		for i := range m.parts {
			var next []reading
			for _, a := range out {
				for _, b := range p.apply(a.phrase, &m.parts[i]) {
					next = append(next, reading{b.phrase, a.cost + b.cost})
				}
			}
			out = cheapestReadings(next, 4)
		}
		return out
	case modifierAny:
		return p.applyAny(n, m)
	case modifierNot:
		return p.applyNot(n, m)
	}
	return nil
}

// applyResolved finds the set of a phrase of attributes and says the modifier of that.
func (p *parser) applyResolved(n *phrase, m *modifier) []reading {
	var out []reading
	for _, s := range p.resolvePhrase(n) {
		if s.phrase.set == nil {
			continue
		}
		for _, a := range p.apply(s.phrase, m) {
			cost := s.cost + a.cost
			if m.kind == modifierDate {
				cost += 0.5 // a time is said of what happens
			}
			out = append(out, reading{a.phrase, cost})
		}
	}
	return cheapestReadings(out, 6)
}

// applyOf handles "of": attributes get their set, sets get related.
func (p *parser) applyOf(n *phrase, m *modifier) []reading {
	if m.phrase == nil || m.phrase.pronoun && m.phrase.set == nil {
		return nil
	}
	if m.phrase.distinct && m.phrase.isAttribute() {
		return nil
	}
	if n.isAttribute() {
		var out []reading
		if m.phrase.isEntity() || m.phrase.isValue() {
			out = p.attributeOf(n, m.phrase)
		}
		if m.phrase.isAttribute() && len(m.phrase.items) == 1 && m.phrase.items[0].aggregate == "" {
			// "the population of the capital": find the things of the inner one first
			for _, s := range p.resolvePhrase(m.phrase) {
				x := s.phrase.clone()
				x.items = nil
				for _, r := range p.attributeOf(n, x) {
					out = append(out, reading{r.phrase, s.cost + r.cost + 0.8})
				}
			}
		}
		if m.phrase.set != nil && len(m.phrase.items) == 1 && m.phrase.items[0].aggregate == "" && !m.phrase.items[0].entity && len(m.phrase.group) == 0 {
			// of an attribute that has its set: the things that it names
			x := m.phrase.clone()
			x.items = nil
			for _, r := range p.attributeOf(n, x) {
				out = append(out, reading{r.phrase, r.cost + 0.8})
			}
		}
		return cheapestReadings(out, 6)
	}
	if n.set == nil || len(m.phrase.group) > 0 {
		return nil
	}
	if m.phrase.isEntity() || m.phrase.isValue() {
		return p.applyRelated(n, &modifier{kind: modifierRelated, phrase: m.phrase, hints: []string{"of"}})
	}
	return nil
}

// applyRelated narrows a set to rows that stand in relation to others, or that
// hold a value.
func (p *parser) applyRelated(n *phrase, m *modifier) []reading {
	switch {
	case m.phrase == nil || m.phrase.pronoun:
		return nil
	case m.phrase.isAttribute() && n.set != nil && n.set.superlative != nil && len(m.hints) == 1 && (m.hints[0] == "in" || m.hints[0] == "by"):
		return p.rankBy(n, m)
	case m.phrase.isValue():
		return p.applyValue(n, m)
	case m.phrase.isAttribute() && m.quantifier != nil:
		var out []reading
		for _, s := range p.resolvePhrase(m.phrase) {
			x := s.phrase.clone()
			x.items = nil
			for _, r := range p.relate(n, x.set, m) {
				out = append(out, reading{r.phrase, r.cost + s.cost})
			}
		}
		return cheapestReadings(out, 4)
	case m.phrase.isEntity() && len(m.hints) > 0 && m.hints[0] == "as" && len(m.phrase.set.conditions) == 0:
		return []reading{{n, 0.1}} // "as a pet": what it is was said
	case m.phrase.isEntity():
		if len(m.phrase.group) > 0 || len(m.phrase.order) > 0 {
			return nil
		}
		mm := *m
		mm.hints = append(mm.hints[:len(mm.hints):len(mm.hints)], m.phrase.hints...)
		if m.phrase.number != "" && m.quantifier == nil {
			mm.quantifier = &quantifier{"=", m.phrase.number}
		}
		return p.relate(n, m.phrase.set, &mm)
	}
	return nil
}

// relate joins a set to another over each plausible path.
func (p *parser) relate(n *phrase, child *set, m *modifier) []reading {
	if n.set.id == child.id {
		return nil
	}
	var out []reading
	if n.attributeHead && n.set.relation == child.relation && m.quantifier != nil && !m.negated && child.superlative == nil && len(n.group) == 0 && !n.hasAggregate() {
		// "hometowns of at least two teachers": groups of that size
		x := n.clone()
		x.set = n.set.with(child.conditions...)
		x.having = append(n.having[:len(n.having):len(n.having)], groupCondition{item{aggregate: "count", setID: n.set.id}, m.quantifier.op, operand{literals: []string{m.quantifier.count}, plain: m.quantifier.count}})
		out = append(out, reading{x, 0.1})
	}
	if n.set.relation == child.relation && m.verb == nil && !m.negated && m.quantifier == nil && child.superlative == nil {
		// the same things said twice: "singers ... who are singers from France"
		if len(child.conditions) > 0 && m.hints == nil {
			s := n.set.with(child.conditions...)
			x := n.clone()
			x.set = s
			out = append(out, reading{x, 0.6})
		}
	}
	for _, pt := range p.pathsBetween(n.set.relation, child.relation) {
		cost := 0.2 + 0.25*(pt.cost-1) + 0.15*float64(pt.after)
		cost += p.hintCost(pt, m.hints)
		if n.attributeHead && len(n.items) == 1 && slices.Contains(pt.edges[0].fromCols, n.items[0].column) {
			cost += 1.2 // the column is the very thing that it is said to be related to
		}
		if m.verb != nil {
			if !pt.through(m.verb.relation) {
				continue
			}
			cost -= 0.2
		}
		if n.set.relation == child.relation && m.verb == nil && !p.selfHinted(pt, m.hints) {
			cost += 1.5
		}
		if m.eachValue && m.quantifier == nil && !m.negated {
			if parts := p.eachValue(child); len(parts) > 1 {
				x := n.clone()
				for _, part := range parts {
					x.set = x.set.with(condition{kind: related, child: part, path: pt})
				}
				out = append(out, reading{x, max(0, cost)})
				continue
			}
		}
		c := condition{kind: related, child: child, path: pt, negated: m.negated, count: m.quantifier}
		if m.quantifier != nil && m.quantifier.op == "=" && m.quantifier.count == "0" {
			c.negated, c.count = true, nil
		}
		if c.count != nil && pt.toOne() {
			continue // of what there is one at most, nothing is counted
		}
		x := n.clone()
		x.set = n.set.with(c)
		out = append(out, reading{x, max(0, cost)})
	}
	return cheapestReadings(out, 4)
}

// eachValue cuts a set that holds one of several values into a set for each value.
func (p *parser) eachValue(s *set) []*set {
	for i, c := range s.conditions {
		if c.kind != compare || c.op != "in" {
			continue
		}
		var out []*set
		for _, text := range c.value.literals {
			n := *s
			n.id = p.newID()
			n.conditions = append([]condition(nil), s.conditions...)
			n.conditions[i].op = "="
			n.conditions[i].value = operand{literals: []string{text}, plain: plainList([]string{text})}
			out = append(out, &n)
		}
		return out
	}
	return nil
}

// hintCost compares the direction of a verb or preposition with the names of
// the columns that a path goes by.
func (p *parser) hintCost(pt path, hints []string) float64 {
	cost := 0.0
	var names []string
	for _, e := range pt.edges {
		names = append(names, e.name...)
	}
	return cost + p.directionCost(names, hints)
}

// directionCost compares the direction of a verb or preposition with the stems of names.
func (p *parser) directionCost(names []string, hints []string) float64 {
	cost := 0.0
	for di := range p.language.directions {
		d := &p.language.directions[di]
		said := false
		for _, h := range hints {
			said = said || d.words[h]
		}
		if !said {
			continue
		}
		for dj := range p.language.directions {
			for _, name := range names {
				if p.inDirection(&p.language.directions[dj], name) {
					if di == dj {
						cost -= 0.4
					} else {
						cost += 1.5
					}
				}
			}
		}
	}
	return cost
}

// inDirection reports whether a stem of a name tells the direction.
func (p *parser) inDirection(d *direction, stem string) bool {
	if d.names[stem] {
		return true
	}
	for n := range d.names {
		if p.language.stem(n) == stem {
			return true
		}
	}
	return false
}

// selfHinted reports whether a verb names the column by which a relation
// points to itself.
func (p *parser) selfHinted(pt path, hints []string) bool {
	for _, e := range pt.edges {
		for _, name := range e.name {
			for _, h := range hints {
				if p.language.stem(h) == name {
					return true
				}
			}
		}
	}
	return false
}
