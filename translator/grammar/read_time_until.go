// How long it takes until something becomes of rows: "average delivery time", "how many days does delivery take".

package grammar

import (
	"slices"
	"strings"

	"askpg/catalog"
)

// timeOf reads "delivery time" behind "average": from the own time of rows to the one that the word names.
func (p *parser) timeOf(i int, aggregate string) (out []candidate) {
	for _, t := range p.namedTimesAt(i) {
		end := t.end
		if p.at(end-1).lower != "time" || end < i+2 {
			unit, e := p.durationUnit(end)
			if e == end || unit != "" {
				continue
			}
			end = e
		}
		for _, s := range p.intervalsUntil(p.withWordInName(p.tokens[i], t.columns)) {
			out = append(out, p.ofThings(p.durationOf(s, aggregate, ""), end, 0.2)...)
		}
	}
	return out
}

// takesUntil reads "does delivery take" behind "how many days".
func (p *parser) takesUntil(i int, unit, aggregate string) (out []candidate) {
	for _, d := range p.ends(i, "do") {
		for _, t := range p.namedTimesAt(d) {
			if !strings.HasPrefix(p.at(t.end).lower, "take") {
				continue
			}
			for _, s := range p.intervalsUntil(p.withWordInName(p.tokens[d], t.columns)) {
				out = append(out, p.ofThings(p.durationOf(s, aggregate, unit), t.end+1, 0.2)...)
			}
		}
	}
	return out
}

// withWordInName returns the times that are called by a word itself, or all where none is: a delivery ends at
// delivered_at, though it is a shipment, too.
func (p *parser) withWordInName(word token, times []*catalog.Column) []*catalog.Column {
	own := slices.DeleteFunc(slices.Clone(times), func(c *catalog.Column) bool {
		return !slices.ContainsFunc(p.lexicon.relationInfo[c.Relation].names[c], func(s string) bool {
			return len(s) >= 4 && (strings.HasPrefix(word.stem, s) || strings.HasPrefix(s, word.stem))
		})
	})
	if len(own) > 0 {
		return own
	}
	return times
}

// intervalsUntil returns, for each relation of which one of the times is, that time and the only one before it: of
// several it is not said from which.
func (p *parser) intervalsUntil(times []*catalog.Column) (out []timeInterval) {
	for _, to := range times {
		if onlyOf(times, to.Relation) != to || to.NotNull || slices.ContainsFunc(out, func(s timeInterval) bool { return s.to == to }) {
			continue
		}
		info, interval := p.lexicon.relationInfo[to.Relation], p.interval(to.Relation)
		from := onlyWhere(info.dates, func(c *catalog.Column) bool {
			return c != to && c.NotNull && !p.isDue(c) && !p.lexicon.isBirth(c) && !slices.Contains(info.names[c], "updat")
		})
		if from == nil && interval != nil && !slices.ContainsFunc(info.dates, func(c *catalog.Column) bool { return c.NotNull }) {
			from = interval.from
		}
		later := slices.ContainsFunc(info.dates, func(c *catalog.Column) bool { // something else may lie between
			return c != to && c != from && (interval == nil || c != interval.to && to != interval.to) && !c.NotNull && !p.isDue(c) && c != info.deleted && !slices.ContainsFunc(info.names[c], func(s string) bool { return p.language.cancellationNames[s] })
		})
		// an order is delivered some time after it was ordered, but a carrier has it from when it was shipped
		sent := interval != nil && to == interval.to && from != interval.from && !p.mentionsRelation(to.Relation)
		if from != nil && !later && !sent {
			out = append(out, timeInterval{from: from, to: to})
		}
	}
	return out
}
