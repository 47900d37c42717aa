// What a question is left without, to find one near to it that has an answer.

package grammar

import (
	"cmp"
	"slices"
	"strings"
)

// cutter cuts words out of a question.
type cutter struct {
	*parser
	parts [][2]int
	says  []bool // by token
}

func newCutter(p *parser) *cutter {
	c := &cutter{p, p.parted(), make([]bool, len(p.tokens))}
	for i := range p.tokens {
		c.says[i] = c.says[i] || !p.structural(i)
		for k := i; k < p.timeSpan(i); k++ {
			c.says[k] = true
		}
	}
	return c
}

// cut says which tokens the question is left without.
type cut struct {
	out  []bool
	read bool // what is left was read as one phrase
}

// and returns the cut with the tokens of further parts.
func (c cut) and(parts ...[2]int) cut {
	out := slices.Clone(c.out)
	for _, part := range parts {
		for i := part[0]; i < part[1]; i++ {
			out[i] = true
		}
	}
	return cut{out: out}
}

// cuts are the ways to leave out the unknown words and what stands with them, or one or several parts of the question.
func (p *cutter) cuts(unknown []int) []cut {
	none, parts := cut{out: make([]bool, len(p.tokens))}, p.parts
	bases := []cut{none}
	var out []cut
	if len(unknown) > 0 {
		alone, whole := none, none
		for _, i := range unknown {
			part := parts[slices.IndexFunc(parts, func(part [2]int) bool { return i < part[1] })]
			whole = whole.and(part)
			if p.qualifies(i) {
				part = [2]int{i, i + 1}
			}
			alone = alone.and(part)
		}
		bases = []cut{alone, whole}
		out = append(out, bases...)
	} else {
		out = p.readIn(p.parser, none)
		for i := range p.tokens {
			if p.qualifies(i) && !(p.isVerb(i) && i > 0 && p.mentions.covered[i-1] && !p.isFunction(i-1)) { // "customers bought shoes"
				out = append(out, none.and([2]int{i, i + 1}))
			}
		}
	}
	for _, base := range bases {
		for k := range parts {
			for to := k + 1; to <= len(parts); to++ {
				out = append(out, base.and(parts[k:to]...))
			}
		}
	}
	return p.sorted(out)
}

// readWorth is how many words that say something it is worth that what is left was read as one phrase.
const readWorth = 2

// sorted puts first what leaves most.
func (p *cutter) sorted(list []cut) []cut {
	worth := func(c cut) int {
		n := p.sayings(c.out)
		if c.read {
			n += readWorth
		}
		return n
	}
	slices.SortStableFunc(list, func(a, b cut) int { return cmp.Compare(worth(b), worth(a)) })
	return list
}

// readIn returns the cuts that leave one phrase of what was read after a cut.
func (p *cutter) readIn(q *parser, c cut) (list []cut) {
	var kept []int
	for i := range p.tokens {
		if !c.out[i] {
			kept = append(kept, i)
		}
	}
	if len(q.tokens) > len(kept) || !slices.EqualFunc(q.tokens, kept[:len(q.tokens)], func(t token, i int) bool { return t.lower == p.tokens[i].lower }) {
		return nil
	}
	for i, phrases := range q.nounPhrases {
		for _, n := range phrases {
			if n.cost < answeredCost && n.end-i > 1 {
				x := c.and()
				x.read = true
				for k, t := range kept {
					x.out[t] = k < i || k >= n.end
				}
				list = append(list, x)
			}
		}
	}
	// the order in which a map gives them is none
	slices.SortFunc(list, func(a, b cut) int { return cmp.Compare(slices.Index(a.out, false), slices.Index(b.out, false)) })
	return list
}

// structural reports whether a token carries structure, alone or in a phrase.
func (p *parser) structural(i int) bool {
	for from := max(0, i-maxSpan); from <= i; from++ {
		for _, ends := range p.tags[from] {
			if len(ends) > 0 && ends[0] > max(i, from+1) {
				return true
			}
		}
	}
	return p.isFunction(i)
}

// qualifies reports whether a word that says something stands before a noun, which says something without it, as "rate" does not.
func (p *parser) qualifies(i int) bool {
	if i+1 >= len(p.tokens) || p.structural(i) || p.isFunction(i+1) || p.tokens[i+1].kind != wordToken || len(p.ends(i+1, "rate", "duration")) > 0 {
		return false
	}
	return len(p.mentions.relations[i+1]) > 0 || len(p.mentions.attributes[i+1]) > 0
}

// sayings counts the tokens that say something of what a cut leaves.
func (p *cutter) sayings(out []bool) int {
	n := 0
	for i, says := range p.says {
		if says && !out[i] {
			n++
		}
	}
	return n
}

