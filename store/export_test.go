package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Counted and Budgeted with a clock, for their tests.
var (
	CountedAt  = counted
	BudgetedAt = budgeted
)

// CancelMessage is a cancel request as an instance sends it at a time.
func CancelMessage(secret, key []byte, now time.Time) []byte {
	r := newCancelRequest(secret, key, now)
	return r[:]
}

// ColumnNames returns the columns of a translation.
func ColumnNames() []string { return names(recordFields) }

// Prune is prune.
func (s *Store) Prune(ctx context.Context, now time.Time) (int64, error) { return s.prune(ctx, now) }

// Size is size.
func (s *Store) Size(ctx context.Context) (int64, error) { return s.size(ctx) }

// AddExample makes a reviewed pair an example.
func (s *Store) AddExample(ctx context.Context, e Example) (*Example, error) {
	defer s.changed(ctx)
	return &e, s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error { return s.putExample(ctx, tx, &e) })
}

// Remember is remember.
func (s *Store) Remember(ctx context.Context) error { return s.remember(ctx) }

// ReadAnew reads what is in memory, changed or not.
func (s *Store) ReadAnew(ctx context.Context) error {
	s.remembered.reading.Lock()
	s.remembered.digest = ""
	s.remembered.reading.Unlock()
	return s.remember(ctx)
}

// MarkExample sets an example's status; note says why.
func (s *Store) MarkExample(ctx context.Context, id string, status Status, note string) error {
	defer s.changed(ctx)
	return s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, s.bind(`update examples set status = ?, note = ?, updated = ? where id = ?`), string(status), storable(note), s.time(time.Now()), storable(id))
		if err != nil {
			return fmt.Errorf("example %s: %w", id, err)
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, fmt.Errorf("example %s: %w", id, ErrNotFound))
		}
		return nil
	})
}
