package proxy

import (
	"encoding/binary"
	"errors"
	"maps"

	"github.com/jackc/pgproto3/v2"

	"askpg/ask"
	"askpg/wire"
)

func (t *turn) bind(body []byte) error {
	if !boundable(body) {
		return malformed(errors.New("bind message is malformed"))
	}
	var m pgproto3.Bind
	if err := m.Decode(body); err != nil {
		return malformed(err)
	}
	t.think()
	info, err := t.readInfo("")
	if err != nil {
		return err
	}
	st := t.statements[m.PreparedStatement]
	switch {
	case !st.asksAnew(info):
		if st, err = st.bound(&m); err == nil {
			err = t.mayRunOnReplica(st.answered, info)
		}
	case st.form != nil:
		st, err = t.boundQuestion(st, &m, info)
	default:
		st, err = t.boundCalls(st, &m, info)
	}
	if err != nil {
		return err
	}
	if st.columns == nil && len(m.ResultFormatCodes) > 1 && st.forgets == "" {
		if err := t.learnColumns(st); err != nil {
			return err
		}
	}
	if st.columns != nil {
		if err := checkFormats(m.ResultFormatCodes, len(st.columns)); err != nil {
			if of := st.of; of != nil && len(of.clientColumns) == len(m.ResultFormatCodes) {
				return errOtherColumns() // the formats are those of the columns that the client knows from an earlier answer
			}
			return err
		}
	}
	if m.DestinationPortal == "" {
		t.closePortal("")
	} else if t.portals[m.DestinationPortal] != nil {
		return ask.Errorf(ask.CodeDuplicatePortal, "portal \"%s\" already exists", m.DestinationPortal)
	}
	if len(t.portals) >= maxNamed {
		return ask.Errorf(ask.CodeProgramLimit, "the session has %d portals of questions", len(t.portals)).
			WithHint("Close those that are not needed, or end the transaction.")
	}
	a := *st.answered
	a.info = info
	p := &portal{statement: st, answered: &a, formats: m.ResultFormatCodes}
	n := p.bytes(m.DestinationPortal)
	if st.of != nil {
		n += st.size // the values
	}
	if err := t.room(n); err != nil {
		return err
	}
	if p.mark, err = t.mark(m.DestinationPortal); err != nil {
		return err
	}
	t.portals[m.DestinationPortal] = p
	t.endThinking()
	return t.writeClient(encode(nil, &pgproto3.BindComplete{}))
}

// asksAnew says whether Bind translates the questions of a statement.
func (st *statement) asksAnew(info *sessionInfo) bool {
	if st.open || st.form == nil && st.calls == "" {
		return st.open
	}
	parsed := &st.question.Session
	return !sameSession(parsed, &info.session) || !maps.Equal(parsed.Ask, info.session.Ask)
}

// boundable says whether the lengths in a Bind message's body add up.
func boundable(body []byte) bool {
	for range 2 {
		_, rest, ok := wire.CutString(body)
		if !ok {
			return false
		}
		body = rest
	}
	count := func() int {
		if len(body) < 2 {
			return -1
		}
		n := int(binary.BigEndian.Uint16(body))
		body = body[2:]
		return n
	}
	formats := func() bool {
		n := count()
		if n < 0 || len(body) < 2*n {
			return false
		}
		body = body[2*n:]
		return true
	}
	if !formats() {
		return false
	}
	n := count()
	if n < 0 {
		return false
	}
	for range n {
		if len(body) < 4 {
			return false
		}
		size := int32(binary.BigEndian.Uint32(body))
		body = body[4:]
		if size < -1 || int(size) > len(body) {
			return false
		}
		body = body[max(size, 0):]
	}
	return formats() && len(body) == 0
}
