package eval

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"askpg/ask"
)

// answerKey is what is right for a question: the rows of its golds on every
// state of its database.
type answerKey struct {
	place    place
	question *Question
	golds    [][]*ask.Result // by state, then by gold; golds that fail are left out
	times    []time.Duration // of the golds on the 0th state
	sqls     []string        // of the same
}

// answerKey runs the golds. A question none of whose golds runs has no answer.
func (w *worker) answerKey(ctx context.Context, t *task) (*answerKey, error) {
	key := &answerKey{place: t.set.placeOf(w.o, t.question.Database), question: t.question}
	for state := 0; state <= w.o.States; state++ {
		var golds []*ask.Result
		for _, sql := range t.question.Gold {
			r, elapsed, err := w.runner.run(ctx, key.goldOn(state), sql)
			if isFatal(ctx, err) {
				return nil, cmp.Or(err, ctx.Err()) // the run may have ended just after the gold came
			}
			if err != nil {
				continue
			}
			golds = append(golds, r)
			if state == 0 {
				key.times = append(key.times, elapsed)
				key.sqls = append(key.sqls, sql)
			}
		}
		key.golds = append(key.golds, golds)
	}
	return key, nil
}

// goldOn and answerOn return where golds and answers run.
func (k *answerKey) goldOn(state int) runnerKey {
	return runnerKey{stateName(k.place.database, state), k.place.schema, k.question.Role}
}

func (k *answerKey) answerOn(state int) runnerKey {
	return runnerKey{stateName(k.place.database, state), "", k.question.Role}
}

// isFatal reports whether an error says something of the run rather than of
// the statement.
func isFatal(ctx context.Context, err error) bool {
	if err == nil || ctx.Err() != nil {
		return ctx.Err() != nil
	}
	var pgErr *pgconn.PgError
	return !errors.As(err, &pgErr) && !errors.Is(err, errTooManyRows) && !errors.Is(err, errNoRows) && !errors.Is(err, context.DeadlineExceeded)
}

// isRight runs an answer on the 0th state and compares it with the golds.
func (w *worker) isRight(ctx context.Context, key *answerKey, sql string) (bool, error) {
	r, _, err := w.runner.run(ctx, key.answerOn(0), sql)
	if isFatal(ctx, err) {
		return false, err
	}
	return err == nil && CompareAny(key.golds[0], r, key.question.Ordered).Perm, nil
}

// score runs an answer and notes every figure of it. It returns the rows, nil if it failed.
func (w *worker) score(ctx context.Context, o *Outcome, key *answerKey, sql string) (*ask.Result, error) {
	o.SQL = sql
	r, _, err := w.runner.run(ctx, key.answerOn(0), sql)
	if isFatal(ctx, err) {
		return nil, err
	}
	if err != nil {
		if pgErr, ok := errors.AsType[*pgconn.PgError](err); ok {
			o.Code = pgErr.Code
		}
		o.Message = err.Error()
		return nil, nil
	}
	o.Answered = true
	return r, w.compare(ctx, o, key, r)
}

// compare notes every figure of an answer's rows.
func (w *worker) compare(ctx context.Context, o *Outcome, key *answerKey, r *ask.Result) error {
	m := CompareAny(key.golds[0], r, key.question.Ordered)
	o.Strict, o.Perm, o.Contained = share(m.Strict), share(m.Perm), share(m.Contained)
	for _, gold := range key.golds[0] {
		o.BIRD = max(o.BIRD, share(birdEX(gold, r)))
		o.SoftF1 = max(o.SoftF1, softF1(gold, r))
	}
	o.AnyRight = o.AnyRight || m.Perm
	if !m.Perm {
		return nil
	}
	o.Suite = 1
	for state := 1; state <= w.o.States; state++ {
		other, _, err := w.runner.run(ctx, key.answerOn(state), o.SQL)
		if isFatal(ctx, err) {
			return err
		}
		// A gold that fails here says nothing of the answer.
		if err != nil || len(key.golds[state]) > 0 && !CompareAny(key.golds[state], other, key.question.Ordered).Perm {
			o.Suite = 0
			break
		}
	}
	if w.o.Timings > 0 {
		ratio, err := w.timeRatio(ctx, o.SQL, key)
		if err != nil {
			return err
		}
		o.Reward = math.Sqrt(reward(ratio))
	}
	return nil
}

// timeRatio returns how many times faster an answer is than the fastest gold,
// both run in turn.
func (w *worker) timeRatio(ctx context.Context, sql string, key *answerKey) (float64, error) {
	if len(key.times) == 0 {
		return 1, nil
	}
	gold := key.sqls[slices.Index(key.times, slices.Min(key.times))]
	var ratios []float64
	for range w.o.Timings {
		_, ours, err := w.runner.run(ctx, key.answerOn(0), sql)
		if err != nil {
			return 0, ctx.Err()
		}
		_, theirs, err := w.runner.run(ctx, key.goldOn(0), gold)
		if err != nil {
			return 0, ctx.Err()
		}
		ratios = append(ratios, float64(theirs)/float64(ours))
	}
	return meanWithoutOutliers(ratios), nil
}

func share(right bool) float64 {
	if right {
		return 1
	}
	return 0
}
