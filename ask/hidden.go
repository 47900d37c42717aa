package ask

import "bytes"

// MayHold says whether a text may hold an ask comment or ASK '…' at any place, or ASK behind a semicolon: only such texts are worth
// reading for Parts and FindCalls. It does not allocate.
func MayHold(text []byte) bool {
	return opensAsk(text, '-', '-') || opensAsk(text, '/', '*') || quotesAsk(text, '\'') || quotesAsk(text, '$') || endsBeforeAsk(text)
}

// endsBeforeAsk says whether a semicolon may end a statement before the word ask.
func endsBeforeAsk(text []byte) bool {
	for {
		i := bytes.IndexByte(text, ';')
		if i < 0 {
			return false
		}
		if text = trimBlanks(text[i+1:], ""); hasAskWord(text) {
			return true
		}
	}
}

// opensAsk says whether a comment whose delimiter is these two bytes may begin with the word ask.
func opensAsk(text []byte, first, second byte) bool {
	for {
		i := bytes.IndexByte(text, first)
		switch {
		case i < 0 || i+1 == len(text):
			return false
		case text[i+1] != second:
			text = text[i+1:]
		default:
			if text = trimBlanks(text[i+2:], "*-"); hasAskWord(text) {
				return true
			}
		}
	}
}

// quotesAsk says whether a quotation mark may follow the word ask, or its options in parentheses. Whoever connects can send
// such texts, so the time is linear: what the last opening parenthesis follows is looked at once.
func quotesAsk(text []byte, mark byte) bool {
	options := false // the last opening parenthesis so far follows the word ask
	for at := 0; ; {
		i := bytes.IndexByte(text[at:], mark)
		if i < 0 {
			return false
		}
		if open := bytes.LastIndexByte(text[at:at+i], '('); open >= 0 {
			options = endsWithAsk(text[:at+open])
		}
		before := bytes.TrimRight(text[at:at+i], " \t\r\n\f\v")
		if options && bytes.HasSuffix(before, []byte(")")) || endsWithAsk(text[:at+len(before)]) {
			return true
		}
		at += i + 1
	}
}

// endsWithAsk says whether the last word of a text is ask.
func endsWithAsk[T ~string | ~[]byte](text T) bool {
	n := len(text)
	for n > 0 && (text[n-1] == ' ' || text[n-1] >= '\t' && text[n-1] <= '\r') {
		n--
	}
	return n >= 3 && hasAskWord(text[n-3:n]) && (n == 3 || !isWordByte(text[n-4]))
}
