// Reading "who", "how much", "where" and "when".

package grammar

import (
	"slices"

	"askpg/catalog"
)

// howMuch reads "how old is ...", "how much does ... weigh", "how many cylinders
// does ... have".
func (p *parser) howMuch(i int) []candidate {
	out := each(p.ends(i, "how"), p.howAdjective)
	starts := p.ends(i, "how_many")
	if p.at(i).lower == "what" && len(p.ends(i+1, "do")) > 0 {
		starts = append(slices.Clone(starts), i+1) // "what does a ticket cost"
	}
	for _, e := range starts {
		out = append(out, each(p.maybe(e, "do"), p.measuredBy)...)
		if p.at(i+1).lower == "much" {
			out = append(out, p.amountOf(e)...)
			out = append(out, p.amountOfDoer(e)...)
		}
		out = append(out, p.howManyHave(e)...)
	}
	return keepPerEnd(out)
}

// ofOwner makes an attribute that of the things c, which end at token end.
func (p *parser) ofOwner(a *attribute, c candidate, end int) (out []candidate) {
	out = append(out, candidates(p.applyOf(&phrase{items: []item{{attribute: a}}}, &modifier{kind: modifierOf, phrase: c.phrase}), end, c.cost+0.1)...)
	return out
}

// howAdjective reads "old is Ann" behind "how".
func (p *parser) howAdjective(i int) (out []candidate) {
	for e, f := range p.adjectivesAt(i, baseDegree) {
		a := p.attributeNamed(f.columns, nil, i, e)
		var ages *attribute
		if slices.Contains(f.columns, "age") {
			ages = p.agesNamed(i, e, func(*label) bool { return true })
		}
		for _, c := range p.nounsFrom(p.maybe(e, "be", "do")) {
			if a != nil {
				out = append(out, p.ofOwner(a, c, c.end)...)
			}
			if ages != nil {
				out = append(out, slices.DeleteFunc(p.ofOwner(ages, c, c.end), func(r candidate) bool {
					return len(r.phrase.items) != 1 || r.phrase.items[0].setID != r.phrase.set.id // a person's age is no ticket's
				})...)
			}
		}
	}
	return out
}

// measuredBy reads "a ticket cost", "a ticket cost per month": a verb that stands for a measure.
func (p *parser) measuredBy(i int) (out []candidate) {
	for _, c := range p.noun(i) {
		words := p.language.measures[p.at(c.end).stem]
		if len(words) == 0 {
			continue
		}
		a := p.attributeNamed(words, nil, c.end, c.end+1)
		if a == nil {
			continue
		}
		out = append(out, p.ofOwner(a, c, c.end+1)...)
		if b, e := p.perUnit(a, c.end+1); b != nil {
			out = append(out, p.ofOwner(b, c, e)...)
		}
	}
	return out
}

// howManyHave reads "cylinders does it have": the attribute is a number itself.
func (p *parser) howManyHave(i int) (out []candidate) {
	for end, a := range inOrder(p.mentions.attributes[i]) {
		number := onlyNumeric(a)
		if number == nil {
			continue
		}
		base := &phrase{items: []item{{attribute: number}}}
		for _, c := range p.extend([]candidate{{base, end, 0.35 + p.partialNameCost(number) + 3*(1-number.candidates[0].score)/2}}) {
			if c.phrase.set != nil && len(c.phrase.items) == 1 {
				out = append(out, c)
			}
		}
	}
	return out
}

