// Reading what things have: "an age over 20", "the most courses", "4 cylinders".

package grammar

import (
	"slices"

	"askpg/catalog"
)

// haveText reads "pharmacy in the name": a text that a column holds.
func (p *parser) haveText(i int) (out []modifierCandidate) {
	t := p.at(i)
	if t.kind != quotedToken {
		return nil
	}
	for e, a := range inOrder(p.textIn(i + 1)) {
		m := modifier{kind: modifierCompare, attribute: a, op: "ilike", value: operand{literals: []string{literal("%" + likeEscape(t.text) + "%")}, plain: t.text}}
		out = append(out, modifierCandidate{m, e, 0.1})
	}
	return out
}

// haveMost reads "the most courses", "the highest number of courses".
func (p *parser) haveMost(i int) (out []modifierCandidate) {
	for e, most := range p.eitherOf(i, "most", "least") {
		for _, c := range p.noun(e) {
			mostRows := modifier{kind: modifierMostRows, phrase: c.phrase, descending: most, count: "1"}
			switch {
			case c.phrase.isEntity():
				out = append(out, modifierCandidate{mostRows, c.end, c.cost})
			case c.phrase.isAttribute() && len(c.phrase.items) == 1 && c.phrase.items[0].attribute != nil:
				if a := c.phrase.items[0].attribute; anyNumeric(a) {
					out = append(out, modifierCandidate{modifier{kind: modifierSuperlative, attribute: a, descending: most, count: "1"}, c.end, c.cost + 0.15})
				}
				out = append(out, modifierCandidate{mostRows, c.end, c.cost + 0.5})
			}
		}
	}
	return out
}

// haveExtreme reads "the highest population", "the most recent date", "the top 3 largest areas".
func (p *parser) haveExtreme(i int) (out []modifierCandidate) {
	for _, d := range p.maybe(i, "article") {
		for _, top := range append([]int{d}, p.ends(d, "top")...) {
			n, e := p.number(top)
			if n == "" {
				n = "1"
			}
			out = append(out, p.haveHighest(e, n)...)
			for e2, a := range p.adjectivesAt(e, mostDegree) {
				for end, at := range inOrder(p.mentions.attributes[e2]) {
					out = append(out, modifierCandidate{modifier{kind: modifierSuperlative, attribute: at, descending: a.up, count: n}, end, 0.2 + 3*(1-at.candidates[0].score)/2})
				}
			}
		}
	}
	return out
}

// haveHighest reads "highest population", "lowest number of orders".
func (p *parser) haveHighest(i int, number string) (out []modifierCandidate) {
	for e, highest := range p.eitherOf(i, "max", "min") {
		for _, c := range p.nounsFrom(p.maybe(e, "of_strict")) {
			if len(c.phrase.items) != 1 {
				continue
			}
			m, cost := modifier{kind: modifierSuperlative, descending: highest, count: number}, c.cost
			switch it := c.phrase.items[0]; {
			case it.aggregate == "" && c.phrase.set == nil && it.attribute != nil:
				m.attribute = it.attribute
			case it.aggregate != "" && len(c.phrase.group) == 0:
				m.phrase = c.phrase
				cost += 0.1
			default:
				continue
			}
			out = append(out, modifierCandidate{m, c.end, cost})
		}
	}
	return out
}

// haveExtremeColumn reads "the lowest point", where that is a column of its own.
func (p *parser) haveExtremeColumn(i int) (out []modifierCandidate) {
	for _, d := range p.maybe(i, "article") {
		for end, a := range inOrder(p.mentions.attributes[d]) {
			b := &attribute{start: d, end: end}
			descending := false
			for _, c := range a.candidates {
				if m, up := p.measureOf(c.column); m != nil && c.score > 0.9 {
					b.candidates = append(b.candidates, columnCandidate{column: m, score: c.score})
					descending = up
				}
			}
			if len(b.candidates) > 0 {
				out = append(out, modifierCandidate{modifier{kind: modifierSuperlative, attribute: b, descending: descending, count: "1"}, end, 0.2})
			}
		}
	}
	return out
}

// haveValue reads "an inscription", "phone" at the end of a sentence: a column that need not have a value, and has one.
func (p *parser) haveValue(i int) (out []modifierCandidate) {
	with := i > 0 && p.tokens[i-1].lower == "with"
	if w := p.at(i).lower; w == "a" || w == "an" {
		i++
		with = false
	}
	for end, a := range inOrder(p.mentions.attributes[i]) {
		if !p.isOnlyFillers(end, len(p.tokens)) && p.tokens[end].kind != punctToken || len(p.ends(i, "no", "max", "min")) > 0 {
			continue
		}
		if with && a.candidates[0].column.Class == catalog.Number {
			continue // "sofas with price" are shown with it
		}
		some := &attribute{start: i, end: end, candidates: slices.DeleteFunc(slices.Clone(a.candidates), func(c columnCandidate) bool {
			return c.score < max(namedScore, a.candidates[0].score) || c.column.NotNull || c.column.Class == catalog.Boolean
		})}
		if len(some.candidates) > 0 {
			out = append(out, modifierCandidate{modifier{kind: modifierCompare, attribute: some, op: "is not null", ofThingItself: true}, end, 0.1})
		}
	}
	return out
}

