// Cutting a question into tokens.

package grammar

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

type tokenKind byte

const (
	wordToken tokenKind = iota
	numberToken
	quotedToken
	dateToken  // 2023-04-01 and its like
	clockToken // 9 am, 18:00
	punctToken
)

// token is a piece of the question: a word, a number, a quoted text or a mark.
type token struct {
	kind       tokenKind
	text       string // as written; without its quotes if quoted
	lower      string
	stem       string
	start, end int    // bytes of the question
	joint      string // the mark that joins it to the token before it: "'" of O'Neil
}

var closingQuote = map[rune]string{'"': "\"”", '“': "”\"", '‘': "’'", '\'': "'’", '`': "`", '«': "»", '”': "”"}

// latexQuotes makes two marks of one kind a single one without moving what
// follows.
var latexQuotes = strings.NewReplacer("`` ", "  \"", "``", " \"", " ''", "\"  ", "''", "\" ")

// scan cuts a text into tokens. Words are cut at hyphens, contractions into
// their parts ("don't" is "do", "n't"; "state's" is "state", "'s").
func scan(text string) (tokens []token) {
	if strings.Contains(text, "``") {
		text = latexQuotes.Replace(text)
	}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case unicode.IsSpace(r):
			i += size
		case (r == '\'' || r == '’') && isShortYear(text, i, size):
			tokens = append(tokens, token{kind: numberToken, text: "20" + text[i+size:i+size+2], lower: "20" + text[i+size:i+size+2], start: i, end: i + size + 2})
			i += size + 2
		case closingQuote[r] != "" && opensQuote(text, i, size):
			end, next := closeQuote(text, i+size, closingQuote[r])
			if next < 0 {
				i += size
				continue
			}
			inner := strings.ReplaceAll(strings.TrimSpace(text[i+size:end]), "''", "'")
			tokens = append(tokens, token{kind: quotedToken, text: inner, lower: strings.ToLower(inner), start: i, end: next})
			i = next
		case (r == '-' || r == '−') && isMinus(text, i, size):
			t, next := scanNumber(text, i+size)
			t[0].text, t[0].lower, t[0].start = "-"+t[0].text, "-"+t[0].lower, i
			tokens = append(tokens, t...)
			i = next
		case r >= '0' && r <= '9' || (r == '.' && i+1 < len(text) && text[i+1] >= '0' && text[i+1] <= '9'):
			t, next := scanNumber(text, i)
			tokens = append(tokens, t...)
			i = next
		case unicode.IsDigit(r): // of another script: it is no number that SQL reads
			end := len(text) - len(strings.TrimLeftFunc(text[i:], unicode.IsDigit))
			tokens = append(tokens, token{kind: wordToken, text: text[i:end], lower: text[i:end], start: i, end: end})
			i = end
		case unicode.IsLetter(r) || r == '_':
			var t []token
			t, i = scanWords(text, i)
			tokens = append(tokens, t...)
		case strings.ContainsRune("-–—'’\"`", r):
			i += size
		case r == '(' || r == ')':
			tokens = append(tokens, token{kind: punctToken, text: string(r), lower: string(r), start: i, end: i + size})
			i += size
		default:
			next := i + size
			for next < len(text) && strings.ContainsRune("<>=!", r) && strings.IndexByte("<>=!", text[next]) >= 0 {
				next++
			}
			tokens = append(tokens, token{kind: punctToken, text: text[i:next], lower: text[i:next], start: i, end: next})
			i = next
		}
	}
	for i := 1; i < len(tokens); i++ {
		if between := text[tokens[i-1].end:tokens[i].start]; strings.Trim(between, "-–—'’") == "" {
			tokens[i].joint = between
		}
	}
	return tokens
}

// dashes parts a question where a dash stands between spaces and what follows carries structure: "bookings this year - how many".
// In a name it does not.
func (l *language) dashes(question string) string {
	out := question
	for _, dash := range []string{" - ", " – ", " — "} {
		for i := 0; ; {
			at := strings.Index(out[i:], dash)
			if at < 0 {
				break
			}
			i += at + len(dash)
			if next, _, _ := strings.Cut(out[i:], " "); len(l.phrases[strings.ToLower(next)]) > 0 {
				out = out[:i-len(dash)] + "," + strings.Repeat(" ", len(dash)-1) + out[i:]
			}
		}
	}
	return out
}

