// Reading and applying "older than 60 days", and days that come again each year: "who has a birthday this month".

package grammar

import (
	"slices"
	"time"

	"askpg/catalog"
)

// How long things have been there: "tickets older than 30 days".

// olderThan reads "older than 60 days".
func (p *parser) olderThan(i int) (out []modifierCandidate) {
	for _, k := range []struct{ tag, op string }{{"older", "<"}, {"younger", ">"}} {
		for _, e := range p.ends(i, k.tag) {
			if n, unit, e3 := p.unitsOfTime(e); e3 > e && len(p.ends(e3-1, "years_old")) == 0 {
				out = append(out, modifierCandidate{modifier{kind: modifierOlderThan, op: k.op, count: n, hints: []string{unit}}, e3, 0.1})
			}
		}
	}
	return out
}

// applyOlderThan narrows things by the time when they came. That of persons is their
// birth, which is not meant here.
func (p *parser) applyOlderThan(n *phrase, m *modifier) []reading {
	if n.set == nil || len(n.group) > 0 {
		return nil
	}
	column := p.timeOfArrival(n.set)
	if column == nil || p.isPeople(n.set.relation) && isSaid(p.tokens, "older", "younger", "old") {
		return nil
	}
	at := operand{literals: []string{today() + " - " + interval(m.count, m.hints[0])}, plain: m.count + " " + m.hints[0] + "s ago"}
	return []reading{{n.holding(condition{kind: compare, column: column, op: m.op, value: at}), 0}}
}

// timeOfArrival is the time at which the rows of a set came to be, nil if it is not clear: it is never null, or it is the only one that
// no other comes before.
func (p *parser) timeOfArrival(s *set) *catalog.Column {
	var best columnCandidate
	several := false
	times := p.dateColumns(s, &modifier{date: &dateRange{}})
	always := slices.ContainsFunc(times, func(c columnCandidate) bool { return c.column.NotNull && !p.isDue(c.column) })
	for _, c := range times {
		switch {
		case p.lexicon.isBirth(c.column):
			return nil
		case always && !c.column.NotNull || p.isDue(c.column) || saysUntil(c.column, "") || p.lexicon.isNamed(c.column, p.language.expiryNames):
		case c.score > best.score:
			best, several = c, false
		case c.score == best.score:
			several = true
		}
	}
	if several {
		return nil
	}
	return best.column
}

// anniversary is the condition that a day lies in the month, or on the day of a month, that a time is, in whatever year. It is false
// for other times.
func anniversary(c *catalog.Column, d *dateRange) (condition, bool) {
	fields := ""
	switch from, to, ok := d.days(); {
	case d.lo == today() && d.hi == tomorrow(), ok && from.AddDate(0, 0, 1).Equal(to):
		fields = "MM-DD"
	case ok && from.Day() == 1 && from.AddDate(0, 1, 0).Equal(to), isMonth(d.lo, d.hi):
		fields = "MM"
	default:
		return condition{}, false
	}
	return condition{kind: compare, column: c, op: "again", value: operand{literals: []string{d.lo, fields}, plain: d.words}}, true
}

// days returns the first day of a time and the day after its last one; false if they are told from the day of the query.
func (d *dateRange) days() (from, to time.Time, ok bool) {
	const layout = "DATE '2006-01-02'"
	from, err := time.Parse(layout, d.lo)
	if err != nil {
		return from, to, false
	}
	to, err = time.Parse(layout, d.hi)
	return from, to, err == nil
}

// isMonth reports whether a time told from the day of the query is the month before, this month or the next one.
func isMonth(lo, hi string) bool {
	this := startOf("month")
	last, next, after := this+" - "+interval("1", "month"), this+" + "+interval("1", "month"), this+" + "+interval("2", "month")
	return lo == last && hi == this || lo == this && hi == next || lo == next && hi == after
}
