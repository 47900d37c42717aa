// Parts of names of people and things: "Jones" for "Ben Jones".

package grammar

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"unicode"

	"askpg/catalog"
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
func (p *parser) valueByPart(from, to int) (found []valueMention) {
	for c, v := range p.valuesWith(p.wordsBetween(from, to)) {
		if !v.begins && !v.ends || !p.isCalledBy(c, v.value) {
			continue
		}
		if slices.ContainsFunc(found, func(h valueMention) bool { return h.column == c }) {
			return nil
		}
		found = append(found, valueMention{column: c, value: v.value, score: valuePartScore})
	}
	return found
}

// isCalledBy reports whether things are called by a column alone, and a value is short enough for a name.
func (p *parser) isCalledBy(c *catalog.Column, value string) bool {
	info := p.lexicon.relationInfo[c.Relation]
	return info != nil && len(value) <= 100 && len(info.display) == 1 && info.display[0] == c
}

// longerValue is a value that has words in it, and more.
type longerValue struct {
	value        string
	begins, ends bool // with the words
}

// valuesWith yields the values that have words in them and more.
func (p *parser) valuesWith(said []string) iter.Seq2[*catalog.Column, longerValue] {
	return func(yield func(*catalog.Column, longerValue) bool) {
		for c, v := range p.lexicon.snapshot.Values.Containing(strings.Join(said, " ")) {
			words := wordsOf(v)
			for i := range len(words) - len(said) + 1 {
				if len(words) == len(said) || !slices.Equal(words[i:i+len(said)], said) {
					continue
				}
				if !yield(c, longerValue{v, i == 0, i+len(said) == len(words)}) {
					return
				}
				break
			}
		}
	}
}

// inSingular returns the words from i to j with the last one in the singular.
func (p *parser) inSingular(i, j int) []string {
	said := p.wordsBetween(i, j)
	if p.tokens[i].kind == quotedToken {
		said = wordsOf(p.tokens[i].text)
	}
	if len(said) == 0 {
		return nil // an empty text
	}
	last := &said[len(said)-1]
	*last = cmp.Or(singular(*last), *last)
	return said
}

// sharedNames finds the things that are called by a part of their names which several share: "laptops" for each Laptop of several makers.
// The end of a name says what a thing is. A person is no kind of person: people share names where it is said that they are called so.
func (p *parser) sharedNames() {
	for i := 0; i < len(p.tokens); i++ {
		quoted := p.tokens[i].kind == quotedToken
		if quoted && len(p.mentions.values[i]) > 0 || !quoted && (p.tokens[i].kind != wordToken || p.mentions.covered[i] || p.hasMeaning(i)) {
			continue
		}
		for j := p.wordsUntil(i); j > i; j-- {
			hits := p.sharedPart(i, p.inSingular(i, j))
			if len(hits) == 0 {
				hits = p.sharedPart(i, p.wordsBetween(i, j)) // "headphones" are one thing
			}
			if len(hits) > 0 {
				for _, h := range hits {
					p.addValue(i, j, h)
				}
				p.cover(i, j)
				i = j - 1
				break
			}
		}
	}
}

// wordsUntil returns where the words of a name that begins at i may end.
func (p *parser) wordsUntil(i int) int {
	j := i + 1
	for p.tokens[i].kind == wordToken && j < min(i+maxValueWords, len(p.tokens)) && p.tokens[j].kind == wordToken {
		j++
	}
	return j
}

// isMeaningOfCode reports whether a column says in words what the codes of its rows stand for, as the descriptions of diagnoses do: people
// say but a word of it.
func (x *lexicon) isMeaningOfCode(c *catalog.Column) bool {
	key := only(x.relationInfo[c.Relation].key)
	return key != nil && key != c && isText(key) && (isDescription(c) || lastOf(splitName(key.Name)) == "code")
}

// sharedPart returns what the names of several things have in common, for the words that are said at token i.
func (p *parser) sharedPart(i int, said []string) []valueMention {
	if len(said) == 0 {
		return nil
	}
	named, anywhere := p.endsTag(i, "named"), p.tokens[i].kind == quotedToken
	var columns []*catalog.Column
	sharing, unclear := map[*catalog.Column][]string{}, map[*catalog.Column]bool{}
	for c, v := range p.valuesWith(said) {
		if !p.isCalledBy(c, v.value) || p.isPeople(c.Relation) && !named {
			continue
		}
		described := p.lexicon.isMeaningOfCode(c)
		unclear[c] = unclear[c] || !v.begins && !v.ends && !described && !anywhere
		if !v.ends && !anywhere && !described && !(v.begins && (named || isCapital(p.tokens[i]))) {
			continue
		}
		sharing[c] = append(sharing[c], v.value)
		if many := len(sharing[c]); many == 2 && !described || many == 1 && described {
			columns = append(columns, c)
		}
	}
	var out []valueMention
	for _, c := range columns {
		text := strings.Join(said, " ")
		if unclear[c] {
			continue // an "Oak Desk White" may be a desk, and an "Oak Desk Lamp" is none
		}
		if like := p.patternOf(text, c, sharing[c]); like != "" {
			out = append(out, valueMention{column: c, value: text, like: like, score: valuePartScore})
		}
	}
	return out
}

// patternOf returns the pattern of ILIKE that takes those of a column's values which share a text, and no others; "" if there is none so simple.
func (p *parser) patternOf(text string, c *catalog.Column, sharing []string) string {
	values := p.lexicon.snapshot.Values.Of(c)
	for _, like := range []struct {
		pattern string
		takes   func(value string) bool
	}{
		{"%" + likeEscape(text) + "%", func(v string) bool { return strings.Contains(v, text) }},
		{"% " + likeEscape(text), func(v string) bool { return strings.HasSuffix(v, " "+text) }},
		{likeEscape(text) + " %", func(v string) bool { return strings.HasPrefix(v, text+" ") }},
	} {
		other := func(v string) bool { return like.takes(strings.ToLower(v)) != slices.Contains(sharing, v) }
		if !slices.ContainsFunc(values, other) {
			return like.pattern
		}
	}
	return ""
}

// valuePartScore is the score of a part of a name.
const valuePartScore = 0.9
