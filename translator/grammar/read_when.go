// Reading which time of a thing "when" asks for.

package grammar

import (
	"slices"

	"askpg/catalog"
)

// whenOf reads the verb after "when was the order" and finds the date that it
// speaks of.
func (p *parser) whenOf(c candidate, n reading, end int) (out []candidate) {
	for e := c.end; e <= end && e <= c.end+3; e++ {
		if e > c.end && (p.tokens[e-1].kind != wordToken || !p.hasMeaning(e-1) || p.isDated(e-2) || len(p.ends(e-1, "firstly", "lastly")) > 0) {
			break
		}
		hints := p.wordsBetween(c.end, e)
		does := (p.isVerbHints(hints) || p.isPeople(n.phrase.set.relation)) && len(p.lexicon.relationInfo[n.phrase.set.relation].dates) > 1
		for _, d := range p.dateColumns(n.phrase.set, &modifier{hints: hints, date: &dateRange{loYear: 1}}) {
			if does && !p.hintsAt(hints, p.lexicon.relationInfo[n.phrase.set.relation].names[d.column]) && !p.beginsAt(hints, d.column) {
				continue // of several times the one that the verb names
			}
			out = append(out, candidate{n.phrase.withItems(item{column: d.column, setID: n.phrase.set.id}), e, c.cost + n.cost + max(0, 1-d.score) + 0.2})
		}
	}
	return out
}

// whenBecame reads "was order 7 shipped" behind "when", where orders have that state and only one time, of what belongs to them, is
// called by the verb.
func (p *parser) whenBecame(c candidate, n reading) []candidate {
	hits := p.mentions.values[c.end][c.end+1]
	if !p.isInflected(c.end) || n.phrase.set.superlative != nil || !slices.ContainsFunc(hits, func(h valueMention) bool { return h.column.Relation == n.phrase.set.relation }) {
		return nil
	}
	var times []columnCandidate
	for _, a := range p.mentions.attributes[c.end][c.end+1].all() {
		if isTime(a.column) && a.score >= namedScore-partialRelationPenalty {
			times = append(times, a)
		}
	}
	if len(times) != 1 || times[0].column.Relation == n.phrase.set.relation {
		return nil
	}
	var out []candidate
	for _, r := range cheapestReadings(p.attributeOf(&phrase{items: []item{{attribute: &attribute{candidates: times}}}}, n.phrase), 1) {
		out = append(out, candidate{r.phrase, c.end + 1, c.cost + n.cost + 0.3})
	}
	return out
}

// beginsAt reports whether a verb says that a person comes to be there, and a time is the only one at which
// people do: "when did Ann start", where she was hired on a day.
func (p *parser) beginsAt(hints []string, c *catalog.Column) bool {
	if !p.isPeople(c.Relation) || !slices.ContainsFunc(hints, func(h string) bool { return p.language.joiningVerbs[p.language.stem(h)] }) {
		return false
	}
	info := p.lexicon.relationInfo[c.Relation]
	return c == onlyWhere(info.dates, func(d *catalog.Column) bool {
		return slices.ContainsFunc(info.names[d], func(s string) bool {
			return s == "hire" || s == "employ" || s == "sinc" || p.language.joiningVerbs[s] && s != "creat"
		})
	})
}
