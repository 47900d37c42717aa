package ask

import (
	"bytes"
	"strings"
)

// Verdict says whether a SQL text, of which a part has been seen, is a question.
type Verdict int

// The verdicts of Detect.
const (
	No        Verdict = iota // not a question, whatever follows
	Undecided                // may still be one
	Yes                      // a question; only said of a complete text
)

// Detect judges a SQL text by what has been read of it: whether it is a
// question by comment or by the ASK verb. It does not allocate, but for the verb. A text that
// holds SQL beside the question is a statement, and not a question.
func Detect(text []byte, complete bool) Verdict {
	text, marked := bytes.CutPrefix(text, []byte(bom))
	asked := false
	for i := 0; i < len(text); {
		kind, end, ok := nextPiece(text, i)
		if !ok {
			// A comment that is still open, or half of what opens one.
			if !complete {
				return Undecided
			}
			if kind == pieceBlock || kind == pieceSQL {
				return No
			}
		}
		switch kind {
		case pieceBlank, pieceSemicolon:
		case pieceLine, pieceBlock:
			asked = asked || isAskComment(text[i:end])
		case pieceSQL:
			if asked {
				return No
			}
			verdict := detectVerb(text[i:], complete)
			if verdict == Yes && !marked && paged(string(text[i:])) {
				return No
			}
			return verdict
		}
		i = end
	}
	switch {
	case !complete:
		return Undecided
	case asked:
		return Yes
	default:
		return No
	}
}

const bom = "\ufeff"

// trimBlanks cuts blanks, and the bytes of also, off the beginning of a text. What looks at every message calls it: bytes.TrimLeft makes
// a table of the bytes each time.
func trimBlanks[T ~string | ~[]byte](text T, also string) T {
	for len(text) > 0 && (text[0] == ' ' || text[0] >= '\t' && text[0] <= '\r' || strings.IndexByte(also, text[0]) >= 0) {
		text = text[1:]
	}
	return text
}

type pieceKind int

const (
	pieceBlank pieceKind = iota
	pieceLine
	pieceBlock
	pieceSemicolon
	pieceSQL
)

// nextPiece tells what begins at text[i] and where it ends. ok is false if the
// text ends before that can be told. It may end inside a block comment or a
// line comment without its newline, or between the two characters that open
// one.
func nextPiece[T ~string | ~[]byte](text T, i int) (kind pieceKind, end int, ok bool) {
	switch c := text[i]; c {
	case ' ', '\t', '\n', '\r', '\f', '\v':
		return pieceBlank, i + 1, true
	case ';':
		return pieceSemicolon, i + 1, true
	case '-', '/':
		if i+1 == len(text) {
			return pieceSQL, len(text), false
		}
		switch {
		case c == '-' && text[i+1] == '-':
			end, ok = lineEnd(text, i+2)
			return pieceLine, end, ok
		case c == '/' && text[i+1] == '*':
			end, ok = blockEnd(text, i+2)
			return pieceBlock, end, ok
		}
	}
	return pieceSQL, len(text), true
}

// lineEnd returns where a line comment ends whose text begins at i.
func lineEnd[T ~string | ~[]byte](text T, i int) (end int, ok bool) {
	for ; i < len(text); i++ {
		if text[i] == '\n' || text[i] == '\r' {
			return i, true
		}
	}
	return len(text), false
}

// blockEnd returns where a block comment ends whose text begins at i. Block comments nest in PostgreSQL.
func blockEnd[T ~string | ~[]byte](text T, i int) (end int, ok bool) {
	depth := 1
	for ; i+1 < len(text); i++ {
		switch {
		case text[i] == '*' && text[i+1] == '/':
			i++
			if depth--; depth == 0 {
				return i + 1, true
			}
		case text[i] == '/' && text[i+1] == '*':
			i++
			depth++
		}
	}
	return len(text), false
}

// isAskComment says whether a comment, its delimiters included, asks.
func isAskComment(comment []byte) bool {
	body := trimBlanks(comment[2:], "*")
	if !hasAskWord(body) {
		return false
	}
	body = bytes.TrimLeft(body[3:], " \t")
	if len(body) > 0 && body[0] == '(' {
		end := closingParen(body)
		if end < 0 {
			return false
		}
		body = bytes.TrimLeft(body[end+1:], " \t\r\n")
		if len(body) == 0 || bytes.Equal(body, []byte("*/")) {
			return true
		}
	}
	return len(body) > 0 && body[0] == ':'
}

// hasAskWord says whether s begins with "ask" in any case, followed by
// something that does not continue the word.
func hasAskWord[T ~string | ~[]byte](s T) bool {
	if len(s) < 3 || s[0]|0x20 != 'a' || s[1]|0x20 != 's' || s[2]|0x20 != 'k' {
		return false
	}
	return len(s) == 3 || !isWordByte(s[3])
}

func isWordByte(c byte) bool {
	return c == '_' || c == '.' || c >= 0x80 || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// detectVerb judges a text that begins with something other than a comment.
func detectVerb(s []byte, complete bool) Verdict {
	if !complete && len(s) < 4 {
		if bytes.EqualFold(s, []byte("ask")[:min(3, len(s))]) {
			return Undecided
		}
		return No
	}
	if !hasAskWord(s) {
		return No
	}
	if !complete {
		return Undecided
	}
	return Yes
}

// closingParen returns the index of the parenthesis that closes s[0], quotes
// respected, or -1.
func closingParen[T ~string | ~[]byte](s T) int {
	depth, quote := 0, byte(0)
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// comments splits a text into its comments, without their delimiters, and
// says whether anything else is in it but blanks and semicolons.
func comments(text string) (list []comment, rest string) {
	text = strings.TrimPrefix(text, bom)
	for i := 0; i < len(text); {
		kind, end, _ := nextPiece(text, i)
		switch kind {
		case pieceLine:
			list = append(list, comment{text: strings.TrimSpace(text[i+2 : end]), line: true})
		case pieceBlock:
			list = append(list, comment{text: strings.TrimSpace(strings.TrimSuffix(text[i+2:end], "*/"))})
		case pieceSQL:
			return list, text[i:]
		}
		i = end
	}
	return list, ""
}

type comment struct {
	text string
	line bool // opened by --
}
