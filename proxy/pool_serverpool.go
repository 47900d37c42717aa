//go:build !noserverpool

package proxy

import (
	"context"
	"log/slog"
	"net"

	"github.com/prometheus/client_golang/prometheus"

	"askpg/proxy/serverpool"
	"askpg/wire/scram"
)

// reuseBuiltIn says that this program can reuse server connections.
const reuseBuiltIn = true

// newPools registers the metrics of pools, and returns what makes a pool.
func newPools(reg prometheus.Registerer, log *slog.Logger) func(ReuseConfig) serverPool {
	m := serverpool.NewMetrics(reg)
	return func(c ReuseConfig) serverPool {
		return pool{serverpool.New(serverpool.Limits{
			Lifetime: c.ReuseLifetime.Duration(), IdleTimeout: c.ReuseIdleTimeout.Duration(), ResetTimeout: c.ReuseResetTimeout.Duration(),
			Max: c.ReuseMax, MaxPerLogin: c.ReuseMaxPerLogin,
		}, m, log)}
	}
}

// pool is a serverpool.Pool whose connections are serverConns.
type pool struct{ *serverpool.Pool }

// Take is serverpool.Pool.Take.
func (p pool) Take(ctx context.Context, login string, secret *scram.Secret) (serverConn, net.Conn) {
	if c, conn := p.Pool.Take(ctx, login, secret); c != nil {
		return c, conn
	}
	return nil, nil
}

// Open is serverpool.Pool.Open.
func (p pool) Open(conn net.Conn, login, user string, secret *scram.Secret, version []byte) (serverConn, []byte, []byte, error) {
	c, said, rest, err := p.Pool.Open(conn, login, user, secret, version)
	if err != nil {
		return nil, nil, nil, err
	}
	return c, said, rest, nil
}
