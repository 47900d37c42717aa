package words

import (
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
)

// maxSimilar bounds the bytes of texts that are compared.
const maxSimilar = 100

// Similarity returns 1 less the edits between two texts per letter of the longer
// one. An edit inserts, deletes or replaces a letter, or swaps two that follow
// each other; one swap is known, the first. Of texts of which one is more than
// twice as long as the other it is 0.
func Similarity(a, b string) float64 {
	longest := max(len(a), len(b))
	if longest == 0 || longest > maxSimilar || 2*min(len(a), len(b)) < longest {
		return 0
	}
	edits := levenshtein.ComputeDistance(a, b)
	if edits > 1 {
		if s, ok := undoSwap(a, b); ok {
			edits = min(edits, 1+levenshtein.ComputeDistance(s, b))
		}
	}
	return 1 - float64(edits)/float64(max(utf8.RuneCountInString(a), utf8.RuneCountInString(b)))
}

// undoSwap swaps the first two bytes of a that are swapped in b. Of letters of
// several bytes it finds no swap.
func undoSwap(a, b string) (string, bool) {
	for i := 0; i+1 < min(len(a), len(b)); i++ {
		if a[i] != b[i] && a[i] == b[i+1] && a[i+1] == b[i] && a[i] < utf8.RuneSelf && a[i+1] < utf8.RuneSelf {
			return a[:i] + b[i:i+2] + a[i+2:], true
		}
	}
	return "", false
}
