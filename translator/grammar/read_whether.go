// Questions that begin with a verb: "is any bill unpaid", "did Ann order a lamp", "did we have more orders this year than last year".

package grammar

import (
	"slices"
	"strings"
)

// askedWhether reads what a question that begins with a verb asks for: the things that are so, the number of what somebody did, or
// the numbers of two times.
func (p *parser) askedWhether(i int) []candidate {
	often := p.countOfVerbEvents(i)
	did := slices.DeleteFunc(p.countEventsQuestion(i), func(c candidate) bool {
		return slices.ContainsFunc(often, func(o candidate) bool { return o.end >= c.end }) // what the verb records is counted
	})
	return keepPerEnd(slices.Concat(p.isAnyQuestion(i), p.isOneQuestion(i), often, did, p.moreThan(i)))
}

// isOneQuestion reads what is asked of one thing that is named: "is bill 12 overdue", "is Ann Lee on holiday today".
func (p *parser) isOneQuestion(i int) (out []candidate) {
	for _, c := range p.nounsFrom(p.behind(p.ends(i, "be_bare"), "article")) {
		for _, thing := range p.oneThing(c) {
			for _, m := range p.complement(c.end) {
				out = append(out, candidates(p.apply(thing.phrase, &m.modifier), m.end, c.cost+thing.cost+m.cost+0.1)...)
			}
		}
	}
	return out
}

// oneThing returns the thing that a noun phrase calls by its name, by itself or behind its kind.
func (p *parser) oneThing(c candidate) []reading {
	switch {
	case c.phrase.isValue() && len(c.phrase.values) == 1:
		return slices.DeleteFunc(p.valueEntity(c.phrase), func(r reading) bool { return !isOneThing(r.phrase) })
	case isOneThing(c.phrase):
		return []reading{{c.phrase, 0}}
	}
	return nil
}

// isAnyQuestion reads "is any bill of last year unpaid", "is one of our bills unpaid", "is there a bill still unpaid".
func (p *parser) isAnyQuestion(i int) (out []candidate) {
	for _, e := range p.behind(p.ends(i, "be_bare"), "there_are", "article") {
		if p.at(e).lower == "there" {
			e++
		}
		switch p.at(e).lower {
		case "any", "some", "a", "an":
		case "one":
			if p.at(e+1).lower != "of" {
				continue
			}
		default:
			continue
		}
		for _, c := range p.noun(e) {
			if !c.phrase.isPlain() {
				continue
			}
			for _, m := range p.complement(c.end) {
				if strings.HasSuffix(p.at(m.end-1).lower, "ed") && p.isVerb(m.end-1) && p.isFillerVerb(m.end-1) {
					continue // what is asked is said by it
				}
				out = append(out, candidates(p.apply(c.phrase, &m.modifier), m.end, c.cost+m.cost+0.1)...)
			}
		}
	}
	return out
}

// countEventsQuestion reads "did Ann order a lamp last year", "has Ann ever had a bill": how many of it there are tells whether.
func (p *parser) countEventsQuestion(i int) (out []candidate) {
	for _, c := range p.nounsFrom(p.ends(i, "do")) {
		if !c.phrase.isValue() && !isOneThing(c.phrase) {
			continue
		}
		for _, ever := range p.maybe(c.end, "noise") {
			for _, v := range p.verbEnds(ever) {
				m := inverse(c.phrase, p.wordsBetween(ever, v.end))
				m.verb = v.relation
				for _, o := range p.countOfObject(v.end, &m) {
					out = append(out, candidate{o.phrase, o.end, c.cost + v.cost + o.cost + 0.1})
				}
			}
		}
	}
	return out
}

// countOfObject reads "a lamp last year", of which m says what somebody did to them, as how many they are.
func (p *parser) countOfObject(i int, m *modifier) (out []candidate) {
	for _, o := range p.nounsFrom(p.maybe(i, "article")) {
		if !o.phrase.isPlain() || isOneThing(o.phrase) {
			continue
		}
		for _, r := range p.apply(o.phrase, m) {
			if n := p.counted(r.phrase); n != nil {
				out = append(out, candidate{n, o.end, o.cost + r.cost})
			}
		}
	}
	return out
}

// isPlain reports whether a phrase stands for all things of which its conditions hold.
func (n *phrase) isPlain() bool {
	return n.isEntity() && len(n.group) == 0 && n.number == "" && n.set.superlative == nil
}

// moreThan reads "did we have more orders this year than last year", "did more people join in May than in April": both numbers.
func (p *parser) moreThan(i int) (out []candidate) {
	starts := p.ends(i, "we_have", "do", "be_bare")
	for _, d := range starts {
		if p.isVerb(d) {
			starts = append(starts[:len(starts):len(starts)], d+1) // "did we sell more"
		}
	}
	for _, e := range starts {
		if !p.isMoreThan(e) {
			continue
		}
		for _, c := range p.noun(e + 1) {
			if len(c.phrase.items) > 0 && !slices.ContainsFunc(c.phrase.items, func(it item) bool { return len(it.where) == 0 }) {
				out = append(out, candidate{c.phrase, c.end, c.cost + 0.1})
			}
		}
	}
	return out
}

// isMoreThan reports whether token i is the "more" of "more orders this year than last year".
func (p *parser) isMoreThan(i int) bool {
	switch p.at(i).lower {
	case "more", "fewer", "less":
		than := isSaid(p.tokens[i:], "than")
		return than && i > 0 && i < 4 && p.at(i+1).lower != "than" && len(p.ends(0, "do", "be_bare")) > 0
	}
	return false
}
