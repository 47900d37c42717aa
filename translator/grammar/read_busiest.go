// Reading units of time that are asked for: "on which weekday".

package grammar

import (
	"slices"
	"strings"
)

// busiestUnits reads "on which day of the week do most tickets come in", "which month had
// the most orders": the unit of time in which most happened.
func (p *parser) busiestUnits(i int) (out []candidate) {
	for _, unit := range p.timeUnits(i) {
		for _, d := range p.maybe(unit.end, "do", "have", "be_bare") {
			for _, got := range p.maybe(d, "get_most") {
				out = append(out, p.mostIn(got, unit.unit)...)
			}
			out = slices.Concat(out, p.busiestBehindIs(d, unit.unit), p.mostDoneIn(d, unit.unit))
		}
	}
	return keepPerEnd(out)
}

// mostIn reads "most tickets come in", "the highest revenue": the unit of time in which that was so.
func (p *parser) mostIn(i int, unit string) (out []candidate) {
	for e, most := range p.eitherOf(i, "most", "least") {
		for _, c := range p.noun(e) {
			for _, r := range p.unitOfMost(c.phrase, unit, most) {
				for _, end := range append(p.ends(c.end, "happens"), c.end) {
					out = append(out, candidate{r.phrase, end, c.cost + r.cost + 0.2})
				}
			}
		}
	}
	for e, highest := range p.eitherOf(i, "max", "min") {
		out = append(out, p.unitOfHighest(p.noun(e), unit, highest)...)
	}
	return out
}

// busiestBehindIs reads "the busiest for orders" behind "which weekday is".
func (p *parser) busiestBehindIs(i int, unit string) (out []candidate) {
	for e, most := range p.eitherOf(i, "popular", "unpopular") {
		out = append(out, p.unitOfMostRows(e, unit, most)...)
	}
	return out
}

// unitOfMostRows reads "for orders" behind what is busiest. What single orders come to makes no hour busy.
func (p *parser) unitOfMostRows(i int, unit string, most bool) (out []candidate) {
	for _, c := range p.nounsFrom(p.ends(i, "of_strict", "in")) {
		if c.phrase.isEntity() || p.isRevenue(c.phrase) {
			out = append(out, candidates(p.unitOfMost(c.phrase, unit, most), c.end, c.cost+0.1)...)
		}
	}
	return out
}

// mostDoneIn reads "people order most", "customers return things most often" behind "on which weekday do": the unit of time in which that
// was done most often.
func (p *parser) mostDoneIn(i int, unit string) (out []candidate) {
	whoever := []candidate{{end: i}}
	if p.language.irregular[p.at(i).lower] == "person" {
		whoever = append(whoever, candidate{end: i + 1})
	}
	for _, c := range p.noun(i) {
		if c.phrase.isEntity() && len(c.phrase.group) == 0 && c.phrase.set.superlative == nil {
			whoever = append(whoever, c)
		}
	}
	for _, who := range whoever {
		for _, v := range p.verbHeads(who.end) {
			out = append(out, p.unitOfMostDone(who, v, unit)...)
		}
	}
	return out
}

// unitOfMostDone reads "most" or "least often" behind a verb, and returns the unit of time in which so many did what it says. What is sold
// most may be so by its quantity, and what is refunded by its amount.
func (p *parser) unitOfMostDone(who candidate, v verbHead, unit string) (out []candidate) {
	stem := p.tokens[v.start].stem
	for e, most := range p.eitherOf(v.end, "most_often", "least_often") {
		often := strings.HasSuffix(p.at(e-1).lower, "en")
		if (stem == "sell" || stem == "buy") && !often {
			continue
		}
		for _, h := range p.eventsOfVerb(v) {
			if !often && p.areSumsOfMoney(h.relation) {
				continue
			}
			for _, n := range p.eventsDoneBy(who.phrase, v, h) {
				out = append(out, candidates(p.unitOfMost(n.phrase, unit, most), e, who.cost+h.cost+n.cost+0.2)...)
			}
		}
	}
	return out
}

