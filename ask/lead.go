package ask

import (
	"bytes"
	"strings"
)

// Lead returns the length of the commands that begin a text and only begin or end a
// transaction, move its savepoints or set something, each with its semicolon: BEGIN, START
// TRANSACTION, SAVEPOINT, RELEASE, COMMIT, END, ROLLBACK, ABORT, SET and RESET. Programs put them before a statement, in
// the same message; psqlODBC does. It does not allocate; commands with comments or backslashes
// are not looked into.
func Lead(text []byte) (n int) {
	for {
		rest := bytes.TrimLeft(text[n:], " \t\r\n\f\v")
		if len(rest) == 0 || !isLead(rest) {
			return n
		}
		end := leadEnd(rest)
		if end < 0 {
			return n
		}
		n = len(text) - len(rest) + end + 1
	}
}

// leadEnd returns where the semicolon of a command is, -1 if it has none or anything that is not looked into.
func leadEnd(text []byte) int {
	quote := byte(0)
	for i, c := range text {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			} else if c == '\\' {
				return -1
			}
		case c == ';':
			return i
		case c == '\'' || c == '"':
			quote = c
		case isWordByte(c) || c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ',' || c == '=':
		case c == '-' && i+1 < len(text) && text[i+1] != '-':
		default:
			return -1
		}
	}
	return -1
}

func isLead(text []byte) bool {
	switch text[0] | 0x20 {
	case 'a', 'b', 'c', 'e', 'r', 's':
	default:
		return false
	}
	n := 0
	for n < len(text) && n <= len("SAVEPOINT") && isWordByte(text[n]) {
		n++
	}
	for _, word := range [...]string{"begin", "start", "savepoint", "release", "commit", "end", "rollback", "abort", "set", "reset"} {
		if len(word) == n && bytes.EqualFold(text[:n], []byte(word)) {
			return true
		}
	}
	return false
}

// LeadCommands returns the words of each command of a text that Lead takes whole, in lower case.
func LeadCommands(text string) (list [][]string) {
	for n := Lead([]byte(text)); n > 0; {
		end := leadEnd([]byte(text[:n]))
		if words := strings.Fields(strings.ToLower(text[:end])); len(words) > 0 {
			list = append(list, words)
		}
		text, n = text[end+1:], n-end-1
	}
	return list
}
