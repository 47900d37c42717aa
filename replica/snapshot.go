package replica

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"askpg/ask"
)

// Snapshot is one moment of the database that all candidates of a question run
// against, each on a connection of its own. It is safe for concurrent use.
type Snapshot struct {
	r       *Replica
	session ask.Session
	work    *work // of its question
	lead    *tx   // exported the snapshot, and holds it
	places  chan struct{}
	leave   func() // gives the question's place back
	stop    context.CancelFunc
	ctx     context.Context // ends with Close or the question's time

	mu      sync.Mutex
	closed  bool
	running sync.WaitGroup
}

// Begin opens a snapshot at the first server that can be used, under the
// asker's role. The caller closes it.
//
// Errors are *ask.Error: 42501 if the role may not be assumed, 57P03 if every replica is
// too far behind, 55000 if it is a primary. It is 08006 if no replica can be reached,
// 53300 if too many questions run, 53200 if there is no memory for a candidate.
func (r *Replica) Begin(ctx context.Context, s ask.Session) (*Snapshot, error) {
	if err := r.memory.room(ctx, copies*r.cfg.CandidateBytes); err != nil {
		return nil, err
	}
	leave, err := r.limits.question(ctx, s.Role)
	if err != nil {
		return nil, err
	}
	t, err := r.choose(ctx, func(h *host) (*tx, error) {
		return r.open(ctx, h, s, txOptions{export: true, timeout: r.cfg.StatementTimeout.Duration()})
	})
	if err != nil {
		leave()
		return nil, err
	}
	snap := &Snapshot{r: r, session: s, leave: leave, work: workOf(ctx), lead: t, places: make(chan struct{}, r.cfg.PerQuestion)}
	snap.ctx, snap.stop = context.WithTimeout(context.Background(), r.cfg.QuestionTimeout.Duration())
	return snap, nil
}

// Replica says where the snapshot is.
func (s *Snapshot) Replica() ask.Replica {
	return ask.Replica{Name: s.lead.h.name, Lag: max(s.lead.state.lag, 0), Primary: !s.lead.state.standby}
}

// Notices returns what the asker should know about where and as whom the
// question runs.
func (s *Snapshot) Notices() []string { return s.lead.notices() }

func (t *tx) notices() []string {
	var list []string
	if t.why != "" {
		list = append(list, t.why)
	}
	if t.left != "" {
		list = append(list, fmt.Sprintf("names are not looked up in schema %s: roles that are not trusted may create objects there", t.left))
	}
	if !t.state.standby && t.state.roles != nil {
		list = append(list, "the question runs on the primary "+t.h.name+" (replica.allow_primary)")
	}
	return list
}

// Close ends what still runs and gives the connections back.
func (s *Snapshot) Close() {
	s.mu.Lock()
	again := s.closed
	s.closed = true
	s.mu.Unlock()
	s.stop()
	s.running.Wait()
	if !again {
		s.lead.end()
		s.leave()
	}
}

// enter counts a statement in, unless the snapshot is closed.
func (s *Snapshot) enter() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return ask.Errorf(ask.CodeQueryCanceled, "the question has ended").Because(context.Canceled)
	}
	s.running.Add(1)
	return nil
}

// with runs fn in a transaction of its own at the snapshot, within the limits
// and under askpg's own timer.
func (s *Snapshot) with(ctx context.Context, kind string, fn func(ctx context.Context, t *tx) error) (err error) {
	if err := s.enter(); err != nil {
		return err
	}
	defer s.running.Done()
	defer func() {
		if err != nil && errors.Is(s.ctx.Err(), context.DeadlineExceeded) {
			err = ask.Errorf(ask.CodeQueryCanceled, "the question took longer than %s", s.r.cfg.QuestionTimeout).
				WithHint("Ask for less, or raise replica.question_timeout.").Because(s.ctx.Err())
		}
	}()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.ctx, cancel)()
	select {
	case s.places <- struct{}{}:
		defer func() { <-s.places }()
	case <-ctx.Done():
		return ask.Errorf(ask.CodeQueryCanceled, "canceling statement due to user request").Because(ctx.Err())
	}
	if err := s.work.statement(); err != nil {
		return err
	}
	place, err := s.r.limits.statement(ctx, s.session.Role)
	if err != nil {
		return err
	}
	defer place.release()
	left, done, err := s.work.time(ctx, s.r.cfg.StatementTimeout.Duration())
	if err != nil {
		return err
	}
	defer done()
	limit := ask.Duration(left)
	timed, stop := context.WithTimeout(ctx, limit.Duration()+cancelGrace/4)
	defer stop()
	start := time.Now()
	defer func() { s.r.metrics.statements.WithLabelValues(kind).Observe(time.Since(start).Seconds()) }()
	t, err := s.r.open(timed, s.lead.h, s.session, txOptions{role: s.lead.role, service: !s.lead.user, snapshot: s.lead.snap, timeout: limit.Duration(), judges: true})
	if err != nil {
		if bad, ok := errors.AsType[*unusableError](err); ok {
			err = bad.err
		}
		return serverError(ctx, timed, err, limit)
	}
	defer t.end()
	t.place = place
	err = fn(timed, t)
	if timed.Err() != nil {
		t.dirty = true // a cancel may still be on its way
	}
	return t.explainPath(serverError(ctx, timed, err, limit))
}

