package store

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"askpg/ask"
	"askpg/ask/param"
)

// Execute plans SQL as the asker on a replica, after the guard, and runs it if
// rows are wanted.
type Execute func(ctx context.Context, s ask.Session, sql string, rows bool) (ask.Plan, *ask.Result, ask.Replica, error)

// Reading says how the words of a question's asker are read.
type Reading func(q *ask.Question) *param.Reader

// SameTables says whether an example's SQL names the same tables for a session as where it was verified.
type SameTables func(ctx context.Context, e *Example, s *ask.Session) bool

// VerifiedFirst returns a Translator that answers a question by its verified
// example, if there is one, at no call, and asks next otherwise. An example with
// parameters answers with the question's words in them, as reading reads them. An asker who may not run the example's SQL, or for whom it names other tables, gets
// what he would get without it.
func VerifiedFirst(next ask.Translator, s *Store, execute Execute, reading Reading, same SameTables) ask.Translator {
	return ask.TranslatorFunc(func(ctx context.Context, q ask.Question) (*ask.Translation, error) {
		if q.Fresh || len(q.History) > 0 || q.Action == ask.ActionRun {
			return next.Translate(ctx, q)
		}
		t, err := s.answerByExample(ctx, &q, execute, reading, same)
		if t == nil && err == nil {
			return next.Translate(ctx, q)
		}
		return t, err
	})
}

// answerByExample answers a question by its verified example. It returns nil without an error if there is none, or if
// the example does not run.
func (s *Store) answerByExample(ctx context.Context, q *ask.Question, execute Execute, reading Reading, same SameTables) (*ask.Translation, error) {
	begin := time.Now()
	e, err := s.Fill(ctx, q.Session.Database, q.Session.Role, q.Text, q.Hint, func() *param.Reader { return reading(q) })
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		s.log.WarnContext(ctx, "the verified examples cannot be read", "id", q.ID, "error", err)
		return nil, nil
	}
	if e == nil || !same(ctx, e.Example, &q.Session) {
		return nil, nil
	}
	plan, result, replica, err := execute(ctx, q.Session, e.SQL, q.Action == ask.ActionRows)
	if err != nil && e.Values != nil && ctx.Err() == nil {
		s.log.InfoContext(ctx, "a verified example with this question's values does not run", "id", q.ID, "example", e.ID, "error", err)
		// It is the example's fault only if it fails with its own values.
		if _, _, _, err = execute(ctx, q.Session, e.Example.SQL, false); err == nil {
			return nil, nil
		}
	}
	if err != nil {
		if isCanceled(err) || ask.CodeOf(err) == ask.CodeQueryCanceled && ctx.Err() != nil {
			return nil, err
		}
		s.markStale(ctx, e.Example, q, err)
		return nil, nil
	}
	match := "exact"
	if e.Values != nil {
		match = "filled"
	}
	s.metrics.examples.WithLabelValues(match).Inc()
	return exampleAnswer(e, q, plan, result, replica, time.Since(begin)), nil
}

func exampleAnswer(e *Filled, q *ask.Question, plan ask.Plan, result *ask.Result, replica ask.Replica, elapsed time.Duration) *ask.Translation {
	notice := fmt.Sprintf("verified answer, reviewed by %s on %s", cmp.Or(e.Reviewer, "a reviewer"), e.Updated.Format(time.DateOnly))
	for i, p := range e.Parameters {
		if v, ok := e.Values[p.Name]; ok {
			notice += map[bool]string{true: ", with ", false: ", "}[i == 0] + p.Name + " = " + v
		}
	}
	t := &ask.Translation{
		ID: q.ID, SQL: e.SQL, Confidence: 1, Strategy: "example", Source: ask.SourceExample, Replica: replica, Plan: plan.Text, Result: result,
		Candidates: []ask.Candidate{{SQL: e.SQL, Origin: ask.Origin{Model: "example", Prompt: e.ID, Sample: 1}, Fate: ask.FateChosen, Votes: 1, Rows: -1, Cost: plan.Cost, Elapsed: elapsed}},
		Notices:    []string{notice}, Reviewer: e.Reviewer,
		Stages: []ask.Stage{{Name: "example", Elapsed: elapsed}}, Elapsed: elapsed, Schema: e.SchemaVersion,
	}
	if result != nil {
		t.Columns = result.Columns
		t.Candidates[0].Rows = int64(len(result.Rows))
	}
	return t
}

// markStale marks an example stale whose SQL no longer plans where it once did: for the role that asked it, under the
// same search_path, for a reason other than rights. What another role may not even name says nothing of the example.
func (s *Store) markStale(ctx context.Context, e *Example, q *ask.Question, err error) {
	if !isStatementError(err) || ask.CodeOf(err) == ask.CodeInsufficientRights || e.Role != q.Session.Role || e.Settings["search_path"] != q.Session.Settings["search_path"] {
		return
	}
	s.log.WarnContext(ctx, "a verified example no longer plans", "example", e.ID, "question", e.Question, "error", err)
	// The version stays, so that RecheckExamples plans it once more if it is
	// the schema that has changed.
	if err := s.setExampleStatus(context.WithoutCancel(ctx), e, Stale, e.SchemaVersion, ask.AsError(err).Message); err != nil {
		s.log.WarnContext(ctx, "a stale example is not marked", "example", e.ID, "error", err)
	}
}
