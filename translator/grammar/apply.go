// Applying a modifier to a phrase: which modifiers can be applied to what.

package grammar

import "slices"

// apply applies a modifier to a phrase, and returns the readings that come of it.
func (p *parser) apply(n *phrase, m *modifier) []reading {
	switch m.kind {
	case modifierGrowth:
		return p.growth(n)
	case modifierFiller:
		if len(m.hints) > 0 && n.set != nil && p.isPeople(n.set.relation) && !p.isWhereTheyAre(n.set.relation, p.language.stem(m.hints[0])) {
			return nil // what people did, not all of them have done
		}
		return []reading{{n, 0}}
	case modifierMostCommon:
		if m.count == "" {
			return p.byCommonness(n, m.descending)
		}
		list := p.mostCommon(n, m.descending, m.count)
		if m.ofThingItself { // what is "booked most often" is not what most other rows refer to
			list = slices.DeleteFunc(list, func(r reading) bool { return r.phrase.set.superlative != nil })
		}
		return p.refuseUnclearPopularity(list, m.hints)
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
	case modifierAll:
		if m.eachValue {
			return p.applyAll(n, m)
		}
	}
	switch {
	case n.isPronoun || len(n.ratio) > 0:
		return nil
	case m.kind == modifierCounts && n.set != nil:
		return p.applyCounts(n)
	case m.kind == modifierCounts && n.isValue():
		return nil
	case n.isValue():
		return p.applyToValue(n, m)
	case m.kind == modifierShare:
		return p.applyShare(n, m)
	case m.kind == modifierPeriods:
		return p.applyPeriods(n, m)
	case n.set == nil:
		return p.applyToAttribute(n, m)
	}
	return p.applyToSet(n, m)
}

// applyToValue applies a modifier to the thing that a value names: "a cat that is 3 years old".
func (p *parser) applyToValue(n *phrase, m *modifier) []reading {
	if m.kind == modifierRelated || len(n.values) != 1 || m.kind == modifierExcept && m.phrase.isValue() {
		return nil // one value is not another one anyhow
	}
	return thenApply(p.valueEntity(n), 4, func(thing *phrase) []reading { return p.apply(thing, m) })
}

// applyToAttribute applies a modifier to an attribute: to the things that it is an attribute of, once these are known.
func (p *parser) applyToAttribute(n *phrase, m *modifier) []reading {
	around := p.applyResolved(n, m)
	if m.kind != modifierRelated || !m.phrase.isValue() && !m.phrase.isEntity() || m.negated || m.quantifier != nil || m.verb != nil || !n.isAttribute() {
		return around
	}
	out := p.applyOf(n, m)
	for i := range out {
		out[i].cost += 0.1
		if !p.isVerbHints(m.hints) {
			continue
		}
		if m.phrase.isEntity() {
			out[i].phrase = out[i].phrase.clone()
			out[i].phrase.distinct = true // "which countries do customers come from"
		} else {
			out[i].cost += 0.5 // what does something is hardly what has the attribute
		}
	}
	for i := range around {
		around[i].cost += 0.35
	}
	return cheapestReadings(append(out, around...), 6)
}

// applyToSet applies a modifier to a phrase whose set is known.
func (p *parser) applyToSet(n *phrase, m *modifier) []reading {
	if len(n.group) > 0 {
		switch m.kind {
		case modifierRelated, modifierDate, modifierExcept, modifierCompare, modifierSuperlative, modifierState, modifierAll:
		default:
			return nil
		}
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
	case modifierOlderThan:
		return p.applyOlderThan(n, m)
	case modifierLongerThan:
		return p.applyLongerThan(n, m)
	case modifierWithin:
		return p.applyWithin(n, m)
	case modifierPunctual:
		return p.applyPunctual(n, m)
	case modifierMostRows:
		return p.ranked(n, p.applyMostRows(n, m))
	case modifierDate:
		return p.applyDate(n, m)
	case modifierExcept:
		return p.applyExcept(n, m)
	case modifierNamed:
		return p.applyNamed(n, m)
	case modifierAll:
		return p.applyAll(n, m)
	case modifierAny:
		return p.applyAny(n, m)
	case modifierNot:
		return p.applyNot(n, m)
	case modifierState:
		return p.applyState(n, m)
	case modifierSoldMost:
		return p.ranked(n, p.applySoldMost(n, m))
	case modifierLevel:
		return p.applyLevel(n, m)
	case modifierAmount:
		return p.applyAmount(n, m)
	case modifierMoreOf:
		return p.applyMoreOf(n, m)
	case modifierSame:
		return p.applySame(n, m)
	case modifierOnly:
		return p.applyOnly(n, m)
	}
	return nil
}

