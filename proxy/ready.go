package proxy

import (
	"context"
	"errors"
	"net"
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

// ErrDraining says that no new sessions are served.
var ErrDraining = errors.New("no new sessions are served")

// Ready says whether new sessions can be served: the server listens, does not
// drain (ErrDraining), and reaches the primary.
func (s *Server) Ready(ctx context.Context) error {
	if s.draining.Load() {
		return ErrDraining
	}
	conn, err := s.DialPrimary(ctx)
	if err != nil {
		return err
	}
	return conn.Close()
}

// DialPrimary connects to the primary as sessions do, TLS included. Nothing has been sent yet.
func (s *Server) DialPrimary(ctx context.Context) (net.Conn, error) {
	set := s.settings.Load()
	return set.Primary.dialPrimary(ctx, set.primaryTLS)
}
