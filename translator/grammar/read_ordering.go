// Reading how an answer is sorted, and how much of it is wanted.

package grammar

import (
	"iter"
	"slices"
)

// ordering reads how an answer is sorted: "ordered by age", "in descending order of age".
func (p *parser) ordering(i int) (out []modifierCandidate) {
	var starts []int
	begins := slices.Concat([]int{i}, p.ends(i, "comma"), p.ends(i, "and"))
	for _, b := range begins {
		if !p.isNounBefore(b) {
			starts = append(starts, p.ends(b, "order")...)
		}
	}
	for _, e := range starts {
		for e2, ascending := range p.eitherOf(e, "asc", "desc") {
			out = append(out, p.sortKeys(p.behind(p.maybe(e2, "of_strict", "in", "by"), "by"), !ascending)...)
			out = append(out, modifierCandidate{modifier{kind: modifierDirection, descending: !ascending}, e2, 0.3})
		}
		if p.at(e-1).lower != "in" || !slices.Contains(begins, e-1) { // "in" alone needs a direction
			out = append(out, p.orderedBy(e)...)
		}
	}
	places := append([]int{i}, p.ends(i, "comma")...)
	out = append(out, each(slices.Concat(places, p.behind(p.ends(i, "order"), "comma"), p.ends(i, "beginning_with")), p.ranks)...)
	out = append(out, each(p.ends(i, "by"), p.byInOrder)...)
	for _, e := range append(places, p.ends(i, "order")...) {
		for e2, ascending := range p.eitherOf(e, "asc", "desc") {
			if len(p.fromTo(e)) == 0 {
				out = append(out, modifierCandidate{modifier{kind: modifierDirection, descending: !ascending}, e2, 0.1})
			}
			by := slices.DeleteFunc(p.behind(p.maybe(e2, "of_strict", "in"), "by"), func(b int) bool { return b == e2 && p.at(e).lower != "from" })
			out = append(out, p.sortKeys(by, !ascending)...)
		}
	}
	return p.thenBy(out)
}

// thenBy adds to each way to sort the keys that follow it: "newest first, then by title", "by city and then by name".
func (p *parser) thenBy(list []modifierCandidate) []modifierCandidate {
	out := list
	for _, m := range list {
		for _, e := range p.then(p.maybe(m.end, "comma"), "then_by") {
			for _, next := range p.thenBy(append(p.orderedBy(e), p.ranks(e)...)) {
				both := modifier{kind: modifierAll, parts: []modifier{m.modifier, next.modifier}}
				out = append(out, modifierCandidate{both, next.end, m.cost + next.cost})
			}
		}
	}
	return out
}

// directionBehindKey yields where words end that say which of the values of a key come first, "highest first", and whether the highest do. Of a
// number of things these may be the best, the largest or the most.
func (p *parser) directionBehindKey(i int, key *phrase) iter.Seq2[int, bool] {
	return func(yield func(int, bool) bool) {
		for e, ascending := range p.eitherOf(i, "asc", "desc") {
			if !yield(e, !ascending) {
				return
			}
		}
		if !key.hasAggregate() || len(key.order) > 0 {
			return
		}
		for e, a := range p.adjectivesAt(i, mostDegree) {
			_, ofTime := a.ofTime()
			for _, first := range p.ends(e, "comes_first") {
				if !ofTime && !a.isBad() && !yield(first, a.up) {
					return
				}
			}
		}
	}
}

// byInOrder reads "price, highest first" and "descending price" behind "by": a number or a time that is a sort key and no group.
func (p *parser) byInOrder(i int) []modifierCandidate {
	out := slices.DeleteFunc(p.orderedBy(i), func(m modifierCandidate) bool {
		return !p.endsTag(m.end, "asc", "desc") && p.at(m.end-1).lower != "first"
	})
	for e, ascending := range p.eitherOf(i, "asc", "desc") {
		out = append(out, p.sortKeys([]int{e}, !ascending)...)
	}
	out = slices.DeleteFunc(out, func(m modifierCandidate) bool {
		key := m.modifier.phrase
		return key == nil || len(key.items) != 1 || key.items[0].aggregate == "" && (!key.isAttribute() || !isRankable(key.items[0]))
	})
	for k := range out {
		out[k].modifier.ofThingItself = true
	}
	return append(out, p.byNumberInOrder(i)...)
}

