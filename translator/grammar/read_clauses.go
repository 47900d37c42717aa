// Reading clauses that have a subject of their own ("the river runs through"), and those with "whose".

package grammar

import "slices"

// inverted reads a clause with a subject of its own, which begins at token i: "the river runs through",
// "Angola belongs to", "does Aruba have".
func (p *parser) inverted(i int) (out []modifierCandidate) {
	for _, d := range p.maybe(i, "do", "be_bare") {
		for _, c := range p.nounsFrom(p.ends(d, "each")) {
			if c.phrase.isValue() || c.phrase.isPronoun {
				continue
			}
			for _, v := range p.verbEnds(c.end) {
				out = append(out, modifierCandidate{modifier{kind: modifierGroup, phrase: c.phrase}, v.end, c.cost + v.cost + 0.05})
			}
		}
		for _, e := range p.ends(d, "pronoun") {
			for _, v := range p.verbEnds(e) {
				out = append(out, modifierCandidate{modifier{kind: modifierFiller}, v.end, v.cost + 0.1})
			}
		}
		for _, c := range p.noun(d) {
			if !c.phrase.isEntity() && !c.phrase.isValue() {
				continue
			}
			if d > i && len(p.ends(i, "be_bare")) > 0 {
				out = append(out, p.strandedPreposition(c)...)
			}
			out = append(out, p.subjectAndVerb(c, d > i)...)
		}
	}
	return out
}

// strandedPreposition reads "Dallas in", the rest of "what state is Dallas in".
func (p *parser) strandedPreposition(c candidate) (out []modifierCandidate) {
	for _, pr := range p.prepositions(c.end) {
		out = append(out, modifierCandidate{inverse(c.phrase, p.wordsBetween(c.end, pr)), pr, c.cost + 0.1})
	}
	return append(out, modifierCandidate{inverse(c.phrase, nil), c.end, c.cost + 0.6})
}

// subjectAndVerb reads the subject's verb: "the river runs through", "Aruba does not have".
func (p *parser) subjectAndVerb(c candidate, afterAuxiliary bool) (out []modifierCandidate) {
	for _, d := range p.maybe(c.end, "do") {
		for _, not := range p.maybe(d, "not") {
			for _, v := range p.verbEnds(not) {
				if !afterAuxiliary && d == c.end && v.relation == nil && !p.isVerbAt(not, v.end) {
					continue // "which model has ...": the model is the subject
				}
				m := inverse(c.phrase, p.wordsBetween(not, v.end))
				m.negated, m.verb = not > d, v.relation
				out = append(out, modifierCandidate{m, v.end, c.cost + v.cost})
			}
		}
	}
	return out
}

// inverse is a modifier by which the subject does something to the thing that the clause is about. Its first hint is "^", which
// is no word of the question.
func inverse(subject *phrase, hints []string) modifier {
	return modifier{kind: modifierRelated, phrase: subject, hints: append([]string{"^"}, hints...)}
}

// isVerbAt reports whether the words from token i to j begin with a verb that is no form of
// "have" or "be".
func (p *parser) isVerbAt(i, j int) bool {
	for _, e := range p.ends(i, "have", "be_bare") {
		if e <= j {
			return false
		}
	}
	return p.isVerb(i) || p.isDirectional(i)
}

// verbEnd is a reading of a verb without its object.
type verbEnd struct {
	end      int              // the token behind it
	relation *relationMention // that the verb names: "orders" of "has ordered"; nil if it names none
	cost     float64
}

// verbEnds reads a verb with its preposition and without an object.
func (p *parser) verbEnds(i int) (out []verbEnd) {
	if i >= len(p.tokens) {
		return nil
	}
	var heads []verbEnd
	if p.isVerb(i) || p.isDirectional(i) {
		heads = append(heads, verbEnd{end: i + 1, cost: p.verbNamesRelation(i)})
	}
	for _, e := range p.ends(i, "have", "be_bare") {
		heads = append(heads, verbEnd{end: e})
	}
	for k := range p.mentions.relations[i] {
		r := &p.mentions.relations[i][k]
		heads = append(heads, verbEnd{end: r.end, relation: r, cost: 3 * (1 - r.score) / 2})
	}
	for _, h := range heads {
		out = append(out, h)
		for _, pr := range p.prepositions(h.end) {
			out = append(out, verbEnd{pr, h.relation, h.cost})
		}
	}
	return out
}

// whose reads what follows "whose": an attribute and what is said of it, or a related
// thing and what is said of that.
func (p *parser) whose(i int) (out []modifierCandidate) {
	for _, a := range p.attributes(i, true) {
		if len(a.phrase.items) != 1 || p.endsTag(a.end, "adds_up") && singular(p.at(a.end-2).lower) != "" {
			continue // "orders total" is what they come to
		}
		for _, c := range p.comparisons(a.end) {
			cost := a.cost + c.cost
			if a.phrase.items[0].aggregate != "" {
				cost += 0.1
			}
			out = append(out, modifierCandidate{attributeCompared(a.phrase, c), c.end, cost})
		}
		for _, be := range p.maybe(a.end, "be_bare") {
			for _, not := range p.maybe(be, "not") {
				out = append(out, p.attributeIs(a, not, not > be)...)
			}
		}
	}
	return slices.Concat(out, p.whoseThings(i), p.whoseNumber(i), p.whoseLast(i), p.whoseExpired(i))
}

