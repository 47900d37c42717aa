package ask

import (
	"bytes"
	"unicode/utf8"
)

// FirstWord returns the word that a text begins with, after blanks and
// comments; nil if it begins with something else.
func FirstWord(text []byte) []byte {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	for {
		text = trimBlanks(text, ";")
		switch {
		case bytes.HasPrefix(text, []byte("--")):
			i := bytes.IndexByte(text, '\n')
			if i < 0 {
				return nil
			}
			text = text[i:]
			continue
		case bytes.HasPrefix(text, []byte("/*")):
			i := bytes.Index(text, []byte("*/"))
			if i < 0 {
				return nil
			}
			text = text[i+2:]
			continue
		}
		n := 0
		for n < len(text) && (text[n]|0x20 >= 'a' && text[n]|0x20 <= 'z' || text[n] >= utf8.RuneSelf) {
			n++
		}
		return text[:n]
	}
}

// IsCommand says whether a word begins a SQL command (PostgreSQL
// documentation, "SQL Commands").
func IsCommand(word []byte) bool {
	var b [16]byte
	if len(word) > len(b) {
		return false
	}
	for i, c := range word {
		if c >= 'a' && c <= 'z' {
			c -= 'a' - 'A'
		}
		b[i] = c
	}
	switch string(b[:len(word)]) {
	case "ABORT", "ALTER", "ANALYSE", "ANALYZE", "BEGIN", "CALL", "CHECKPOINT", "CLOSE", "CLUSTER", "COMMENT", "COMMIT",
		"COPY", "CREATE", "DEALLOCATE", "DECLARE", "DELETE", "DISCARD", "DO", "DROP", "END", "EXECUTE", "EXPLAIN",
		"FETCH", "GRANT", "IMPORT", "INSERT", "LISTEN", "LOAD", "LOCK", "MERGE", "MOVE", "NOTIFY", "PREPARE",
		"REASSIGN", "REFRESH", "REINDEX", "RELEASE", "RESET", "REVOKE", "ROLLBACK", "SAVEPOINT", "SECURITY", "SELECT",
		"SET", "SHOW", "START", "TABLE", "TRUNCATE", "UNLISTEN", "UPDATE", "VACUUM", "VALUES", "WITH":
		return true
	}
	return false
}

// beginsStatement says whether a text begins like a SQL statement or a question by verb.
func beginsStatement(text string) bool {
	word := FirstWord([]byte(text))
	return len(word) > 0 && (IsCommand(word) || bytes.EqualFold(word, []byte("ask")))
}
