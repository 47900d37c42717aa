package translator

import (
	"context"

	"askpg/ask"
)

// exactExample answers from a verified example with the same question, if it
// still runs: its schema may have changed since a person approved it.
func exactExample(ctx context.Context, s *state) (bool, error) {
	if s.t.examples == nil || s.q.Fresh || len(s.q.History) > 0 {
		return false, nil
	}
	sql, err := s.t.examples.Exact(ctx, &s.q)
	if err != nil {
		s.t.log.Warn("examples could not be read", "id", s.q.ID, "error", err)
		return false, ctx.Err()
	}
	if sql == "" {
		return false, nil
	}
	c := s.add(candidate{Candidate: ask.Candidate{SQL: sql, Origin: ask.Origin{Model: "example", Prompt: "exact", Sample: 1}}})
	if err := s.try(ctx, c); err != nil {
		return false, err
	}
	if c.result == nil {
		s.notice("a verified example of this question no longer runs: " + c.Err.Message)
		c.weight = 0
		return false, nil
	}
	s.choose(c, ask.SourceExample)
	return true, nil
}

// choose settles on a candidate without a vote.
func (s *state) choose(c *candidate, source ask.Source) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.Fate, c.Votes = ask.FateChosen, 1
	s.chosen, s.votes, s.confidence, s.source = c, 1, 1, source
	s.asked = max(s.asked, 1)
}
