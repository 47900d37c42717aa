package translator

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strings"

	"askpg/ask"
	"askpg/translator/llm"
	"askpg/translator/token"
)

// The budgets of one question, as metrics and messages name them.
const (
	budgetTokens = "tokens"
	budgetCost   = "cost"
)

// reservation is what a call may spend at most. It is set aside until the call ends.
type reservation struct {
	tokens int
	cost   float64
}

// mostSpent returns what a request may spend at most: its prompt, and answers of the
// longest length. It is nothing where the question has no budget.
func (s *state) mostSpent(m model, r llm.Request) reservation {
	if s.set.maxTokens == 0 && s.set.maxCost == 0 {
		return reservation{}
	}
	prompt := llm.PromptTokens(r)
	answer := cmp.Or(r.MaxTokens, m.MaxTokens)
	answer *= max(r.N, 1)
	return reservation{prompt + answer, (float64(prompt)*m.PriceIn + float64(answer)*m.PriceOut) / 1e6}
}

// mostSpentEmbedding is what the vectors of texts may spend.
func (s *state) mostSpentEmbedding(m model, texts []string) reservation {
	n := 0
	for _, t := range texts {
		n += token.Count(t)
	}
	return reservation{n, float64(n) * m.PriceIn / 1e6}
}

// prepare lets the catalog find relations by the meaning of a text, if the
// budget has room for its vector.
func (s *state) prepare(ctx context.Context, text string) {
	if m, ok := s.t.embedder(); ok {
		c := s.mostSpentEmbedding(m, []string{text})
		if s.set.maxCalls == 0 || s.set.maxTokens > 0 && c.tokens > s.set.maxTokens || s.set.maxCost > 0 && c.cost > s.set.maxCost {
			return
		}
	}
	s.snap.Prepare(ask.WithSpending(ctx, func(model string, u ask.Usage) {
		s.mu.Lock()
		s.calls += u.Calls
		s.mu.Unlock()
		s.spend(reservation{}, model, u)
	}), text)
}

// mayCall counts a call and sets aside what it may spend, if there is a call
// left and the question's budget has room for it whatever the answer will be.
func (s *state) mayCall(c reservation) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.calls >= s.set.maxCalls {
		return false
	}
	spent := s.usage.PromptTokens + s.usage.CompletionTokens + s.reserved.tokens
	switch {
	case s.set.maxTokens > 0 && spent+c.tokens > s.set.maxTokens:
		s.exhausted, s.refusedCall = budgetTokens, c
		return false
	case s.set.maxCost > 0 && s.usage.Cost+s.reserved.cost+c.cost > s.set.maxCost*(1+1e-9):
		s.exhausted, s.refusedCall = budgetCost, c
		return false
	}
	s.calls++
	s.reserved.tokens += c.tokens
	s.reserved.cost += c.cost
	return true
}

// spend notes what a call of a model did spend in place of what was set aside for it.
func (s *state) spend(c reservation, model string, u ask.Usage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reserved.tokens -= c.tokens
	s.reserved.cost = math.Max(0, s.reserved.cost-c.cost)
	s.usage.Add(u)
	of := s.spending[model]
	of.Add(u)
	s.spending[model] = of
}

// call calls a model within the question's budget and time for models. ok is
// false if the budget, or the model's window, has no room for the call: then no call was made.
func (s *state) call(ctx context.Context, m model, r llm.Request) (res llm.Response, err error, ok bool) {
	if !m.holds(r) {
		return res, nil, false
	}
	limit := s.mostSpent(m, r)
	if !s.mayCall(limit) {
		return res, nil, false
	}
	ctx, cancel := context.WithDeadline(ctx, s.modelDeadline)
	defer cancel()
	res, err = m.Complete(ctx, r)
	s.spend(limit, m.Name(), res.Usage)
	if err != nil {
		s.noteFailedCall(m, err)
	}
	return res, err, true
}

// overBudget says whether the question's budget had no room for a call.
func (s *state) overBudget() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.exhausted != ""
}

// withBudget adds to the outcome of a question that its budget had no room for a call. An
// answer gets a notice. An error that more calls might have prevented becomes ASK04.
func (s *state) withBudget(err error) error {
	if s.exhausted == "" {
		return err
	}
	outcome := "answered"
	if err != nil {
		outcome = "not answered"
	}
	s.t.metrics.budgets.WithLabelValues(s.exhausted, outcome).Inc()
	spent := s.spentText()
	if err == nil {
		s.notice("the question's budget was used up, " + spent + ": this is what was found until then")
		return nil
	}
	e := ask.AsError(err)
	if e == nil || s.unanswered || e.Code != ask.CodeNoCandidate && e.Code != ask.CodeLowConfidence && e.Code != ask.CodeNoModel {
		return err
	}
	detail := []string{strings.ToUpper(spent[:1]) + spent[1:] + ". " + e.Message + "."}
	if e.Detail != "" {
		detail = append(detail, e.Detail)
	}
	return ask.Errorf(ask.CodeBudget, "the question's budget of %s is used up", s.exhausted).WithDetail("%s", strings.Join(detail, "\n")).
		WithHint("ask(candidates) shows what was found and ask(run 1) runs the first of it; SET askpg.max_%s raises the budget up to what translator.max_%s allows.", s.exhausted, s.exhausted).Because(err)
}

// spentText says what was spent of the budget that had no room.
func (s *state) spentText() string {
	if s.exhausted == budgetTokens {
		return fmt.Sprintf("%d of %d tokens in %d calls, and the next may take %d", s.usage.PromptTokens+s.usage.CompletionTokens, s.set.maxTokens, s.calls, s.refusedCall.tokens)
	}
	return fmt.Sprintf("a cost of %.4g of %.4g in %d calls, and the next may cost %.4g", s.usage.Cost, s.set.maxCost, s.calls, s.refusedCall.cost)
}
