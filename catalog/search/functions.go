package search

import (
	"cmp"
	"slices"

	"askpg/catalog/schema"
	"askpg/catalog/words"
)

// nameWeight is how many words in a comment a word in the name of a function is
// worth.
const nameWeight = 3

// FindFunctions returns the functions, at most limit, that have words of the
// text in their names or comments, those with the most first. A function
// without a word of the text in its name is not among them.
func FindFunctions(functions []schema.Function, text string, limit int) []*schema.Function {
	asked := map[string]bool{}
	for _, q := range queryTerms(text) {
		if q.weight >= 0.8 {
			asked[q.term] = true
		}
	}
	type match struct {
		function *schema.Function
		score    int
	}
	var found []match
	for i := range functions {
		f := &functions[i]
		if n := countTerms(f.Name.Name, asked); n > 0 {
			found = append(found, match{f, nameWeight*n + countTerms(f.Comment, asked)})
		}
	}
	slices.SortStableFunc(found, func(a, b match) int { return cmp.Compare(b.score, a.score) })
	out := make([]*schema.Function, 0, limit)
	for _, m := range found[:min(len(found), limit)] {
		out = append(out, m.function)
	}
	return out
}

// countTerms returns how many of the terms a text has.
func countTerms(text string, terms map[string]bool) int {
	seen := map[string]bool{}
	for _, w := range words.Split(text) {
		if t := words.Stem(w); terms[t] {
			seen[t] = true
		}
	}
	return len(seen)
}
