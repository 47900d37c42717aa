package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"askpg/ask"
	"askpg/ask/param"
)

// rememberEvery is how often what is in memory is compared with the store. What this instance changes itself is in
// memory at once.
const rememberEvery = time.Second

// remembered is what questions look up, in memory. It answers while the store is away, too.
type remembered struct {
	reading sync.Mutex // held while the store is read
	digest  string     // of what was read last
	have    atomic.Pointer[lookUps]
}

// lookUps are the verified examples and the rejected answers as the store had them. They do not change.
type lookUps struct {
	exact     map[exampleKey]*Example
	templates map[string][]template // the examples with parameters, compiled, by database
	stale     int64                 // examples that no longer plan
	withdrawn map[answerOf]bool
}

// exampleKey is what one example alone can have among those that stand.
type exampleKey struct{ database, onlyFor, questionKey string }

// answerOf is SQL as the answer for a cache key.
type answerOf struct{ key, sql string }

var errNothingRemembered = errors.New("the store was away since the start")

// staleExamples returns how many examples no longer plan.
func (s *Store) staleExamples() float64 {
	if have := s.remembered.have.Load(); have != nil {
		return float64(have.stale)
	}
	return 0
}

// changed has memory hold what this instance has just changed in the store.
func (s *Store) changed(ctx context.Context) {
	if err := s.remember(context.WithoutCancel(ctx)); err != nil {
		s.log.WarnContext(ctx, "the verified examples cannot be read again; those in memory stay", "error", err)
	}
}

// remember reads what questions look up if any of it has changed.
func (s *Store) remember(ctx context.Context) error {
	m := &s.remembered
	m.reading.Lock()
	defer m.reading.Unlock()
	if err := s.ready(ctx); err != nil {
		return err
	}
	digest, err := s.lookUpsDigest(ctx)
	if err != nil || digest == m.digest {
		return err
	}
	read := &lookUps{exact: map[exampleKey]*Example{}, templates: map[string][]template{}}
	list, err := s.examples(ctx, `where status <> 'retired'`)
	if err != nil {
		return err
	}
	for i := range list {
		e := &list[i]
		switch {
		case e.Status == Stale:
			read.stale++
		case e.MarkedQuestion == "":
			read.exact[exampleKey{e.Database, e.OnlyFor, e.Key}] = e
		default:
			t, err := param.Compile(e.MarkedQuestion, e.MarkedSQL)
			if err != nil {
				s.log.WarnContext(ctx, "a verified example with parameters cannot be read", "example", e.ID, "error", err)
				continue
			}
			read.templates[e.Database] = append(read.templates[e.Database], template{e, ask.Normalise(e.Hint), t})
		}
	}
	if read.withdrawn, err = s.readWithdrawn(ctx); err != nil {
		return err
	}
	m.digest = digest
	m.have.Store(read)
	return nil
}

// isWithdrawn selects the translations whose SQL a reviewer has rejected as the answer for their cache key.
const isWithdrawn = `review in ('rejected', 'corrected')`

func (s *Store) readWithdrawn(ctx context.Context) (map[answerOf]bool, error) {
	ctx, cancel := s.readContext(ctx)
	defer cancel()
	withdrawn := map[answerOf]bool{}
	err := s.each(ctx, s.read, `select answer_key, sql from translations where answer_key <> '' and `+isWithdrawn, nil, func(row *sql.Rows) error {
		var a answerOf
		err := row.Scan(&a.key, &a.sql)
		withdrawn[a] = true
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("rejected answers: %w", err)
	}
	return withdrawn, nil
}

// lookUpsDigest returns a text that changes with what questions look up. Every change of an example
// sets updated, but for an erasure, which leaves the day of the verdict. So a sum of updated, the
// number of rows and that of erased reviewers tell. Of rejected answers the numbers of their rows
// tell.
func (s *Store) lookUpsDigest(ctx context.Context) (digest string, err error) {
	ctx, cancel := s.lookUpContext(ctx)
	defer cancel()
	micros := "updated"
	if s.dialect == postgres {
		micros = "(extract(epoch from updated) * 1000000)::bigint"
	}
	query := fmt.Sprintf(`select cast(e.n as text) || ' ' || cast(e.total as text) || ' ' || cast(e.latest as text) || ' ' || cast(e.erased as text) || ' ' || cast(w.n as text) || ' ' || cast(w.total as text)
		from (select count(*) as n, coalesce(sum(%[1]s %% 1000000007), 0) as total, coalesce(max(%[1]s), 0) as latest, count(case reviewer when '%[2]s' then 1 end) as erased from examples) e,
		(select count(*) as n, coalesce(sum(seq * (seq %% 1000000) %% 1000000007), 0) as total from translations where %[3]s) w`, micros, erasedName, isWithdrawn)
	if err := s.read.QueryRowContext(ctx, query).Scan(&digest); err != nil {
		return "", fmt.Errorf("examples: %w", err)
	}
	return digest, nil
}
