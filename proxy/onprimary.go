package proxy

import (
	"bytes"
	"slices"

	pg_query "github.com/pganalyze/pg_query_go/v5"

	"askpg/ask"
	"askpg/wire"
)

// errExecutes refuses EXECUTE of a statement with chosen SQL, whose text can change the session first.
var errExecutes = ask.Errorf(ask.CodeFeatureNotSupported, "a prepared statement with ask('…') that runs on the primary is not executed by SQL").
	WithHint("Execute it by the extended protocol, with Bind and Execute.")

// alone returns an error unless the text is one statement whose names the server looks up at once, in the session that
// chosen SQL was judged for: something else could set another search_path or make a temporary table before it does.
// Behind it only FETCH, MOVE and CLOSE may stand, which have no names of relations.
// With the extended protocol it looks names up for Bind, but those of COPY and CREATE VIEW for Execute.
func (t *turn) alone(text, name string) error {
	tree, err := ask.Parse(text)
	if err != nil {
		return errRelay
	}
	if len(tree.Stmts) == 0 || slices.ContainsFunc(tree.Stmts[1:], func(n *pg_query.RawStmt) bool {
		return n.Stmt.GetFetchStmt() == nil && n.Stmt.GetClosePortalStmt() == nil
	}) {
		return ask.Errorf(ask.CodeFeatureNotSupported, "a statement with ask('…') that runs on the primary has to be alone in its message").
			WithHint("Send each statement by itself, between BEGIN and COMMIT if they belong together.")
	}
	switch n := tree.Stmts[0].Stmt; {
	case boundAtOnce(n):
	case n.GetCopyStmt() == nil && n.GetViewStmt() == nil:
		return ask.Errorf(ask.CodeFeatureNotSupported, "ask('…') that runs on the primary can't stand in a statement of this kind").
			WithHint("Keep the answer first, as in CREATE TEMPORARY TABLE answer AS SELECT * FROM ask('…') AS r, and use that table.")
	case !t.simple:
		return ask.Errorf(ask.CodeFeatureNotSupported, "COPY and CREATE VIEW with ask('…') are not prepared").
			WithHint("Send it as a simple query.")
	}
	if !t.simple && (len(name) > maxName || len(t.onPrimary) >= maxNamed) {
		return ask.Errorf(ask.CodeProgramLimit, "the name of the statement is too long, or the session has %d with ask('…')", maxNamed).
			WithHint("Use the unnamed statement.")
	}
	return nil
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
	var name []byte
	if message[0] == wire.Bind {
		_, rest, _ := wire.CutString(body)
		name, _, _ = wire.CutString(rest)
	} else {
		name, _, _ = wire.CutString(body[1:])
	}
	if message[0] == wire.Close {
		delete(t.onPrimary, string(name))
		return errRelay
	}
	t.think()
	info, err := t.readInfo(t.ctx, "")
	if err != nil {
		return err
	}
	for _, sql := range t.onPrimary[string(name)] {
		if _, err := t.forPrimary(sql, info); err != nil {
			return err
		}
	}
	t.endThinking()
	return errRelay
}

// executesOnPrimary says whether a text may execute by SQL a statement that has chosen SQL in it.
func (s *session) executesOnPrimary(text []byte) bool {
	text = bytes.ToLower(text)
	if !bytes.Contains(text, []byte("execute")) {
		return false
	}
	for name := range s.onPrimary {
		if name != "" && bytes.Contains(text, bytes.ToLower([]byte(name))) {
			return true
		}
	}
	return false
}
