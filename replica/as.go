package replica

import (
	"context"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"askpg/ask"
	"askpg/replica/guard"
)

// As runs fn in a read-only transaction on a replica as the role, with
// search_path = pg_catalog. The role is replaced as it is for questions, so
// that what fn sees is what a question may use. The transaction has a method Judge(ctx, sql), by
// which the guard refuses what it would of a model. It has Trust(ctx, relations...), which refuses
// relations that untrusted owners could have put code into. It has StillNamed, which refuses names that
// stand for others, Exposed(ctx) and TrustedOwners(ctx). For a context of a question (see Question) its time and its
// statements count.
func (r *Replica) As(ctx context.Context, database, role string, fn func(pgx.Tx) error) error {
	place, err := r.limits.statement(ctx, role)
	if err != nil {
		return err
	}
	defer place.release()
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
	t.place = place
	own := t.pgx
	if w != nil {
		own = countedTx{t.pgx, w}
	}
	judged := &judgedTx{Tx: own, t: t}
	if err = judged.opens(timed); err == nil {
		err = fn(judged)
	}
	if timed.Err() != nil {
		t.dirty = true
	}
	var pg *pgconn.PgError
	if err != nil && timed.Err() == nil && !errors.As(err, &pg) && !t.c.PgConn().IsClosed() {
		return err // fn's own
	}
	return serverError(ctx, timed, err, limit)
}

// judgedTx is a transaction that judges what askpg itself wants to read. Whoever
// may put code into a relation would have it run otherwise, in a session that
// can become every asker.
type judgedTx struct {
	pgx.Tx
	t       *tx
	l       *lookup          // what names mean, looked up once
	trusted map[uint32]error // relations whose owners have been judged
}

// Judge returns an *ask.Error if the guard refuses the statement. The server's own
// errors leave the transaction aborted: call it within a savepoint.
func (j *judgedTx) Judge(ctx context.Context, sql string) error {
	l, err := j.lookup(ctx)
	if err != nil {
		return err
	}
	return j.t.judgeWith(ctx, l, sql, "")
}

func (j *judgedTx) lookup(ctx context.Context) (*lookup, error) {
	if j.l == nil {
		l, err := j.t.lookup(ctx)
		if err != nil {
			return nil, err
		}
		j.l = l
	}
	return j.l, nil
}

// Trust returns an *ask.Error with 42501 if something stands behind one of the
// relations that belongs to an untrusted owner (see closureSQL). To ask of many at once
// costs little where all may be trusted, and makes the answer for each of them known then.
func (j *judgedTx) Trust(ctx context.Context, relations ...uint32) error {
	var objects []guard.Object
	for _, oid := range relations {
		if err, known := j.trusted[oid]; !known {
			objects = append(objects, guard.Object{Class: guard.ClassRelation, OID: oid})
		} else if err != nil {
			return err
		}
	}
	if len(objects) == 0 {
		return nil
	}
	l, err := j.lookup(ctx)
	if err != nil {
		return err
	}
	l.members = nil
	problems, err := l.Owners(ctx, nil, objects)
	if err != nil {
		return err
	}
	v := guard.Verdict{Problems: problems}
	err = v.Err()
	if j.trusted == nil {
		j.trusted = map[uint32]error{}
	}
	if err == nil || len(objects) == 1 {
		for _, o := range objects {
			j.trusted[o.OID] = err
		}
	}
	return err
}

// opens returns an *ask.Error where opening a relation may run an untrusted owner's
// code. Until PostgreSQL 12 the keys of a partitioned table are evaluated as soon as
// it is opened, by pg_get_viewdef for one.
func (j *judgedTx) opens(ctx context.Context) error {
	if j.t.srv.version >= 130000 {
		return nil
	}
	l, err := j.lookup(ctx)
	if err != nil {
		return err
	}
	problems, err := l.Owners(ctx, []guard.Mention{{Kind: guard.MentionAny}}, nil)
	if err != nil {
		return err
	}
	v := guard.Verdict{Problems: problems}
	return v.Err()
}

const standSQL = `select count(*) = cardinality($1::oid[]) from unnest($1::oid[], $2::text[], $3::text[]) as k (oid, schema, name)
	join pg_namespace n on n.nspname = k.schema join pg_class c on c.oid = k.oid and c.relname = k.name and c.relnamespace = n.oid`

// StillNamed returns an *ask.Error with 42P01 unless each name, of a schema and a relation in it, stands for the
// relation of the OID now. What is trusted by its OID is read by its name, which may have become somebody
// else's since it was looked up.
func (j *judgedTx) StillNamed(ctx context.Context, relations []uint32, schemas, names []string) error {
	stand := false
	err := j.t.p.service(ctx, step{stored: "stand", params: [][]byte{oidArray(relations), textArray(schemas), textArray(names)}, row: func(v [][]byte) error {
		stand = truth(v[0])
		return nil
	}})
	if err == nil && !stand {
		err = ask.Errorf(ask.CodeUndefinedTable, "%s was renamed or dropped", strings.Join(names, ", "))
	}
	return err
}

// Exposed returns the schemas in which untrusted roles may create objects: names
// without a schema are not looked up there.
func (j *judgedTx) Exposed(ctx context.Context) ([]string, error) {
	var list []string
	err := j.t.p.service(ctx, step{sql: exposedSQL, params: [][]byte{textArray(j.t.p.trusted)}, row: func(v [][]byte) error {
		list = append(list, string(v[0]))
		return nil
	}})
	return list, err
}

// TrustedOwners returns the OIDs of superusers, the database's owner and Config.TrustedOwners.
func (j *judgedTx) TrustedOwners(ctx context.Context) ([]uint32, error) {
	var list []uint32
	err := j.t.p.service(ctx, step{sql: "with " + trustedSQL + " select oid from trusted", params: [][]byte{textArray(j.t.p.trusted)}, row: func(v [][]byte) error {
		list = append(list, number(v[0]))
		return nil
	}})
	return list, err
}
