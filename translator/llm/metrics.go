package llm

import (
	"errors"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics are shared by all clients of one registry.
type metrics struct {
	requests *prometheus.CounterVec   // model, stage, outcome
	seconds  *prometheus.HistogramVec // model, stage
	tokens   *prometheus.CounterVec   // model, direction
	cost     *prometheus.CounterVec   // model
	retries  *prometheus.CounterVec   // model
	inFlight *prometheus.GaugeVec     // model
	waiting  *prometheus.GaugeVec     // model
	open     *prometheus.GaugeVec     // model
	state    *prometheus.GaugeVec     // model, state
}

func newMetrics(reg prometheus.Registerer) *metrics {
	return &metrics{
		requests: register(reg, prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "askpg_model_requests_total", Help: "Requests to models by outcome.",
		}, []string{"model", "stage", "outcome"})),
		seconds: register(reg, prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "askpg_model_request_seconds", Help: "Time of a request to a model.",
			Buckets: []float64{.1, .25, .5, 1, 2, 4, 8, 16, 32, 64},
		}, []string{"model", "stage"})),
		tokens: register(reg, prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "askpg_model_tokens_total", Help: "Tokens sent to and received from models.",
		}, []string{"model", "direction"})),
		cost: register(reg, prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "askpg_model_cost_total", Help: "Cost of models in the currency of the configured prices.",
		}, []string{"model"})),
		retries: register(reg, prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "askpg_model_retries_total", Help: "Requests to models that were repeated.",
		}, []string{"model"})),
		inFlight: register(reg, prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "askpg_model_requests_in_flight", Help: "Requests that a model is working on.",
		}, []string{"model"})),
		waiting: register(reg, prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "askpg_model_requests_waiting", Help: "Requests that wait for a place among max_concurrency of a model, or max_concurrency_per_role of it.",
		}, []string{"model"})),
		open: register(reg, prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "askpg_model_circuit_open", Help: "1 while a model is not asked because it failed too often.",
		}, []string{"model"})),
		state: register(reg, prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "askpg_model_state", Help: "1 for the state that a model is in: ready, away after failures in a row, or key refused.",
		}, []string{"model", "state"})),
	}
}

// setState shows the state of a model. Every state has its series from the start.
func (m *metrics) setState(model string, now State) {
	for _, s := range states {
		m.state.WithLabelValues(model, string(s)).Set(boolFloat(s == now))
	}
	m.open.WithLabelValues(model).Set(boolFloat(now != Ready))
}

// atZero makes the series of a model's counters, so that the first of a burst counts in a rate.
func (m *metrics) atZero(model string) {
	m.tokens.WithLabelValues(model, "in")
	m.tokens.WithLabelValues(model, "out")
	m.cost.WithLabelValues(model)
	m.retries.WithLabelValues(model)
	m.inFlight.WithLabelValues(model)
	m.waiting.WithLabelValues(model)
	for _, outcome := range []kind{"ok", kindTimeout, kindRateLimited, kindUnavailable, kindKeyRefused, kindRejected, kindMalformed, kindCircuitOpen, kindCanceled} {
		m.requests.WithLabelValues(model, "generate", string(outcome))
	}
}

// forget ends the series of a model's state.
func (m *metrics) forget(model string) {
	for _, g := range []*prometheus.GaugeVec{m.open, m.state} {
		g.DeletePartialMatch(prometheus.Labels{"model": model})
	}
}

func register[C prometheus.Collector](reg prometheus.Registerer, c C) C {
	if reg == nil {
		return c
	}
	err := reg.Register(c)
	if already, ok := errors.AsType[prometheus.AlreadyRegisteredError](err); ok {
		if old, ok := already.ExistingCollector.(C); ok {
			return old
		}
	}
	return c
}
