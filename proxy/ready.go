package proxy

import (
	"context"
	"errors"
)

// CheckAuth says whether secrets can be looked up, where askpg verifies
// clients itself.
func (s *Server) CheckAuth(ctx context.Context) error {
	set := s.settings.Load()
	if set.secrets == nil || set.secrets.pool == nil {
		return nil
	}
	_, err := set.secrets.query(ctx, "")
	return err
}

// Ready says whether new sessions can be served: the server listens, does not
// drain, and reaches the primary.
func (s *Server) Ready(ctx context.Context) error {
	if s.draining.Load() {
		return errors.New("draining")
	}
	set := s.settings.Load()
	conn, err := set.Primary.dialPrimary(ctx, set.primaryTLS)
	if err != nil {
		return err
	}
	return conn.Close()
}
