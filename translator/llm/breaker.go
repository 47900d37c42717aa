package llm

import (
	"sync"
	"time"
)

// breaker is a circuit breaker: failures in a row open it, and after a
// cooldown one request at a time tries whether the model is back.
type breaker struct {
	limit    int
	cooldown time.Duration

	mu       sync.Mutex
	failures int // in a row
	opened   time.Time
	probing  bool
}

// allow says whether a request may go out, else how long the circuit stays
// open. Every allowed request must be followed by done.
func (b *breaker) allow() (time.Duration, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failures < b.limit {
		return 0, true
	}
	left := b.cooldown - time.Since(b.opened)
	if left > 0 || b.probing {
		return max(left, 0), false
	}
	b.probing = true
	return 0, true
}

// outcome is what a request says about the model's health.
type outcome int

const (
	healthy outcome = iota
	failing
	unknown // canceled: says nothing
)

func (b *breaker) done(o outcome) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.probing = false
	switch o {
	case healthy:
		b.failures = 0
	case failing:
		b.failures++
		if b.failures >= b.limit {
			b.opened = time.Now()
		}
	}
}

func (b *breaker) isOpen() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.failures >= b.limit
}
