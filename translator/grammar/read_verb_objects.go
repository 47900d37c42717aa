// Reading what a verb is done to, and when.

package grammar

// verbObject is a verb with its prepositions, and where its object begins.
type verbObject struct {
	verbHead
	at    int      // where the object begins
	hints []string // the verb and its prepositions
}

// object reads what a verb is done to.
func (p *parser) object(v verbObject) (out []modifierCandidate) {
	for _, read := range []func(verbObject) []modifierCandidate{
		p.objectPronoun, p.objectPunctual, p.objectCounted, p.objectMost, p.objectNone, p.objectNoun, p.objectDate, p.objectAmount,
	} {
		out = append(out, read(v)...)
	}
	return append(out, p.negatedObject(v)...)
}

// negatedObject reads "bought a kite but not a drum": the second is denied of whoever did the first, and not of what was bought.
func (p *parser) negatedObject(v verbObject) (out []modifierCandidate) {
	for _, done := range p.objectNoun(v) {
		others := p.ends(done.end, "except")
		for _, and := range p.ends(done.end, "and") {
			others = append(others, p.ends(and, "no")...)
		}
		for _, e := range others {
			other := v
			other.at, other.cost = e, 0.1
			for _, not := range p.objectNoun(other) {
				parts := []modifier{done.modifier, {kind: modifierNot, parts: []modifier{not.modifier}}}
				out = append(out, modifierCandidate{modifier{kind: modifierAll, parts: parts}, not.end, done.cost + not.cost})
			}
		}
	}
	return out
}

// objectPronoun reads "use it": no more than the verb.
func (p *parser) objectPronoun(v verbObject) (out []modifierCandidate) {
	if v.column != nil {
		return nil
	}
	for _, e := range p.ends(v.at, "pronoun") {
		cost := v.cost + 0.15
		if v.at > v.end {
			cost += 0.4 // "reporting to them" may well say something
		}
		out = append(out, modifierCandidate{modifier{kind: modifierFiller}, e, cost})
	}
	return out
}

// objectPunctual reads "delivered late".
func (p *parser) objectPunctual(v verbObject) []modifierCandidate {
	return withCost(p.punctual(v.at, v.hints), v.cost)
}

// objectCounted reads "teach at least two courses".
func (p *parser) objectCounted(v verbObject) []modifierCandidate {
	if v.column != nil {
		return nil
	}
	out := withCost(p.quantified(v.at, v.hints), v.cost)
	for i := range out {
		out[i].modifier.verb = v.relation
	}
	return out
}

// objectMost reads "teach the most courses".
func (p *parser) objectMost(v verbObject) (out []modifierCandidate) {
	if v.column != nil {
		return nil
	}
	for e, most := range p.eitherOf(v.at, "most", "least") {
		for _, c := range p.noun(e) {
			if c.phrase.isEntity() {
				m := modifier{kind: modifierMostRows, phrase: c.phrase, descending: most, count: "1", hints: v.hints, verb: v.relation}
				out = append(out, modifierCandidate{m, c.end, c.cost + v.cost})
			}
			if p.isRevenue(c.phrase) {
				m := modifier{kind: modifierSuperlative, attribute: c.phrase.items[0].attribute, descending: most, count: "1"}
				out = append(out, modifierCandidate{m, c.end, c.cost + v.cost + 0.1})
			}
		}
	}
	return out
}

// objectNone reads "teach no courses".
func (p *parser) objectNone(v verbObject) (out []modifierCandidate) {
	for _, e := range p.ends(v.at, "no") {
		out = append(out, withCost(p.absence(e, v.hints), v.cost)...)
	}
	for i := range out {
		out[i].modifier.verb = v.relation
	}
	return out
}

// objectNoun reads "teach math", "play both chess and go". Of a verb that is the name
// of a column the object is a value of it.
func (p *parser) objectNoun(v verbObject) (out []modifierCandidate) {
	for b, c := range p.nounsFrom(p.maybe(v.at, "both", "either")) {
		m := modifier{kind: modifierRelated, hints: v.hints, verb: v.relation, phrase: c.phrase, eachValue: b > v.at}
		switch {
		case v.column != nil && c.phrase.isValue():
			m = modifier{kind: modifierCompare, attribute: v.column, op: "=", phrase: c.phrase}
		case v.column != nil || c.phrase.isAttribute() || c.phrase.isPronoun:
			continue
		case m.eachValue && c.phrase.isValue() && len(c.phrase.values) > 1 && !c.phrase.alternatives:
			m.phrase = c.phrase.clone()
			m.phrase.eachValue = true
		case c.phrase.isEntity() && v.relation == nil:
			done := p.hasEventOfVerb(c.phrase, v.verbHead)
			if m.phrase = done; done != c.phrase && isUniversal(p.at(v.at).lower) {
				lacks := done.set.conditions[len(done.set.conditions)-1]
				lacks.op = "is null"
				m = p.haveNone(c.phrase, c.phrase.holding(lacks))
			}
		}
		out = append(out, modifierCandidate{m, c.end, c.cost + v.cost})
	}
	return out
}

// hasEventOfVerb narrows things to those that a verb was done to, where a time says so: who "paid dues" has dues with a paid_at.
func (p *parser) hasEventOfVerb(n *phrase, v verbHead) *phrase {
	if !p.isInflected(v.start) {
		return n
	}
	for _, c := range p.mentions.attributes[v.start][v.end].all() {
		if c.column.Relation == n.set.relation && c.score >= namedScore && isTime(c.column) && !c.column.NotNull && !speaksOf(n.set.conditions, c.column) {
			return n.holding(condition{kind: compare, column: c.column, op: "is not null"})
		}
	}
	return n
}

// objectDate reads "enrolled in 2024".
func (p *parser) objectDate(v verbObject) (out []modifierCandidate) {
	for _, d := range p.date(v.at) {
		out = append(out, modifierCandidate{v.inTime(d, v.hints), d.end, d.cost + v.cost})
	}
	return out
}

// objectAmount reads "earn a salary above 1000": what the subject has.
func (p *parser) objectAmount(v verbObject) (out []modifierCandidate) {
	if v.column != nil || v.relation != nil {
		return nil
	}
	for _, m := range p.havePhrase(v.at) {
		if m.modifier.kind == modifierCompare || m.modifier.kind == modifierSuperlative {
			out = append(out, modifierCandidate{m.modifier, m.end, m.cost + v.cost + 0.1})
		}
	}
	return out
}
