package proxy

import (
	"encoding/binary"
	"errors"
	"slices"
	"strconv"

	"github.com/jackc/pgproto3/v2"

	"askpg/ask"
	"askpg/wire"
)

// maxNamed is how many statements and portals of questions a session may have
// at once.
const maxNamed = 1000

// statement is a question that was parsed by the extended protocol.
type statement struct {
	*answered
	columns    []ask.Column // nil until they are known
	parameters []uint32     // the types of those it takes; a question takes none

	// What Bind translates: an open statement always, any other if the session is not any more what its answer depends on.
	open          bool         // it has a question that is not known before its values are bound
	form          *ask.Form    // the question; nil for what is none, or is not asked anew
	calls         string       // a statement with ask('…'), likewise; empty for any other
	clientColumns []ask.Column // the columns of its answers, as far as the client knows; nil if it knows none

	of      *statement // what it is a bound copy of; nil if it is none
	size    int        // bytes that it takes, without columns and of, see weigh
	counted *int       // the last sum that it is in, see statementBytes
}

// portal is a bound statement.
type portal struct {
	*statement
	*answered // the statement's, with the session as Bind has found it: PostgreSQL plans and checks rights by then
	formats   []int16
	mark      uint64  // see turn.mark
	source    *source // nil until it is first executed

	described bool // the client knows its columns
}

// forgetEnded forgets what ended with a transaction or a command.
func (t *turn) forgetEnded() error {
	t.mu.Lock()
	ended, cleared := t.ended, t.cleared
	failed := t.core.Status() == wire.StatusFailed && !t.core.Open()
	t.cleared = clearedNothing
	t.mu.Unlock()
	if cleared >= clearedStatements {
		clear(t.statements)
		clear(t.onPrimary)
	}
	if cleared == clearedSession {
		t.forgetConversation()
	}
	switch {
	case ended == endedAll:
		t.closePortals()
	case ended == endedSinceSavepoint && len(t.portals) > 0:
		if failed {
			return nil // the server answers nothing before the next ROLLBACK
		}
		if err := t.closeUnmarked(); err != nil {
			return err
		}
	}
	t.mu.Lock()
	t.ended = endedNone
	t.mu.Unlock()
	return nil
}

// ROLLBACK TO takes what was set for the time of the transaction back to what it was at the savepoint, and ends the portals that
// were made since. So the server knows which these are.
const (
	markQuery   = `SELECT $2::pg_catalog.text, pg_catalog.set_config('askpg.portals', $1, true)`
	markedQuery = `SELECT $1::pg_catalog.text, pg_catalog.current_setting('askpg.portals', true)`
)

// mark returns a number for a portal that is made now, by which closeUnmarked knows whether it has ended; 0 for one that ends before
// or with any ROLLBACK.
func (t *turn) mark(name string) (uint64, error) {
	t.mu.Lock()
	inTransaction := t.core.Open() || t.core.Status() != wire.StatusIdle
	t.mu.Unlock()
	if name == "" || !inTransaction {
		return 0, nil
	}
	t.marks++
	_, err := t.askServer(markQuery, 2, strconv.FormatUint(t.marks, 10))
	return t.marks, err
}

// closeUnmarked closes the portals that have ended with a ROLLBACK or ROLLBACK TO.
func (t *turn) closeUnmarked() error {
	row, err := t.askServer(markedQuery, 2)
	if err != nil {
		return err
	}
	last, _ := strconv.ParseUint(string(row[1]), 10, 64) // it is not set outside of the transaction
	for name, p := range t.portals {
		if p.mark == 0 || p.mark > last {
			t.closePortal(name)
		}
	}
	return nil
}

func (s *session) closePortals() {
	for name := range s.portals {
		s.closePortal(name)
	}
}

func (s *session) closePortal(name string) {
	if p := s.portals[name]; p != nil {
		if p.source != nil {
			p.source.close()
		}
		delete(s.portals, name)
	}
}

// parse answers a Parse with a question: the question is translated here, so
// that the result's columns are known to a Describe.
func (t *turn) parse(message []byte, v verdict) error {
	rawName, _, ok := textOf(message)
	if !ok {
		return errRelay
	}
	name := string(rawName)
	if name == "" {
		delete(t.statements, "")
	}
	t.think()
	info, err := t.readInfo(name)
	if err != nil {
		return err
	}
	form, err := t.form(message, v, info)
	if err != nil {
		return err
	}
	if err := t.vacant(name, info, len(message)); err != nil {
		return err
	}
	if form.Parameters > 0 && form.Err == nil {
		return t.keepOpen(name, message, form, info)
	}
	return t.measured(func() error {
		a, err := t.translate(form, info)
		if err != nil {
			return err
		}
		st := &statement{answered: a, columns: a.columns()}
		if form.Text != "" && form.Feedback == nil && form.Run == 0 && !form.More {
			st.form = &form
		}
		st.weigh(len(message))
		return t.endParse(name, st)
	})
}

