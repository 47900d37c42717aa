package proxy

import (
	"bytes"

	pg_query "github.com/pganalyze/pg_query_go/v5"
	"google.golang.org/protobuf/reflect/protoreflect"

	"askpg/ask"
	"askpg/wire"
)

// errExecutes refuses EXECUTE of a statement with chosen SQL, whose text can change the session first.
var errExecutes = ask.Errorf(ask.CodeFeatureNotSupported, "EXECUTE is not run while the session has a prepared statement with ask('…') that runs on the primary").
	WithDetail("What may hold an EXECUTE is not run either: a statement longer than listen.max_question, or a message with names longer than %d bytes.", maxNames).
	WithHint("Execute it by the extended protocol, with Bind and Execute, or close that statement first.")

// atOnce returns an error unless the server looks up the names in the statement with the calls at
// once, in the session that chosen SQL was judged for. Otherwise something else could set another
// search_path or make a temporary table before. So only BEGIN and SAVEPOINT may come before it in
// its message, and only what moves a cursor or ends a transaction after it. With the extended
// protocol the server looks names up for Bind, but those of COPY and CREATE VIEW for Execute.
func (t *turn) atOnce(text, name string, found []ask.Call) error {
	tree, err := ask.Parse(text)
	if err != nil {
		return errRelay
	}
	var n *pg_query.Node
	for _, s := range tree.Stmts {
		start := int(s.StmtLocation)
		end := start + int(s.StmtLen)
		if s.StmtLen == 0 {
			end = len(text)
		}
		calls := found[0].Start < end && found[len(found)-1].Start >= start
		switch {
		case calls && n == nil:
			n = s.Stmt
		case calls, n == nil && !opensTransaction(s.Stmt), n != nil && !followsCursor(s.Stmt):
			return ask.Errorf(ask.CodeFeatureNotSupported, "a statement with ask('…') that runs on the primary has to be alone in its message").
				WithHint("Send each statement by itself, between BEGIN and COMMIT if they belong together.")
		}
	}
	switch {
	case boundAtOnce(n):
	case n.GetPrepareStmt() != nil:
		return ask.Errorf(ask.CodeFeatureNotSupported, "a question can't be prepared by the SQL command PREPARE").
			WithHint("Send the question itself, or have the driver prepare it, by Parse of the extended protocol. SELECT sql FROM ask('…', 'sql') AS r shows SQL to PREPARE.")
	case n.GetCopyStmt() == nil && n.GetViewStmt() == nil:
		return ask.Errorf(ask.CodeFeatureNotSupported, "ask('…') that runs on the primary can't stand in a statement of this kind").
			WithHint("Keep the answer first, as in CREATE TEMPORARY TABLE answer AS SELECT * FROM ask('…') AS r, and use that table.")
	case !t.simple:
		return ask.Errorf(ask.CodeFeatureNotSupported, "COPY and CREATE VIEW with ask('…') can't be prepared").
			WithHint("Send it as a simple query.")
	}
	if !t.simple && (len(name) > maxName || !isASCII(name) || len(t.onPrimary) >= maxNamed) {
		return ask.Errorf(ask.CodeProgramLimit, "the name of the statement has more than %d bytes or is not ASCII, or the session has %d with ask('…')", maxName, maxNamed).
			WithHint("Use the unnamed statement.")
	}
	return nil
}

// opensTransaction says whether a statement is BEGIN or SAVEPOINT, which run no code of a user's and leave the session's path as it is.
func opensTransaction(n *pg_query.Node) bool {
	switch n.GetTransactionStmt().GetKind() {
	case pg_query.TransactionStmtKind_TRANS_STMT_BEGIN, pg_query.TransactionStmtKind_TRANS_STMT_START, pg_query.TransactionStmtKind_TRANS_STMT_SAVEPOINT:
		return true
	}
	return false
}

// followsCursor says whether a statement is one that programs send behind DECLARE in one message.
func followsCursor(n *pg_query.Node) bool {
	return n.GetFetchStmt() != nil || n.GetClosePortalStmt() != nil || n.GetTransactionStmt() != nil
}

// boundAtOnce says whether PostgreSQL looks up the names in a statement when it is parsed.
func boundAtOnce(n *pg_query.Node) bool {
	if c := n.GetDeclareCursorStmt(); c != nil {
		n = c.Query
	}
	if e := n.GetExplainStmt(); e != nil {
		n = e.Query
	}
	if c := n.GetCreateTableAsStmt(); c != nil {
		n = c.Query
	}
	return n.GetSelectStmt() != nil || n.GetInsertStmt() != nil || n.GetUpdateStmt() != nil || n.GetDeleteStmt() != nil || n.GetMergeStmt() != nil
}

// judgeOnPrimary judges the chosen SQL in a statement on the server again: for Bind and Describe the server looks its
// names up anew if the session has changed.
func (t *turn) judgeOnPrimary(message []byte) error {
	body := message[wire.HeaderLen:]
	var name, portal []byte
	if message[0] == wire.Bind {
		var rest []byte
		portal, rest, _ = wire.CutString(body)
		name, _, _ = wire.CutString(rest)
	} else {
		name, _, _ = wire.CutString(body[1:])
	}
	if message[0] == wire.Close {
		delete(t.onPrimary, clipped(string(name)))
		return errRelay
	}
	if err := t.mayRunOnPrimary(false); err != nil { // a reload may have said so since it was prepared
		return err
	}
	t.think()
	info, err := t.readInfo("")
	if err != nil {
		return err
	}
	for _, sql := range t.chosenIn(name) {
		if _, err := t.forPrimary(sql, info); err != nil {
			return err
		}
	}
	t.endThinking()
	if message[0] == wire.Bind && t.portals[string(portal)] != nil {
		return t.collide(message)
	}
	return errRelay
}

// chosenIn returns the chosen SQL in the server's statement of this name; nil if it has none. The server clips names. Which name
// one that is not ASCII is depends on two encodings, which may have changed meanwhile: it may be any.
func (s *session) chosenIn(name []byte) (list []string) {
	key := clipped(string(name))
	if isASCII(key) {
		return s.onPrimary[key]
	}
	for _, queries := range s.onPrimary {
		list = append(list, queries...)
	}
	return list
}

// mayExecute says whether EXECUTE could name a statement on the server that has chosen SQL in it.
func (s *session) mayExecute() bool {
	named := len(s.onPrimary)
	if _, unnamed := s.onPrimary[""]; unnamed {
		named--
	}
	return named > 0
}

// executesOnPrimary says whether a text may execute by SQL a statement that has chosen SQL in it. Any EXECUTE may: how the server
// reads a name depends on its encoding and version. A text that can't be read may, unless it is one question.
func (s *session) executesOnPrimary(text []byte) bool {
	if !s.mayExecute() || !bytes.Contains(bytes.ToLower(text), []byte("execute")) {
		return false
	}
	tree, err := ask.Parse(string(text))
	if err != nil {
		return bytes.IndexByte(text, ';') >= 0 || ask.Detect(text, true) != ask.Yes
	}
	found := false
	ask.Walk(tree.ProtoReflect(), func(m protoreflect.Message) {
		_, executes := m.Interface().(*pg_query.ExecuteStmt)
		found = found || executes
	})
	return found
}