// scanWords cuts the letters at i into words, with the contraction that they end in. It returns where they end.
func scanWords(text string, i int) ([]token, int) {
	end := len(text)
	if n := strings.IndexFunc(text[i:], func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && !unicode.IsMark(r)
	}); n >= 0 {
		end = i + n
	}
	tokens := scanWord(text, i, end)
	t, next := scanContraction(text, end)
	if next == end {
		return tokens, end
	}
	if t.lower == "n't" {
		last := &tokens[len(tokens)-1]
		switch last.lower = strings.TrimSuffix(last.lower, "n"); last.lower {
		case "ca":
			last.lower = "can"
		case "wo":
			last.lower = "will"
		}
	}
	return append(tokens, t), next
}

// scanWord cuts a word with underscores at them, unless it holds a digit, as
// codes do.
func scanWord(text string, start, end int) (tokens []token) {
	if !strings.ContainsRune(text[start:end], '_') {
		return []token{{kind: wordToken, text: text[start:end], lower: strings.ToLower(text[start:end]), start: start, end: end}}
	}
	for i := start; i < end; {
		j := strings.IndexByte(text[i:end], '_')
		if j < 0 {
			j = end - i
		}
		if j > 0 {
			tokens = append(tokens, token{kind: wordToken, text: text[i : i+j], lower: strings.ToLower(text[i : i+j]), start: i, end: i + j})
		}
		i += j + 1
	}
	return tokens
}

// scanContraction reads "'s", "'" after a plural, "n't" and their like after a
// word that ends at i.
func scanContraction(text string, i int) (token, int) {
	rest := text[i:]
	quote := 0
	switch {
	case strings.HasPrefix(rest, "'"):
		quote = 1
	case strings.HasPrefix(rest, "’"):
		quote = len("’")
	default:
		return token{}, i
	}
	end := i + quote
	for end < len(text) && unicode.IsLetter(rune(text[end])) {
		end++
	}
	tail := strings.ToLower(text[i+quote : end])
	t := token{kind: wordToken, text: text[i:end], start: i, end: end}
	switch {
	case tail == "s":
		t.lower = "'s"
	case tail == "t" && i > 0 && (text[i-1] == 'n' || text[i-1] == 'N'):
		t.lower = "n't"
	case tail == "re":
		t.lower = "are"
	case tail == "ve":
		t.lower = "have"
	case tail == "d":
		t.lower = "had"
	case tail == "" && i > 0 && (text[i-1] == 's' || text[i-1] == 'S'):
		t.lower = "'s"
	default:
		return token{}, i
	}
	return t, end
}

// isShortYear reports whether the mark at i stands before the two digits of a year: "June '25".
func isShortYear(text string, i, size int) bool {
	rest := text[i+size:]
	digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
	return i > 0 && text[i-1] == ' ' && digits == 2 && (len(rest) == 2 || strings.ContainsRune(" ?.,;", rune(rest[2])))
}

func opensQuote(text string, i, size int) bool {
	if i+size >= len(text) {
		return false
	}
	if rest := strings.TrimLeft(text[i+size:], " "); text[i+size] == ' ' && (rest == "" || rest[0] != text[i]) {
		return false // a blank text has its other mark behind it
	}
	if i == 0 {
		return true
	}
	prev, _ := utf8.DecodeLastRuneInString(text[:i])
	return unicode.IsSpace(prev) || strings.ContainsRune("(,:=[/-", prev)
}

// closeQuote finds where a quoted text ends: the position of its closing mark
// and the position after it. A mark within a word does not close, nor does one that is doubled as in SQL.
func closeQuote(text string, from int, marks string) (end, next int) {
	for i := from; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if strings.ContainsRune(marks, r) {
			after, _ := utf8.DecodeRuneInString(text[i+size:])
			if r == '\'' && after == r {
				i += 2
				continue
			}
			if i+size >= len(text) || !unicode.IsLetter(after) && !unicode.IsDigit(after) {
				return i, i + size
			}
		}
		i += size
	}
	return 0, -1
}