// columns returns the answer's columns as far as they are known.
func (a *answered) columns() []ask.Column {
	var columns []ask.Column
	switch {
	case a.table != nil:
		return a.table.Columns
	case a.rows != nil:
		columns = a.translation.Result.Columns
	case a.question.Action == ask.ActionRows:
		columns = a.translation.Columns
	}
	if columns != nil && a.annotation != nil {
		return slices.Concat(columns, a.annotation.Columns)
	}
	return columns
}

// vacant returns an error if a statement of this name, which takes at least n bytes,
// can't be made.
func (t *turn) vacant(name string, info *sessionInfo, n int) error {
	if t.statements[name] != nil || info.nameExists {
		return duplicateStatement(name)
	}
	if len(t.statements) >= maxNamed {
		return ask.Errorf(ask.CodeProgramLimit, "the session has %d prepared questions", len(t.statements)).
			WithHint("Close or DEALLOCATE those that are not needed.")
	}
	return t.room(n)
}

// keep makes a weighed statement one of the session's, if it has room for it.
func (t *turn) keep(name string, st *statement) error {
	if err := t.room(len(name) + st.size + ask.ColumnBytes(st.columns)); err != nil {
		return err
	}
	if t.statements == nil {
		t.statements, t.portals = map[string]*statement{}, map[string]*portal{}
	}
	t.statements[name] = st
	return nil
}

// endParse keeps a weighed statement and tells the client that it is prepared.
func (t *turn) endParse(name string, st *statement) error {
	if err := t.keep(name, st); err != nil {
		return err
	}
	t.endThinking()
	return t.writeClient(encode(nil, &pgproto3.ParseComplete{}))
}

func duplicateStatement(name string) error {
	return ask.Errorf(ask.CodeDuplicateStatement, "prepared statement \"%s\" already exists", name)
}

// collide answers a message that would create on the server what exists here.
func (t *turn) collide(message []byte) error {
	name, _, ok := wire.CutString(message[wire.HeaderLen:])
	if !ok {
		return errRelay
	}
	t.aborts = true
	if message[0] == wire.Parse {
		return duplicateStatement(string(name))
	}
	if len(name) == 0 {
		t.closePortal("")
		return errRelay
	}
	return ask.Errorf(ask.CodeDuplicatePortal, "portal \"%s\" already exists", name)
}

// local answers Bind, Describe, Execute and Close of statements and portals
// that are here.
func (t *turn) local(message []byte) error {
	body := message[wire.HeaderLen:]
	switch message[0] {
	case wire.Bind:
		return t.bind(body)
	case wire.Describe:
		var d pgproto3.Describe
		if err := d.Decode(body); err != nil {
			return malformed(err)
		}
		return t.describe(d)
	case wire.Execute:
		name, rest, _ := wire.CutString(body)
		if len(rest) != 4 {
			return malformed(errors.New("execute message has a wrong length"))
		}
		return t.execute(string(name), binary.BigEndian.Uint32(rest))
	case wire.Close:
		var c pgproto3.Close
		if err := c.Decode(body); err != nil {
			return malformed(err)
		}
		if c.ObjectType == 'S' {
			delete(t.statements, c.Name)
		} else {
			t.closePortal(c.Name)
		}
		return t.writeClient(encode(nil, &pgproto3.CloseComplete{}))
	}
	return errRelay
}

func malformed(err error) error {
	return ask.Errorf(ask.CodeProtocolViolation, "invalid message format").Because(err)
}

// execute sends a portal's rows. A portal that was executed to its end has no
// more of them; binding the statement again runs it anew.
func (t *turn) execute(name string, max uint32) error {
	p := t.portals[name]
	if p.forgets != "" {
		return t.executeForget(p.forgets)
	}
	if err := t.begin(p, name, max); err != nil {
		return err
	}
	if err := t.send(nil, p.source, max, p.answered); err != nil {
		t.closePortal(name)
		return err
	}
	t.endThinking()
	return nil
}

// begin opens a portal's result set if that has not been done.
func (t *turn) begin(p *portal, name string, max uint32) error {
	t.think()
	t.about = p.question.ID
	if p.source != nil {
		return nil
	}
	t.converse(t.lastKey(p.info))
	src, err := t.open(p.answered, p.formats, max)
	if err != nil {
		return err
	}
	p.source = src
	if err = p.checkColumns(src.rows.Columns()); err != nil {
		t.closePortal(name)
	}
	return err
}

// errOtherColumns has PostgreSQL's words and routine: where JDBC sees these, it prepares the statement again.
func errOtherColumns() *ask.Error {
	e := ask.Errorf(ask.CodeFeatureNotSupported, "cached plan must not change result type").
		WithDetail("The answer's columns have changed since the question was prepared.").
		WithHint("Prepare it again.")
	e.Routine = "RevalidateCachedQuery"
	return e
}
