package ask

import "bytes"

// MayHold says whether a text may hold an ask comment or ASK '…' at any place: only such texts are worth
// reading for Parts and FindCalls. It does not allocate.
func MayHold(text []byte) bool {
	return opensAsk(text, "--") || opensAsk(text, "/*") || quotesAsk(text, '\'') || quotesAsk(text, '$')
}

// opensAsk says whether a comment with this delimiter may begin with the word ask.
func opensAsk(text []byte, delimiter string) bool {
	for {
		i := bytes.Index(text, []byte(delimiter))
		if i < 0 {
			return false
		}
		if text = bytes.TrimLeft(text[i+2:], " \t\r\n\f\v*-"); hasAskWord(text) {
			return true
		}
	}
}

// maxOptions bounds how many bytes before a quotation mark are searched for options, so that a text takes no square of its length.
const maxOptions = 1000

// quotesAsk says whether a quotation mark may follow the word ask, or its options.
func quotesAsk(text []byte, mark byte) bool {
	for at := 0; ; {
		i := bytes.IndexByte(text[at:], mark)
		if i < 0 {
			return false
		}
		before := bytes.TrimRight(text[:at+i], " \t\r\n\f\v")
		if bytes.HasSuffix(before, []byte(")")) {
			far := max(0, len(before)-maxOptions)
			before = before[:far+max(0, bytes.LastIndexByte(before[far:], '('))]
		}
		if endsWithAsk(before) {
			return true
		}
		at += i + 1
	}
}

// endsWithAsk says whether the last word of a text is ask.
func endsWithAsk(text []byte) bool {
	n := len(text)
	for n > 0 && (text[n-1] == ' ' || text[n-1] >= '\t' && text[n-1] <= '\r') {
		n--
	}
	return n >= 3 && hasAskWord(text[n-3:n]) && (n == 3 || !isWordByte(text[n-4]))
}
