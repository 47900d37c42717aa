package proxy

import (
	"context"
	"fmt"

	"github.com/jackc/pgproto3/v2"
)

// move passes over at most max rows of a portal that is here.
func (t *turn) move(name string, max uint32) error {
	p := t.portals[name]
	if p.forgets != "" {
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
