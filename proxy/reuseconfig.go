package proxy

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"askpg/ask"
)

// ReuseConfig is the reuse of server connections, a part of [primary].
type ReuseConfig struct {
	// Reuse keeps a server connection whose client has ended it at an idle point. It goes to the
	// next client with the same startup packet and the same password. It takes auth.method =
	// "scram": otherwise the server itself has to see every login.
	Reuse bool `toml:"reuse_connections"`
	// ReuseLifetime is the age at which a server connection is not kept any more. What only a
	// login takes up (ALTER ROLE … SET, REVOKE CONNECT, pg_hba.conf) holds after it at the latest.
	ReuseLifetime ask.Duration `toml:"reuse_lifetime"`
	// ReuseIdleTimeout is how long a server connection waits for its next client.
	ReuseIdleTimeout ask.Duration `toml:"reuse_idle_timeout"`
	// ReuseMax is how many server connections wait at most; the one that waits longest goes.
	ReuseMax int `toml:"reuse_max"`
	// ReuseMaxPerLogin is how many of them wait for clients with one startup packet.
	ReuseMaxPerLogin int `toml:"reuse_max_per_login"`
	// ReuseResetTimeout bounds the reset between two clients (DISCARD ALL), and the look at a server connection before a
	// client gets it.
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

// validateReuse says whether server connections can be reused by this program and with this way of logging in.
func (c *Config) validateReuse() error {
	switch p := &c.Primary; {
	case p.Reuse && c.Auth.Method != authScram:
		return fmt.Errorf("primary.reuse_connections needs auth.method = \"scram\", not %q: only a login that askpg has verified itself need not reach the server", c.Auth.Method)
	case p.Reuse && !reuseBuiltIn:
		return errors.New("primary.reuse_connections is set, but this program is built without it (build tag noserverpool)")
	default:
		return cmp.Or(
			ask.Positive("primary.reuse_lifetime", p.ReuseLifetime), ask.Positive("primary.reuse_idle_timeout", p.ReuseIdleTimeout),
			ask.Positive("primary.reuse_reset_timeout", p.ReuseResetTimeout),
			ask.AtLeast("primary.reuse_max", p.ReuseMax, 1), ask.AtLeast("primary.reuse_max_per_login", p.ReuseMaxPerLogin, 1),
		)
	}
}
