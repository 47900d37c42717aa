// Reading marks that are said in stars: "5 star reviews", "with 2 stars or less".

package grammar

import (
	"askpg/catalog"
)

// starsAt reads "5 star", "2 stars or less", "1 or 2 stars", "more than 3 stars" as a comparison of marks.
func (p *parser) starsAt(i int) (out []modifierCandidate) {
	read := func(at int, op string) {
		n, e := p.number(at)
		value := numberOperand(n)
		if second, e2 := p.number(e + 1); op == "=" && e > at && e2 > e+1 && p.at(e).lower == "or" {
			op, e = "in", e2 // "1 or 2 stars"
			value = operand{literals: []string{n, second}, plain: n + " or " + second}
		}
		if s := p.at(e).lower; e == at || s != "star" && s != "stars" {
			return
		}
		mark := p.attributeNamed([]string{"rating", "stars", "score"}, nil, e, e+1)
		if mark == nil {
			return
		}
		add := func(op string, end int) {
			m := modifier{kind: modifierCompare, attribute: mark, op: op, value: value}
			out = append(out, modifierCandidate{m, end, 0.1})
		}
		add(op, e+1)
		if op != "=" {
			return
		}
		for end, op := range p.orMore(e + 1) {
			add(op, end)
		}
	}
	read(i, "=")
	for _, c := range comparators {
		if isEquality(c.op) {
			continue
		}
		for _, e := range p.ends(i, c.tag) {
			read(e, c.op)
		}
	}
	return out
}

// starred reads "5 star reviews", and "out of stock items" in the same way.
func (p *parser) starred(i int) (out []candidate) {
	for _, m := range append(p.starsAt(i), p.inStock(i)...) {
		for _, c := range p.noun(m.end) {
			if c.phrase.set != nil {
				out = append(out, candidates(p.apply(c.phrase, &m.modifier), c.end, c.cost+m.cost)...)
			}
		}
	}
	return out
}

// withStars reads "with 5 stars", "(2 stars or less)".
func (p *parser) withStars(i int) []modifierCandidate {
	return each(p.maybe(i, "with", "of_strict"), p.starsAt)
}

// onlyMark returns the only column of marks that a relation has, nil if it has none or several.
func (p *parser) onlyMark(r *catalog.Relation) *catalog.Column {
	return onlyWhere(r.Columns, func(c *catalog.Column) bool { return !c.Private && !p.isIdentifier(c) && p.isMark(c) })
}