// Run runs a statement and returns its rows in text format, cut off at the
// caps. Errors are *ask.Error: ASK05 if the guard refuses it, else the
// server's own.
func (s *Snapshot) Run(ctx context.Context, sql string) (*ask.Result, error) {
	_, res, _, err := s.run(ctx, sql, false)
	return res, err
}

// Try judges, plans and runs a statement in one transaction: what Check does,
// then what Run does. The plan is that of a statement that planned, whatever came of it.
// took is the time that it ran.
func (s *Snapshot) Try(ctx context.Context, sql string) (plan ask.Plan, res *ask.Result, took time.Duration, err error) {
	return s.run(ctx, sql, true)
}

func (s *Snapshot) run(ctx context.Context, sql string, plans bool) (plan ask.Plan, res *ask.Result, took time.Duration, err error) {
	err = s.with(ctx, "candidate", func(ctx context.Context, t *tx) (err error) {
		if err = t.judge(ctx, sql); err != nil {
			return err
		}
		if plans {
			if plan, err = t.explain(ctx, sql); err == nil {
				err = t.r.withinLimits(plan)
			}
			if err != nil {
				return err
			}
		}
		began := time.Now()
		res, err = t.fetch(ctx, s.work)
		took = time.Since(began)
		return err
	})
	if err != nil {
		res.Release()
		return plan, nil, took, err
	}
	res.Notices = s.Notices()
	return plan, res, took, nil
}

// fetch runs the judged statement and reads its rows up to the caps of a candidate.
func (t *tx) fetch(ctx context.Context, w *work) (*ask.Result, error) {
	cfg := &t.r.cfg
	rctx, cut := context.WithCancel(ctx)
	defer cut()
	rr := t.c.PgConn().ExecPrepared(rctx, statementName, nil, nil, nil)
	res := &ask.Result{Columns: columns(rr.FieldDescriptions()), Complete: true, Reads: t.reads}
	held := &share{m: t.r.memory}
	res.Counted(held.free)
	var size int64
	var full error // no memory for the next row
	for rr.NextRow() {
		values := rr.Values()
		var bytes int64
		for _, v := range values {
			bytes += int64(len(v)) + rowOverhead
		}
		size += bytes
		capped := ""
		if len(res.Rows) >= cfg.CandidateRows || size > cfg.CandidateBytes {
			capped = "candidate"
		} else if !w.row(bytes) {
			capped = "question"
		}
		if capped != "" {
			res.Complete = false
			t.r.metrics.capped.WithLabelValues(capped).Inc()
			t.dirty = true
			cut()
			break
		}
		if full = held.add(bytes); full != nil {
			t.dirty = true
			cut()
			break
		}
		row := make([][]byte, len(values))
		for i, v := range values {
			if v != nil {
				row[i] = append(make([]byte, 0, len(v)), v...)
			}
		}
		res.Rows = append(res.Rows, row)
	}
	_, err := rr.Close()
	if !res.Complete && ctx.Err() == nil {
		err = nil // canceled by the cap
	}
	if full != nil {
		err = full
	}
	if err != nil {
		res.Release()
		return nil, err
	}
	return res, nil
}

// rowOverhead is what a value costs beside its bytes: a slice header.
const rowOverhead = 24