// attributeCompared returns the modifier that compares one attribute, or an aggregate of one.
func attributeCompared(a *phrase, c comparison) modifier {
	if it := a.items[0]; it.aggregate == "" {
		return comparisonModifier(it.attribute, c)
	}
	return modifier{kind: modifierCompare, phrase: a, op: c.op, value: c.value}
}

// attributeIs reads what is said of an attribute behind "is": "red", "in 2024", "older than 30".
func (p *parser) attributeIs(a candidate, i int, negated bool) (out []modifierCandidate) {
	it := a.phrase.items[0]
	if it.aggregate == "" {
		op := "="
		if negated {
			op = "<>"
		}
		for _, v := range p.values(i) {
			out = append(out, modifierCandidate{comparisonModifier(it.attribute, comparison{op: op, values: v.phrase}), v.end, a.cost + v.cost})
		}
	}
	for _, d := range p.date(i) {
		out = append(out, modifierCandidate{modifier{kind: modifierDate, date: &d.dates, attribute: it.attribute}, d.end, a.cost + d.cost})
	}
	for e, adjective := range p.adjectivesAt(i, moreDegree) {
		for _, than := range p.ends(e, "than") {
			for _, o := range p.operands(than) {
				m := attributeCompared(a.phrase, comparison{op: adjective.above(), value: o.value, phrase: o.phrase})
				out = append(out, modifierCandidate{m, o.end, a.cost + o.cost + 0.05})
			}
		}
	}
	return out
}

// whoseNumber reads "number of orders is more than 2" behind "whose".
func (p *parser) whoseNumber(i int) (out []modifierCandidate) {
	for _, c := range p.nounsFrom(p.ends(i, "count")) {
		if !c.phrase.isEntity() || len(c.phrase.group) > 0 || c.phrase.set.superlative != nil {
			continue
		}
		for _, is := range p.comparisons(c.end) {
			if is.end == c.end || is.phrase != nil || is.values != nil || len(is.value.literals) != 1 || is.value.unit != "" {
				continue
			}
			m := modifier{kind: modifierRelated, phrase: c.phrase, hints: []string{"have"}, quantifier: &quantifier{op: is.op, count: is.value.literals[0], distinct: c.phrase.distinct}}
			out = append(out, modifierCandidate{m, is.end, c.cost + is.cost})
		}
	}
	return out
}

// whoseTotal reads "orders total more than 500" behind "whose": what they come to together.
func (p *parser) whoseTotal(c candidate, totals []int) (out []modifierCandidate) {
	amount := p.onlyAmount(c.phrase.set.relation)
	if amount == nil || p.isSurcharge(amount) {
		amount = p.lineAmountOfOrder(c.phrase.set.relation)
	}
	if amount == nil || !c.phrase.isPlain() {
		return nil
	}
	for _, end := range totals {
		for _, is := range p.comparisons(end) {
			m := comparisonModifier(&attribute{candidates: []columnCandidate{{column: amount, score: 1}}, start: c.phrase.words[0], end: end}, is)
			m.summed = true
			out = append(out, modifierCandidate{m, is.end, c.cost + is.cost})
		}
	}
	return out
}

// whoseThings reads "courses have not been arranged" behind "whose": a related thing and what is said of it.
func (p *parser) whoseThings(i int) (out []modifierCandidate) {
	for _, c := range p.noun(i) {
		if !c.phrase.isEntity() || c.phrase.set.superlative != nil {
			continue // the last order of all is not the last of each: see whoseLast
		}
		if totals := p.ends(c.end, "adds_up"); len(totals) > 0 {
			out = append(out, p.whoseTotal(c, totals)...)
			continue
		}
		for _, m := range append(p.verbPhrase(c.end), p.behindAll(c.end)...) {
			if p.saysOfAll(i, i+1) || p.saysOfAll(c.end, m.end) {
				out = append(out, p.whoseAll(i, c, m)...)
				continue
			}
			predicate, negated := m.modifier, false
			if predicate.kind == modifierRelated && predicate.negated {
				predicate.negated, negated = false, true
			} else if singular(p.tokens[c.end-1].lower) != "" && isSaid(p.tokens[c.end:m.end], "not", "n't") {
				continue // "whose loans were not damaged": one of them was not, or none was
			}
			for _, r := range p.apply(c.phrase, &predicate) {
				out = append(out, modifierCandidate{modifier{kind: modifierRelated, phrase: r.phrase, hints: []string{"have"}, negated: negated}, m.end, c.cost + m.cost + r.cost + 0.1})
			}
		}
	}
	return out
}

// inClause reports whether a relative clause begins before token i.
func (p *parser) inClause(i int) bool {
	return isSaid(p.tokens[:i], "who", "that", "which")
}
