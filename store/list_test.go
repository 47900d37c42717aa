package store_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"askpg/ask"
	"askpg/store"
)

func TestStore_List(t *testing.T) {
	both(t, func(t *testing.T, cfg store.Config) {
		s := open(t, cfg)
		day := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
		put := func(text string, change func(*store.Entry)) string {
			e := alone(text)
			e.Question.Asked = day
			if change != nil {
				change(&e)
			}
			return add(t, s, e)
		}
		put("alpha", nil)
		put("beta orders", func(e *store.Entry) { e.Question.Session.Role = "support" })
		put("gamma", func(e *store.Entry) { e.Question.Session.Database = "other" })
		put("delta", func(e *store.Entry) { e.Err = ask.Errorf(ask.CodeRefused, "not a SELECT") })
		put("epsilon", func(e *store.Entry) { e.Question.Client.ApplicationName = "metabase" })
		put("zeta", func(e *store.Entry) { e.Translation.Confidence = 0.1 })
		put("eta", func(e *store.Entry) { e.Question.Asked = day.AddDate(0, 1, 0) })
		put("theta", func(e *store.Entry) {
			e.Translation.Source, e.Translation.SQL = ask.SourceGrammar, "select straße from wörter"
		})
		iota := put("iota", nil)
		if err := s.Reject(context.Background(), iota, store.Reviewer{Name: "r"}, ""); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			name string
			f    store.Filter
			want string
		}{
			{"all", store.Filter{}, "[iota theta eta zeta epsilon delta gamma beta orders alpha]"},
			{"role", store.Filter{Role: "support"}, "[beta orders]"},
			{"database", store.Filter{Database: "other"}, "[gamma]"},
			{"application", store.Filter{Application: "metabase"}, "[epsilon]"},
			{"outcome", store.Filter{Outcome: store.Refused}, "[delta]"},
			{"code", store.Filter{Code: ask.CodeRefused}, "[delta]"},
			{"source", store.Filter{Source: "grammar"}, "[theta]"},
			{"unsure", store.Filter{MaxConfidence: 0.5}, "[zeta]"},
			{"sure", store.Filter{MinConfidence: 0.5, Role: "support"}, "[beta orders]"},
			{"since", store.Filter{Since: day.AddDate(0, 0, 1)}, "[eta]"},
			{"until", store.Filter{Until: day}, "[]"},
			{"rejected", store.Filter{Review: "rejected"}, "[iota]"},
			{"not reviewed", store.Filter{Review: "none", Outcome: store.Refused}, "[delta]"},
			{"word", store.Filter{Text: "ALPHA"}, "[alpha]"},
			{"word of the SQL", store.Filter{Text: "straße"}, "[theta]"},
			{"word of the error", store.Filter{Text: "not"}, "[delta]"},
			{"phrase", store.Filter{Text: `"beta orders"`}, "[beta orders]"},
			{"phrase the other way round", store.Filter{Text: `"orders beta"`}, "[]"},
			{"words", store.Filter{Text: "orders beta"}, "[beta orders]"},
			{"beginning", store.Filter{Text: "gam*"}, "[gamma]"},
			{"word and role", store.Filter{Text: "orders", Role: "support"}, "[beta orders]"},
			{"word and other role", store.Filter{Text: "beta", Role: "analyst"}, "[]"},
			{"no word at all", store.Filter{Text: " *%'() "}, "[iota theta eta zeta epsilon delta gamma beta orders alpha]"},
			{"queue with words", store.Filter{Order: store.PriorityFirst, Text: "zeta"}, "[zeta]"},
		} {
			if got := questions(list(t, s, c.f)); got != c.want {
				t.Errorf("%s: %s, want %s", c.name, got, c.want)
			}
		}
	})
}

