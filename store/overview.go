package store

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// OverviewFilter says what an overview counts; zero fields do not filter. The
// sums are kept for roles and for databases, not for both at once: what is of
// both is counted in the log.
type OverviewFilter struct {
	Database string
	Role     string
	Scope    Scope
	Since    time.Time
	Until    time.Time
}

// Overview are sums over the questions of a time.
type Overview struct {
	Questions  int64
	Calls      int64
	Tokens     int64
	Cost       float64 // of the questions and of the catalog's vectors
	Catalog    float64 // of the catalog's vectors alone, in Cost
	Elapsed    float64 // ms, of all questions together
	Days       []Day   // oldest first, without gaps
	Outcomes   []Sum
	Sources    []Sum
	Confidence []Sum // labels 0.0 … 1.0
	Latency    []Sum // labels are upper bounds in ms, then "over"
	Models     []Sum
	Roles      []Sum // those that cost most, as the lists below
	Databases  []Sum
	Codes      []Sum // SQLSTATEs of what failed
	Apps       []Sum
}

// Day is what was asked on a day (UTC).
type Day struct {
	Day       string
	Questions int64
	ByOutcome map[Outcome]int64
	Cost      float64
}

// Sum is what is counted under a label.
type Sum struct {
	Label string
	N     int64
	Calls int64
	Cost  float64
}

// Overview adds up the sums by day, if there are some of what it is of.
func (s *Store) Overview(ctx context.Context, f OverviewFilter) (*Overview, error) {
	s.flush(ctx)
	ctx, cancel := s.readContext(ctx)
	defer cancel()
	of := f.Scope.and(f.Database, f.Role)
	scopes, kept := of.sums()
	o := &Overview{}
	read := s.readSums
	if !kept {
		read = s.countLog
	}
	if err := read(ctx, f, of, scopes, o); err != nil {
		return nil, fmt.Errorf("overview: %w", err)
	}
	for _, list := range []*[]Sum{&o.Roles, &o.Databases, &o.Apps, &o.Models, &o.Codes} {
		slices.SortStableFunc(*list, func(a, b Sum) int { return cmp.Or(cmp.Compare(b.Cost, a.Cost), cmp.Compare(b.N, a.N)) })
		*list = (*list)[:min(len(*list), 20)]
	}
	return o, nil
}

// readSums reads the sums by day of some scopes.
func (s *Store) readSums(ctx context.Context, f OverviewFilter, _ Scope, scopes []string, o *Overview) error {
	c := &clause{}
	c.among("scope", scopes)
	if !f.Since.IsZero() {
		c.add("day >= ?", f.Since.UTC().Format(time.DateOnly))
	}
	if !f.Until.IsZero() {
		c.add("day <= ?", f.Until.UTC().Format(time.DateOnly))
	}
	if err := s.days(ctx, c, o); err != nil {
		return err
	}
	rows, err := s.read.QueryContext(ctx, s.bind(`select kind, label, cast(sum(n) as bigint), cast(sum(calls) as bigint), sum(cost) from totals`+c.String()+` group by kind, label order by kind, label`), c.args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var kind string
		var sum Sum
		if err := rows.Scan(&kind, &sum.Label, &sum.N, &sum.Calls, &sum.Cost); err != nil {
			return err
		}
		o.addSum(kind, sum)
	}
	return rows.Err()
}

// addSum adds what is counted under a label.
func (o *Overview) addSum(kind string, sum Sum) {
	lists := map[string]*[]Sum{
		"outcome": &o.Outcomes, "source": &o.Sources, "confidence": &o.Confidence, "latency": &o.Latency, "model": &o.Models, "code": &o.Codes, "application": &o.Apps, "role": &o.Roles, "database": &o.Databases,
	}
	if list := lists[kind]; list != nil {
		*list = append(*list, sum)
	}
}

// countedFields are the columns that count needs.
var countedFields = fieldsNamed("asked", "database", "role", "application", "outcome", "code", "source", "confidence", "calls", "prompt_tokens", "completion_tokens",
	"cost", "spending", "elapsed_ms")

