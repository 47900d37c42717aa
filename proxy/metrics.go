package proxy

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"askpg/ask"
)

type metrics struct {
	sessions      prometheus.Gauge
	sessionsTotal prometheus.Counter
	refused       *prometheus.CounterVec
	logins        prometheus.Histogram
	tlsFailures   prometheus.Counter
	authFailures  prometheus.Counter
	fromClient    prometheus.Counter
	fromServer    prometheus.Counter
	cancels       *prometheus.CounterVec
	questions     *prometheus.CounterVec
	questionTime  prometheus.Histogram
	thinking      prometheus.Gauge
	drained       prometheus.Counter
	idleEnded     prometheus.Counter
	parked        prometheus.Gauge
	lost          *prometheus.CounterVec
	errors        *prometheus.CounterVec // by side and SQLSTATE, see countError

	clientMessages, serverMessages prometheus.Counter
}

// Sides of an error, as a metric names them.
const (
	sideClient = "client" // broke its connection off
	sideServer = "server" // sent the error, which was relayed
	sideAskpg  = "askpg"  // made the error
)

func (m *metrics) countError(side, code string) {
	m.errors.WithLabelValues(side, ask.CodeLabel(code)).Inc()
}

func newMetrics(reg prometheus.Registerer) *metrics {
	with := promauto.With(reg)
	m := &metrics{
		sessions:      with.NewGauge(prometheus.GaugeOpts{Name: "askpg_sessions", Help: "Sessions that are open."}),
		sessionsTotal: with.NewCounter(prometheus.CounterOpts{Name: "askpg_sessions_total", Help: "Sessions opened."}),
		refused:       with.NewCounterVec(prometheus.CounterOpts{Name: "askpg_refused_total", Help: "Connections refused, by the limit or the reason."}, []string{"reason"}),
		logins:        with.NewHistogram(prometheus.HistogramOpts{Name: "askpg_login_seconds", Help: "Time from accepting a client to the end of its authentication.", Buckets: prometheus.ExponentialBuckets(.001, 4, 8)}),
		tlsFailures:   with.NewCounter(prometheus.CounterOpts{Name: "askpg_tls_failures_total", Help: "TLS handshakes with clients that failed."}),
		authFailures:  with.NewCounter(prometheus.CounterOpts{Name: "askpg_auth_failures_total", Help: "Logins that askpg itself has refused (auth.method = \"scram\")."}),
		cancels:       with.NewCounterVec(prometheus.CounterOpts{Name: "askpg_cancels_total", Help: "Cancel requests, by what became of them: question, late, forwarded, elsewhere (another instance took it over and counts it too)."}, []string{"outcome"}),
		questions:     with.NewCounterVec(prometheus.CounterOpts{Name: "askpg_questions_total", Help: "Questions, by SQLSTATE (00000: answered)."}, []string{"code"}),
		questionTime:  with.NewHistogram(prometheus.HistogramOpts{Name: "askpg_question_seconds", Help: "Time from a question's turn to the end of its answer.", Buckets: prometheus.ExponentialBuckets(.005, 3, 10)}),
		thinking:      with.NewGauge(prometheus.GaugeOpts{Name: "askpg_questions_open", Help: "Questions that are being answered."}),
		drained:       with.NewCounter(prometheus.CounterOpts{Name: "askpg_drained_total", Help: "Sessions ended at an idle point by a shutdown."}),
	}
	m.idleEnded = with.NewCounter(prometheus.CounterOpts{Name: "askpg_idle_ended_total", Help: "Sessions ended because they were idle for listen.idle_timeout."})
	m.parked = with.NewGauge(prometheus.GaugeOpts{Name: "askpg_sessions_parked", Help: "Idle sessions with TLS that hold no goroutine."})
	m.lost = with.NewCounterVec(prometheus.CounterOpts{Name: "askpg_lost_step_total", Help: "Sessions ended with 08P01 because they lost step with the server: by a message of the server's that was unexpected, by an outcome of COPY that is unknowable, by an answer to askpg's own query that is none."}, []string{"reason"})
	m.errors = with.NewCounterVec(prometheus.CounterOpts{
		Name: "askpg_errors_total", Help: "Errors, by SQLSTATE and side: the server's that were relayed, askpg's own, and clients that broke their connection off (08006).",
	}, []string{"side", "code"})
	messages := with.NewCounterVec(prometheus.CounterOpts{Name: "askpg_messages_total", Help: "Messages relayed, by the side that sent them; of replication sessions the server's only."}, []string{"from"})
	m.clientMessages, m.serverMessages = messages.WithLabelValues("client"), messages.WithLabelValues("server")
	bytes := with.NewCounterVec(prometheus.CounterOpts{Name: "askpg_bytes_total", Help: "Bytes read, by the side that sent them."}, []string{"from"})
	m.fromClient, m.fromServer = bytes.WithLabelValues("client"), bytes.WithLabelValues("server")
	// Series are there from the start, so that the first of a burst counts in a rate.
	for _, code := range []string{"00000", ask.CodeNoCandidate, ask.CodeLowConfidence, ask.CodeNoModel, ask.CodeBudget, ask.CodeRefused, ask.CodeInsufficientRights,
		ask.CodeQueryCanceled, ask.CodeCannotConnectNow, ask.CodeConnectionFailure, ask.CodeInsufficientRes, ask.CodeOutOfMemory, ask.CodeObjectNotReady, ask.CodeInternal} {
		m.questions.WithLabelValues(code)
	}
	for _, reason := range []string{"sessions", "startups", "user", "address", "server", "descriptors"} {
		m.refused.WithLabelValues(reason)
	}
	for _, outcome := range []string{"question", "late", "forwarded", "elsewhere"} {
		m.cancels.WithLabelValues(outcome)
	}
	return m
}
