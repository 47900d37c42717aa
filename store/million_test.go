package store_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"askpg/ask"
	"askpg/store"
)

// TestStore_Million measures a log of ASKPG_STORE_ROWS translations (a million
// is the size to be quick at) with four candidates each. It runs only if the
// variable is set, as filling takes minutes.
func TestStore_Million(t *testing.T) {
	rows, _ := strconv.Atoi(os.Getenv("ASKPG_STORE_ROWS"))
	if rows == 0 {
		t.Skip("set ASKPG_STORE_ROWS to measure")
	}
	cfg := sqliteConfig(t)
	if path := os.Getenv("ASKPG_STORE_FILE"); path != "" {
		cfg.URL = "sqlite:" + path
	}
	if os.Getenv("ASKPG_STORE_POSTGRES") != "" {
		cfg = postgresConfig(t)
	}
	began := time.Now()
	s := open(t, cfg)
	t.Logf("opened in %v", time.Since(began).Round(10*time.Millisecond))
	ctx := context.Background()
	if have, err := s.Overview(ctx, store.OverviewFilter{}); err != nil {
		t.Fatal(err)
	} else if have.Questions < int64(rows) {
		fill(t, s, int(have.Questions), rows)
	}
	if _, err := s.List(ctx, store.Filter{Text: "warm"}); err != nil { // what was appended last is indexed now
		t.Fatal(err)
	}
	waiting, err := s.List(ctx, store.Filter{Order: store.PriorityFirst, Limit: 500})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range waiting.Records {
		if err := s.Assign(ctx, r.ID, nil, "rita"); err != nil {
			t.Fatal(err)
		}
	}
	size, err := s.Size(ctx)
	t.Logf("size %d MB, %v", size>>20, err)
	for _, c := range []struct {
		name string
		f    store.Filter
	}{
		{"all", store.Filter{}},
		{"deep page", store.Filter{Before: fmt.Sprint(rows / 2)}},
		{"role", store.Filter{Role: "role7"}},
		{"role and outcome", store.Filter{Role: "role7", Outcome: store.Refused}},
		{"rare outcome", store.Filter{Outcome: store.Refused}},
		{"no such role", store.Filter{Role: "nobody"}},
		{"role, database, application", store.Filter{Role: "role3", Database: "db2", Application: "app5"}},
		{"nothing matches three", store.Filter{Role: "role3", Outcome: store.Refused, Source: "grammar", Feedback: "bad"}},
		{"low confidence", store.Filter{MaxConfidence: 0.2}},
		{"lowest confidence of a role", store.Filter{MaxConfidence: 0.02, Role: "role5"}},
		{"a day", store.Filter{Since: base.AddDate(0, 0, -200), Until: base.AddDate(0, 0, -199)}},
		{"a day and outcome", store.Filter{Since: base.AddDate(0, 0, -200), Until: base.AddDate(0, 0, -199), Outcome: store.Failed}},
		{"half a year long ago", store.Filter{Since: base.AddDate(0, 0, -340), Until: base.AddDate(0, 0, -160)}},
		{"half a year and outcome", store.Filter{Since: base.AddDate(0, 0, -340), Until: base.AddDate(0, 0, -160), Outcome: store.Failed}},
		{"half a year and role", store.Filter{Since: base.AddDate(0, 0, -340), Until: base.AddDate(0, 0, -160), Role: "role7"}},
		{"since a month, rare outcome", store.Filter{Since: base.AddDate(0, 0, -30), Outcome: store.Refused}},
		{"code", store.Filter{Code: "ASK05"}},
		{"review none", store.Filter{Review: "none"}},
		{"rejected", store.Filter{Review: "rejected"}},
		{"queue", store.Filter{Order: store.PriorityFirst}},
		{"queue, mine", store.Filter{Order: store.PriorityFirst, Assigned: "rita"}},
		{"queue, nobody's", store.Filter{Order: store.PriorityFirst, Unassigned: true}},
		{"queue of a role", store.Filter{Order: store.PriorityFirst, Role: "role9"}},
		{"common word", store.Filter{Text: "orders"}},
		{"two common words", store.Filter{Text: "orders customers"}},
		{"rare word", store.Filter{Text: "w77777"}},
		{"phrase", store.Filter{Text: `"orders of customers"`}},
		{"beginning", store.Filter{Text: "w7777*"}},
		{"common word of a role", store.Filter{Text: "orders", Role: "role7"}},
		{"word that is not there", store.Filter{Text: "zebra"}},
		{"common word, rare outcome", store.Filter{Text: "orders", Outcome: store.Refused}},
	} {
		t.Logf("%-32s %s", c.name, quantiles(t, 15, func() error { _, err := s.List(ctx, c.f); return err }))
	}
	for name, f := range map[string]store.OverviewFilter{"overview": {}, "overview of 30 days": {Since: base.AddDate(0, 0, -30)}, "30 days and the 30 before": {Since: base.AddDate(0, 0, -30), Compare: base.AddDate(0, 0, -60)},
		"half a year and the one before": {Since: base.AddDate(0, 0, -180), Compare: base.AddDate(0, 0, -360)}, "overview of a role": {Role: "role7"}} {
		t.Logf("%-32s %s", name, quantiles(t, 15, func() error { _, err := s.Overview(ctx, f); return err }))
	}
	t.Logf("%-32s %s", "facets", quantiles(t, 15, func() error { _, err := s.Facets(ctx, nil); return err }))
	page, err := s.List(ctx, store.Filter{Before: fmt.Sprint(rows / 3)})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%-32s %s", "get", quantiles(t, 15, func() error { _, err := s.Get(ctx, page.Records[rand.IntN(50)].ID); return err }))
	t.Logf("%-32s %s", "has what is looked up changed", quantiles(t, 15, func() error { return s.Remember(ctx) }))
	t.Logf("appending on top of them: %.0f/s, one at a time %.0f/s", rate(t, s, 128, 10_000), rate(t, s, 1, 300))
}

