package store

import (
	"context"
	"time"
)

// Erased says whether what a login asked at a time has been erased. It is an error if the store can't tell.
func (s *Store) Erased(ctx context.Context, login string, asked time.Time) (bool, error) {
	if err := s.ready(ctx); err != nil {
		return false, err
	}
	list, err := s.readErasures(ctx, s.read, asked)
	return err == nil && list.covers(&Record{Login: login, Asked: asked}), err
}
