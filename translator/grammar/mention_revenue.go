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
		if t.kind == wordToken && t.stem == p.language.stem("spend") {
			p.annotateSpentAt(i)
		}
		if t.kind == wordToken && p.language.isRevenueWord(t.lower) {
			p.annotateRevenueAt(i)
		}
	}
}

// annotateSpentAt lets "spent" at token i stand for the amounts of orders, where it would for those of the payments for them: what is paid in
// two parts was spent once, and some payments fail.
func (p *parser) annotateSpentAt(i int) {
	a := p.mentions.attributes[i][i+1]
	if a == nil || p.isNameOf(i) || !slices.ContainsFunc(a.candidates, func(c columnCandidate) bool { return p.isPayment(c.column.Relation) }) {
		return
	}
	var amounts []columnCandidate
	for _, r := range p.relations {
		paid := slices.ContainsFunc(a.candidates, func(c columnCandidate) bool {
			return p.isPayment(c.column.Relation) && p.lexicon.pointsTo(c.column.Relation, r)
		})
		if c := p.impliedColumn(r, true); c != nil && paid && p.lexicon.isOrder(r) && p.payers(r) != nil {
			amounts = append(amounts, columnCandidate{column: c, score: revenueScore, label: p.lexicon.columnLabels[c][0]})
		}
	}
	if len(amounts) == 0 {
		return
	}
	p.mentions.attributes[i][i+1] = &attribute{start: i, end: i + 1, candidates: amounts}
	if from := i - 1; i > 0 && p.at(from).lower == "amount" {
		if p.mentions.attributes[from] == nil {
			p.mentions.attributes[from] = map[int]*attribute{}
		}
		p.mentions.attributes[from][i+1] = &attribute{start: from, end: i + 1, candidates: amounts}
	}
}

// annotateRevenueAt is annotateRevenue for the word at token i.
func (p *parser) annotateRevenueAt(i int) {
	p.mentions.relations[i] = slices.DeleteFunc(p.mentions.relations[i], func(m relationMention) bool {
		return p.tokens[i].stem != "sale" && m.end == i+1 && p.isSynonymAt(i, m) && !p.areSumsOfMoney(m.relation) // "turnover" is no number of sales
	})
	inTime, lacking := p.summedUp(i)
	if p.isNameOf(i) && !lacking {
		return
	}
	sold := &attribute{start: i, end: i + 1}
	for _, r := range p.relations {
		if c := p.impliedColumn(r, true); c != nil && p.lexicon.isOrder(r) && !(lacking && r.Kind != catalog.Table) {
			sold.candidates = append(sold.candidates, columnCandidate{column: c, score: revenueScore, label: p.lexicon.columnLabels[c][0]})
		}
	}
	if len(sold.candidates) == 0 {
		return
	}
	sold.candidates = append(sold.candidates, p.revenueOfLines()...)
	if lacking {
		sold.candidates = append(sold.candidates, inTime...)
		p.mentions.relations[i] = slices.DeleteFunc(p.mentions.relations[i], func(m relationMention) bool {
			return m.relation.Kind != catalog.Table && !slices.ContainsFunc(inTime, func(c columnCandidate) bool { return c.column.Relation == m.relation })
		})
	}
	if p.mentions.attributes[i] == nil {
		p.mentions.attributes[i] = map[int]*attribute{}
	}
	p.mentions.attributes[i][i+1] = sold
	p.cover(i, i+1)
}

// isRevenueWord reports whether a word is one for what was earned.
func (l *language) isRevenueWord(word string) bool {
	return l.revenueWords[cmp.Or(singular(word), word)]
}

// revenueScore is how well an amount of what was sold is called by a word for what was earned.
const revenueScore = 0.9

// revenueOfLines returns what the lines of what was sold come to, where it is written: what goods earned is that of their lines.
func (p *parser) revenueOfLines() (out []columnCandidate) {
	for _, pieces := range p.lexicon.soldQuantities {
		r := pieces.Relation
		if c := p.impliedColumn(r, true); c != nil && p.isLine(r) && !p.lexicon.isPrice(c) && p.lexicon.lineAmountOf(r) == nil && slices.Contains(p.relations, r) && !p.asksAverage() {
			out = append(out, p.revenueOf(c))
		}
	}
	for c, a := range p.lexicon.lineAmounts {
		if a.besideTotal && slices.Contains(p.relations, c.Relation) && !p.asksAverage() {
			out = append(out, p.revenueOf(c))
		}
	}
	return out
}

// revenueOf returns the column of what lines come to, as one that a word for revenue may name.
func (p *parser) revenueOf(c *catalog.Column) columnCandidate {
	return columnCandidate{column: c, score: revenueScore - revenueLinesPenalty, label: p.lexicon.columnLabels[c][0]}
}

