// Reading what may be said behind a noun phrase.

package grammar

import (
	"slices"

	"askpg/catalog"
)

// modifiers returns what may be said after a noun phrase that ends at i.
func (p *parser) modifiers(i int) (out []modifierCandidate) {
	if i >= len(p.tokens) || p.isExhausted() {
		return nil
	}
	if r, ok := p.modifiersAt[i]; ok {
		return r
	}
	p.modifiersAt[i] = nil
	p.steps++
	for _, read := range []func(int) []modifierCandidate{
		p.ofNoun, p.ofNumber, p.prepositional, p.numbered, p.inTime, p.inTimeBy, p.withPhrase, p.flagBehind, p.negatedFlag, p.dueTime, p.inStock, p.stateBehind, p.withoutPhrase, p.exceptNoun,
		p.relativeClause, p.questionClause, p.pronounClause, p.whoseClause, p.groupedBy, p.namedAs, p.beginsWith,
		p.ordering, p.comparative, p.ages, p.percentages, p.periods, p.punctually, p.olderThan,
		p.reducedClause, p.measured, p.impliedAmount, p.levelCompared, p.withStars, p.verbLast, p.nobodyEver, p.unitNamed, p.afterFiller, p.joined, p.stateForLongerThan, p.byCount, p.attributeSaid, p.stateOfTwoWords, p.sameAs, p.growthBehind, p.twoValues,
	} {
		out = append(out, read(i)...)
	}
	alternatives, both := p.alternatives(out), p.secondBound(out)
	out = keepModifiers(append(append(out, alternatives...), both...))
	p.modifiersAt[i] = out
	return out
}

// ofNoun reads "of customers".
func (p *parser) ofNoun(i int) (out []modifierCandidate) {
	for _, c := range p.nounsFrom(p.ends(i, "of_strict")) {
		m := modifier{kind: modifierOf, phrase: c.phrase}
		out = append(append(out, modifierCandidate{m, c.end, c.cost}), p.besideOther(c, m)...)
	}
	return out
}

// twoValues reads "web vs phone" behind a measure: "average order value web vs phone".
func (p *parser) twoValues(i int) (out []modifierCandidate) {
	for _, c := range p.values(i) {
		out = append(out, p.besideOther(c, modifier{kind: modifierRelated, phrase: c.phrase})...)
	}
	return out
}

// besideOther reads "York" behind "in Leeds compared to", and "individual courses" behind "of group courses vs": a row for each of two values
// of one column.
func (p *parser) besideOther(c candidate, m modifier) (out []modifierCandidate) {
	for _, o := range p.nounsFrom(p.behind(p.versus(c.end), "article")) {
		switch a, b := c.phrase, o.phrase; {
		case a.isValue() && b.isValue() && len(a.values) == 1 && len(b.values) == 1:
			for _, h := range a.values[0] {
				for _, other := range b.values[0] {
					if h.column == other.column {
						m.phrase = &phrase{values: [][]valueMention{{h}, {other}}, words: a.words, alternatives: true}
						out = append(out, besideEachOther(m, h.column, o.end, c.cost+o.cost+0.1))
					}
				}
			}
		case a.isPlain() && b.isPlain() && a.set.relation == b.set.relation && len(a.set.conditions) == 1 && len(b.set.conditions) == 1:
			one, other := a.set.conditions[0], b.set.conditions[0]
			if one.kind == compare && other.kind == compare && one.column == other.column && one.op == "=" && other.op == "=" && isText(one.column) {
				s := *a.set
				s.conditions = []condition{eitherValue(one, other)}
				m.phrase = a.over(&s)
				out = append(out, besideEachOther(m, one.column, o.end, c.cost+o.cost+0.1))
			}
		}
	}
	return out
}

// besideEachOther says what a modifier does of two values of a column, for each of them.
func besideEachOther(m modifier, c *catalog.Column, end int, cost float64) modifierCandidate {
	key := &phrase{items: []item{{attribute: &attribute{candidates: []columnCandidate{{column: c, score: 1}}}}}}
	return modifierCandidate{modifier{kind: modifierAll, eachValue: true, parts: []modifier{m, {kind: modifierGroup, phrase: key, hints: []string{"per"}}}}, end, cost}
}

// ofNumber reads "of more than 12 days", as "with more than 12 days".
func (p *parser) ofNumber(i int) []modifierCandidate {
	if _, year := p.yearAt(i + 1); year || p.at(i).lower != "of" {
		return nil
	}
	return withCost(p.haveNumber(i+1), 0.1)
}

