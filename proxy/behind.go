package proxy

import (
	"context"
	"encoding/binary"

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
	case s.mayBeQuestion(rest):
		v.kind = perhaps
	default:
		return v, false
	}
	return v, true
}

// command has the server execute a simple query of the session's own. It
// returns the answers, without ReadyForQuery unless the query failed.
func (t *turn) command(ctx context.Context, sql string) (answers []byte, failed bool, err error) {
	if err := t.await(ctx, func() bool { return !t.core.AwaitsInjected() }); err != nil {
		return nil, false, err
	}
	t.mu.Lock()
	t.core.Inject(wire.Query)
	t.mu.Unlock()
	if err := t.writeServer(encode(nil, &pgproto3.Query{String: sql})); err != nil {
		return nil, false, err
	}
	if err := t.await(ctx, func() bool { return !t.core.AwaitsInjected() }); err != nil {
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
