// Reading and applying times that are compared: "in 2023 and in 2024".

package grammar

import (
	"slices"
	"strings"
)

// periods reads two times that are compared: "this year vs last year".
func (p *parser) periods(i int) []modifierCandidate {
	var out []modifierCandidate
	for _, a := range p.date(i) {
		if a.end == i || !a.dates.isClosed() || len(a.dates.or) > 0 {
			continue
		}
		for _, comma := range p.maybe(a.end, "comma") {
			for _, e := range p.versus(comma) {
				for _, b := range slices.Concat(p.date(e), p.yearBefore(e, &a.dates)) {
					if b.end > e && b.dates.isClosed() && len(b.dates.or) == 0 && b.dates.lo != a.dates.lo {
						m := modifier{kind: modifierPeriods, dates: []dateRange{a.dates, b.dates}}
						out = append(out, modifierCandidate{m, b.end, a.cost + b.cost + 0.1})
					}
				}
			}
		}
	}
	return out
}

// yearBefore reads "the same month last year", "the same period a year ago": the time a year before
// that it is compared with. The period of a time that still goes on ends a year before today.
func (p *parser) yearBefore(i int, d *dateRange) []dateCandidate {
	var out []dateCandidate
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

// versus returns where words end that compare; behind "compare", "with" does.
func (p *parser) versus(i int) []int {
	out := p.ends(i, "versus")
	if p.at(0).lower == "compare" {
		switch p.at(i).lower {
		case "with", "to", "and":
			out = append(slices.Clone(out), i+1)
		}
	}
	return out
}

// applyPeriods says of two times what is counted or added up: a column for each.
func (p *parser) applyPeriods(n *phrase, m *modifier) []reading {
	switch {
	case n.pronoun || n.isValue() || len(n.ratio) > 0:
		return nil
	case n.set == nil:
		return p.applyResolved(n, m)
	case n.set.superlative != nil || n.number != "":
		return nil
	case !n.hasAggregate():
		var out []reading
		for _, r := range p.total(n) {
			for _, x := range p.applyPeriods(r.phrase, m) {
				out = append(out, reading{x.phrase, r.cost + x.cost})
			}
		}
		return cheapestReadings(out, 3)
	}
	for _, it := range n.items {
		if it.aggregate == "" || it.divisor != nil || it.ofTotal || it.setID != n.set.id || it.aggregate == measureAggregate {
			return nil
		}
	}
	var out []reading
	for _, c := range p.dateColumns(n.set, &modifier{date: &m.dates[0]}) {
		x := n.clone()
		x.items = nil
		for _, it := range n.items {
			for i := range m.dates {
				during, ok := dateCondition(c.column, &m.dates[i])
				if !ok {
					x = nil
					break
				}
				part := it
				part.where = append(slices.Clone(it.where), during)
				if x != nil {
					x.items = append(x.items, part)
				}
			}
		}
		both := either(m.dates[0], m.dates[1])
		in, ok := dateCondition(c.column, &both)
		if x == nil || !ok {
			continue
		}
		x.set = n.set.with(in)
		out = append(out, reading{x, max(0, 1-c.score)})
	}
	return cheapestReadings(out, 3)
}
