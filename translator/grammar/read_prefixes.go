// Reading what stands before a noun: articles, numbers, superlatives, states.

package grammar

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"askpg/catalog"
)

// prefixed reads the noun phrases that begin with a word about what follows:
// the, number of, average, the three largest.
func (p *parser) prefixed(i int) (out []candidate) {
	for _, read := range []func(int) []candidate{
		p.withArticle, p.allOfNumber, p.distinct, p.numberOf, p.aggregated, p.superlative, p.durations, p.late, p.rates,
		p.qualified, p.newThings, p.cardinal, p.periodic, p.topNumber, p.biggestBy, p.popular, p.starred, p.valuesCompared, p.worthOf, p.runningTotals, p.growths, p.timeBefore, p.byItsNumber, p.eachWith, p.comesFirst, p.bestSelling, p.spreads, p.mostDone,
	} {
		out = append(out, read(i)...)
	}
	return out
}

// withArticle reads "the orders".
func (p *parser) withArticle(i int) (out []candidate) {
	ends := p.ends(i, "article")
	once := slices.DeleteFunc(slices.Clone(ends), func(e int) bool { // "all the" is not read as "all" and "the" again
		return slices.ContainsFunc(p.ends(e, "article"), func(further int) bool { return slices.Contains(ends, further) })
	})
	for _, c := range p.nounsFrom(once) {
		out = append(out, candidate{c.phrase, c.end, c.cost + 0.01})
	}
	return out
}

// allOfNumber reads "all 50 states": how many there are is no condition.
func (p *parser) allOfNumber(i int) (out []candidate) {
	for _, e := range p.ends(i, "article") {
		n, e2 := p.number(e)
		if p.at(e-1).lower != "all" || e2 == e || n == "1" {
			continue
		}
		for _, c := range p.noun(e2) {
			if c.phrase.isEntity() && c.phrase.set.superlative == nil || c.phrase.isAttribute() {
				out = append(out, candidate{c.phrase, c.end, c.cost + 0.1})
			}
		}
	}
	return out
}

// distinct reads "different cities".
func (p *parser) distinct(i int) (out []candidate) {
	for _, c := range p.nounsFrom(p.ends(i, "distinct")) {
		n := c.phrase.clone()
		n.distinct = true
		out = append(out, candidate{n, c.end, c.cost})
	}
	return out
}

// numberOf reads "number of orders", and "amount of water", where that is a column of numbers.
func (p *parser) numberOf(i int) (out []candidate) {
	for _, c := range p.nounsFrom(p.ends(i, "count")) {
		if n := p.counted(c.phrase); n != nil && !p.isNumberAlready(c.phrase) {
			cost := c.cost
			if len(p.mentions.attributes[i]) > 0 {
				cost += 0.2 // "amount" is a column's name
			}
			out = append(out, candidate{n, c.end, cost})
		}
		if !c.phrase.isAttribute() || len(c.phrase.items) != 1 || c.phrase.items[0].attribute == nil || c.phrase.items[0].aggregate != "" {
			continue
		}
		number := onlyNumeric(c.phrase.items[0].attribute)
		if isSaid(p.tokens[i:c.phrase.words[0]], "number") {
			number = p.notSums(number)
		}
		if number != nil && !p.isHeadcount(c.phrase.items[0]) {
			m := c.phrase.withItems(item{attribute: number})
			out = append(out, candidate{m, c.end, c.cost + 0.25})
			if w := p.at(i).lower; w == "total" || w == "overall" {
				sum := m.clone() // "total number of beds", where beds are a number
				sum.items = []item{{attribute: number, aggregate: "sum"}}
				out = append(out, candidate{sum, c.end, c.cost + 0.1})
			}
		}
	}
	return out
}

// notSums returns the readings of an attribute that are no sums of money: the number of sales is not what they come to. nil if there are none.
func (p *parser) notSums(a *attribute) *attribute {
	if a == nil {
		return nil
	}
	b := *a
	b.candidates = slices.DeleteFunc(slices.Clone(a.candidates), func(c columnCandidate) bool {
		money := func(s string) bool { return p.language.moneyNames[s] }
		return slices.ContainsFunc(p.lexicon.relationInfo[c.column.Relation].names[c.column], money) && !p.isNumberOfThings(c.column)
	})
	if len(b.candidates) == 0 {
		return nil
	}
	return &b
}

