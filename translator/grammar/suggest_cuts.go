// Shorter questions: what may be left out of a question, so that it has an answer.

package grammar

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"askpg/catalog"
)

// cutter makes shorter questions from one that has no answer.
type cutter struct {
	*parser
	parts      [][2]int
	hasContent []bool // by token
	changed    string // how the words of its question differ from those asked
	keep       [2]int // bytes of these
}

func newCutter(p *parser) *cutter {
	c := &cutter{parser: p, parts: p.splitParts(), hasContent: make([]bool, len(p.tokens))}
	for i := range p.tokens {
		c.hasContent[i] = c.hasContent[i] || !p.isStructural(i) || len(p.ends(i, "how_many", "count", "avg", "sum", "median", "percent", "how_long", "how_often")) > 0
		for k := i; k < p.timeSpan(i); k++ {
			c.hasContent[k] = true
		}
	}
	return c
}

// cut is a shorter question: it says which tokens are left out.
type cut struct {
	of        *cutter
	out       []bool
	readAsOne bool // what is left was read as one phrase

	isWeighed bool
	weight    int // its worth, once it is weighed
}

// and returns the cut with the tokens of further parts.
func (c cut) and(parts ...[2]int) cut {
	out := slices.Clone(c.out)
	for _, part := range parts {
		for i := part[0]; i < part[1]; i++ {
			out[i] = true
		}
	}
	return cut{of: c.of, out: out}
}

// cuts are the ways to leave out the unknown words, alone or with what stands with them, and one or several parts of the question.
func (p *cutter) cuts(unknown []int) (out []cut) {
	none := cut{of: p, out: make([]bool, len(p.tokens))}
	bases := []cut{none}
	if len(unknown) > 0 {
		alone, whole := none, none
		for _, i := range unknown {
			part := p.parts[slices.IndexFunc(p.parts, func(part [2]int) bool { return i < part[1] })]
			whole = whole.and(part)
			if p.isLoose(i) {
				part = [2]int{i, i + 1}
			}
			alone = alone.and(part)
		}
		bases = []cut{alone, whole}
		out = append(out, bases...)
	} else {
		out = none.readIn(p.parser)
		for i := range p.tokens {
			if p.isLoose(i) {
				out = append(out, none.and([2]int{i, i + 1}))
			}
		}
	}
	for _, base := range bases {
		for k, part := range p.parts {
			if k > 0 && p.language.prepositions[p.tokens[part[0]].lower] {
				out = append(out, base.and([2]int{0, part[0] + 1}))
			}
			for to := k + 1; to <= len(p.parts); to++ {
				out = append(out, base.and(p.parts[k:to]...))
			}
		}
	}
	return sorted(out)
}

// What it is worth, in words that say something, that what is left was read as one phrase, that it begins as the question asked
// does, that its words are those asked, and that nothing is left out in a second place.
const (
	readWorth  = 2
	headWorth  = 2
	wordsWorth = 1
	placeWorth = 1
)

// worth is how much of the question a cut leaves.
func (c cut) worth() int {
	n := c.of.countContent(c.out)
	if c.readAsOne {
		n += readWorth
	}
	if first := slices.Index(c.of.hasContent, true); first >= 0 && c.out[first] {
		n -= headWorth
	}
	if c.of.changed != "" {
		n -= wordsWorth
	}
	places := 0
	for i, out := range c.out {
		if out && (i == 0 || !c.out[i-1]) {
			places++
		}
	}
	return n - placeWorth*max(0, places-1)
}

// sorted puts first what leaves most.
func sorted(list []cut) []cut {
	for i := range list {
		if !list[i].isWeighed {
			list[i].isWeighed, list[i].weight = true, list[i].worth()
		}
	}
	slices.SortStableFunc(list, func(a, b cut) int { return cmp.Compare(b.weight, a.weight) })
	return list
}

