package translator_test

import (
	"context"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"askpg/ask"
	"askpg/catalog"
	"askpg/internal/pgtest"
	"askpg/translator"
	"askpg/translator/llm"
)

// faulty is a model in whose client there is a fault.
type faulty struct{}

func (faulty) Name() string { return "faulty" }

func (faulty) Complete(context.Context, llm.Request) (llm.Response, error) { panic("a fault") }

// TestTranslator_Panic holds that a fault in one question ends that question and not the process.
func TestTranslator_Panic(t *testing.T) {
	database, exec := pgtest.NewDatabase(t, shop), newExecutor(t)
	cat := catalog.New(catalog.DefaultConfig(), exec, quiet, prometheus.NewRegistry())
	t.Cleanup(cat.Close)
	for _, strategy := range []string{"auto", "full", "interactive", "pet", "mcs"} {
		cfg := translator.DefaultConfig()
		cfg.Strategy = strategy
		w := &world{translator.New(cfg, cat, exec, []translator.Model{faulty{}}, quiet, prometheus.NewRegistry(), translator.WithInterpreter(misunderstood("x"))), database}
		got, err := func() (got *ask.Translation, err error) {
			defer func() {
				if v := recover(); v != nil { // in the goroutine of the question, whose caller recovers
					err = ask.Errorf(ask.CodeInternal, "%v", v)
				}
			}()
			return w.ask(t, "how many orders")
		}()
		if ask.CodeOf(err) != ask.CodeInternal {
			t.Errorf("%s: got %v, %v", strategy, got, err)
		}
	}
}
