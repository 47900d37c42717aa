package catalog

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	snowball "askpg/internal/stem"
)

// fold removes case and accents: NFKD without marks, lower case, and the few
// letters that do not decompose.
func fold(s string) string {
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

// token is a word or number of a text, folded.
type token struct {
	text       string
	start, end int // byte offsets in the text
}

// tokens splits a text into runs of letters and digits. An apostrophe and
// what follows it stay with their word ("o'brien"), but for a possessive.
func tokens(s string) []token {
	var out []token
	start := -1
	flush := func(end int) {
		if start >= 0 {
			out = append(out, token{fold(s[start:end]), start, end})
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

// key is what two texts have in common that differ in case, accents, blanks
// and punctuation only.
func key(ts []token) string {
	switch len(ts) {
	case 0:
		return ""
	case 1:
		return ts[0].text
	}
	var b strings.Builder
	for i := range ts {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(ts[i].text)
	}
	return b.String()
}

// stem is the English stem of a folded word.
func stem(word string) string {
	if len(word) < 4 {
		return word
	}
	return snowball.English(word)
}

// stemKey is key over stems.
func stemKey(ts []token) string {
	var b strings.Builder
	for i := range ts {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(stem(ts[i].text))
	}
	return b.String()
}

// stopWords are English words that are rarely meant as a value unless they
// are written just as the column holds it ("OR" for Oregon, "IN" for Indiana).
var stopWords = wordSet(`a about above after all also am an and any are as at be been before being below between both
but by can did do does doing down during each few for from further had has have having he her here hers him his how i if
in into is it its just me more most my no nor not now of off on once only or other our out over own same she should so
some such than that the their them then there these they this those through to too under until up us very was we were
what when where which while who whom why will with you your show list give find tell get many much number count total
average sum per name names date time year month day week value id type top first last`)

func wordSet(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}