// prepositional reads "in Berlin", "from customers in France", "by Ann".
func (p *parser) prepositional(i int) (out []modifierCandidate) {
	for e, c := range p.nounsFrom(p.behind(p.ends(i, "in"), "one_or_other")) {
		if p.at(i).lower == "by" && e == i+1 && !p.isVerbForm(i-1) && p.isKey(c.phrase) && !p.isWay(c.phrase) {
			continue
		}
		m := modifier{kind: modifierRelated, phrase: c.phrase, hints: p.wordsBetween(i, e)}
		out = append(append(out, modifierCandidate{m, c.end, c.cost + 0.05}), p.besideOther(c, m)...)
	}
	if w := p.at(i).lower; w == "in" || w == "on" || w == "at" { // "in more than 2 courses"
		if n, _ := p.number(i + 1); n == "" {
			out = append(out, withCost(p.quantified(i+1, p.wordsBetween(i, i+1)), 0.1)...)
		}
	}
	return out
}

// isVerbForm reports whether token i is a verb and no noun for things or for a number: of "returns by store" nothing returns, and "stock by store" is
// what there is.
func (p *parser) isVerbForm(i int) bool {
	if i < 0 || !p.isInflected(i) {
		return false
	}
	subject := i > 0 && slices.Contains([]string{"we", "they", "who", "that", "she", "he"}, p.tokens[i-1].lower)
	number := slices.ContainsFunc(p.mentions.attributes[i][i+1].all(), func(c columnCandidate) bool {
		return c.score >= exactNameScore && c.column.Class == catalog.Number
	})
	return subject || len(p.mentions.relations[i]) == 0 && !number
}

// inTime reads "in May 2024".
func (p *parser) inTime(i int) (out []modifierCandidate) {
	for _, d := range p.date(i) {
		out = append(out, modifierCandidate{modifier{kind: modifierDate, date: &d.dates}, d.end, d.cost})
	}
	return out
}

// inTimeBy reads "in 2024 by revenue": the time of what customers are ranked by, and not that at which they came.
func (p *parser) inTimeBy(i int) (out []modifierCandidate) {
	for _, d := range p.inTime(i) {
		for _, by := range p.groupedBy(d.end) {
			if by.modifier.kind == modifierGroup && by.modifier.isKeyBehindBy() && by.modifier.op == "" && (by.modifier.phrase.hasAggregate() || p.isRevenue(by.modifier.phrase)) {
				out = append(out, modifierCandidate{modifier{kind: modifierAll, parts: []modifier{by.modifier, d.modifier}}, by.end, d.cost + by.cost})
			}
		}
	}
	return out
}

// withPhrase reads "with at least two orders". What times are compared "with" is no part of the things.
func (p *parser) withPhrase(i int) []modifierCandidate {
	if len(p.versus(i)) > 0 && p.endsDate(i) {
		return nil
	}
	return each(p.ends(i, "with"), p.havePhrase)
}

// flagBehind reads a flag behind what has it: "products discontinued".
func (p *parser) flagBehind(i int) []modifierCandidate { return p.flagsAt(i, 0.25) }

// negatedFlag reads "not on display", "not overdue".
func (p *parser) negatedFlag(i int) []modifierCandidate {
	if p.at(i).lower != "not" {
		return nil
	}
	out := append(p.flagsAt(i+1, 0.1), p.statesPhrasedAt(i+1, 0.1)...)
	for k := range out {
		out[k].modifier = out[k].modifier.not()
	}
	return out
}

// flagsAt reads the columns of flags that begin at token i.
func (p *parser) flagsAt(i int, cost float64) (out []modifierCandidate) {
	for end, a := range inOrder(p.mentions.attributes[i]) {
		if since := sinceTimes(a); since != nil && p.tokens[end-1].lower != "since" {
			out = append(out, modifierCandidate{modifier{kind: modifierCompare, attribute: since, op: "is not null"}, end, cost})
		}
		if flag := p.boolean(a); flag != nil {
			out = append(out, modifierCandidate{modifier{kind: modifierCompare, attribute: flag, op: "true"}, end, cost + 3*(1-flag.candidates[0].score)/2})
		}
	}
	return out
}

// dueTime reads "due more than 60 days ago": a column of times and a time. The "since" of "since 2024" belongs to the time, even if a
// column has that name.
func (p *parser) dueTime(i int) (out []modifierCandidate) {
	for end, a := range inOrder(p.mentions.attributes[i]) {
		if !isTime(a.candidates[0].column) {
			continue
		}
		if p.tokens[end-1].lower == "since" {
			end--
		}
		for _, d := range p.date(end) {
			cost := d.cost + 0.1 + 3*(1-a.candidates[0].score)/2
			if m, ok := p.validIn(a, &d.dates); ok {
				out = append(out, modifierCandidate{m, d.end, cost})
				continue
			}
			out = append(out, modifierCandidate{modifier{kind: modifierDate, date: &d.dates, attribute: a}, d.end, cost})
		}
	}
	return out
}

