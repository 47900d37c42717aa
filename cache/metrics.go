package cache

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

func (c *Cache) register(reg prometheus.Registerer) {
	with := promauto.With(reg)
	c.requests = with.NewCounterVec(prometheus.CounterOpts{
		Name: "askpg_cache_requests_total",
		Help: "Questions by what the translation cache did: hit, miss, joined (shared a translation under way), fresh, bypass.",
	}, []string{"result"})
	for _, result := range []string{"hit", "miss", "joined", "fresh", "bypass"} {
		c.requests.WithLabelValues(result)
	}
	with.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "askpg_cache_bytes", Help: "Estimated size of the cached translations.",
	}, func() float64 { return float64(c.inForce.Load().MaxBytes - c.cached.RemainingCost()) })
	with.NewCounterFunc(prometheus.CounterOpts{
		Name: "askpg_cache_evictions_total", Help: "Translations that made room for others.",
	}, func() float64 { return float64(c.cached.Metrics.KeysEvicted()) })
	with.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "askpg_cache_flights", Help: "Different questions being translated now.",
	}, func() float64 {
		c.flights.mu.Lock()
		defer c.flights.mu.Unlock()
		return float64(len(c.flights.byKey))
	})
}