// byNumberInOrder reads "members, most first" behind "by". What has amounts or marks may be large or good by these.
func (p *parser) byNumberInOrder(i int) (out []modifierCandidate) {
	for _, c := range p.noun(i) {
		if !c.phrase.isPlain() || !p.isPlural(c.phrase) || c.end != c.phrase.words[1] {
			continue
		}
		r, number := c.phrase.set.relation, p.counted(c.phrase)
		for _, comma := range p.ends(c.end, "comma") {
			if (p.impliedColumn(r, true) != nil || p.onlyMark(r) != nil) && len(p.ends(comma, "most", "least")) == 0 {
				continue
			}
			for e, descending := range p.directionBehindKey(comma, number) {
				out = append(out, modifierCandidate{modifier{kind: modifierOrder, op: "count", phrase: number, descending: descending}, e, c.cost})
			}
		}
	}
	return out
}

// comesFirst reads "newest orders first", "cheapest products first".
func (p *parser) comesFirst(i int) (out []candidate) {
	first := func(e int, m modifier) {
		for _, c := range p.noun(e) {
			if !c.phrase.isEntity() || !p.isPlural(c.phrase) || p.at(c.end).lower != "first" {
				continue
			}
			out = append(out, candidates(p.applyDirection(c.phrase, &m), c.end+1, c.cost+0.1)...)
		}
	}
	for e, latest := range p.eitherOf(i, "latest", "earliest") {
		first(e, modifier{kind: modifierDirection, date: &dateRange{}, descending: latest})
	}
	for e, a := range p.adjectivesAt(i, mostDegree) {
		first(e, directionOf(a))
	}
	return out
}

// directionOf is the order in which what an adjective names the most so comes first.
func directionOf(a adjective) modifier {
	m := modifier{kind: modifierDirection, adjective: &a, descending: a.up}
	if late, ok := a.ofTime(); ok {
		m.date, m.descending = &dateRange{}, late
	}
	return m
}

// sortKeys reads the sort keys that begin at one of the places.
func (p *parser) sortKeys(places []int, descending bool) (out []modifierCandidate) {
	for _, by := range places {
		for _, k := range p.orderKeys(by) {
			out = append(out, modifierCandidate{modifier{kind: modifierOrder, phrase: k.phrase, descending: descending}, k.end, k.cost})
		}
	}
	return out
}

// orderedBy reads "age", "age, descending".
func (p *parser) orderedBy(i int) (out []modifierCandidate) {
	for _, k := range p.orderKeys(i) {
		out = append(out, modifierCandidate{modifier{kind: modifierOrder, phrase: k.phrase}, k.end, k.cost + 0.02})
		for _, in := range p.behind(p.maybe(k.end, "comma"), "in", "and") {
			for e, descending := range p.directionBehindKey(in, k.phrase) {
				out = append(out, modifierCandidate{modifier{kind: modifierOrder, phrase: k.phrase, descending: descending}, e, k.cost})
			}
			for e, highest := range p.eitherOf(in, "max", "min") { // "age, the highest age first"
				for _, again := range p.attributes(e, false) {
					for _, first := range p.ends(again.end, "comes_first") {
						if k.phrase.isAttribute() && p.text(e, again.end) == p.text(k.phrase.words[0], k.phrase.words[1]) {
							out = append(out, modifierCandidate{modifier{kind: modifierOrder, phrase: k.phrase, descending: highest}, first, k.cost})
						}
					}
				}
			}
		}
	}
	return out
}

