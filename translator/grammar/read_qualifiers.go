// Reading what things are or became, said before their noun: flags, participles, states.

package grammar

import (
	"reflect"
	"slices"
)

// qualified reads "overdue invoices", "paid invoices", "official languages". Of two such words joined by "and" one holds
// of each thing: "open and closed tickets" are either.
func (p *parser) qualified(i int) (out []candidate) {
	for _, m := range p.qualifiers(i) {
		out = append(out, p.qualifiedNouns(i, m)...)
		out = append(out, p.eitherQualified(m, p.valueQualifiers)...)
		out = append(out, p.eitherQualified(m, p.qualifiers)...)
	}
	for _, m := range p.valueQualifiers(i) {
		out = append(out, p.eitherQualified(m, p.qualifiers)...)
	}
	return out
}

// qualifiers reads the flags, participles and states that begin at token i.
func (p *parser) qualifiers(i int) (out []modifierCandidate) {
	for end, a := range inOrder(p.mentions.attributes[i]) {
		if flag := p.boolean(a); flag != nil {
			out = append(out, modifierCandidate{modifier{kind: modifierCompare, attribute: flag, op: "true"}, end, 0.1 + 3*(1-flag.candidates[0].score)/2})
		}
		if times := nullableTimes(a); times != nil && p.isInflected(i) && len(p.statesAt[i][end]) == 0 {
			out = append(out, modifierCandidate{modifier{kind: modifierCompare, attribute: times, op: "is not null"}, end, 0.1})
		}
	}
	return append(out, p.statesPhrasedAt(i, 0.1)...)
}

// valueQualifiers reads the values that begin at token i.
func (p *parser) valueQualifiers(i int) (out []modifierCandidate) {
	for end, hits := range inOrder(p.mentions.values[i]) {
		v := &phrase{values: [][]valueMention{hits}, words: [2]int{i, end}}
		out = append(out, modifierCandidate{modifier{kind: modifierRelated, phrase: v}, end, 0.1 + 2*(1-hits[0].score)})
	}
	return out
}

// eitherQualified reads the nouns of which m or a qualifier behind "and" holds, or both.
func (p *parser) eitherQualified(m modifierCandidate, read func(int) []modifierCandidate) (out []candidate) {
	for e, or := range p.eitherOf(m.end, "or", "and") {
		for _, other := range read(e) {
			for _, c := range p.noun(other.end) {
				if c.phrase.isEntity() {
					out = append(out, candidates(p.applyBoth(c.phrase, m.modifier, other.modifier, or), c.end, c.cost+m.cost+other.cost)...)
				}
			}
		}
	}
	return out
}

// applyBoth says two qualifiers of things: either of them where they are of the same columns, as "open and closed" are,
// and both where they are of others, as in "paid and delivered orders".
func (p *parser) applyBoth(n *phrase, a, b modifier, or bool) (out []reading) {
	for _, first := range p.apply(n, &a) {
		ca, ok := addedConditions(n, first.phrase)
		for _, second := range p.apply(n, &b) {
			cb, also := addedConditions(n, second.phrase)
			if !ok || !also {
				continue
			}
			x := n.clone()
			if or || ofSameColumns(ca, cb) {
				x.set = n.set.with(condition{kind: anyOf, parts: []condition{conjunction(ca), conjunction(cb)}})
			} else {
				x.set = n.set.with(append(ca[:len(ca):len(ca)], slices.DeleteFunc(slices.Clone(cb), func(c condition) bool {
					return slices.ContainsFunc(ca, func(o condition) bool { return reflect.DeepEqual(c, o) })
				})...)...)
			}
			out = append(out, reading{x, first.cost + second.cost})
		}
	}
	return cheapestReadings(out, 3)
}

// ofSameColumns reports whether two lists of conditions compare the same columns of a row.
func ofSameColumns(a, b []condition) bool {
	within := func(a, b []condition) bool {
		for c := range comparisonsOf(a) {
			if !speaksOf(b, c.column) {
				return false
			}
		}
		return true
	}
	return within(a, b) && within(b, a)
}

// qualifiedNouns reads the nouns behind a qualifier that begins at token i, and says it of them.
func (p *parser) qualifiedNouns(i int, m modifierCandidate) (out []candidate) {
	flag, times := m.modifier.op == "true", m.modifier.op == "is not null"
	for _, c := range p.noun(m.end) {
		if times && c.phrase.isEntity() && p.isValueOf(c.phrase.set.relation, p.text(i, m.end)) {
			continue // "paid orders" have that status
		}
		if !c.phrase.isEntity() && !(flag && (c.phrase.set != nil || c.phrase.isAttribute())) && !(m.modifier.kind == modifierState && c.phrase.hasAggregate()) {
			continue
		}
		out = append(out, candidates(p.apply(c.phrase, &m.modifier), c.end, c.cost+m.cost)...)
	}
	return out
}

// valuesCompared reads "web vs phone orders" and "web orders vs phone orders": how many there are of each.
func (p *parser) valuesCompared(i int) (out []candidate) {
	for _, at := range p.maybe(i, "count", "how_many") {
		for end, first := range inOrder(p.mentions.values[at]) {
			for _, e := range p.versus(end) {
				out = append(out, p.countedByValues(first, e)...)
			}
			for _, m := range p.mentions.relations[end] {
				for _, e := range p.versus(m.end) {
					out = append(out, slices.DeleteFunc(p.countedByValues(first, e), func(c candidate) bool { return c.phrase.set.relation != m.relation })...)
				}
			}
		}
	}
	return append(out, p.kindsCompared(i)...)
}

// kindsCompared reads "lamps vs rakes": the things of two kinds, counted each for themselves.
func (p *parser) kindsCompared(i int) (out []candidate) {
	for _, a := range p.valueHeads(i) {
		n := p.counted(a.phrase)
		if n == nil || !a.phrase.isEntity() {
			continue
		}
		for _, e := range p.versus(a.end) {
			for _, b := range p.valueHeads(e) {
				if each := p.countOfEach(n, b.phrase); each != nil {
					out = append(out, candidate{each, b.end, a.cost + b.cost + 0.1})
				}
			}
		}
	}
	return out
}

// countedByValue counts the things of h for each of the values of a column of theirs.
func (p *parser) countedByValue(h candidate, m *modifier) (out []candidate) {
	if !h.phrase.isEntity() {
		return nil
	}
	for _, r := range p.apply(h.phrase, m) {
		conditions, ok := addedConditions(h.phrase, r.phrase)
		n := p.counted(r.phrase)
		if !ok || n == nil || len(conditions) != 1 || conditions[0].kind != compare || conditions[0].op != "in" {
			continue
		}
		n.group = []item{{column: conditions[0].column, setID: n.set.id}}
		out = append(out, candidate{n, h.end, h.cost + r.cost + 0.1})
	}
	return out
}
