package proxy

import (
	"bytes"
	"cmp"
	"math"

	"github.com/jackc/pgproto3/v2"
	pg_query "github.com/pganalyze/pg_query_go/v5"

	"askpg/ask"
)

// named answers an SQL command about a statement or a portal that is here.
func (t *turn) named(message []byte) error {
	_, text, _ := textOf(message)
	n, name := t.namesHere(text)
	switch {
	case n == nil:
		return errRelay
	case n.GetPrepareStmt() != nil:
		t.aborts = true
		return duplicateStatement(name)
	case n.GetDeallocateStmt() != nil:
		return t.forget(message, name)
	case t.simple && n.GetClosePortalStmt() != nil:
		t.closePortal(name)
		return t.finish(encode(nil, &pgproto3.CommandComplete{CommandTag: []byte("CLOSE CURSOR")}))
	case t.simple && forward(n.GetFetchStmt()):
		return t.move(name, uint32(min(n.GetFetchStmt().HowMany, math.MaxUint32)))
	}
	return ask.Errorf(ask.CodeFeatureNotSupported, "%s can't be used with %q, which is a question's", bytes.ToUpper(ask.FirstWord(text)), name).
		WithHint("Use Bind and Execute of the extended protocol, as drivers do. MOVE, sent as a simple query, goes forward. A cursor for SQL is made by DECLARE … CURSOR FOR SELECT * FROM ask('…') AS r.")
}

// forward says whether a command is MOVE of some rows forward, which the cursors of asyncpg send.
func forward(m *pg_query.FetchStmt) bool {
	return m.GetIsmove() && m.Direction == pg_query.FetchDirection_FETCH_FORWARD && m.HowMany > 0
}

// namesHere returns the SQL command that a text is and the statement or the portal that it names; nil if that is not here.
func (s *session) namesHere(text []byte) (n *pg_query.Node, name string) {
	switch string(bytes.ToLower(ask.FirstWord(text))) {
	case "deallocate", "prepare", "execute", "fetch", "move", "close":
	default:
		return nil, ""
	}
	tree, err := ask.Parse(string(text))
	if err != nil || len(tree.Stmts) != 1 {
		return nil, ""
	}
	n = tree.Stmts[0].Stmt
	if name = cmp.Or(n.GetDeallocateStmt().GetName(), n.GetPrepareStmt().GetName(), n.GetExecuteStmt().GetName()); name != "" && s.statements[name] != nil {
		return n, name
	}
	if name = cmp.Or(n.GetFetchStmt().GetPortalname(), n.GetClosePortalStmt().GetPortalname()); name != "" && s.portals[name] != nil {
		return n, name
	}
	return nil, ""
}

func (s *session) knows(text []byte) bool {
	n, _ := s.namesHere(text)
	return n != nil
}

// forget answers a DEALLOCATE of a statement that is here.
func (t *turn) forget(message []byte, name string) error {
	prepared, _, _ := textOf(message)
	if t.simple {
		delete(t.statements, name)
		if err := t.writeClient(encode(nil, &pgproto3.CommandComplete{CommandTag: []byte("DEALLOCATE")})); err != nil {
			return err
		}
		return t.sync()
	}
	if len(prepared) == 0 {
		delete(t.statements, "")
	}
	t.think()
	info, err := t.readInfo(string(prepared))
	if err != nil {
		return err
	}
	if err := t.vacant(string(prepared), info, len(message)); err != nil {
		return err
	}
	st := &statement{answered: &answered{question: ask.Question{Session: info.session}, info: info, forgets: name}}
	st.weigh(len(message))
	return t.endParse(string(prepared), st)
}

// executeForget executes a DEALLOCATE that was prepared by the extended protocol.
func (t *turn) executeForget(name string) error {
	if t.statements[name] == nil {
		return ask.Errorf(ask.CodeUndefinedStatement, "prepared statement \"%s\" does not exist", name)
	}
	delete(t.statements, name)
	return t.writeClient(encode(nil, &pgproto3.CommandComplete{CommandTag: []byte("DEALLOCATE")}))
}
