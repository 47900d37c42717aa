package store

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"time"

	"askpg/ask"
)

// Budget bounds what models may be asked for in a day (UTC); 0 is no bound.
// What questions under way spend counts once they end, so a day can go over
// by them.
type Budget struct {
	// RoleCalls, RoleTokens and RoleCost are what each role may spend.
	RoleCalls  int64   `toml:"role_calls"`
	RoleTokens int64   `toml:"role_tokens"`
	RoleCost   float64 `toml:"role_cost"`
	// Calls, Tokens and Cost are what all may spend together, on every
	// instance that shares the store.
	Calls  int64   `toml:"calls"`
	Tokens int64   `toml:"tokens"`
	Cost   float64 `toml:"cost"`
}

func (b *Budget) validate() error {
	for name, v := range map[string]float64{
		"role_calls": float64(b.RoleCalls), "role_tokens": float64(b.RoleTokens), "role_cost": b.RoleCost,
		"calls": float64(b.Calls), "tokens": float64(b.Tokens), "cost": b.Cost,
	} {
		if v < 0 || math.IsNaN(v) {
			return fmt.Errorf("store.budget.%s is %v; it must not be negative", name, v)
		}
	}
	return nil
}

func (b *Budget) bounded() bool { return *b != Budget{} }

// Spending is what a subject has spent in a period, and what it may.
type Spending struct {
	Subject string // "role NAME" or "all"
	Period  string // the day, UTC
	Calls   int64
	Tokens  int64
	Cost    float64
	Limit   Budget // in Calls, Tokens and Cost
}

const everybody = "all"

func roleSubject(role string) string { return "role " + role }

// Budgeted returns a Translator that refuses a question with ASK04 when the
// day's budget of its role, or of all, is used up, and books what next spends.
// Put it behind cache and examples, so that what costs nothing stays free.
func Budgeted(next ask.Translator, s *Store) ask.Translator {
	return ask.TranslatorFunc(func(ctx context.Context, q ask.Question) (*ask.Translation, error) {
		now := time.Now().UTC()
		if s.cfg.Budget.bounded() {
			if err := s.afford(ctx, q.Session.Role, now); err != nil {
				return nil, err
			}
		}
		t, err := next.Translate(ctx, q)
		made := t
		if err != nil {
			made = ask.TranslationOf(err)
		}
		if made != nil && made.Usage != (ask.Usage{}) {
			if err := s.spend(context.WithoutCancel(ctx), q.Session.Role, now, made.Usage); err != nil {
				s.log.ErrorContext(ctx, "what a question cost is not booked", "id", q.ID, "cost", made.Usage.Cost, "error", err)
			}
		}
		return t, err
	})
}

// afford returns an error that says which budget is used up.
func (s *Store) afford(ctx context.Context, role string, now time.Time) error {
	list, err := s.Spending(ctx, role, now)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return ask.Errorf(ask.CodeBudget, "the budget cannot be read, so no model is asked").WithHint("Ask again later.").Because(err)
	}
	for _, sp := range list {
		what, spent, limit := sp.over()
		if what == "" {
			continue
		}
		midnight := time.Date(now.Year(), now.Month(), now.Day()+1, 0, 0, 0, 0, time.UTC)
		whose := "of all roles together"
		if sp.Subject != everybody {
			whose = fmt.Sprintf("of role %q", role)
		}
		return ask.Errorf(ask.CodeBudget, "today's budget is used up").
			WithDetail("The %s %s: %v of %v a day. It renews at %s.", what, whose, spent, limit, midnight.Format("2006-01-02 15:04 UTC")).
			WithHint("Questions that were answered before and verified ones still answer. An administrator can raise store.budget.")
	}
	return nil
}

func (sp *Spending) over() (what string, spent, limit any) {
	switch {
	case sp.Limit.Calls > 0 && sp.Calls >= sp.Limit.Calls:
		return "model calls", sp.Calls, sp.Limit.Calls
	case sp.Limit.Tokens > 0 && sp.Tokens >= sp.Limit.Tokens:
		return "tokens", sp.Tokens, sp.Limit.Tokens
	case sp.Limit.Cost > 0 && sp.Cost >= sp.Limit.Cost:
		return "cost", math.Round(sp.Cost*100) / 100, sp.Limit.Cost
	}
	return "", nil, nil
}

// Spending returns what a role and all roles together have spent on the day of
// now, with their limits.
func (s *Store) Spending(ctx context.Context, role string, now time.Time) ([]Spending, error) {
	ctx, cancel := s.lookUp(ctx)
	defer cancel()
	b, day := s.cfg.Budget, now.UTC().Format(time.DateOnly)
	list := []Spending{
		{Subject: roleSubject(role), Period: day, Limit: Budget{Calls: b.RoleCalls, Tokens: b.RoleTokens, Cost: b.RoleCost}},
		{Subject: everybody, Period: day, Limit: Budget{Calls: b.Calls, Tokens: b.Tokens, Cost: b.Cost}},
	}
	for i := range list {
		sp := &list[i]
		err := s.read.QueryRowContext(ctx, s.bind(`select calls, tokens, cost from budgets where subject = ? and period = ?`), sp.Subject, day).Scan(&sp.Calls, &sp.Tokens, &sp.Cost)
		if err != nil && err != sql.ErrNoRows {
			return nil, fmt.Errorf("budget of %s: %w", sp.Subject, err)
		}
	}
	return list, nil
}

func (s *Store) spend(ctx context.Context, role string, now time.Time, u ask.Usage) error {
	return s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		for _, subject := range []string{everybody, roleSubject(role)} {
			_, err := tx.ExecContext(ctx, s.bind(`insert into budgets (subject, period, calls, tokens, cost) values (?, ?, ?, ?, ?)
				on conflict (subject, period) do update set calls = budgets.calls + excluded.calls, tokens = budgets.tokens + excluded.tokens, cost = budgets.cost + excluded.cost`),
				subject, now.Format(time.DateOnly), u.Calls, u.PromptTokens+u.CompletionTokens, u.Cost)
			if err != nil {
				return err
			}
		}
		return nil
	})
}
