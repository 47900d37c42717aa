package proxy

import (
	"errors"

	"askpg/ask"
	"askpg/wire"
)

// conclude is the end of the session, whoever relayed it.
func (s *session) conclude() {
	s.end(nil)
	s.answering.Wait()
	s.proved.Forget()
	s.closePortals()
	s.lastRows.drop()
	s.arrived()
	s.mu.Lock()
	if s.login != nil {
		s.login.Stop()
	}
	broken := s.core.Status() != 0 && s.state == stateClientLeft && !s.terminated
	s.mu.Unlock()
	if broken {
		s.srv.metrics.countError(sideClient, ask.CodeConnectionFailure)
	}
	s.srv.dismiss(s)
}

// kill ends the session at once, and tells the client why if that is possible
// between two messages.
func (s *session) kill(reason *ask.Error) {
	s.end(reason)
	s.mu.Lock()
	ends := s.become(stateEnded) // not if its server connection is the pool's
	d, c := s.driver, s.connections
	s.mu.Unlock()
	if !ends {
		return
	}
	s.wake()
	switch {
	case d != nil:
		d.kill(reason)
	case c.client != nil: // it logs in
		c.client.Close()
		if c.server != nil {
			c.server.Close()
		}
	}
}

// idle says whether the session can be ended without a loss. It is called
// with mu held.
func (s *session) idle() bool {
	if s.state != stateRelaying {
		return false
	}
	if s.replication != notReplication {
		return s.replication == replicationIdle || s.replication == replicationStreams
	}
	return s.core.Idle() && s.core.Status() == wire.StatusIdle
}

// dismissal returns why the session is to end at its next idle point, nil if it
// is not. It is called with mu held.
func (s *session) dismissal() *ask.Error {
	if s.srv.draining.Load() {
		return errShutdown
	}
	return s.ending
}

// dismissed says whether the session is to end at its next idle point.
func (s *session) dismissed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dismissal() != nil
}

// drain ends the session if it is idle outside of a transaction. Otherwise it
// is called again at the next point where it may be.
func (s *session) drain() {
	if d := s.currentDriver(); d != nil {
		d.drain()
	}
}

// endIdle ends the session if it is idle and there is a reason to, which it returns. The driver tells the client.
func (s *session) endIdle() *ask.Error {
	s.mu.Lock()
	reason := s.dismissal()
	if reason == nil || !s.idle() {
		s.ending = nil // not idle after all; a shutdown comes here again
		s.mu.Unlock()
		return nil
	}
	s.become(stateEnded)
	s.mu.Unlock()
	if errors.Is(reason, errIdle) {
		s.srv.metrics.idleEnded.Inc()
	} else {
		s.srv.metrics.drained.Inc()
	}
	return reason
}
