package proxy

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgproto3/v2"
	"github.com/jackc/pgx/v5/pgtype"

	"askpg/ask"
)

// flushAt is how much of an answer is collected before it is written.
const flushAt = 16 << 10

// source is a result set on its way to a client.
type source struct {
	rows    Rows
	cancel  context.CancelCauseFunc
	convert *tableEncoder // nil if the rows are what the client gets
	done    bool
}

// open starts the answer's result set in the formats that the client asks for, max rows at
// a time or all at once if max is 0.
func (t *turn) open(a *answered, formats []int16, max uint32) (*source, error) {
	if a.shown() {
		if err := t.refresh(a); err != nil {
			return nil, err
		}
	}
	if a.table != nil {
		return &source{
			rows:    &fetched{result: a.table},
			convert: &tableEncoder{columns: a.table.Columns, formats: formats, info: a.info, types: pgtype.NewMap()},
		}, nil
	}
	if result := a.freshRows(formats, max); result != nil {
		rows, err := a.annotated(&fetched{result: result}, formats)
		if err != nil {
			return nil, err
		}
		return t.opened(&source{rows: rows}, a)
	}
	ctx, cancel := context.WithCancelCause(t.session.ctx)
	// During this turn the turn's end is the query's, later the portal's.
	bound, stop := t.deadline(a.info)
	defer stop()
	defer context.AfterFunc(bound, func() { cancel(context.Cause(bound)) })()
	rows, err := detached(bound, &t.answering, func() (Rows, error) {
		if a.statement != nil {
			return t.srv.executor.OpenStatement(ctx, a.info.session, *a.statement, formats)
		}
		return t.srv.executor.Open(ctx, a.info.session, a.sql, a.ownFormats(formats))
	}, Rows.Close)
	if err == nil {
		t.noteReplica(a.question.ID, rows.Replica())
		rows, err = a.annotated(rows, formats)
	}
	if err != nil {
		if err = causeOf(bound, err); a.statement != nil {
			err = elsewhere(err)
		}
		cancel(err)
		return nil, err
	}
	return t.opened(&source{rows: rows, cancel: cancel}, a)
}

// opened tells the client where and as whom the rows are read, where that is to be told.
func (t *turn) opened(src *source, a *answered) (*source, error) {
	var b []byte
	for _, n := range src.rows.Notices() {
		b = append(b, notice(a.info, n, "")...)
	}
	if a.info.notices && len(b) > 0 {
		if err := t.writeClient(b); err != nil {
			src.close()
			return nil, err
		}
	}
	return src, nil
}

func (s *source) close() {
	s.done = true
	s.rows.Close()
	if s.cancel != nil {
		s.cancel(nil)
	}
}

// send sends at most max rows, all of them if max is 0, after b, and then
// says whether there are more or how many there were.
func (t *turn) send(b []byte, s *source, max uint32, a *answered) error {
	bound, stop := t.deadline(a.info)
	defer stop()
	if s.cancel != nil {
		defer context.AfterFunc(bound, func() { s.cancel(context.Cause(bound)) })()
	}
	var n uint32
	for !s.done && s.rows.Next() {
		values := s.rows.Values()
		if s.convert != nil {
			var err error
			if values, err = s.convert.row(values); err != nil {
				return t.sendBefore(b, err)
			}
		}
		row := pgproto3.DataRow{Values: values}
		var err error
		if b, err = row.Encode(b); err != nil {
			return ask.Errorf(ask.CodeProgramLimit, "a row of the answer is too long").Because(err)
		}
		n++
		if len(b) >= flushAt {
			if err := t.writeClient(b); err != nil {
				return err
			}
			b = b[:0]
		}
		if bound.Err() != nil {
			return t.sendBefore(b, context.Cause(bound))
		}
		if max > 0 && n == max {
			return t.writeClient(encode(b, &pgproto3.PortalSuspended{}))
		}
	}
	if !s.done {
		if err := s.rows.Err(); err != nil {
			return t.sendBefore(b, causeOf(bound, err))
		}
		defer s.close()
	}
	return t.finish(encode(b, &pgproto3.CommandComplete{CommandTag: a.tag(n)}))
}

// finish sends the end of an answer. That of a simple query has ReadyForQuery
// with it: while the server waits for a new request, the status that it said last is the one it
// would say. Within a pipeline its own word is waited for.
func (t *turn) finish(b []byte) error {
	t.about = ""
	if !t.simple || t.more {
		return t.writeClient(b)
	}
	t.endThinking()
	t.mu.Lock()
	idle, status := t.core.Idle(), t.core.Status()
	t.mu.Unlock()
	if idle {
		return t.writeClient(encode(b, &pgproto3.ReadyForQuery{TxStatus: status}))
	}
	if err := t.writeClient(b); err != nil {
		return err
	}
	return t.sync()
}

