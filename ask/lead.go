package ask

import (
	"bytes"

	pg_query "github.com/pganalyze/pg_query_go/v5"
)

// Lead returns the length of the commands at the beginning of a text that only set something, or begin or end a
// transaction or savepoint. Each has its semicolon: BEGIN, START TRANSACTION, SAVEPOINT, RELEASE, COMMIT, END, ROLLBACK,
// ABORT, SET and RESET. Programs put them before a statement, in the same message; psqlODBC does. It does not allocate;
// commands with comments or backslashes are not looked into.
func Lead(text []byte) (n int) {
	for {
		rest := trimBlanks(text[n:], "")
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

// Command is what a statement does that only sets something, or begins or ends a transaction.
type Command int

// The kinds of commands.
const (
	OtherCommand      Command = iota
	SetCommand                // SET, RESET
	BeginCommand              // BEGIN, START TRANSACTION
	EndCommand                // COMMIT, ROLLBACK and their like, without AND CHAIN
	SavepointCommand          // SAVEPOINT, RELEASE
	RollbackToCommand         // ROLLBACK TO
)

// Commands returns what the statements of a text do, as PostgreSQL's parser reads them. A text that does not parse is one
// OtherCommand.
func Commands(text string) (list []Command) {
	tree, err := Parse(text)
	if err != nil {
		return []Command{OtherCommand}
	}
	for _, raw := range tree.Stmts {
		c := OtherCommand
		if raw.Stmt.GetVariableSetStmt() != nil {
			c = SetCommand
		} else if t := raw.Stmt.GetTransactionStmt(); t != nil && !t.Chain {
			switch t.Kind {
			case pg_query.TransactionStmtKind_TRANS_STMT_BEGIN, pg_query.TransactionStmtKind_TRANS_STMT_START:
				c = BeginCommand
			case pg_query.TransactionStmtKind_TRANS_STMT_COMMIT, pg_query.TransactionStmtKind_TRANS_STMT_ROLLBACK:
				c = EndCommand
			case pg_query.TransactionStmtKind_TRANS_STMT_SAVEPOINT, pg_query.TransactionStmtKind_TRANS_STMT_RELEASE:
				c = SavepointCommand
			case pg_query.TransactionStmtKind_TRANS_STMT_ROLLBACK_TO:
				c = RollbackToCommand
			}
		}
		list = append(list, c)
	}
	return list
}
