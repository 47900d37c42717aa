package replica

import (
	"context"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"askpg/ask"
)

// memory is the bytes of rows that the process holds at a time, whoever holds them. These
// are rows of candidates under way, of results that wait for the vote or for a client, and
// long rows on their way to one. Who holds some never waits for more, so that nobody waits
// for each other: a question waits before it holds any, and what does not fit later is
// refused.
type memory struct {
	size    int64
	timeout time.Duration // of a wait
	refused prometheus.Counter

	mu    sync.Mutex
	used  int64
	freed chan struct{} // closed when bytes are given back
}

func newMemory(cfg *Config, reg prometheus.Registerer) *memory {
	with := promauto.With(reg)
	m := &memory{size: cfg.Memory, timeout: cfg.QueueTimeout.Duration(), freed: make(chan struct{}),
		refused: with.NewCounter(prometheus.CounterOpts{Name: "askpg_replica_memory_refused_total", Help: "Times that replica.memory had no room for rows."})}
	with.NewGaugeFunc(prometheus.GaugeOpts{Name: "askpg_replica_memory_bytes",
		Help: "Bytes in use for rows: candidates under way, results that are kept, long rows on their way to clients."}, m.held)
	return m
}

// held returns the bytes in use.
func (m *memory) held() float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return float64(m.used)
}

// take takes n bytes; the error is 53200 if they are not free.
func (m *memory) take(n int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.used+n > m.size {
		return m.refuse(n)
	}
	m.used += n
	return nil
}

// give gives n bytes back.
func (m *memory) give(n int64) {
	if n == 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used -= n
	close(m.freed)
	m.freed = make(chan struct{})
}

// room waits until n bytes are free, and takes none.
func (m *memory) room(ctx context.Context, n int64) error {
	n = min(n, m.size)
	timer := time.NewTimer(m.timeout)
	defer timer.Stop()
	for {
		m.mu.Lock()
		free, freed := m.used+n <= m.size, m.freed
		m.mu.Unlock()
		if free {
			return nil
		}
		select {
		case <-freed:
		case <-ctx.Done():
			return ask.Errorf(ask.CodeQueryCanceled, "canceling statement due to user request").Because(ctx.Err())
		case <-timer.C:
			m.mu.Lock()
			defer m.mu.Unlock()
			return m.refuse(n)
		}
	}
}

// refuse counts and words a refusal. The caller holds mu.
func (m *memory) refuse(n int64) error {
	m.refused.Inc()
	return ask.Errorf(ask.CodeOutOfMemory, "askpg has no memory left for the rows of the question").
		WithDetail("%d of %d bytes are in use for rows, and %d more are needed.", m.used, m.size, n).
		WithHint("Ask for less, ask again in a moment, or raise replica.memory.")
}

// copies is how often a value is in memory while it is used. It is there as it was read,
// and once more to be compared with other results or encoded for the client.
const copies = 2

// share is what one result takes of a memory. It grows in steps.
type share struct {
	m        *memory
	reserved int64
	need     int64
}

// shareStep is what a share takes at least, so that rows don't take bytes one by one.
const shareStep = 64 << 10

// add counts n bytes of rows.
func (s *share) add(n int64) error {
	s.need += copies * n
	if s.need <= s.reserved {
		return nil
	}
	step := max(s.need-s.reserved, shareStep)
	if err := s.m.take(step); err != nil {
		return err
	}
	s.reserved += step
	return nil
}

// free gives all of it back.
func (s *share) free() {
	s.m.give(s.reserved)
	s.reserved, s.need = 0, 0
}