// applyAll applies several modifiers, one after the other.
func (p *parser) applyAll(n *phrase, m *modifier) []reading {
	out := []reading{{n, 0}}
	for i := range m.parts {
		out = thenApply(out, 4, func(sofar *phrase) []reading { return p.apply(sofar, &m.parts[i]) })
		if m.parts[i].kind == modifierNot {
			out = withoutSameNegation(out)
		}
	}
	return out
}

// withoutSameNegation drops the readings that negate a relation under one modifier which another modifier asserts by another path: who
// "bought a kite but not a drum" has no order of a drum, even if he reviewed one.
func withoutSameNegation(list []reading) []reading {
	return slices.DeleteFunc(list, func(r reading) bool {
		return r.phrase.set != nil && slices.ContainsFunc(r.phrase.set.conditions, func(c condition) bool {
			return c.kind == related && c.negated && slices.ContainsFunc(r.phrase.set.conditions, func(d condition) bool {
				return d.kind == related && !d.negated && d.count == nil && d.child.relation == c.child.relation && !slices.Equal(c.path.edges, d.path.edges)
			})
		})
	})
}

// applyResolved finds the set of a phrase of attributes and applies the modifier to that.
func (p *parser) applyResolved(n *phrase, m *modifier) (out []reading) {
	resolved, ok := p.resolved[n]
	if !ok { // for all modifiers that may be said of it
		resolved = p.resolvePhrase(n)
		p.resolved[n] = resolved
	}
	for _, s := range resolved {
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

// applyOf applies "of": an attribute gets the set that it is of ("names of singers"), a set gets related to the other ("orders of Ann").
func (p *parser) applyOf(n *phrase, m *modifier) []reading {
	if m.phrase == nil || m.phrase.isPronoun && m.phrase.set == nil || m.phrase.distinct && m.phrase.isAttribute() {
		return nil
	}
	if n.isAttribute() {
		var out []reading
		if m.phrase.isEntity() || m.phrase.isValue() {
			out = p.attributeOf(n, m.phrase)
		}
		if m.phrase.set != nil && len(m.phrase.items) == 1 && m.phrase.items[0].aggregate == "" && !m.phrase.items[0].entity && len(m.phrase.group) == 0 {
			// of an attribute that has its set: the things that it names
			for _, r := range p.attributeOf(n, m.phrase.withItems()) {
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
	case m.phrase == nil || m.phrase.isPronoun:
		return nil
	case m.phrase.isAttribute() && n.set != nil && n.set.superlative != nil && len(m.hints) == 1 && (m.hints[0] == "in" || m.hints[0] == "by"):
		return p.rankBy(n, m)
	case m.phrase.isValue():
		return p.applyValue(n, m)
	case m.phrase.isAttribute() && m.quantifier != nil:
		return thenApply(p.resolvePhrase(m.phrase), 4, func(of *phrase) []reading { return p.relate(n, of.set, m) })
	case m.phrase.isEntity() && len(m.hints) > 0 && m.hints[0] == "as" && len(m.phrase.set.conditions) == 0:
		return []reading{{n, 0.1}} // "as a pet": what it is was said
	case m.phrase.isEntity():
		if len(m.phrase.group) > 0 || len(m.phrase.order) > 0 {
			return nil
		}
		mm := *m
		mm.hints = append(mm.hints[:len(mm.hints):len(mm.hints)], m.phrase.hints...)
		if m.phrase.number != "" && m.quantifier == nil {
			mm.quantifier = &quantifier{op: "=", count: m.phrase.number}
		}
		return append(p.stockAtPlaces(n, m), p.relate(n, m.phrase.set, &mm)...)
	}
	return nil
}
