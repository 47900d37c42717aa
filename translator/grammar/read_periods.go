// Reading and applying times that are compared: "in 2023 and in 2024".

package grammar

import (
	"slices"
	"strings"

	"askpg/catalog"
)

// periods reads two times that are compared: "this year vs last year".
func (p *parser) periods(i int) (out []modifierCandidate) {
	for _, a := range p.date(i) {
		if a.dates.upTo != "" {
			a.dates.hi = tomorrow() // "last 30 days"
		}
		if a.end == i || !a.dates.isClosed() || len(a.dates.or) > 0 {
			continue
		}
		for _, comma := range p.maybe(a.end, "comma") {
			for _, e := range p.versus(comma) {
				for _, same := range p.saidAgain(i, e) {
					out = append(out, p.secondPeriod(a, same)...)
				}
			}
		}
	}
	return out
}

// saidAgain returns where words end that stand at token again for the things before token i: "those", or the same words once more, as in
// "loans in 2025 vs loans in 2026".
func (p *parser) saidAgain(i, again int) []int {
	out := p.behind(p.maybe(again, "the_one"), "article")
	for _, things := range p.maybe(again, "article") {
		for n := 1; n <= min(i, maxSpan); n++ {
			if len(p.mentions.relations[i-n]) > 0 && p.follows(things, p.wordsBetween(i-n, i)) {
				out = append(out, things+n)
			}
		}
	}
	return out
}

// secondPeriod reads at token i the time that another one is compared with: "that of 2025", "the first quarter of 2026". A month that is
// said without a year is of that of the second one: "March vs April 2025".
func (p *parser) secondPeriod(a dateCandidate, i int) (out []modifierCandidate) {
	for _, b := range slices.Concat(p.date(i), p.yearBefore(i, &a.dates), p.periodBefore(i, &a.dates)) {
		first := a.inYear(b.dates.year)
		if b.end > i && b.dates.isClosed() && len(b.dates.or) == 0 && b.dates.lo != first.dates.lo && (a.dates.year == 0 || b.dates.month == 0) {
			m := modifier{kind: modifierPeriods, dates: []dateRange{first.dates, b.dates}}
			out = append(out, modifierCandidate{m, b.end, first.cost + b.cost + 0.1})
		}
	}
	return out
}

// yearBefore reads "the same month last year", "the same period a year ago": the time a year before
// that it is compared with. The period of a time that still goes on ends a year before today.
func (p *parser) yearBefore(i int, d *dateRange) (out []dateCandidate) {
	add := func(i int, hi string) {
		for _, end := range p.ends(i, "year_ago") {
			out = append(out, dateCandidate{dateRange{lo: d.lo + " - INTERVAL '1 year'", hi: hi + " - INTERVAL '1 year'", words: p.text(i, end)}, end, 0})
		}
	}
	for _, e := range p.ends(i, "same_unit") {
		if unit, end := p.dateUnit(e); end > e && strings.HasSuffix(d.words, unit) {
			add(end, d.hi)
		}
	}
	for _, e := range p.ends(i, "same_time") {
		if strings.HasPrefix(d.words, "this ") {
			add(e, today()+" + INTERVAL '1 day'")
		} else {
			add(e, d.hi)
		}
	}
	return out
}

// periodBefore reads "the month before", "the 12 months before that", "the previous month": the time as long as another that ends
// where it begins.
func (p *parser) periodBefore(i int, d *dateRange) (out []dateCandidate) {
	read := func(i int, behind string) {
		n, at := p.number(i)
		unit, end := p.dateUnit(at)
		if end == at {
			return
		}
		if n == "" {
			n = "1"
		}
		if words := strings.Fields(d.words); len(words) < 2 || !strings.HasPrefix(words[len(words)-1], unit) || len(words) == 2 != (n == "1") || len(words) > 2 && words[1] != n {
			return // a day is not as long as the month
		}
		ends := []int{end}
		if behind != "" {
			ends = p.ends(end, behind)
		}
		for _, e := range ends {
			out = append(out, dateCandidate{dateRange{lo: d.lo + " - " + interval(n, unit), hi: d.lo, words: p.text(i, e)}, e, 0})
		}
	}
	for _, a := range p.maybe(i, "article") {
		read(a, "period_before")
	}
	for _, e := range p.ends(i, "the_previous") {
		read(e, "")
	}
	return out
}