// eventsDoneBy returns the rows that record what a verb says, those of some things if who is not nil.
func (p *parser) eventsDoneBy(who *phrase, v verbHead, h verbEvent) []reading {
	n := p.entity(h.relation)
	n.set.time = h.time
	if who == nil {
		return []reading{{n, 0}}
	}
	if who.set.relation == h.relation {
		return nil
	}
	return p.relate(n, who.set, &modifier{kind: modifierRelated, hints: p.wordsBetween(v.start, v.end)})
}

// unitOfHighest returns the unit of time in which each of the amounts was highest or lowest. Things are no amount.
func (p *parser) unitOfHighest(amounts []candidate, unit string, highest bool) (out []candidate) {
	for _, c := range amounts {
		if !c.phrase.isEntity() && !c.phrase.isValue() {
			out = append(out, candidates(p.unitOfMost(c.phrase, unit, highest), c.end, c.cost+0.2)...)
		}
	}
	return out
}

// unitOfMost returns the unit of time of most or least of what n is: things are counted, amounts added up.
func (p *parser) unitOfMost(n *phrase, unit string, most bool) (out []reading) {
	if unit == "hour" {
		unit = hourOfDay // one of each day
	}
	for _, w := range p.resolvePhrase(n) {
		if w.phrase.set == nil || len(w.phrase.group) > 0 || w.phrase.set.superlative != nil {
			continue
		}
		whole := []reading{{w.phrase, 0}}
		switch {
		case w.phrase.isEntity():
			whole[0].phrase = p.counted(w.phrase)
		case !w.phrase.hasAggregate():
			whole = p.total(w.phrase)
		}
		for _, t := range whole {
			if t.phrase == nil || len(t.phrase.items) != 1 {
				continue
			}
			for _, g := range p.groupByTime(t.phrase, unit) {
				x := g.phrase.clone()
				x.order, x.number = []ordering{{t.phrase.items[0], most}}, "1"
				out = append(out, reading{x, w.cost + t.cost + g.cost})
			}
		}
	}
	return cheapestReadings(out, 4)
}

// busiest reads "busiest weekday for orders", "our best month by revenue", "month with the highest revenue".
func (p *parser) busiest(i int) (out []candidate) {
	for _, d := range p.maybe(i, "article") {
		out = slices.Concat(out, p.popularUnit(d), p.bestUnit(d), p.unitWith(d))
	}
	return keepPerEnd(out)
}

// popularUnit reads "busiest weekday for orders": of a unit of time the one in which there are the most, or the fewest.
func (p *parser) popularUnit(i int) (out []candidate) {
	for e, most := range p.eitherOf(i, "popular", "unpopular") {
		for _, unit := range p.timeUnits(e) {
			out = append(out, p.unitOfMostRows(unit.end, unit.unit, most)...)
		}
	}
	return out
}

// unitWith reads "month with the highest revenue".
func (p *parser) unitWith(i int) (out []candidate) {
	for _, unit := range p.timeUnits(i) {
		for _, with := range p.ends(unit.end, "have") {
			for e, highest := range p.eitherOf(with, "max", "min") {
				out = append(out, p.unitOfHighest(p.noun(e), unit.unit, highest)...)
			}
		}
	}
	return out
}

// bestUnit reads "best month ever by revenue", "worst quarter for sales": of a unit of time best is the most.
func (p *parser) bestUnit(i int) (out []candidate) {
	for e, best := range p.eitherOf(i, "top", "bottom") {
		for _, unit := range p.timeUnits(e) {
			for _, of := range p.then(p.maybe(unit.end, "noise"), "of_strict", "by", "in") {
				out = append(out, p.unitOfHighest(p.noun(of), unit.unit, best)...)
			}
		}
	}
	return out
}

// timeUnit is a word for a unit of time, and where it ends.
type timeUnit struct {
	unit string
	end  int
}

// timeUnits reads a unit of time by which things are divided.
func (p *parser) timeUnits(i int) (out []timeUnit) {
	for _, unit := range []string{weekday, hourOfDay} {
		for _, e := range p.ends(i, unit) {
			out = append(out, timeUnit{unit, e})
		}
	}
	if unit, e := p.dateUnit(i); e > i {
		out = append(out, timeUnit{unit, e})
	}
	return out
}
