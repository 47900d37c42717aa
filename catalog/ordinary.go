package catalog

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed data/ordinary.txt
var ordinaryText string

// ordinaryStems are the stems of the most frequent English words.
var ordinaryStems = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for l := range strings.Lines(ordinaryText) {
		if !strings.HasPrefix(l, "#") {
			for _, w := range strings.Fields(l) {
				m[w] = true
			}
		}
	}
	return m
})

// ordinary reports whether a word is one that people write in its ordinary
// sense.
func ordinary(word string) bool { return stopWords[word] || ordinaryStems()[stem(word)] }

// Limits of a fuzzy match that is taken.
const (
	sameStart = 0.6  // of an ordinary word, that a value begins with too
	sameWord  = 0.65 // edit similarity of a word of a longer span to one of the value
	sameRun   = 0.85 // of span and value, blanks left out
)

// plausible reports whether words that are nearly a value may mean it. A word
// that is none is likely misspelt; an ordinary one means what it says, unless it is another form of the
// value ("cancellation", 'cancelled'): "ending" is no 'pending', to "carry" no 'Camry'.
// Of several words each is a word of the value, or they are the value run together.
func plausible(ts []token, value string) bool {
	words := strings.Fields(value)
	if len(ts) > 1 {
		if similarity(strings.ReplaceAll(key(ts), " ", ""), strings.Join(words, "")) >= sameRun {
			return true
		}
		for _, t := range ts {
			if !nearWord(t.text, words) {
				return false
			}
		}
	}
	for _, t := range ts {
		if !ordinary(t.text) {
			return true
		}
	}
	for _, t := range ts {
		if stopWords[t.text] {
			continue
		}
		alike := false
		for _, w := range append(words, strings.Join(words, "")) {
			n := commonPrefix(t.text, w)
			alike = alike || n >= 3 && float64(n) >= sameStart*float64(max(len(t.text), len(w)))
		}
		if !alike {
			return false
		}
	}
	return true
}

// nearWord reports whether a word is one of others, but for its spelling.
func nearWord(word string, words []string) bool {
	for _, w := range words {
		if w == word || similarity(word, w) >= sameWord || commonPrefix(word, w) >= 4 {
			return true
		}
	}
	return false
}

func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
