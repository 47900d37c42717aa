package store_test

import (
	"cmp"
	"context"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"askpg/ask"
	"askpg/store"
)

// TestCounted has two instances that share a store let exactly as many
// questions through as a minute and a day have room for.
func TestCounted(t *testing.T) {
	both(t, func(t *testing.T, cfg store.Config) {
		cfg.Budget = store.Budget{Limits: store.Limits{RoleQuestions: 9, Questions: 12}, Minute: store.Limits{RoleQuestions: 5}}
		one := open(t, cfg)
		cfg.Spill = ""
		two := open(t, cfg)
		now := time.Date(2096, 1, 31, 23, 57, 59, 0, time.UTC) // the housekeeping of now forgets no minute of then
		answered := atomic.Int64{}
		next := ask.TranslatorFunc(func(_ context.Context, q ask.Question) (*ask.Translation, error) {
			answered.Add(1)
			return translated(q.ID), nil
		})
		askAs := func(s *store.Store, role string) error {
			q := asked("ok")
			q.Session.Role = role
			_, err := store.CountedAt(next, s, func() time.Time { return now }).Translate(context.Background(), q)
			return err
		}
		many := func(role string, n int) (refused *ask.Error) {
			t.Helper()
			answered.Store(0)
			var mu sync.Mutex
			var wg sync.WaitGroup
			for i := range n {
				wg.Go(func() {
					err := askAs([]*store.Store{one, two}[i%2], role)
					mu.Lock()
					defer mu.Unlock()
					if e := ask.AsError(err); e != nil {
						refused = e
					}
				})
			}
			wg.Wait()
			return refused
		}
		for _, tt := range []struct {
			after    time.Duration
			role     string
			ask      int
			answered int64
			detail   string // of the refused
		}{
			{0, "a", 5, 5, ""},
			{0, "a", 4, 0, `The questions of role "a": 5 of 5 a minute. It renews at 2096-01-31 23:58 UTC.`},
			{time.Minute, "a", 8, 4, `The questions of role "a": 9 of 9 a day. It renews at 2096-02-01 00:00 UTC.`},
			{0, "b", 6, 3, `The questions of all roles together: 12 of 12 a day. It renews at 2096-02-01 00:00 UTC.`},
			{time.Minute, "c", 1, 0, "of all roles together: 12 of 12 a day"},
			{time.Minute, "a", 5, 5, ""},
		} {
			now = now.Add(tt.after)
			e := many(tt.role, tt.ask)
			if got := answered.Load(); got != tt.answered {
				t.Errorf("%s %s: %d questions of %d went through, want %d", now, tt.role, got, tt.ask, tt.answered)
			}
			switch {
			case tt.detail == "" && e != nil:
				t.Errorf("%s %s: %v", now, tt.role, e)
			case tt.detail != "" && (e == nil || e.Code != ask.CodeBudget || !strings.Contains(e.Detail, tt.detail)):
				t.Errorf("%s %s: got %+v, want %q", now, tt.role, e, tt.detail)
			}
		}
		// Minutes are forgotten, days are not.
		if _, err := one.Prune(context.Background(), now.Add(3*time.Hour)); err != nil {
			t.Fatal(err)
		}
		sp, err := one.Spending(context.Background(), "a", now)
		if err != nil || len(sp) != 4 || sp[0].Questions != 5 || sp[0].Limit.Questions != 9 || sp[2].Limit.Questions != 5 || sp[2].Period != now.Format("2006-01-02T15:04") {
			t.Fatal(sp, err)
		}
	})
}

// TestBudget_Team bounds a team's roles, each and together, beside all others.
func TestBudget_Team(t *testing.T) {
	both(t, func(t *testing.T, cfg store.Config) {
		cfg.Budget = store.Budget{Limits: store.Limits{RoleQuestions: 3, RoleCost: 9}, For: []store.Team{
			{Name: "sales", Roles: []string{"a", "b"}, Limits: store.Limits{RoleQuestions: 5, Questions: 6, Calls: 20}},
			{Name: "guests", Roles: []string{"g"}, Limits: store.Limits{Calls: 1}},
		}}
		s := open(t, cfg)
		now := time.Date(2096, 1, 31, 9, 0, 0, 0, time.UTC)
		next := ask.TranslatorFunc(func(_ context.Context, q ask.Question) (*ask.Translation, error) { return translated(q.ID), nil })
		clock := func() time.Time { return now }
		askAs := func(role string, n int) (answered int, refused *ask.Error) {
			for range n {
				q := asked("ok")
				q.Session.Role = role
				if _, err := store.CountedAt(store.BudgetedAt(next, s, clock), s, clock).Translate(context.Background(), q); err != nil {
					refused = cmp.Or(refused, ask.AsError(err))
				} else {
					answered++
				}
			}
			return answered, refused
		}
		for _, tt := range []struct {
			role     string
			answered int
			detail   string
		}{
			{"a", 5, `The questions of role "a": 5 of 5 a day.`},
			{"b", 1, `The questions of team "sales": 6 of 6 a day.`},
			{"c", 3, `The questions of role "c": 3 of 3 a day.`},
			{"g", 1, `The model calls of team "guests": 3 of 1 a day.`},
		} {
			answered, e := askAs(tt.role, 7)
			if e == nil || answered != tt.answered || e.Code != ask.CodeBudget || !strings.Contains(e.Detail, tt.detail) {
				t.Errorf("%s: %d answered, %+v; want %d, %q", tt.role, answered, e, tt.answered, tt.detail)
			}
		}
		sp, err := s.Spending(context.Background(), "b", now)
		if err != nil || len(sp) != 3 || sp[1].Subject != "team sales" || sp[1].Questions != 6 || sp[1].Calls != 18 || sp[1].Left().Calls != 2 || sp[0].Limit.Questions != 5 || sp[0].Limit.Cost != 9 {
			t.Errorf("%+v, %v", sp, err)
		}
		all, err := s.Budgets(context.Background(), now)
		var subjects []string
		for _, sp := range all {
			subjects = append(subjects, sp.Subject)
		}
		if got := strings.Join(subjects, ", "); err != nil || got != "role a, team sales, role c, role g, team guests, role b" {
			t.Errorf("budgets of %s, %v", got, err)
		}
		for want, teams := range map[string][]store.Team{
			"name is missing": {{Roles: []string{"a"}}}, "roles is empty": {{Name: "x"}}, `another team is called "x"`: {{Name: "x", Roles: []string{"a"}}, {Name: "x", Roles: []string{"b"}}},
			`role "a" stands twice`: {{Name: "x", Roles: []string{"a"}}, {Name: "y", Roles: []string{"a"}}}, "must not be negative": {{Name: "x", Roles: []string{"a"}, Minute: store.Limits{Cost: -1}}},
		} {
			cfg.Budget.For = teams
			if err := cfg.Validate(); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v, want %q", err, want)
			}
		}
	})
}

