// Reading what a subject does or is.

package grammar

import (
	"slices"

	"askpg/catalog"
)

// verbPhrase reads what a subject does or is.
func (p *parser) verbPhrase(i int) (out []modifierCandidate) {
	if i >= len(p.tokens) || p.isExhausted() {
		return nil
	}
	if r, ok := p.verbPhrases[i]; ok {
		return r
	}
	p.verbPhrases[i] = nil
	p.steps++
	for _, d := range p.maybe(i, "do") {
		for _, n := range p.maybe(d, "not") {
			negated := n > d
			out = append(out, p.predicate(n, negated)...)
		}
	}
	// "not" before "do": never did; n't
	for _, n := range p.ends(i, "not") {
		out = append(out, p.predicate(n, true)...)
	}
	out = keepModifiers(out)
	out = append(out, each(out[:len(out):len(out)], p.furtherPredicates)...)
	out = keepModifiers(out)
	p.verbPhrases[i] = out
	return out
}

// furtherPredicates reads a further predicate of the same subject behind "and" or "or".
func (p *parser) furtherPredicates(a modifierCandidate) (out []modifierCandidate) {
	joined := func(kind modifierKind, first modifier, b modifierCandidate) {
		out = append(out, modifierCandidate{modifier{kind: kind, parts: []modifier{first, b.modifier}}, b.end, a.cost + b.cost + 0.1})
	}
	for _, e := range p.then(p.maybe(a.end, "comma"), "and") {
		for _, b := range p.verbPhrase(e) {
			joined(modifierAll, a.modifier, b)
			if happened := a.modifier; happened.kind == modifierCompare && happened.op == "is not null" && b.modifier.kind == modifierDate && b.modifier.attribute != nil {
				joined(modifierAll, modifier{kind: modifierDate, date: b.modifier.date, attribute: happened.attribute}, b) // "opened and closed this week"
			}
		}
	}
	for _, e := range p.ends(a.end, "or") {
		for _, b := range p.verbPhrase(e) {
			joined(modifierAny, a.modifier, b)
		}
	}
	return out
}

// predicate reads one verb and what belongs to it.
func (p *parser) predicate(i int, negated bool) (out []modifierCandidate) {
	add := func(list []modifierCandidate, negated bool) {
		for _, m := range list {
			if negated {
				m.modifier = m.modifier.not()
			}
			out = append(out, m)
		}
	}
	if p.at(i).lower == "only" && !negated {
		return onlySuch(p.predicate(i+1, false))
	}
	for _, e := range p.ends(i, "have") {
		add(p.havePhrase(e), negated)
	}
	if w := p.at(i).lower; w == "did" || w == "does" || w == "do" {
		add(slices.DeleteFunc(p.haveMost(i+1), func(m modifierCandidate) bool {
			return p.at(i+1).lower != "the" && m.modifier.phrase != nil && len(p.verbEnds(m.modifier.phrase.words[1])) > 0 // "do most members borrow"
		}), negated) // who "did the most repairs" had the most
	}
	for _, e := range p.ends(i, "be_bare") {
		for _, not := range p.maybe(e, "not") {
			add(p.complement(not), negated != (not > e))
			if not > e && !negated {
				out = append(out, p.neverDone(not)...)
			}
		}
	}
	add(p.measured(i), negated)
	add(p.verb(i), negated)
	if negated {
		out = append(out, p.notYetVerb(i)...)
		out = append(out, each(p.maybe(i, "be_bare"), p.neverDone)...)
	} else {
		out = append(out, each(p.maybe(i, "be_bare"), p.everDone)...)
		out = slices.Concat(out, p.fillerVerb(i), p.soldBest(i), p.stateWeMade(i), p.sameAs(i))
	}
	return out
}

