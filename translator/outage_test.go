package translator_test

import (
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"askpg/ask"
	"askpg/translator"
	"askpg/translator/llm"
	"askpg/translator/llm/llmtest"
)

// logLines counts the lines of a log by level and message.
type logLines struct {
	mu    sync.Mutex
	lines []string
}

func (l *logLines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, string(p))
	return len(p), nil
}

func (l *logLines) with(words ...string) (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
next:
	for _, line := range l.lines {
		for _, w := range words {
			if !strings.Contains(line, w) {
				continue next
			}
		}
		n++
	}
	return n
}

const secretKey = "sk-verysecret-0123456789"

// Of three models, one is killed and the key of another is refused in the middle of
// questions. Answers, confidence and the number of votes stay as they were, and each
// outage is one ERROR and one state of a metric.
func TestOutage(t *testing.T) {
	var killed, refused atomic.Bool
	var log logLines
	reg := prometheus.NewRegistry()
	t.Setenv("OUTAGE_KEY", secretKey)
	script := func(name string) func(llmtest.Call) llmtest.Reply {
		return func(c llmtest.Call) llmtest.Reply {
			switch {
			case name == "killed" && killed.Load():
				return llmtest.Reply{Status: 503, Message: "gone"}
			case name == "refused" && refused.Load():
				return llmtest.Reply{Status: 401, Message: "Incorrect API key provided: sk-verysec***6789"}
			case strings.Contains(c.Text(), "wavering") && c.Temperature < 0.1 && strings.Contains(c.Text(), "CREATE TABLE"):
				return llmtest.SQL("select 5")
			}
			return llmtest.SQL(count)
		}
	}
	var models []translator.Model
	var clients []*llm.Client
	for _, name := range []string{"steady", "killed", "refused"} {
		s := llmtest.New(t, script(name))
		c := s.Config(name)
		c.Retries, c.APIKeyEnv = 0, "OUTAGE_KEY"
		m, err := llm.New(c, slog.New(slog.NewTextHandler(&log, nil)), reg)
		if err != nil {
			t.Fatal(err)
		}
		models, clients = append(models, m), append(clients, m)
	}
	w := newWorld(t, misunderstood("this"), models)
	// round asks questions and returns what came of them.
	round := func() (out []string) {
		for i := range 8 {
			text := fmt.Sprintf("how many customers, number %d", i)
			if i%2 == 1 {
				text += " wavering"
			}
			tr, err := w.ask(t, text)
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			voted := 0
			for _, c := range tr.Candidates {
				if c.Fate != ask.FateNoAnswer {
					voted++
				}
			}
			out = append(out, fmt.Sprintf("%s %.3f of %d", tr.Result.Rows[0][0], tr.Confidence, voted))
		}
		return out
	}
	before := round()
	killed.Store(true)
	refused.Store(true)
	during := round()
	if strings.Join(before, "\n") != strings.Join(during, "\n") {
		t.Errorf("before\n%s\nduring the outage\n%s", strings.Join(before, "\n"), strings.Join(during, "\n"))
	}
	for i, want := range []llm.Health{{State: llm.Ready}, {State: llm.Away, Reason: "unavailable (HTTP 503)"}, {State: llm.KeyRefused, Reason: "key refused (HTTP 401)"}} {
		h := clients[i].Health()
		if h.State != want.State || h.Reason != want.Reason || h.Since.IsZero() {
			t.Errorf("%s: %+v, want %+v", clients[i].Name(), h, want)
		}
	}
	for _, words := range [][]string{{"level=ERROR", "model=killed", "state=away"}, {"level=ERROR", "model=refused", `state="key refused"`, "OUTAGE_KEY"}} {
		if n := log.with(words...); n != 1 {
			t.Errorf("%d lines with %q, want 1", n, words)
		}
	}
	if n := log.with("level=ERROR"); n != 2 {
		t.Errorf("%d errors in the log, want 2: %q", n, log.lines)
	}
	states := map[string]float64{}
	families, err := reg.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			if f.GetName() == "askpg_model_state" {
				states[m.GetLabel()[0].GetValue()+" "+m.GetLabel()[1].GetValue()] = m.GetGauge().GetValue()
			}
		}
	}
	if states["steady ready"] != 1 || states["killed away"] != 1 || states["refused key refused"] != 1 || len(states) != 9 {
		t.Errorf("metrics: %v", states)
	}
	if n := log.with("sk-very"); n != 0 {
		t.Errorf("%d lines have a part of the key", n)
	}
}

