package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"time"

	"askpg/ask"
)

// Limits bound a period; 0 is no bound.
type Limits struct {
	// RoleQuestions, RoleCalls, RoleTokens and RoleCost are what each role may
	// ask and spend.
	RoleQuestions int64   `toml:"role_questions"`
	RoleCalls     int64   `toml:"role_calls"`
	RoleTokens    int64   `toml:"role_tokens"`
	RoleCost      float64 `toml:"role_cost"`
	// Questions, Calls, Tokens and Cost are what all may together, on every
	// instance that shares the store.
	Questions int64   `toml:"questions"`
	Calls     int64   `toml:"calls"`
	Tokens    int64   `toml:"tokens"`
	Cost      float64 `toml:"cost"`
}

// Budget bounds what is asked, and what models are asked for, in a day and in a
// minute (UTC). Questions are counted when they begin, all of them. What they
// spend counts once they end, so that a period can go over by those under way.
type Budget struct {
	Limits
	// Minute bounds each minute, beside the day.
	Minute Limits `toml:"minute"`
}

func (b *Budget) validate() error {
	for section, l := range map[string]Limits{"store.budget": b.Limits, "store.budget.minute": b.Minute} {
		for name, v := range map[string]float64{
			"role_questions": float64(l.RoleQuestions), "role_calls": float64(l.RoleCalls), "role_tokens": float64(l.RoleTokens), "role_cost": l.RoleCost,
			"questions": float64(l.Questions), "calls": float64(l.Calls), "tokens": float64(l.Tokens), "cost": l.Cost,
		} {
			if v < 0 || math.IsNaN(v) {
				return fmt.Errorf("%s.%s is %v; it must not be negative", section, name, v)
			}
		}
	}
	return nil
}

// boundQuestions says whether the number of questions is bounded.
func (l Limits) boundQuestions() bool { return l.RoleQuestions > 0 || l.Questions > 0 }

// boundSpending says whether what questions cost is bounded.
func (l Limits) boundSpending() bool {
	l.RoleQuestions, l.Questions = 0, 0
	return l != Limits{}
}

const allRoles = "all"

func roleSubject(role string) string { return "role " + role }

// dayPeriod and minutePeriod are the layouts of periods.
const (
	dayPeriod    = time.DateOnly
	minutePeriod = "2006-01-02T15:04"
)

// period is a day or a minute with its limits.
type period struct {
	layout string
	limits Limits
}

func (b *Budget) periods() [2]period {
	return [2]period{{minutePeriod, b.Minute}, {dayPeriod, b.Limits}}
}

// ends returns when the period of now is over.
func (p *period) ends(now time.Time) time.Time {
	if p.layout == minutePeriod {
		return now.Truncate(time.Minute).Add(time.Minute)
	}
	return time.Date(now.Year(), now.Month(), now.Day()+1, 0, 0, 0, 0, time.UTC)
}

func (p *period) String() string {
	if p.layout == minutePeriod {
		return "minute"
	}
	return "day"
}

// Spending is what a subject has asked and spent in a period, and what it may.
type Spending struct {
	Subject   string // "role NAME" or "all"
	Period    string // the day or the minute, UTC
	Questions int64
	Calls     int64
	Tokens    int64
	Cost      float64
	Limit     Limits // in Questions, Calls, Tokens and Cost
}

// exhausted returns the error of a budget that is used up: what of, how much, and
// when it renews.
func (s *Store) exhausted(p period, subject, role, what string, spent, limit any, now time.Time) error {
	s.metrics.overBudget.WithLabelValues(what, p.String()).Inc()
	whose := "of all roles together"
	if subject != allRoles {
		whose = fmt.Sprintf("of role %q", role)
	}
	e := ask.Errorf(ask.CodeBudget, "this %s's budget is used up", p.String()).
		WithDetail("The %s %s: %v of %v a %s. It renews at %s.", what, whose, spent, limit, p.String(), p.ends(now).Format("2006-01-02 15:04 UTC"))
	if what == "questions" {
		return e.WithHint("Ask again then. An administrator can raise store.budget.")
	}
	return e.WithHint("Questions that were answered before and verified ones still answer. An administrator can raise store.budget.")
}

