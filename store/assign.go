package store

import (
	"context"
	"database/sql"
	"fmt"
)

// Assign gives a translation to a reviewer, who finds it by Filter.Assigned, or to nobody if the name is empty. There are the
// translations of the scope and no others.
func (s *Store) Assign(ctx context.Context, id string, scope Scope, to string) error {
	c := &clause{args: []any{storable(to)}}
	c.add("id = ?", storable(id))
	c.within(scope, "")
	return s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		n, err := s.change(ctx, tx, `update translations set assigned = ?`+c.String(), c.args...)
		if err == nil && n == 0 {
			err = ErrNotFound
		}
		if err != nil {
			return fmt.Errorf("translation %s: %w", id, err)
		}
		return nil
	})
}