// asksAverage reports whether the question asks for an average, which is none of the lines of an order.
func (p *parser) asksAverage() bool {
	return p.says("avg", "median")
}

// revenueLinesPenalty is how much less well what lines come to is called earned than what they are parts of.
const revenueLinesPenalty = 0.02

// isNameOf reports whether token i is the exact name of a column, or a name of a relation: "sales" may be orders that are counted.
func (p *parser) isNameOf(i int) bool {
	a := p.mentions.attributes[i][i+1]
	return a != nil && a.candidates[0].score >= exactNameScore || slices.ContainsFunc(p.mentions.relations[i], func(m relationMention) bool { return m.score >= namedScore })
}

// summedUp returns the columns of views that token i names and that tell of the time that the question says, and whether none of them
// tells of all that it says: "revenue per product this year", where one view has the revenue of each product and another one that of each
// month, or "revenue by country", which neither has.
func (p *parser) summedUp(i int) (inTime []columnCandidate, lacking bool) {
	named := p.mentions.attributes[i][i+1]
	if named == nil {
		return nil, false
	}
	defer clear(p.datesAt) // names are not known yet, which times may have
	for k := range p.tokens {
		dates := p.date(k)
		if len(dates) == 0 {
			continue
		}
		for _, c := range named.candidates {
			r, d := c.column.Relation, dates[0]
			tells := r.Kind == catalog.Table || p.hasTimeOf(r, &d.dates)
			if tells {
				inTime = append(inTime, c)
			}
			if c.score >= exactNameScore && tells && (r.Kind == catalog.Table || !p.mentionsOther(r, i, d.end)) {
				return nil, false
			}
		}
		return inTime, true
	}
	for _, c := range named.candidates {
		if c.score >= exactNameScore && (c.column.Relation.Kind == catalog.Table || !p.isOfOther(c.column.Relation)) {
			return nil, false
		}
	}
	return nil, named.candidates[0].score >= exactNameScore
}

// isOfOther reports whether a word says of what or for each of what something is asked that a relation does not have: gold customers, countries.
func (p *parser) isOfOther(r *catalog.Relation) bool {
	return p.anywhere(func(i int) bool {
		named, own := p.namesHere(i, r)
		for _, hits := range p.mentions.values[i] {
			own = own || slices.ContainsFunc(hits, func(h valueMention) bool { return h.column.Relation == r })
		}
		things := slices.ContainsFunc(p.mentions.relations[i], func(m relationMention) bool { return m.score >= namedScore })
		return !own && (things || len(p.mentions.values[i]) > 0 || named && p.endsTag(i, "group"))
	})
}

// hasTimeOf reports whether a column of a relation tells what is in a time.
func (p *parser) hasTimeOf(r *catalog.Relation, d *dateRange) bool {
	return slices.ContainsFunc(p.lexicon.relationInfo[r].dates, func(c *catalog.Column) bool {
		_, ok := dateCondition(c, d)
		return ok
	})
}

// namesHere reports whether token i names a relation or a column, and whether that is a relation or one of its columns.
func (p *parser) namesHere(i int, r *catalog.Relation) (named, own bool) {
	for _, m := range p.mentions.relations[i] {
		named, own = named || m.score >= namedScore, own || m.relation == r
	}
	for _, a := range p.mentions.attributes[i] {
		for _, c := range a.candidates {
			named, own = named || c.score >= namedScore, own || c.column.Relation == r
		}
	}
	return named, own
}

// mentionsOther reports whether a word but token i and that before token date names something that a relation does not have.
func (p *parser) mentionsOther(r *catalog.Relation, i, date int) bool {
	for k := range p.tokens {
		if k == i || k == date-1 {
			continue
		}
		named, own := p.namesHere(k, r)
		for _, hits := range p.mentions.values[k] {
			for _, h := range hits {
				named, own = true, own || h.column.Relation == r
			}
		}
		if named && !own {
			return true
		}
	}
	return false
}

// isOrder reports whether the rows of a relation are what is sold as a whole: orders, receipts that all have a time of sale, and none of
// their lines nor what is bought.
func (x *lexicon) isOrder(r *catalog.Relation) bool {
	info := x.relationInfo[r]
	happens := slices.ContainsFunc(r.Columns, func(c *catalog.Column) bool { return isTime(c) || x.graph.isForeign(c) }) // unlike kinds of orders
	sold := slices.ContainsFunc(info.dates, func(c *catalog.Column) bool {
		return c.NotNull && slices.Contains(info.names[c], "sell")
	})
	return happens && !info.leftover && (sold || intersect(info.stems, x.language.orderNames)) && !intersect(info.stems, x.language.notOrderNames)
}
