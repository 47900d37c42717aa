package search

import (
	"slices"
	"sort"
	"strings"

	"askpg/catalog/words"
)

// queryTerm is a term that a question asks for and how much it counts.
type queryTerm struct {
	term   string
	weight float64
	word   string // as in the question
}

// queryTerms returns the terms of a question: the stems of its content words
// and, for less, words of names that answer them.
func queryTerms(text string) []queryTerm {
	at := map[string]int{}
	var out []queryTerm
	add := func(term, word string, weight float64) {
		i, ok := at[term]
		if !ok {
			i = len(out)
			at[term] = i
			out = append(out, queryTerm{term: term, word: word})
		}
		out[i].weight = max(out[i].weight, weight)
	}
	tokens := words.Tokens(text)
	for i, t := range tokens {
		answering := 0.35
		switch {
		case inPeriod(tokens, i):
			answering = 0.1 // most relations have dates
		case words.IsSearched(t.Text):
			add(words.Stem(t.Text), t.Text, 1)
		}
		for _, long := range words.ExpandedStems(t.Text) {
			add(long, t.Text, 0.8)
		}
		for _, n := range words.Answering(t.Text) {
			add(n, t.Text, answering)
		}
	}
	return out
}

// Asked returns the stems that a text asks for and how much each counts, at most 1. They are those
// of its content words. What these abbreviate, and words of names that answer them, count less.
func Asked(text string) map[string]float64 {
	asked := map[string]float64{}
	for _, q := range queryTerms(text) {
		asked[q.term] = q.weight
	}
	return asked
}

var (
	relative = words.Set("last past next previous this current")
	units    = words.Set("day days week weeks month months quarter quarters year years")
)

// inPeriod reports whether a word is of a period such as "last month" or "the past 12 months": "last" then names
// no last name, and "month" no monthly price.
func inPeriod(tokens []words.Token, i int) bool {
	for from := max(0, i-2); from <= i; from++ {
		unit := from + 1
		if unit < len(tokens) && isNumber(tokens[unit].Text) {
			unit++
		}
		if relative[tokens[from].Text] && i <= unit && unit < len(tokens) && units[tokens[unit].Text] {
			return true
		}
	}
	return false
}

func isNumber(w string) bool { return strings.Trim(w, "0123456789") == "" }

// acronyms returns the terms of names that are the initials of words that
// follow each other: mpg for miles per gallon.
func (x *Index) acronyms(text string) []queryTerm {
	tokens := words.Tokens(text)
	var out []queryTerm
	for n := 3; n <= 5; n++ {
		for i := 0; i+n <= len(tokens); i++ {
			b := make([]byte, n)
			for j, t := range tokens[i : i+n] {
				b[j] = t.Text[0]
			}
			if t := string(b); x.has(t) && !words.IsStop(t) {
				out = append(out, queryTerm{t, 0.9, text[tokens[i].Start:tokens[i+n-1].End]})
			}
		}
	}
	return out
}

const (
	maxExpansions = 20   // terms that one word of a question stands for
	mistypedEdit  = 0.79 // edit similarity from which on a word is taken for a mistyped term
)

// expand returns the terms of the index that a query term stands for: itself
// and names that end in it. If there are none, names that it abbreviates or is
// abbreviated by; if there are none of these, names that are a typing mistake
// away.
func (x *Index) expand(q queryTerm) []queryTerm {
	var out []queryTerm
	if x.has(q.term) {
		out = append(out, q)
	}
	if len(q.term) < 4 || q.weight < 0.5 {
		return out
	}
	for _, find := range []func(queryTerm, []queryTerm) []queryTerm{x.endings, x.abbreviations, x.mistyped} {
		if out = find(q, out); out != nil {
			return out
		}
	}
	return nil
}

// weighted returns a term with a share of the query term's weight.
func (q queryTerm) weighted(term string, share float64) queryTerm {
	return queryTerm{term, q.weight * share, q.word}
}

// endings appends the terms that end in the query term: names that run together
// what the vocabulary cannot split.
func (x *Index) endings(q queryTerm, out []queryTerm) []queryTerm {
	for _, p := range x.parts {
		for _, t := range p.endings(q) {
			if len(out) < maxExpansions {
				out = append(out, q.weighted(t, 0.5))
			}
		}
	}
	return out
}

// abbreviations appends the terms that begin with the query term, and the
// longest that it begins with.
func (x *Index) abbreviations(q queryTerm, out []queryTerm) []queryTerm {
	for _, p := range x.parts {
		for i := sort.SearchStrings(p.sorted, q.term); i < len(p.sorted) && len(out) < maxExpansions && strings.HasPrefix(p.sorted[i], q.term); i++ {
			out = append(out, q.weighted(p.sorted[i], 0.6))
		}
	}
	for n := len(q.term) - 1; n >= 3; n-- {
		if t := q.term[:n]; x.has(t) {
			return append(out, q.weighted(t, 0.6*float64(n)/float64(len(q.term))))
		}
	}
	return out
}

// mistyped appends the terms with the same first letter that the query term is
// similar to.
func (x *Index) mistyped(q queryTerm, out []queryTerm) []queryTerm {
	if q.term == "" { // nothing is left of an accent without its letter
		return out
	}
	for _, p := range x.parts {
		from := sort.SearchStrings(p.sorted, q.term[:1])
		for _, t := range p.sorted[from:] {
			if t[0] != q.term[0] {
				break
			}
			if len(t) >= 4 && similarLengths(len(t), len(q.term)) && words.Similarity(q.term, t) >= mistypedEdit {
				out = append(out, q.weighted(t, 0.6))
			}
		}
	}
	return out
}

// similarLengths reports whether texts of these lengths can be as similar as
// mistypedEdit.
func similarLengths(a, b int) bool { return float64(min(a, b)) >= mistypedEdit*float64(max(a, b)) }

// endings returns the terms that end in the query term or its word and are
// longer by two at least, in alphabetical order.
func (p *indexPart) endings(q queryTerm) []string {
	var out []string
	ends := []string{q.term}
	if !strings.HasSuffix(q.word, q.term) { // else what ends in the word ends in the term
		ends = append(ends, q.word)
	}
	for _, end := range ends {
		backwards := reverse(end)
		for i := sort.SearchStrings(p.reversed, backwards); i < len(p.reversed) && strings.HasPrefix(p.reversed[i], backwards); i++ {
			if len(p.reversed[i]) > len(q.term)+1 {
				out = append(out, reverse(p.reversed[i]))
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
