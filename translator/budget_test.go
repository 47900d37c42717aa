package translator_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"askpg/ask"
	"askpg/translator"
	"askpg/translator/llm"
	"askpg/translator/llm/llmtest"
)

// A question's own budget is never gone over, whatever the answers will be;
// what was found within it answers if it suffices, else the budget is why there is no answer.
// An answer may be 100 tokens long, each of which costs 0.01, and is 10.
func TestQuestionBudget(t *testing.T) {
	b := newBench(t)
	unsure := reading("select count(*) + 1 from customers", 0.6)
	for _, tt := range []struct {
		name      string
		interpret translator.Interpreter
		strategy  string
		cost      float64
		tokens    int
		options   map[string]string
		calls     int
		code      string
		detail    string
		notice    string
	}{
		{name: "no budget", strategy: "auto", calls: 3},
		{name: "enough", strategy: "auto", cost: 3, tokens: 1e6, calls: 3},
		{name: "room for one call", strategy: "auto", cost: 1.05, calls: 1, notice: "a cost of 0.1 of 1.05 in 1 calls, and the next may cost 1"},
		{name: "room for none", strategy: "auto", cost: 0.5, code: ask.CodeBudget, detail: "A cost of 0 of 0.5 in 0 calls, and the next may cost 1"},
		{name: "tokens for none", strategy: "auto", tokens: 100, code: ask.CodeBudget, detail: "0 of 100 tokens in 0 calls, and the next may take"},
		{name: "what was found does not suffice", interpret: unsure, strategy: "auto", cost: 1.05, options: map[string]string{"min_confidence": "0.9"},
			calls: 1, code: ask.CodeBudget, detail: ". number of customers ("},
		{name: "the grammar suffices", interpret: reading(count, 0.9), strategy: "auto", cost: 0.5, notice: "a cost of 0 of 0.5 in 0 calls"},
		{name: "a session's own", strategy: "auto", options: map[string]string{"max_cost": "0.5"}, code: ask.CodeBudget, detail: "of 0.5"},
		{name: "a session can't ask for more", strategy: "auto", cost: 0.5, options: map[string]string{"max_cost": "50"}, code: ask.CodeBudget, detail: "of 0.5"},
		{name: "no number", strategy: "auto", options: map[string]string{"max_tokens": "many"}, code: ask.CodeInvalidParameter},
		{name: "full", strategy: "full", cost: 1.05, code: ask.CodeBudget, calls: 1},
		{name: "pet", strategy: "pet", cost: 1.05, calls: 1, notice: ""},
		{name: "interactive", strategy: "interactive", cost: 0.5, code: ask.CodeBudget},
	} {
		t.Run(tt.name, func(t *testing.T) {
			server := llmtest.New(t, func(c llmtest.Call) llmtest.Reply {
				r := many(c.N, fence(count))
				r.Delay = 100 * time.Millisecond
				return r
			})
			main := server.Config("main")
			main.MaxTokens, main.PriceIn, main.PriceOut = 100, 0, 1e4
			w := b.with(t, []translator.Model{newModel(t, main)}, tt.interpret, func(c *translator.Config) {
				c.Strategy, c.MaxCost, c.MaxTokens = tt.strategy, tt.cost, tt.tokens
				c.Full.Samples = 1
			})
			q := w.question("how many customers are there")
			q.Options = tt.options
			tr, err := w.Translate(context.Background(), q)
			if got := len(server.Calls()); got != tt.calls && tt.strategy == "auto" {
				t.Errorf("%d calls, want %d", got, tt.calls)
			}
			if tt.code == "" && err != nil || ask.CodeOf(err) != tt.code && tt.strategy != "pet" {
				t.Fatalf("%v, want %q", err, tt.code)
			}
			if err != nil {
				if e := ask.AsError(err); !strings.Contains(e.Detail, tt.detail) {
					t.Errorf("detail %q does not have %q", e.Detail, tt.detail)
				}
				tr = ask.TranslationOf(err)
			}
			if tr == nil {
				return
			}
			if tt.cost > 0 && tr.Usage.Cost > tt.cost {
				t.Errorf("it cost %v", tr.Usage.Cost)
			}
			if tt.notice != "" && !slices.ContainsFunc(tr.Notices, func(n string) bool { return strings.Contains(n, tt.notice) }) {
				t.Errorf("notices %q do not say %q", tr.Notices, tt.notice)
			}
		})
	}
}

// What a call may spend at most is set aside while it runs, and no longer: of a
// budget for one long answer and a half a question can have several short ones.
func TestQuestionBudget_GivenBack(t *testing.T) {
	b := newBench(t)
	for name, limit := range map[string]func(c *translator.Config){
		"tokens": func(c *translator.Config) { c.MaxTokens = 30_000 },
		"cost":   func(c *translator.Config) { c.MaxCost = 1.5 },
	} {
		t.Run(name, func(t *testing.T) {
			server := llmtest.New(t, func(c llmtest.Call) llmtest.Reply {
				r := many(c.N, fence(count))
				if c.Number == 1 { // which has to be sent back
					r = many(c.N, fence("select nosuch from customers"))
				}
				r.Delay = 100 * time.Millisecond
				return r
			})
			main := server.Config("main")
			main.Window, main.MaxTokens, main.PriceIn, main.PriceOut = 100_000, 20_000, 0, 50
			w := b.with(t, []translator.Model{newModel(t, main)}, nil, func(c *translator.Config) {
				c.Strategy = "auto"
				limit(c)
			})
			tr, err := w.Translate(context.Background(), w.question("how many customers are there"))
			if err != nil || tr.SQL != count || len(server.Calls()) != 2 {
				t.Fatalf("%+v, %v after %d calls", tr, err, len(server.Calls()))
			}
		})
	}
}