// With the keys of all models refused the asker reads which models refuse, and what an
// administrator does, and nothing of the key. Only the first questions are sent.
func TestOutage_AllKeysRefused(t *testing.T) {
	t.Setenv("OUTAGE_KEY", secretKey)
	m, s := model(t, func(llmtest.Call) llmtest.Reply {
		return llmtest.Reply{Status: 401, Message: "Incorrect API key provided: sk-verysec***6789"}
	}, func(c *llm.Config) { c.APIKeyEnv = "OUTAGE_KEY" })
	w := newWorld(t, misunderstood("this"), []translator.Model{m})
	for range 2 {
		_, err := w.ask(t, "how many customers are there?")
		e := ask.AsError(err)
		if e == nil || e.Code != ask.CodeNoModel || e.Message != "the server of model main does not accept askpg's key" ||
			!strings.Contains(e.Hint, "api_key_env") || !strings.Contains(e.Hint, "SHOW askpg.models") {
			t.Fatalf("%+v", e)
		}
		if text := e.Message + e.Detail + e.Hint; strings.Contains(text, "sk-very") || strings.Contains(text, "in time") {
			t.Fatalf("the asker reads %q", text)
		}
	}
	if n := len(s.Calls()); n > 3 {
		t.Errorf("%d calls with a refused key", n)
	}
}

// Each preset gives its calls to the model that is up while the key of the other is
// refused: the answer is as sure as before, and once the key is refused no further question
// asks that model.
func TestOutage_Presets(t *testing.T) {
	for _, strategy := range []string{"auto", "mcs", "full", "pet", "interactive"} {
		t.Run(strategy, func(t *testing.T) {
			var refused atomic.Bool
			answer := func(c llmtest.Call) llmtest.Reply {
				if kindOf(c) == "turn" && strings.Contains(c.Messages[len(c.Messages)-1].Content, "Observation:") {
					return llmtest.Reply{Texts: []string{"Action: Done"}}
				}
				return many(max(c.N, 1), fence(count))
			}
			refusing := llmtest.New(t, func(c llmtest.Call) llmtest.Reply {
				if refused.Load() {
					return llmtest.Reply{Status: 401}
				}
				return answer(c)
			})
			steady := llmtest.New(t, answer)
			models := []translator.Model{newModel(t, refusing.Config("refusing")), newModel(t, steady.Config("steady"))}
			w := newWorld(t, misunderstood("this"), models, func(c *translator.Config) {
				c.Strategy = strategy
				c.MCS.Samples, c.MCS.Demos = 2, 0
				c.Interactive.Samples = 3
			})
			var before *ask.Translation
			sent := 0
			for i := range 3 {
				tr, err := w.ask(t, "how many customers are there?")
				if err != nil {
					t.Fatalf("question %d: %v", i, err)
				}
				if before == nil {
					before = tr
					refused.Store(true)
				}
				if string(tr.Result.Rows[0][0]) != "30" || tr.Confidence != before.Confidence {
					t.Errorf("question %d: %s with %.3f, before %.3f", i, tr.Result.Rows[0][0], tr.Confidence, before.Confidence)
				}
				if i == 2 {
					for _, c := range tr.Candidates {
						if c.Origin.Model == "refusing" || c.Fate == ask.FateNoAnswer {
							t.Errorf("candidate of %s, %s", c.Origin.Model, c.Fate)
						}
					}
				}
				if i == 1 {
					sent = len(refusing.Calls())
				}
			}
			if sent != len(refusing.Calls()) {
				t.Error("a model whose key is refused was asked again")
			}
		})
	}
}

// A call that is not sent, as the circuit is open, takes nothing of a question's calls:
// those that are left go to the model that is up.
func TestOutage_UnsentCallsAreNotCounted(t *testing.T) {
	dead := llmtest.New(t, func(llmtest.Call) llmtest.Reply { return llmtest.Reply{Status: 503} })
	c := dead.Config("dead")
	c.Retries, c.BreakerFailures, c.MaxConcurrency = 0, 1, 1 // so that the second of two calls finds the circuit open
	steady, server := model(t, answers(count))
	w := newWorld(t, misunderstood("this"), []translator.Model{newModel(t, c), steady}, func(c *translator.Config) { c.MaxCalls = 4 })
	tr, err := w.ask(t, "how many customers are there?")
	if err != nil || tr.Confidence < 0.85 {
		t.Fatal(tr, err)
	}
	if failed, got := len(dead.Calls()), len(server.Calls()); failed != 1 || got != 3 {
		t.Errorf("%d calls to the model that is away and %d to the one that is up, want 1 and 3", failed, got)
	}
}
