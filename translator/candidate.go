package translator

import (
	"context"
	"strings"
	"time"

	"askpg/ask"
	"askpg/translator/fault"
	"askpg/translator/llm"
	"askpg/translator/prompt"
	"askpg/translator/refs"
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

// try checks and runs a candidate. Its error is one that ends the question;
// what is wrong with the candidate is its fate.
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
		c.plan, c.result, c.literals, c.wrong = c.first.plan, c.first.result, c.first.literals, c.first.wrong
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
		return s.fell(ctx, c, err, ask.FateInvalid)
	}
	s.mu.Lock()
	c.plan, c.Cost, c.Elapsed = plan, plan.Cost, took
	s.mu.Unlock()
	if err != nil {
		return s.fell(ctx, c, err, ask.FateFailed)
	}
	wrong, _ := refs.WrongLiterals(c.SQL, s.snap, s.set.searchPath)
	s.mu.Lock()
	defer s.mu.Unlock()
	c.result, c.Rows, c.wrong = result, int64(len(result.Rows)), wrong > 0
	return nil
}

// fell notes why a candidate fell, in askpg's words: what the server said goes
// no further, see fault.Of.
func (s *state) fell(ctx context.Context, c *candidate, err error, fate ask.Fate) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	e := ask.AsError(err)
	if e == nil {
		return err
	}
	e = fault.Of(e, c.SQL, s.snap)
	switch {
	case lost(e.Code):
		return e // the executor is gone, not the candidate wrong
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

// lost says whether an error is of the connection or the server, not of the
// statement.
func lost(code string) bool {
	return strings.HasPrefix(code, "08") || code == ask.CodeAdminShutdown || code == ask.CodeCannotConnectNow ||
		code == ask.CodeTooManyConnections
}

// codeNoData is of SQL that ran and found nothing (PostgreSQL documentation,
// appendix A, class 02).
const codeNoData = "02000"

// mend sends a candidate back to its model, once: with what may be told of the error if
// it failed, or with the values that exist if it found nothing by a literal that does not.
func (s *state) mend(ctx context.Context, c *candidate) error {
	if c.spec == nil || c.first != nil || c.spec.once {
		return nil
	}
	var failure *ask.Error
	var notes []string
	switch c.Fate {
	case ask.FateInvalid, ask.FateFailed, ask.FateGated:
		if c.Err.Code == ask.CodeInsufficientRights || c.Err.Code == ask.CodeLimitExceeded || c.Err.Code == ask.CodeOutOfMemory {
			return nil // another statement would fare no better
		}
		failure, notes = c.Err, s.namesNear(c.Err)
	case "":
		if c.result == nil || !vote.Blank(c.result) {
			return nil
		}
		wrong, checked := s.literalsOf(c.SQL)
		s.mu.Lock()
		c.literals = checked && len(wrong) == 0
		s.mu.Unlock()
		if len(wrong) == 0 {
			return nil
		}
		failure, notes = ask.Errorf(codeNoData, "It finds nothing, and compares with values that are not held:"), wrong
	default:
		return nil
	}
	if !s.mayRepair() {
		return nil
	}
	text, err := prompt.Repair(c.SQL, failure, notes)
	if err != nil {
		return err
	}
	call, cancel := context.WithDeadline(ctx, s.modelDeadline)
	defer cancel()
	ask.Progress(ctx, "correcting a candidate: "+oneLine(failure.Message, 100))
	messages := append(append([]llm.Message(nil), c.spec.messages...),
		llm.Message{Role: llm.Assistant, Content: "```sql\n" + c.SQL + "\n```"}, llm.Message{Role: llm.User, Content: text})
	res, err, ok := s.complete(call, c.spec.model, llm.Request{Messages: messages, Stage: "repair", Form: sqlForm})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if !ok || err != nil || len(res.Texts) == 0 {
		return nil
	}
	a := extract(res.Texts[0])
	if a.Refuses {
		// On second thoughts the data can't answer: an empty result says no more.
		s.mu.Lock()
		defer s.mu.Unlock()
		s.missing = append(s.missing, a.Missing)
		c.weight = 0
		return nil
	}
	if a.SQL == "" || keyOf(a.SQL) == c.key {
		return nil
	}
	origin := c.Origin
	origin.Repair = 1
	r := s.add(candidate{Candidate: ask.Candidate{SQL: a.SQL, Origin: origin}})
	if err := s.try(ctx, r); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c.repair = r
	switch {
	case c.result == nil:
		c.Fate = ask.FateRepaired
	case r.result != nil && !vote.Blank(r.result):
		c.Fate, c.weight = ask.FateRepaired, 0
	default:
		r.weight = 0 // the repair found nothing either: the first answer stands
	}
	return nil
}

func (s *state) mayRepair() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.repairs >= s.t.cfg.MaxRepairs || s.calls >= s.set.maxCalls || !time.Now().Before(s.modelDeadline) {
		return false
	}
	s.repairs++
	return true
}

// ballots returns the vote of every candidate, in their order.
func (s *state) ballots() []vote.Ballot {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]vote.Ballot, len(s.candidates))
	for i, c := range s.candidates {
		b := vote.Ballot{Result: c.result, Weight: c.weight, Cost: c.Cost, Length: len(c.SQL), Volatile: c.volatile, Key: c.key,
			SQL: c.SQL, WrongLiteral: c.wrong}
		if s.fastest {
			b.Cost = c.Elapsed.Seconds()
		}
		if c.first != nil && c.first.repair != nil && c.first.repair.result != nil && c.first.Fate == ask.FateRepaired {
			// The same SQL is the same reading: the repair of one is that of
			// all, but only the repair itself can stand for the group.
			r := c.first.repair
			b.Result, b.SQL, b.Length, b.Cost, b.WrongLiteral, b.Echo = r.result, r.SQL, len(r.SQL), r.Cost, r.wrong, true
			if s.fastest {
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
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "?")), " ")
	if len(s) > n {
		s = strings.ToValidUTF8(s[:n], "") + "…"
	}
	return s
}
