package words

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Normalize removes case and accents: Unicode's NFKD without marks, in lower
// case, with the few letters that do not decompose spelled out.
func Normalize(s string) string {
	ascii := true
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			ascii = false
			break
		}
	}
	if ascii {
		return strings.ToLower(s)
	}
	var b strings.Builder
	for _, r := range norm.NFKD.String(s) {
		if unicode.Is(unicode.Mn, r) {
			continue
		}
		switch r = unicode.ToLower(r); r {
		case 'ß':
			b.WriteString("ss")
		case 'æ':
			b.WriteString("ae")
		case 'œ':
			b.WriteString("oe")
		case 'ø':
			b.WriteByte('o')
		case 'đ', 'ð':
			b.WriteByte('d')
		case 'ł':
			b.WriteByte('l')
		case 'ı':
			b.WriteByte('i')
		case 'þ':
			b.WriteString("th")
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Token is a word or number of a text.
type Token struct {
	Text       string // normalized
	Start, End int    // byte offsets in the text
}

// Tokens splits a text into runs of letters and digits.
func Tokens(s string) []Token {
	var out []Token
	start := -1
	flush := func(end int) {
		if start >= 0 {
			out = append(out, Token{Normalize(s[start:end]), start, end})
			start = -1
		}
	}
	for i, r := range s {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r):
			if start < 0 {
				start = i
			}
		default:
			flush(i)
		}
	}
	flush(len(s))
	return out
}

// Key returns the tokens with a blank between them. It is equal for texts that
// differ in case, accents, blanks and punctuation only.
func Key(tokens []Token) string {
	switch len(tokens) {
	case 0:
		return ""
	case 1:
		return tokens[0].Text
	}
	var b strings.Builder
	for i := range tokens {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(tokens[i].Text)
	}
	return b.String()
}

// StemKey returns the tokens' stems with a blank between them.
func StemKey(tokens []Token) string {
	var b strings.Builder
	for i := range tokens {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(Stem(tokens[i].Text))
	}
	return b.String()
}

// Stem returns the English stem of a normalized word, by Porter's second
// algorithm (Snowball). Words of up to three bytes are their own stem.
func Stem(word string) string {
	if len(word) < 4 {
		return word
	}
	return EnglishStem(word)
}
