package translator_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"askpg/ask"
	"askpg/catalog"
	"askpg/internal/pgtest"
	"askpg/translator"
)

// TestTranslate_FurtherReadings has the grammar read a question in three ways
// while no model is asked: all of them run and are listed, the best answers,
// and the next one does if the best fails.
func TestTranslate_FurtherReadings(t *testing.T) {
	const orders, shipped, customers, broken = "SELECT count(*) FROM orders", "SELECT count(*) FROM orders WHERE status = 'shipped'",
		"SELECT count(*) FROM customers", "SELECT nothing FROM orders"
	for _, tt := range []struct {
		name       string
		readings   []string
		near       int // the reading that is as likely as the best, 0 if none
		want       string
		confidence float64
	}{
		{"the best answers", []string{orders, shipped, customers}, 0, orders, 0.9},
		{"agreement of the others does not overrule it", []string{orders, shipped, shipped + " AND true"}, 0, orders, 0.9},
		{"the best fails", []string{broken, shipped, customers}, 0, shipped, 0.8},
		{"another is as likely, with other rows", []string{orders, shipped, customers}, 1, "", 0},
		{"so is one whose rows another has, too", []string{orders, shipped, customers, customers + " WHERE true"}, 1, "", 0},
		{"another is as likely, with the same rows", []string{orders, orders + " WHERE true", customers}, 1, orders, 0.9},
		{"a shorter one that has its rows by chance does not stand for it", []string{orders + " WHERE true", orders, customers}, 0, orders + " WHERE true", 0.9},
		{"another is as likely and fails", []string{orders, broken, customers}, 1, orders, 0.9},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, func(string, string, *catalog.Snapshot, translator.InterpretOptions) ([]translator.Reading, error) {
				var list []translator.Reading
				for i, sql := range tt.readings {
					list = append(list, translator.Reading{SQL: sql, Score: 0.9 - float64(i)/10, Near: i > 0 && i == tt.near})
				}
				return list, nil
			}, nil)
			tr, err := w.ask(t, "how many orders")
			if tt.want == "" {
				if e := ask.AsError(err); e == nil || e.Code != ask.CodeLowConfidence || e.Message != fmt.Sprintf("the question can be read in %d ways", len(strings.Split(e.Detail, "\n"))) || !strings.Contains(e.Hint, "ASK(run 2); reading 2") {
					t.Fatalf("got %v, want both readings", err)
				}
				// ask(run N) runs reading N, and says it in words.
				tr := ask.TranslationOf(err)
				for i, line := range strings.Split(ask.AsError(err).Detail, "\n") {
					c := tr.Candidates[tr.Ranked()[i]]
					if c.Understood == "" || line != fmt.Sprintf("%d. %s (1 row)", i+1, c.Understood) {
						t.Errorf("%q, and candidate %d is %q: %s", line, i+1, c.Understood, c.SQL)
					}
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if tr.SQL != tt.want || !strings.HasPrefix(tr.Understood, "number of ") || tr.Confidence < tt.confidence-1e-9 || tr.Confidence > tt.confidence+1e-9 || tr.Source != ask.SourceGrammar {
				t.Errorf("got %q, %q, confidence %v, source %s", tr.SQL, tr.Understood, tr.Confidence, tr.Source)
			}
			if len(tr.Candidates) != 3 {
				t.Fatalf("%d candidates", len(tr.Candidates))
			}
			for _, c := range tr.Candidates {
				if c.Fate == "" || c.SQL != broken && c.Fingerprint == "" {
					t.Errorf("a reading that was not run: %+v", c)
				}
			}
		})
	}
}

// endless is an executor that never ends a statement over customers.
type endless struct{ executor }

type endlessSnapshot struct{ translator.Snapshot }

func (e endless) Begin(ctx context.Context, s ask.Session) (translator.Snapshot, error) {
	snap, err := e.executor.Begin(ctx, s)
	return endlessSnapshot{snap}, err
}

func (s endlessSnapshot) Try(ctx context.Context, sql string) (ask.Plan, *ask.Result, time.Duration, error) {
	if strings.Contains(sql, "customers") {
		<-ctx.Done()
		return ask.Plan{}, nil, 0, ctx.Err()
	}
	return s.Snapshot.Try(ctx, sql)
}

// TestTranslate_SlowReading: the answer does not wait for a reading that is less likely than it.
func TestTranslate_SlowReading(t *testing.T) {
	const orders, customers = "SELECT count(*) FROM orders", "SELECT count(*) FROM customers"
	database, exec := pgtest.NewDatabase(t, shop), newExecutor(t)
	cat := catalog.New(catalog.DefaultConfig(), exec, quiet, prometheus.NewRegistry())
	t.Cleanup(cat.Close)
	read := func(string, string, *catalog.Snapshot, translator.InterpretOptions) ([]translator.Reading, error) {
		return []translator.Reading{{SQL: orders, Score: 0.9}, {SQL: customers, Score: 0.7}}, nil
	}
	w := &world{translator.New(translator.DefaultConfig(), cat, endless{exec}, nil, quiet, prometheus.NewRegistry(), translator.WithInterpreter(read)), database}
	tr, err := w.ask(t, "how many orders")
	if err != nil || tr.SQL != orders {
		t.Fatalf("got %v, %v", tr, err)
	}
	if c := tr.Candidates[1]; c.SQL != customers || c.Fate != ask.FateTimeout {
		t.Errorf("the other reading: %+v", c)
	}
}
