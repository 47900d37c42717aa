package ask

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Normalise returns the form of a question by which a repetition of it is recognised: Unicode NFC, blanks collapsed, no
// closing punctuation, lower case. Case is kept where it can carry meaning: between quotes, and in words written all in
// capitals ("US" is not "us").
func Normalise(question string) string {
	_, folded := Fold(question)
	return norm.NFC.String(string(folded))
}

// closing is what a question may end with or not.
const closing = " ?.!;…"

// Fold returns a question's characters with its blanks collapsed, as they stand
// and as Normalise has them, one for one, without closing punctuation.
func Fold(question string) (kept, folded []rune) {
	words := strings.Fields(norm.NFC.String(strings.ToValidUTF8(question, "\ufffd")))
	quote := rune(0)
	for i, w := range words {
		if i > 0 {
			kept, folded = append(kept, ' '), append(folded, ' ')
		}
		var lower string
		lower, quote = foldWord(w, quote)
		kept, folded = append(kept, []rune(w)...), append(folded, []rune(lower)...)
	}
	n := len(folded)
	for quote == 0 && n > 0 && strings.ContainsRune(closing, folded[n-1]) {
		n--
	}
	return kept[:n], folded[:n]
}

// foldWord lower-cases w outside quotes. quote is the mark that is open before
// w, 0 if none; the one open after it is returned. An apostrophe inside a word
// opens nothing.
func foldWord(w string, quote rune) (string, rune) {
	keep := isAcronym(w)
	var b strings.Builder
	previous := ' '
	for i, r := range w {
		next, _ := utf8.DecodeRuneInString(w[i+utf8.RuneLen(r):])
		switch {
		case quote != 0:
			if r == quote && !(r == '\'' && unicode.IsLetter(next)) {
				quote = 0
			}
			b.WriteRune(r)
		case r == '"' || r == '\'' && !unicode.IsLetter(previous) && !unicode.IsDigit(previous):
			quote = r
			b.WriteRune(r)
		case keep:
			b.WriteRune(r)
		default:
			b.WriteRune(unicode.ToLower(r))
		}
		previous = r
	}
	return b.String(), quote
}

func isAcronym(w string) bool {
	letters := 0
	for _, r := range w {
		if unicode.IsLower(r) {
			return false
		}
		if unicode.IsUpper(r) {
			letters++
		}
	}
	return letters > 1
}
