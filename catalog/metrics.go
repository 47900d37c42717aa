package catalog

import "github.com/prometheus/client_golang/prometheus"

type metrics struct {
	load, check prometheus.Histogram
}

func newMetrics(reg prometheus.Registerer) *metrics {
	m := &metrics{
		load: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "askpg_catalog_load_seconds", Help: "Time to read a catalog snapshot.",
			Buckets: prometheus.ExponentialBuckets(0.005, 2, 12),
		}),
		check: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "askpg_catalog_check_seconds", Help: "Time to check a catalog snapshot for changes.",
			Buckets: prometheus.ExponentialBuckets(0.0005, 2, 12),
		}),
	}
	if reg != nil {
		reg.MustRegister(m.load, m.check)
	}
	return m
}
