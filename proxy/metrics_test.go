package proxy_test

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/prometheus/client_golang/prometheus"

	"askpg/ask"
	"askpg/proxy"
)

// metrics reads a registry.
type metrics struct {
	t testing.TB
	*prometheus.Registry
}

// value is the sum of a metric's series that have the labels, given by name and
// value; of a histogram the number of observations.
func (r metrics) value(name string, labels ...string) (sum float64) {
	r.t.Helper()
	families, err := r.Gather()
	if err != nil {
		r.t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() != name {
			continue
		}
	next:
		for _, m := range f.GetMetric() {
			for i := 0; i < len(labels); i += 2 {
				found := false
				for _, l := range m.GetLabel() {
					found = found || l.GetName() == labels[i] && l.GetValue() == labels[i+1]
				}
				if !found {
					continue next
				}
			}
			sum += m.GetCounter().GetValue() + m.GetGauge().GetValue() + float64(m.GetHistogram().GetSampleCount())
		}
	}
	return sum
}

func TestMetrics(t *testing.T) {
	registry := metrics{t, prometheus.NewRegistry()}
	value := registry.value
	b := startWith(t, registry, nil)
	f := dial(t, b.addr, sampleDB(t))
	sent, received := value("askpg_messages_total", "from", "client"), value("askpg_messages_total", "from", "server")
	f.talk("select 1", "select * from nosuch", "select * from big limit 50", "-- ask: fail")
	if got := value("askpg_messages_total", "from", "client") - sent; got < 3 || got > 4 {
		t.Errorf("%v messages of the client's", got)
	}
	// T D C Z, E Z, T 50×D C Z, and what the question asked the server.
	if got := value("askpg_messages_total", "from", "server") - received; got < 4+2+53 || got > 4+2+53+20 {
		t.Errorf("%v messages of the server's", got)
	}
	f.conn.Close()
	waitAtMost(t, "sessions", 0, b.Sessions)
	for _, want := range []struct {
		value  float64
		name   string
		labels []string
	}{
		{1, "askpg_errors_total", []string{"side", "server", "code", "42P01"}},
		{1, "askpg_errors_total", []string{"side", "askpg", "code", "ASK01"}},
		{1, "askpg_errors_total", []string{"side", "client", "code", "08006"}},
		{1, "askpg_sessions_total", nil},
		{0, "askpg_sessions", nil},
		{1, "askpg_login_seconds", nil},
		{1, "askpg_questions_total", []string{"code", "ASK01"}},
	} {
		if got := value(want.name, want.labels...); got != want.value {
			t.Errorf("%s%v is %v, want %v", want.name, want.labels, got, want.value)
		}
	}
	for side, least := range map[string]float64{"server": 50 * 7, "client": 3 * 14} {
		if got := value("askpg_bytes_total", "from", side); got < least {
			t.Errorf("%v bytes of the %s's", got, side)
		}
	}
}

// What ends or keeps out sessions is counted, by what did.
func TestMetrics_EndsAndRefusals(t *testing.T) {
	cert, key := newAuthority(t).issue(t, "askpg")
	registry := metrics{t, prometheus.NewRegistry()}
	b := startWith(t, registry, func(c *proxy.Config) {
		c.Listen.MaxSessions, c.Listen.MaxSessionsPerUser = 2, 1
		c.TLS = proxy.TLSConfig{Mode: "allow", Cert: cert, Key: key}
	})
	want := func(n float64, name string, labels ...string) {
		t.Helper()
		for ctx := within(t); registry.value(name, labels...) != n; time.Sleep(time.Millisecond) {
			if ctx.Err() != nil {
				t.Fatalf("%s%v is %v, want %v", name, labels, registry.value(name, labels...), n)
			}
		}
	}
	refused := func() {
		t.Helper()
		if conn, err := pgconn.Connect(within(t), b.url(sampleDB(t))); err == nil {
			conn.Close(context.Background())
			t.Fatal("a session beyond the limit")
		}
	}
	f := dial(t, b.addr, sampleDB(t))
	want(1, "askpg_sessions")
	refused()
	want(1, "askpg_refused_total", "reason", "user")
	cfg := b.config
	cfg.Listen.MaxSessions = 1
	if err := b.Reload(cfg); err != nil {
		t.Fatal(err)
	}
	refused()
	want(1, "askpg_refused_total", "reason", "sessions")

	handshake, err := net.Dial("tcp", b.addr)
	if err != nil {
		t.Fatal(err)
	}
	askTLS(t, handshake)
	_, _ = handshake.Write([]byte("no handshake at all"))
	want(1, "askpg_tls_failures_total")
	handshake.Close()

	f.send(query("-- ask: wait"))
	<-b.fake.started
	want(1, "askpg_questions_open")
	f.cancel(b.addr)
	f.trace(1)
	want(1, "askpg_cancels_total", "outcome", "question")
	want(1, "askpg_questions_total", "code", "57014")
	want(1, "askpg_question_seconds")
	want(0, "askpg_questions_open")
	f.talk("-- ask: how many customers")
	want(1, "askpg_questions_total", "code", "00000")
	f.cancel(b.addr)
	want(1, "askpg_cancels_total", "outcome", "late")

	cfg.Listen.IdleTimeout = ask.Duration(50 * time.Millisecond)
	if err := b.Reload(cfg); err != nil {
		t.Fatal(err)
	}
	if code := f.ending(); code != "57P05" {
		t.Fatalf("told %q", code)
	}
	want(1, "askpg_idle_ended_total")
	want(0, "askpg_sessions")
	cfg.Listen.IdleTimeout = 0
	if err := b.Reload(cfg); err != nil {
		t.Fatal(err)
	}
	f = dial(t, b.addr, sampleDB(t))
	if err := b.Shutdown(within(t)); err != nil {
		t.Fatal(err)
	}
	if code := f.ending(); code != "57P01" {
		t.Fatalf("told %q", code)
	}
	want(1, "askpg_drained_total")
	want(3, "askpg_sessions_total") // one beyond max_sessions was none
}
