package proxy

import (
	"askpg/ask"
	"askpg/wire"
)

// reuses says whether the server connection of a session that begins so can
// serve others after it.
func (set *settings) reuses(st wire.Startup) bool {
	return set.pool != nil && !st.Replication
}

// reusable says whether the server connection is as it was after the login, but
// for what a reset takes away. Nothing is unanswered, and no transaction and no
// pipeline is open. No message is half sent on either side, and no cancel request
// is on its way to the server. It is called with mu held.
func (s *session) reusable() bool {
	return s.reused != nil && !s.unfit && s.cancels == 0 && (s.state == stateRelaying || s.state == stateAnswering) && s.abandon == nil &&
		s.core.CertainlyIdle() && s.core.Status() == wire.StatusIdle && s.core.Between()
}

// release takes the server connection from a session that its client has ended,
// if another client can use it and there is room for it. Nothing is relayed, and nothing
// cancelled, after that.
func (s *session) release(terminated bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.reusable() || !s.reused.Reserve() {
		s.unfit = true
		return false
	}
	if !terminated {
		s.srv.metrics.countError(sideClient, ask.CodeConnectionFailure)
	}
	s.terminated = terminated
	s.become(stateReleased)
	return true
}

// released says whether the server connection has been taken from the session.
func (s *session) released() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state == stateReleased
}

// spoil has the server connection not serve another client.
func (s *session) spoil() {
	s.mu.Lock()
	s.unfit = true
	s.mu.Unlock()
}

// cancelForwarded is told that a cancel request has been passed on to the
// server, or of the error. Without the server's word that it has acted on the
// request it may do so at any time, and hit another client's statement.
func (s *session) cancelForwarded(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cancels--
	if err != nil {
		s.unfit = true
	}
}
