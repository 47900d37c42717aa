package proxy

import (
	"bytes"
	"unicode/utf8"

	"askpg/ask"
)

// auto knows whether a session may be in the mode in which a text that is no
// SQL is a question (SET askpg.mode = 'auto'). Whether it is in that mode the
// server says when such a text comes.
type auto struct {
	// seen: the mode was set, or the server said so.
	seen bool
}

// beQuestion says whether a text is worth asking the server about the mode. It
// is called for every statement, so that it judges by the first word, unless
// the mode has been seen.
func (a *auto) beQuestion(text []byte) bool {
	word := firstWord(text)
	if len(word) == 0 {
		return false
	}
	if word[0]|0x20 == 's' && bytes.Contains(text, []byte("askpg.mode")) {
		a.seen = true
		return false
	}
	return a.seen || !isCommand(word)
}

// isSQL says whether a text parses, so that even in the mode it is none of
// ours.
func isSQL(text string) bool {
	_, err := ask.Parse(text)
	return err == nil
}

// firstWord returns the word that a text begins with, after blanks and
// comments; nil if it begins with something else.
func firstWord(text []byte) []byte {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	for {
		text = bytes.TrimLeft(text, " \t\r\n\f\v;")
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

// isCommand says whether a word begins a SQL command (PostgreSQL
// documentation, "SQL Commands").
func isCommand(word []byte) bool {
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

// deallocated returns the name of the statement that a DEALLOCATE names, or
// "" if the text is something else.
func deallocated(text []byte) string {
	if word := firstWord(text); !bytes.EqualFold(word, []byte("deallocate")) {
		return ""
	}
	tree, err := ask.Parse(string(text))
	if err != nil || len(tree.Stmts) != 1 {
		return ""
	}
	d := tree.Stmts[0].Stmt.GetDeallocateStmt()
	if d == nil {
		return ""
	}
	return d.Name
}
