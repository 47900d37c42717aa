package translator_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"askpg/ask"
	"askpg/catalog"
	"askpg/internal/pgtest"
	"askpg/translator"
	"askpg/translator/llm"
	"askpg/translator/llm/llmtest"
)

// bench is a database, its catalog and executor, over which translators of
// different settings are made.
type bench struct {
	world *world
	exec  translator.Executor
	cat   *catalog.Catalog
}

func newBench(t testing.TB) *bench {
	t.Helper()
	exec := newExecutor(t)
	cat := catalog.New(catalog.DefaultConfig(), exec, quiet, prometheus.NewRegistry())
	t.Cleanup(cat.Close)
	return &bench{&world{nil, pgtest.NewDatabase(t, shop)}, exec, cat}
}

// with returns a world of this database under other settings.
func (b *bench) with(t testing.TB, models []translator.Model, interpret translator.Interpreter, opts ...option) *world {
	t.Helper()
	cfg := translator.DefaultConfig()
	for _, o := range opts {
		o(&cfg)
	}
	if err := cfg.Validate(); err != nil {
		t.Fatal(err)
	}
	return &world{translator.New(cfg, b.cat, b.exec, models, quiet, prometheus.NewRegistry(), translator.WithInterpreter(interpret)), b.world.database}
}