// unreadableBudget returns the error of a budget whose store does not answer.
func unreadableBudget(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return ask.Errorf(ask.CodeBudget, "the budget cannot be read, so no model is asked").WithHint("Ask again later.").Because(err)
}

// Counted returns a Translator that counts every question and refuses with
// ASK04 those that a day's or a minute's bound has no room for. Refused ones do
// not count. Put it before the cache: it bounds questions whatever they cost.
func Counted(next ask.Translator, s *Store) ask.Translator { return counted(next, s, time.Now) }

func counted(next ask.Translator, s *Store, clock func() time.Time) ask.Translator {
	return ask.TranslatorFunc(func(ctx context.Context, q ask.Question) (*ask.Translation, error) {
		if b := &s.config().Budget; !b.boundQuestions() && !b.Minute.boundQuestions() {
			return next.Translate(ctx, q)
		}
		if err := s.count(ctx, q.Session.Role, clock().UTC()); err != nil {
			return nil, err
		}
		return next.Translate(ctx, q)
	})
}

// count takes a question's place in every bounded period, or in none.
func (s *Store) count(ctx context.Context, role string, now time.Time) error {
	var refused error
	err := s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		for _, p := range s.config().Budget.periods() {
			for _, bound := range []struct {
				subject string
				limit   int64
			}{{roleSubject(role), p.limits.RoleQuestions}, {allRoles, p.limits.Questions}} {
				if bound.limit == 0 {
					continue
				}
				res, err := tx.ExecContext(ctx, s.bind(`insert into budgets (subject, period, questions) values (?, ?, 1)
					on conflict (subject, period) do update set questions = budgets.questions + 1 where budgets.questions < ?`),
					bound.subject, now.Format(p.layout), bound.limit)
				if err != nil {
					return err
				}
				if n, err := res.RowsAffected(); err != nil {
					return err
				} else if n == 0 {
					refused = s.exhausted(p, bound.subject, role, "questions", bound.limit, bound.limit, now)
					return refused // rolls the other places back
				}
			}
		}
		return nil
	})
	if refused != nil {
		return refused
	}
	if err != nil {
		return unreadableBudget(ctx, err)
	}
	return nil
}

// Budgeted returns a Translator that refuses a question with ASK04 when the
// day's or the minute's budget of its role, or of all, is used up. It adds what
// next spends to the budgets. Put it behind cache and examples, so that what costs
// nothing stays free.
func Budgeted(next ask.Translator, s *Store) ask.Translator { return budgeted(next, s, time.Now) }

func budgeted(next ask.Translator, s *Store, clock func() time.Time) ask.Translator {
	return ask.TranslatorFunc(func(ctx context.Context, q ask.Question) (*ask.Translation, error) {
		now := clock().UTC()
		if b := &s.config().Budget; b.boundSpending() || b.Minute.boundSpending() {
			if err := s.checkSpending(ctx, q.Session.Role, now); err != nil {
				return nil, err
			}
		}
		t, err := next.Translate(ctx, q)
		made := t
		if err != nil {
			made = ask.TranslationOf(err)
		}
		if made != nil && made.Usage != (ask.Usage{}) {
			// What was spent belongs to the minute in which it is known.
			if err := s.spend(context.WithoutCancel(ctx), q.Session.Role, clock().UTC(), made.Usage); err != nil {
				s.log.ErrorContext(ctx, "the cost of a question is not added to the budget", "id", q.ID, "cost", made.Usage.Cost, "error", err)
			}
		}
		return t, err
	})
}