// sendBefore sends what came before an error.
func (t *turn) sendBefore(b []byte, err error) error {
	return cmp.Or(t.writeClient(b), err)
}

// describe encodes a RowDescription.
func describe(b []byte, columns []ask.Column, formats []int16, info *sessionInfo) []byte {
	d := pgproto3.RowDescription{Fields: make([]pgproto3.FieldDescription, len(columns))}
	for i, c := range columns {
		d.Fields[i] = pgproto3.FieldDescription{
			Name: []byte(info.encoding.encode(c.Name)), TableOID: c.TableOID, TableAttributeNumber: c.Attnum,
			DataTypeOID: c.TypeOID, DataTypeSize: c.TypeLen, TypeModifier: c.TypeMod, Format: formatOf(formats, i),
		}
	}
	return encode(b, &d)
}

// formatOf returns the format of a column, as Bind's result formats mean it:
// none is text for all, one is for all.
func formatOf(formats []int16, column int) int16 {
	switch {
	case len(formats) == 0:
		return pgproto3.TextFormat
	case len(formats) == 1:
		return formats[0]
	case column < len(formats):
		return formats[column]
	}
	return pgproto3.TextFormat
}

func allText(formats []int16) bool {
	return !slices.ContainsFunc(formats, func(f int16) bool { return f != pgproto3.TextFormat })
}

// checkFormats says what PostgreSQL says of formats that do not fit.
func checkFormats(formats []int16, columns int) error {
	if len(formats) > 1 && len(formats) != columns {
		return ask.Errorf(ask.CodeProtocolViolation, "bind message has %d result formats but query has %d columns", len(formats), columns)
	}
	for _, f := range formats {
		if f != pgproto3.TextFormat && f != pgproto3.BinaryFormat {
			return ask.Errorf(ask.CodeInvalidParameter, "unsupported format code: %d", f)
		}
	}
	return nil
}

// tableEncoder makes the rows of a table that askpg itself has made, which are
// UTF-8 texts, into what the client asked for.
type tableEncoder struct {
	columns []ask.Column
	formats []int16
	info    *sessionInfo
	types   *pgtype.Map
	out     [][]byte
}

func (e *tableEncoder) row(values [][]byte) ([][]byte, error) {
	e.out = e.out[:0]
	for i, v := range values {
		if v == nil {
			e.out = append(e.out, nil)
			continue
		}
		c := e.columns[i]
		typ, known := e.types.TypeForOID(c.TypeOID)
		text := c.TypeOID == pgtype.TextOID || c.TypeOID == pgtype.VarcharOID
		if text || !known || formatOf(e.formats, i) == pgproto3.TextFormat {
			e.out = append(e.out, []byte(e.info.encoding.encode(string(v))))
			continue
		}
		value, err := typ.Codec.DecodeValue(e.types, c.TypeOID, pgtype.TextFormatCode, v)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", c.Name, err)
		}
		b, err := e.types.Encode(c.TypeOID, pgtype.BinaryFormatCode, value, make([]byte, 0, 8))
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", c.Name, err)
		}
		e.out = append(e.out, b)
	}
	return e.out, nil
}

// simpleQuestion answers a question in a Query message.
func (t *turn) simpleQuestion(message []byte, v verdict) error {
	t.think()
	info, err := t.readInfo("")
	if err != nil {
		return err
	}
	form, err := t.form(message, v, info)
	if err != nil {
		return err
	}
	return t.measured(func() error {
		a, err := t.translate(form, info)
		if err != nil {
			return err
		}
		return t.sendAll(a)
	})
}

// sendAll answers a Query message with the columns and rows of an answer.
func (t *turn) sendAll(a *answered) error {
	src, err := t.open(a, nil, 0)
	if err != nil {
		return err
	}
	defer src.close()
	return t.send(describe(nil, src.rows.Columns(), nil, a.info), src, 0, a)
}

// form reads the question out of a Query or Parse message; errRelay if the
// message holds none after all.
func (t *turn) form(message []byte, v verdict, info *sessionInfo) (ask.Form, error) {
	_, raw, ok := textOf(message)
	if !ok || v.kind == perhaps && (!info.auto || isSQL(string(raw))) {
		return ask.Form{}, errRelay
	}
	text, err := info.encoding.decode(raw)
	if err != nil {
		return ask.Form{}, err
	}
	if v.kind == perhaps {
		return ask.ParseBare(text), nil
	}
	form, ok := ask.ParseForm(text)
	if !ok {
		return ask.Form{}, errRelay
	}
	return form, nil
}

// endThinking is called when the answer, or its error, is out or about to be: a cancel request that comes
// now is too late.
func (t *turn) endThinking() {
	t.mu.Lock()
	t.session.question = nil
	t.mu.Unlock()
}
