// Values of the database that a question mentions.

package grammar

import (
	"slices"
	"strings"

	"askpg/catalog"
)

// annotateFound annotates the values that the index of values finds in the question.
func (p *parser) annotateFound() {
	var last catalog.Hit
	i, j := 0, 0
	for _, h := range p.foundValues {
		if h.Start != last.Start || h.End != last.End { // hits of the same words follow each other
			i, j = p.tokenRange(h.Start, h.End)
		}
		last = h
		far := !p.isNear(h.Column.Relation)
		if i >= j || far && len(p.mentions.values[i][j]) >= farNames || p.lexicon.relationInfo[h.Column.Relation] == nil {
			continue
		}
		score := 1.0
		if !h.Exact {
			score = 0.65
			shared := p.lexicon.isMeaningOfCode(h.Column) && slices.Contains(wordsOf(h.Value), p.tokens[i].lower) // by others, too: see sharedNames
			if shared || !p.mayBePart(i, j, h) {
				continue
			}
			if j == i+1 && singleLetters(p.tokens[i].lower) == singleLetters(strings.ToLower(h.Value)) {
				score = exactNameScore // "canceled" is "cancelled"
			}
		}
		if p.tokens[i].kind == quotedToken && !strings.EqualFold(h.Value, p.tokens[i].text) && strings.EqualFold(strings.TrimSpace(h.Value), p.tokens[i].text) {
			h.Value = p.tokens[i].text // what is quoted is meant to the letter
		}
		p.addValue(i, j, valueMention{column: h.Column, value: h.Value, score: score})
	}
}

// mayBePart reports whether the tokens from i to j may stand for a value of which they are a part.
func (p *parser) mayBePart(i, j int, h catalog.Hit) bool {
	switch {
	case strings.Contains(h.Value, "@") && !strings.Contains(p.question, "@"):
		return false // an address that has the name of a company is no company
	case j == i+1 && (len(p.tokens[i].lower) < 5 || p.isFunction(i) || isNegationOf(p.tokens[i].lower, h.Value)):
		return false
	}
	return (len(wordsOf(h.Value)) <= j-i || p.isPartOf(h.Column)) && !p.severalHave(i, j, h.Column)
}

// severalHave reports whether several values of a column have the words from i to j in them: "Sunny Sails" is not one of them.
func (p *parser) severalHave(i, j int, c *catalog.Column) bool {
	several := func(said []string) bool {
		n := 0
		for held := range p.valuesWith(said) {
			if held == c {
				n++
			}
		}
		return n > 1
	}
	return several(p.wordsBetween(i, j)) || several(p.inSingular(i, j))
}

// annotateValues finds the values that the statistics name, and other names of
// places.
func (p *parser) annotateValues(i int) {
	t := p.tokens[i]
	if t.kind == quotedToken {
		p.lookUp(i, i+1, wordsOf(t.text), 1, t.text)
		return
	}
	if t.kind == punctToken {
		return
	}
	var words []string
	for j := i; j < len(p.tokens) && j < i+maxValueWords; j++ {
		if k := p.tokens[j].kind; k == quotedToken || k == punctToken && p.tokens[j].lower != "." && p.tokens[j].lower != "&" && p.tokens[j].lower != "/" {
			break
		}
		words = append(words, p.tokens[j].lower)
		p.lookUp(i, j+1, words, 1, "")
		if len(words) > 2 && words[1] == "the" { // a car "in the workshop" is "in workshop"
			bare := slices.Delete(slices.Clone(words), 1, 2)
			p.lookUp(i, j+1, bare, articleScore, "")
			p.lookUpIndex(i, j+1, strings.Join(bare, " "), articleScore)
		}
		score := 0.9
		if len(p.mentions.values[i][j+1]) > 0 {
			score = 0.6
		}
		if j-i >= p.language.aliasLength || score > 0.6 && !p.aliasFits(i, j+1) {
			continue
		}
		for _, other := range p.language.aliases[strings.Join(words, " ")] {
			p.lookUp(i, j+1, wordsOf(other), score, other)
			p.lookUpIndex(i, j+1, other, score)
		}
	}
}

// articleScore is how well a value is called by its words with an article between them.
const articleScore = 0.95

// lookUp finds a value that the catalog names.
func (p *parser) lookUp(i, j int, words []string, score float64, exact string) {
	key := p.lexicon.valueKey(words)
	if key == "" {
		return
	}
	for _, c := range p.lexicon.values[key] {
		v, s := p.lexicon.valueTexts[key][c], score
		if p.tokens[i].kind == quotedToken && !strings.EqualFold(v, p.tokens[i].text) && strings.EqualFold(strings.TrimSpace(v), p.tokens[i].text) {
			v = p.tokens[i].text
		}
		if exact != "" && !strings.EqualFold(v, exact) {
			s -= 0.1
		}
		p.addValue(i, j, valueMention{column: c, value: v, score: s})
	}
}

// aliasFits reports whether a word of origin is used as an adjective, before what it is said of, before another such word ("German and French
// customers") or after "is"; names of places fit anywhere.
func (p *parser) aliasFits(i, j int) bool {
	if j-i > 1 || len(p.tokens[i].lower) <= 4 || p.tokens[i].lower == "america" {
		return true
	}
	listed := func(conjunction, word int) bool {
		return slices.Contains([]string{"and", "or", ","}, p.at(conjunction).lower) && len(p.language.aliases[p.at(word).lower]) > 0
	}
	for i > 1 && listed(i-1, i-2) {
		i -= 2
	}
	for listed(j, j+1) {
		j += 2
	}
	if i > 0 {
		switch p.tokens[i-1].lower {
		case "is", "are", "was", "were", "not", "by", "all", "the", "from":
			return true
		}
	}
	if j < len(p.tokens) && p.tokens[i].text != p.tokens[i].lower && singular(p.tokens[j].lower) != "" {
		return true // "Irish clients", who may be told from others by a value
	}
	return j < len(p.tokens) && p.tokens[j].kind == wordToken && (len(p.mentions.relations[j]) > 0 || len(p.mentions.attributes[j]) > 0)
}