// readIn returns the cuts that leave one phrase of what was read after a cut.
func (c cut) readIn(q *parser) (list []cut) {
	p := c.of
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
				x.readAsOne = true
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

// isStructural reports whether a token carries structure, alone or in a phrase.
func (p *parser) isStructural(i int) bool { return p.inPhrase(i) || p.isFunction(i) }

// isLoose reports whether a word may be left out without a change of the structure: a qualifier that names nothing ("fuel" of "fuel
// cost"), or an unknown word behind a noun ("occupancy" of "bed occupancy").
func (p *parser) isLoose(i int) bool {
	if p.isQualifier(i) {
		bought := p.isVerb(i) && i > 0 && p.mentions.covered[i-1] && !p.isFunction(i-1) // "customers bought shoes"
		return !bought && !slices.ContainsFunc(p.relationsFrom(i), func(m relationMention) bool { return !p.hasColumnAt(m.relation, i+1) })
	}
	return i > 0 && p.isUnknown(i) && (len(p.mentions.relations[i-1]) > 0 || len(p.mentions.attributes[i-1]) > 0)
}

// hasColumnAt reports whether a column that is named at a token is of a relation.
func (p *parser) hasColumnAt(r *catalog.Relation, i int) bool {
	for _, a := range inOrder(p.mentions.attributes[i]) {
		if slices.ContainsFunc(a.candidates, func(c columnCandidate) bool { return c.column.Relation == r }) {
			return true
		}
	}
	return false
}

// isQualifier reports whether a word that says something stands before a noun, which says something without it, as "rate" does not.
func (p *parser) isQualifier(i int) bool {
	if i+1 >= len(p.tokens) || p.isStructural(i) || p.isFunction(i+1) || p.tokens[i+1].kind != wordToken || len(p.ends(i+1, "rate", "duration")) > 0 {
		return false
	}
	return len(p.mentions.relations[i+1]) > 0 || len(p.mentions.attributes[i+1]) > 0
}

// countContent counts the tokens that say something of what a cut leaves.
func (p *cutter) countContent(out []bool) (n int) {
	for i, says := range p.hasContent {
		if says && !out[i] {
			n++
		}
	}
	return n
}

// countThings counts what is said by what a cut leaves: a name or a time of several words is one thing.
func (p *cutter) countThings(out []bool) int {
	n, end := 0, 0
	for i, says := range p.hasContent {
		if says && !out[i] && i >= end {
			n++
		}
		if out[i] {
			continue
		}
		for _, m := range p.mentions.relations[i] {
			end = max(end, m.end)
		}
		for e := range p.mentions.attributes[i] {
			end = max(end, e)
		}
		for e := range p.mentions.values[i] {
			end = max(end, e)
		}
		end = max(end, p.timeSpan(i))
	}
	return n
}

// isWhole reports whether what a cut leaves may be a question: it was read as one phrase, or it begins like the question asked or at a
// new part, and breaks no phrase.
func (c cut) isWhole() bool {
	p, out := c.of, c.out
	first, last := slices.Index(out, false), len(out)-1
	for last >= 0 && (out[last] || p.tokens[last].kind == punctToken) {
		last--
	}
	cutNothing := first == 0 && p.countContent(out) == p.countContent(make([]bool, len(out))) && !c.removesSeveral()
	if first < 0 || first > last || first == last && len(p.mentions.relations[first]) == 0 || cutNothing || c.breaksMeaning() {
		return false
	}
	for p.tokens[first].kind == punctToken {
		first++
	}
	if p.isBreakingOff(first) && first > 0 || p.isBreakingOff(last) && last+1 < len(out) && out[last+1] {
		return false
	}
	return p.isHeadKept(first) && (c.readAsOne || p.mayBeginAt(first) && p.isJoinable(out))
}

// isRanking reports whether what a cut leaves asks for the first things by some order.
func (p *cutter) isRanking(out []bool) bool {
	return p.anywhere(func(i int) bool {
		return !out[i] && (len(p.adjectives[i]) > 0 || len(p.ends(i, "top", "bottom", "max", "min")) > 0)
	})
}

// breaksMeaning reports whether a cut leaves half of a time, removes words that a rewording has put in, or removes what the things are
// ranked by or that the most is asked for.
func (c cut) breaksMeaning() bool {
	for i, t := range c.of.tokens {
		if span := c.out[i:max(i, c.of.timeSpan(i))]; slices.Contains(span, true) && slices.Contains(span, false) {
			return true // "the last 90" of "the last 90 days"
		}
		if c.out[i] && (len(c.of.ends(i, "most", "least")) > 0 || t.start < c.of.keep[1] && t.end > c.of.keep[0] || t.lower == "by" && c.of.isRanking(c.out)) {
			return true
		}
	}
	return false
}

// removesSeveral reports whether more than one word is left out.
func (c cut) removesSeveral() bool {
	return slices.Contains(c.out, true) && slices.Contains(c.out[slices.Index(c.out, true)+1:], true)
}

// isHeadKept reports whether what begins at a token can be asked without the words before it: these are no number that is asked for, and
// the rest begins with a thing.
func (p *cutter) isHeadKept(first int) bool {
	for i := range first {
		if len(p.ends(i, "how_many", "count", "avg", "sum", "median", "how_long", "how_often")) > 0 {
			return false
		}
	}
	return first == 0 || len(p.mentions.relations[first]) > 0 || len(p.mentions.attributes[first]) > 0 || len(p.statesAt[first]) > 0 || p.isQualifier(first)
}

// mayBeginAt reports whether a question may begin at a token: behind a mark, an opening or words that only qualify.
func (p *cutter) mayBeginAt(first int) bool {
	if first == 0 || p.language.prepositions[p.tokens[first-1].lower] {
		return true
	}
	said := true
	for i := range first {
		said = said && !p.isStructural(i)
	}
	return said || p.tokens[first-1].kind == punctToken && p.tokens[first-1].lower != "," || slices.ContainsFunc(p.afterOpening(0, len(p.tokens)), func(o opening) bool { return o.at == first })
}

// isBreakingOff reports whether a question can't begin with a word that it did not begin with, nor end with it.
func (p *parser) isBreakingOff(i int) bool {
	return p.language.prepositions[p.tokens[i].lower] || p.tokens[i].lower == "we" || len(p.ends(i, "article", "and", "or", "relative", "comma", "be", "do")) > 0
}

// isJoinable reports whether what stands before and behind what is cut out goes together: brackets in pairs, no end of a clause
// without its beginning, no "did" without a verb.
func (p *cutter) isJoinable(out []bool) bool {
	open, did, clause := 0, false, false
	for i, t := range p.tokens {
		if i > 0 && out[i] != out[i-1] && p.question[p.tokens[i-1].end:t.start] == "-" {
			return false // half of "full-time"
		}
		begins := slices.ContainsFunc(p.parts, func(part [2]int) bool { return part[0] == i })
		if i > 0 && out[i] && !out[i-1] && !begins && !p.isLoose(i) && !p.isVerb(i) {
			return false // "severe penicillin" of "severe penicillin allergies"
		}
		if out[i] {
			clause = (clause || slices.Contains(out[:i], false) && len(p.ends(i, "relative", "whose", "with", "without", "be", "do", "gt", "lt", "ge", "le")) > 0) && t.kind != punctToken
			continue
		}
		goesOn := t.lower == "of" || clause && t.kind != punctToken && len(p.ends(i, "group", "order", "there")) == 0 || t.kind == punctToken && t.lower != "("
		if i > 0 && out[i-1] && goesOn && !(t.kind == punctToken && i > 1 && !p.isKeptMark(out, i-1)) {
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

// isKeptMark reports whether the last token that is left before a place is a mark.
func (p *parser) isKeptMark(out []bool, i int) bool {
	for i >= 0 && out[i] {
		i--
	}
	return i >= 0 && p.tokens[i].kind == punctToken
}

// splitParts cuts the question where something more is said: at prepositions and marks, before clauses, keys and times.
func (p *parser) splitParts() (out [][2]int) {
	start := 0
	for i := range p.tokens {
		if i > start && p.beginsPart(i) && !p.language.prepositions[p.tokens[i-1].lower] && len(p.ends(i-1, "relative", "group", "with", "and", "or", "order", "article")) == 0 {
			out, start = append(out, [2]int{start, i}), i
		}
	}
	return append(out, [2]int{start, len(p.tokens)})
}

// beginsPart reports whether something more is said from a token on. Within a phrase nothing is, such as "compared to", nor is
// by one that only begins as such a part does, such as "at all".
func (p *parser) beginsPart(i int) bool {
	t := p.tokens[i]
	ofTime := t.lower == "of" && (p.timeSpan(i+1) > i+1 || len(p.ends(i+1, "article")) > 0 && p.timeSpan(i+2) > i+2)
	if ofTime || t.kind == punctToken || t.lower == "but" || p.timeSpan(i) > i || len(p.ends(i, clauseTags...)) > 0 {
		return true
	}
	return p.language.prepositions[t.lower] && t.lower != "of" && !p.inPhrase(i)
}

// inPhrase reports whether a token is of a phrase of several words that carries structure.
func (p *parser) inPhrase(i int) bool {
	for from := max(0, i-maxSpan); from <= i; from++ {
		for _, ends := range p.tags[from] {
			if len(ends) > 0 && ends[0] > max(i, from+1) {
				return true
			}
		}
	}
	return false
}

// clauseTags are of the words that begin what more is said.
var clauseTags = []string{"relative", "group", "with", "without", "and", "or", "whose", "order", "except", "since", "gt", "lt", "ge", "le", "after_time", "before_time", "by_time", "now", "versus", "there"}

// textKept writes what a cut leaves of the question, as it stood.
func (p *cutter) textKept(out []bool) string {
	var b strings.Builder
	for i, t := range p.tokens {
		if out[i] {
			continue
		}
		if i > 0 && !out[i-1] {
			b.WriteString(p.question[p.tokens[i-1].end:t.start])
		} else if t.kind != punctToken || t.lower == "(" {
			b.WriteByte(' ')
		}
		b.WriteString(p.question[t.start:t.end])
	}
	return trimmed(b.String())
}

// textCutOut writes what a cut leaves out, each part in quotes.
func (p *cutter) textCutOut(out []bool) string {
	var parts []string
	for from := 0; from < len(out); from++ {
		to := from
		for to < len(out) && out[to] {
			to++
		}
		if to > from {
			if part := trimmed(p.question[p.tokens[from].start:p.tokens[to-1].end]); part != "" {
				parts = append(parts, strconv.Quote(part))
			}
			from = to
		}
	}
	return strings.Join(parts, " and ")
}

// trimmed takes the marks away that part of a question begins and ends with.
func trimmed(part string) string { return strings.Trim(part, " ?!.,:;-–—") }