// validIn says that what has a begin and an end, both called by one word, lasts in a time: "valid today". It is not ok where
// nothing has the two.
func (p *parser) validIn(a *attribute, in *dateRange) (m modifier, ok bool) {
	first, last := a.candidates[0], a.candidates[0]
	for _, c := range a.candidates {
		names := splitName(c.column.Name)
		switch end := names[len(names)-1]; {
		case c.column.Relation != first.column.Relation || c.score < first.score:
		case end == "from" || end == "since":
			first = c
		case end == "until" || end == "to" || end == "till":
			last = c
		}
	}
	if first.column == last.column || !isTime(first.column) || !isTime(last.column) || !in.isClosed() || len(in.or) > 0 {
		return modifier{}, false
	}
	begun, goes := *in, *in
	begun.lo, begun.loYear, goes.hi, goes.hiYear = "", 0, "", 0
	of := func(c columnCandidate, d *dateRange) modifier {
		return modifier{kind: modifierDate, date: d, attribute: &attribute{candidates: []columnCandidate{c}, start: a.start, end: a.end}}
	}
	still := of(last, &goes)
	if !last.column.NotNull {
		still = modifier{kind: modifierAny, parts: []modifier{{kind: modifierCompare, attribute: still.attribute, op: "is null"}, still}}
	}
	return modifier{kind: modifierAll, parts: []modifier{of(first, &begun), still}}, true
}

// stateBehind reads "invoices overdue".
func (p *parser) stateBehind(i int) []modifierCandidate { return p.statesPhrasedAt(i, 0.25) }

// statesPhrasedAt reads the states that begin at token i.
func (p *parser) statesPhrasedAt(i int, cost float64) (out []modifierCandidate) {
	for e, states := range inOrder(p.statesAt[i]) {
		out = append(out, modifierCandidate{modifier{kind: modifierState, states: states, hints: []string{p.text(i, e)}}, e, cost})
		if p.at(e).lower == "today" {
			out = append(out, modifierCandidate{modifier{kind: modifierState, states: states, hints: []string{p.text(i, e)}}, e + 1, cost}) // that is when it is asked
		}
	}
	return out
}

// withoutPhrase reads "without orders", "without the people who left".
func (p *parser) withoutPhrase(i int) (out []modifierCandidate) {
	for _, e := range p.ends(i, "without") {
		out = append(out, p.absence(e, p.wordsBetween(i, e))...)
	}
	out = append(out, p.notGiven(i)...)
	for _, e := range p.ends(i, "without", "except") {
		for _, l := range p.ends(e, "leavers") {
			if a := p.leaving(e, l); a != nil {
				out = append(out, modifierCandidate{modifier{kind: modifierCompare, attribute: a, op: "is null"}, l, 0.1})
			}
		}
	}
	return out
}

// exceptNoun reads "except those in Berlin".
func (p *parser) exceptNoun(i int) (out []modifierCandidate) {
	for e, c := range p.nounsFrom(p.ends(i, "except")) {
		if p.at(i).lower == "but" && p.isInflected(e) && p.inClause(i) {
			continue // "who made a booking but never stayed": who it is
		}
		out = append(out, modifierCandidate{modifier{kind: modifierExcept, phrase: c.phrase}, c.end, c.cost})
	}
	for _, e := range p.then(p.behind(p.ends(i, "except"), "article"), "the_one") {
		for _, m := range p.modifiers(e) {
			if said := p.at(e - 1).lower; m.modifier.holdsOrNot() && said != "that" {
				out = append(out, modifierCandidate{m.modifier.not(), m.end, m.cost})
			}
		}
	}
	return out
}

// relativeClause reads "that were never ordered", "which the river runs through".
func (p *parser) relativeClause(i int) (out []modifierCandidate) {
	for _, e := range p.ends(i, "relative") {
		if p.at(e).lower == "we" && e > i+1 {
			e++ // "tools of which we have one"
		}
		out = slices.Concat(out, p.verbPhrase(e), withCost(p.inverted(e), 0.1), p.verbLast(e), p.nobodyEver(e))
		for _, there := range p.ends(e, "there_are") {
			if p.at(i).lower != "in" {
				out = append(out, p.havePhrase(there)...) // "for which there are no orders"
			}
		}
	}
	return out
}

