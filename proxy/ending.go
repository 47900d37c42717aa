package proxy

import (
	"context"
	"errors"
	"time"

	"askpg/ask"
	"askpg/wire"
)

// lastWait is how long a server whose client is gone, and that has answered
// everything, has for its end.
var lastWait = 5 * time.Second

// partServer bounds the wait for the server's end once its client is gone and
// everything is answered: a server that does not close holds nothing here.
func (s *session) partServer() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.parted = true
	if !s.raw && s.order.Answered() {
		_ = s.server.SetReadDeadline(time.Now().Add(lastWait))
	}
}

// over is the end of the session, whoever relayed it.
func (s *session) over() {
	s.end(nil)
	s.proved.Forget()
	s.closePortals()
	s.kept.drop()
	s.arrived()
	s.mu.Lock()
	if s.login != nil {
		s.login.Stop()
	}
	broken := s.loggedIn && !s.terminated && !s.ended && errors.Is(context.Cause(s.ctx), errClientGone)
	s.mu.Unlock()
	if broken {
		s.srv.metrics.errors.add(sideClient, ask.CodeConnectionFailure)
	}
	s.srv.dismiss(s)
}

// kill ends the session at once, and tells the client why if that is possible
// between two messages.
func (s *session) kill(reason *ask.Error) {
	s.end(reason)
	s.mu.Lock()
	s.ended = true
	lp, p, client, server := s.lp, s.parked, s.client, s.server
	s.mu.Unlock()
	if lp != nil {
		lp.loop.post(func() { lp.loop.kill(s, reason) })
		return
	}
	if p != nil {
		p.loop.post(func() { p.loop.unpark(s, func() { s.kill(reason) }) })
		return
	}
	if client == nil {
		return // on the way from its loop; relay sees that the context has ended
	}
	if s.writing.TryLock() {
		_ = client.SetWriteDeadline(time.Now().Add(time.Second))
		_, _ = client.Write(s.srv.errorResponse(severityFatal, reason))
		_ = closeWrite(client)
		s.writing.Unlock()
	}
	client.Close()
	server.Close()
}

// idle says whether the session can be ended without a loss. It is called
// with mu held.
func (s *session) idle() bool {
	if s.raw {
		return s.loggedIn && !s.ended && (s.rawStreams || !s.rawBusy)
	}
	return s.loggedIn && !s.ended && !s.busy && s.order.Idle() && s.order.Status() == wire.StatusIdle
}

// dismissal returns why the session is to end at its next idle point, nil if it
// is not.
func (s *session) dismissal() *ask.Error {
	if s.srv.draining.Load() {
		return errShutdown
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ending
}

// drain ends the session if it is idle outside of a transaction. Otherwise it
// is called again at the next point where it may be.
func (s *session) drain() {
	reason := s.dismissal()
	s.mu.Lock()
	lp, client, server := s.lp, s.client, s.server
	idle := s.idle() && reason != nil && lp == nil && client != nil
	if idle {
		s.ended = true
	} else if lp == nil {
		s.ending = nil // not idle after all; a shutdown comes here again
	}
	s.mu.Unlock()
	if lp != nil {
		lp.loop.post(func() { lp.loop.drain(s) })
		return
	}
	if !idle {
		return
	}
	if !s.writing.TryLock() {
		// Half a notification has gone out; its end comes here again.
		s.mu.Lock()
		s.ended = false
		s.mu.Unlock()
		return
	}
	if errors.Is(reason, errIdle) {
		s.srv.metrics.idleEnded.Inc()
	} else {
		s.srv.metrics.drained.Inc()
	}
	_ = client.SetWriteDeadline(time.Now().Add(time.Second))
	_, _ = client.Write(s.srv.errorResponse(severityFatal, reason))
	s.writing.Unlock()
	_ = server.SetWriteDeadline(time.Now().Add(time.Second))
	_, _ = server.Write(terminate)
	_ = closeWrite(server)
}
