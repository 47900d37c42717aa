package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// OverviewFilter says what an overview counts; zero fields do not filter. The
// sums are kept for roles and for databases, not for both at once.
type OverviewFilter struct {
	Database string
	Role     string
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

// Overview adds up the sums by day; it does not read the log itself.
func (s *Store) Overview(ctx context.Context, f OverviewFilter) (*Overview, error) {
	s.flush(ctx)
	ctx, cancel := s.readContext(ctx)
	defer cancel()
	c := &clause{}
	switch {
	case f.Role != "" && f.Database != "":
		return nil, errors.New("an overview is of a role or of a database, not of both; choose one")
	case f.Role != "":
		c.add("scope = ?", scopeRole(f.Role))
	case f.Database != "":
		c.add("scope = ?", scopeDatabase(f.Database))
	default:
		c.add("scope = ?", scopeAll)
	}
	if !f.Since.IsZero() {
		c.add("day >= ?", f.Since.UTC().Format(time.DateOnly))
	}
	if !f.Until.IsZero() {
		c.add("day <= ?", f.Until.UTC().Format(time.DateOnly))
	}
	o := &Overview{}
	if err := s.days(ctx, c, o); err != nil {
		return nil, fmt.Errorf("overview: %w", err)
	}
	rows, err := s.read.QueryContext(ctx, s.bind(`select kind, label, cast(sum(n) as bigint), cast(sum(calls) as bigint), sum(cost) from totals`+c.String()+` group by kind, label order by kind, label`), c.args...)
	if err != nil {
		return nil, fmt.Errorf("overview: %w", err)
	}
	defer rows.Close()
	lists := map[string]*[]Sum{
		"outcome": &o.Outcomes, "source": &o.Sources, "confidence": &o.Confidence, "latency": &o.Latency, "model": &o.Models, "code": &o.Codes, "application": &o.Apps, "role": &o.Roles, "database": &o.Databases,
	}
	for rows.Next() {
		var kind string
		var sum Sum
		if err := rows.Scan(&kind, &sum.Label, &sum.N, &sum.Calls, &sum.Cost); err != nil {
			return nil, fmt.Errorf("overview: %w", err)
		}
		if list := lists[kind]; list != nil {
			*list = append(*list, sum)
		}
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("overview: %w", err)
	}
	for _, list := range []*[]Sum{&o.Roles, &o.Databases, &o.Apps, &o.Models, &o.Codes} {
		slices.SortStableFunc(*list, func(a, b Sum) int { return cmp.Or(cmp.Compare(b.Cost, a.Cost), cmp.Compare(b.N, a.N)) })
		*list = (*list)[:min(len(*list), 20)]
	}
	return o, nil
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
		var n, calls, tokens int64
		var cost, elapsed float64
		if err := rows.Scan(&day, &kind, (*string)(&outcome), &n, &calls, &tokens, &cost, &elapsed); err != nil {
			return err
		}
		o.Questions, o.Calls, o.Tokens, o.Cost, o.Elapsed = o.Questions+n, o.Calls+calls, o.Tokens+tokens, o.Cost+cost, o.Elapsed+elapsed
		if len(o.Days) == 0 || o.Days[len(o.Days)-1].Day != day {
			o.fill(day)
		}
		d := &o.Days[len(o.Days)-1]
		d.Questions, d.Cost = d.Questions+n, d.Cost+cost
		if kind == catalogKind {
			o.Catalog += cost
			continue
		}
		d.ByOutcome[outcome] += n
	}
	return rows.Err()
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