func TestStore_ListPages(t *testing.T) {
	asked := time.Now().Add(-time.Minute)
	both(t, func(t *testing.T, cfg store.Config) {
		s := open(t, cfg)
		for i := range 23 {
			e := entry(fmt.Sprintf("paged %d", i))
			e.Translation.Confidence = float64(i%5) / 10                      // many with the same priority
			e.Question.Asked = asked.Add(time.Duration(i*7%10) * time.Second) // several at once, not in the order of logging
			add(t, s, e)
		}
		for _, f := range []store.Filter{{}, {Since: asked}, {Since: asked, Until: asked.Add(time.Hour), Role: "analyst"}, {Until: asked.Add(time.Hour), Outcome: store.Answered}, {Order: store.PriorityFirst}, {Text: "paged"}, {Text: "paged", Role: "analyst"}, {Order: store.PriorityFirst, Text: "paged"}} {
			seen := map[string]bool{}
			f.Limit = 5
			for pages := 1; ; pages++ {
				page, err := s.List(context.Background(), f)
				if err != nil {
					t.Fatal(err)
				}
				for _, r := range page.Records {
					if seen[r.ID] {
						t.Fatalf("%+v: a translation is on two pages", f)
					}
					seen[r.ID] = true
				}
				if page.Next == "" {
					if pages != 5 || len(seen) != 23 {
						t.Fatalf("%+v: %d translations on %d pages", f, len(seen), pages)
					}
					break
				}
				f.Before = page.Next
			}
		}
		for _, f := range []store.Filter{{Before: "x"}, {Order: store.PriorityFirst, Before: "x"}, {Since: asked, Before: "5"}} {
			if _, err := s.List(context.Background(), f); err == nil {
				t.Fatal("a place that is none is taken")
			}
		}
	})
}