// questionClause reads a clause in the order of words of a question: "do teachers teach", and "do we have no teachers" behind
// "in which towns".
func (p *parser) questionClause(i int) []modifierCandidate {
	if len(p.ends(i, "do", "be_bare")) == 0 {
		return nil
	}
	out := append(p.inverted(i), p.mostOfThem(i)...)
	if slices.ContainsFunc(p.prepositions(0), func(e int) bool { return p.at(e).lower == "which" || p.at(e).lower == "what" }) {
		out = append(out, each(p.ends(i, "we_have"), p.havePhrase)...)
	}
	return withCost(out, 0.1)
}

// mostOfThem reads "do most of our products come from" behind "which country": that of the most of them. Each of them has one at most.
func (p *parser) mostOfThem(i int) (out []modifierCandidate) {
	for _, most := range p.behind(p.ends(i, "do", "be_bare"), "most") {
		for _, c := range p.nounsFrom(p.maybe(most, "article")) {
			if most == i+1 || !c.phrase.isEntity() || c.phrase.number != "" || len(c.phrase.group) > 0 {
				continue
			}
			ends := p.prepositions(c.end)
			for _, v := range p.verbEnds(c.end) {
				ends = append(ends, v.end)
			}
			for _, e := range ends {
				m := modifier{kind: modifierMostRows, phrase: c.phrase, descending: true, count: "1", hints: p.wordsBetween(c.end, e), ofThingItself: true}
				out = append(out, modifierCandidate{m, e, c.cost + 0.1})
			}
		}
	}
	return out
}

// pronounClause reads "they teach", "they are arranged to teach", which adds nothing.
func (p *parser) pronounClause(i int) (out []modifierCandidate) {
	for _, d := range p.behind(p.ends(i, "pronoun"), "do", "be_bare") {
		for _, v := range p.verbEnds(d) {
			out = append(out, modifierCandidate{modifier{kind: modifierFiller}, v.end, v.cost + 0.1})
			if p.at(v.end).lower == "to" && p.isVerb(v.end+1) {
				out = append(out, modifierCandidate{modifier{kind: modifierFiller}, v.end + 2, v.cost + 0.1})
			}
		}
	}
	return out
}

// whoseClause reads "whose price is above 100".
func (p *parser) whoseClause(i int) []modifierCandidate {
	return each(p.ends(i, "whose"), p.whose)
}

// groupedBy reads "per customer", "by month", "month by month".
func (p *parser) groupedBy(i int) (out []modifierCandidate) {
	if unit, e := p.dateUnit(i); e > i && p.at(e).lower == "by" && p.at(e+1).lower == p.at(i).lower {
		out = append(out, modifierCandidate{modifier{kind: modifierGroup, op: unit, hints: []string{"by"}}, e + 2, 0.05})
	}
	if unit, e := p.dateUnit(i + 1); e > i+1 && p.at(i).lower == "every" {
		out = append(out, modifierCandidate{modifier{kind: modifierGroup, op: unit, hints: []string{"every"}}, e, 0.05})
	}
	for _, e := range p.ends(i, "group") {
		if len(p.byCount(i)) > 0 && !p.isExactColumnName(i+1) || isUniversal(p.at(e).lower) && p.at(i).lower == "by" {
			continue // by how many there are, and not by an amount; "by every" is one phrase
		}
		for _, m := range p.keys(e) {
			m.modifier.hints = p.wordsBetween(i, e)
			out = append(out, m)
			if m.modifier.isKeyBehindBy() || p.at(m.end).lower != "by" {
				continue
			}
			for _, by := range p.groupedBy(m.end) {
				if by.modifier.kind == modifierGroup && by.modifier.isKeyBehindBy() { // "top 3 products per category by sales"
					both := modifier{kind: modifierAll, parts: []modifier{by.modifier, m.modifier}}
					out = append(out, modifierCandidate{both, by.end, m.cost + by.cost})
				}
			}
		}
	}
	return out
}

// namedAs reads "called Ann".
func (p *parser) namedAs(i int) (out []modifierCandidate) {
	for _, e := range p.ends(i, "named") {
		for _, v := range p.values(e) {
			out = append(out, modifierCandidate{modifier{kind: modifierNamed, phrase: v.phrase}, v.end, v.cost})
		}
	}
	return out
}

// beginsWith reads "starting with A", "that end in 'son'" behind things: their names do.
func (p *parser) beginsWith(i int) (out []modifierCandidate) {
	if i == 0 || singular(p.tokens[i-1].lower) == "" || len(p.ends(i, "starts", "ends")) == 0 {
		return nil
	}
	for _, c := range p.like(i, false) {
		if len(p.ends(i, "contains")) == 0 {
			out = append(out, modifierCandidate{comparisonModifier(&attribute{asksName: true, start: i, end: i}, c), c.end, c.cost})
		}
	}
	return out
}

