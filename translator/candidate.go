package translator

import (
	"context"
	"strings"
	"unicode"

	"askpg/ask"
	"askpg/translator/fault"
	"askpg/translator/vote"
)

// add registers a candidate. The first with the same SQL runs for it too.
func (s *state) add(c candidate) *candidate {
	c.Rows = -1
	c.weight = 1
	c.done = make(chan struct{})
	if c.SQL != "" {
		c.key = keyOf(c.SQL)
		c.volatile = volatile(c.SQL)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	p := &c
	if c.key != "" {
		if first, ok := s.byKey[c.key]; ok {
			p.first = first
		} else {
			s.byKey[c.key] = p
		}
	}
	s.candidates = append(s.candidates, p)
	return p
}

// try has the executor judge and run a candidate. Its error ends the question; an
// error of the candidate's SQL becomes the candidate's fate.
func (s *state) try(ctx context.Context, c *candidate) error {
	if c.first != nil {
		select {
		case <-c.first.done:
		case <-ctx.Done():
			return ctx.Err()
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		c.Fate, c.Err, c.Cost, c.Rows, c.Elapsed = ask.FateDuplicate, c.first.Err, c.first.Cost, c.first.Rows, c.first.Elapsed
		c.plan, c.result, c.literals = c.first.plan, c.first.result, c.first.literals
		return nil
	}
	defer close(c.done)
	exec, err := s.snapshot()
	if err != nil {
		return err
	}
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-ctx.Done():
		return ctx.Err()
	}
	plan, result, took, err := exec.Try(ctx, c.SQL)
	if err != nil && (plan.Text == "" || strings.HasPrefix(ask.CodeOf(err), "54")) {
		return s.noteFailure(ctx, c, err, ask.FateInvalid)
	}
	s.mu.Lock()
	c.plan, c.Cost, c.Elapsed = plan, plan.Cost, took
	s.mu.Unlock()
	if err != nil {
		return s.noteFailure(ctx, c, err, ask.FateFailed)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c.result, c.Rows = result, int64(len(result.Rows))
	return nil
}

// noteFailure notes why a candidate failed, in askpg's words: the server's own text is
// dropped, see fault.Of. An error of the connection is returned.
func (s *state) noteFailure(ctx context.Context, c *candidate, err error, fate ask.Fate) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	e := ask.AsError(err)
	if e == nil {
		return err
	}
	e = fault.Of(e, c.SQL, s.snap)
	switch {
	case connectionLost(e.Code):
		return e // the connection failed, the candidate is not wrong
	case e.Code == ask.CodeRefused:
		fate = ask.FateRefused
	case strings.HasPrefix(e.Code, "54"), e.Code == ask.CodeLimitExceeded, e.Code == ask.CodeOutOfMemory:
		fate = ask.FateGated
	case e.Code == ask.CodeQueryCanceled:
		fate = ask.FateTimeout
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c.Fate, c.Err = fate, e
	return nil
}

// connectionLost says whether an error is of the connection or the server, not of the
// statement.
func connectionLost(code string) bool {
	return strings.HasPrefix(code, "08") || code == ask.CodeAdminShutdown || code == ask.CodeCannotConnectNow ||
		code == ask.CodeTooManyConnections
}

// ballots returns a ballot for each candidate, in their order. One that does not vote is empty.
func (s *state) ballots() []vote.Ballot {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]vote.Ballot, len(s.candidates))
	for i, c := range s.candidates {
		b := vote.Ballot{Result: c.result, Weight: c.weight, Cost: c.Cost, Length: len(c.SQL), Volatile: c.volatile, Key: c.key,
			SQL: c.SQL}
		if s.preferFastest {
			b.Cost = c.Elapsed.Seconds()
		}
		if c.first != nil && c.first.repair != nil && c.first.repair.result != nil && c.first.Fate == ask.FateRepaired {
			// The same SQL is the same reading: the repair of one is that of
			// all, but only the repair itself can stand for the group.
			r := c.first.repair
			b.Result, b.SQL, b.Length, b.Cost, b.Echo = r.result, r.SQL, len(r.SQL), r.Cost, true
			if s.preferFastest {
				b.Cost = r.Elapsed.Seconds()
			}
		}
		if c.weight > 0 {
			out[i] = b
		}
	}
	return out
}

// oneLine shortens a text for a message.
func oneLine(s string, n int) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && !unicode.IsSpace(r) {
			return -1
		}
		return r
	}, strings.Join(strings.Fields(strings.ToValidUTF8(s, "?")), " "))
	if len(s) > n {
		s = strings.ToValidUTF8(s[:n], "") + "…"
	}
	return s
}
