package proxy

import (
	"context"
	"encoding/binary"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgproto3/v2"
	"github.com/jackc/pgx/v5/pgtype"

	"askpg/ask"
	"askpg/wire"
)

// calls answers a statement that calls ask('…') in FROM: each call becomes the
// query that answers it. A statement that only reads is answered on the replica
// as a question is. Any other goes on to the server as the client's own.
func (t *turn) calls(message []byte) error {
	name, raw, ok := textOf(message)
	if !ok {
		return errRelay
	}
	// Most texts that mention ask( hold no call; they need no word with the
	// server. A text that is not UTF-8 can't be told without its encoding.
	if utf8.Valid(raw) {
		if _, found, err := ask.FindCalls(string(raw)); err == nil && len(found) == 0 {
			return errRelay
		}
	}
	t.think()
	info, err := t.readInfo(string(name))
	if err != nil {
		return err
	}
	text, err := info.encoding.decode(raw)
	if err != nil {
		return errRelay // the server says so
	}
	sent := text
	text, found, err := ask.FindCalls(text)
	found, function, refused := t.meant(found, info)
	switch {
	case refused != nil:
		return refused
	case err != nil && !function:
		return err
	case len(found) == 0:
		return errRelay
	case len(found) > maxAsked:
		return errTooMany(len(found))
	}
	if info.escapes && strings.Contains(text, `\`) {
		return ask.Errorf(ask.CodeFeatureNotSupported, "ask('…') can't be found in a statement with a backslash while standard_conforming_strings is off").
			WithHint("SET standard_conforming_strings = on, and write strings with escapes as E'…'.")
	}
	reading, reads := ask.ReadStatement(text)
	here := reads && !info.written // on the replica
	if here {
		err = t.onlyInSession(&reading, info)
	} else {
		err = t.mayCallOnPrimary(text, string(name), reads, found, info)
	}
	if err != nil {
		return err
	}
	if len(name) > 0 && t.statements[string(name)] != nil {
		return duplicateStatement(string(name))
	}
	delete(t.statements, string(name))           // this one, or the server's, takes the place of the unnamed one
	types := message[wire.HeaderLen+len(raw)+1:] // of the parameters
	if !t.simple {
		types = types[len(name)+1:]
	}
	if slices.ContainsFunc(found, takesValues) {
		return t.keepOpenCalls(string(name), sent, here, oids(types), info)
	}
	queries, err := t.queries(found, info, here)
	if err != nil {
		return err
	}
	text = ask.ReplaceCalls(text, found, queries)
	if here {
		return t.answerStatement(string(name), sent, &answered{
			question: ask.Question{ID: t.about, Session: info.session}, info: info, sql: text,
			statement: &ask.Statement{SQL: text, Types: oids(types)}, reading: reading,
		})
	}
	return t.forwardCalls(string(name), text, types, queries, info)
}

// forwardCalls sends a statement to the primary in which queries have taken the places of the calls.
func (t *turn) forwardCalls(name, text string, types []byte, queries []string, info *sessionInfo) error {
	raw, err := exactly(info, text)
	if err != nil {
		return err
	}
	if info.notices {
		if err := t.writeClient(notice(info, "the statement runs on the primary, with your rights and without the limits of an answer", "")); err != nil {
			return err
		}
	}
	t.endThinking()
	if t.simple {
		delete(t.onPrimary, "") // as the server forgets its unnamed statement
		return t.forward(encode(nil, &pgproto3.Query{String: string(raw)}))
	}
	if t.onPrimary == nil {
		t.onPrimary = map[string][]string{}
	}
	t.onPrimary[name] = queries
	out := append([]byte{wire.Parse, 0, 0, 0, 0}, name...)
	out = append(append(append(append(out, 0), raw...), 0), types...)
	binary.BigEndian.PutUint32(out[1:], uint32(len(out)-1))
	return t.forward(out)
}

// mayCallOnPrimary returns why a statement with calls may not run on the primary; nil if it may.
func (t *turn) mayCallOnPrimary(text, name string, reads bool, found []ask.Call, info *sessionInfo) error {
	if t.more {
		return errBetween()
	}
	if err := t.mayRunOnPrimary(reads); err != nil {
		return err
	}
	if err := t.atOnce(text, name, found); err != nil {
		return err
	}
	if name != "" && info.nameExists {
		return duplicateStatement(name)
	}
	return nil
}

// queries translates the calls of a statement, and returns the SQL that takes their places. here says that the statement runs on the replica.
func (t *turn) queries(found []ask.Call, info *sessionInfo, here bool) ([]string, error) {
	queries := make([]string, len(found))
	for i, c := range found {
		err := t.measured(func() error {
			a, err := t.translate(c.Form, info)
			if err == nil {
				queries[i] = a.composed()
				a.rows.drop()
			}
			if err == nil && !here {
				queries[i], err = t.forPrimary(queries[i], info)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return queries, nil
}

// mayRunOnPrimary returns why a statement may not run on the primary; nil if
// it may.
func (t *turn) mayRunOnPrimary(reads bool) error {
	if t.inForce().Ask.OnPrimary == onPrimaryAllow {
		return nil
	}
	e := ask.Errorf(ask.CodeInsufficientRights, "a statement with ask('…') that does more than read is not run").
		WithHint("Only one SELECT, VALUES or TABLE that reads runs on the replica. An admin can let others run on the primary by ask.on_primary.")
	if reads {
		e.Message = "a statement with ask('…') is not run in a transaction that has written"
		e.Detail = "The replica does not have what the transaction wrote."
		e.Hint = "COMMIT first. An admin can let such statements run on the primary by ask.on_primary."
	}
	return e
}

// forPrimary returns chosen SQL as it may run on the primary.
func (t *turn) forPrimary(sql string, info *sessionInfo) (string, error) {
	text, err := timed(t, info, func(ctx context.Context) (string, error) { return t.srv.executor.ForPrimary(ctx, info.session, sql) })
	if err == nil {
		if chosen, reads := ask.ReadStatement(text); reads {
			err = t.onlyInSession(&chosen, info) // a temporary table would hide what was chosen
		}
		return text, err
	}
	if e := ask.AsError(err); e != nil && e.Code == ask.CodeRefused {
		e = e.Copied()
		e.Detail = strings.TrimSpace("The statement would run on the primary, where the chosen SQL must do what it did on the replica.\n" + e.Detail)
		return "", e
	}
	return "", err
}

// exactly encodes a text for the server. A character that is another for the server could end
// a string. In encodings of several bytes a byte can be a backslash or not, depending on the
// one before it. Some have characters that stand for a backslash.
func exactly(info *sessionInfo, text string) ([]byte, error) {
	if raw, ok := info.encoding.exactly(text); ok {
		return raw, nil
	}
	return nil, ask.Errorf(ask.CodeFeatureNotSupported, "the statement can't be written in client_encoding %s", info.encoding.name).
		WithHint("SET client_encoding = 'UTF8'.")
}

// oids reads the parameter types of a Parse: 0 for one that PostgreSQL is to find out, also where a driver
// calls it unknown (pg8000).
func oids(b []byte) []uint32 {
	if len(b) < 2 {
		return nil
	}
	b = b[2:]
	list := make([]uint32, len(b)/4)
	for i := range list {
		if list[i] = binary.BigEndian.Uint32(b[4*i:]); list[i] == pgtype.UnknownOID {
			list[i] = 0
		}
	}
	return list
}