// checkSpending returns an error that says which budget is used up.
func (s *Store) checkSpending(ctx context.Context, role string, now time.Time) error {
	for _, p := range s.config().Budget.periods() {
		if !p.limits.boundSpending() {
			continue
		}
		list, err := s.spent(ctx, p, role, now)
		if err != nil {
			return unreadableBudget(ctx, err)
		}
		for _, sp := range list {
			if what, spent, limit := sp.over(); what != "" {
				return s.exhausted(p, sp.Subject, role, what, spent, limit, now)
			}
		}
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

// Spending returns what a role and all roles together have asked and spent on
// the day of now, and in its minute if that is bounded, with their limits.
// Questions are counted where they are bounded.
func (s *Store) Spending(ctx context.Context, role string, now time.Time) ([]Spending, error) {
	minute, day := s.config().Budget.periods()[0], s.config().Budget.periods()[1]
	list, err := s.spent(ctx, day, role, now.UTC())
	if err != nil || minute.limits == (Limits{}) {
		return list, err
	}
	more, err := s.spent(ctx, minute, role, now.UTC())
	return append(list, more...), err
}

func (s *Store) spent(ctx context.Context, p period, role string, now time.Time) ([]Spending, error) {
	ctx, cancel := s.lookUpContext(ctx)
	defer cancel()
	l := p.limits
	list := []Spending{
		{Subject: roleSubject(role), Limit: Limits{Questions: l.RoleQuestions, Calls: l.RoleCalls, Tokens: l.RoleTokens, Cost: l.RoleCost}},
		{Subject: allRoles, Limit: Limits{Questions: l.Questions, Calls: l.Calls, Tokens: l.Tokens, Cost: l.Cost}},
	}
	for i := range list {
		sp := &list[i]
		sp.Period = now.Format(p.layout)
		err := s.read.QueryRowContext(ctx, s.bind(`select questions, calls, tokens, cost from budgets where subject = ? and period = ?`), sp.Subject, sp.Period).Scan(&sp.Questions, &sp.Calls, &sp.Tokens, &sp.Cost)
		if err != nil && err != sql.ErrNoRows {
			return nil, fmt.Errorf("budget of %s: %w", sp.Subject, err)
		}
	}
	return list, nil
}

// Spend adds what a model was asked for on behalf of no question to what all roles spend together, and to the
// sums of the overview.
func (s *Store) Spend(ctx context.Context, model string, u ask.Usage) error {
	return s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		now := time.Now().UTC()
		sums := map[totalKey]*total{}
		countCatalog(sums, now, model, u)
		return errors.Join(s.addSums(ctx, tx, sums), s.addToBudgets(ctx, tx, []string{allRoles}, now, u))
	})
}

// spend adds what models were asked for to the budgets of the day, and of the minute if that
// is bounded.
func (s *Store) spend(ctx context.Context, role string, now time.Time, u ask.Usage) error {
	return s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		return s.addToBudgets(ctx, tx, []string{roleSubject(role), allRoles}, now, u)
	})
}

func (s *Store) addToBudgets(ctx context.Context, tx *sql.Tx, subjects []string, now time.Time, u ask.Usage) error {
	for _, p := range s.config().Budget.periods() {
		if p.layout == minutePeriod && !p.limits.boundSpending() {
			continue
		}
		for _, subject := range subjects {
			_, err := tx.ExecContext(ctx, s.bind(`insert into budgets (subject, period, calls, tokens, cost) values (?, ?, ?, ?, ?)
					on conflict (subject, period) do update set calls = budgets.calls + excluded.calls, tokens = budgets.tokens + excluded.tokens, cost = budgets.cost + excluded.cost`),
				subject, now.Format(p.layout), u.Calls, u.PromptTokens+u.CompletionTokens, u.Cost)
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// deleteOldMinutes deletes what was counted by the minute an hour ago and earlier.
// Periods that are days have no T and stay.
func (s *Store) deleteOldMinutes(ctx context.Context, now time.Time) error {
	_, err := s.db.ExecContext(ctx, s.bind(`delete from budgets where period like '%T%' and period < ?`), now.UTC().Add(-time.Hour).Format(minutePeriod))
	return err
}