func scanNumber(text string, i int) ([]token, int) {
	if end := scanDate(text, i); end > i {
		return []token{{kind: dateToken, text: text[i:end], lower: text[i:end], start: i, end: end}}, end
	}
	if end := scanClock(text, i); end > i {
		return []token{{kind: clockToken, text: text[i:end], lower: strings.ToLower(text[i:end]), start: i, end: end}}, end
	}
	j := i
	for j < len(text) {
		c := text[j]
		digitNext := j+1 < len(text) && text[j+1] >= '0' && text[j+1] <= '9'
		if c >= '0' && c <= '9' || (c == '.' && digitNext) || (c == ',' && digitNext && isThousandsComma(text, j)) {
			j++
			continue
		}
		break
	}
	number, j := writtenNumber(text, i, j)
	if strings.Count(number, ".") > 1 { // 1.2.3 is a version, or a day
		return []token{{kind: wordToken, text: text[i:j], lower: text[i:j], start: i, end: j}}, j
	}
	end := j
	for end < len(text) && (text[end] < utf8.RuneSelf && unicode.IsLetter(rune(text[end])) || text[end] == '_') {
		end++
	}
	suffix := strings.ToLower(text[j:end])
	switch suffix {
	case "", "st", "nd", "rd", "th":
		return []token{{kind: numberToken, text: number, lower: number, start: i, end: end}}, end
	case "k", "m", "g", "km", "kg", "cm", "mm", "lb", "lbs", "mph", "ft", "hrs", "min", "mins", "s":
		return []token{{kind: numberToken, text: number, lower: number, start: i, end: j}, {kind: wordToken, text: suffix, lower: suffix, start: j, end: end}}, end
	}
	for end < len(text) && (unicode.IsLetter(rune(text[end])) || unicode.IsDigit(rune(text[end])) || text[end] == '_') {
		end++
	}
	return []token{{kind: wordToken, text: text[i:end], lower: strings.ToLower(text[i:end]), start: i, end: end}}, end
}

// isMinus reports whether the dash at i is the sign of the number behind it: it parts no words, and no number stands before it.
func isMinus(text string, i, size int) bool {
	before := strings.TrimRight(text[:i], " ")
	if i+size >= len(text) || text[i+size] < '0' || text[i+size] > '9' || strings.TrimRight(before, "0123456789") != before {
		return false
	}
	if len(before) == i && i > 0 && text[i-1] != '(' {
		return false
	}
	t, _ := scanNumber(text, i+size)
	return t[0].kind == numberToken
}

// isThousandsComma reports whether the comma at i is followed by exactly three digits.
func isThousandsComma(text string, i int) bool {
	n := 0
	for i+1+n < len(text) && text[i+1+n] >= '0' && text[i+1+n] <= '9' {
		n++
	}
	return n == 3
}

// scanDate reads an ISO date, with a time if one follows.
func scanDate(text string, i int) int {
	const shape = "dddd-dd-dd"
	if len(text) < i+len(shape) {
		return i
	}
	for k := range len(shape) {
		c := text[i+k]
		if shape[k] == 'd' && (c < '0' || c > '9') || shape[k] == '-' && c != '-' {
			return i
		}
	}
	return i + len(shape)
}

// wordsOf returns the lower-case words of a text, cut as scan does.
func wordsOf(text string) (words []string) {
	for _, t := range scan(text) {
		words = append(words, t.lower)
	}
	if len(words) == 0 && text != "" {
		return []string{strings.ToLower(text)}
	}
	return words
}

// isLetter reports whether a token is the letter A and no article: "how many A customers are there".
func (p *parser) isLetter(i int) bool {
	return i > 0 && p.tokens[i].text == "A" && singular(p.at(i+1).lower) != "" && p.question != strings.ToUpper(p.question)
}
