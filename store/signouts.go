package store

import (
	"context"
	"database/sql"
	"time"
)

// SignOut ends a sign-in of the review page, for every instance that shares the store, until
// it ends by itself.
func (s *Store) SignOut(ctx context.Context, signin string, until time.Time) error {
	return s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, s.bind(`delete from signouts where until < ?`), time.Now().Unix()); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, s.bind(`insert into signouts (signin, until) values (?, ?) on conflict (signin) do nothing`), signin, until.Unix())
		return err
	})
}

// SignedOut says whether a sign-in was ended.
func (s *Store) SignedOut(ctx context.Context, signin string) (out bool, err error) {
	ctx, cancel := s.lookUpContext(ctx)
	defer cancel()
	if err := s.ready(ctx); err != nil {
		return false, err
	}
	err = s.read.QueryRowContext(ctx, s.bind(`select exists (select 1 from signouts where signin = ?)`), signin).Scan(&out)
	return out, err
}
