package proxy

import (
	"maps"
	"runtime/debug"
	"slices"
	"time"
)

// Memory that handshakes and parked goroutines have left goes back to the
// system when so many sessions were parked, and not more often than that: it
// takes a collection.
const (
	returnAfter = 256
	returnEvery = 10 * time.Second
)

// sweep ends sessions that have been idle for too long and drops what was kept for long enough, until the server is closed. It costs a session in
// use no more than a flag.
func (s *Server) sweep() {
	t := time.NewTimer(s.settings.Load().times.sweepEvery)
	defer t.Stop()
	returned := time.Now()
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-t.C:
		}
		set := s.settings.Load()
		if set.pool != nil {
			set.pool.Sweep(time.Now())
		}
		s.lasts.expire(time.Now())
		timeout := set.Listen.IdleTimeout.Duration()
		s.sweepSessions(time.Now(), timeout)
		if s.parkedLately.Load() >= returnAfter && time.Since(returned) > returnEvery {
			debug.FreeOSMemory()
			s.parkedLately.Store(0)
			returned = time.Now()
		}
		every := set.times.sweepEvery
		if timeout > 0 {
			every = min(max(timeout/4, time.Millisecond), every)
		}
		t.Reset(every)
	}
}

// sweepSessions ends the sessions that nothing has been relayed of for the
// given time and that wait for a command outside of a transaction. Replication sessions stay as they are.
func (s *Server) sweepSessions(now time.Time, timeout time.Duration) {
	s.mu.Lock()
	open := slices.Collect(maps.Keys(s.open))
	s.mu.Unlock()
	for _, ss := range open {
		ss.mu.Lock()
		switch {
		case ss.replication != notReplication || !ss.idle():
			ss.ending, ss.idleSince = nil, time.Time{}
		case ss.idleSince.IsZero():
			ss.ending, ss.idleSince = nil, now
		case timeout > 0 && now.Sub(ss.idleSince) >= timeout:
			ss.ending = errIdle
		}
		end := ss.ending != nil
		ss.mu.Unlock()
		if end {
			ss.drain()
		}
	}
}
