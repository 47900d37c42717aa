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
// that what fn sees is what a question may use. The transaction has a method
// Judge(ctx, sql), by which the guard refuses what it would of a model. For a
// context of a question (see Question) its time and its statements count.
func (r *Replica) As(ctx context.Context, database, role string, fn func(pgx.Tx) error) error {
	release, err := r.limits.statement(ctx, role)
	if err != nil {
		return err
	}
	defer release()
	w := workOf(ctx)
	left, done, err := w.time(ctx, r.cfg.StatementTimeout.Duration())
	if err != nil {
		return err
	}
	defer done()
	limit := ask.Duration(left)
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
	own := t.pgx
	if w != nil {
		own = countedTx{t.pgx, w}
	}
	err = fn(&judgedTx{Tx: own, t: t})
	if timed.Err() != nil {
		t.dirty = true
	}
	var pg *pgconn.PgError
	if err != nil && timed.Err() == nil && !errors.As(err, &pg) && !t.c.PgConn().IsClosed() {
		return err // fn's own
	}
	return serverError(ctx, timed, err, limit)
}

// judgedTx is a transaction that has the guard judge what askpg itself wants to
// read: whoever may create a view, a cast or a foreign table would have his
// code run by it otherwise, in a session that can become every asker.
type judgedTx struct {
	pgx.Tx
	t *tx
	l *lookup // what names mean, looked up once
}

// Judge returns an *ask.Error with ASK05 if the guard refuses the statement.
// The server's own errors leave the transaction aborted: call it within a
// savepoint.
func (j *judgedTx) Judge(ctx context.Context, sql string) error {
	if j.l == nil {
		l, err := j.t.lookup(ctx)
		if err != nil {
			return err
		}
		j.l = l
	}
	return j.t.judgeWith(ctx, j.l, sql, "")
}
