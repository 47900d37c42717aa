package translator

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"askpg/ask"
)

type metrics struct {
	questions  *prometheus.CounterVec   // strategy, outcome: the source of the answer, or the error's SQLSTATE
	seconds    *prometheus.HistogramVec // strategy
	candidates *prometheus.CounterVec   // fate
	confidence prometheus.Histogram
	budgets    *prometheus.CounterVec // budget: tokens, cost; outcome: answered, not answered
}

func newMetrics(reg prometheus.Registerer) *metrics {
	m := &metrics{
		questions: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "askpg_translations_total", Help: "Questions by strategy and outcome: where the answer came from, or an SQLSTATE.",
		}, []string{"strategy", "outcome"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "askpg_translation_seconds", Help: "Time from question to chosen SQL.",
			Buckets: []float64{.005, .02, .1, .5, 1, 2, 4, 8, 16, 32, 64},
		}, []string{"strategy"}),
		candidates: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "askpg_candidates_total", Help: "Candidates by fate.",
		}, []string{"fate"}),
		confidence: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "askpg_confidence", Help: "Confidence of answers.", Buckets: prometheus.LinearBuckets(.1, .1, 10),
		}),
		budgets: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "askpg_question_budgets_total", Help: "Questions whose own budget had no room for a model call, by what came of them.",
		}, []string{"budget", "outcome"}),
	}
	// Series are there from the start, so that the first of a burst counts in a rate.
	for _, fate := range []ask.Fate{ask.FateChosen, ask.FateAgreed, ask.FateOutvoted, ask.FateDuplicate, ask.FateRefused, ask.FateInvalid, ask.FateGated,
		ask.FateFailed, ask.FateTimeout, ask.FateRepaired, ask.FateNoAnswer, ask.FateUnrun} {
		m.candidates.WithLabelValues(string(fate))
	}
	for _, budget := range []string{budgetTokens, budgetCost} {
		m.budgets.WithLabelValues(budget, "answered")
		m.budgets.WithLabelValues(budget, "not answered")
	}
	if reg != nil {
		for _, c := range []prometheus.Collector{m.questions, m.seconds, m.candidates, m.confidence, m.budgets} {
			_ = reg.Register(c) // a second translator of one process keeps figures of its own
		}
	}
	return m
}

func (m *metrics) done(strategy, outcome string, d time.Duration) {
	m.questions.WithLabelValues(strategy, outcome).Inc()
	m.seconds.WithLabelValues(strategy).Observe(d.Seconds())
}

func outcome(err error) string {
	if c := ask.CodeOf(err); c != "" {
		return ask.CodeLabel(c)
	}
	return ask.CodeInternal
}