// neverDone reads "been sold", "admitted" behind "never" and before nothing else: no rows record that. A relation that the question names
// says so itself.
func (p *parser) neverDone(i int) []modifierCandidate {
	if i >= len(p.tokens) || !p.isOnlyFillers(i+1, len(p.tokens)) {
		return nil
	}
	return p.recordedAs(i, true)
}

// everDone reads "sold" before another predicate, as in "we have sold but nobody has reviewed": rows record that.
func (p *parser) everDone(i int) []modifierCandidate {
	if i == 0 || len(p.ends(i+1, "and")) == 0 || p.tokens[i-1].lower != "have" && !p.endsTag(i, "be_bare") {
		return nil
	}
	if p.eventOf(p.wordsBetween(i, i+1)) == nil {
		return nil // a payment need not pay all
	}
	return p.recordedAs(i, false)
}

// recordedAs reads a verb that no relation of the question names by the rows that record it, or by those that do not.
func (p *parser) recordedAs(i int, negated bool) (out []modifierCandidate) {
	if !p.isFullVerb(i) || !p.isInflected(i) {
		return nil
	}
	add := func(r *catalog.Relation, v verbHead, cost float64) {
		if _, bought := p.lexicon.soldOrBought(r); bought && p.tokens[i].stem == "sell" || p.mentions.nameCounts[r] > 0 {
			return
		}
		m := modifier{kind: modifierRelated, phrase: p.entity(r), hints: p.wordsBetween(v.start, v.end), negated: negated}
		out = append(out, modifierCandidate{m, v.end, cost + neverDoneCost})
	}
	for _, v := range p.verbHeads(i) {
		events := p.eventsOfVerb(v)
		for _, h := range events {
			if h.time.NotNull { // who is not discharged may have been admitted
				add(h.relation, v, h.cost)
			}
		}
		if e := p.eventOf(p.wordsBetween(v.start, v.end)); e != nil && len(events) == 0 && v.column == nil {
			for _, r := range p.relations {
				if p.recordsEvent(r, e) {
					add(r, v, v.cost)
				}
			}
		}
	}
	return out
}

// neverDoneCost lets a state, such as a status that is not "paid", come before rows that are missing.
const neverDoneCost = 0.5

// notYetVerb reads "paid their fees" behind "have not": somebody has fees that are not paid, though not all of them need be.
func (p *parser) notYetVerb(i int) (out []modifierCandidate) {
	if !p.isVerb(i) || !slices.Contains([]string{"their", "his", "her", "its"}, p.at(i+1).lower) {
		return nil
	}
	for _, c := range p.noun(i + 2) {
		if !c.phrase.isEntity() || c.phrase.number != "" || len(c.phrase.group) > 0 || c.phrase.set.superlative != nil {
			continue
		}
		if left := p.stateOf(c.phrase.set.relation, &state{Lacks: []string{p.tokens[i].stem}}); left != nil {
			out = append(out, modifierCandidate{modifier{kind: modifierRelated, phrase: c.phrase.holding(left...), hints: []string{"have"}}, c.end, c.cost + 0.1})
		}
	}
	return out
}

// stateWeMade reads "win" of "which bids did we win" as the state of the bids.
func (p *parser) stateWeMade(i int) (out []modifierCandidate) {
	if i < 2 || !slices.Contains(p.ends(i-1, "do"), i) || !p.language.outcomeVerbs[p.at(i).stem] {
		return nil
	}
	for _, h := range p.mentions.values[i][i+1] {
		ofThem := func(m relationMention) bool { return m.end == i-1 && p.isStateColumn(m.relation, h.column) }
		for k := max(0, i-1-maxSpan); k < i-1; k++ {
			if slices.ContainsFunc(p.mentions.relations[k], ofThem) {
				v := &phrase{values: [][]valueMention{{h}}, words: [2]int{i, i + 1}}
				out = append(out, modifierCandidate{modifier{kind: modifierRelated, phrase: v}, i + 1, 0.1})
			}
		}
	}
	return out
}

