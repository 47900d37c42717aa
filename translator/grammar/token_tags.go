// The words of a question that carry structure, and those that it is read without.

package grammar

import (
	"slices"
	"sort"
)

// removeAsker removes words for whoever asks ("we", "us") where they are part of no phrase, words for anybody and anything, and "still",
// which it notes.
func (p *parser) removeAsker() {
	inPhrase := p.phraseTokens()
	var kept []token
	for i, t := range p.tokens {
		keptEnds := func(word string) bool { return len(kept) > 0 && kept[len(kept)-1].lower == word }
		switch {
		case p.isObjectUs(i) && !inPhrase[i-2]:
			kept = kept[:len(kept)-1] // "bought from us"
			continue
		case p.isTitle(i):
			if t, ok := p.titled(t); ok {
				kept = append(kept, t)
			}
			continue
		case t.lower == "." && i > 0 && p.isTitle(i-1):
			continue
		case t.lower == "we" && i > 0 && p.at(i+1).lower == "have" && p.eventOf([]string{p.at(i + 2).lower}) != nil:
			continue // "products we have sold"
		case t.kind != wordToken || i == 0 || inPhrase[i] && t.lower != "average":
		case p.isFillerBehind(i, t):
			if t.lower == "we" && p.language.isAuxiliary(p.tokens[i-1].lower) && p.tokens[i-1].lower == "do" {
				p.askersVerb = p.at(i + 1).lower
			}
			p.hasStill, p.hasYet = p.hasStill || t.lower == "still", p.hasYet || t.lower == "yet"
			p.asksMoney = p.asksMoney || t.lower == "money"
			p.hasActually = p.hasActually || t.lower == "actually" && p.tokens[i-1].lower != "never" && p.tokens[i-1].lower != "not" && i+1 < len(p.tokens) && p.isVerb(i+1)
			continue
		case (t.lower == "anyone" || t.lower == "anybody") && keptEnds("by"):
			kept = kept[:len(kept)-1] // "never ordered by anyone"
			continue
		case t.lower == "average" && keptEnds("on"):
			kept, p.hasOnAverage = kept[:len(kept)-1], true
			continue
		}
		kept = append(kept, t)
	}
	p.tokens = kept
}

// phraseTokens returns which tokens are of phrases of several words that the language knows.
func (p *parser) phraseTokens() []bool {
	out := make([]bool, len(p.tokens))
	for i, t := range p.tokens {
		for _, ph := range p.language.phrases[t.lower] {
			if len(ph.words) > 1 && p.follows(i, ph.words) {
				for k := range ph.words {
					out[i+k] = true
				}
			}
		}
	}
	return out
}

// isFillerBehind reports whether a word behind others adds nothing: it stands for whoever asks or for anything.
func (p *parser) isFillerBehind(i int, t token) bool {
	before := p.tokens[i-1].lower
	marked := func(w string) bool { return w == "marked" || w == "flagged" }
	switch t.lower {
	case "we", "still", "yet", "already", "actually": // "that have no result yet"
		return true
	case "us":
		return t.text == t.lower && (p.isVerb(i-1) || before == "with")
	case "marked", "flagged": // "parcels marked fragile"
		return i+1 < len(p.tokens) && len(p.lexicon.labelsByStem[t.stem]) == 0
	case "as":
		return marked(before)
	case "money": // "how much money is overdue"
		return (before == "much" || before == "most") && len(p.lexicon.labelsByStem[t.stem]) == 0
	case "anything", "something": // "never bought anything"
		return p.isVerb(i-1) || i > 2 && p.language.isAuxiliary(p.tokens[0].lower)
	}
	return false
}

// isAuxiliary reports whether a word is a form of "do" or "have" that stands before a subject.
func (l *language) isAuxiliary(word string) bool {
	return slices.ContainsFunc(l.phrases[word], func(ph taggedWords) bool { return ph.tag == "do" && len(ph.words) == 1 })
}

