// Parts of names of people and things: "Jones" for "Ben Jones".

package grammar

import (
	"slices"
	"strings"
	"unicode"
)

// partialNames finds the things that the question calls by a part of their
// name: "the Ladies" for Riverside Ladies, "Linden Advisory" for Linden Advisory
// GmbH. It looks for words in capitals that mean nothing else, and takes only
// what one value alone begins or ends with.
func (p *parser) partialNames() {
	for i, t := range p.tokens {
		if t.kind != wordToken || p.mentions.covered[i] || p.hasMeaning(i) || !isCapital(t) {
			continue
		}
		from, to := i, i+1
		for from > 0 && isCapital(p.tokens[from-1]) {
			from--
		}
		for to < len(p.tokens) && isCapital(p.tokens[to]) {
			to++
		}
		if from == 0 && p.isFunction(0) && from < i {
			from++ // the first word of a sentence is always in capitals
		}
		for _, h := range p.valueByPart(from, to) {
			p.addValue(from, to, h)
			p.cover(from, to)
		}
	}
}

// isCapital reports whether a word begins with a capital letter.
func isCapital(t token) bool {
	return t.kind == wordToken && unicode.IsUpper([]rune(t.text)[0])
}

// valueByPart returns the only value that begins or ends with the tokens and by
// which something is called, nil if there are several.
func (p *parser) valueByPart(from, to int) []valueMention {
	said := p.wordsBetween(from, to)
	var found []valueMention
	for c, v := range p.lexicon.snapshot.Values.Containing(strings.Join(said, " ")) {
		info := p.lexicon.relationInfo[c.Relation]
		if info == nil || len(v) > 100 || len(info.display) != 1 || info.display[0] != c {
			continue
		}
		words := wordsOf(v)
		n := len(said)
		if len(words) <= n || !slices.Equal(words[:n], said) && !slices.Equal(words[len(words)-n:], said) {
			continue
		}
		if slices.ContainsFunc(found, func(h valueMention) bool { return h.column == c }) {
			return nil
		}
		found = append(found, valueMention{column: c, value: v, score: valuePartScore})
	}
	return found
}

// valuePartScore is the score of a part of a name.
const valuePartScore = 0.9