// Each strategy makes the calls that its paper's parameters give, and those
// that do not depend on each other at the same time: every round of calls is answered only
// when all of it is there.
func TestStrategies_Rounds(t *testing.T) {
	type round = llmtest.Round
	agree := func(c llmtest.Call) llmtest.Reply {
		switch kindOf(c) {
		case "link tables":
			return many(c.N, `{"tables": ["customers"]}`)
		case "link columns":
			return many(c.N, `{"columns": ["customers.id"]}`)
		case "mask":
			return many(c.N, "how many <table> are there")
		case "augment":
			return many(c.N, "- one row")
		case "turn":
			if strings.Contains(c.Messages[len(c.Messages)-1].Content, "1 row of (count)") {
				return llmtest.Reply{Texts: []string{"Action: Done"}}
			}
			return llmtest.Reply{Texts: []string{"Action: ExecuteSQL(\"" + count + "\")"}}
		case "choose":
			return many(c.N, "CHOICE: 1")
		}
		return many(c.N, fence(count))
	}
	// disagree gives every sample a result of its own, from the n-th on.
	disagree := func(from int64) func(llmtest.Call) llmtest.Reply {
		var n atomic.Int64
		return func(c llmtest.Call) llmtest.Reply {
			if kindOf(c) != "generate" {
				return agree(c)
			}
			var texts []string
			for range c.N {
				if i := n.Add(1); i >= from {
					texts = append(texts, fence(fmt.Sprint("select ", i)))
				} else {
					texts = append(texts, fence(count))
				}
			}
			return llmtest.Reply{Texts: texts}
		}
	}
	mcs := func(pt, pc, pq, n int) option {
		return func(c *translator.Config) {
			c.Strategy, c.MaxCalls = "mcs", 200
			c.MCS.TablePrompts, c.MCS.ColumnPrompts, c.MCS.Prompts, c.MCS.Samples, c.MCS.Threshold = pt, pc, pq, n, 0
		}
	}
	full := func(n int, augment, review bool, reflections int) option {
		return func(c *translator.Config) {
			c.Strategy = "full"
			c.Full.Samples, c.Full.Augment, c.Full.Review, c.Full.Reflections = n, augment, review, reflections
			c.MaxRepairs = 9
		}
	}
	interactive := func(n, turns int) option {
		return func(c *translator.Config) {
			c.Strategy, c.Interactive.Samples, c.Interactive.Turns = "interactive", n, turns
		}
	}
	auto := func(samples, wave, repairs int, explore bool) option {
		return func(c *translator.Config) {
			c.MaxSamples, c.WaveSize, c.MaxRepairs, c.Explore, c.MinConfidence = samples, wave, repairs, explore, 0
		}
	}
	noN := func(c *llm.Config) { c.NativeN = false }
	b := newBench(t)
	demos := filepath.Join(t.TempDir(), "demos.jsonl")
	if err := os.WriteFile(demos, []byte(`{"question": "how many orders are open", "sql": "select count(*) from orders where status = 'open'"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name    string
		set     option
		models  []string // main if there are none
		model   func(*llm.Config)
		demos   bool // a file of demonstrations
		reply   func(llmtest.Call) llmtest.Reply
		samples int // of each call, if not 0
		rounds  []round
	}{
		// MCS-SQL: p_t, then p_c, then p_q requests of n samples, then one of n for the choice.
		{name: "mcs as published", set: mcs(3, 3, 5, 20), reply: disagree(0), samples: 20,
			rounds: []round{{"link tables": 3}, {"link columns": 3}, {"generate": 5}, {"choose": 1}}},
		{name: "mcs, small", set: mcs(1, 2, 3, 2), reply: disagree(0), samples: 2,
			rounds: []round{{"link tables": 1}, {"link columns": 2}, {"generate": 3}, {"choose": 1}}},
		{name: "mcs, unanimous", set: mcs(2, 1, 4, 3), reply: agree, samples: 3,
			rounds: []round{{"link tables": 2}, {"link columns": 1}, {"generate": 4}}},
		{name: "mcs, no linking", set: mcs(0, 0, 2, 5), reply: disagree(0), samples: 5,
			rounds: []round{{"generate": 2}, {"choose": 1}}},
		{name: "mcs, a server without n", set: mcs(2, 1, 2, 3), model: noN, reply: disagree(0), samples: 1,
			rounds: []round{{"link tables": 6}, {"link columns": 3}, {"generate": 6}, {"choose": 3}}},
		{name: "mcs with demonstrations masks the question", set: mcs(1, 1, 2, 4), demos: true, reply: disagree(0),
			rounds: []round{{"link tables": 1}, {"link columns": 1}, {"mask": 1}, {"generate": 2}, {"choose": 1}}},

		// The full schema: augmentation, generation and correction, each as often as results are to vote.
		{name: "full", set: full(3, true, false, 0), reply: agree, rounds: []round{{"augment": 1}, {"generate": 3}}},
		{name: "full without augmentation", set: full(2, false, false, 0), reply: agree, rounds: []round{{"generate": 2}}},
		{name: "full with review", set: full(3, true, true, 0), reply: disagree(0), rounds: []round{{"augment": 1}, {"generate": 3}, {"review": 3}}},
		{name: "full, every correction fails", set: full(2, true, true, 2), reply: func() func(llmtest.Call) llmtest.Reply {
			var n atomic.Int64
			return func(c llmtest.Call) llmtest.Reply {
				if kindOf(c) == "augment" {
					return agree(c)
				}
				return many(c.N, fence(fmt.Sprint("select broken", n.Add(1))))
			}
		}(), rounds: []round{{"augment": 1}, {"generate": 2}, {"repair": 2}, {"reflect": 2}, {"reflect": 2}}},
		{name: "full, corrected by reflection, then reviewed", set: full(1, false, true, 2), reply: func(c llmtest.Call) llmtest.Reply {
			switch kindOf(c) {
			case "generate":
				return llmtest.SQL("select broken")
			case "repair":
				return llmtest.SQL("select broken_again")
			}
			return llmtest.SQL(count)
		}, rounds: []round{{"generate": 1}, {"repair": 1}, {"reflect": 1}, {"review": 1}}},

		// PET-SQL: PreSQL of the strongest, then FinSQL of every model, or of those of the grade.
		{name: "pet, one model", set: func(c *translator.Config) { c.Strategy = "pet" }, reply: agree, samples: 1, rounds: []round{{"generate": 1}, {"generate": 1}}},
		{name: "pet, five models, naive", set: func(c *translator.Config) { c.Strategy = "pet" }, models: []string{"a", "b", "c", "d", "e"}, reply: disagree(5), samples: 1,
			rounds: []round{{"generate": 1}, {"generate": 5}}},
		{name: "pet, by grade", set: func(c *translator.Config) {
			c.Strategy, c.PET.Vote, c.PET.Grades = "pet", "complexity", map[string][]string{"easy": {"b", "c"}, "hard": {"a"}}
		}, models: []string{"a", "b", "c"}, reply: agree, samples: 1, rounds: []round{{"generate": 1}, {"generate": 2}}},
		{name: "pet, a grade without models has all", set: func(c *translator.Config) {
			c.Strategy, c.PET.Vote, c.PET.Grades = "pet", "complexity", map[string][]string{"hard": {"a"}}
		}, models: []string{"a", "b", "c"}, reply: agree, rounds: []round{{"generate": 1}, {"generate": 3}}},

		// Interactive-T2S: a call a turn, loops side by side.
		{name: "interactive", set: interactive(1, 10), reply: agree, samples: 1, rounds: []round{{"turn": 1}, {"turn": 1}}},
		{name: "interactive, three loops", set: interactive(3, 10), reply: agree, rounds: []round{{"turn": 3}, {"turn": 3}}},
		{name: "interactive, turns used up", set: interactive(2, 4), reply: func(llmtest.Call) llmtest.Reply {
			return llmtest.Reply{Texts: []string{"Action: ExecuteSQL(\"" + count + "\")"}}
		}, rounds: []round{{"turn": 2}, {"turn": 2}, {"turn": 2}, {"turn": 2}}},

		// auto: three prompts; more while they can change the outcome; a choice, and a look into the database.
		{name: "auto, all agree", set: auto(7, 2, 2, true), reply: agree, samples: 1, rounds: []round{{"generate": 3}}},
		// A small model is asked for SQL alone: it neither judges nor looks into the database.
		{name: "auto, a small model, none agree", set: func(c *translator.Config) { auto(7, 2, 0, true)(c); c.MinConfidence = 0.9 },
			model: func(c *llm.Config) { c.Small = true }, reply: disagree(0), samples: 1, rounds: []round{{"generate": 3}, {"generate": 2}, {"generate": 2}}},
		{name: "auto, over three models", set: auto(7, 2, 2, true), models: []string{"a", "b", "c"}, reply: agree, rounds: []round{{"generate": 3}}},
		{name: "auto, none agree", set: auto(7, 2, 0, false), reply: disagree(0), rounds: []round{{"generate": 3}, {"generate": 2}, {"generate": 2}}},
		{name: "auto, none agree, larger waves", set: auto(9, 6, 0, false), reply: disagree(0), rounds: []round{{"generate": 3}, {"generate": 6}}},
		{name: "auto, a failed candidate is sent back", set: auto(3, 2, 2, false), reply: func(c llmtest.Call) llmtest.Reply {
			if kindOf(c) == "generate" && c.Number == 1 {
				return llmtest.SQL("select broken")
			}
			return llmtest.SQL(count)
		}, rounds: []round{{"generate": 3}, {"repair": 1}}},
		{name: "auto, a tie is put to the judge", set: auto(4, 1, 0, false), reply: func() func(llmtest.Call) llmtest.Reply {
			var n atomic.Int64
			return func(c llmtest.Call) llmtest.Reply {
				if kindOf(c) == "choose" {
					return many(c.N, "CHOICE: 1")
				}
				return llmtest.SQL([]string{count, "select count(*) from orders"}[n.Add(1)%2])
			}
		}(), rounds: []round{{"generate": 3}, {"generate": 1}, {"choose": 1}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			barrier := llmtest.NewBarrier(kindOf, tt.rounds...)
			server := llmtest.New(t, barrier.Script(tt.reply))
			var models []translator.Model
			names := tt.models
			if names == nil {
				names = []string{"main"}
			}
			for _, name := range names {
				c := server.Config(name)
				c.MaxConcurrency = 64
				if tt.model != nil {
					tt.model(&c)
				}
				models = append(models, newModel(t, c))
			}
			opts := []option{tt.set, func(c *translator.Config) {
				c.ModelTime, c.Timeout = ask.Duration(20*time.Second), ask.Duration(30*time.Second)
				if tt.demos {
					c.DemoFile = demos
				}
			}}
			w := b.with(t, models, nil, opts...)
			_, err := w.ask(t, "how many customers are there")
			if e := barrier.Err(); e != nil {
				t.Fatalf("%v (the question: %v)", e, err)
			}
			for _, c := range server.Calls() {
				if tt.samples != 0 && c.N != tt.samples {
					t.Errorf("a call to %s for %d samples, want %d", kindOf(c), c.N, tt.samples)
				}
			}
		})
	}
}
