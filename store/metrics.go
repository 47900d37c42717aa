package store

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

type metrics struct {
	appended prometheus.Counter
	spilled  prometheus.Counter
	failed   prometheus.Counter
	commit   prometheus.Histogram
	batch    prometheus.Histogram

	examples   *prometheus.CounterVec // by how the question matched
	overBudget *prometheus.CounterVec // by what was used up, and the period
}

func (m *metrics) register(reg prometheus.Registerer, s *Store) {
	with := promauto.With(reg)
	m.appended = with.NewCounter(prometheus.CounterOpts{Name: "askpg_store_appended_total", Help: "Translations written to the log."})
	m.spilled = with.NewCounter(prometheus.CounterOpts{Name: "askpg_store_spilled_total", Help: "Translations that the spill file took because the store could not."})
	m.failed = with.NewCounter(prometheus.CounterOpts{Name: "askpg_store_failed_total", Help: "Translations that neither store nor spill file took."})
	m.commit = with.NewHistogram(prometheus.HistogramOpts{Name: "askpg_store_commit_seconds", Help: "Time to write a batch durably.", Buckets: prometheus.ExponentialBuckets(0.0005, 2, 14)})
	m.batch = with.NewHistogram(prometheus.HistogramOpts{Name: "askpg_store_batch_size", Help: "Entries in a batch.", Buckets: prometheus.ExponentialBuckets(1, 2, 10)})
	m.overBudget = with.NewCounterVec(prometheus.CounterOpts{Name: "askpg_store_over_budget_total", Help: "Questions refused because a budget was used up."}, []string{"what", "period"})
	m.examples = with.NewCounterVec(prometheus.CounterOpts{Name: "askpg_store_examples_total", Help: "Questions that a verified example matched: exact, filled (its parameters were), unread (words that its parameters do not take), ambiguous."}, []string{"match"})
	// Series are there from the start, so that the first of a burst counts in a rate.
	for _, match := range []string{"exact", "filled", "unread", "ambiguous"} {
		m.examples.WithLabelValues(match)
	}
	for _, what := range []string{"questions", "model calls", "tokens", "cost"} {
		m.overBudget.WithLabelValues(what, "day")
		m.overBudget.WithLabelValues(what, "minute")
	}
	with.NewGaugeFunc(prometheus.GaugeOpts{Name: "askpg_store_examples_stale", Help: "Verified examples that no longer plan and do not answer; every instance tells of all."}, s.staleExamples)
	with.NewGaugeFunc(prometheus.GaugeOpts{Name: "askpg_store_queue", Help: "Entries that wait for the writer."}, func() float64 { return float64(len(s.queue)) })
	with.NewGaugeFunc(prometheus.GaugeOpts{Name: "askpg_store_spill_bytes", Help: "Size of what the spill file holds for the store."}, func() float64 { return float64(s.spill.size()) })
}
