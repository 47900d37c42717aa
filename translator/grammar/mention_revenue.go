// What a business earns: "turnover" is the amount of what it sold.

package grammar

import (
	"cmp"
	"slices"

	"askpg/catalog"
)

// annotateRevenue lets a word for what was earned, such as "turnover", stand for the amounts of what is sold and not for any other ones.
// What has such a name is meant by it.
func (p *parser) annotateRevenue() {
	for i, t := range p.tokens {
		if a := p.mentions.attributes[i][i+1]; a != nil && t.stem == "sell" && p.isInflected(i) { // what was sold is no price
			a.candidates = slices.DeleteFunc(a.candidates, func(c columnCandidate) bool { return p.lexicon.isPrice(c.column) })
			if len(a.candidates) == 0 {
				delete(p.mentions.attributes[i], i+1)
			}
		}
		if t.kind != wordToken || !p.language.isRevenueWord(t.lower) {
			continue
		}
		p.mentions.relations[i] = slices.DeleteFunc(p.mentions.relations[i], func(m relationMention) bool {
			return t.stem != "sale" && m.end == i+1 && p.isSynonymAt(i, m) && !p.areSumsOfMoney(m.relation) // "turnover" is no number of sales
		})
		if p.isNameOf(i) {
			continue
		}
		sold := &attribute{start: i, end: i + 1}
		for _, r := range p.relations {
			if c := p.impliedColumn(r, true); c != nil && p.lexicon.isOrder(r) {
				sold.candidates = append(sold.candidates, columnCandidate{column: c, score: revenueScore, label: p.lexicon.columnLabels[c][0]})
			}
		}
		if len(sold.candidates) == 0 {
			continue
		}
		sold.candidates = append(sold.candidates, p.revenueOfLines()...)
		if p.mentions.attributes[i] == nil {
			p.mentions.attributes[i] = map[int]*attribute{}
		}
		p.mentions.attributes[i][i+1] = sold
		p.cover(i, i+1)
	}
}

// isRevenueWord reports whether a word is one for what was earned.
func (l *language) isRevenueWord(word string) bool {
	return l.revenueWords[cmp.Or(singular(word), word)]
}

// revenueScore is how well an amount of what was sold is called by a word for what was earned.
const revenueScore = 0.9

// revenueOfLines returns what the lines of what was sold come to, where it is written: what goods earned is that of their lines.
func (p *parser) revenueOfLines() []columnCandidate {
	var out []columnCandidate
	for _, pieces := range p.lexicon.soldQuantities {
		r := pieces.Relation
		if c := p.impliedColumn(r, true); c != nil && p.isLine(r) && !p.lexicon.isPrice(c) && p.lexicon.lineAmountOf(r) == nil && slices.Contains(p.relations, r) && !p.asksAverage() {
			out = append(out, columnCandidate{column: c, score: revenueScore - revenueLinesPenalty, label: p.lexicon.columnLabels[c][0]})
		}
	}
	return out
}

// asksAverage reports whether the question asks for an average, which is none of the lines of an order.
func (p *parser) asksAverage() bool {
	for i := range p.tokens {
		if len(p.ends(i, "avg", "median")) > 0 {
			return true
		}
	}
	return false
}

// revenueLinesPenalty is how much less well what lines come to is called earned than what they are parts of.
const revenueLinesPenalty = 0.02

// isNameOf reports whether token i is the exact name of a column, or a name of a relation: "sales" may be orders that are counted.
func (p *parser) isNameOf(i int) bool {
	a := p.mentions.attributes[i][i+1]
	return a != nil && a.candidates[0].score >= exactNameScore || slices.ContainsFunc(p.mentions.relations[i], func(m relationMention) bool { return m.score >= namedScore })
}

// isOrder reports whether the rows of a relation are what is sold as a whole: orders, and none of their lines nor what is bought.
func (x *lexicon) isOrder(r *catalog.Relation) bool {
	info := x.relationInfo[r]
	happens := slices.ContainsFunc(r.Columns, func(c *catalog.Column) bool { return isTime(c) || x.graph.isForeign(c) }) // unlike kinds of orders
	return happens && !info.leftover && intersect(info.stems, x.language.orderNames) && !intersect(info.stems, x.language.notOrderNames)
}
