// Package words splits names and questions into words, and knows what English
// words have to do with each other: stems, plurals, abbreviations, stop words
// and spelling mistakes. It is the one place for such lists.
package words

import (
	"slices"
	"strings"
	"unicode"
)

// Split splits a name as people write names: at "_" and other punctuation,
// where the case changes, and between letters and digits. Each word is
// normalized: "OrderItemsV2" and "order_items_v2" are order, items, v, 2.
func Split(name string) []string {
	var words []string
	var start int
	runes := []rune(name)
	flush := func(end int) {
		if end > start {
			if w := Normalize(string(runes[start:end])); w != "" {
				words = append(words, w)
			}
		}
		start = end
	}
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.M, r):
			flush(i)
			start = i + 1
		case i == start:
		case unicode.IsDigit(r) != unicode.IsDigit(runes[i-1]):
			flush(i)
		case unicode.IsUpper(r) && !unicode.IsUpper(runes[i-1]):
			flush(i)
		case unicode.IsUpper(r) && i+1 < len(runes) && unicode.IsLower(runes[i+1]):
			flush(i) // the last capital of a run begins the next word: "HTTPServer"
		}
	}
	flush(len(runes))
	return words
}

// Singular undoes the regular English plural of a normalized word.
func Singular(w string) string {
	switch {
	case len(w) < 4 || strings.HasSuffix(w, "ss") || strings.HasSuffix(w, "us") || strings.HasSuffix(w, "is"):
		return w
	case strings.HasSuffix(w, "ies"):
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "shes"), strings.HasSuffix(w, "xes"), strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "zes"):
		return w[:len(w)-2]
	case strings.HasSuffix(w, "s"):
		return w[:len(w)-1]
	}
	return w
}

// Set returns the words of a text, divided by blanks, as a set.
func Set(text string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(text) {
		m[w] = true
	}
	return m
}

// genericWords name what every table has. Two columns of such a name need not
// have anything to do with each other.
var genericWords = Set(`id uid uuid guid key pk no nr num number code name title type kind status state description note notes
comment comments text value data date time day month year created updated modified deleted at on by ts crtd timestamp
count amount price cost total quantity rank rating order position version flag active enabled homepage url email phone
address first last full gender sex age color colour`)

// Generic reports whether every word of a name is generic, as id and status
// are, or a number.
func Generic(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !genericWords[w] && (w[0] < '0' || w[0] > '9') })
}
