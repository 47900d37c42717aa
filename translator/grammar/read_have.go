// Reading what follows "have" or "with", how many, and what is lacking.

package grammar

import (
	"slices"
	"strings"

	"askpg/catalog"
)

// havePhrase reads what follows "have" or "with": related things, attributes and what they are compared with.
func (p *parser) havePhrase(i int) []modifierCandidate {
	if i >= len(p.tokens) || p.isExhausted() {
		return nil
	}
	if r, ok := p.havePhrases[i]; ok {
		return r
	}
	p.havePhrases[i] = nil
	p.steps++
	out := slices.Concat(p.haveText(i), p.haveMost(i), p.haveExtreme(i), p.haveExtremeColumn(i), p.haveCompared(i), p.haveNumber(i), p.haveThings(i), p.haveFlag(i), p.haveValue(i), p.haveExpired(i), p.moreOf(i))
	// at least two courses
	out = append(out, p.quantified(i, []string{"have"})...)
	// no courses
	for _, e := range p.ends(i, "no") {
		out = append(out, p.absence(e, []string{"have"})...)
	}
	if p.at(i).lower == "only" {
		out = append(out, onlySuch(p.havePhrase(i+1))...)
	}
	out = keepModifiers(out)
	p.havePhrases[i] = out
	return out
}

// haveFlag reads "breakfast included", "a meal": what a column says yes or no to.
func (p *parser) haveFlag(i int) (out []modifierCandidate) {
	for _, d := range p.maybe(i, "article") {
		out = append(out, p.flagsAt(d, 0.1)...)
	}
	return out
}

// comparisonModifier says a comparison of an attribute.
func comparisonModifier(a *attribute, c comparison) modifier {
	m := modifier{kind: modifierCompare, attribute: a, op: c.op, value: c.value, phrase: c.phrase, date: c.date}
	if c.values != nil {
		m.phrase = c.values
	}
	return m
}

// onlyNumeric returns the readings of an attribute that are numbers, nil if there are none.
func onlyNumeric(a *attribute) *attribute {
	b := *a
	b.candidates = nil
	for _, c := range a.candidates {
		if c.column.Class == catalog.Number {
			b.candidates = append(b.candidates, c)
		}
	}
	if len(b.candidates) == 0 {
		return nil
	}
	return &b
}

// quantified reads a number of related things: "at least two courses".
func (p *parser) quantified(i int, hints []string) (out []modifierCandidate) {
	related := func(c candidate, op, n string, cost float64) {
		out = append(out, modifierCandidate{modifier{kind: modifierRelated, phrase: c.phrase, hints: hints, quantifier: &quantifier{op: op, count: n, distinct: c.phrase.distinct}}, c.end, c.cost + cost})
	}
	p.numberCompared(i, related)
	for _, c := range p.nounsFrom(p.ends(i, "several")) {
		if c.phrase.isEntity() {
			related(c, ">=", "2", 0.1)
		}
	}
	p.exactNumber(i, related)
	return out
}

// numberCompared reads "at least two courses".
func (p *parser) numberCompared(i int, add func(c candidate, op, n string, cost float64)) {
	for _, comparator := range comparators {
		for _, e := range p.ends(i, comparator.tag) {
			n, e2 := p.number(e)
			if e2 == e {
				continue
			}
			for _, c := range p.noun(e2) {
				if c.phrase.isEntity() || c.phrase.isAttribute() && len(c.phrase.items) == 1 && c.phrase.items[0].aggregate == "" {
					add(c, comparator.op, n, attributeCost(c.phrase))
				}
			}
		}
	}
}

// exactNumber reads "two courses", "two or more courses", "two courses or more".
func (p *parser) exactNumber(i int, add func(c candidate, op, n string, cost float64)) {
	n, e := p.number(i)
	if e == i {
		return
	}
	for e2, op := range p.orMore(e) {
		for _, c := range p.noun(e2) {
			if c.phrase.isEntity() {
				add(c, op, n, 0)
			}
		}
	}
	for _, c := range p.noun(e) {
		if !c.phrase.isEntity() || c.phrase.number != "" {
			continue
		}
		add(c, "=", n, 0.2)
		for e2, op := range p.orMore(c.end) {
			add(candidate{c.phrase, e2, c.cost}, op, n, 0)
		}
	}
}

// repetition is how often something happens: "twice", "at least 3 times".
type repetition struct {
	op, count string
	end       int
}

