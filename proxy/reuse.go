package proxy

import (
	"fmt"
	"time"

	"askpg/ask"
	"askpg/wire"
)

// ReuseConfig is the reuse of server connections: what a client leaves behind
// clean is reset and kept for the next one that logs in alike.
type ReuseConfig struct {
	// Reuse keeps a server connection whose client has ended it at an idle point, for the next
	// client with the same startup packet and the same password. It takes auth.method = "scram":
	// otherwise the server itself has to see every login.
	Reuse bool `toml:"reuse_connections"`
	// ReuseLifetime is the age at which a server connection is not kept any more: what a login
	// alone takes up (ALTER ROLE … SET, REVOKE CONNECT, pg_hba.conf) holds after it at the latest.
	ReuseLifetime ask.Duration `toml:"reuse_lifetime"`
	// ReuseIdleTimeout is how long a server connection waits for its next client.
	ReuseIdleTimeout ask.Duration `toml:"reuse_idle_timeout"`
	// ReuseMax is how many server connections wait at most; the one that waits longest goes.
	ReuseMax int `toml:"reuse_max"`
	// ReuseMaxPerLogin is how many of them wait for clients with one startup packet.
	ReuseMaxPerLogin int `toml:"reuse_max_per_login"`
	// ReuseResetTimeout bounds the reset between two clients (DISCARD ALL).
	ReuseResetTimeout ask.Duration `toml:"reuse_reset_timeout"`
}

func defaultReuse() ReuseConfig {
	return ReuseConfig{
		ReuseLifetime:     ask.Duration(30 * time.Minute),
		ReuseIdleTimeout:  ask.Duration(5 * time.Minute),
		ReuseMax:          100,
		ReuseMaxPerLogin:  50,
		ReuseResetTimeout: ask.Duration(5 * time.Second),
	}
}

func (c *ReuseConfig) validate(auth *AuthConfig) error {
	if c.Reuse && auth.Method != authScram {
		return fmt.Errorf("primary.reuse_connections needs auth.method = \"scram\", not %q: only a login that askpg has verified itself need not reach the server", auth.Method)
	}
	for name, v := range map[string]ask.Duration{
		"primary.reuse_lifetime": c.ReuseLifetime, "primary.reuse_idle_timeout": c.ReuseIdleTimeout, "primary.reuse_reset_timeout": c.ReuseResetTimeout,
	} {
		if v <= 0 {
			return fmt.Errorf("%s is %s: it must be more than 0", name, v)
		}
	}
	for name, v := range map[string]int{"primary.reuse_max": c.ReuseMax, "primary.reuse_max_per_login": c.ReuseMaxPerLogin} {
		if v < 1 {
			return fmt.Errorf("%s is %d: it must be at least 1", name, v)
		}
	}
	return nil
}

// reuses says whether the server connection of a session that begins so can
// serve others after it.
func (set *settings) reuses(st wire.Startup) bool {
	return set.Primary.Reuse && set.secrets != nil && !st.Replication
}

// reusable says whether the server connection is as it was after the login,
// but for what a reset takes away: nothing is unanswered, no transaction and no
// pipeline is open, no message is half sent on either side, and no cancel request
// is on its way to the server. It is called with mu held.
func (s *session) reusable() bool {
	return s.backend != nil && !s.unfit && s.cancels == 0 && (s.state == stateRelaying || s.state == stateAnswering) && s.abandon == nil &&
		s.core.Settled() && s.core.Status() == wire.StatusIdle && s.core.Between()
}

// release takes the server connection from a session that its client has ended,
// if another client can use it and there is room for it. Nothing is relayed, and nothing
// cancelled, after that.
func (s *session) release(terminated bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.reusable() || !s.srv.pool.reserve(s.backend) {
		s.unfit = true
		return false
	}
	if !terminated {
		s.srv.metrics.errors.add(sideClient, ask.CodeConnectionFailure)
	}
	s.terminated = terminated
	s.become(stateReleased)
	return true
}

// released says whether the server connection has been taken from the session.
func (s *session) released() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state == stateReleased
}

// spoil has the server connection not serve another client.
func (s *session) spoil() {
	s.mu.Lock()
	s.unfit = true
	s.mu.Unlock()
}

// cancelForwarded is told that a cancel request has been passed on to the
// server, or of the error. Without the server's word that it has acted on the
// request it may do so at any time, and hit another client's statement.
func (s *session) cancelForwarded(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cancels--
	if err != nil {
		s.unfit = true
	}
}
