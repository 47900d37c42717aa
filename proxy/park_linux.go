package proxy

import "syscall"

// parked is what an idle session with TLS has while an event loop waits for
// its next byte in place of two goroutines, whose stacks are most of what such
// a session takes. It belongs to the loop's goroutine.
type parked struct {
	loop           *loop
	client, server leg
}

// park has the loop wait for the session, which no goroutine relays any more.
// It reports whether it could.
func (l *loop) park(s *session) bool {
	client, ok := descriptorOf(s.client)
	if !ok {
		return false
	}
	server, ok := descriptorOf(s.server)
	if !ok {
		return false
	}
	p := &parked{loop: l}
	p.client = leg{fd: client, s: s, isClient: true, parked: true}
	p.server = leg{fd: server, s: s, parked: true}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return false // killed: its connections may be closed already
	}
	// Posted with mu held, so that whoever sees the session parked comes after
	// it; kill is one of them, and tells the client why.
	s.parked = p
	l.srv.metrics.parked.Inc()
	l.post(func() {
		// The descriptors stay open as long as the session is parked.
		l.watch(&p.client, syscall.EPOLLIN)
		l.watch(&p.server, syscall.EPOLLIN)
		if s.dismissal() != nil && s.ctx.Err() == nil {
			l.unpark(s, nil)
		}
	})
	return true
}

// unpark has goroutines relay the session again; first is called before, in
// one of them.
func (l *loop) unpark(s *session, first func()) {
	s.mu.Lock()
	p := s.parked
	s.parked = nil
	s.mu.Unlock()
	if p == nil {
		if first != nil {
			go first()
		}
		return
	}
	l.srv.metrics.parked.Dec()
	l.watch(&p.client, 0)
	l.watch(&p.server, 0)
	go func() {
		if first != nil {
			first()
		}
		s.relay()
	}()
}