// TestBudgeted_Minute has tokens, calls and money bounded by the minute.
func TestBudgeted_Minute(t *testing.T) {
	for what, limits := range map[string]store.Limits{
		"model calls": {RoleCalls: 3}, "tokens": {Tokens: 10}, "cost": {RoleCost: 0.001},
	} {
		t.Run(what, func(t *testing.T) {
			both(t, func(t *testing.T, cfg store.Config) {
				cfg.Budget = store.Budget{Minute: limits}
				s := open(t, cfg)
				now := time.Date(2096, 1, 31, 9, 30, 10, 0, time.UTC)
				next := ask.TranslatorFunc(func(_ context.Context, q ask.Question) (*ask.Translation, error) { return translated(q.ID), nil })
				once := func() error {
					_, err := store.BudgetedAt(next, s, func() time.Time { return now }).Translate(context.Background(), asked("ok"))
					return err
				}
				if err := once(); err != nil {
					t.Fatal(err)
				}
				e := ask.AsError(once())
				if e == nil || e.Code != ask.CodeBudget || !strings.Contains(e.Detail, "The "+what) || !strings.Contains(e.Detail, "a minute. It renews at 2096-01-31 09:31 UTC.") {
					t.Fatalf("got %+v", e)
				}
				now = now.Add(time.Minute)
				if err := once(); err != nil {
					t.Fatalf("in the next minute: %v", err)
				}
			})
		})
	}
}

// What a question spends counts where it ends: in the next minute, or on the
// next day, if it began in the one before.
func TestBudgeted_OverTheEnd(t *testing.T) {
	for name, tt := range map[string]struct {
		budget store.Budget
		began  time.Time
		renews string
	}{
		"minute": {store.Budget{Minute: store.Limits{RoleCalls: 3}}, time.Date(2096, 1, 31, 9, 30, 59, 0, time.UTC), "a minute. It renews at 2096-01-31 09:32 UTC."},
		"day":    {store.Budget{Limits: store.Limits{Calls: 3}}, time.Date(2096, 1, 31, 23, 59, 59, 0, time.UTC), "a day. It renews at 2096-02-02 00:00 UTC."},
	} {
		t.Run(name, func(t *testing.T) {
			both(t, func(t *testing.T, cfg store.Config) {
				cfg.Budget = tt.budget
				s := open(t, cfg)
				now := tt.began
				next := ask.TranslatorFunc(func(_ context.Context, q ask.Question) (*ask.Translation, error) {
					now = now.Add(2 * time.Second)
					return translated(q.ID), nil
				})
				once := func() error {
					_, err := store.BudgetedAt(next, s, func() time.Time { return now }).Translate(context.Background(), asked("ok"))
					return err
				}
				if err := once(); err != nil {
					t.Fatal(err)
				}
				if e := ask.AsError(once()); e == nil || e.Code != ask.CodeBudget || !strings.Contains(e.Detail, tt.renews) {
					t.Fatalf("got %+v; want it refused: %s", e, tt.renews)
				}
				now = now.Add(24 * time.Hour)
				if err := once(); err != nil {
					t.Fatalf("a day later: %v", err)
				}
			})
		})
	}
}

// TestCounted_NoStore refuses what cannot be counted.
func TestCounted_NoStore(t *testing.T) {
	cfg := sqliteConfig(t)
	cfg.Budget.Minute.Questions = 1
	s, err := store.Open(context.Background(), cfg, slog.New(slog.DiscardHandler), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	next := ask.TranslatorFunc(func(context.Context, ask.Question) (*ask.Translation, error) {
		t.Error("it was asked all the same")
		return nil, nil
	})
	if _, err := store.Counted(next, s).Translate(context.Background(), asked("ok")); ask.CodeOf(err) != ask.CodeBudget {
		t.Fatal(err)
	}
}
