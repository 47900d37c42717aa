package replica

import (
	"context"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"askpg/ask"
)

// work is what one question has done on the replicas, and what it may: its
// checks, candidates, samples and look-ups together. A nil work has no bounds.
type work struct {
	cfg     *Config
	metrics *metrics

	mu         sync.Mutex
	statements int
	spent      time.Duration // by statements that have ended
	held       time.Duration // for statements that run
	freed      chan struct{} // closed when held time is given back
	rows       int64
	bytes      int64
	exhausted  map[string]bool // bounds, each counted once
}

type workKey struct{}

// Question returns a context whose question may do what replica.question_* say
// and no more, by everything that is done under the context or in a snapshot
// begun with it. A context that is a question's already stays as it is.
func (r *Replica) Question(ctx context.Context) context.Context {
	if workOf(ctx) != nil {
		return ctx
	}
	return context.WithValue(ctx, workKey{}, &work{cfg: &r.cfg, metrics: r.metrics, freed: make(chan struct{}), exhausted: map[string]bool{}})
}

func workOf(ctx context.Context) *work {
	w, _ := ctx.Value(workKey{}).(*work)
	return w
}

// used returns the error of a bound that is reached. The caller holds mu.
func (w *work) used(bound, format string, args ...any) error {
	w.exhaust(bound)
	return ask.Errorf(ask.CodeLimitExceeded, "the question has used up what it may do on the replica").
		WithDetail(format, args...).
		WithHint("Ask for less, or raise replica.question_%s.", bound)
}

func (w *work) exhaust(bound string) {
	if !w.exhausted[bound] {
		w.exhausted[bound] = true
		w.metrics.exhausted.WithLabelValues(bound).Inc()
	}
}

// statement counts one statement.
func (w *work) statement() error {
	if w == nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.statements >= w.cfg.QuestionStatements {
		return w.used("statements", "It has run %d statements.", w.statements)
	}
	w.statements++
	return nil
}

// time takes time for a statement, at most limit: what is left, which is waited
// for while others of the question hold it. The returned function gives
// back what the statement did not need.
func (w *work) time(ctx context.Context, limit time.Duration) (time.Duration, func(), error) {
	if w == nil {
		return limit, func() {}, nil
	}
	for {
		w.mu.Lock()
		left := w.cfg.QuestionWork.Duration() - w.spent
		free := min(limit, left-w.held)
		// Less than a moment is none: the server would cancel at once.
		if free >= min(limit, minWork) {
			w.held += free
			w.mu.Unlock()
			began := time.Now()
			return free, func() {
				w.mu.Lock()
				defer w.mu.Unlock()
				w.held -= free
				w.spent += time.Since(began)
				close(w.freed)
				w.freed = make(chan struct{})
			}, nil
		}
		if left < min(limit, minWork) {
			defer w.mu.Unlock()
			return 0, nil, w.used("work", "Its statements have taken %s.", w.spent.Round(time.Millisecond))
		}
		freed := w.freed
		w.mu.Unlock()
		select {
		case <-freed:
		case <-ctx.Done():
			return 0, nil, ask.Errorf(ask.CodeQueryCanceled, "canceling statement due to user request").Because(ctx.Err())
		}
	}
}

// minWork is the least time that a statement is begun with.
const minWork = 10 * time.Millisecond

// row counts a row of a candidate; false if there is no room for it.
func (w *work) row(bytes int64) bool {
	if w == nil {
		return true
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.rows >= w.cfg.QuestionRows:
		w.exhaust("rows")
		return false
	case w.bytes+bytes > w.cfg.QuestionBytes:
		w.exhaust("bytes")
		return false
	}
	w.rows++
	w.bytes += bytes
	return true
}

// countedTx counts the statements of askpg's own for a question.
type countedTx struct {
	pgx.Tx
	work *work
}

func (c countedTx) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	if err := c.work.statement(); err != nil {
		return nil, err
	}
	return c.Tx.Query(ctx, sql, args...)
}

func (c countedTx) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	if err := c.work.statement(); err != nil {
		return noRow{err}
	}
	return c.Tx.QueryRow(ctx, sql, args...)
}

func (c countedTx) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	if err := c.work.statement(); err != nil {
		return pgconn.CommandTag{}, err
	}
	return c.Tx.Exec(ctx, sql, args...)
}

// Begin makes a savepoint, whose statements count too.
func (c countedTx) Begin(ctx context.Context) (pgx.Tx, error) {
	sub, err := c.Tx.Begin(ctx)
	if err != nil {
		return nil, err
	}
	return countedTx{sub, c.work}, nil
}

// noRow is the row of a statement that was not run.
type noRow struct{ err error }

func (r noRow) Scan(...any) error { return r.err }