// isNumberAlready reports whether a phrase is a number of things by itself, such as the seats of cars: how many numbers there are
// is not asked.
func (p *parser) isNumberAlready(n *phrase) bool {
	if !n.isAttribute() || len(n.items) != 1 || p.tokens[n.words[0]-1].lower != "of" || n.items[0].attribute == nil || n.items[0].aggregate != "" || n.distinct {
		return false
	}
	return !slices.ContainsFunc(n.items[0].attribute.candidates, func(c columnCandidate) bool {
		last := lastOf(splitName(c.column.Name))
		return c.column.Class != catalog.Number || p.isIdentifier(c.column) || singular(last) == "" || p.language.moneyNames[p.language.stem(last)]
	})
}

// cardinal reads "5 countries".
func (p *parser) cardinal(i int) (out []candidate) {
	n, e := p.number(i)
	if e == i {
		return nil
	}
	_, year := p.yearAt(i)
	for _, c := range p.noun(e) {
		if !year && c.phrase.attributeHead && c.phrase.number == "" {
			out = append(out, p.firstValues(c, n)...)
		}
		if c.phrase.number != "" || !c.phrase.isEntity() {
			continue
		}
		if !year {
			out = append(out, candidate{p.firstOf(c.phrase, n, false), c.end, c.cost + 0.3})
			continue
		}
		for _, d := range p.period(i) { // "2024 orders"
			if d.end == e {
				out = append(out, candidates(p.apply(c.phrase, &modifier{kind: modifierDate, date: &d.dates}), c.end, c.cost+d.cost)...)
			}
		}
	}
	return out
}

// firstValues keeps a number of the values that a superlative ranks: "5 titles get borrowed most". How many there are of each is shown.
func (p *parser) firstValues(c candidate, number string) []candidate {
	if c.phrase.set == nil || c.phrase.set.superlative == nil || c.phrase.hasAggregate() {
		return nil
	}
	first := []reading{{p.firstOf(c.phrase, number, false), c.cost + 0.3}}
	if c.phrase.set.superlative.by.aggregate != "" {
		first = p.showMeasure(first)
	}
	return candidates(first, c.end, 0)
}

// firstOf keeps a number of a phrase's rows, the last ones if bottom.
func (p *parser) firstOf(n *phrase, number string, bottom bool) *phrase {
	m := n.clone()
	m.number, m.fromEnd = number, bottom
	if n.set != nil && m.refusal == n.notSaidHowMany() {
		m.refusal = ""
	}
	return p.ranked(m, []reading{{phrase: m}})[0].phrase
}

// periodic reads "monthly revenue".
func (p *parser) periodic(i int) (out []candidate) {
	unit, e := p.dateUnit(i)
	if w := p.at(i).lower; e == i || !strings.HasSuffix(w, "ly") && (unit != "year" || w != "annual") {
		return nil
	}
	for _, c := range p.noun(e) {
		if len(c.phrase.group) > 0 || c.phrase.isValue() || c.phrase.isPronoun {
			continue
		}
		out = append(out, candidates(p.applyGroup(c.phrase, &modifier{kind: modifierGroup, op: unit}), c.end, c.cost)...)
	}
	return out
}

// timeBefore reads "this year's bookings", "yesterday's orders".
func (p *parser) timeBefore(i int) (out []candidate) {
	for _, d := range slices.Concat(p.currentTime(i), p.lastUnits(i), p.period(i)) {
		for _, c := range p.nounsFrom(p.ends(d.end, "possessive")) {
			if !c.phrase.isValue() && !c.phrase.isPronoun {
				out = append(out, candidates(p.apply(c.phrase, &modifier{kind: modifierDate, date: &d.dates}), c.end, c.cost+d.cost+0.02)...)
			}
		}
	}
	return keepPerEnd(out)
}

// topNumber reads "top 5 customers", "bottom 3 products".
func (p *parser) topNumber(i int) (out []candidate) {
	for e, top := range p.eitherOf(i, "top", "bottom") {
		n, e2 := p.number(e)
		if e2 == e {
			n = "1"
		}
		for _, c := range p.noun(e2) {
			if e2 == e && (p.isPlural(c.phrase) || !c.phrase.isEntity() || p.at(e-1).lower != "top" && p.at(e-1).lower != "bottom" || len(p.ends(c.end, "group")) == 0) {
				continue // "top customer by revenue" is one
			}
			if (c.phrase.isAttribute() || c.phrase.set != nil && !c.phrase.hasAggregate()) && c.phrase.number == "" {
				out = append(out, candidate{p.firstOf(c.phrase, n, !top), c.end, c.cost + 0.2})
			}
			if top && e2 > e && c.phrase.isAttribute() && p.isPlural(c.phrase) {
				out = append(out, candidates(p.topValues(c.phrase, n), c.end, c.cost+0.2)...)
			}
		}
	}
	return out
}

// sizes are superlatives that do not say by what, and whether they are of the most.
var sizes = map[string]bool{"best": true, "biggest": true, "largest": true, "greatest": true, "worst": false, "smallest": false}