// lookUpIndex finds a text in the value index that stands for the words of the
// question.
func (p *parser) lookUpIndex(i, j int, text string, score float64) {
	for _, h := range p.lexicon.snapshot.Values.Exactly(text) {
		if p.lexicon.relationInfo[h.Column.Relation] != nil {
			p.addValue(i, j, valueMention{column: h.Column, value: h.Value, score: score})
		}
	}
}

// annotateNumber annotates a word with the values that are called so in the singular or the plural.
func (p *parser) annotateNumber(i int) {
	t := p.tokens[i]
	if t.kind != wordToken {
		return
	}
	m, s := p.mentions, singular(t.lower)
	if s == "" && !m.covered[i] && !p.hasMeaning(i) {
		p.lookUpIndex(i, i+1, plural(t.lower), 0.95) // "the cheapest tent", where the category is called Tents
	}
	if s != "" && !p.isFunction(i) && !slices.ContainsFunc(m.values[i][i+1], func(h valueMention) bool { return h.score > 0.9 }) {
		// a value in the plural is that value, and no word near it
		near := m.values[i][i+1]
		delete(m.values[i], i+1)
		p.lookUpIndex(i, i+1, s, 0.95)
		for _, h := range near {
			p.addValue(i, i+1, h)
		}
	}
}

// addValue notes that tokens may be a value.
func (p *parser) addValue(i, j int, h valueMention) {
	if p.lexicon.relationInfo[h.column.Relation].leftover {
		return
	}
	if p.mentions.values[i] == nil {
		p.mentions.values[i] = map[int][]valueMention{}
	}
	if !p.isNear(h.column.Relation) && len(p.mentions.values[i][j]) >= farNames {
		return
	}
	for _, old := range p.mentions.values[i][j] {
		if old.column == h.column {
			return
		}
	}
	p.mentions.values[i][j] = append(p.mentions.values[i][j], h)
}

// dropFunctionWords drops the values that are but words such as "of", and covers the others.
func (p *parser) dropFunctionWords() {
	for i, byEnd := range inOrder(p.mentions.values) {
		for j := range inOrder(byEnd) {
			t := p.tokens[i]
			switch {
			case j != i+1 || t.kind != wordToken:
			case t.text == "other" || t.text == "others":
				delete(byEnd, j) // whatever reason is called so
				continue
			case p.isFunction(i) && t.text == t.lower && !p.isAliasAfterPreposition(i):
				delete(byEnd, j) // "of", "in", "or" are not values unless written as such
				continue
			}
			p.cover(i, j)
		}
	}
}

// isAliasAfterPreposition reports whether a word is another name of a value, as "us" is after "in" or "the".
func (p *parser) isAliasAfterPreposition(i int) bool {
	return p.language.aliases[p.tokens[i].lower] != nil && i > 0 && (p.language.prepositions[p.tokens[i-1].lower] || p.tokens[i-1].lower == "the")
}

// dropValuesCalledAsThings drops values of other things where the exact name of things stands in the plural, behind "which" or "per", or
// as what the question begins with: "which store" and "orders by store" are not about orders whose channel is "store".
func (p *parser) dropValuesCalledAsThings() {
	for i, list := range p.mentions.relations {
		asked := i > 0 && slices.Contains([]string{"which", "what", "per", "each", "every"}, p.tokens[i-1].lower) || p.afterDegree(i)
		by := i > 1 && p.tokens[i-1].lower == "by" && !p.isVerbForm(i-2)
		first := i == 0 || i == 1 && p.endsTag(i, "article")
		for _, m := range list {
			if by && m.score >= namedScore || m.score >= 1 && (asked || singular(p.tokens[m.end-1].lower) != "" || first && p.at(m.end).lower == "with") {
				hits := p.mentions.values[i]
				own := slices.DeleteFunc(hits[m.end], func(h valueMention) bool { return h.column.Relation != m.relation })
				if len(own) == 0 {
					delete(hits, m.end)
				} else {
					hits[m.end] = own
				}
			}
		}
	}
}

// dropDatedStates drops a state of rows where the word for it stands right before a time and a column has the time at which that happened: who
// was "discharged last week" has it as discharged_on.
func (p *parser) dropDatedStates() {
	for i := range p.tokens {
		hits := p.mentions.values[i][i+1]
		if len(hits) == 0 || !p.isInflected(i) || p.mentions.attributes[i][i+1] == nil || !p.isDated(i) {
			continue
		}
		kept := slices.DeleteFunc(slices.Clone(hits), func(h valueMention) bool {
			return slices.ContainsFunc(p.mentions.attributes[i][i+1].all(), func(c columnCandidate) bool {
				return c.column.Relation == h.column.Relation && isTime(c.column) && c.score >= abbreviatedScore && p.lexicon.isStatus(h.column)
			})
		})
		if p.mentions.values[i][i+1] = kept; len(kept) == 0 {
			delete(p.mentions.values[i], i+1)
		}
	}
	clear(p.datesAt)
}

// abbreviatedScore is how well a column is called at least by the word for which its name has an abbreviation.
const abbreviatedScore = 0.7