// amountOf reads "did we refund last year" after "how much": the only amount of
// what the verb names, added up.
func (p *parser) amountOf(i int) (out []candidate) {
	for _, d := range p.ends(i, "do") {
		out = slices.Concat(out, p.spentOn(d), p.extend(p.measureHeads(d)))
		for _, m := range p.mentions.relations[d] {
			amount := p.onlyAmount(m.relation)
			if amount == nil && p.lexicon.isOrder(m.relation) {
				amount = p.lexicon.onlyMoney(m.relation)
			}
			if m.score < namedScore || m.end != d+1 || amount == nil {
				continue
			}
			n := p.entity(m.relation)
			n.items = []item{{column: amount, setID: n.set.id, aggregate: "sum"}}
			out = append(out, p.extend([]candidate{{n, m.end, 0.4}})...)
		}
		out = append(out, p.amountRaised(d)...)
		if amount := p.amountOfVerb(d); amount != nil {
			n := p.entity(amount.Relation)
			n.items = []item{{column: amount, setID: n.set.id, aggregate: "sum"}}
			out = append(out, p.extend([]candidate{{n, d + 1, 0.4}})...)
		}
	}
	return out
}

// amountOfVerb returns the only amount of money of what happened that the verb at token i names: what we "refund" is the refund_amount. nil if
// there are several or none.
func (p *parser) amountOfVerb(i int) *catalog.Column {
	var amounts []*catalog.Column
	for _, c := range p.mentions.attributes[i][i+1].all() {
		if p.isVerb(i) && p.mayBeMoney(c.column) && p.isAdditive(c.column) && len(p.lexicon.relationInfo[c.column.Relation].dates) > 0 {
			amounts = append(amounts, c.column)
		}
	}
	return only(amounts)
}

// amountRaised reads "raised", "the campaign raise" behind "how much have we": the money of what was given, added up.
func (p *parser) amountRaised(i int) (out []candidate) {
	event := p.eventOf([]string{"give"})
	given := onlyWhere(p.relations, func(r *catalog.Relation) bool { return p.recordsEvent(r, event) && p.areSumsOfMoney(r) })
	if given == nil {
		return nil
	}
	n := p.entity(given)
	n.items = []item{{column: p.onlyAmount(given), setID: n.set.id, aggregate: "sum"}}
	if p.language.fundraisingVerbs[p.at(i).stem] {
		out = append(out, candidate{n, i + 1, 0.4})
	}
	for _, c := range p.things(i) {
		if !p.language.fundraisingVerbs[p.at(c.end).stem] || !onlyComparisons(c.phrase.set.conditions) || len(c.phrase.set.conditions) == 0 {
			continue
		}
		out = append(out, candidates(p.relate(n, c.phrase.set, &modifier{kind: modifierRelated}), c.end+1, c.cost+0.1)...)
	}
	return p.extend(out)
}

// amountOfDoer reads "did Ann donate last year" after "how much": the amounts of money of what somebody did, added up.
func (p *parser) amountOfDoer(i int) (out []candidate) {
	for _, d := range p.ends(i, "do") {
		for _, c := range p.things(d) {
			done := p.eventsOfThing(c, c.end, func(n *phrase, h verbEvent) {
				if amount := p.onlyMoneyColumn(h.relation); amount != nil {
					n.items = []item{{column: amount, setID: n.set.id, aggregate: "sum"}}
				}
			})
			out = append(out, p.extend(slices.DeleteFunc(done, func(c candidate) bool { return len(c.phrase.items) == 0 }))...)
		}
	}
	return out
}

// spentOn reads "spend on repairs" behind "how much did we".
func (p *parser) spentOn(i int) (out []candidate) {
	if s := p.at(i).stem; s != "spend" && s != "pay" {
		return nil
	}
	for _, c := range p.nounsFrom(p.ends(i+1, "in")) {
		if !c.phrase.isEntity() || len(c.phrase.group) > 0 || c.phrase.set.superlative != nil || len(p.lexicon.relationInfo[c.phrase.set.relation].dates) == 0 {
			continue // what has no time is a list of prices
		}
		if amount := p.onlyMoneyColumn(c.phrase.set.relation); amount != nil {
			out = append(out, p.extend([]candidate{{c.phrase.withItems(item{column: amount, setID: c.phrase.set.id, aggregate: "sum"}), c.end, c.cost + 0.2}})...)
		}
	}
	return out
}

