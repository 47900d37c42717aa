// Package guarded reads rows of relations for a snapshot: each statement in a
// savepoint and within a time limit, and only what the guard has judged.
//
// Whoever owns something that a relation depends on would otherwise have code
// of his own run by the reader. It is in views, in casts and operators of
// types, in indexes and statistics.
package guarded

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"askpg/ask"
	"askpg/catalog/schema"
)

// Guard judges what is read. The transaction of a catalog's source may be one.
// What is read in a transaction that does not implement Guard is not judged.
type Guard interface {
	// Judge returns an error unless the statement is harmless.
	Judge(ctx context.Context, sql string) error
	// Trust returns an error unless the owners of the relations, and of what
	// reading them runs, are trusted.
	Trust(ctx context.Context, relations ...uint32) error
	// StillNamed returns an error unless the names, each of a schema and a relation in it,
	// stand for the relations of these OIDs now.
	StillNamed(ctx context.Context, relations []uint32, schemas, names []string) error
	// Exposed returns the schemas in which roles that are not trusted may
	// create objects.
	Exposed(ctx context.Context) ([]string, error)
	// TrustedOwners returns the OIDs of the roles whose objects are trusted.
	TrustedOwners(ctx context.Context) ([]uint32, error)
}

// Within runs f in a savepoint, with a time limit for each of its statements.
// The savepoint is rolled back in any case: f only reads, and neither a failure
// nor the time limit outlasts it.
func Within(ctx context.Context, tx pgx.Tx, limit time.Duration, f func(pgx.Tx) error) error {
	sp, err := tx.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = sp.Rollback(ctx) }()
	// A limit under a millisecond would come to 0, which switches it off.
	if _, err := sp.Exec(ctx, "select set_config('statement_timeout', $1, true)", strconv.FormatInt(limit.Milliseconds()+1, 10)); err != nil {
		return err
	}
	return f(sp)
}

// Each runs a statement that reads the relations and calls only functions of the server, if the guard admits it, in a savepoint and
// within a time limit. It scans the rows one by one into these variables and calls f after each.
func Each(ctx context.Context, tx pgx.Tx, limit time.Duration, relations []*schema.Relation, sql string, into []any, f func()) error {
	return Within(ctx, tx, limit, func(sp pgx.Tx) error {
		if err := Judge(ctx, tx, sql, relations...); err != nil { // by tx: the savepoint is no Guard
			return err
		}
		rows, err := sp.Query(ctx, sql, pgx.QueryExecModeExec)
		if err != nil {
			return err
		}
		_, err = pgx.ForEachRow(rows, into, func() error {
			f()
			return nil
		})
		return err
	})
}

const sqlStatistics = `
select n.nspname::text, c.oid from pg_extension e join pg_namespace n on n.oid = e.extnamespace
join pg_class c on c.relnamespace = n.oid and c.relname = e.extname where e.extname = 'pg_stat_statements'`

// ErrNoStatistics says that the database does not have the extension pg_stat_statements.
var ErrNoStatistics = errors.New("the database has no extension pg_stat_statements")

// Statistics returns what a statement reads of pg_stat_statements, as far as the transaction's role may. In the statement %s stands for the
// extension's schema. read reads a row.
func Statistics[T any](ctx context.Context, tx pgx.Tx, limit time.Duration, sql string, args []any, read func(row pgx.CollectableRow) (T, error)) (list []T, err error) {
	err = Within(ctx, tx, limit, func(sp pgx.Tx) error {
		var extension string
		var view uint32
		if err := sp.QueryRow(ctx, sqlStatistics).Scan(&extension, &view); errors.Is(err, pgx.ErrNoRows) {
			return ErrNoStatistics
		} else if err != nil {
			return err
		}
		if guard, ok := tx.(Guard); ok {
			if err := guard.Trust(ctx, view); err != nil {
				return err
			}
		}
		rows, err := sp.Query(ctx, fmt.Sprintf(sql, schema.Quote(extension)), append([]any{pgx.QueryExecModeExec}, args...)...)
		if err != nil {
			return err
		}
		list, err = pgx.CollectRows(rows, read)
		return err
	})
	return list, err
}

// Judge has the transaction's guard judge a statement that reads the relations
// and calls only functions of the server. Where all relations are plain it is
// enough that their owners are trusted, and that their names have not become those of others
// since the snapshot was read.
func Judge(ctx context.Context, tx pgx.Tx, sql string, relations ...*schema.Relation) error {
	guard, ok := tx.(Guard)
	if !ok {
		return nil
	}
	oids, schemas, names := make([]uint32, len(relations)), make([]string, len(relations)), make([]string, len(relations))
	for i, r := range relations {
		if oids[i], schemas[i], names[i] = r.OID, r.Schema, r.Name.Name; !r.Plain {
			return guard.Judge(ctx, sql)
		}
	}
	if err := guard.Trust(ctx, oids...); err != nil {
		return err
	}
	return guard.StillNamed(ctx, oids, schemas, names)
}

// JudgeWhole has the transaction's guard judge a statement with a parameter
// $1 whatever it reads, for it calls what is not the server's own.
func JudgeWhole(ctx context.Context, tx pgx.Tx, sql string) error {
	guard, ok := tx.(Guard)
	if !ok {
		return nil
	}
	return guard.Judge(ctx, strings.ReplaceAll(sql, "$1", "''::text"))
}

// TrustAll has the owners of all plain relations judged at once, so that, if all
// are trusted, none is asked for again. An owner who is not trusted is no error yet.
func TrustAll(ctx context.Context, tx pgx.Tx, relations []*schema.Relation) error {
	guard, ok := tx.(Guard)
	if !ok {
		return nil
	}
	var oids []uint32
	for _, r := range relations {
		if r.Plain {
			oids = append(oids, r.OID)
		}
	}
	err := guard.Trust(ctx, oids...)
	var refused *ask.Error
	if errors.As(err, &refused) && refused.Code == ask.CodeInsufficientRights {
		return nil
	}
	return err
}
