//go:build noserverpool

package proxy

import (
	"log/slog"

	"github.com/prometheus/client_golang/prometheus"
)

// reuseBuiltIn says that this program can't reuse server connections.
const reuseBuiltIn = false

// newPools returns nil: Config.Validate refuses what would need a pool.
func newPools(prometheus.Registerer, *slog.Logger) func(ReuseConfig) serverPool { return nil }
