package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"askpg/ask"
)

// Spending is what a subject has asked and spent in a period, and what it may.
type Spending struct {
	Subject   string // "role NAME", "team NAME" or "all"
	Period    string // the day or the minute, UTC
	Questions int64
	Calls     int64
	Tokens    int64
	Cost      float64
	Limit     Limits // in Questions, Calls, Tokens and Cost
}

// Left returns what is left of the limits; of what is not bounded it has 0.
func (sp *Spending) Left() (l Limits) {
	return Limits{Questions: max(sp.Limit.Questions-sp.Questions, 0), Calls: max(sp.Limit.Calls-sp.Calls, 0),
		Tokens: max(sp.Limit.Tokens-sp.Tokens, 0), Cost: max(sp.Limit.Cost-sp.Cost, 0)}
}

// exhausted returns the error of a budget that is used up: what of, how much, and
// when it renews.
func (s *Store) exhausted(b bound, what string, spent, limit any, now time.Time) error {
	s.metrics.overBudget.WithLabelValues(what, b.period.String()).Inc()
	e := ask.Errorf(ask.CodeBudget, "this %s's budget is used up", b.period).
		WithDetail("The %s %s: %v of %v a %s. It renews at %s.", what, b.whose, spent, limit, b.period, b.period.ends(now).Format("2006-01-02 15:04 UTC"))
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
		if err := s.countQuestion(ctx, q.Session.Role, clock().UTC()); err != nil {
			return nil, err
		}
		return next.Translate(ctx, q)
	})
}

// countQuestion takes a question's place in every bounded period, or in none.
func (s *Store) countQuestion(ctx context.Context, role string, now time.Time) error {
	bounds := slices.DeleteFunc(s.config().Budget.bounds(role), func(b bound) bool { return b.Questions == 0 })
	if len(bounds) == 0 {
		return nil
	}
	err := s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		for _, b := range bounds {
			n, err := s.change(ctx, tx, `insert into budgets (subject, period, questions) values (?, ?, 1)
				on conflict (subject, period) do update set questions = budgets.questions + 1 where budgets.questions < ?`,
				b.subject, b.period.at(now), b.Questions)
			if err != nil {
				return err
			}
			if n == 0 {
				return s.exhausted(b, "questions", b.Questions, b.Questions, now) // rolls the other places back
			}
		}
		return nil
	})
	if err == nil || ask.CodeOf(err) == ask.CodeBudget {
		return err
	}
	return unreadableBudget(ctx, err)
}

// Budgeted returns a Translator that refuses a question with ASK04 when the
// day's or the minute's budget of its role, or of all, is used up. It adds what
// next spends to the budgets. Put it behind cache and examples, so that what costs
// nothing stays free.
func Budgeted(next ask.Translator, s *Store) ask.Translator { return budgeted(next, s, time.Now) }