// punctually reads "late", "on time", where no verb says of what.
func (p *parser) punctually(i int) []modifierCandidate { return p.punctual(i, nil) }

// reducedClause reads a relative clause without its pronoun, or a participle: "customers
// living in Berlin".
func (p *parser) reducedClause(i int) []modifierCandidate { return withCost(p.verbPhrase(i), 0.25) }

// unitNamed reads "in hours", which adds nothing.
func (p *parser) unitNamed(i int) (out []modifierCandidate) {
	w := p.at(i + 1).lower
	if p.at(i).lower != "in" || currency[w] && dimensionOf(w) == nil && (!moneyUnits[w] || isSaid(p.tokens[:i], "paid")) || isSaid(p.tokens[:i], "many") && moneyUnits[w] || w == "people" || len(p.mentions.values[i+1]) > 0 {
		return nil
	}
	for _, u := range p.unit(i + 1) {
		if p.percentAt(i + 1) {
			out = append(out, modifierCandidate{modifier{kind: modifierFiller}, u, 0.5}) // of what is in percent anyhow
		} else if u > i+1 {
			out = append(out, modifierCandidate{modifier{kind: modifierFiller}, u, 0.1})
		}
	}
	return out
}

// afterFiller reads a modifier behind words that add nothing: "currently", "so far".
func (p *parser) afterFiller(i int) (out []modifierCandidate) {
	for _, e := range p.ends(i, "noise", "now") {
		out = append(out, withCost(p.modifiers(e), 0.1)...)
	}
	return out
}

// joined reads a further modifier: ", with ...", "and whose ...", "but no returns".
func (p *parser) joined(i int) (out []modifierCandidate) {
	for _, and := range p.behind(p.maybe(i, "comma"), "and") {
		if and == i {
			continue
		}
		for _, no := range p.ends(and, "no") {
			out = append(out, p.absence(no, []string{"have"})...) // "with orders but no returns"
		}
		done := p.at(and-1).lower == "but" && len(p.ends(and, "not")) > 0 && p.inClause(i)
		for _, m := range p.modifiers(and) {
			if m.modifier.leading || done || m.modifier.date != nil && p.comparesAcross(and) {
				continue
			}
			out = append(out, modifierCandidate{m.modifier, m.end, m.cost + 0.12})
		}
	}
	return out
}

// currency words are units that choose rows where there are several: "paid in
// dollars" is not said for nothing.
var currency = wordSet([]string{"dollars", "usd", "euro", "euros", "eur", "bucks", "us", "pound", "pounds", "gbp", "quid"})

// alternatives reads "A or B" where B is a modifier of its own.
func (p *parser) alternatives(list []modifierCandidate) []modifierCandidate {
	var out, before []modifierCandidate
	for _, m := range list {
		if len(p.ends(m.end, "or")) > 0 {
			before = append(before, m)
		}
	}
	for _, a := range keepModifiers(before) {
		for _, e := range p.ends(a.end, "or") {
			if a.modifier.kind == modifierGroup || a.modifier.kind == modifierOrder {
				continue
			}
			for _, b := range p.otherwise(a.modifier, e) {
				if b.modifier.kind == modifierGroup || b.modifier.kind == modifierOrder || b.modifier.kind == modifierAny {
					continue
				}
				out = append(out, modifierCandidate{modifier{kind: modifierAny, parts: []modifier{a.modifier, b.modifier}}, b.end, a.cost + b.cost + 0.2})
			}
		}
	}
	return out
}

// otherwise reads at i, behind "or", what may hold in place of a modifier.
func (p *parser) otherwise(m modifier, i int) []modifierCandidate {
	out := slices.Concat(p.modifiers(i), p.verbPhrase(i))
	if m.kind == modifierRelated && len(m.hints) > 0 || m.kind == modifierCompare {
		out = append(out, p.havePhrase(i)...)
	}
	if m.kind == modifierCompare && m.attribute != nil {
		for _, c := range p.comparisons(i) { // "cost less than 10 or more than 20"
			other := comparisonModifier(m.attribute, c)
			other.summed = m.summed
			out = append(out, modifierCandidate{other, c.end, c.cost})
		}
	}
	return out
}

// wordsBetween returns the words of tokens in lower case.
func (p *parser) wordsBetween(i, j int) (out []string) {
	for ; i < j; i++ {
		out = append(out, p.tokens[i].lower)
	}
	return out
}
