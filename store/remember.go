package store

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"askpg/ask"
	"askpg/ask/param"
)

// rememberEvery is how often the verified examples in memory are compared with the store's. What this instance changes
// itself is in memory at once.
const rememberEvery = 5 * time.Second

// remembered are the verified examples as the store last had them. They answer while it is away.
type remembered struct {
	wake chan struct{}

	mu     sync.Mutex
	digest string
	known  bool
	stale  int64                 // examples that no longer plan
	exact  map[countKey]*Example // by database and question_key
	sets   map[string]*templateSet
	byID   map[string]*Example
}

// remembering keeps the verified examples in memory up to date while the store is open.
func (s *Store) remembering(ctx context.Context) {
	tick := time.NewTicker(rememberEvery)
	defer tick.Stop()
	for {
		if s.migrated.Load() {
			if err := s.remember(ctx); err != nil && ctx.Err() == nil {
				s.log.Debug("the verified examples in memory are those of before", "error", err)
			}
		}
		select {
		case <-tick.C:
		case <-s.remembered.wake:
		case <-ctx.Done():
			return
		}
	}
}

// staleExamples returns how many examples no longer plan.
func (s *Store) staleExamples() float64 {
	s.remembered.mu.Lock()
	defer s.remembered.mu.Unlock()
	return float64(s.remembered.stale)
}

// examplesChanged has the examples read again soon.
func (s *Store) examplesChanged() {
	select {
	case s.remembered.wake <- struct{}{}:
	default:
	}
}

// remember reads the examples if one of them has changed.
func (s *Store) remember(ctx context.Context) error {
	digest, err := s.examplesDigest(ctx, `true`)
	if err != nil {
		return err
	}
	m := &s.remembered
	m.mu.Lock()
	same := m.known && m.digest == digest
	m.mu.Unlock()
	if same {
		return nil
	}
	list, err := s.examples(ctx, `status = 'verified'`)
	if err != nil {
		return err
	}
	stale, err := s.examples(ctx, `status = 'stale'`)
	if err != nil {
		return err
	}
	exact, byID, sets := map[countKey]*Example{}, map[string]*Example{}, map[string]*templateSet{}
	for i := range list {
		e := &list[i]
		byID[e.ID] = e
		if e.MarkedQuestion == "" {
			exact[countKey{e.Database, e.Key}] = e
			continue
		}
		t, err := param.Compile(e.MarkedQuestion, e.MarkedSQL)
		if err != nil {
			continue // templatesOf tells
		}
		if sets[e.Database] == nil {
			sets[e.Database] = &templateSet{}
		}
		sets[e.Database].list = append(sets[e.Database].list, template{e.ID, ask.Normalise(e.Hint), t})
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.stale, m.digest, m.known, m.exact, m.byID, m.sets = int64(len(stale)), digest, true, exact, byID, sets
	return nil
}

// verifiedFromMemory is verified while the store is away.
func (s *Store) verifiedFromMemory(ctx context.Context, q *ask.Question, reader func() *param.Reader) (*Filled, error) {
	m := &s.remembered
	m.mu.Lock()
	known, e, set, byID := m.known, m.exact[countKey{q.Session.Database, questionKey(q.Text, q.Hint)}], m.sets[q.Session.Database], m.byID
	m.mu.Unlock()
	switch {
	case !known:
		return nil, errors.New("the store was away since the start")
	case e != nil:
		return &Filled{Example: e, SQL: e.SQL}, nil
	case set == nil:
		return nil, nil
	}
	id, values, sql, err := s.match(ctx, set, q.Text, q.Hint, reader())
	if err != nil || id == "" {
		return nil, err
	}
	return &Filled{byID[id], sql, values}, nil
}

// examplesDigest returns a text that changes with any of the examples that a condition selects. Every change sets
// updated, but for an erasure, which leaves the day of the verdict; a sum of it, the number of rows and that of erased
// reviewers tell.
func (s *Store) examplesDigest(ctx context.Context, where string, args ...any) (digest string, err error) {
	ctx, cancel := s.lookUpContext(ctx)
	defer cancel()
	micros := "updated"
	if s.dialect == postgres {
		micros = "(extract(epoch from updated) * 1000000)::bigint"
	}
	query := fmt.Sprintf(`select cast(count(*) as text) || ' ' || cast(coalesce(sum(%s %% 1000000007), 0) as text) || ' ' || cast(coalesce(max(%s), 0) as text) || ' ' || cast(count(case reviewer when '%s' then 1 end) as text) from examples where %s`, micros, micros, erasedName, where)
	if err := s.read.QueryRowContext(ctx, s.bind(query), args...).Scan(&digest); err != nil {
		return "", fmt.Errorf("examples: %w", err)
	}
	return digest, nil
}
