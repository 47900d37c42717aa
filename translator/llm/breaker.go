package llm

import (
	"sync"
	"time"
)

// breaker is a circuit breaker: failures in a row open it, a refused key at
// once, and after a cooldown one request at a time tries whether the model is back.
type breaker struct {
	limit    int
	cooldown time.Duration

	mu       sync.Mutex
	failures int // in a row
	opened   time.Time
	probing  bool
	health   Health
}

func newBreaker(limit int, cooldown time.Duration) *breaker {
	return &breaker{limit: limit, cooldown: cooldown, health: Health{State: Ready, Since: time.Now()}}
}

// allow says whether a request may go out, else how long the circuit stays
// open. Every allowed request must be followed by done.
func (b *breaker) allow() (time.Duration, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	left, ok := b.left()
	if ok && b.failures >= b.limit {
		b.probing = true
	}
	return left, ok
}

// left is allow without taking the try.
func (b *breaker) left() (time.Duration, bool) {
	if b.failures < b.limit {
		return 0, true
	}
	left := max(b.cooldown-time.Since(b.opened), 0)
	return left, left == 0 && !b.probing
}

// outcome is what a request says about the model's health.
type outcome int

const (
	healthy outcome = iota
	failing
	refusing // the key: no further request fares better
	unknown  // canceled: says nothing
)

// outcomeOf is what a request says whose error is e, or nil.
func outcomeOf(e *Error) outcome {
	switch {
	case e == nil:
		return healthy
	case e.kind == kindCanceled:
		return unknown
	case e.kind == kindKeyRefused && e.status == 401:
		return refusing
	case e.kind == kindRejected && e.status != 404:
		return healthy // it is this request that the model does not take
	}
	return failing // 403 may be of one question, and 404 is of the address or the model's name
}

// done notes what came of an allowed request. It returns the health before and
// after it. e is nil for a request that succeeded.
func (b *breaker) done(e *Error) (before, after Health) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.probing = false
	before = b.health
	switch outcomeOf(e) {
	case unknown:
		return before, before
	case healthy:
		b.failures = 0
	case failing:
		b.failures++
	case refusing:
		b.failures = max(b.failures+1, b.limit)
	}
	state, reason := Ready, ""
	if b.failures >= b.limit {
		b.opened = time.Now()
		state, reason = Away, e.summary()
		if e.kind == kindKeyRefused {
			state = KeyRefused
		}
	}
	if state != before.State {
		b.health.State, b.health.Since = state, time.Now()
	}
	b.health.Reason = reason
	return before, b.health
}

// up says whether a request would be allowed.
func (b *breaker) up() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	_, ok := b.left()
	return ok
}

func (b *breaker) now() Health {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.health
}