// Whatever is typed into the search box is words, never syntax.
func TestStore_ListHostileText(t *testing.T) {
	both(t, func(t *testing.T, cfg store.Config) {
		s := open(t, cfg)
		add(t, s, entry("near or not"))
		for _, text := range []string{`"`, `"a`, `a" OR "b`, `NEAR/2`, `-`, `*`, `a*b*`, `'`, `\`, `a:b`, `question:near`, `&|!<->`, `():*`, "\x00", "\xff", `"" ""`, `"*"`, "NOT", "OR", "AND"} {
			if _, err := s.List(context.Background(), store.Filter{Text: text}); err != nil {
				t.Errorf("%q: %v", text, err)
			}
		}
		if got := len(list(t, s, store.Filter{Text: "OR NOT"})); got != 1 {
			t.Errorf("the words or and not are found in %d translations", got)
		}
	})
}

// TestStore_Trends compares a time with the one before, by login, role, database and model, by the sums that are kept and counted in
// the log.
func TestStore_Trends(t *testing.T) {
	both(t, func(t *testing.T, cfg store.Config) {
		s := open(t, cfg)
		ctx := context.Background()
		day := time.Date(2026, 5, 10, 12, 0, 0, 0, time.UTC)
		question := func(days int, login string, took time.Duration, failed bool) {
			e := entry("q")
			e.Question.Asked, e.Question.Session.SessionUser, e.Elapsed = day.AddDate(0, 0, days), login, took
			e.Translation.Spending = []ask.Spending{{Model: "main", Usage: ask.Usage{Calls: 2, Cost: 0.01}}}
			if failed {
				e.Err = ask.Errorf(ask.CodeNoCandidate, "none")
			}
			add(t, s, e)
		}
		for range 9 {
			question(0, "ann", 2*time.Second, false)
		}
		question(1, "ann", 2*time.Minute, true)
		question(0, "bob", 5*time.Millisecond, false)
		question(-2, "ann", 20*time.Millisecond, true)
		question(-4, "ann", time.Second/2, false) // in neither time
		for _, f := range []store.OverviewFilter{{}, {Scope: store.Scope{{Databases: []string{"shop"}}}}, {Scope: store.Scope{{Databases: []string{"shop"}, Roles: []string{"analyst"}}}}} {
			f.Since, f.Compare = day, day.AddDate(0, 0, -3)
			o, err := s.Overview(ctx, f)
			if err != nil || o.Questions != 11 || len(o.Logins) != 2 || len(o.Days) != 2 {
				t.Fatalf("%+v, %v", o, err)
			}
			ann, bob := o.Logins[0], o.Logins[1]
			if ann.Label != "ann" || ann.N != 10 || ann.Answered != 9 || ann.Timed() != 10 || ann.Before == nil || ann.Before.N != 1 || ann.Before.Answered != 0 || ann.Before.Timed() != 1 {
				t.Errorf("ann: %+v, before %+v", ann, ann.Before)
			}
			// Nine of ten between one and three seconds, and one above the last bound.
			if p50, p95 := ann.Quantile(0.5), ann.Quantile(0.95); math.Abs(p50-(1000+2000*5/9.0)) > 1e-6 || p95 != 60_000 {
				t.Errorf("ann: median %v, 95th percentile %v", p50, p95)
			}
			if bob.Before != nil || bob.Quantile(1) != 10 {
				t.Errorf("bob: %+v", bob)
			}
			for name, sum := range map[string]store.Sum{"all": o.All, "role": o.Roles[0], "database": o.Databases[0], "model": o.Models[0]} {
				if sum.N != 11 || sum.Answered != 10 || sum.Timed() != 11 || sum.Before == nil || sum.Before.N != 1 || sum.Before.Answered != 0 || sum.Before.Quantile(1) != 30 {
					t.Errorf("%s: %+v, before %+v", name, sum, sum.Before)
				}
			}
			if !math.IsNaN((&store.Sum{}).Quantile(0.5)) {
				t.Error("nothing has a median")
			}
		}
		// What names people goes with the translations.
		if _, err := s.Erase(ctx, store.Erasure{Before: day.AddDate(0, 0, -1)}); err != nil {
			t.Fatal(err)
		}
		named := func(s store.Sum) bool { return s.Before != nil }
		if o, err := s.Overview(ctx, store.OverviewFilter{Since: day}); err != nil || len(o.Logins) != 2 || slices.ContainsFunc(o.Logins, named) || o.All.Before.N != 2 {
			t.Errorf("sums of an erased time: %+v, %v", o, err)
		}
		if _, err := s.Erase(ctx, store.Erasure{Login: "ann"}); err != nil {
			t.Fatal(err)
		}
		if o, err := s.Overview(ctx, store.OverviewFilter{}); err != nil || len(o.Logins) != 1 || o.Logins[0].Label != "bob" {
			t.Errorf("sums after ann is erased: %+v, %v", o, err)
		}
	})
}

// TestStore_Assign: a translation is somebody's, or nobody's, in the part of the log that whoever assigns it may judge.
func TestStore_Assign(t *testing.T) {
	both(t, func(t *testing.T, cfg store.Config) {
		s := open(t, cfg)
		ctx := context.Background()
		first, second := add(t, s, alone("how many pears")), add(t, s, alone("how many plums"))
		elsewhere := store.Scope{{Databases: []string{"bank"}}}
		if err := s.Assign(ctx, first, elsewhere, "ann"); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("what may not be judged is assigned: %v", err)
		}
		if err := s.Assign(ctx, first, nil, "ann"); err != nil {
			t.Fatal(err)
		}
		found := func(f store.Filter) (ids []string) {
			f.Order = store.PriorityFirst
			for _, r := range list(t, s, f) {
				ids = append(ids, r.ID)
			}
			return ids
		}
		if of, nobodys := found(store.Filter{Assigned: "ann"}), found(store.Filter{Unassigned: true}); !slices.Equal(of, []string{first}) || !slices.Equal(nobodys, []string{second}) {
			t.Errorf("ann's are %v, nobody's %v", of, nobodys)
		}
		if r := get(t, s, first); r.Assigned != "ann" {
			t.Errorf("it is assigned to %q", r.Assigned)
		}
		if err := s.Reject(ctx, first, store.Reviewer{Name: "bob"}, ""); err != nil || len(found(store.Filter{Assigned: "ann"})) != 0 {
			t.Errorf("what was judged still waits: %v", err)
		}
	})
}

func TestStore_Overview(t *testing.T) {
	both(t, func(t *testing.T, cfg store.Config) {
		s := open(t, cfg)
		ctx := context.Background()
		day := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
		for i, change := range []func(*store.Entry){
			nil,
			func(e *store.Entry) { e.Question.Session.Role = "support" },
			func(e *store.Entry) { e.Question.Session.Database = "other" },
			func(e *store.Entry) { e.Err = ask.Errorf(ask.CodeNoCandidate, "none") },
		} {
			e := entry("q")
			e.Translation.Spending = []ask.Spending{{Model: "main", Usage: ask.Usage{Calls: 2, Cost: 0.01}}, {Model: "other", Usage: ask.Usage{Calls: 1}}}
			e.Question.Asked = day.AddDate(0, 0, i)
			if change != nil {
				change(&e)
			}
			add(t, s, e)
		}
		sum := func(list []store.Sum, label string) int64 {
			for _, s := range list {
				if s.Label == label {
					return s.N
				}
			}
			return 0
		}
		o, err := s.Overview(ctx, store.OverviewFilter{})
		if err != nil {
			t.Fatal(err)
		}
		if o.Questions != 4 || len(o.Days) != 4 || o.Calls != 12 || o.Tokens != 480 || sum(o.Outcomes, "failed") != 1 || sum(o.Codes, "ASK01") != 1 ||
			sum(o.Roles, "support") != 1 || sum(o.Databases, "shop") != 3 || sum(o.Confidence, "0.7") != 3 || sum(o.Latency, "000010") != 4 || sum(o.Models, "main") != 4 {
			t.Fatalf("%+v", o)
		}
		if o, err = s.Overview(ctx, store.OverviewFilter{Role: "support"}); err != nil || o.Questions != 1 {
			t.Fatal(o, err)
		}
		if o, err = s.Overview(ctx, store.OverviewFilter{Database: "shop", Since: day.AddDate(0, 0, 2)}); err != nil || o.Questions != 1 {
			t.Fatal(o, err)
		}
		// The same by the sums that are kept, and counted in the log.
		narrow := store.OverviewFilter{Scope: store.Scope{{Databases: []string{"shop"}}}, Since: day}
		kept, err := s.Overview(ctx, narrow)
		if err != nil || kept.Questions != 3 || sum(kept.Databases, "other") != 0 {
			t.Fatal(kept, err)
		}
		narrow.Scope = store.Scope{{Databases: []string{"shop"}, Roles: []string{"analyst", "support"}}}
		if counted, err := s.Overview(ctx, narrow); err != nil || !reflect.DeepEqual(counted, kept) {
			t.Fatalf("counted in the log\n%+v, %v\nand by the sums\n%+v", counted, err, kept)
		}
		for role, want := range map[string]int64{"support": 1, "analyst": 2, "nobody": 0} {
			if o, err = s.Overview(ctx, store.OverviewFilter{Database: "shop", Role: role}); err != nil || o.Questions != want {
				t.Fatal(role, o, err)
			}
			narrow.Role = role
			if o, err = s.Overview(ctx, narrow); err != nil || o.Questions != want {
				t.Fatal(role, o, err)
			}
		}
		if o, err = s.Overview(ctx, store.OverviewFilter{Scope: store.Scope{}}); err != nil || o.Questions != 0 {
			t.Fatal("nobody's overview", o, err)
		}
		f, err := s.Facets(ctx, nil)
		if err != nil || len(f.Roles) != 2 || len(f.Databases) != 2 || f.Applications[0] != "psql" || f.Codes[0] != "ASK01" {
			t.Fatalf("%+v, %v", f, err)
		}
	})
}