// haveCompared reads "an age greater than 20", "a greater weight than 10", "4 cylinders".
func (p *parser) haveCompared(i int) (out []modifierCandidate) {
	for _, d := range p.maybe(i, "article", "distinct", "pronoun") {
		for _, a := range p.attributes(d, true) {
			if len(a.phrase.items) != 1 {
				continue
			}
			if a.phrase.items[0].aggregate == "" {
				out = append(out, p.haveAttribute(a)...)
				continue
			}
			for _, of := range p.maybe(a.end, "of_strict") {
				for _, c := range p.comparisons(of) {
					out = append(out, modifierCandidate{attributeCompared(a.phrase, c), c.end, a.cost + c.cost + 0.1})
				}
			}
		}
		out = append(out, p.haveGreater(d)...)
	}
	return out
}

// haveAttribute reads what an attribute is compared with, behind its name: "age greater than 20",
// "colour red", "price of 5", "birthday in May".
func (p *parser) haveAttribute(a candidate) (out []modifierCandidate) {
	attribute := a.phrase.items[0].attribute
	for _, c := range p.comparisons(a.end) {
		if c.phrase == nil || p.at(a.end).lower != "of" { // "the price of a bottle" is shown
			out = append(out, modifierCandidate{comparisonModifier(attribute, c), c.end, a.cost + c.cost})
		}
	}
	equal := func(i int, cost float64) {
		for _, v := range p.values(i) {
			out = append(out, modifierCandidate{comparisonModifier(attribute, comparison{op: "=", values: v.phrase}), v.end, a.cost + v.cost + cost})
		}
	}
	equal(a.end, 0.1)
	for _, o := range p.maybe(a.end, "of_strict", "in") {
		for u, n := range p.amounts(o) {
			out = append(out, modifierCandidate{comparisonModifier(attribute, comparison{op: "=", value: n}), u, a.cost + 0.1})
		}
		if o > a.end {
			equal(o, 0.15)
		}
	}
	for _, d := range p.date(a.end) {
		out = append(out, modifierCandidate{modifier{kind: modifierDate, date: &d.dates, attribute: attribute}, d.end, a.cost + d.cost + 0.1})
	}
	return out
}

// haveGreater reads "greater weight than 10".
func (p *parser) haveGreater(i int) (out []modifierCandidate) {
	for e, adjective := range p.adjectivesAt(i, moreDegree) {
		for end, a := range inOrder(p.mentions.attributes[e]) {
			for _, than := range p.ends(end, "than") {
				for _, o := range p.operands(than) {
					m := modifier{kind: modifierCompare, attribute: a, op: adjective.above(), value: o.value, phrase: o.phrase}
					out = append(out, modifierCandidate{m, o.end, o.cost + 3*(1-a.candidates[0].score)/2})
				}
			}
		}
	}
	return out
}

// haveNumber reads "more than 4 cylinders", "4 cylinders": the attribute is a number.
func (p *parser) haveNumber(i int) (out []modifierCandidate) {
	read := func(i int, op string) {
		for u, n := range p.amounts(i) {
			for _, o := range p.maybe(u, "of_strict") {
				for end, a := range inOrder(p.mentions.attributes[o]) {
					if number := onlyNumeric(a); number != nil {
						m := modifier{kind: modifierCompare, attribute: number, op: op, value: n}
						out = append(out, modifierCandidate{m, end, 0.15 + 3*(1-a.candidates[0].score)/2})
					}
				}
			}
		}
	}
	for _, c := range comparators {
		for _, s := range p.ends(i, c.tag) {
			read(s, c.op)
		}
	}
	read(i, "=")
	return out
}

// haveThings reads "courses", "a course in 2014", "both cats and dogs".
func (p *parser) haveThings(i int) (out []modifierCandidate) {
	for b, c := range p.nounsFrom(p.maybe(i, "both", "either")) {
		if !c.phrase.isEntity() && !c.phrase.isValue() {
			continue
		}
		n := c.phrase
		if b > i && len(n.values) > 1 && !n.alternatives {
			n = n.clone()
			n.eachValue = true
		}
		out = append(out, modifierCandidate{modifier{kind: modifierRelated, phrase: n, hints: []string{"have"}, eachValue: b > i}, c.end, c.cost + 0.1})
	}
	return out
}
