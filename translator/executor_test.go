package translator_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	pg_query "github.com/pganalyze/pg_query_go/v5"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/translator"
)

// standby executes on a real standby, as the asker's role, in one
// transaction; its guard is as simple as can be.
type standby struct{ url func(database string) string }

func newStandby(t testing.TB) *standby {
	c := pgtest.Shared(t)
	return &standby{func(database string) string { return c.Standby.URL(pgtest.Superuser, database) }}
}

func (e *standby) As(ctx context.Context, database, role string, fn func(pgx.Tx) error) error {
	conn, err := pgx.Connect(ctx, e.url(database))
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	tx, err := conn.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return err
	}
	defer tx.Rollback(context.WithoutCancel(ctx))
	if _, err := tx.Exec(ctx, "set local role "+pgx.Identifier{role}.Sanitize()); err != nil {
		return err
	}
	return fn(tx)
}

func (e *standby) Begin(ctx context.Context, s ask.Session) (translator.Snapshot, error) {
	conn, err := pgx.Connect(ctx, e.url(s.Database))
	if err != nil {
		return nil, ask.Errorf(ask.CodeConnectionFailure, "the replica can't be reached").Because(err)
	}
	for _, sql := range []string{"begin isolation level repeatable read read only", "set local role " + pgx.Identifier{s.Role}.Sanitize()} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			conn.Close(ctx)
			return nil, fmt.Errorf("%s: %w", sql, err)
		}
	}
	return &snapshot{conn: conn}, nil
}

type snapshot struct {
	mu   sync.Mutex
	conn *pgx.Conn
	runs []string
}

func guard(sql string) error {
	tree, err := pg_query.Parse(sql)
	if err != nil {
		return nil // the server says what is wrong
	}
	refused := ask.Errorf(ask.CodeRefused, "only one SELECT may run")
	if len(tree.Stmts) != 1 || tree.Stmts[0].Stmt.GetSelectStmt() == nil || tree.Stmts[0].Stmt.GetSelectStmt().IntoClause != nil ||
		strings.Contains(sql, "pg_sleep") {
		return refused
	}
	return nil
}

func (s *snapshot) protected(ctx context.Context, fn func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.conn.Exec(ctx, "savepoint s"); err != nil {
		return err
	}
	err := fn()
	if _, rerr := s.conn.Exec(ctx, "rollback to s"); rerr != nil && err == nil {
		return rerr
	}
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return (&ask.Error{Code: pg.Code, Message: pg.Message, Detail: pg.Detail, Hint: pg.Hint}).Because(err)
	}
	return err
}

func (s *snapshot) Check(ctx context.Context, sql string) (p ask.Plan, err error) {
	if err := guard(sql); err != nil {
		return p, err
	}
	err = s.protected(ctx, func() error {
		var text string
		if err := s.conn.QueryRow(ctx, "explain (format json) "+sql, pgx.QueryExecModeExec).Scan(&text); err != nil {
			return err
		}
		var plans []struct {
			Plan struct {
				Cost float64 `json:"Total Cost"`
				Rows float64 `json:"Plan Rows"`
			}
		}
		p.Text = text
		if err := json.Unmarshal([]byte(text), &plans); err != nil {
			return err
		}
		p.Cost, p.Rows = plans[0].Plan.Cost, plans[0].Plan.Rows
		return nil
	})
	return p, err
}

func (s *snapshot) Run(ctx context.Context, sql string) (*ask.Result, error) {
	if err := guard(sql); err != nil {
		return nil, err
	}
	r := &ask.Result{Complete: true}
	err := s.protected(ctx, func() error {
		res := s.conn.PgConn().ExecParams(ctx, sql, nil, nil, nil, nil).Read()
		for _, f := range res.FieldDescriptions {
			r.Columns = append(r.Columns, ask.Column{Name: f.Name, TypeOID: f.DataTypeOID})
		}
		r.Rows = res.Rows
		return res.Err
	})
	return r, err
}

func (s *snapshot) Replica() ask.Replica { return ask.Replica{Name: "standby"} }

func (s *snapshot) Close() { s.conn.Close(context.Background()) }
