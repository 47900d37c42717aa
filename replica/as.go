package replica

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"askpg/ask"
)

// As runs fn in a read-only transaction on a replica as the role, with
// search_path = pg_catalog. The role is replaced as it is for questions, so
// that what fn sees is what a question may use.
func (r *Replica) As(ctx context.Context, database, role string, fn func(pgx.Tx) error) error {
	release, err := r.limits.statement(ctx, role)
	if err != nil {
		return err
	}
	defer release()
	limit := r.cfg.StatementTimeout
	timed, stop := context.WithTimeout(ctx, limit.Duration())
	defer stop()
	s := ask.Session{Database: database, Role: role, Settings: map[string]string{"search_path": "pg_catalog"}}
	t, err := r.choose(timed, func(h *host) (*tx, error) {
		return r.open(timed, h, s, txOptions{pgx: true, timeout: limit.Duration()})
	})
	if err != nil {
		return serverError(ctx, timed, err, limit)
	}
	defer t.end()
	err = fn(t.pgx)
	if timed.Err() != nil {
		t.dirty = true
	}
	var pg *pgconn.PgError
	if err != nil && timed.Err() == nil && !errors.As(err, &pg) && !t.c.Conn().IsClosed() {
		return err // fn's own
	}
	return serverError(ctx, timed, err, limit)
}
