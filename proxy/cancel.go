package proxy

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"askpg/wire"
)

// cancelRequest acts on a CancelRequest, and returns when it has been acted on.
// A client that waits for the end of the connection knows then that its next
// statement is not hit (PostgreSQL documentation, 55.2.8).
//
// The process which has the session decides. A request for a session of
// another instance goes to the server from here only if none of them takes it
// over. One that both pass on may hit what the session runs next.
func (s *Server) cancelRequest(key []byte, set *settings) {
	s.mu.Lock()
	ss := s.keys[string(key)]
	s.mu.Unlock()
	if ss != nil {
		if forward := s.cancelSession(ss, key, set); forward != nil {
			forward()
		}
		return
	}
	if s.ForeignCancel != nil && s.cancelElsewhere(key, set) {
		s.metrics.cancels.WithLabelValues("elsewhere").Inc()
		return
	}
	s.metrics.cancels.WithLabelValues("forwarded").Inc()
	if err := s.forwardCancel(key, set); err != nil {
		s.log.Debug("passing on a cancel request for a session that is not here failed", "address", set.Primary.Address, "error", err)
	}
}

// knows says whether a cancel key is that of a session here.
func (s *Server) knows(key []byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.keys[string(key)] != nil
}

// cancelElsewhere says whether another instance has taken a cancel request over.
func (s *Server) cancelElsewhere(key []byte, set *settings) bool {
	ctx, cancel := context.WithTimeout(s.ctx, set.Listen.CancelTimeout.Duration())
	defer cancel()
	found, err := s.ForeignCancel(ctx, key)
	if err != nil && s.ctx.Err() == nil {
		s.log.Warn("a cancel request for a session that is not here goes to the server", "error", err)
	}
	return found
}

// cancelSession decides what a cancel request for a session of this process
// does. A question is called off at once. A request that comes when nothing is
// unanswered is too late. It is dropped, so that it does not hit the next
// statement. Anything else is the server's to decide: forward, which is nil
// otherwise, passes it on.
func (s *Server) cancelSession(ss *session, key []byte, set *settings) (forward func()) {
	switch ss.cancel() {
	case cancelledQuestion:
		s.metrics.cancels.WithLabelValues("question").Inc()
		return nil
	case cancelTooLate:
		s.metrics.cancels.WithLabelValues("late").Inc()
		return nil
	}
	s.metrics.cancels.WithLabelValues("forwarded").Inc()
	if ss.reused != nil {
		key, set = ss.reused.Key(), ss.set
	}
	return func() {
		err := s.forwardCancel(key, set)
		if err != nil {
			s.log.Warn("passing a cancel request on failed", "address", set.Primary.Address, "error", err)
		}
		ss.cancelForwarded(err)
	}
}

// CancelMatching acts on a cancel request that came to another instance, if it
// is for a session of this process: the one whose key match picks. here is
// false if there is none. What is left to do and takes its time, at most
// listen.cancel_timeout, is rest; it is nil if all is done.
func (s *Server) CancelMatching(match func(key []byte) bool) (rest func(), here bool) {
	ss, key := s.sessionWithKey(match)
	if ss == nil {
		return nil, false
	}
	return s.cancelSession(ss, key, s.settings.Load()), true
}

func (s *Server) sessionWithKey(match func(key []byte) bool) (*session, []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key, ss := range s.keys {
		if k := []byte(key); match(k) {
			return ss, k
		}
	}
	return nil, nil
}

// forwardCancel passes a cancel request on to the server, and waits until the server
// closes the connection, which it does when it has acted on the request.
func (s *Server) forwardCancel(key []byte, set *settings) error {
	ctx, cancel := context.WithTimeout(s.ctx, set.Listen.CancelTimeout.Duration())
	defer cancel()
	conn, err := set.Primary.dialPrimary(ctx, set.primaryTLS)
	if err != nil {
		return err
	}
	defer conn.Close()
	if t, ok := ctx.Deadline(); ok {
		_ = conn.SetDeadline(t)
	}
	packet := binary.BigEndian.AppendUint32(nil, uint32(8+len(key)))
	packet = binary.BigEndian.AppendUint32(packet, wire.CancelCode)
	if _, err := conn.Write(append(packet, key...)); err != nil {
		return err
	}
	var b [1]byte
	if _, err := conn.Read(b[:]); err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("waiting for the server: %w", err)
	}
	return nil
}

// outcome of a cancel request.
type cancelOutcome int

const (
	cancelServer cancelOutcome = iota
	cancelledQuestion
	cancelTooLate
)

// cancel calls off the question that is being answered, if there is one.
func (s *session) cancel() cancelOutcome {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.question != nil:
		s.question(errCancelled)
		return cancelledQuestion
	case s.state != stateLogin && s.replication == notReplication && (s.core.Answered() || s.state >= stateReleased):
		return cancelTooLate
	}
	s.cancels++
	return cancelServer
}
