package catalog

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

type metrics struct {
	load, check, readAll, readChanges prometheus.Histogram
	embeddings                        *prometheus.CounterVec // by outcome
	lookup                            prometheus.Histogram
}

func newMetrics(reg prometheus.Registerer) *metrics {
	with := promauto.With(reg)
	m := &metrics{
		load: with.NewHistogram(prometheus.HistogramOpts{
			Name: "askpg_catalog_load_seconds", Help: "Time to make a role's snapshot of what was read of the system catalogs, with its statistics and values.",
			Buckets: prometheus.ExponentialBuckets(0.005, 2, 12),
		}),
		check: with.NewHistogram(prometheus.HistogramOpts{
			Name: "askpg_catalog_check_seconds", Help: "Time to check a catalog snapshot for changes.",
			Buckets: prometheus.ExponentialBuckets(0.0005, 2, 12),
		}),
		readAll: with.NewHistogram(prometheus.HistogramOpts{
			Name: "askpg_catalog_read_seconds", Help: "Time to read the system catalogs of a database.",
			Buckets: prometheus.ExponentialBuckets(0.005, 2, 12),
		}),
		readChanges: with.NewHistogram(prometheus.HistogramOpts{
			Name: "askpg_catalog_patch_seconds", Help: "Time to read what of the system catalogs has changed.",
			Buckets: prometheus.ExponentialBuckets(0.005, 2, 12),
		}),
	}
	m.embeddings = with.NewCounterVec(prometheus.CounterOpts{
		Name: "askpg_catalog_embeddings_total", Help: "Calls for vectors of relations and questions, by outcome: ok, late or failed.",
	}, []string{"outcome"})
	m.lookup = with.NewHistogram(prometheus.HistogramOpts{
		Name: "askpg_catalog_lookup_seconds", Help: "Time to ask large columns for the names and literals of a question.",
		Buckets: prometheus.ExponentialBuckets(0.001, 2, 12),
	})
	for _, outcome := range []string{"ok", "late", "failed"} {
		m.embeddings.WithLabelValues(outcome)
	}
	return m
}

// metadata returns the histogram of the time to read metadata, of changes only
// (changesOnly) or of everything.
func (m *metrics) metadata(changesOnly bool) prometheus.Histogram {
	if changesOnly {
		return m.readChanges
	}
	return m.readAll
}