// isWhole reports whether what a cut leaves may be a question: it begins as the one asked does, or where something is said
// anew, and no phrase of it breaks off.
func (p *cutter) isWhole(out []bool) bool {
	first, last := slices.Index(out, false), len(out)-1
	for last >= 0 && (out[last] || p.tokens[last].kind == punctToken) {
		last--
	}
	if first < 0 || first > last || first == last && len(p.mentions.relations[first]) == 0 || !slices.Contains(out, true) || !p.mayBegin(first) || !p.joins(out) {
		return false
	}
	return !p.breaksOff(last) || last+1 == len(out) || !out[last+1]
}

// mayBegin reports whether a question may begin at a token: behind a mark, an opening or words that only qualify.
func (p *cutter) mayBegin(first int) bool {
	for p.tokens[first].kind == punctToken {
		first++
	}
	if first == 0 {
		return true
	}
	if p.breaksOff(first) {
		return false
	}
	said := true
	for i := range first {
		said = said && !p.structural(i)
	}
	return said || p.tokens[first-1].kind == punctToken && p.tokens[first-1].lower != "," || slices.ContainsFunc(p.afterOpening(0, len(p.tokens)), func(o opening) bool { return o.at == first })
}

// breaksOff reports whether a question can't begin with a word that it did not begin with, nor end with it.
func (p *parser) breaksOff(i int) bool {
	return p.language.prepositions[p.tokens[i].lower] || p.tokens[i].lower == "we" || len(p.ends(i, "article", "and", "or", "relative", "comma", "be", "do")) > 0
}

// joins reports whether what stands before and behind what is cut out goes together: brackets in pairs, no end of a clause
// without its beginning, no "did" without a verb.
func (p *cutter) joins(out []bool) bool {
	open, did, clause := 0, false, false
	for i, t := range p.tokens {
		if i > 0 && out[i] != out[i-1] && p.question[p.tokens[i-1].end:t.start] == "-" {
			return false // half of "full-time"
		}
		begins := slices.ContainsFunc(p.parts, func(part [2]int) bool { return part[0] == i })
		if i > 0 && out[i] && !out[i-1] && !begins && !p.qualifies(i) && !p.isVerb(i) {
			return false // "severe penicillin" of "severe penicillin allergies"
		}
		if out[i] {
			clause = (clause || len(p.ends(i, "relative", "whose", "with", "without", "be", "do", "gt", "lt", "ge", "le")) > 0) && t.kind != punctToken
			continue
		}
		goesOn := t.lower == "of" || clause && t.kind != punctToken && len(p.ends(i, "group", "order", "there")) == 0 || t.kind == punctToken && t.lower != "("
		if i > 0 && out[i-1] && goesOn && !(t.kind == punctToken && i > 1 && !p.keptMark(out, i-1)) {
			return false
		}
		clause = false
		switch {
		case t.lower == "(":
			open++
		case t.lower == ")":
			open--
		case p.isVerb(i) && len(p.ends(i, "do", "be")) == 0:
			did = false
		case len(p.ends(i, "do")) > 0:
			did = true
		}
	}
	return open == 0 && !did
}

// keptMark reports whether the last token that is left before a place is a mark.
func (p *parser) keptMark(out []bool, i int) bool {
	for i >= 0 && out[i] {
		i--
	}
	return i >= 0 && p.tokens[i].kind == punctToken
}

// parted cuts the question where something more is said: at prepositions and marks, before clauses, keys and times.
func (p *parser) parted() [][2]int {
	var out [][2]int
	start := 0
	for i, t := range p.tokens {
		ofTime := t.lower == "of" && (p.timeSpan(i+1) > i+1 || len(p.ends(i+1, "article")) > 0 && p.timeSpan(i+2) > i+2)
		begins := p.language.prepositions[t.lower] && t.lower != "of" || ofTime || t.kind == punctToken || p.timeSpan(i) > i || len(p.ends(i, clauseTags...)) > 0
		if begins && i > start && !p.language.prepositions[p.tokens[i-1].lower] && len(p.ends(i-1, "relative", "group", "with", "and", "or", "order", "article")) == 0 {
			out, start = append(out, [2]int{start, i}), i
		}
	}
	return append(out, [2]int{start, len(p.tokens)})
}

// clauseTags are of the words that begin what more is said.
var clauseTags = []string{"relative", "group", "with", "without", "and", "or", "whose", "order", "except", "since", "gt", "lt", "ge", "le", "after_time", "before_time", "by_time", "now", "versus", "there"}

// written writes what a cut leaves of the question, or what it leaves out, as it stood.
func (p *parser) written(out []bool, cutOut bool) string {
	var b strings.Builder
	for i, t := range p.tokens {
		if out[i] != cutOut {
			continue
		}
		if i > 0 && out[i-1] == cutOut {
			b.WriteString(p.question[p.tokens[i-1].end:t.start])
		} else if t.kind != punctToken || t.lower == "(" {
			b.WriteByte(' ')
		}
		b.WriteString(p.question[t.start:t.end])
	}
	return trimmed(b.String())
}

// trimmed takes the marks away that part of a question begins and ends with.
func trimmed(part string) string { return strings.Trim(part, " ?!.,:;-–—") }
