package ask

import "bytes"

// Lead returns the length of the commands that begin a text and only open a
// transaction or move its savepoints, each with its semicolon: BEGIN, START
// TRANSACTION, SAVEPOINT and RELEASE. psqlODBC puts them before a statement, in
// the same message. It does not allocate; commands with comments or quoted
// names are not looked into.
func Lead(text []byte) (n int) {
	for {
		rest := bytes.TrimLeft(text[n:], " \t\r\n\f\v")
		if len(rest) == 0 || !isLead(rest) {
			return n
		}
		end := bytes.IndexByte(rest, ';')
		if end < 0 {
			return n
		}
		for _, c := range rest[:end] {
			if !isWordByte(c) && c != ' ' && c != '\t' && c != '\r' && c != '\n' && c != ',' {
				return n
			}
		}
		n = len(text) - len(rest) + end + 1
	}
}

func isLead(text []byte) bool {
	switch text[0] | 0x20 {
	case 'b', 'r', 's':
	default:
		return false
	}
	n := 0
	for n < len(text) && n <= len("SAVEPOINT") && isWordByte(text[n]) {
		n++
	}
	for _, word := range [...]string{"begin", "start", "savepoint", "release"} {
		if len(word) == n && bytes.EqualFold(text[:n], []byte(word)) {
			return true
		}
	}
	return false
}
