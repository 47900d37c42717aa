// Reading and applying "older than 60 days".

package grammar

import (
	"slices"

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
	if column == nil {
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
