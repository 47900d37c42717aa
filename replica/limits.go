package replica

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"askpg/ask"
)

// limits are the places that questions and their statements wait for.
type limits struct {
	cfg       *Config
	questions *semaphore.Weighted
	instance  *semaphore.Weighted

	mu    sync.Mutex
	roles map[string]*roleLimit
}

type roleLimit struct {
	sem       *semaphore.Weighted
	questions *semaphore.Weighted
	users     int
}

func newLimits(cfg *Config) *limits {
	return &limits{cfg: cfg, questions: semaphore.NewWeighted(int64(cfg.Questions)), instance: semaphore.NewWeighted(int64(cfg.PerInstance)), roles: map[string]*roleLimit{}}
}

// wait waits for one unit of the semaphore, for as long as a question may wait.
func (l *limits) wait(ctx context.Context, sem *semaphore.Weighted, what, setting string, n int) error {
	if sem.TryAcquire(1) {
		return nil
	}
	wait, cancel := context.WithTimeout(ctx, l.cfg.QueueTimeout.Duration())
	defer cancel()
	if sem.Acquire(wait, 1) == nil {
		return nil
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return ask.Errorf(ask.CodeQueryCanceled, "canceling statement due to user request").Because(ctx.Err())
	}
	return ask.Errorf(ask.CodeTooManyConnections, "too many %s at a time on the replica", what).
		WithDetail("%d are running, and none ended within %s.", n, time.Duration(l.cfg.QueueTimeout)).
		WithHint("Ask again in a moment, or raise replica.%s.", setting)
}

func (c *Config) questionsPerRole() int { return cmp.Or(c.QuestionsPerRole, max(1, c.Questions/2)) }

// question waits for a place for a question of the role; the returned function gives it
// back.
func (l *limits) question(ctx context.Context, role string) (func(), error) {
	r := l.role(role)
	if err := l.wait(ctx, r.questions, "questions of role "+role, "questions_per_role", l.cfg.questionsPerRole()); err != nil {
		l.leave(role)
		return nil, err
	}
	if err := l.wait(ctx, l.questions, "questions", "questions", l.cfg.Questions); err != nil {
		r.questions.Release(1)
		l.leave(role)
		return nil, err
	}
	return func() {
		l.questions.Release(1)
		r.questions.Release(1)
		l.leave(role)
	}, nil
}

// place is what one statement holds of the limits.
type place struct {
	holders atomic.Int32
	free    func()
}

// keep has the place held once more, until a further release.
func (p *place) keep() { p.holders.Add(1) }

// release gives the place back if nobody else holds it.
func (p *place) release() {
	if p.holders.Add(-1) == 0 {
		p.free()
	}
}

// statement waits for a place for one statement of the role.
func (l *limits) statement(ctx context.Context, role string) (*place, error) {
	r := l.role(role)
	if err := l.wait(ctx, r.sem, "statements of role "+role, "per_role", l.cfg.PerRole); err != nil {
		l.leave(role)
		return nil, err
	}
	if err := l.wait(ctx, l.instance, "statements", "per_instance", l.cfg.PerInstance); err != nil {
		r.sem.Release(1)
		l.leave(role)
		return nil, err
	}
	p := &place{free: func() {
		l.instance.Release(1)
		r.sem.Release(1)
		l.leave(role)
	}}
	p.keep()
	return p, nil
}

func (l *limits) role(name string) *roleLimit {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := l.roles[name]
	if r == nil {
		r = &roleLimit{sem: semaphore.NewWeighted(int64(l.cfg.PerRole)), questions: semaphore.NewWeighted(int64(l.cfg.questionsPerRole()))}
		l.roles[name] = r
	}
	r.users++
	return r
}

func (l *limits) leave(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := l.roles[name]
	if r.users--; r.users == 0 {
		delete(l.roles, name)
	}
}
