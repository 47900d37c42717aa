package proxy

import (
	"bytes"
	"cmp"

	"github.com/jackc/pgproto3/v2"

	"askpg/ask"
)

// forget answers a DEALLOCATE of a statement that is here, and a PREPARE of its name.
func (t *turn) forget(message []byte) error {
	prepared, text, _ := textOf(message)
	name, makes := statementNamed(text)
	switch {
	case t.statements[name] == nil:
		return errRelay
	case makes:
		t.aborts = true
		return duplicateStatement(name)
	}
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
	info, err := t.readInfo(t.ctx, string(prepared))
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

func (s *session) namesHere(text []byte) bool {
	name, _ := statementNamed(text)
	return name != "" && s.statements[name] != nil
}

// statementNamed returns the name of the statement that a DEALLOCATE or PREPARE names, "" if the text is something else, and whether it is PREPARE.
func statementNamed(text []byte) (name string, makes bool) {
	if word := ask.FirstWord(text); !bytes.EqualFold(word, []byte("deallocate")) && !bytes.EqualFold(word, []byte("prepare")) {
		return "", false
	}
	tree, err := ask.Parse(string(text))
	if err != nil || len(tree.Stmts) != 1 {
		return "", false
	}
	n := tree.Stmts[0].Stmt
	return cmp.Or(n.GetDeallocateStmt().GetName(), n.GetPrepareStmt().GetName()), n.GetPrepareStmt() != nil
}