// ranks reads how much of a list is wanted and what comes first in it: "top 5",
// "newest first", "most expensive first".
func (p *parser) ranks(i int) (out []modifierCandidate) {
	for e, top := range p.eitherOf(i, "top", "bottom") {
		if n, end := p.number(e); end > e {
			out = append(out, modifierCandidate{modifier{kind: modifierLimit, count: n, descending: top}, end, 0.2})
		}
	}
	for e, latest := range p.eitherOf(i, "latest", "earliest") {
		for _, first := range p.ends(e, "comes_first") {
			out = append(out, modifierCandidate{modifier{kind: modifierDirection, date: &dateRange{}, descending: latest}, first, 0.1})
		}
	}
	for e, a := range p.adjectivesAt(i, mostDegree) {
		for _, first := range p.then(p.maybe(e, "the_group"), "comes_first") {
			out = append(out, modifierCandidate{directionOf(a), first, 0.1})
		}
	}
	for e, most := range p.eitherOf(i, "popular", "unpopular") { // "most common first"
		for _, first := range p.ends(e, "comes_first") {
			out = append(out, modifierCandidate{modifier{kind: modifierMostCommon, descending: most}, first, 0.1})
		}
	}
	if p.at(i).lower == "the" {
		out = append(out, p.ranks(i+1)...)
	}
	out = append(out, p.fromTo(i)...)
	for e, highest := range p.eitherOf(i, "max", "min") {
		out = append(out, p.namedFirst(e, highest)...)
	}
	return out
}

// fromTo reads "from cheapest to most expensive", "from the oldest to the newest".
func (p *parser) fromTo(i int) (out []modifierCandidate) {
	for e, newest := range p.eitherOf(i, "newest_to_oldest", "oldest_to_newest") {
		out = append(out, modifierCandidate{modifier{kind: modifierDirection, date: &dateRange{}, descending: newest}, e, 0.1})
	}
	if p.at(i).lower != "from" {
		return out
	}
	for _, first := range p.maybe(i+1, "article") {
		for e, a := range p.adjectivesAt(first, mostDegree) {
			if p.at(e).lower != "to" {
				continue
			}
			for _, last := range p.maybe(e+1, "article") {
				for end, b := range p.adjectivesAt(last, mostDegree) {
					if a.up != b.up {
						out = append(out, modifierCandidate{directionOf(a), end, 0.1})
					}
				}
			}
		}
	}
	return out
}

// namedFirst reads "price first" behind "highest". "Country first" behind "biggest" is by what is counted for each.
func (p *parser) namedFirst(i int, highest bool) (out []modifierCandidate) {
	for _, a := range p.attributes(i, false) {
		m := modifier{kind: modifierOrder, phrase: a.phrase, descending: highest}
		if isText(a.phrase.items[0].attribute.candidates[0].column) {
			m = modifier{kind: modifierDirection, descending: highest}
		}
		for _, first := range p.ends(a.end, "comes_first") {
			if a.phrase.items[0].aggregate == "" {
				out = append(out, modifierCandidate{m, first, a.cost + 0.1})
			}
		}
	}
	for _, r := range p.mentions.relations[i] {
		for _, first := range p.ends(r.end, "comes_first") {
			out = append(out, modifierCandidate{modifier{kind: modifierDirection, descending: highest}, first, 1 - r.score + 0.1})
		}
	}
	return out
}

// orderKeys reads what an answer is ordered by.
func (p *parser) orderKeys(i int) (out []candidate) {
	for _, c := range p.nounsFrom(p.maybe(i, "pronoun", "article")) {
		if !c.phrase.isValue() && !c.phrase.isPronoun {
			out = append(out, c)
		}
	}
	// "by age and name" is two keys: only single attributes are read here
	for _, d := range p.maybe(i, "pronoun", "article") {
		out = append(out, p.attributes(d, true)...)
	}
	return keepPerEnd(out)
}
