package replica

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

type metrics struct {
	statements *prometheus.HistogramVec
	guard      prometheus.Histogram
	refused    *prometheus.CounterVec
	failovers  *prometheus.CounterVec
	capped     *prometheus.CounterVec
	exhausted  *prometheus.CounterVec
	lag        *prometheus.GaugeVec
	logins     *prometheus.CounterVec
	waiting    prometheus.Gauge
	left       prometheus.Gauge
}

func newMetrics(reg prometheus.Registerer) *metrics {
	with := promauto.With(reg)
	m := &metrics{
		statements: with.NewHistogramVec(prometheus.HistogramOpts{Name: "askpg_replica_statement_seconds", Help: "Time of statements on the replica, by what they were for.", Buckets: prometheus.ExponentialBuckets(.001, 4, 9)}, []string{"kind"}),
		guard:      with.NewHistogram(prometheus.HistogramOpts{Name: "askpg_replica_guard_seconds", Help: "Time to judge a statement, look-ups included.", Buckets: prometheus.ExponentialBuckets(.0001, 4, 8)}),
		refused:    with.NewCounterVec(prometheus.CounterOpts{Name: "askpg_replica_refused_total", Help: "Statements that were not run, by the wall that stopped them."}, []string{"wall"}),
		failovers:  with.NewCounterVec(prometheus.CounterOpts{Name: "askpg_replica_unusable_total", Help: "Times that a replica could not be used."}, []string{"replica"}),
		capped:     with.NewCounterVec(prometheus.CounterOpts{Name: "askpg_replica_capped_total", Help: "Results that a cap cut off."}, []string{"cap"}),
		exhausted:  with.NewCounterVec(prometheus.CounterOpts{Name: "askpg_replica_question_exhausted_total", Help: "Questions that reached what one may do on the replica, by the bound: statements, work, rows, bytes."}, []string{"bound"}),
		lag:        with.NewGaugeVec(prometheus.GaugeOpts{Name: "askpg_replica_lag_seconds", Help: "Replay lag when a question last began."}, []string{"replica"}),
		logins:     with.NewCounterVec(prometheus.CounterOpts{Name: "askpg_replica_logins_total", Help: "Connections that are logged in as askers, handed out for their questions: opened, reused, failed."}, []string{"how"}),
		waiting:    with.NewGauge(prometheus.GaugeOpts{Name: "askpg_replica_logins_waiting", Help: "Connections that are logged in as askers and wait for their next question."}),
		left:       with.NewGauge(prometheus.GaugeOpts{Name: "askpg_replica_backends_left", Help: "Backends that go on although they were canceled and their connection was cut. Their places stay taken."}),
	}
	// Series are there from the start, so that the first of a burst counts in a rate.
	for _, wall := range []string{"guard", "plan", "limits"} {
		m.refused.WithLabelValues(wall)
	}
	for _, bound := range []string{"statements", "work", "rows", "bytes"} {
		m.exhausted.WithLabelValues(bound)
	}
	for _, kind := range []string{"rows", "bytes", "candidate", "question"} {
		m.capped.WithLabelValues(kind)
	}
	for _, how := range []string{"opened", "reused", "failed"} {
		m.logins.WithLabelValues(how)
	}
	return m
}
