// Reading how an answer is sorted, and how much of it is wanted.

package grammar

import "slices"

// ordering reads how an answer is sorted: "ordered by age", "in descending order of age".
func (p *parser) ordering(i int) []modifierCandidate {
	var out []modifierCandidate
	starts := p.ends(i, "order")
	for _, before := range [][]int{p.ends(i, "comma"), p.ends(i, "and")} {
		for _, e := range before {
			starts = append(starts[:len(starts):len(starts)], p.ends(e, "order")...)
		}
	}
	for _, e := range starts {
		for e2, ascending := range p.eitherOf(e, "asc", "desc") {
			out = append(out, p.sortKeys(p.behind(p.maybe(e2, "of_strict", "in", "by"), "by"), !ascending)...)
			out = append(out, modifierCandidate{modifier{kind: modifierDirection, descending: !ascending}, e2, 0.3})
		}
		if p.at(i).lower != "in" || e != i+1 {
			out = append(out, p.orderedBy(e)...)
		}
	}
	places := append([]int{i}, p.ends(i, "comma")...)
	for _, e := range places {
		out = append(out, p.ranks(e)...)
	}
	for _, e := range append(places, p.ends(i, "order")...) {
		for e2, ascending := range p.eitherOf(e, "asc", "desc") {
			out = append(out, modifierCandidate{modifier{kind: modifierDirection, descending: !ascending}, e2, 0.1})
			by := slices.DeleteFunc(p.behind(p.maybe(e2, "of_strict", "in"), "by"), func(b int) bool { return b == e2 })
			out = append(out, p.sortKeys(by, !ascending)...)
		}
	}
	return out
}

// sortKeys reads what is sorted by, which begins at one of the places.
func (p *parser) sortKeys(places []int, descending bool) []modifierCandidate {
	var out []modifierCandidate
	for _, by := range places {
		for _, k := range p.orderKeys(by) {
			out = append(out, modifierCandidate{modifier{kind: modifierOrder, phrase: k.phrase, descending: descending}, k.end, k.cost})
		}
	}
	return out
}

// orderedBy reads "age", "age, descending".
func (p *parser) orderedBy(i int) []modifierCandidate {
	var out []modifierCandidate
	for _, k := range p.orderKeys(i) {
		out = append(out, modifierCandidate{modifier{kind: modifierOrder, phrase: k.phrase}, k.end, k.cost + 0.02})
		for _, in := range p.behind(p.maybe(k.end, "comma"), "in", "and") {
			for e, ascending := range p.eitherOf(in, "asc", "desc") {
				out = append(out, modifierCandidate{modifier{kind: modifierOrder, phrase: k.phrase, descending: !ascending}, e, k.cost})
			}
		}
	}
	return out
}

// ranks reads how much of a list is wanted and what comes first in it: "top 5",
// "newest first", "most expensive first".
func (p *parser) ranks(i int) []modifierCandidate {
	var out []modifierCandidate
	for e, top := range p.eitherOf(i, "top", "bottom") {
		if n, end := p.number(e); end > e {
			out = append(out, modifierCandidate{modifier{kind: modifierLimit, count: n, descending: top}, end, 0.2})
		}
	}
	for e, latest := range p.eitherOf(i, "latest", "earliest") {
		if p.at(e).lower == "first" {
			out = append(out, modifierCandidate{modifier{kind: modifierDirection, date: &dateRange{}, descending: latest}, e + 1, 0.1})
		}
	}
	for e, a := range p.adjectivesAt(i, mostDegree) {
		if p.at(e).lower != "first" {
			continue
		}
		m := modifier{kind: modifierDirection, adjective: &a, descending: a.up}
		if late, ok := a.ofTime(); ok {
			m.date, m.descending = &dateRange{}, late
		}
		out = append(out, modifierCandidate{m, e + 1, 0.1})
	}
	return out
}

// orderKeys reads what an answer is ordered by.
func (p *parser) orderKeys(i int) []candidate {
	var out []candidate
	for _, d := range p.maybe(i, "pronoun", "article") {
		for _, c := range p.noun(d) {
			if !c.phrase.isValue() && !c.phrase.pronoun {
				out = append(out, c)
			}
		}
	}
	// "by age and name" is two keys: only single attributes are read here
	for _, d := range p.maybe(i, "pronoun", "article") {
		out = append(out, p.attributes(d, true)...)
	}
	return keepPerEnd(out)
}