// isObjectUs reports whether "us" at token i stands behind a preposition of the verb before it: "bought from us", "work for us".
func (p *parser) isObjectUs(i int) bool {
	if i < 3 || p.tokens[i].text != "us" {
		return false
	}
	switch p.tokens[i-1].lower {
	case "from", "for", "to", "by", "at", "with":
		return p.isVerb(i-2) && p.isVerbHints([]string{p.tokens[i-2].lower})
	}
	return false
}

// isTitle reports whether token i is a title before a name: "Dr Kim", "Mrs. Lee".
func (p *parser) isTitle(i int) bool {
	t, next := p.at(i), i+1
	if t.kind != wordToken || p.language.titles[t.lower] == nil || len(p.lexicon.labelsByStem[t.stem]) > 0 {
		return false
	}
	if p.at(next).lower == "." {
		next++
	}
	return p.at(next).kind == wordToken && p.at(next).text != p.at(next).lower
}

// titled returns the word that a title stands for, such as doctor, and whether the database knows people to be that.
// Another title says nothing of who is meant.
func (p *parser) titled(t token) (token, bool) {
	for _, w := range p.language.titles[t.lower] {
		if stem := p.language.stem(w); len(p.lexicon.values[stem]) > 0 {
			t.lower, t.stem = w, stem
			return t, true
		}
	}
	return t, false
}

// tag finds the function phrases at each token.
func (p *parser) tag() {
	p.tags = make([]map[string][]int, len(p.tokens)+1)
	p.adjectives = make([]map[int][]adjective, len(p.tokens)+1)
	p.statesAt = make([]map[int][]*state, len(p.tokens)+1)
	for i, t := range p.tokens {
		if t.kind == quotedToken {
			continue
		}
		tags := map[string][]int{}
		partOfName := (t.lower == "first" || t.lower == "last") && p.at(i+1).lower == "name" // no order
		for _, ph := range p.language.phrases[t.lower] {
			if p.follows(i, ph.words) && !partOfName {
				tags[ph.tag] = append(tags[ph.tag], i+len(ph.words))
			}
		}
		// Before a number "over" compares, and says no place.
		tags["in"] = slices.DeleteFunc(tags["in"], func(e int) bool {
			return e < len(p.tokens) && p.tokens[e].kind == numberToken && (slices.Contains(tags["gt"], e) || slices.Contains(tags["lt"], e))
		})
		for _, ends := range tags {
			sort.Sort(sort.Reverse(sort.IntSlice(ends)))
		}
		p.tags[i] = tags
		p.statesAt[i] = p.findStates(i)
		for _, ph := range p.language.adjectivePhrases[t.lower] {
			if p.follows(i, ph.words) {
				if p.adjectives[i] == nil {
					p.adjectives[i] = map[int][]adjective{}
				}
				p.adjectives[i][i+len(ph.words)] = p.language.adjectives[ph.tag]
			}
		}
	}
}

func (p *parser) follows(i int, words []string) bool {
	if i+len(words) > len(p.tokens) {
		return false
	}
	for k, w := range words {
		if t := p.tokens[i+k]; t.lower != w || t.kind == quotedToken {
			return false
		}
	}
	return true
}

// ends returns where the phrases of any of the tags that begin at i end,
// longest first.
func (p *parser) ends(i int, tags ...string) (out []int) {
	if i >= len(p.tokens) || p.tags[i] == nil {
		return nil
	}
	if len(tags) == 1 {
		return p.tags[i][tags[0]]
	}
	for _, t := range tags {
		for _, e := range p.tags[i][t] {
			if !slices.Contains(out, e) {
				out = append(out, e)
			}
		}
	}
	sort.Sort(sort.Reverse(sort.IntSlice(out)))
	return out
}

// isSaid reports whether one of the words is among tokens.
func isSaid(tokens []token, words ...string) bool {
	return slices.ContainsFunc(tokens, func(t token) bool { return slices.Contains(words, t.lower) })
}

// says reports whether words of one of the tags stand anywhere in the question.
func (p *parser) says(tags ...string) bool {
	return p.anywhere(func(i int) bool { return len(p.ends(i, tags...)) > 0 })
}

// maybe is ends with i itself as the last possibility: the phrase may be
// missing.
func (p *parser) maybe(i int, tags ...string) []int {
	return append(append([]int(nil), p.ends(i, tags...)...), i)
}
