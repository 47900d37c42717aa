package store

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"askpg/ask"
)

type totalKey struct{ scope, kind, label, day string }

type total struct {
	n, calls, tokens int64
	cost, elapsed    float64
	answered         int64 // of trendKinds, as the bins of time
	took             [latencyBins]int64
}

// addTotals counts records in the sums by day. The rows are taken in one
// order by everybody, so that instances do not lock each other out.
func (s *Store) addTotals(ctx context.Context, tx *sql.Tx, records []*Record) error {
	sums := map[totalKey]*total{}
	for _, r := range records {
		r.count(sums)
	}
	return s.addSums(ctx, tx, sums)
}

func (s *Store) addSums(ctx context.Context, tx *sql.Tx, sums map[totalKey]*total) error {
	keys := slices.SortedFunc(maps.Keys(sums), func(a, b totalKey) int {
		return slices.Compare([]string{a.scope, a.kind, a.label, a.day}, []string{b.scope, b.kind, b.label, b.day})
	})
	// Two statements: most sums have no times.
	for _, columns := range [][]string{sumColumns, slices.Concat(sumColumns, trendColumns)} {
		var some []totalKey
		for _, k := range keys {
			if slices.Contains(trendKinds, k.kind) == (len(columns) > len(sumColumns)) {
				some = append(some, k)
			}
		}
		for chunk := range slices.Chunk(some, 100) {
			if err := s.addSome(ctx, tx, columns, chunk, sums); err != nil {
				return fmt.Errorf("totals: %w", err)
			}
		}
	}
	return nil
}

// sumColumns are what is added up in every sum, and trendColumns what is in those of trendKinds, too: how many questions were answered, and
// how many took how long.
var (
	sumColumns   = []string{"n", "calls", "tokens", "cost", "elapsed_ms"}
	trendColumns = func() []string {
		list := []string{"answered"}
		for _, b := range latencyBounds {
			list = append(list, fmt.Sprintf("took_%.0f", b))
		}
		return append(list, "took_over")
	}()
	trendKinds = []string{"login", "role", "database", "model"}
)

// addSome adds to the sums of some keys in one statement.
func (s *Store) addSome(ctx context.Context, tx *sql.Tx, columns []string, keys []totalKey, sums map[totalKey]*total) error {
	args := make([]any, 0, len(keys)*(4+len(columns)))
	for _, k := range keys {
		t := sums[k]
		args = append(args, k.scope, k.kind, k.label, k.day, t.n, t.calls, t.tokens, t.cost, t.elapsed)
		if len(columns) > len(sumColumns) {
			args = append(args, t.answered)
			for _, n := range t.took {
				args = append(args, n)
			}
		}
	}
	row := "(" + repeated("?", 4+len(columns)) + ")"
	set := mapped(columns, func(c string) string { return c + " = totals." + c + " + excluded." + c })
	_, err := tx.ExecContext(ctx, s.bind(`insert into totals (scope, kind, label, day, `+strings.Join(columns, ", ")+`) values `+
		repeated(row, len(keys))+` on conflict (scope, kind, label, day) do update set `+strings.Join(set, ", ")), args...)
	return err
}

// scopeAll and the functions after it name what the sums are kept for.
const scopeAll = "all"

func scopeRole(role string) string         { return "role " + role }
func scopeDatabase(database string) string { return "database " + database }

// count adds r to the sums that the overview shows.
func (r *Record) count(sums map[totalKey]*total) {
	scopes := []string{scopeAll, scopeRole(r.Role), scopeDatabase(r.Database)}
	day := r.Asked.Format(time.DateOnly)
	add := func(kind, label string, calls, tokens int64, cost, elapsed float64) {
		for _, scope := range scopes {
			k := totalKey{scope, kind, short(label), day}
			t := sums[k]
			if t == nil {
				t = &total{}
				sums[k] = t
			}
			t.n, t.calls, t.tokens, t.cost, t.elapsed = t.n+1, t.calls+calls, t.tokens+tokens, t.cost+cost, t.elapsed+elapsed
			if slices.Contains(trendKinds, kind) {
				t.took[latencyBin(r.Elapsed)]++
				if r.Outcome == Answered {
					t.answered++
				}
			}
		}
	}
	tokens := r.PromptTokens + r.CompletionTokens
	add("outcome", string(r.Outcome), r.Calls, tokens, r.Cost, r.Elapsed)
	add("login", r.Login, r.Calls, tokens, r.Cost, r.Elapsed)
	add("role", r.Role, r.Calls, tokens, r.Cost, r.Elapsed)
	add("database", r.Database, r.Calls, tokens, r.Cost, r.Elapsed)
	add("latency", latencyLabels[latencyBin(r.Elapsed)], 0, 0, 0, 0)
	if r.Source != "" {
		add("source", r.Source, r.Calls, tokens, r.Cost, 0)
	}
	if r.Outcome == Answered {
		add("confidence", confidenceLabel(r.Confidence), 0, 0, 0, 0)
	}
	if r.Code != "" {
		add("code", r.Code, 0, 0, 0, 0)
	}
	if r.Application != "" {
		add("application", r.Application, r.Calls, tokens, r.Cost, 0)
	}
	if r.Calls == 0 {
		return
	}
	models := map[string]ModelUse{}
	for i := range r.Candidates {
		if m := r.Candidates[i].Model; m != "" {
			models[m] = ModelUse{}
		}
	}
	for _, m := range r.Spending {
		models[m.Model] = m
	}
	for name, m := range models {
		add("model", name, m.Calls, m.PromptTokens+m.CompletionTokens, m.Cost, 0)
	}
}

// catalogKind is the kind of the sums of what no question has spent: vectors of the catalog.
const catalogKind = "catalog"

// countCatalog adds what a model was used for on behalf of no question.
func countCatalog(sums map[totalKey]*total, now time.Time, model string, u ask.Usage) {
	for kind, label := range map[string]string{catalogKind: "vectors", "model": model} {
		sums[totalKey{scopeAll, kind, short(label), now.Format(time.DateOnly)}] = &total{calls: int64(u.Calls), tokens: int64(u.PromptTokens + u.CompletionTokens), cost: u.Cost}
	}
}

// latencyBounds are the upper bounds of the bins of time, in milliseconds; the last bin has none.
var latencyBounds = [...]float64{10, 30, 100, 300, 1000, 3000, 10000, 30000, 60000}

const latencyBins = len(latencyBounds) + 1

// latencyLabels are the labels of the bins; they sort as text.
var latencyLabels = func() (labels [latencyBins]string) {
	for i, b := range latencyBounds {
		labels[i] = fmt.Sprintf("%06.0f", b)
	}
	labels[latencyBins-1] = "over"
	return labels
}()

func latencyBin(ms float64) int {
	for i, b := range latencyBounds {
		if ms < b {
			return i
		}
	}
	return latencyBins - 1
}

func confidenceLabel(c float64) string {
	return fmt.Sprintf("%.1f", float64(int(min(max(c, 0), 1)*10))/10)
}