var base = time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)

func quantiles(t *testing.T, n int, f func() error) string {
	var took []time.Duration
	for range n {
		begin := time.Now()
		if err := f(); err != nil {
			t.Fatal(err)
		}
		took = append(took, time.Since(begin))
	}
	slices.Sort(took)
	return fmt.Sprintf("median %v, slowest %v", took[n/2].Round(10*time.Microsecond), took[n-1].Round(10*time.Microsecond))
}

// fill appends what a year of a busy installation looks like.
func fill(t testing.TB, s *store.Store, from, to int) {
	begin := time.Now()
	next := make(chan int, 1000)
	done := make(chan error, 256)
	for range 256 {
		go func() {
			for i := range next {
				if err := s.Append(context.Background(), synthetic(i)); err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
	}
	for i := from; i < to; i++ {
		next <- i
	}
	close(next)
	for range 256 {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("filled with %d in %v: %.0f/s", to-from, time.Since(begin).Round(time.Second), float64(to-from)/time.Since(begin).Seconds())
}

func synthetic(i int) store.Entry {
	r := rand.New(rand.NewPCG(uint64(i), 1))
	subjects := []string{"orders", "customers", "payments", "products", "returns", "shipments"}
	word := func() string { return subjects[r.IntN(len(subjects))] }
	e := entry(fmt.Sprintf("how many %s of %s were there in w%d last month by w%d", word(), word(), r.IntN(100_000), r.IntN(1000)))
	q := &e.Question
	q.Asked = base.Add(-time.Duration(1_000_000-i) * 31 * time.Second)
	q.Session.Role, q.Session.Database, q.Client.ApplicationName = fmt.Sprintf("role%d", r.IntN(20)), fmt.Sprintf("db%d", r.IntN(4)), fmt.Sprintf("app%d", r.IntN(10))
	tr := e.Translation
	tr.ID = q.ID
	tr.SQL = fmt.Sprintf("select count(*) from %s join %s using (id) where region = 'w%d' and %s", word(), word(), r.IntN(1000), strings.Repeat("a < 5 and ", 10)+"true")
	tr.Confidence = r.Float64()
	tr.Source = []ask.Source{ask.SourceModel, ask.SourceCache, ask.SourceCache, ask.SourceGrammar}[r.IntN(4)]
	tr.Candidates = append(tr.Candidates, tr.Candidates[1])
	for c := range tr.Candidates {
		tr.Candidates[c].SQL = tr.SQL
	}
	e.Elapsed = time.Duration(r.ExpFloat64() * float64(2*time.Second))
	switch n := r.IntN(1000); {
	case n < 5:
		e.Err = ask.Errorf(ask.CodeRefused, "refused by the guard")
	case n < 50:
		e.Err = ask.Errorf(ask.CodeNoCandidate, "no candidate survived")
	case n < 80:
		e.Err = ask.Errorf(ask.CodeLowConfidence, "not sure enough")
	}
	return e
}

// rate returns how many entries a second are durable with n askers at once.
func rate(t testing.TB, s *store.Store, n, total int) float64 {
	t.Helper()
	begin := time.Now()
	done := make(chan error, n)
	for range n {
		go func() {
			for i := range total / n {
				if err := s.Append(context.Background(), synthetic(i)); err != nil {
					done <- err
					return
				}
			}
			done <- nil
		}()
	}
	for range n {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	return float64(total) / time.Since(begin).Seconds()
}
