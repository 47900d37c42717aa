package proxy

import (
	"encoding/binary"
	"unicode/utf8"

	"github.com/jackc/pgproto3/v2"

	"askpg/ask"
	"askpg/wire"
)

// calls answers a statement that calls ask('…') in FROM: each call becomes the
// query that answers it, and the statement goes on to the server as the
// client's own.
func (t *turn) calls(message []byte) error {
	name, raw, ok := textOf(message)
	if !ok {
		return errRelay
	}
	// Most texts that mention ask( hold no call; they need no word with the
	// server. A text that is not UTF-8 can't be told without its encoding.
	if utf8.Valid(raw) {
		if found, err := ask.FindCalls(string(raw)); err == nil && len(found) == 0 {
			return errRelay
		}
	}
	t.think()
	info, err := t.readInfo(t.ctx, "")
	if err != nil {
		return err
	}
	if info.function {
		return errRelay
	}
	text, err := info.encoding.decode(raw)
	if err != nil {
		return errRelay // the server says so
	}
	found, err := ask.FindCalls(text)
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return errRelay
	}
	queries := make([]string, len(found))
	for i, c := range found {
		err := t.measured(func() error {
			a, err := t.translate(c.Form, info)
			if err == nil {
				queries[i] = a.sql
				a.rows.drop()
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	text = info.encoding.encode(ask.ReplaceCalls(text, found, queries))
	t.endThinking()
	t.release()
	if t.statements[string(name)] != nil {
		if len(name) > 0 {
			return duplicateStatement(string(name))
		}
		delete(t.statements, "") // the server's takes its place
	}
	if t.simple {
		return t.forward(encode(nil, &pgproto3.Query{String: text}))
	}
	// What follows the text are the parameter types.
	body := message[wire.HeaderLen+len(name)+1+len(raw)+1:]
	out := append([]byte{wire.Parse, 0, 0, 0, 0}, name...)
	out = append(append(append(append(out, 0), text...), 0), body...)
	binary.BigEndian.PutUint32(out[1:], uint32(len(out)-1))
	return t.forward(out)
}
