package proxy

import "time"

// sweepEvery is how often sessions are looked at that may have been idle for
// too long, at most; it bounds by how much an idle timeout is overrun.
const sweepEvery = time.Second

// sweep ends sessions that have been idle for too long, until the server is
// closed. It costs a session in use no more than a flag.
func (s *Server) sweep() {
	t := time.NewTimer(sweepEvery)
	defer t.Stop()
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-t.C:
		}
		timeout := s.settings.Load().Listen.IdleTimeout.Duration()
		if timeout > 0 {
			s.endIdle(time.Now(), timeout)
			t.Reset(min(max(timeout/4, time.Millisecond), sweepEvery))
		} else {
			t.Reset(sweepEvery)
		}
	}
}

// endIdle ends the sessions that nothing has been relayed of for the given
// time and that wait for a command outside of a transaction. Replication
// sessions stay.
func (s *Server) endIdle(now time.Time, timeout time.Duration) {
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
		case now.Sub(ss.idleSince) >= timeout:
			ss.ending = errIdle
		}
		end := ss.ending != nil
		ss.mu.Unlock()
		if end {
			ss.drain()
		}
	}
}
