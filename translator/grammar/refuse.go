// The list of all checks that refuse a reading, and the costs of readings that are less likely than their words say.

package grammar

import (
	"slices"

	"askpg/catalog"
)

// costOfThingTime is the cost of a time of a thing, such as when a customer signed
// up, where what happened to it has a time too: nobody said "signed up".
const costOfThingTime = 0.8

// refusal returns why a reading is refused, "" if it is not. It is the list of all checks, and each check returns the same. A reading without
// a set divides others, which have sets.
func (p *parser) refusal(n *phrase) string {
	switch {
	case n.refusal != "":
		return n.refusal
	case p.hasOnAverage && !n.isAverage():
		return "It is not said of what the average is wanted: say average of."
	case n.set != nil && hasUnclearTimeList(n.set, false):
		return "It is not said whether something has to be so in one of the times or in each: join them by \"or\", or ask for each."
	}
	if why := refuseImpossible(n); why != "" {
		return why
	}
	if n.set == nil {
		return p.firstRefusal(n, (*parser).refuseVacuous, (*parser).refuseUnclearPoint, (*parser).refuseNotYet, (*parser).refuseWordLeftOut,
			(*parser).refuseUnanswered, (*parser).refuseEAVOfOtherKind, (*parser).refuseKindForAll, (*parser).refuseCountedAmount)
	}
	return p.firstRefusal(n, (*parser).refuseVacuous, (*parser).refuseRunningTotal, (*parser).refuseGrowth, (*parser).refuseUnclearPoint,
		(*parser).refuseNotYet, (*parser).refuseWordLeftOut, (*parser).refuseShareOfNoun, (*parser).refuseKindsCounted, (*parser).refuseAveragePerPerson,
		(*parser).refuseDueMeasure, (*parser).refuseMeaning, (*parser).refuseUnanswered, (*parser).refuseEnded, (*parser).refuseUndated,
		(*parser).refuseEAVOfOtherKind, (*parser).refuseWholeForLines, (*parser).refuseUnasked, (*parser).refuseUnproved,
		(*parser).refuseGuessed, (*parser).refuseUnclearNow, (*parser).refuseMistaken)
}

// hasUnclearTimeList reports whether a related set has times joined by "and": readers "with loans in 2023 and 2024" may have them in
// either year or in each. some says that s itself is related.
func hasUnclearTimeList(s *set, some bool) bool {
	return slices.ContainsFunc(s.conditions, func(c condition) bool {
		return some && c.joinedByAnd || c.kind == related && !c.negated && hasUnclearTimeList(c.child, some || !c.joined && !c.path.toOne())
	})
}

// thingTimeCost is the cost of a time that is compared with a column of things where an event of theirs has a time, too. beside says that
// s is a thing beside an event.
func (p *parser) thingTimeCost(s *set, beside bool) float64 {
	if s == nil {
		return 0
	}
	cost, unbound := 0.0, false
	for _, c := range s.conditions {
		unbound = unbound || c.unbound
		if c.kind != related {
			continue
		}
		beside = beside || p.eventEdge(s, c) >= 0
		own := c.path.toOne() && !c.child.isReadByMeasure && p.measureDated(s)
		cost += p.thingTimeCost(c.child, own || len(c.path.edges) > 1 && p.eventEdge(s, c) >= 0 && p.eventEdge(s, c) < len(c.path.edges)-1)
	}
	if unbound && beside {
		cost += costOfThingTime
	}
	return cost
}

// stateForEventCost is the cost of reading a verb as a state where an event or a time is meant: what was shipped in May may have another
// status by now.
func (p *parser) stateForEventCost(n *phrase) float64 {
	if n.set == nil {
		return 0
	}
	u := p.used(n)
	for i := range p.tokens {
		if !p.isInflected(i) {
			continue
		}
		timed := p.isDated(i) && p.namesTime(i, p.whoseTime(i, u))
		denied := p.isDeniedVerb(i) && (p.namesTime(i, anyRelation) || len(p.mentions.relations[i]) > 0)
		state := slices.ContainsFunc(p.mentions.values[i][i+1], func(h valueMention) bool {
			return u.columns[h.column] && (timed || !slices.ContainsFunc(n.set.conditions, func(c condition) bool { return c.column == h.column && c.op == "=" }))
		})
		// "booked through the web" says what was done, where the thing has a time of it
		done := p.namesTime(i, func(r *catalog.Relation) bool { return u.relations[r] }) && len(p.prepositions(i+1)) > 0 && p.at(i+1).lower != "in"
		if p.isMannerVerb(i, n, u) || p.isCreatedInTime(i) && slices.ContainsFunc(p.mentions.values[i][i+1], func(h valueMention) bool { return speaksOf(n.set.conditions, h.column) }) {
			return noAnswerCost // what was entered in May is no longer "entered"
		}
		if done && slices.ContainsFunc(p.mentions.values[i][i+1], func(h valueMention) bool { return speaksOf(n.set.conditions, h.column) }) {
			return noAnswerCost
		}
		if !state || !timed && !denied {
			continue
		}
		event := slices.ContainsFunc(p.mentions.attributes[i][i+1].all(), func(c columnCandidate) bool { return u.columns[c.column] }) ||
			slices.ContainsFunc(p.mentions.relations[i], func(r relationMention) bool { return u.relations[r.relation] })
		if !event {
			return noAnswerCost
		}
	}
	return 0
}

// whoseTime returns of which relations a participle at token i may name a time. What was cancelled stays so, and the time of that is its own, if it
// has any.
func (p *parser) whoseTime(i int, u *objects) func(*catalog.Relation) bool {
	if slices.Contains(p.language.voidNames, p.tokens[i].stem) {
		return func(r *catalog.Relation) bool { return u.relations[r] }
	}
	return anyRelation
}

// isDeniedVerb reports whether "not", or "not been", stands before a verb.
func (p *parser) isDeniedVerb(i int) bool {
	if i > 0 && p.tokens[i-1].lower == "been" {
		i--
	}
	return i > 0 && len(p.ends(i-1, "not")) > 0
}

// isMannerVerb reports whether a verb that the reading takes for a state is followed by how it was done: what was "paid with paypal" need
// not have the status "paid".
func (p *parser) isMannerVerb(i int, n *phrase, u *objects) bool {
	if !isMannerWord(p.at(i + 1).lower) {
		return false
	}
	for _, h := range p.mentions.values[i][i+1] {
		if !speaksOf(n.set.conditions, h.column) {
			continue
		}
		for _, how := range inOrder(p.mentions.values[i+2]) {
			if slices.ContainsFunc(how, func(o valueMention) bool {
				return o.column.Relation == h.column.Relation && o.column != h.column && u.columns[o.column]
			}) {
				return true
			}
		}
	}
	return false
}

// isMannerWord reports whether a word says behind a verb how something was done.
func isMannerWord(word string) bool {
	return slices.Contains([]string{"by", "through", "using", "via", "with"}, word)
}

// firstRefusal returns why the first of some checks refuses a phrase, "" if none does.
func (p *parser) firstRefusal(n *phrase, checks ...func(*parser, *phrase) string) string {
	for _, check := range checks {
		if why := check(p, n); why != "" {
			return why
		}
	}
	return ""
}
