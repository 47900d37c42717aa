package store

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"
)

// OverviewFilter says what an overview counts; empty names do not filter. The
// sums are kept for roles and for databases, not for both at once: what is of
// both is counted in the log.
type OverviewFilter struct {
	Database string
	Role     string
	Scope    Scope
	Since    time.Time // the first day
	Compare  time.Time // the first day of the period before, which ends at Since
}

// Overview are sums over the questions of a time.
type Overview struct {
	All        Sum // of all questions
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
	Logins     []Sum // those that cost most, as the lists below
	Roles      []Sum
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

	// Of all questions, and of a login, role, database or model: how many were answered, and how
	// many took how long, in the bins of Overview.Latency. Before is the same sum of the period
	// before, nil if there is none.
	Answered int64
	Took     [latencyBins]int64
	Before   *Sum
}

// Timed returns how many questions Answered and Took tell of. An earlier version did not count them by login and model.
func (s *Sum) Timed() (n int64) {
	for _, t := range s.Took {
		n += t
	}
	return n
}

// Quantile returns the time in milliseconds within which a share of the questions was over, NaN if there is none. Within a bin it
// takes them to be spread evenly, as histogram_quantile of Prometheus does; of the last bin it returns the lower bound.
func (s *Sum) Quantile(share float64) float64 {
	left := share * float64(s.Timed())
	lower := 0.0
	for i, b := range latencyBounds {
		if n := float64(s.Took[i]); n > 0 && left <= n {
			return lower + (b-lower)*left/n
		} else {
			left, lower = left-n, b
		}
	}
	if s.Timed() == 0 {
		return math.NaN()
	}
	return lower
}

// Overview adds up the sums by day, if there are some of what it is of.
func (s *Store) Overview(ctx context.Context, f OverviewFilter) (*Overview, error) {
	s.flush(ctx)
	ctx, cancel := s.readContext(ctx)
	defer cancel()
	of := f.Scope.and(f.Database, f.Role)
	o := &Overview{}
	var err error
	if scopes, kept := of.sums(); kept {
		err = s.readSums(ctx, f, scopes, o)
	} else {
		err = s.countLog(ctx, f, of, o)
	}
	if err != nil {
		return nil, fmt.Errorf("overview: %w", err)
	}
	return o, nil
}

// maxListed is how many names a list has. It is more than there are outcomes, sources, bins of time and bins of confidence.
const maxListed = 20

// cut keeps of the lists by name those that cost most.
func (o *Overview) cut() {
	for _, list := range []*[]Sum{&o.Logins, &o.Roles, &o.Databases, &o.Apps, &o.Models, &o.Codes} {
		slices.SortStableFunc(*list, func(a, b Sum) int { return cmp.Or(cmp.Compare(b.Cost, a.Cost), cmp.Compare(b.N, a.N)) })
		*list = (*list)[:min(len(*list), maxListed)]
	}
}

// list returns the sums of a kind, nil if an overview has none.
func (o *Overview) list(kind string) *[]Sum {
	return map[string]*[]Sum{
		"outcome": &o.Outcomes, "source": &o.Sources, "confidence": &o.Confidence, "latency": &o.Latency, "model": &o.Models, "code": &o.Codes, "application": &o.Apps,
		"login": &o.Logins, "role": &o.Roles, "database": &o.Databases,
	}[kind]
}

// sum returns what is counted under a label, nil if nothing is.
func (o *Overview) sum(kind, label string) *Sum {
	list := *o.list(kind)
	if i := slices.IndexFunc(list, func(s Sum) bool { return s.Label == label }); i >= 0 {
		return &list[i]
	}
	return nil
}

// addSum adds what is counted under a label. The sums of the period before come after the others.
func (o *Overview) addSum(kind string, sum Sum, before bool) {
	all := &o.All
	if before {
		if o.All.Before == nil {
			o.All.Before = &Sum{}
		}
		all = o.All.Before
	}
	switch kind {
	case "outcome":
		all.N, all.Calls, all.Cost = all.N+sum.N, all.Calls+sum.Calls, all.Cost+sum.Cost
		if sum.Label == string(Answered) {
			all.Answered += sum.N
		}
	case catalogKind:
		all.Calls, all.Cost = all.Calls+sum.Calls, all.Cost+sum.Cost
	case "latency":
		if i := slices.Index(latencyLabels[:], sum.Label); i >= 0 {
			all.Took[i] += sum.N
		}
	}
	switch list := o.list(kind); {
	case list == nil:
	case !before:
		*list = append(*list, sum)
	case slices.Contains(trendKinds, kind):
		if now := o.sum(kind, sum.Label); now != nil {
			now.Before = &sum
		}
	}
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