// biggestBy reads "biggest customer by revenue", "the 3 best shops in 2024 by number of orders": what they are the biggest by is said behind.
func (p *parser) biggestBy(i int) []candidate {
	var out []candidate
	for at, number := range p.behindNumber(i) {
		up, ok := sizes[p.at(at).lower]
		if !ok {
			continue
		}
		for _, c := range p.noun(at + 1) {
			by := slices.ContainsFunc(p.tokens[min(c.end, len(p.tokens)):], func(t token) bool { return t.lower == "by" })
			if by && c.phrase.isEntity() && c.phrase.number == "" && p.isPlural(c.phrase) == (number != "") {
				out = append(out, candidate{p.firstOf(c.phrase, cmp.Or(number, "1"), !up), c.end, c.cost + 0.2})
			}
		}
	}
	return out
}

// popular reads "the most popular genre", "the 3 least common colours", "5 most used codes".
func (p *parser) popular(i int) (out []candidate) {
	for at, number := range p.behindNumber(i) {
		for e, most := range p.eitherOf(at, "popular", "unpopular") {
			n, e2 := p.numberOr(e, number)
			for _, c := range p.noun(e2) {
				out = append(out, candidates(p.refuseUnclearPopularity(p.mostCommon(c.phrase, most, n), p.wordsBetween(e-1, e)), c.end, c.cost)...)
			}
		}
	}
	return out
}

// behindNumber yields token i and the places behind a number that begins there: "3", "top 3".
func (p *parser) behindNumber(i int) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		if !yield(i, "") {
			return
		}
		for _, top := range append([]int{i}, p.ends(i, "top")...) {
			if n, e := p.number(top); e > top && !yield(e, n) {
				return
			}
		}
	}
}

// numberOr reads how many are wanted, unless it was said before: one if it is not said.
func (p *parser) numberOr(i int, said string) (number string, end int) {
	if said != "" {
		return said, i
	}
	number, end = p.number(i)
	return cmp.Or(number, "1"), end
}

// superlative reads "the oldest singer", "3 youngest singers", "top 5 largest
// countries".
func (p *parser) superlative(i int) (out []candidate) {
	for at, number := range p.behindNumber(i) {
		out = append(out, p.mostAdjective(at, number)...)
	}
	return slices.Concat(out, p.earliest(i), p.ordinal(i))
}

// mostAdjective reads "oldest singer", "youngest 3 singers". The number may stand before it.
func (p *parser) mostAdjective(i int, number string) (out []candidate) {
	longest := 0
	for e := range inOrder(p.adjectives[min(i, len(p.tokens))]) {
		longest = max(longest, e)
	}
	for e, a := range p.adjectivesAt(i, mostDegree) {
		if e < longest {
			continue // "best paid" is not the best of what is paid
		}
		n, next := p.numberOr(e, number)
		for at, c := range p.nounsFrom(p.behind(p.maybe(next, "of_strict"), "article")) {
			if at > next && p.at(next).lower == "of" && !p.isPlural(c.phrase) {
				continue // "the cheapest of our products"
			}
			out = append(out, candidates(p.extremeByAdjective(c.phrase, a, n, i, e), c.end, c.cost)...)
		}
	}
	return out
}

// earliest reads "the first order", "last 5 payments".
func (p *parser) earliest(i int) (out []candidate) {
	for e, first := range p.eitherOf(i, "earliest", "latest") {
		n, next := p.number(e)
		if n == "" {
			n = "1"
		}
		for _, c := range p.noun(next) {
			if c.phrase.isEntity() {
				out = append(out, candidates(p.applyFirstOrLast(c.phrase, &modifier{descending: !first, count: n}), c.end, c.cost+0.15)...)
			}
		}
	}
	return out
}

// byItsNumber reads "priority 1 tickets": those of which a column has the number that stands behind its name.
func (p *parser) byItsNumber(i int) (out []candidate) {
	for end, a := range inOrder(p.mentions.attributes[i]) {
		number := onlyNumeric(a)
		if number == nil || p.at(end).kind != numberToken {
			continue
		}
		value, e := p.number(end)
		if e == end {
			continue
		}
		for _, c := range p.noun(e) {
			if !c.phrase.isEntity() || c.phrase.number != "" || len(c.phrase.group) > 0 {
				continue
			}
			for _, k := range number.candidates {
				if k.column.Relation == c.phrase.set.relation && k.score >= namedScore {
					out = append(out, candidate{c.phrase.holding(condition{kind: compare, column: k.column, op: "=", value: numberOperand(value)}), c.end, c.cost + 0.1})
				}
			}
		}
	}
	return out
}
