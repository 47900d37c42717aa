package store_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"askpg/ask"
	"askpg/ask/param"
	"askpg/store"
)

// BenchmarkStore_CachedAnswers logs answers of the cache as a busy askpg does: fifty a second, each after a look at
// the verified examples and at the rejected answers. It reports how long an asker waits for these look-ups
// and for the log, at the median and at the 95th percentile, and the processor time of each question.
func BenchmarkStore_CachedAnswers(b *testing.B) {
	for name, cfg := range map[string]func(testing.TB) store.Config{"sqlite": sqliteConfig, "postgres": postgresConfig} {
		b.Run(name, func(b *testing.B) {
			ctx := context.Background()
			s := open(b, cfg(b))
			logged := store.Logged(ask.TranslatorFunc(func(_ context.Context, q ask.Question) (*ask.Translation, error) {
				t := translated(q.ID)
				t.Source = ask.SourceCache
				return t, nil
			}), s)
			var lookUps, logs []time.Duration
			tick := time.NewTicker(time.Second / 50)
			defer tick.Stop()
			cpu := cpuTime(b)
			for b.Loop() {
				<-tick.C
				q := asked("how many orders")
				began := time.Now()
				if e, err := s.Fill(ctx, q.Session.Database, q.Session.Role, q.Text, q.Hint, unread); e != nil || err != nil {
					b.Fatal(e, err)
				}
				if s.Withdrawn("key", "select 1") {
					b.Fatal("nothing was rejected")
				}
				found := time.Now()
				if _, err := logged.Translate(ctx, q); err != nil {
					b.Fatal(err)
				}
				lookUps, logs = append(lookUps, found.Sub(began)), append(logs, time.Since(found))
			}
			b.ReportMetric(float64((cpuTime(b)-cpu).Microseconds())/float64(len(logs)), "cpu-µs/op")
			for what, d := range map[string][]time.Duration{"look-up": lookUps, "log": logs} {
				slices.Sort(d)
				b.ReportMetric(float64(d[len(d)/2].Microseconds()), what+"-p50-µs")
				b.ReportMetric(float64(d[len(d)*95/100].Microseconds()), what+"-p95-µs")
			}
		})
	}
}

// unread reads what needs no help.
func unread() *param.Reader { return &param.Reader{} }

// BenchmarkStore_Fill looks for a question among a hundred examples with parameters: "compiled" keeps them
// compiled, as the store does; "anew" reads and compiles them before each look-up.
func BenchmarkStore_Fill(b *testing.B) {
	ctx := context.Background()
	s := open(b, sqliteConfig(b))
	for i := range 100 {
		if _, err := s.AddExample(ctx, store.Example{Database: "shop", MarkedQuestion: fmt.Sprintf("how many orders of kind %d in {state:paid|any}", i),
			MarkedSQL: fmt.Sprintf("select count(*) from orders where kind = %d and state = {state:'paid'}", i), Question: "q", SQL: "select 1"}); err != nil {
			b.Fatal(err)
		}
	}
	for _, name := range []string{"compiled", "anew"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if name == "anew" {
					if err := s.ReadAnew(ctx); err != nil {
						b.Fatal(err)
					}
				}
				if e, err := s.Fill(ctx, "shop", "analyst", "how many orders of kind 7 in open", "", unread); e == nil || err != nil {
					b.Fatal(e, err)
				}
			}
		})
	}
}
