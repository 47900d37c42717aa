package translator

import (
	"context"
	"slices"
	"time"

	"askpg/ask"
	"askpg/translator/llm"
	"askpg/translator/prompt"
	"askpg/translator/vote"
)

// codeNoData is of SQL that ran and found nothing (PostgreSQL documentation,
// appendix A, class 02).
const codeNoData = "02000"

// repairOnce sends a candidate back to its model, once. If it failed, the model gets what
// may be told of the error. If it found nothing because of a literal that its column does not
// hold, the model gets values that the column holds.
func (s *state) repairOnce(ctx context.Context, c *candidate) error {
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
	if !s.takeRepair() {
		return nil
	}
	text, err := prompt.Repair(c.spec.frame, c.SQL, failure, notes)
	if err != nil {
		return err
	}
	ask.Progress(ctx, "correcting a candidate: "+oneLine(failure.Message, 100))
	origin := c.Origin
	origin.Repair = 1
	r, a, err := s.resume(ctx, c.spec, c, origin, llm.Request{Stage: "repair", Form: c.spec.form,
		Messages: []llm.Message{{Role: llm.Assistant, Content: "```sql\n" + c.SQL + "\n```"}, {Role: llm.User, Content: text}}})
	if err != nil {
		return err
	}
	if a.Refuses {
		// The model now says that the data can't answer, so its empty result is no answer.
		s.mu.Lock()
		defer s.mu.Unlock()
		s.missing = append(s.missing, a.Missing)
		c.weight = 0
		return nil
	}
	if r == nil {
		return nil
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

// resume goes on with the conversation that a candidate came of, by the request's messages, and tries the SQL of the answer: a
// candidate of that origin. It is nil if the answer has no SQL or the same SQL as c, and also, without an error, if the call failed.
func (s *state) resume(ctx context.Context, spec *sampleSpec, c *candidate, origin ask.Origin, r llm.Request) (next *candidate, a answer, err error) {
	r.Messages = slices.Concat(spec.messages, r.Messages)
	res, _, err, ok := s.complete(ctx, spec.model, r)
	if ctx.Err() != nil {
		return nil, a, ctx.Err()
	}
	if !ok || err != nil || len(res.Texts) == 0 {
		return nil, a, nil
	}
	if a = extract(res.Texts[0]); a.SQL == "" || keyOf(a.SQL) == c.key {
		return nil, a, nil
	}
	next = s.add(candidate{Candidate: ask.Candidate{SQL: a.SQL, Origin: origin}})
	return next, a, s.try(ctx, next)
}

// takeRepair takes one from the repairs that a question may have, and reports whether there was one left.
func (s *state) takeRepair() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.repairs >= s.t.cfg.MaxRepairs || s.calls >= s.set.maxCalls || !time.Now().Before(s.modelDeadline) {
		return false
	}
	s.repairs++
	return true
}
