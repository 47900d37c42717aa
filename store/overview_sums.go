package store

import (
	"context"
	"database/sql"
	"strconv"
	"strings"
	"time"
)

// readSums reads the sums by day of some scopes.
func (s *Store) readSums(ctx context.Context, f OverviewFilter, scopes []string, o *Overview) error {
	now, before := &clause{}, &clause{}
	now.among("scope", scopes)
	before.among("scope", scopes)
	since := f.Since.UTC().Format(time.DateOnly)
	now.add("day >= ?", since)
	before.add("day >= ? and day < ?", f.Compare.UTC().Format(time.DateOnly), since)
	if err := s.days(ctx, now, o); err != nil {
		return err
	}
	add := func(before bool) func(string, Sum) {
		return func(kind string, sum Sum) { o.addSum(kind, sum, before) }
	}
	if err := s.readKinds(ctx, false, add(false), now); err != nil {
		return err
	}
	o.cut()
	if err := s.readKinds(ctx, true, func(kind string, sum Sum) {
		if now := o.sum(kind, sum.Label); now != nil {
			now.Answered, now.Took = sum.Answered, sum.Took
		}
	}, o.named(now)...); err != nil {
		return err
	}
	if err := s.readKinds(ctx, true, add(true), o.named(before)...); err != nil {
		return err
	}
	return s.readKinds(ctx, false, add(true), before.and("kind in ('outcome', 'latency', '"+catalogKind+"')"))
}

// named returns a clause for each kind of names, of those alone that its list has.
func (o *Overview) named(of *clause) (list []*clause) {
	for _, kind := range trendKinds {
		var labels []string
		for _, sum := range *o.list(kind) {
			labels = append(labels, sum.Label)
		}
		if len(labels) > 0 {
			c := of.and("kind = ?", kind)
			c.among("label", labels)
			list = append(list, c)
		}
	}
	return list
}

// readKinds adds up the sums of some clauses by kind and label, of each kind those that cost most. Answered and Took are read only if they
// are wanted, as they take their time.
func (s *Store) readKinds(ctx context.Context, trends bool, visit func(kind string, sum Sum), of ...*clause) error {
	if len(of) == 0 {
		return nil
	}
	columns, names := "", ""
	if trends {
		for _, t := range trendColumns {
			columns += ", cast(sum(" + t + ") as bigint) as " + t
			names += ", " + t
		}
	}
	// A kind may have a label for each person: what is not shown stays in the database.
	var queries []string
	var args []any
	for _, c := range of {
		queries = append(queries, `select kind, label, n, calls, cost`+names+` from (
			select kind, label, cast(sum(n) as bigint) as n, cast(sum(calls) as bigint) as calls, sum(cost) as cost`+columns+`, row_number() over (partition by kind order by sum(cost) desc, sum(n) desc, label) as place
			from totals`+c.String()+` group by kind, label) s where place <= `+strconv.Itoa(maxListed))
		args = append(args, c.args...)
	}
	return s.each(ctx, s.read, strings.Join(queries, ` union all `)+` order by kind, label`, args, func(row *sql.Rows) error {
		var kind string
		var sum Sum
		to := []any{&kind, &sum.Label, &sum.N, &sum.Calls, &sum.Cost}
		if trends {
			to = append(to, &sum.Answered)
			for i := range sum.Took {
				to = append(to, &sum.Took[i])
			}
		}
		if err := row.Scan(to...); err != nil {
			return err
		}
		visit(kind, sum)
		return nil
	})
}

func (s *Store) days(ctx context.Context, c *clause, o *Overview) error {
	days := c.and("kind in ('outcome', '" + catalogKind + "')")
	return s.each(ctx, s.read, `select day, kind, label, cast(sum(n) as bigint), cast(sum(calls) as bigint), cast(sum(tokens) as bigint), sum(cost), sum(elapsed_ms) from totals`+
		days.String()+` group by day, kind, label order by day`, days.args, func(row *sql.Rows) error {
		var day, kind string
		var outcome Outcome
		var t total
		if err := row.Scan(&day, &kind, (*string)(&outcome), &t.n, &t.calls, &t.tokens, &t.cost, &t.elapsed); err != nil {
			return err
		}
		o.addDay(day, kind, outcome, &t)
		return nil
	})
}