// So many candidates are sent back as translator.max_repairs says, and none twice.
func TestAuto_Repairs(t *testing.T) {
	b := newBench(t)
	const samples = 3
	for repairs, want := range map[int]int{0: samples, 1: samples + 1, 2: samples + 2, 9: 2 * samples} {
		t.Run(fmt.Sprint(repairs), func(t *testing.T) {
			server := llmtest.New(t, func(c llmtest.Call) llmtest.Reply {
				return many(c.N, fence(fmt.Sprintf("select nosuch%d from customers", c.Number)))
			})
			w := b.with(t, []translator.Model{newModel(t, server.Config("main"))}, nil, func(c *translator.Config) {
				c.Strategy, c.MaxSamples, c.MaxRepairs, c.MaxCalls, c.Explore = "auto", samples, repairs, 50, false
			})
			if _, err := w.Translate(context.Background(), w.question("how many customers are there")); ask.CodeOf(err) != ask.CodeNoCandidate {
				t.Fatal(err)
			}
			if n := len(server.Calls()); n != want {
				t.Errorf("%d calls, want %d", n, want)
			}
		})
	}
}

// Of two readings with as many votes neither is the answer, however little
// confidence is asked for.
func TestAuto_Tie(t *testing.T) {
	b := newBench(t)
	{
		server := llmtest.New(t, func(c llmtest.Call) llmtest.Reply {
			return many(c.N, fence(fmt.Sprintf("select count(*) + %d from customers", c.Number%2)))
		})
		w := b.with(t, []translator.Model{newModel(t, server.Config("main"))}, nil, func(c *translator.Config) {
			c.Strategy, c.MaxSamples, c.MaxCalls, c.MinConfidence, c.Explore = "auto", 2, 2, 0.01, false
		})
		if tr, err := w.Translate(context.Background(), w.question("how many customers are there")); ask.CodeOf(err) != ask.CodeLowConfidence {
			t.Errorf("%+v, %v", tr, err)
		}
	}
}

// verified are the examples of a store, the lexically nearest first.
type verified []translator.Example

func (v verified) Similar(_ context.Context, _ *ask.Question, k int) ([]translator.Example, error) {
	return v[:min(k, len(v))], nil
}

// Verified examples are chosen by meaning where a model embeds, which is
// counted in what the question spends and asked once for each text; where it is
// not affordable words choose.
func TestAuto_EmbedsExamples(t *testing.T) {
	const nearest = "how many people buy from us"
	var examples verified
	for i := range 9 {
		examples = append(examples, translator.Example{Question: fmt.Sprintf("how many customers are there in region %d", i), SQL: "select 1"})
	}
	examples = append(examples, translator.Example{Question: nearest, SQL: count})
	b := newBench(t)
	for _, tt := range []struct {
		name     string
		examples verified
		tokens   int
		requests int
		found    bool
	}{
		{"by meaning", examples, 0, 1, true},
		{"all have room", examples[7:], 0, 0, true},
		{"not affordable", examples, 20, 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			server := llmtest.New(t, func(c llmtest.Call) llmtest.Reply { return many(c.N, fence(count)) })
			server.Embed(func(text string) []float32 {
				if text == nearest || text == "how many customers are there" {
					return []float32{1, 0.1}
				}
				return []float32{-1, 0.2}
			})
			vectors := server.Config("vectors")
			vectors.Roles, vectors.PriceIn = []string{llm.RoleEmbed}, 1e6
			cfg := translator.DefaultConfig()
			cfg.MaxTokens = tt.tokens
			w := &world{translator.New(cfg, b.cat, b.exec, []translator.Model{newModel(t, server.Config("main")), newModel(t, vectors)}, quiet, nil,
				translator.WithInterpreter(nil), translator.WithExamples(tt.examples)), b.world.database}
			for round := range 2 {
				tr, err := w.Translate(context.Background(), w.question("how many customers are there"))
				if tt.tokens > 0 {
					if ask.CodeOf(err) != ask.CodeBudget || ask.TranslationOf(err).Usage.Calls != 0 {
						t.Fatalf("%v", err)
					}
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				if tr.Demos = tr.Demos[:min(len(tr.Demos), 1)]; tt.requests > 0 && (len(tr.Demos) == 0 || tr.Demos[0] != nearest) {
					t.Errorf("demonstrations %q", tr.Demos)
				}
				calls, cost := 3, 0.0
				if round == 0 && tt.requests > 0 {
					calls, cost = 4, 1
				}
				if tr.Usage.Calls != calls || tr.Usage.Cost < cost || cost == 0 && tr.Usage.Cost != 0 {
					t.Errorf("round %d: %+v", round, tr.Usage)
				}
			}
			if got := len(server.Embedded()); got != tt.requests {
				t.Errorf("%d requests for vectors, want %d", got, tt.requests)
			}
		})
	}
}