func budgeted(next ask.Translator, s *Store, clock func() time.Time) ask.Translator {
	return ask.TranslatorFunc(func(ctx context.Context, q ask.Question) (*ask.Translation, error) {
		now := clock().UTC()
		if err := s.checkSpending(ctx, q.Session.Role, now); err != nil {
			return nil, err
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
	for _, b := range s.config().Budget.bounds(role) {
		if !b.spending() {
			continue
		}
		sp, err := s.spent(ctx, b, now)
		if err != nil {
			return unreadableBudget(ctx, err)
		}
		if what, spent, limit := sp.over(); what != "" {
			return s.exhausted(b, what, spent, limit, now)
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

// Spending returns what a role, its team and all roles together have asked and spent on
// the day of now, with their limits. It adds those in its minute if that is bounded.
// Questions are counted where they are bounded.
func (s *Store) Spending(ctx context.Context, role string, now time.Time) ([]Spending, error) {
	return s.spendings(ctx, s.config().Budget.bounds(role), now.UTC())
}

// spendings returns what the subjects of some bounds have asked and spent, of a minute if that is bounded. Days come first.
func (s *Store) spendings(ctx context.Context, bounds []bound, now time.Time) (list []Spending, err error) {
	minutes := slices.ContainsFunc(bounds, func(b bound) bool { return b.period == minutePeriod && (b.Questions > 0 || b.spending()) })
	for _, p := range []period{dayPeriod, minutePeriod} {
		for _, b := range bounds {
			if b.period != p || p == minutePeriod && !minutes {
				continue
			}
			sp, err := s.spent(ctx, b, now)
			if err != nil {
				return nil, err
			}
			list = append(list, *sp)
		}
	}
	return list, nil
}

func (s *Store) spent(ctx context.Context, b bound, now time.Time) (*Spending, error) {
	ctx, cancel := s.lookUpContext(ctx)
	defer cancel()
	sp := &Spending{Subject: b.subject, Period: b.period.at(now), Limit: b.Limits}
	err := s.read.QueryRowContext(ctx, s.bind(`select questions, calls, tokens, cost from budgets where subject = ? and period = ?`), sp.Subject, sp.Period).Scan(&sp.Questions, &sp.Calls, &sp.Tokens, &sp.Cost)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("budget of %s: %w", sp.Subject, err)
	}
	return sp, nil
}

// Budgets returns what all that a budget bounds have asked and spent on the day of now, with their
// limits. These are all together, teams, and the roles that have asked that day.
func (s *Store) Budgets(ctx context.Context, now time.Time) ([]Spending, error) {
	now = now.UTC()
	b := &s.config().Budget
	ctx, cancel := s.lookUpContext(ctx)
	defer cancel()
	roles, err := s.texts(ctx, s.read, `select substr(subject, 6) from budgets where period = ? and subject like 'role %' order by cost desc, questions desc, subject limit 100`, dayPeriod.at(now))
	if err != nil {
		return nil, fmt.Errorf("budgets: %w", err)
	}
	for _, t := range b.For {
		roles = append(roles, t.Roles[0]) // its bounds have the team's
	}
	var list []bound
	for _, role := range append(roles, "") { // where nobody has asked, all together may still be bounded
		for _, of := range b.bounds(role) {
			seen := slices.ContainsFunc(list, func(o bound) bool { return o.subject == of.subject })
			if of.period == dayPeriod && !seen && of.subject != roleSubject("") && (of.Questions > 0 || of.spending()) {
				list = append(list, of)
			}
		}
	}
	return s.spendings(ctx, list, now)
}

// Spend adds what a model was asked for on behalf of no question to what all roles spend together, and to the
// sums of the overview.
func (s *Store) Spend(ctx context.Context, model string, u ask.Usage) error {
	return s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		now := time.Now().UTC()
		sums := map[totalKey]*total{}
		countCatalog(sums, now, model, u)
		return errors.Join(s.addSums(ctx, tx, sums), s.addToBudgets(ctx, tx, "", now, u))
	})
}

// spend adds what models were asked for to the budgets of the day, and of the minute if that
// is bounded.
func (s *Store) spend(ctx context.Context, role string, now time.Time, u ask.Usage) error {
	return s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error { return s.addToBudgets(ctx, tx, role, now, u) })
}

// addToBudgets adds to the budgets of a role, of its team and of all; no role is of all alone.
func (s *Store) addToBudgets(ctx context.Context, tx *sql.Tx, role string, now time.Time, u ask.Usage) error {
	bounds := s.config().Budget.bounds(role)
	bounded := slices.ContainsFunc(bounds, func(b bound) bool { return b.period == minutePeriod && b.spending() })
	for _, b := range bounds {
		if b.period == minutePeriod && !bounded || role == "" && b.subject != allRoles {
			continue
		}
		_, err := tx.ExecContext(ctx, s.bind(`insert into budgets (subject, period, calls, tokens, cost) values (?, ?, ?, ?, ?)
				on conflict (subject, period) do update set calls = budgets.calls + excluded.calls, tokens = budgets.tokens + excluded.tokens, cost = budgets.cost + excluded.cost`),
			b.subject, b.period.at(now), u.Calls, u.PromptTokens+u.CompletionTokens, u.Cost)
		if err != nil {
			return err
		}
	}
	return nil
}
