// Stays: things that begin when somebody arrives and end when he departs, such as "stays longer than 4 nights".

package grammar

import (
	"slices"
	"strings"

	"askpg/catalog"
)

// longerThan reads "4 days" behind "longer than": an adjective of duration.
func (p *parser) longerThan(a adjective, i int) []modifierCandidate {
	if !slices.Contains(a.columns, "duration") {
		return nil
	}
	return p.lasting(i, a.above())
}

// takingMoreThan reads "more than 4 days" behind "took".
func (p *parser) takingMoreThan(i int) (out []modifierCandidate) {
	if !p.takesTime(i - 1) {
		return nil
	}
	for _, c := range comparators {
		for _, e := range p.ends(i, c.tag) {
			out = append(out, p.lasting(e, c.op)...)
		}
	}
	return out
}

// lasting reads "4 days", with which how long things take is compared.
func (p *parser) lasting(i int, op string) []modifierCandidate {
	n, e := p.number(i)
	unit, end := p.durationUnit(e)
	if e == i || unit == "" {
		return nil
	}
	return []modifierCandidate{{modifier{kind: modifierLongerThan, op: op, count: n, hints: []string{unit, p.at(e).lower}}, end, 0.05}}
}

// applyLongerThan compares the time from the begin of things to their end, where they have no duration.
func (p *parser) applyLongerThan(n *phrase, m *modifier) []reading {
	if !n.isEntity() || len(n.group) > 0 || n.set.superlative != nil {
		return nil
	}
	s := p.interval(n.set.relation)
	if s == nil {
		return nil
	}
	unit := m.hints[0]
	days := s.from.Class == catalog.Date && s.to.Class == catalog.Date
	if secondsOf[unit] < secondsOf["day"] && days || isNight(m.hints[1]) && !days {
		return nil // days have no hours, and of moments it is not said how many nights lie between them
	}
	after := operand{column: s.from, literals: []string{interval(m.count, unit)}, plain: m.count + " " + unit + "s"}
	return []reading{{n.holding(condition{kind: compare, column: s.to, op: m.op, value: after}), 0}}
}

// isNight reports whether a word is for the time between two days.
func isNight(word string) bool { return word == "night" || word == "nights" }

// stayHeads reads "stay" as a noun where no relation has that name: it stands for the rows of the only relation with a time of arrival
// and one of departure, without those that were cancelled.
func (p *parser) stayHeads(i int) []candidate {
	if w := p.at(i).lower; w != "stay" && w != "stays" || len(p.mentions.relations[i]) > 0 {
		return nil
	}
	stayed := onlyWhere(p.relations, p.areStays)
	if stayed == nil {
		return nil
	}
	n := p.entity(stayed)
	n.set, n.words, n.isStay = n.set.with(p.conditionsOfStay(stayed, nil)...), [2]int{i, i + 1}, true
	return []candidate{{n, i + 1, 0.1}}
}

// conditionsOfStay returns the conditions by which a stay took place: it was not cancelled, and the guest came.
func (p *parser) conditionsOfStay(r *catalog.Relation, said []condition) []condition {
	return p.lexicon.withoutStatusOf(r, said, slices.Concat(p.language.voidNames, p.language.missedNames))
}

// areStays reports whether the rows of a relation begin when somebody arrives and end when he departs.
func (p *parser) areStays(r *catalog.Relation) bool {
	s := p.interval(r)
	return s != nil && slices.ContainsFunc(p.language.intervals, func(c intervalNames) bool {
		return c.Stay && slices.ContainsFunc(spelledOut(s.from.Name), func(w string) bool { return slices.Contains(c.From, w) }) &&
			slices.ContainsFunc(spelledOut(s.to.Name), func(w string) bool { return slices.Contains(c.To, w) })
	})
}

// durationUntilEvent reads "to close a ticket" behind what asks for the time that it takes.
func (p *parser) durationUntilEvent(i int, aggregate, unit string) (out []candidate) {
	if p.at(i).lower != "to" {
		return nil
	}
	for _, t := range p.namedTimesAt(i + 1) {
		for _, s := range p.intervalsUntil(p.withWordInName(p.tokens[i+1], t.columns)) {
			n := p.durationOf(s, aggregate, unit)
			out = append(out, p.ofThings(n, t.end, 0.3)...)
			for _, c := range p.things(t.end) {
				if c.phrase.set.relation != n.set.relation || c.phrase.set.superlative != nil || len(c.phrase.group) > 0 {
					continue
				}
				x := p.durationOf(s, aggregate, unit)
				x.set = x.set.with(c.phrase.set.conditions...)
				out = append(out, p.ofThings(x, c.end, c.cost+0.2)...)
			}
		}
	}
	return out
}

