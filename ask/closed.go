package ask

import (
	"strings"

	pg_query "github.com/pganalyze/pg_query_go/v5"
)

// maxLooks bounds how often CheckClosed scans a text: for what looks like a question and is a part of a constant.
const maxLooks = 20

// CheckClosed returns an error if a constant that begins in the comment of a question, or between its $$, does not end
// there. It looks only where SQL stands behind. Drivers that write values into a text (psycopg2, ActiveRecord) write
// them into comments too. A value with a line's end or */ in it ends the comment: the rest of the value would run. What
// is not complete is the beginning of a text.
func CheckClosed(text string, complete bool) error {
	for at, tries := 0, 0; tries < maxLooks; {
		start, end, ended := nextQuestion(text, at)
		if start < 0 {
			break
		}
		if !unclosed(text[start:end]) {
			at = end
			continue
		}
		if _, behind := comments(text[end:]); behind == "" && (ended || complete) {
			break
		}
		if outside(text, start) {
			return errUnclosed()
		}
		tries++
		at = start + 1
	}
	return nil
}

func errUnclosed() *Error {
	return Errorf(CodeSyntax, "a quotation mark opens in the question and does not close there").
		WithDetail("A driver may have written a value into the question that ends it: the end of a line ends -- ask: … The text behind it would run as SQL, or be read as a hint.").
		WithHint("Have the driver write the whole question, as in ask(%%s), or bind it: ask($1). If the mark is an apostrophe, leave it out.")
}

// nextQuestion returns where the next comment that asks, or $$…$$ behind the word ASK, begins and ends in a text. It
// looks from a place on, and says whether the question goes to the end of the text. start is -1 if there is none.
func nextQuestion(text string, at int) (start, end int, ended bool) {
	for {
		i := strings.IndexAny(text[at:], "-/$")
		if i < 0 {
			return -1, 0, false
		}
		at += i
		if text[at] == '$' && endsWithAsk(text[:at]) {
			if _, rest, ok := cutQuoted(text[at:]); ok {
				return at, len(text) - len(rest), true
			}
		} else if strings.HasPrefix(text[at:], "--") || strings.HasPrefix(text[at:], "/*") {
			if hasAskWord(trimBlanks(text[at+2:], "*")) {
				_, end, ended = nextPiece(text, at)
				return at, end, ended
			}
		}
		at++
	}
}

// unclosed says whether a constant begins in a text and does not end.
func unclosed(s string) bool { return eachOutside(s, func(int) {}) }

// eachOutside calls f for each byte of a text that stands in no constant, and says whether a constant is open at the
// end. A quotation mark within a word is an apostrophe.
func eachOutside(s string, f func(i int)) (open bool) {
	isLetter := func(i int) bool { return i >= 0 && i < len(s) && s[i] != '.' && isWordByte(s[i]) }
	escapes := false
	for i := 0; i < len(s); i++ {
		switch {
		case open && escapes && s[i] == '\\':
			i++
		case s[i] != '\'':
			if !open {
				f(i)
			}
		case !open:
			escapes = i > 0 && s[i-1]|0x20 == 'e' && !isLetter(i-2)
			open = escapes || !isLetter(i-1)
		case strings.HasPrefix(s[i+1:], "'"):
			i++
		default:
			open = isLetter(i + 1) // the one before was an apostrophe: hits of the '90s in 'Berlin'
		}
	}
	return open
}

// Lines parts a text at each of the marks, but not within a constant: what a value holds begins no line of its own. If
// a constant does not end, its mark is an apostrophe.
func Lines(text, marks string) []string {
	isMark := func(i int) bool { return strings.IndexByte(marks, text[i]) >= 0 }
	var ends []int
	open := eachOutside(text, func(i int) {
		if isMark(i) {
			ends = append(ends, i)
		}
	})
	if open {
		ends = ends[:0]
		for i := range len(text) {
			if isMark(i) {
				ends = append(ends, i)
			}
		}
	}
	var lines []string
	at := 0
	for _, end := range ends {
		lines, at = append(lines, text[at:end]), end+1
	}
	return append(lines, text[at:])
}

// outside says whether a place of a text is neither in a constant nor in a comment.
func outside(text string, at int) bool {
	scan, err := Scan(text[:at])
	if err != nil || len(scan.Tokens) == 0 {
		return err == nil
	}
	last := scan.Tokens[len(scan.Tokens)-1]
	return last.Token != pg_query.Token_SQL_COMMENT || int(last.End) <= at && strings.ContainsAny(text[last.End:at], "\r\n")
}
