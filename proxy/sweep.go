package proxy

import (
	"runtime/debug"
	"time"
)

var (
	// sweepEvery is how often the sweeper looks at sessions, at most; it bounds
	// by how much an idle timeout is overrun.
	sweepEvery = time.Second
	// parkAfter is how long a session with TLS has goroutines of its own while
	// nothing comes.
	parkAfter = 2 * time.Second
)

// Memory that handshakes and parked goroutines have left goes back to the
// system when so many sessions were parked, and not more often than that: it
// takes a collection.
const (
	returnAfter = 256
	returnEvery = 10 * time.Second
)

// sweep ends sessions that have been idle for too long and parks those that
// have been for a moment, until the server is closed. It costs a session in
// use no more than a flag.
func (s *Server) sweep() {
	t := time.NewTimer(sweepEvery)
	defer t.Stop()
	parked, returned := 0, time.Now()
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-t.C:
		}
		s.pool.sweep(time.Now())
		timeout := s.settings.Load().Listen.IdleTimeout.Duration()
		parked += s.sweepSessions(time.Now(), timeout)
		if parked >= returnAfter && time.Since(returned) > returnEvery {
			debug.FreeOSMemory()
			parked, returned = 0, time.Now()
		}
		every := sweepEvery
		if timeout > 0 {
			every = min(max(timeout/4, time.Millisecond), every)
		}
		t.Reset(every)
	}
}

// sweepSessions ends the sessions that nothing has been relayed of for the
// given time and that wait for a command outside of a transaction, and parks
// those that have TLS. Replication sessions stay as they are.
func (s *Server) sweepSessions(now time.Time, timeout time.Duration) (parked int) {
	s.mu.Lock()
	open := make([]*session, 0, len(s.open))
	for ss := range s.open {
		open = append(open, ss)
	}
	s.mu.Unlock()
	for _, ss := range open {
		ss.mu.Lock()
		switch {
		case ss.raw || !ss.idle():
			ss.active, ss.ending = true, nil
		case ss.active:
			ss.active, ss.ending, ss.idleSince = false, nil, now
		case timeout > 0 && now.Sub(ss.idleSince) >= timeout:
			ss.ending = errIdle
		case now.Sub(ss.idleSince) >= parkAfter && ss.parkable():
			ss.parking = true
			_ = ss.client.SetReadDeadline(time.Unix(1, 0))
			parked++
		}
		end := ss.ending != nil
		ss.mu.Unlock()
		if end {
			ss.drain()
		}
	}
	return parked
}

// parkable says whether an event loop could wait in place of the session's
// goroutines. It is called with mu held.
func (s *session) parkable() bool {
	return s.home == nil && s.lp == nil && s.parked == nil && !s.parking && s.client != nil && len(s.srv.loops) > 0
}

// parker returns the event loop for the next session that is parked.
func (s *Server) parker() *loop {
	return s.loops[s.nextLoop.Add(1)%uint32(len(s.loops))]
}
