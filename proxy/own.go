package proxy

import (
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/jackc/pgproto3/v2"

	"askpg/wire"
)

// ownAnswers are what PostgreSQL answers to a query of the session's own, in
// this order; ReadyForQuery comes where a Sync went along.
var ownAnswers = []byte{wire.ParseComplete, wire.BindComplete, wire.DataRow, wire.CommandComplete, wire.CloseComplete, wire.CloseComplete, wire.ReadyForQuery}

// askServer has the server execute a query of the session's own that returns
// one row of the given width, and returns the row. The parameters of the query are
// those given and, behind them, a nonce, which must come back as the first column.
// What does not bring it is not the answer, and ends the session.
//
// The query goes by the extended protocol, with Sync where the server is
// between two pipelines, and with Flush within one, so that an implicit transaction is not
// disturbed. The names of its statement and portal hold the nonce too, so that no
// message of the client can have named them.
func (t *turn) askServer(query string, width int, parameters ...string) ([][]byte, error) {
	// The answers to an exchange that was given up come first.
	if err := t.await(t.ctx, func() bool { return !t.core.AwaitsInjected() }); err != nil {
		return nil, err
	}
	nonce := rand.Text() // nobody can foresee it
	name := "askpg." + nonce
	var values [][]byte
	for _, p := range append(parameters, nonce) {
		values = append(values, []byte(p))
	}
	requests := []pgproto3.FrontendMessage{
		&pgproto3.Parse{Name: name, Query: query},
		&pgproto3.Bind{DestinationPortal: name, PreparedStatement: name, Parameters: values},
		&pgproto3.Execute{Portal: name},
		&pgproto3.Close{ObjectType: 'P', Name: name},
		&pgproto3.Close{ObjectType: 'S', Name: name},
	}
	var b []byte
	t.mu.Lock()
	t.core.Inject() // what was answered before is forgotten
	for _, m := range requests {
		at := len(b)
		b = encode(b, m)
		t.core.Injects(b[at])
	}
	synced := !t.core.Open()
	if synced {
		b = encode(b, &pgproto3.Sync{})
		t.core.Injects(wire.Sync)
	} else {
		b = encode(b, &pgproto3.Flush{})
		t.core.Frontend(wire.Flush)
	}
	t.mu.Unlock()
	if err := t.writeServer(b); err != nil {
		return nil, err
	}
	if err := t.await(t.ctx, func() bool { return !t.core.AwaitsInjected() }); err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	answers := t.core.Answers()
	row, err := ownRow(answers, nonce, width, synced)
	if _, refused := errors.AsType[*serverError](err); err != nil && !refused {
		return nil, t.lose("own", err)
	}
	return row, err
}

// ownRow returns the row of the answers to a query of the session's own, whose
// first column must be the nonce. A *serverError is an error of the server's in a
// place where it may stand; any other error says that the answers are not those
// of the query.
func ownRow(answers []byte, nonce string, width int, synced bool) ([][]byte, error) {
	want := ownAnswers
	if !synced {
		want = want[:len(want)-1]
	}
	var row pgproto3.DataRow
	var failed error
	for len(answers) > 0 {
		size, err := wire.MessageLen(answers)
		if err != nil || size == 0 || size > int64(len(answers)) {
			return nil, errors.New("an answer that is cut off")
		}
		m := answers[:size:size]
		answers = answers[size:]
		switch {
		case m[0] == wire.ErrorResponse && failed == nil && len(want) > 0:
			failed = &serverError{message: m}
			// What follows it is discarded up to Sync.
			want = want[:0]
			if synced {
				want = ownAnswers[len(ownAnswers)-1:]
			}
			continue
		case len(want) == 0 || m[0] != want[0]:
			return nil, fmt.Errorf("an answer of type %q where %q is due", m[0], want)
		}
		want = want[1:]
		if m[0] != wire.DataRow {
			continue
		}
		if err := row.Decode(m[wire.HeaderLen:]); err != nil {
			return nil, err
		}
		if len(row.Values) != width || string(row.Values[0]) != nonce {
			return nil, fmt.Errorf("a row of %d columns that does not bring what was sent with the query", len(row.Values))
		}
	}
	if len(want) > 0 {
		return nil, fmt.Errorf("no answer where %q is due", want)
	}
	return row.Values, failed
}
