package search

import (
	"slices"
	"strings"

	"askpg/catalog/words"
)

// Limits of a fuzzy match that is taken.
const (
	minSamePrefix  = 0.6  // share of a frequent word that a value begins with too
	minWordEdit    = 0.65 // edit similarity of a word of a longer span to one of the value
	minJoinedEdit  = 0.85 // edit similarity of span and value, without blanks
	shortestPrefix = 3    // bytes of the same beginning that say something
	longPrefix     = 4    // bytes of the same beginning that make two words alike
)

// plausible reports whether tokens that are nearly a value may mean it. A word
// that is not frequent is likely misspelt. A frequent word means what it says,
// unless it is another form of the value ("cancellation", 'cancelled'):
// "ending" is no 'pending', to "carry" no 'Camry'. Of several words each has to
// be a word of the value, or all of them the value written as one.
func plausible(tokens []words.Token, value string) bool {
	valueWords := strings.Fields(value)
	joined := strings.Join(valueWords, "")
	if len(tokens) > 1 {
		if words.Similarity(strings.ReplaceAll(words.Key(tokens), " ", ""), joined) >= minJoinedEdit {
			return true
		}
		if slices.ContainsFunc(tokens, func(t words.Token) bool { return !nearAny(t.Text, valueWords) }) {
			return false
		}
	}
	if slices.ContainsFunc(tokens, func(t words.Token) bool { return !words.IsFrequent(t.Text) }) {
		return true
	}
	forms := append(valueWords, joined)
	return !slices.ContainsFunc(tokens, func(t words.Token) bool { return !words.IsStop(t.Text) && !isForm(t.Text, forms) })
}

// nearAny reports whether a word is one of others, but for its spelling.
func nearAny(word string, others []string) bool {
	return slices.ContainsFunc(others, func(w string) bool {
		return w == word || words.Similarity(word, w) >= minWordEdit || samePrefix(word, w) >= longPrefix
	})
}

// isForm reports whether a word may be another form of one of others.
func isForm(word string, others []string) bool {
	return slices.ContainsFunc(others, func(w string) bool {
		n := samePrefix(word, w)
		return n >= shortestPrefix && float64(n) >= minSamePrefix*float64(max(len(word), len(w)))
	})
}

// samePrefix returns how many bytes two words have in common at their beginning.
func samePrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