// isStateColumn reports whether a column says what the rows of a relation are: its own, or the name in a table of codes that they point to.
func (p *parser) isStateColumn(r *catalog.Relation, c *catalog.Column) bool {
	return c.Relation == r || slices.Contains(p.lexicon.relationInfo[c.Relation].display, c) && slices.ContainsFunc(p.lexicon.graph.edges[r], func(e *edge) bool { return e.toOne && e.to == c.Relation })
}

// holdsOrNot reports whether a modifier is a condition, which something meets or not.
func (m modifier) holdsOrNot() bool {
	switch m.kind {
	case modifierRelated, modifierOf, modifierCompare, modifierComparative, modifierDate, modifierNamed, modifierAll, modifierAny, modifierState, modifierOlderThan, modifierLongerThan:
		return true
	}
	return false
}

// not returns what is said by the negation of a modifier.
func (m modifier) not() modifier {
	if m.kind == modifierRelated && m.quantifier == nil && !m.negated {
		m.negated = true
		return m
	}
	return modifier{kind: modifierNot, parts: []modifier{m}}
}

// fillerVerb reads verbs that are true of all things and add nothing: "were made", "play there".
func (p *parser) fillerVerb(i int) (out []modifierCandidate) {
	for _, b := range p.maybe(i, "be_bare") {
		if !p.isVerb(b) || !p.isFillerVerb(b) {
			continue
		}
		cost := 0.5
		if b > i {
			cost = 0.35
		}
		if len(p.ends(b+1, "group")) > 0 {
			cost = 0.1
		}
		if p.at(b+1).lower == "there" || len(p.ends(b+1, "pronoun")) > 0 {
			out = append(out, modifierCandidate{modifier{kind: modifierFiller}, b + 2, 0.2})
		}
		out = append(out, modifierCandidate{modifier{kind: modifierFiller, hints: p.wordsBetween(b, b+1)}, b + 1, cost})
	}
	return out
}

// isFillerVerb reports whether the verb at i is true of all that there is:
// "reviews that were written". One that names a relation or a state, or that only some
// things do, is not left out.
func (p *parser) isFillerVerb(i int) bool {
	t := p.tokens[i]
	named := slices.ContainsFunc(p.mentions.relations[i], func(r relationMention) bool { return r.score >= namedScore })
	return !named && len(p.statesAt[i]) == 0 && (len(p.mentions.values[i][i+1]) == 0 || p.isCreatedInTime(i)) && !p.language.outcomeVerbs[t.stem] && !p.isTimeElsewhere(i)
}

// isCreatedInTime reports whether a verb with a time behind it says only that a row was created, even if a state has that name.
func (p *parser) isCreatedInTime(i int) bool {
	return p.language.creationVerbs[p.tokens[i].stem] && p.isDated(i)
}

// isTimeElsewhere reports whether a verb is the name of a time of relations of
// which the question names none: "patients admitted" are not all patients.
func (p *parser) isTimeElsewhere(i int) bool {
	a := p.mentions.attributes[i][i+1]
	return a != nil && a.candidates[0].score >= 0.7 && !slices.ContainsFunc(a.candidates, func(c columnCandidate) bool {
		return c.column.Class != catalog.Date && c.column.Class != catalog.Timestamp || p.mentionsRelation(c.column.Relation)
	})
}

