// Why a reading is not worth an answer, or is less likely than its words say.

package grammar

import (
	"cmp"
	"slices"

	"askpg/catalog"
)

// thingsTime is the cost of a time of a thing, such as when a customer signed
// up, where what happened to it has a time too: nobody said "signed up".
const thingsTime = 0.8

// doubtful says why a reading is not worth an answer, "" if it is.
func (p *parser) doubtful(n *phrase) string {
	if n.unsaid != "" {
		return n.unsaid
	}
	if p.onAverage && !n.averages() {
		return "It is not said of what the average is wanted: say average of."
	}
	if n.set != nil && eitherOrEach(n.set, false) {
		return "It is not said whether something has to be so in one of the times or in each: join them by \"or\", or ask for each."
	}
	if why := impossible(n); why != "" {
		return why
	}
	if why := cmp.Or(p.vacuous(n), p.runningDoubt(n), p.pointDoubt(n), p.notYetDoubt(n)); why != "" {
		return why
	}
	if why := p.leftOut(n); why != "" {
		return why
	}
	if why := cmp.Or(p.countedKinds(n), p.perPerson(n)); why != "" {
		return why
	}
	if why := cmp.Or(p.measuredTime(n), p.dueMeasured(n)); why != "" {
		return why
	}
	if why := p.meaningDoubt(n); why != "" {
		return why
	}
	if why := p.unanswered(n); why != "" {
		return why
	}
	if why := p.endedDoubt(n); why != "" {
		return why
	}
	if why := p.undated(n); why != "" {
		return why
	}
	if why := p.strayGauge(n); why != "" {
		return why
	}
	return p.refusedBy(n, (*parser).oneLine, (*parser).ofSomeLines, (*parser).unasked, (*parser).unproved, (*parser).currentDoubt, (*parser).mistakenIn)
}

// eitherOrEach finds times joined by "and" of what has to be there at least
// once: readers with loans in 2023 and 2024 may have them in one year or in
// both. some says that s is such.
func eitherOrEach(s *set, some bool) bool {
	return slices.ContainsFunc(s.conditions, func(c condition) bool {
		return some && c.both || c.kind == related && !c.negated && eitherOrEach(c.child, some || !c.joined && !c.path.toOne())
	})
}

// timeDoubt finds times that are of things beside events. beside says that
// something happened to the things of s.
func (p *parser) timeDoubt(s *set, beside bool) float64 {
	if s == nil {
		return 0
	}
	cost, bare := 0.0, false
	for _, c := range s.conditions {
		bare = bare || c.bare
		if c.kind != related {
			continue
		}
		beside = beside || p.eventEdge(s, c) >= 0
		own := c.path.toOne() && !c.child.read && p.measureDated(s)
		cost += p.timeDoubt(c.child, own || len(c.path.edges) > 1 && p.eventEdge(s, c) >= 0 && p.eventEdge(s, c) < len(c.path.edges)-1)
	}
	if bare && beside {
		cost += thingsTime
	}
	return cost
}

// stateDoubt finds states that are taken for what happened, where what happened
// has a time or rows of its own: what was shipped in May has been shipped then,
// whatever its state is now, and what was delivered has been shipped, too.
func (p *parser) stateDoubt(n *phrase) float64 {
	if n.set == nil {
		return 0
	}
	u := p.used(n)
	for i := range p.tokens {
		if !p.inflected(i) {
			continue
		}
		timed := p.isDated(i) && p.namesTime(i, anyRelation)
		denied := i > 0 && len(p.ends(i-1, "not")) > 0 && (p.namesTime(i, anyRelation) || len(p.mentions.relations[i]) > 0)
		state := slices.ContainsFunc(p.mentions.values[i][i+1], func(h hit) bool {
			return u.columns[h.column] && (timed || !slices.ContainsFunc(n.set.conditions, func(c condition) bool { return c.column == h.column && c.op == "=" }))
		})
		// "booked through the web" says what was done, where the thing has a time of it
		done := p.namesTime(i, func(r *catalog.Relation) bool { return u.relations[r] }) && len(p.prepositions(i+1)) > 0 && p.at(i+1).lower != "in"
		if p.doneHow(i, n, u) || p.madeThen(i) && slices.ContainsFunc(p.mentions.values[i][i+1], func(h hit) bool { return speaksOf(n.set.conditions, h.column) }) {
			return nameless // what was entered in May is no longer "entered"
		}
		if done && slices.ContainsFunc(p.mentions.values[i][i+1], func(h hit) bool { return speaksOf(n.set.conditions, h.column) }) {
			return nameless
		}
		if !state || !timed && !denied {
			continue
		}
		event := slices.ContainsFunc(p.mentions.attributes[i][i+1].all(), func(c columnCandidate) bool { return u.columns[c.column] }) ||
			slices.ContainsFunc(p.mentions.relations[i], func(r relationMention) bool { return u.relations[r.relation] })
		if !event {
			return nameless
		}
	}
	return 0
}

// doneHow reports whether a state of the reading is the verb of how something was done: what was "paid with paypal" need
// not have the status "paid".
func (p *parser) doneHow(i int, n *phrase, u *objects) bool {
	if !saysHow(p.at(i + 1).lower) {
		return false
	}
	for _, h := range p.mentions.values[i][i+1] {
		if !speaksOf(n.set.conditions, h.column) {
			continue
		}
		for _, how := range inOrder(p.mentions.values[i+2]) {
			if slices.ContainsFunc(how, func(o hit) bool {
				return o.column.Relation == h.column.Relation && o.column != h.column && u.columns[o.column]
			}) {
				return true
			}
		}
	}
	return false
}

// saysHow reports whether a word says behind a verb how something was done.
func saysHow(word string) bool {
	switch word {
	case "by", "through", "using", "via", "with":
		return true
	}
	return false
}

// refusedBy returns why the first of some checks refuses a phrase, "" if none does.
func (p *parser) refusedBy(n *phrase, checks ...func(*parser, *phrase) string) string {
	for _, check := range checks {
		if why := check(p, n); why != "" {
			return why
		}
	}
	return ""
}
