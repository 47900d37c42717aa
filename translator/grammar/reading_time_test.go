package grammar_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"askpg/internal/warehouse"
	"askpg/translator/grammar"
)

// In a schema of ten times as many tables the words of a question name hardly more than in a small one.
func TestMentions_LargeSchema(t *testing.T) {
	total := func(tables int) (n int) {
		s := warehouse.Snapshot(tables)
		for _, q := range warehouse.Questions(tables, 40) {
			n += grammar.Mentioned(q, s)
		}
		return n
	}
	small, large := total(40), total(400)
	if small == 0 || large > 2*small {
		t.Errorf("%d mentions in 400 tables, %d in 40", large, small)
	}
}

// BenchmarkInterpret reads questions about a warehouse of so many tables, as where models answer too. It reports the time of a
// question at the median and at the 99th percentile; what the engine knows of a schema is there before.
func BenchmarkInterpret(b *testing.B) {
	for _, n := range []int{100, 500, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s, questions := warehouse.Snapshot(n), warehouse.Questions(n, 200)
			o := grammar.Options{Now: time.Now(), Location: time.UTC, SearchPath: []string{"public"}}
			_, _ = grammar.Interpret("how many are there", "", s, o)
			var times []time.Duration
			for i := 0; b.Loop(); i++ {
				began := time.Now()
				_, _ = grammar.Interpret(questions[i%len(questions)], "", s, o)
				times = append(times, time.Since(began))
			}
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)/2].Microseconds()), "µs-median")
			b.ReportMetric(float64(times[len(times)*99/100].Microseconds()), "µs-99%")
		})
	}
}