// complement reads what follows "is" or "are".
func (p *parser) complement(i int) []modifierCandidate {
	out := append(p.comparative(i), p.withoutPhrase(i)...)
	for _, e := range p.ends(i, "one_or_other") {
		out = append(out, p.complement(e)...) // "either in Rome or in Bath"
	}
	out = append(out, each(p.ends(i, "article"), p.comparative)...)
	for e, most := range p.eitherOf(i, "popular", "unpopular") {
		out = append(out, modifierCandidate{modifier{kind: modifierMostCommon, count: "1", descending: most, hints: p.wordsBetween(e-1, e)}, e, 0.1})
	}
	out = append(out, p.agedBetween(i)...)
	for _, v := range p.values(i) {
		out = append(out, modifierCandidate{modifier{kind: modifierRelated, phrase: v.phrase}, v.end, v.cost + 0.1})
		out = append(out, p.mostOftenSo(v)...)
	}
	for _, m := range p.groupedBy(i) {
		if m.modifier.kind == modifierGroup && !m.modifier.isKeyBehindBy() {
			out = append(out, m) // "how many are in each room"
		}
	}
	for _, e := range p.ends(i, "in") {
		for _, c := range p.nounsFrom(p.maybe(e, "one_or_other")) {
			out = append(out, modifierCandidate{modifier{kind: modifierRelated, phrase: c.phrase, hints: p.wordsBetween(i, e)}, c.end, c.cost + 0.05})
		}
		for _, none := range p.ends(e, "no") {
			out = append(out, p.absence(none, p.wordsBetween(i, e))...)
		}
	}
	out = slices.Concat(out, p.sameAs(i), withCost(p.inTime(i), 0.1), p.dueTime(i), p.namedAs(i), p.verb(i), p.inStock(i), p.punctually(i), p.olderThan(i), p.ages(i))
	return slices.Concat(out, p.statesPhrasedAt(i, 0.05), p.stateForLongerThan(i), p.flagsAt(i, 0.1)) // "is overdue", "is active"
}

// mostOftenSo reads "absent most often": with the most rows of which a value is the status.
func (p *parser) mostOftenSo(v candidate) (out []modifierCandidate) {
	for e, most := range p.eitherOf(v.end, "most_often", "least_often") {
		for _, h := range v.phrase.valueColumns() {
			r := h.column.Relation
			if c, ok := p.valueCondition(v.phrase, h.column, false); ok && p.at(e-1).lower == "often" && most && p.lexicon.isStatus(h.column) && !p.isPeople(r) && !p.mentionsRelation(r) {
				out = append(out, modifierCandidate{modifier{kind: modifierMostRows, phrase: p.entity(r).holding(c), descending: true, count: "1"}, e, v.cost + 0.1})
			}
		}
	}
	return out
}

// agedBetween reads "between 20 and 40 years old".
func (p *parser) agedBetween(i int) (out []modifierCandidate) {
	for _, c := range p.comparisons(i) {
		if c.phrase != nil || c.values != nil || len(c.value.literals) == 0 || c.end == i {
			continue
		}
		for _, a := range p.adjectives[c.end-1][c.end] {
			if a.degree == baseDegree {
				out = append(out, modifierCandidate{modifier{kind: modifierComparative, adjective: &a, op: c.op, value: c.value}, c.end, c.cost + 0.05})
			}
		}
	}
	return out
}

// measured reads verbs that stand for a measure: "weighs more than 10".
func (p *parser) measured(i int) (out []modifierCandidate) {
	if i >= len(p.tokens) {
		return nil
	}
	words, ok := p.language.measures[p.tokens[i].stem]
	if !ok || len(words) == 0 || p.tokens[i].kind != wordToken {
		return nil
	}
	a := p.attributeNamed(words, nil, i, i+1)
	if a == nil {
		return nil
	}
	costs := slices.Contains(words, "price")
	for _, c := range p.comparisons(i + 1) {
		m := comparisonModifier(a, c)
		m.money = costs
		out = append(out, modifierCandidate{m, c.end, c.cost + 0.1})
		if costs && !isEquality(c.op) && c.phrase == nil && len(c.value.literals) > 0 { // an order costs what it comes to
			out = append(out, modifierCandidate{modifier{kind: modifierAmount, op: c.op, value: c.value, money: true}, c.end, c.cost + 0.1})
		}
	}
	for e, most := range p.eitherOf(i+1, "most", "least") {
		out = append(out, modifierCandidate{modifier{kind: modifierSuperlative, attribute: a, descending: most, count: "1"}, e, 0.2})
	}
	return out
}
