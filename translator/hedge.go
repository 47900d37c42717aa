package translator

import (
	"context"
	"time"

	"askpg/translator/llm"
	"askpg/translator/token"
)

// complete calls a model within the question's budget. ok is false if the
// budget is used up. With translator.hedge_after a call that takes longer goes to the
// next model of the role too: the first answer is taken and the other call is called
// off (Dean and Barroso, The Tail at Scale, 2013).
func (s *state) complete(ctx context.Context, m model, r llm.Request) (res llm.Response, err error, ok bool) {
	first := s.worst(m, r)
	if !s.mayCall(first) {
		return res, nil, false
	}
	second, hedged := s.hedgeOf(m, r)
	if !hedged {
		res, err = m.Complete(ctx, r)
		s.book(m, first, res, err)
		return res, err, true
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type reply struct {
		model model
		claim claim
		res   llm.Response
		err   error
	}
	replies := make(chan reply, 2)
	call := func(m model, c claim) {
		res, err := m.Complete(ctx, r)
		replies <- reply{m, c, res, err}
	}
	timer := time.NewTimer(s.t.cfg.HedgeAfter.Duration())
	defer timer.Stop()
	late := timer.C
	go call(m, first)
	both, answered := false, false
	for under := 1; under > 0; {
		select {
		case <-late:
			late = nil
			more := s.worst(second, r)
			if both = s.mayCall(more); both {
				under++
				go call(second, more)
			}
		case got := <-replies:
			under--
			late = nil // a call that failed was repeated by its client as often as makes sense
			if answered {
				s.book(got.model, got.claim, got.res, nil) // what it was called off for is no failure
				continue
			}
			s.book(got.model, got.claim, got.res, got.err)
			res, err = got.res, got.err
			if answered = err == nil; answered {
				res.Model = got.model.Name()
				cancel()
			}
		}
	}
	if both {
		outcome := "lost"
		if answered && res.Model == second.Name() {
			outcome = "won"
		}
		s.t.metrics.hedges.WithLabelValues(second.Name(), outcome).Inc()
	}
	return res, err, true
}

// hedgeOf returns the model that a slow call goes to as well: the next of the
// same role that can take the request.
func (s *state) hedgeOf(m model, r llm.Request) (model, bool) {
	if s.t.cfg.HedgeAfter <= 0 {
		return model{}, false
	}
	role := llm.RoleGenerate
	if r.Stage == stageChoose {
		role = llm.RoleJudge
	}
	models := s.t.withRole(role)
	size := 0
	for _, msg := range r.Messages {
		size += token.Count(msg.Content) + 4
	}
	for i, other := range models {
		if other.Name() != m.Name() {
			continue
		}
		for k := 1; k < len(models); k++ {
			next := models[(i+k)%len(models)]
			if size <= next.Window-next.MaxTokens && (len(r.Tools) == 0 || next.Tools) {
				return next, true
			}
		}
	}
	return model{}, false
}

// book notes what a call cost and how it failed.
func (s *state) book(m model, c claim, res llm.Response, err error) {
	s.spend(c, res.Usage)
	if err == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.modelErrs[m.Name()] = err
}
