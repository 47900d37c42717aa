package translator

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"askpg/ask"
	"askpg/catalog"
	"askpg/translator/grammar"
	"askpg/translator/llm"
	"askpg/translator/vote"
)

// interpreter reads questions without a model. Its error is an *ask.Error
// that names the word it did not understand (ASK01), or a relation that the role may not read
// (42501).
type interpreter func(question, hint string, s *catalog.Snapshot, o grammar.Options) ([]grammar.Interpretation, error)

// Where no model is asked, the grammar's further readings are candidates too:
// they are executed and can be listed and run, and one of them answers if the
// best fails. Their votes together are too few to overrule a best reading that
// says something.
const (
	furtherReadings = 2
	furtherWeight   = 0.2
	furtherGrace    = 500 * time.Millisecond // that they may take longer than the best
)

// interpretStage lets the grammar read the question. Its best reading is a
// candidate like those of models. A question that needs a relation that the role may not read
// ends here, whatever models would make of it.
func interpretStage(ctx context.Context, s *state) error {
	if err := s.interpret(ctx); err != nil {
		return err
	}
	g, gctx := errgroup.WithContext(ctx)
	s.tryReadings(gctx, g)
	return g.Wait()
}

// interpret has the grammar read the question. The error ends it.
func (s *state) interpret(ctx context.Context) error {
	if s.t.interpret == nil {
		return nil
	}
	o := grammar.Options{Now: s.q.Asked, Location: s.set.location, SearchPath: s.set.searchPath, Suggest: s.unmodelled(), Context: ctx}
	if n := len(s.q.History); n > 0 {
		o.Previous, o.Chosen = s.q.History[n-1].Question, s.q.History[n-1].SQL
	}
	if unread := grammar.Unread(s.q.Hint, s.snap); len(unread) > 0 && s.unmodelled() {
		s.notice(fmt.Sprintf("the built-in engine does not read the hint %q; it reads definitions over columns that you may read, such as: eligible means tier = 'gold'", strings.Join(unread, "; ")))
	}
	s.readings, s.refusal = s.t.interpret(s.q.Text, s.q.Hint, s.snap, o)
	if code := ask.CodeOf(s.refusal); code == ask.CodeInsufficientRights || code == ask.CodeQueryCanceled {
		return s.refusal
	}
	return nil
}

// unmodelled says that no model is asked: the grammar's answer is the answer.
func (s *state) unmodelled() bool {
	return len(s.t.withRole(llm.RoleGenerate)) == 0 || s.set.strategy == grammarName
}

// tryReadings makes candidates of the grammar's readings and tries them in g.
func (s *state) tryReadings(ctx context.Context, g *errgroup.Group) {
	if len(s.readings) == 0 {
		return
	}
	n := 1
	if s.unmodelled() {
		n = min(1+furtherReadings, len(s.readings))
	}
	s.mu.Lock()
	s.asked++
	s.mu.Unlock()
	var list []*candidate
	var stop []context.CancelFunc
	within := make([]context.Context, n)
	for i := range n {
		r := &s.readings[i]
		c := s.add(candidate{reading: r, Candidate: ask.Candidate{SQL: r.SQL, Origin: ask.Origin{Model: grammarName, Prompt: "interpretation", Sample: i + 1}}})
		list, within[i] = append(list, c), ctx
		if i > 0 {
			c.weight = furtherWeight * r.Score
		}
		if i > 0 && !r.Near { // else it may make the question ambiguous
			var cancel context.CancelFunc
			within[i], cancel = context.WithCancel(ctx)
			stop = append(stop, cancel)
		}
	}
	g.Go(caught(func() error {
		err := s.try(ctx, list[0])
		if list[0].result != nil {
			time.AfterFunc(furtherGrace, func() {
				for _, cancel := range stop {
					cancel()
				}
			})
		}
		return err
	}))
	for i := 1; i < n; i++ {
		g.Go(caught(func() error {
			err := s.try(within[i], list[i])
			if err != nil && within[i].Err() != nil && ctx.Err() == nil {
				return s.noteFailure(ctx, list[i], ask.Errorf(ask.CodeQueryCanceled, "the likeliest reading had its rows long before this one"), ask.FateTimeout)
			}
			return err
		}))
	}
}

// ambiguous says that the grammar has a reading as likely as the one chosen that
// gives other rows.
func (s *state) ambiguous(chosen vote.Group) bool {
	for i := range s.readings {
		r := &s.readings[i]
		same := slices.ContainsFunc(chosen.Members, func(k int) bool { return s.candidates[k].reading == r })
		failed := slices.ContainsFunc(s.candidates, func(c *candidate) bool { return c.reading == r && c.Err != nil })
		if r.Near && !same && !failed {
			return true
		}
	}
	return false
}

// grammarAlone chooses the grammar's reading.
func grammarAlone(_ context.Context, s *state) error {
	switch {
	case len(s.readings) > 0:
		return nil
	case s.refusal != nil:
		return s.refusal
	}
	return ask.Errorf(ask.CodeNoCandidate, "the built-in engine does not understand the question").
		WithHint("Ask it in simpler words, or configure a model.")
}
