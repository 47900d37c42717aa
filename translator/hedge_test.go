package translator_test

import (
	"context"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"askpg/ask"
	"askpg/translator"
	"askpg/translator/llm"
	"askpg/translator/llm/llmtest"
)

// A slow call goes to the next model of its role as well: the first answer
// counts, the other call ends at its server, and both are paid for.
func TestHedge(t *testing.T) {
	b := newBench(t)
	hang := func(llmtest.Call) llmtest.Reply { return llmtest.Reply{Hang: true} }
	slow := func(llmtest.Call) llmtest.Reply { r := llmtest.SQL(count); r.Delay = 20 * time.Millisecond; return r }
	broken := func(llmtest.Call) llmtest.Reply { return llmtest.Reply{Status: 400, Message: "no"} }
	const soon, never = time.Millisecond, time.Hour
	for _, tt := range []struct {
		name          string
		after         time.Duration
		first, second func(llmtest.Call) llmtest.Reply
		hold          bool     // the first answers only when the second has been asked
		roles         []string // of the second; both if nil
		maxCalls      int
		calls         [2]int // to each
		abandoned     [2]int
		origin        string // of the candidate; none if the question fails
		won, lost     float64
	}{
		{name: "the second answers", after: soon, first: hang, second: answers(count), calls: [2]int{1, 1}, abandoned: [2]int{1, 0}, origin: "second", won: 1},
		{name: "the first answers after all", after: soon, first: slow, second: hang, hold: true, calls: [2]int{1, 1}, abandoned: [2]int{0, 1}, origin: "first", lost: 1},
		{name: "the second fails", after: soon, first: slow, second: broken, hold: true, calls: [2]int{1, 1}, origin: "first", lost: 1},
		{name: "the first fails late", after: soon, first: broken, second: slow, hold: true, calls: [2]int{1, 1}, origin: "second", won: 1},
		{name: "both fail", after: soon, first: broken, second: broken, hold: true, calls: [2]int{1, 1}, lost: 1},
		{name: "the first is fast", after: never, first: answers(count), second: hang, calls: [2]int{1, 0}, origin: "first"},
		{name: "a failure is not hedged", after: never, first: broken, second: answers(count), calls: [2]int{1, 0}},
		{name: "off", after: 0, first: slow, second: answers(count), calls: [2]int{1, 0}, origin: "first"},
		{name: "no other model of the role", after: soon, first: slow, second: answers(count), roles: []string{llm.RoleJudge}, calls: [2]int{1, 0}, origin: "first"},
		{name: "no call left", after: soon, first: slow, second: answers(count), maxCalls: 1, calls: [2]int{1, 0}, origin: "first"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			reached, asked := make(chan struct{}), make(chan struct{})
			servers := [2]*llmtest.Server{
				llmtest.New(t, func(c llmtest.Call) llmtest.Reply {
					close(reached)
					r := tt.first(c)
					if tt.hold {
						r.Until = asked
					}
					return r
				}),
				llmtest.New(t, func(c llmtest.Call) llmtest.Reply {
					close(asked)
					r := tt.second(c)
					r.Until = reached
					return r
				}),
			}
			var models []translator.Model
			for i, name := range []string{"first", "second"} {
				c := servers[i].Config(name)
				c.Retries, c.PriceIn = 0, 1e6
				if i == 1 && tt.roles != nil {
					c.Roles = tt.roles
				}
				models = append(models, newModel(t, c))
			}
			cfg := translator.DefaultConfig()
			cfg.HedgeAfter, cfg.MaxSamples, cfg.MinConfidence = ask.Duration(tt.after), 1, 0
			if tt.maxCalls > 0 {
				cfg.MaxCalls = tt.maxCalls
			}
			reg := prometheus.NewRegistry()
			w := &world{translator.New(cfg, b.cat, b.exec, models, quiet, reg, translator.WithInterpreter(nil)), b.world.database}
			tr, err := w.ask(t, "how many customers")
			if tt.origin == "" {
				if ask.CodeOf(err) != ask.CodeNoModel {
					t.Fatalf("got %+v, %v; want no model", tr, err)
				}
				tr = ask.TranslationOf(err)
			} else if err != nil || tr.Candidates[0].Origin.Model != tt.origin {
				t.Fatalf("got %+v, %v; want an answer of %s", tr, err, tt.origin)
			}
			sum := 0
			for i, s := range servers {
				if got := len(s.Calls()); got != tt.calls[i] {
					t.Errorf("%d calls to server %d, want %d", got, i+1, tt.calls[i])
				}
				sum += tt.calls[i]
				deadline, cancel := context.WithTimeout(t.Context(), 10*time.Second)
				for s.Abandoned() < tt.abandoned[i] && deadline.Err() == nil {
					time.Sleep(time.Millisecond)
				}
				cancel()
				if got := s.Abandoned(); got != tt.abandoned[i] {
					t.Errorf("%d calls ended at server %d, want %d", got, i+1, tt.abandoned[i])
				}
			}
			if tr.Usage.Calls != sum {
				t.Errorf("usage of %d calls, want %d", tr.Usage.Calls, sum)
			}
			if tt.abandoned != [2]int{} && tr.Usage.Cost < 101 {
				t.Errorf("cost %v: the call that was called off is not in it", tr.Usage.Cost)
			}
			for outcome, want := range map[string]float64{"won": tt.won, "lost": tt.lost} {
				if got := metric(t, reg, "askpg_model_hedges_total", outcome); got != want {
					t.Errorf("%v hedges %s, want %v", got, outcome, want)
				}
			}
		})
	}
}

// metric sums a counter over the label values that are given.
func metric(t *testing.T, reg *prometheus.Registry, name, value string) float64 {
	t.Helper()
	families, err := reg.Gather()
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, f := range families {
		for _, m := range f.GetMetric() {
			for _, l := range m.GetLabel() {
				if f.GetName() == name && l.GetValue() == value {
					sum += m.GetCounter().GetValue()
				}
			}
		}
	}
	return sum
}
