package serverpool

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

// Metrics count what pools do. A pool that follows another one after a reload has the same.
type Metrics struct {
	waiting prometheus.Gauge
	logins  *prometheus.CounterVec
	closed  *prometheus.CounterVec
}

// NewMetrics makes the metrics and registers them; reg may be nil.
func NewMetrics(reg prometheus.Registerer) *Metrics {
	with := promauto.With(reg)
	return &Metrics{
		waiting: with.NewGauge(prometheus.GaugeOpts{Name: "askpg_server_connections_kept", Help: "Server connections that wait for their next client (primary.reuse_connections)."}),
		logins:  with.NewCounterVec(prometheus.CounterOpts{Name: "askpg_server_connections_total", Help: "Server connections that clients got with primary.reuse_connections: opened for them, or reused."}, []string{"how"}),
		closed:  with.NewCounterVec(prometheus.CounterOpts{Name: "askpg_server_connections_closed_total", Help: "Server connections that were not kept, or not any longer, although their client left them clean, by the reason."}, []string{"reason"}),
	}
}

// Why a server connection that could have served another client was closed, as a metric names it. A pool is closed for
// reasons of its caller's.
const (
	closedReset     = "reset"     // the reset failed, or took too long
	closedTemporary = "temporary" // its client has used temporary objects
	closedServer    = "server"    // the server has ended it
	closedIdle      = "idle"      // no client came for it
	closedLifetime  = "lifetime"  // it is too old
	closedFull      = "full"      // there was no room, for it or for a newer one
	closedLimit     = "limit"     // the server had no room for another login
	closedPassword  = "password"  // the role has another password
)

func (m *Metrics) countClosed(why string) { m.closed.WithLabelValues(why).Inc() }
