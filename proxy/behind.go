package proxy

import (
	"encoding/binary"
	"errors"

	"github.com/jackc/pgproto3/v2"

	"askpg/ask"
	"askpg/wire"
)

// behindCommands says whether a Query is for askpg behind commands that only
// set something, or begin or end a transaction (ask.Lead), and where that begins.
func (s *session) behindCommands(text []byte) (v verdict, ok bool) {
	n := ask.Lead(text)
	if n == 0 {
		return v, false
	}
	v.lead = n
	rest := text[n:]
	switch {
	case ask.Detect(rest, true) == ask.Yes:
		v.kind = question
	case ask.MayShow(rest) && s.shows(rest):
		v.kind = show
	case ask.MayCall(rest), ask.MayHold(rest):
		v.kind = calls
	case len(ask.FirstWord(rest)) > 0 && s.may.beQuestion(rest):
		v.kind = perhaps
	default:
		return v, false
	}
	return v, true
}

// behind has the server execute the commands before a question, gives the
// client their answers, and answers the question. As in PostgreSQL the question
// is left out if a command fails.
func (t *turn) behind(message []byte, v verdict) error {
	t.mu.Lock()
	open := t.core.Open()
	t.mu.Unlock()
	switch {
	case open && v.kind == calls:
		return t.calls(message)
	case open:
		return errRelay // of a pipeline without Sync: nothing of askpg's comes between
	}
	if v.kind == perhaps {
		t.think()
		info, err := t.readInfo(t.ctx, "")
		if err != nil {
			return err
		}
		if !info.auto {
			return errRelay
		}
	}
	_, text, ok := textOf(message)
	if !ok {
		return errRelay
	}
	if v.kind == calls {
		if _, found, err := ask.FindCalls(string(text[v.lead:])); err == nil && len(found) == 0 {
			return errRelay
		}
	}
	answers, failed, err := t.command(string(text[:v.lead]))
	if err != nil {
		return err
	}
	if err := t.writeClient(answers); err != nil || failed {
		return err
	}
	t.carriedOut(string(text[:v.lead]))
	rest := encode(nil, &pgproto3.Query{String: string(text[v.lead:])})
	v.lead, v.size = 0, int64(len(rest))
	if err = t.answer(rest, v); errors.Is(err, errRelay) {
		return t.giveBack(rest)
	}
	return err
}

// command has the server execute a simple query of the session's own. It
// returns the answers, without ReadyForQuery unless the query failed.
func (t *turn) command(sql string) (answers []byte, failed bool, err error) {
	if err := t.await(t.ctx, func() bool { return !t.core.AwaitsInjected() }); err != nil {
		return nil, false, err
	}
	t.mu.Lock()
	t.core.Inject(wire.Query)
	t.mu.Unlock()
	if err := t.writeServer(encode(nil, &pgproto3.Query{String: sql})); err != nil {
		return nil, false, err
	}
	if err := t.await(t.ctx, func() bool { return !t.core.AwaitsInjected() }); err != nil {
		return nil, false, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	answers = t.core.Answers()
	for at := 0; len(answers)-at >= wire.HeaderLen; at += int(binary.BigEndian.Uint32(answers[at+1:])) + 1 {
		switch answers[at] {
		case wire.ErrorResponse:
			failed = true
		case wire.ReadyForQuery:
			if !failed {
				return answers[:at:at], false, nil
			}
		}
	}
	return answers, failed, nil
}
