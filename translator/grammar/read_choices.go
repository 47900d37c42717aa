// Loops over the alternatives at a place of the question, which nearly every construction begins with.

package grammar

import (
	"iter"
	"strings"
)

// each returns what is read from each of the places, or of each of other things.
func each[P, T any](places []P, read func(P) []T) (out []T) {
	for _, i := range places {
		out = append(out, read(i)...)
	}
	return out
}

// nounsFrom yields the noun phrases that begin at any of the places, each with its place.
func (p *parser) nounsFrom(starts []int) iter.Seq2[int, candidate] {
	return func(yield func(int, candidate) bool) {
		for _, s := range starts {
			for _, c := range p.noun(s) {
				if !yield(s, c) {
					return
				}
			}
		}
	}
}

// behind returns where the phrases of any of the tags end that begin at any of the
// places, and the places themselves: the phrases may be missing.
func (p *parser) behind(places []int, tags ...string) []int {
	return each(places, func(i int) []int { return p.maybe(i, tags...) })
}

// then returns where the phrases of any of the tags end that begin at any of the places.
func (p *parser) then(places []int, tags ...string) []int {
	return each(places, func(i int) []int { return p.ends(i, tags...) })
}

// eitherOf yields where the phrases of two tags of opposite meaning end, such as
// "most" and "least", and whether it is the first of them.
func (p *parser) eitherOf(i int, first, second string) iter.Seq2[int, bool] {
	return func(yield func(int, bool) bool) {
		for _, tag := range []string{first, second} {
			for _, e := range p.ends(i, tag) {
				if !yield(e, tag == first) {
					return
				}
			}
		}
	}
}

// orMore yields where "or more" and "or less" behind a number end, with the comparison that they make of it.
func (p *parser) orMore(i int) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for e, more := range p.eitherOf(i, "or_more", "or_less") {
			op := "<="
			if more {
				op = ">="
			}
			if !yield(e, op) {
				return
			}
		}
	}
}

// amounts yields the number that begins at token i, if one does, with each end that
// a unit of measure behind it may have.
func (p *parser) amounts(i int) iter.Seq2[int, operand] {
	return func(yield func(int, operand) bool) {
		if w := p.at(i).lower; w == "once" || w == "twice" {
			return // how often, and not how much
		}
		n, e := p.number(i)
		if p.at(i).isNegative() {
			n, e = p.at(i).text, i+1
		}
		if e == i {
			return
		}
		for _, u := range p.unit(e) {
			value := numberOperand(n)
			value.percent = p.percentAt(e)
			if u > e {
				value.unit = strings.ToLower(p.text(e, u))
			}
			if !yield(u, value) {
				return
			}
		}
	}
}

// numberOperand is a number to compare with.
func numberOperand(n string) operand { return operand{literals: []string{n}, plain: n} }

// adjectivesAt yields the adjectives of a degree that begin at token i, with where they end.
func (p *parser) adjectivesAt(i int, d degree) iter.Seq2[int, adjective] {
	return func(yield func(int, adjective) bool) {
		for e, forms := range inOrder(p.adjectives[min(i, len(p.tokens))]) {
			for _, a := range forms {
				if a.degree == d && !yield(e, a) {
					return
				}
			}
		}
	}
}

// above is the comparison that an adjective such as "larger" or "smaller" makes.
func (a adjective) above() string {
	if a.up {
		return ">"
	}
	return "<"
}

// withCost returns the modifiers with a cost added to each.
func withCost(list []modifierCandidate, cost float64) []modifierCandidate {
	out := make([]modifierCandidate, len(list))
	for i, m := range list {
		out[i] = modifierCandidate{m.modifier, m.end, m.cost + cost}
	}
	return out
}