// countLog counts the translations of a scope, in the days in which readSums adds up the sums.
func (s *Store) countLog(ctx context.Context, f OverviewFilter, of Scope, _ []string, o *Overview) error {
	c := &clause{}
	c.within(of, "")
	if !f.Since.IsZero() {
		c.add("asked >= ?", s.time(f.Since.UTC().Truncate(24*time.Hour)))
	}
	if !f.Until.IsZero() {
		c.add("asked < ?", s.time(f.Until.UTC().Truncate(24*time.Hour).AddDate(0, 0, 1)))
	}
	rows, err := s.read.QueryContext(ctx, s.bind(`select `+strings.Join(names(countedFields), ", ")+` from translations`+c.String()), c.args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	counted := map[totalKey]*total{}
	for rows.Next() {
		var r Record
		if err := rows.Scan(scanTargets(countedFields, &r)...); err != nil {
			return err
		}
		r.Asked = r.Asked.UTC()
		r.count(counted)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	sums := map[[2]string]*Sum{}
	for _, k := range slices.SortedFunc(maps.Keys(counted), func(a, b totalKey) int { return cmp.Compare(a.day, b.day) }) {
		t := counted[k]
		if k.scope != scopeAll {
			continue
		}
		if k.kind == "outcome" {
			o.addDay(k.day, k.kind, Outcome(k.label), t)
		}
		sum := sums[[2]string{k.kind, k.label}]
		if sum == nil {
			sum = &Sum{Label: k.label}
			sums[[2]string{k.kind, k.label}] = sum
		}
		sum.N, sum.Calls, sum.Cost = sum.N+t.n, sum.Calls+t.calls, sum.Cost+t.cost
	}
	for _, k := range slices.SortedFunc(maps.Keys(sums), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		o.addSum(k[0], *sums[k])
	}
	return nil
}

func (s *Store) days(ctx context.Context, c *clause, o *Overview) error {
	days := &clause{where: slices.Clone(c.where), args: slices.Clone(c.args)}
	days.add("kind in ('outcome', '" + catalogKind + "')")
	rows, err := s.read.QueryContext(ctx, s.bind(`select day, kind, label, cast(sum(n) as bigint), cast(sum(calls) as bigint), cast(sum(tokens) as bigint), sum(cost), sum(elapsed_ms) from totals`+
		days.String()+` group by day, kind, label order by day`), days.args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var day, kind string
		var outcome Outcome
		var t total
		if err := rows.Scan(&day, &kind, (*string)(&outcome), &t.n, &t.calls, &t.tokens, &t.cost, &t.elapsed); err != nil {
			return err
		}
		o.addDay(day, kind, outcome, &t)
	}
	return rows.Err()
}

// addDay adds what was asked on a day, and ended so. The days come in their order.
func (o *Overview) addDay(day, kind string, outcome Outcome, t *total) {
	o.Questions, o.Calls, o.Tokens, o.Cost, o.Elapsed = o.Questions+t.n, o.Calls+t.calls, o.Tokens+t.tokens, o.Cost+t.cost, o.Elapsed+t.elapsed
	if len(o.Days) == 0 || o.Days[len(o.Days)-1].Day != day {
		o.fill(day)
	}
	d := &o.Days[len(o.Days)-1]
	d.Questions, d.Cost = d.Questions+t.n, d.Cost+t.cost
	if kind == catalogKind {
		o.Catalog += t.cost
		return
	}
	d.ByOutcome[outcome] += t.n
}

// fill adds a day, and the ones before it on which nobody asked.
func (o *Overview) fill(day string) {
	next, err := time.Parse(time.DateOnly, day)
	if err == nil && len(o.Days) > 0 {
		last, _ := time.Parse(time.DateOnly, o.Days[len(o.Days)-1].Day)
		for d := last.AddDate(0, 0, 1); d.Before(next) && len(o.Days) < 1000; d = d.AddDate(0, 0, 1) {
			o.Days = append(o.Days, Day{Day: d.Format(time.DateOnly), ByOutcome: map[Outcome]int64{}})
		}
	}
	o.Days = append(o.Days, Day{Day: day, ByOutcome: map[Outcome]int64{}})
}
