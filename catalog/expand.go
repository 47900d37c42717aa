package catalog

import (
	"slices"
	"sort"
	"strings"
)

// maxExpansions bounds the terms that one word of a question stands for.
const maxExpansions = 20

// likeTerm is the edit similarity from which on a word is taken for a
// mistyped term.
const likeTerm = 0.79

// expand returns the terms of the index that a query term stands for: itself,
// or if no name has it, names that it abbreviates, is abbreviated by, or is a
// typing mistake away from.
func (x *index) expand(q queryTerm) []queryTerm {
	var out []queryTerm
	if x.has(q.term) {
		out = append(out, q)
	}
	if len(q.term) < 4 || q.weight < 0.5 {
		return out
	}
	add := func(t string, w float64) { out = append(out, queryTerm{t, q.weight * w, q.word}) }
	// Names that run together what the vocabulary cannot split.
	for _, p := range x.parts {
		for _, t := range p.endings(q) {
			if len(out) < maxExpansions {
				add(t, 0.5)
			}
		}
	}
	if out != nil {
		return out
	}
	// Terms that begin with it, and those that it begins with.
	for _, p := range x.parts {
		for i := sort.SearchStrings(p.sorted, q.term); i < len(p.sorted) && len(out) < maxExpansions && strings.HasPrefix(p.sorted[i], q.term); i++ {
			add(p.sorted[i], 0.6)
		}
	}
	for n := len(q.term) - 1; n >= 3; n-- {
		if t := q.term[:n]; x.has(t) {
			add(t, 0.6*float64(n)/float64(len(q.term)))
			break
		}
	}
	if out != nil {
		return out
	}
	for _, p := range x.parts {
		from := sort.SearchStrings(p.sorted, q.term[:1])
		for _, t := range p.sorted[from:] {
			if t[0] != q.term[0] {
				break
			}
			if len(t) >= 4 && likeLengths(len(t), len(q.term)) && similarity(q.term, t) >= likeTerm {
				add(t, 0.6)
			}
		}
	}
	return out
}

// likeLengths reports whether texts of these lengths can be as alike as likeTerm.
func likeLengths(a, b int) bool { return float64(min(a, b)) >= likeTerm*float64(max(a, b)) }

// endings returns the terms that end in the query's term or word and are
// longer by two at least, in alphabetical order.
func (p *indexPart) endings(q queryTerm) []string {
	var out []string
	for i, end := range []string{q.term, q.word} {
		if i > 0 && strings.HasSuffix(end, q.term) {
			break // the same ones
		}
		back := reverse(end)
		for i := sort.SearchStrings(p.reversed, back); i < len(p.reversed) && strings.HasPrefix(p.reversed[i], back); i++ {
			if len(p.reversed[i]) > len(q.term)+1 {
				out = append(out, reverse(p.reversed[i]))
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// acronyms returns the terms of names that are the initials of words that
// follow each other: mpg for miles per gallon.
func (x *index) acronyms(text string) []queryTerm {
	ts := tokens(text)
	var out []queryTerm
	for n := 3; n <= 5; n++ {
		for i := 0; i+n <= len(ts); i++ {
			b := make([]byte, n)
			for j, t := range ts[i : i+n] {
				b[j] = t.text[0]
			}
			if t := string(b); x.has(t) && !stopWords[t] {
				out = append(out, queryTerm{t, 0.9, text[ts[i].start:ts[i+n-1].end]})
			}
		}
	}
	return out
}