// onlyMoneyColumn returns the only column of amounts of money of a relation, nil if there are several or none.
func (p *parser) onlyMoneyColumn(r *catalog.Relation) *catalog.Column {
	return onlyWhere(r.Columns, func(c *catalog.Column) bool {
		named := slices.ContainsFunc(p.lexicon.relationInfo[r].names[c], func(s string) bool { return s == "amount" || s == "total" || s == "cost" || s == "fee" })
		return named && c.Class == catalog.Number && !p.isIdentifier(c)
	})
}

// perUnit reads "per month" behind "what does it cost": the columns that are called by
// that unit, such as monthly_price. nil if there is none.
func (p *parser) perUnit(a *attribute, i int) (*attribute, int) {
	if w := p.at(i).lower; w != "per" && w != "a" && w != "an" && w != "each" {
		return nil, i
	}
	unit, end := p.dateUnit(i + 1)
	b := *a
	b.candidates = slices.DeleteFunc(slices.Clone(a.candidates), func(c columnCandidate) bool {
		return !slices.ContainsFunc(splitName(c.column.Name), func(w string) bool { return slices.Contains(p.language.dates.Units[unit], w) })
	})
	if end == i+1 || len(b.candidates) == 0 {
		return nil, i
	}
	return &b, end
}

// onlyAmount returns the only column of a relation whose values add up, nil if there are several or none.
func (p *parser) onlyAmount(r *catalog.Relation) *catalog.Column {
	return onlyWhere(r.Columns, p.isAdditive)
}

// whereWhen reads "where is ...", "when was ...".
func (p *parser) whereWhen(i, end int) (out []candidate) {
	for e, where := range p.eitherOf(i, "where", "when") {
		for _, c := range p.noun(e) {
			entities := []reading{{c.phrase, 0}}
			if c.phrase.isValue() {
				entities = p.valueEntity(c.phrase)
			}
			for _, n := range entities {
				if !n.phrase.isEntity() {
					continue
				}
				if where {
					out = append(out, p.answeredBy(p.language.whereNames, c, n, end, false)...)
				} else {
					out = append(out, p.whenOf(c, n, end)...)
					out = append(out, p.whenBecame(c, n)...)
					out = append(out, p.answeredBy(p.language.whenNames, c, n, end, true)...)
				}
			}
		}
	}
	return out
}

// hasAddressElsewhere reports whether a column tells but the region or the country of things that have addresses of their own in another
// relation: where somebody lives is rather said there.
func (p *parser) hasAddressElsewhere(c *catalog.Column) bool {
	called := func(c *catalog.Column, words ...string) bool {
		return intersect(wordSet(p.lexicon.relationInfo[c.Relation].names[c]), p.language.stems(words))
	}
	return called(c, "region", "state", "country") && slices.ContainsFunc(p.lexicon.graph.edges[c.Relation], func(e *edge) bool {
		return !e.toOne && slices.ContainsFunc(e.to.Columns, func(o *catalog.Column) bool { return called(o, "address", "city", "town", "street") })
	})
}

// answeredBy asks for the columns of things that are called by one of the words, a place or a time:
// "he from" behind "where is", "it built" behind "when was".
func (p *parser) answeredBy(words []string, c candidate, n reading, end int, time bool) (out []candidate) {
	a := p.columnsNamed(words, n.phrase.set.relation, time)
	if a == nil || time && (a.candidates[0].column.Class == catalog.Time || p.isPeople(n.phrase.set.relation)) {
		return nil // the time of day does not tell the day, and nobody is at a time
	}
	if !time && p.lexicon.isOrder(n.phrase.set.relation) {
		return nil // an order is not where its customer lives
	}
	if !time && p.hasAddressElsewhere(a.candidates[0].column) {
		return nil
	}
	ends := p.maybe(c.end, "in")
	if c.end < end && p.isVerb(c.end) {
		ends = append(ends, c.end+1)
	}
	for _, r := range p.attributeOf(&phrase{items: []item{{attribute: a}}}, n.phrase) {
		for _, e := range ends {
			out = append(out, candidate{r.phrase, e, c.cost + n.cost + r.cost + 0.3})
		}
	}
	return out
}
