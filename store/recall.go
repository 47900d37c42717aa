package store

import (
	"context"
	"fmt"
	"time"

	"askpg/ask"
)

// Recall returns the last answer that was translated for a cache key, on this
// instance or another, unless a reviewer has rejected it. It returns nil
// without an error if there is none. So a question keeps its SQL across
// restarts.
func (s *Store) Recall(ctx context.Context, key string) (*ask.Translation, error) {
	if key == "" {
		return nil, nil
	}
	ctx, cancel := s.lookUpContext(ctx)
	defer cancel()
	ids, err := s.texts(ctx, s.read, `select t.id from translations t where t.answer_key = ? and t.answer_key <> '' and t.source <> 'cache' and t.outcome = 'answered' and not t.fallback
		and not exists (select 1 from translations r where r.answer_key = t.answer_key and r.review in ('rejected', 'corrected') and r.sql = t.sql)
		order by t.seq desc limit 1`, key)
	if err != nil {
		return nil, fmt.Errorf("recalling an answer: %w", err)
	}
	if len(ids) == 0 {
		return nil, nil
	}
	r, err := s.Get(ctx, ids[0])
	if err != nil {
		return nil, err
	}
	return r.translation(), nil
}

// Withdrawn tells whether a reviewer has rejected sql as the answer for a
// cache key. While the store is away since the start, nothing is.
func (s *Store) Withdrawn(key, sql string) bool {
	have := s.remembered.have.Load()
	return have != nil && have.withdrawn[answerOf{key, storable(sql)}]
}

// translation returns the translation that a record was made of, without rows and cost.
func (r *Record) translation() *ask.Translation {
	t := &ask.Translation{
		ID: r.ID, SQL: r.SQL, Confidence: r.Confidence, Chosen: int(max(r.Chosen, 0)), Strategy: r.Strategy, Source: ask.Source(r.Source),
		Understood: r.Understood, Plan: r.Plan, Schema: r.SchemaVersion, Key: r.AnswerKey,
		Columns: r.ResultColumns, Linked: r.Linked, Demos: r.Demos,
	}
	for _, c := range r.Candidates {
		out := ask.Candidate{
			SQL: c.SQL, Origin: ask.Origin{Model: c.Model, Prompt: c.Prompt, Sample: int(c.Sample), Repair: int(c.Repair)}, Fate: ask.Fate(c.Fate),
			Votes: int(c.Votes), Fingerprint: c.Fingerprint, Rows: c.Rows, Cost: c.Cost, Elapsed: time.Duration(c.Elapsed * float64(time.Millisecond)),
		}
		if c.Code != "" || c.Message != "" {
			out.Err = &ask.Error{Code: c.Code, Message: c.Message, Detail: c.Detail, Hint: c.ErrorHint}
		}
		t.Candidates = append(t.Candidates, out)
	}
	return t
}