// versus returns where words end that compare; behind "compare", "with" does.
func (p *parser) versus(i int) []int {
	out := p.ends(i, "versus")
	if p.at(i).lower == "than" && (p.isMoreThan(1) || p.isMoreThan(2) || p.isMoreThan(3)) {
		out = append(slices.Clone(out), i+1) // "did more people join this month than last month"
	}
	if isSaid(p.tokens, "compare") {
		switch p.at(i).lower {
		case "with", "to", "and":
			out = append(slices.Clone(out), i+1)
		}
	}
	return out
}

// comparesAcross reports whether the "and" before i stands between what "compare" compares.
func (p *parser) comparesAcross(i int) bool {
	return isSaid(p.tokens, "compare") && isSaid(p.tokens[max(0, i-2):i], "and")
}

// comparedTimes returns the times of a set that periods may be about. Who enrolled this year did not register then, and what ended
// did not begin then.
func (p *parser) comparedTimes(s *set, m *modifier) []columnCandidate {
	return slices.DeleteFunc(p.dateColumns(s, &modifier{date: &m.dates[0], hints: m.hints, verb: m.verb}), func(c columnCandidate) bool {
		return len(m.hints) > 0 && !p.isNamedByTimeVerb(c.column, m.hints[0]) || slices.ContainsFunc(s.conditions, func(said condition) bool {
			return said.op == "is not null" && isTime(said.column) && said.column != c.column
		})
	})
}

// hasDatedRelated reports whether a set is narrowed by rows of others that have times: they may be what is compared.
func (p *parser) hasDatedRelated(s *set) bool {
	return slices.ContainsFunc(s.conditions, func(c condition) bool {
		return c.kind == related && !c.negated && !c.joined && !c.path.toOne() && len(p.lexicon.relationInfo[c.child.relation].dates) > 0
	})
}

// isNamedByTimeVerb reports whether a time is called by a verb: "joined" of joined_on.
func (p *parser) isNamedByTimeVerb(c *catalog.Column, verb string) bool {
	return slices.Contains(p.lexicon.relationInfo[c.Relation].names[c], p.language.stem(verb)) || p.isLeavingTime([]string{verb}, c)
}

// applyPeriods says of two times what is counted or added up: a column for each.
func (p *parser) applyPeriods(n *phrase, m *modifier) (out []reading) {
	switch {
	case n.isPronoun || n.isValue() || len(n.ratio) > 0:
		return nil
	case n.set == nil:
		return p.applyResolved(n, m)
	case n.set.superlative != nil || n.number != "" || p.hasDatedRelated(n.set):
		return nil // what is compared may be when the things came, or when that happened to them
	case !n.hasAggregate():
		return thenApply(p.total(n), 3, func(total *phrase) []reading { return p.applyPeriods(total, m) })
	case slices.ContainsFunc(n.items, func(it item) bool {
		return it.aggregate == "" || it.divisor != nil || it.ofTotal || it.setID != n.set.id || it.aggregate == measureAggregate
	}):
		return nil
	}
	of := n.set
	if root, orders := p.withOrderOfLines(n.set); orders != nil {
		n, of = n.over(root), orders // lines have no time of their own
	}
	for _, c := range p.comparedTimes(of, m) {
		if x := n.ofPeriods(of, c.column, m.dates); x != nil {
			out = append(out, reading{x, max(0, 1-c.score)})
		}
	}
	return cheapestReadings(out, 3)
}

// ofPeriods returns the outputs of a phrase for each of two times of a column of one of its sets; nil if the column says no such times.
func (n *phrase) ofPeriods(of *set, c *catalog.Column, dates []dateRange) *phrase {
	both := either(dates[0], dates[1])
	in, ok := dateCondition(c, &both)
	if !ok {
		return nil
	}
	x := n.replacing(of.with(in))
	x.items = nil
	for _, it := range n.items {
		for i := range dates {
			during, ok := dateCondition(c, &dates[i])
			if !ok {
				return nil
			}
			part := it
			part.where, part.whereSetID = append(slices.Clone(it.where), during), of.id
			x.items = append(x.items, part)
		}
	}
	return x
}
