package proxy

import (
	"unsafe"

	"askpg/ask"
)

// maxStatementBytes is how many bytes a session may keep for its prepared questions and their
// portals. A thousand of each of ordinary size take less than half of it, and a hundred
// sessions that use it up take less than 1 GB.
const maxStatementBytes = 8 << 20

// overhead is about what a statement or a portal takes without its texts and values.
// These are its structs, those of the session that it was made in, and its place in
// a map.
const overhead = 1 << 10

// room returns 53200 if the session can't keep n more bytes. The sum is made anew each
// time: a statement ends in many places, and none of them can forget to give its bytes back.
func (t *turn) room(n int) error {
	// The longest question can be prepared whatever max_question is.
	limit := max(maxStatementBytes, 4*t.inForce().Listen.MaxQuestion)
	if n+t.statementBytes() <= limit {
		return nil
	}
	return ask.Errorf(ask.CodeOutOfMemory, "the prepared questions and portals of the session would take more than %d bytes", limit).
		WithHint("Close what is not used any more: statements by Close or DEALLOCATE, portals by Close or the end of the transaction.")
}

// statementBytes is about how many bytes the statements and portals take. A statement that
// was closed counts while a portal of it is open.
func (s *session) statementBytes() int {
	n := new(int)
	count := func(st *statement) {
		if st == nil || st.counted == n {
			return
		}
		st.counted = n
		*n += st.size
		if st.of == nil || !sameArray(st.columns, st.of.columns) {
			*n += ask.ColumnBytes(st.columns)
		}
		if !sameArray(st.clientColumns, st.columns) {
			*n += ask.ColumnBytes(st.clientColumns)
		}
	}
	for name, st := range s.statements {
		*n += len(name)
		count(st)
	}
	for name, p := range s.portals {
		*n += p.bytes(name)
		count(p.statement)
		if p.statement != nil {
			count(p.statement.of)
		}
	}
	return *n
}

// bytes is what the portal takes without its statement.
func (p *portal) bytes(name string) int {
	return overhead + len(name) + 2*len(p.formats) + sessionBytes(&p.info.session)
}

func sameArray[T any](a, b []T) bool { return unsafe.SliceData(a) == unsafe.SliceData(b) }

// weigh sets the statement's size. n is the length of the message whose memory the
// question's texts are parts of; 0 if there is none.
func (st *statement) weigh(n int) {
	a := st.answered
	q := &a.question
	n += overhead + len(q.Text) + len(q.Hint) + mapBytes(q.Options) + sessionBytes(&q.Session) + 4*len(st.parameters)
	for _, turn := range q.History {
		n += len(turn.Question) + len(turn.SQL)
	}
	n += ask.TextBytes(q.Client.Annotations) + ask.TextBytes(a.reading.Names) + len(a.sql)
	if a.statement != nil {
		n += 4 * len(a.statement.Types) // its SQL is a.sql
	}
	for _, table := range []*ask.Result{a.table, a.annotation} {
		if table != nil {
			n += tableBytes(table)
		}
	}
	if tr := a.translation; tr != nil {
		n += tr.Bytes()
	}
	st.size = n
}

func tableBytes(r *ask.Result) int {
	n := ask.ColumnBytes(r.Columns)
	for _, row := range r.Rows {
		n += valueBytes(row)
	}
	return n
}

// valueBytes counts a slice's header for each value: one of NULL takes no more.
func valueBytes(values [][]byte) int {
	n := int(unsafe.Sizeof(values))
	for _, v := range values {
		n += int(unsafe.Sizeof(v)) + len(v)
	}
	return n
}

func sessionBytes(s *ask.Session) int { return mapBytes(s.Settings) + mapBytes(s.Ask) }

func mapBytes(m map[string]string) int {
	n := 0
	for _, v := range m {
		n += len(v)
	}
	return n
}
