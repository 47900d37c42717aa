package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"askpg/ask"
)

// insert writes records in one transaction. Those whose id is there already stay as they are, and those that were erased
// since they were asked are left out.
func (s *Store) insert(ctx context.Context, records []*Record) error {
	var fresh []*Record
	err := s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		left, err := s.withoutErased(ctx, tx, records)
		if err != nil || len(left) == 0 {
			return err
		}
		insert := s.insertSQLite
		if s.dialect == postgres {
			insert = s.insertPostgres
		}
		if fresh, err = insert(ctx, tx, left); err != nil {
			return err
		}
		if err := s.countUses(ctx, tx, fresh); err != nil {
			return err
		}
		if err := s.addTotals(ctx, tx, fresh); err != nil {
			return err
		}
		return s.countQuestions(ctx, tx, fresh)
	})
	if err != nil {
		return err
	}
	s.uncopied.Add(int64(len(records)))
	s.metrics.appended.Add(float64(len(fresh)))
	return nil
}

var (
	insertRecord = `insert into translations (` + strings.Join(names(recordFields), ", ") + `) values (` +
		strings.TrimSuffix(strings.Repeat("?, ", len(recordFields)), ", ") + `) on conflict (id) do nothing`
	insertCandidates = `insert into candidates (translation, list) values (?, ?)`

	// One statement for a whole batch: a round trip, however many rows.
	insertRecordset = `with fresh as (
	insert into translations (` + strings.Join(names(recordFields), ", ") + `)
	select ` + strings.Join(names(recordFields), ", ") + ` from jsonb_to_recordset($1::jsonb) as r(` + recordset(recordFields) + `)
	on conflict (id) do nothing returning seq, id
), theirs as (
	insert into candidates (translation, ` + strings.Join(names(candidateFields), ", ") + `)
	select fresh.seq, ` + strings.Join(prefixed("c.", names(candidateFields)), ", ") + `
	from jsonb_to_recordset($2::jsonb) as c(translation text, ` + recordset(candidateFields) + `) join fresh on fresh.id = c.translation
)
select id from fresh`
)

func prefixed(prefix string, names []string) []string {
	for i := range names {
		names[i] = prefix + names[i]
	}
	return names
}

// insertSQLite returns the records that were not there before. The statements
// run without a deadline: the driver would start a goroutine for each. The driver keeps
// them prepared, as it does for Exec and not for Prepare.
func (s *Store) insertSQLite(_ context.Context, tx *sql.Tx, records []*Record) ([]*Record, error) {
	ctx := context.Background()
	var fresh []*Record
	for _, r := range records {
		res, err := tx.ExecContext(ctx, insertRecord, storedValues(recordFields, r)...)
		if err != nil {
			return nil, fmt.Errorf("translation %s: %w", r.ID, err)
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			continue
		}
		seq, err := res.LastInsertId()
		if err != nil {
			return nil, err
		}
		if len(r.Candidates) > 0 {
			list, err := json.Marshal(candidateLists(r.Candidates))
			if err != nil {
				return nil, fmt.Errorf("candidates of translation %s: %w", r.ID, err)
			}
			if _, err := tx.ExecContext(ctx, insertCandidates, seq, string(list)); err != nil {
				return nil, fmt.Errorf("candidates of translation %s: %w", r.ID, err)
			}
		}
		fresh = append(fresh, r)
	}
	return fresh, nil
}

func (s *Store) insertPostgres(ctx context.Context, tx *sql.Tx, records []*Record) ([]*Record, error) {
	candidates := []Candidate{}
	byID := map[string]*Record{}
	for _, r := range records {
		candidates = append(candidates, r.Candidates...)
		byID[r.ID] = r
	}
	rs, err := json.Marshal(records)
	if err != nil {
		return nil, err
	}
	cs, err := json.Marshal(candidates)
	if err != nil {
		return nil, err
	}
	rows, err := tx.QueryContext(ctx, insertRecordset, string(rs), string(cs))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var fresh []*Record
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		fresh = append(fresh, byID[id])
	}
	return fresh, rows.Err()
}

type totalKey struct{ scope, kind, label, day string }

type total struct {
	n, calls, tokens int64
	cost, elapsed    float64
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
	keys := make([]totalKey, 0, len(sums))
	for k := range sums {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b totalKey) int {
		return slices.Compare([]string{a.scope, a.kind, a.label, a.day}, []string{b.scope, b.kind, b.label, b.day})
	})
	const columns = 9
	for len(keys) > 0 {
		n := min(len(keys), 100)
		args := make([]any, 0, n*columns)
		for _, k := range keys[:n] {
			t := sums[k]
			args = append(args, k.scope, k.kind, k.label, k.day, t.n, t.calls, t.tokens, t.cost, t.elapsed)
		}
		row := "(" + strings.TrimSuffix(strings.Repeat("?, ", columns), ", ") + ")"
		query := `insert into totals (scope, kind, label, day, n, calls, tokens, cost, elapsed_ms) values ` +
			strings.TrimSuffix(strings.Repeat(row+", ", n), ", ") + `
			on conflict (scope, kind, label, day) do update set n = totals.n + excluded.n, calls = totals.calls + excluded.calls,
			tokens = totals.tokens + excluded.tokens, cost = totals.cost + excluded.cost, elapsed_ms = totals.elapsed_ms + excluded.elapsed_ms`
		if _, err := tx.ExecContext(ctx, s.bind(query), args...); err != nil {
			return fmt.Errorf("totals: %w", err)
		}
		keys = keys[n:]
	}
	return nil
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
		}
	}
	tokens := r.PromptTokens + r.CompletionTokens
	add("outcome", string(r.Outcome), r.Calls, tokens, r.Cost, r.Elapsed)
	add("role", r.Role, r.Calls, tokens, r.Cost, r.Elapsed)
	add("database", r.Database, r.Calls, tokens, r.Cost, r.Elapsed)
	add("latency", latencyLabel(r.Elapsed), 0, 0, 0, 0)
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

// latencyBounds are in milliseconds; labels sort as text.
var latencyBounds = []float64{10, 30, 100, 300, 1000, 3000, 10000, 30000, 60000}

func latencyLabel(ms float64) string {
	for _, b := range latencyBounds {
		if ms < b {
			return fmt.Sprintf("%06.0f", b)
		}
	}
	return "over"
}

func confidenceLabel(c float64) string {
	return fmt.Sprintf("%.1f", float64(int(min(max(c, 0), 1)*10))/10)
}
