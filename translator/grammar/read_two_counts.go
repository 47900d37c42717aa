// Counting two kinds of things in one question: "how many customers and orders".

package grammar

import (
	"fmt"
	"slices"
)

// countsOfTwoStates reads "how many bills are paid and how many are not": two numbers of the same things.
func (p *parser) countsOfTwoStates(i int) (out []candidate) {
	for _, c := range p.nounsFrom(p.ends(i, "how_many")) {
		if !c.phrase.isPlain() {
			continue
		}
		for _, first := range p.verbPhrase(c.end) {
			for _, e := range p.behind(p.maybe(first.end, "comma"), "and") {
				if e == first.end {
					continue
				}
				for _, second := range p.secondState(e, first.modifier) {
					out = append(out, candidates(p.countsBeside(c.phrase, &first.modifier, &second.modifier), second.end, c.cost+first.cost+second.cost+0.1)...)
				}
			}
		}
	}
	return append(out, p.countsOfTwoValues(i)...)
}

// countsOfTwoValues reads "how many gold and how many silver members": the things of each of two kinds.
func (p *parser) countsOfTwoValues(i int) (out []candidate) {
	for _, e := range p.ends(i, "how_many") {
		for end, first := range inOrder(p.mentions.values[e]) {
			for _, again := range p.then(p.behind(p.maybe(end, "comma"), "and"), "how_many") {
				out = append(out, p.countedByValues(first, again)...)
			}
		}
	}
	return out
}

// countedByValues counts the things that are named behind a second value at token i for each of two values.
func (p *parser) countedByValues(first []valueMention, i int) (out []candidate) {
	for end, second := range inOrder(p.mentions.values[i]) {
		m := modifier{kind: modifierRelated, phrase: &phrase{values: [][]valueMention{first, second}, alternatives: true}}
		for _, h := range p.heads(end) {
			out = append(out, p.countedByValue(h, &m)...)
		}
	}
	return out
}

// countsBeside returns how many things are so by one modifier, beside how many are so by another.
func (p *parser) countsBeside(n *phrase, first, second *modifier) (out []reading) {
	for _, a := range p.apply(n, first) {
		for _, b := range p.apply(n, second) {
			one, other := p.counted(a.phrase), p.counted(b.phrase)
			if one != nil && other != nil && p.refusal(one) == "" && p.refusal(other) == "" {
				out = append(out, reading{&phrase{ratio: []*phrase{one, other}, shownBeside: true}, a.cost + b.cost})
			}
		}
	}
	return out
}

// secondState reads the second half of such a question: "how many are not".
func (p *parser) secondState(i int, first modifier) (out []modifierCandidate) {
	for _, e := range p.ends(i, "how_many") {
		out = append(out, p.otherValue(e, first)...)
		for _, them := range p.maybe(e, "pronoun") {
			out = append(out, p.verbPhrase(them)...)
			for _, not := range p.then(p.ends(them, "be_bare"), "not") {
				if first.holdsOrNot() {
					out = append(out, modifierCandidate{first.not(), not, 0.1})
				}
			}
		}
	}
	return slices.DeleteFunc(out, func(m modifierCandidate) bool { return m.modifier.kind == modifierFiller })
}

// otherValue reads a value alone that stands for another one of the same column: "how many were paid by card and how many by cheque".
func (p *parser) otherValue(i int, first modifier) (out []modifierCandidate) {
	if first.phrase == nil || !first.phrase.isValue() || len(first.phrase.values) != 1 {
		return nil
	}
	if p.language.prepositions[p.at(i).lower] {
		i++
	}
	for end, hits := range inOrder(p.mentions.values[i]) {
		hits = slices.DeleteFunc(slices.Clone(hits), func(h valueMention) bool { return p.heldBy(h.column, first.phrase.values[0]) == nil })
		if len(hits) > 0 {
			other := first
			other.phrase = &phrase{values: [][]valueMention{hits}, words: [2]int{i, end}}
			out = append(out, modifierCandidate{other, end, 2 * (1 - hits[0].score)})
		}
	}
	return out
}

// twoCounts counts two kinds of things, each for itself, where a counts one and b stands for others or
// counts them. It is nil of other phrases. What is said of the last kind alone may be meant of both, and then the reading says so.
func (p *parser) twoCounts(a, b *phrase) *phrase {
	counts := func(n *phrase) bool { return countedSet(n) != nil && len(n.items) == 1 }
	if !counts(a) || !counts(b) && !(b.isEntity() && countedSet(b) != nil && b.number == "" && p.isPlural(b)) {
		return nil
	}
	n := &phrase{ratio: []*phrase{a, b}, shownBeside: true}
	for i := a.words[1]; i < len(p.tokens) && len(countedSet(a).conditions) > 0; i++ {
		if w := p.tokens[i].lower; w == "they" || w == "them" {
			n.refusal = fmt.Sprintf("It is not said what %q stands for: ask in two questions.", w) // "how many members came, and how many guests did they bring"
		}
	}
	if !counts(b) {
		n.ratio[1] = p.counted(b)
		if len(b.set.conditions) > 0 {
			n.refusal = "It is not said whether that holds of both kinds of things: ask how many there are of each."
		}
	}
	return n
}

// countOfEach counts things of several kinds, each for itself, where a counts those of some and b stands for those of another: "how
// many girls and boys". Kinds are values of one column. It is nil of other phrases.
func (p *parser) countOfEach(a, b *phrase) *phrase {
	if len(b.items) == 1 && b.items[0].aggregate == "count" && b.items[0].column == nil {
		b = b.clone() // "and how many boys"
		b.items = nil
	}
	counts := len(a.items) == 1 && a.items[0].aggregate == "count" && a.items[0].column == nil
	if !counts || !b.isEntity() || !p.isPlural(b) && p.language.irregular[p.at(max(0, b.words[1]-1)).lower] == "" || b.number != "" || b.set.superlative != nil || len(b.group) > 0 || len(a.set.conditions) != 1 || len(b.set.conditions) != 1 {
		return nil
	}
	some, other := a.set.conditions[0], b.set.conditions[0]
	if some.kind != compare || other.kind != compare || some.column != other.column || !isText(some.column) || some.op != "=" && (some.op != "in" || len(a.group) != 1) || other.op != "=" {
		return nil
	}
	kinds := eitherValue(some, other)
	n, s := a.clone(), *a.set
	s.conditions = []condition{kinds}
	n.set, n.group, n.words = &s, []item{{column: some.column, setID: s.id}}, [2]int{}
	return n
}

// eitherValue returns the condition that a column has the values of one condition or of another.
func eitherValue(a, b condition) condition {
	literals := slices.Concat(a.value.literals, b.value.literals)
	return condition{kind: compare, column: a.column, op: "in", value: operand{literals: literals, plain: plainList(literals)}}
}
