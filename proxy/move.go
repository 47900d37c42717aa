package proxy

import (
	"bytes"
	"context"
	"fmt"
	"math"

	"github.com/jackc/pgproto3/v2"
	pg_query "github.com/pganalyze/pg_query_go/v5"

	"askpg/ask"
)

// move answers a MOVE, sent as a Query, of a portal that is here. So asyncpg's cursors pass over rows.
func (t *turn) move(message []byte) error {
	_, text, _ := textOf(message)
	name, max := t.moved(text)
	p := t.portals[name]
	if p == nil || p.forgets != "" {
		return errRelay
	}
	if err := t.begin(p, name, max); err != nil {
		return err
	}
	n, err := t.pass(p.source, max, p.info)
	if err != nil {
		t.closePortal(name)
		return err
	}
	return t.finish(encode(nil, &pgproto3.CommandComplete{CommandTag: fmt.Appendf(nil, "MOVE %d", n)}))
}

// pass passes over at most max rows, and returns how many these were.
func (t *turn) pass(s *source, max uint32, info *sessionInfo) (n uint32, err error) {
	bound, stop := t.deadline(info)
	defer stop()
	if s.cancel != nil {
		defer context.AfterFunc(bound, func() { s.cancel(context.Cause(bound)) })()
	}
	for ; n < max && !s.done; n++ {
		if bound.Err() != nil {
			return n, context.Cause(bound)
		}
		if !s.rows.Next() {
			err := causeOf(bound, s.rows.Err())
			s.close()
			return n, err
		}
	}
	return n, nil
}

func (s *session) movesHere(text []byte) bool {
	name, _ := s.moved(text)
	return name != ""
}

// moved returns the portal that is here and that a MOVE names, and by how many rows it moves forward. The name is empty if the text is something else.
func (s *session) moved(text []byte) (name string, rows uint32) {
	if word := ask.FirstWord(text); !bytes.EqualFold(word, []byte("move")) {
		return "", 0
	}
	tree, err := ask.Parse(string(text))
	if err != nil || len(tree.Stmts) != 1 {
		return "", 0
	}
	m := tree.Stmts[0].Stmt.GetFetchStmt()
	if m == nil || m.Direction != pg_query.FetchDirection_FETCH_FORWARD || m.HowMany < 1 || s.portals[m.Portalname] == nil {
		return "", 0
	}
	return m.Portalname, uint32(min(m.HowMany, math.MaxUint32))
}