// durationOfStay reads "guests stay" behind "how long do".
func (p *parser) durationOfStay(c candidate) (out []candidate) {
	if !strings.HasPrefix(p.at(c.end).lower, "stay") {
		return nil
	}
	for _, r := range p.durationsOf(c.phrase, "avg", "") {
		if x := r.phrase; p.areStays(x.set.relation) {
			x.set = x.set.with(p.conditionsOfStay(x.set.relation, x.set.conditions)...)
			out = append(out, candidate{x, c.end + 1, c.cost + r.cost + 0.2})
		}
	}
	return out
}

// verbWithinDuration reads "closed within 2 days", "answered after more than 4 hours", "paid more than 30 days after the invoice date": how long
// it took until something was done.
func (p *parser) verbWithinDuration(v verbHead) (out []modifierCandidate) {
	if v.column == nil || !p.isInflected(v.start) {
		return nil
	}
	read := func(i int, op string) {
		n, e := p.number(i)
		unit, end := p.durationUnit(e)
		if e == i || unit == "" {
			return
		}
		within := modifier{kind: modifierWithin, attribute: v.column, op: op, count: n, hints: []string{unit}}
		if word := p.at(end).lower; word != "after" && word != "of" {
			out = append(out, modifierCandidate{within, end, v.cost + 0.05})
			return
		}
		from := end + 1
		if passive := p.then(p.ends(from, "pronoun"), "be_bare"); len(passive) > 0 {
			from = passive[0] // "after they were ordered"
		}
		for _, t := range append(p.namedTimesAt(from), p.ownTimesAt(from)...) {
			within.columns = p.withWordInName(p.tokens[t.end-1], t.columns)
			out = append(out, modifierCandidate{within, t.end, v.cost + 0.05})
		}
	}
	compared := func(i int) {
		for _, c := range comparators {
			for _, e := range p.ends(i, c.tag) {
				read(e, c.op)
			}
		}
	}
	switch p.at(v.end).lower {
	case "within":
		read(v.end+1, "<=")
	case "in", "after":
		compared(v.end + 1)
	default:
		compared(v.end)
	}
	return out
}

// applyWithin compares the time from when things came to when something was done to them.
func (p *parser) applyWithin(n *phrase, m *modifier) []reading {
	if !n.isEntity() || len(n.group) > 0 || n.set.superlative != nil || isEquality(m.op) {
		return nil
	}
	var times []*catalog.Column
	for _, c := range m.attribute.candidates {
		if c.column.Relation == n.set.relation && isTime(c.column) && c.score >= namedScore {
			times = append(times, c.column)
		}
	}
	intervals := p.intervalsUntil(times)
	if m.columns != nil {
		intervals = p.intervalsBetween(m.columns, times, 0)
	}
	var out []reading
	for _, s := range intervals {
		unit := m.hints[0]
		if s.from.Class == catalog.Date && s.to.Class == catalog.Date && secondsOf[unit] < secondsOf["day"] {
			continue // days have no hours
		}
		after := operand{column: s.from, literals: []string{interval(m.count, unit)}, plain: m.count + " " + unit + "s"}
		out = append(out, reading{n.holding(condition{kind: compare, column: s.to, op: m.op, value: after}), 0})
	}
	return out
}

// stateForLongerThan reads "open for more than 3 days": what came before that and is still so.
func (p *parser) stateForLongerThan(i int) (out []modifierCandidate) {
	for e, states := range inOrder(p.statesAt[i]) {
		if p.at(e).lower != "for" || slices.ContainsFunc(states, func(s *state) bool { return s.Due || s.Coming || len(s.Past)+len(s.Has) > 0 }) {
			continue
		}
		for _, k := range []struct{ tag, op string }{{"gt", "<"}, {"ge", "<="}, {"lt", ">"}, {"le", ">="}} {
			for _, c := range p.ends(e+1, k.tag) {
				n, unit, end := p.unitsOfTime(c)
				if end == c {
					continue
				}
				so := modifier{kind: modifierState, states: states, hints: []string{p.text(i, e)}}
				since := modifier{kind: modifierOlderThan, op: k.op, count: n, hints: []string{unit}}
				out = append(out, modifierCandidate{modifier{kind: modifierAll, parts: []modifier{so, since}}, end, 0.1})
			}
		}
	}
	return out
}