// repetitions reads "twice", "more than once", "at least 3 times", "only once".
func (p *parser) repetitions(i int) (out []repetition) {
	read := func(i int, op string) {
		n, e := p.number(i)
		if e == i {
			return
		}
		switch w := p.at(e).lower; {
		case w == "times" || w == "time":
			out = append(out, repetition{op, n, e + 1})
			for e2, more := range p.orMore(e + 1) {
				out = append(out, repetition{more, n, e2})
			}
		case p.at(i).lower == "once" || p.at(i).lower == "twice":
			out = append(out, repetition{op, n, e})
		}
	}
	for _, c := range comparators {
		for _, e := range p.ends(i, c.tag) {
			read(e, c.op)
		}
	}
	read(i, "=")
	return out
}

// attributeCost is the cost to count the values of an attribute instead of things.
func attributeCost(n *phrase) float64 {
	if n.isAttribute() {
		return 0.4
	}
	return 0
}

// absence reads what things do not have: "orders" of "without orders".
func (p *parser) absence(i int, hints []string) (out []modifierCandidate) {
	for d, c := range p.nounsFrom(p.maybe(i, "article")) {
		cost := c.cost
		if a := p.mentions.attributes[d][c.end]; a != nil && a.candidates[0].score >= 0.98 && c.phrase.isValue() {
			cost += 0.7 // the very name of a column is what is lacking
		}
		if c.phrase.isValue() && p.isRoleKey(p.tokens[c.end-1].stem) {
			cost += 1.5 // who has no foreman need not be one
		}
		if c.phrase.isEntity() || c.phrase.isValue() {
			out = append(out, modifierCandidate{modifier{kind: modifierRelated, phrase: c.phrase, hints: hints, negated: true}, c.end, cost})
		}
		out = append(out, p.missingValues(c)...)
	}
	return out
}

// forHowMany reads "for how many members is there no address", "for how many do we have one": how many have one or have none.
func (p *parser) forHowMany(i int) []candidate {
	if p.at(i).lower != "for" {
		return nil
	}
	var out []candidate
	for _, e := range p.ends(i+1, "how_many") {
		for _, c := range p.things(e) {
			for _, m := range p.thereIs(c.end) {
				for _, r := range p.apply(c.phrase, &m.modifier) {
					if n := p.counted(r.phrase); n != nil {
						out = append(out, candidate{n, m.end, c.cost + m.cost + r.cost + 0.1})
					}
				}
			}
		}
	}
	return out
}

// thereIs reads "is there no address", "do we have an address", "don't we have an address": what things have or lack.
func (p *parser) thereIs(i int) []modifierCandidate {
	switch rest := strings.Join(p.wordsBetween(i, min(i+4, len(p.tokens))), " "); {
	case strings.HasPrefix(rest, "is there "), strings.HasPrefix(rest, "are there "):
		return p.havePhrase(i + 2)
	case strings.HasPrefix(rest, "do we have "):
		return p.havePhrase(i + 3)
	case rest == "do n't we have", rest == "do we not have":
		return each(p.maybe(i+4, "any"), func(at int) []modifierCandidate { return p.absence(at, []string{"have"}) })
	}
	return nil
}

// isRoleKey reports whether a key is named by a word, such as agent_id: rows have one or have none ("tickets without an agent").
func (p *parser) isRoleKey(stem string) bool {
	return slices.ContainsFunc(p.relations, func(r *catalog.Relation) bool {
		return slices.ContainsFunc(p.lexicon.graph.edges[r], func(e *edge) bool { return e.toOne && slices.Contains(e.name, stem) })
	})
}

// missingValues reads the columns of which there is no value: "without phone", or
// without any of several: "without email or phone".
func (p *parser) missingValues(c candidate) []modifierCandidate {
	if !c.phrase.isAttribute() {
		return nil
	}
	all := modifier{kind: modifierAll}
	for _, it := range c.phrase.items {
		if it.attribute == nil || it.aggregate != "" {
			return nil
		}
		all.parts = append(all.parts, modifier{kind: modifierCompare, attribute: it.attribute, op: "is null"})
	}
	out := []modifierCandidate{{all, c.end, c.cost + 0.3}}
	if a := c.phrase.items[0].attribute; len(c.phrase.items) == 1 && nullableTimes(a) != nil && !a.candidates[0].column.NotNull {
		out[0].cost -= p.partialNameCost(a) // "no response" has no first_response_at
	}
	if len(all.parts) == 1 {
		out[0].modifier = all.parts[0]
	}
	for _, or := range p.ends(c.end, "or") {
		for _, next := range p.attributes(or, false) {
			for _, m := range p.missingValues(next) {
				out = append(out, modifierCandidate{modifier{kind: modifierAll, parts: append(all.parts[:len(all.parts):len(all.parts)], m.modifier)}, m.end, c.cost + m.cost})
			}
		}
	}
	return out
}
