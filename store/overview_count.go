package store

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"
)

// countedFields are the columns that count needs.
var countedFields = fieldsNamed("asked", "database", "role", "login", "application", "outcome", "code", "source", "confidence", "calls", "prompt_tokens", "completion_tokens",
	"cost", "spending", "elapsed_ms")

// countLog counts the translations of a scope, in the days in which readSums adds up the sums.
func (s *Store) countLog(ctx context.Context, f OverviewFilter, of Scope, o *Overview) error {
	c := &clause{}
	c.within(of, "")
	c.add("asked >= ?", s.time(f.Compare.UTC().Truncate(24*time.Hour)))
	counted := map[totalKey]*total{}
	err := eachOf(ctx, s, s.read, `select `+columns("", countedFields)+` from translations`+c.String(), c.args, scanTargets(countedFields), func(r *Record) error {
		r.count(counted)
		return nil
	})
	if err != nil {
		return err
	}
	type label struct {
		before      string // "before" for the period before, which is sorted last
		kind, label string
	}
	since := f.Since.UTC().Format(time.DateOnly)
	sums := map[label]*Sum{}
	for _, k := range slices.SortedFunc(maps.Keys(counted), func(a, b totalKey) int { return cmp.Compare(a.day, b.day) }) {
		t := counted[k]
		if k.scope != scopeAll {
			continue
		}
		of := label{"", k.kind, k.label}
		if k.day < since {
			of.before = "before"
		} else if k.kind == "outcome" {
			o.addDay(k.day, k.kind, Outcome(k.label), t)
		}
		sum := sums[of]
		if sum == nil {
			sum = &Sum{Label: k.label}
			sums[of] = sum
		}
		sum.N, sum.Calls, sum.Cost, sum.Answered = sum.N+t.n, sum.Calls+t.calls, sum.Cost+t.cost, sum.Answered+t.answered
		for i, n := range t.took {
			sum.Took[i] += n
		}
	}
	for _, k := range slices.SortedFunc(maps.Keys(sums), func(a, b label) int {
		return cmp.Or(cmp.Compare(a.before, b.before), cmp.Compare(a.kind, b.kind), cmp.Compare(a.label, b.label))
	}) {
		o.addSum(k.kind, *sums[k], k.before != "")
	}
	o.cut()
	return nil
}
