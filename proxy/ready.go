package proxy

import (
	"context"
	"errors"
)

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
