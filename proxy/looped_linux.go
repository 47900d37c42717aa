package proxy

import (
	"askpg/ask"
	"syscall"
)

// looped is what a session has while a loop relays it. It belongs to the
// loop's goroutine.
type looped struct {
	loop           *loop
	client, server leg
	held           []byte // the beginning of a message that is needed whole
}

// leg is one of a session's two connections.
type leg struct {
	fd       int
	s        *session
	isClient bool
	parked   bool
	interest uint32
	out      []byte // what the connection did not take
}

// add takes a session over; both its connections are plain sockets. It
// reports whether it could.
func (l *loop) add(s *session) bool {
	client, err := takeFD(s.client)
	if err != nil {
		return false
	}
	server, err := takeFD(s.server)
	if err != nil {
		syscall.Close(client)
		return false
	}
	lp := &looped{loop: l}
	lp.client = leg{fd: client, s: s, isClient: true}
	lp.server = leg{fd: server, s: s}
	s.mu.Lock()
	defer s.mu.Unlock()
	// Posted with mu held, so that whoever sees lp comes after it.
	s.lp = lp
	l.post(func() {
		l.watch(&lp.client, syscall.EPOLLIN)
		l.watch(&lp.server, syscall.EPOLLIN)
		if s.ctx.Err() != nil {
			l.kill(s, errShutdown)
			return
		}
		if s.dismissal() != nil {
			l.drain(s)
		}
	})
	s.client.Close()
	s.server.Close()
	s.client, s.server = nil, nil
	return true
}

// clientEnded ends a session whose client has gone. If nothing is unanswered
// the server needs no more than the end of its connection.
func (l *loop) clientEnded(s *session) {
	if l.leave(s, false) {
		return
	}
	s.mu.Lock()
	idle := s.order.Answered() && len(s.lp.server.out) == 0 && len(s.statements)+len(s.portals) == 0
	if idle {
		if !s.terminated && !s.ended {
			l.srv.metrics.errors.add(sideClient, ask.CodeConnectionFailure)
		}
		s.ended = true
	}
	s.mu.Unlock()
	if !idle {
		l.release(s, nil, errClientGone)
		return
	}
	lp := l.forget(s)
	syscall.Close(lp.client.fd)
	syscall.Close(lp.server.fd)
	s.end(errClientGone)
	s.over()
}

// leave ends a session that its client has ended, with the word for it or
// without, and keeps its server connection if that is possible.
func (l *loop) leave(s *session, terminated bool) bool {
	if len(s.lp.server.out)+len(s.lp.client.out) > 0 {
		s.spoil()
		return false
	}
	if !s.leave(terminated) {
		return false
	}
	lp := l.forget(s)
	syscall.Close(lp.client.fd)
	go func() {
		server, err := giveFD(lp.server.fd, s.set.Primary.TCPConfig)
		if err != nil {
			s.log.Error("taking a server connection from its event loop failed", "error", err)
			s.end(errClientGone)
			s.over()
			s.srv.pool.giveUp(s.backend)
			return
		}
		s.keepServer(server)
	}()
	return true
}

// forget takes a session off the loop.
func (l *loop) forget(s *session) *looped {
	lp := s.lp
	l.watch(&lp.client, 0)
	l.watch(&lp.server, 0)
	s.mu.Lock()
	s.lp = nil
	s.mu.Unlock()
	return lp
}

// release gives a session to goroutines, with what has been read of the
// client. ended is why the client is to be read no more, if it is.
func (l *loop) release(s *session, read []byte, ended error) {
	lp := l.forget(s)
	read = append([]byte(nil), read...)
	go func() {
		if err := s.adopt(lp); err != nil {
			s.log.Error("taking a session from its event loop failed", "error", err)
			s.over()
			return
		}
		s.extra, s.readErr, s.served = read, ended, true
		s.relay()
	}()
}

// adopt makes connections of the descriptors and writes what they did not take.
func (s *session) adopt(lp *looped) (err error) {
	client, err := giveFD(lp.client.fd, s.set.Listen.TCPConfig)
	if err != nil {
		syscall.Close(lp.server.fd)
		return err
	}
	server, err := giveFD(lp.server.fd, s.set.Primary.TCPConfig)
	if err != nil {
		client.Close()
		return err
	}
	s.mu.Lock()
	s.client, s.server = client, server
	s.mu.Unlock()
	if len(lp.server.out) > 0 {
		s.pendingServer = lp.server.out
	}
	if len(lp.client.out) > 0 {
		s.pendingClient = lp.client.out
	}
	return nil
}

// finish ends a session that one side has ended: the other one gets what is
// left for it.
func (l *loop) finish(s *session) { l.release(s, s.lp.held, nil) }

// drain ends a session at its idle point; see session.drain.
func (l *loop) drain(s *session) {
	if s.lp == nil || s.lp.loop != l || s.down.Open() || len(s.lp.client.out) > 0 {
		return
	}
	s.mu.Lock()
	idle := s.idle()
	if !idle {
		s.ending = nil
	}
	s.mu.Unlock()
	if idle {
		l.release(s, s.lp.held, nil)
	}
}

// kill ends a session at once.
func (l *loop) kill(s *session, reason *ask.Error) {
	if s.lp == nil {
		s.kill(reason)
		return
	}
	if !s.down.Open() && len(s.lp.client.out) == 0 {
		_, _ = writeFD(s.lp.client.fd, l.srv.errorResponse(severityFatal, reason))
	}
	l.cut(s, reason)
}

// cut ends a session at once; the client has been told why as far as possible.
func (l *loop) cut(s *session, reason error) {
	lp := l.forget(s)
	_ = syscall.Shutdown(lp.client.fd, syscall.SHUT_WR)
	syscall.Close(lp.client.fd)
	syscall.Close(lp.server.fd)
	s.end(reason)
	s.over()
}
