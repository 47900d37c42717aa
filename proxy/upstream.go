package proxy

import (
	"errors"
	"os"
	"sync"

	"askpg/ask"
	"askpg/wire"
)

// upstream is what the goroutine that reads the client keeps.
type upstream struct {
	up       wire.Walker
	blind    bool  // a message of the client can't be read: the server shall judge it
	discard  bool  // a question failed: discard until Sync
	drop     int64 // bytes of a message that are still to be discarded
	readErr  error // what a watch met; what Read would have returned
	extra    []byte
	may      auto   // whether texts that are no SQL can be questions
	executed uint64 // how often settings may have changed
	unsynced bool   // something was executed since the last Sync
	sent     int    // messages that have not been counted yet
	info     *sessionInfo
	infoAt   uint64 // executed when info was read

	statements map[string]*statement
	portals    map[string]*portal
	last       *answered
	kept       *keptRows // of the last question; may be nil
	judged     string    // id of the last answer, which ask(good) and ask(bad) are about
	turns      []ask.Turn
	served     bool // a message was answered here since goroutines relay
	// pendingServer is what an event loop could not write.
	pendingServer []byte
	abandoned     sync.WaitGroup // translators that were slow to return
}

// relayClient relays the client's messages to the server until either side
// ends, and answers what is for askpg.
func (s *session) relayClient() error {
	if s.raw {
		return s.relayRawClient()
	}
	if len(s.pendingServer) > 0 {
		if err := s.writeServer(s.pendingServer); err != nil {
			return err
		}
		s.pendingServer = nil
	}
	var (
		r    = newIdleReader(s.client)
		b    *[]byte // (*b)[:have] has been read and not been dealt with; nil if nothing has
		have int
	)
	for {
		var n int
		var err error
		if b == nil {
			b, n, err = s.readIdle(r)
		} else {
			n, err = s.read((*b)[have:])
		}
		have += n
		if have > 0 {
			rest, perr := s.process((*b)[:have])
			if perr != nil {
				return perr
			}
			have = copy(*b, rest)
		}
		switch {
		case have == 0:
			putBuffer(b)
			b = nil
			if err == nil && s.home != nil && s.served && len(s.extra) == 0 && s.readErr == nil && s.drop == 0 {
				s.served = false
				return errHandover
			}
		case have == len(*b):
			// A message that is needed whole, and longer than the buffer.
			bigger := make([]byte, 2*len(*b))
			copy(bigger, *b)
			putBuffer(b)
			b = &bigger
		}
		if err != nil && (!errors.Is(err, os.ErrDeadlineExceeded) || s.isGone()) {
			return err
		}
		if err != nil && s.leaves(b == nil) {
			return errHandover
		}
	}
}

// stay takes back that the session is to be parked: there is something to do.
// It is called with mu held.
func (s *session) stay() {
	if s.parking && !s.gone {
		_ = s.client.SetReadDeadline(noDeadline)
	}
	s.parking = false
}

// leaves says, after the deadline by which the sweeper ends a read, whether
// the session can be parked: nothing of it is in the memory of a goroutine.
func (s *session) leaves(quiet bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	asked := s.parking
	s.stay()
	return asked && quiet && !s.gone && s.idle() && len(s.extra) == 0 && s.readErr == nil && s.drop == 0
}

// readIdle reads what a watch has read, then from the client, into a buffer of
// the pool.
func (s *session) readIdle(r *idleReader) (b *[]byte, n int, err error) {
	if len(s.extra) > 0 || s.readErr != nil {
		b = getBuffer()
		n, err = s.read(*b)
		return b, n, err
	}
	b, n, err = r.read()
	if n > 0 {
		s.srv.metrics.fromClient.Add(float64(n))
	}
	return b, n, err
}

// read reads what a watch has read, then from the client.
func (s *session) read(b []byte) (int, error) {
	if len(s.extra) > 0 {
		n := copy(b, s.extra)
		s.extra = s.extra[n:]
		return n, nil
	}
	s.extra = nil
	if s.readErr != nil {
		return 0, s.readErr
	}
	n, err := s.client.Read(b)
	if n > 0 {
		s.srv.metrics.fromClient.Add(float64(n))
	}
	return n, err
}

// process deals with what the client has sent and returns what it has to see
// more of.
func (s *session) process(b []byte) (rest []byte, err error) {
	for len(b) > 0 {
		if s.drop > 0 {
			n := min(s.drop, int64(len(b)))
			s.drop -= n
			b = b[n:]
			continue
		}
		s.mu.Lock()
		n, next, v := s.scan(b)
		sent := s.sent
		s.sent = 0
		s.mu.Unlock()
		if sent > 0 {
			s.srv.metrics.clientMessages.Add(float64(sent))
		}
		if n > 0 {
			if err := s.writeServer(b[:n]); err != nil {
				return nil, err
			}
			b = b[n:]
			continue
		}
		switch next {
		case stepRead:
			return b, nil
		case stepEnd:
			return nil, errServerGone
		case stepLeave:
			return nil, errLeft
		case stepRoom:
			if err := s.await(s.ctx, func() bool { return !s.order.Full() }); err != nil {
				return nil, err
			}
		case stepDrop:
			size, err := wire.MessageLen(b)
			if err != nil {
				s.blind = true
				continue
			}
			if size == 0 {
				return b, nil
			}
			s.drop = size
		case stepServe:
			if v.kind == vain {
				s.log.Info("login refused", "error", errBinding)
				_ = s.writeClient(s.srv.errorResponse(severityFatal, errBinding))
				return nil, errBinding
			}
			s.served, s.drop = true, v.size
			if err := s.serve(b[:min(v.size, int64(len(b)))], v); err != nil {
				return nil, err
			}
			if s.isGone() {
				return nil, errServerGone
			}
		}
	}
	return nil, nil
}

func (s *session) isGone() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.gone
}

// relayRawClient relays the client's bytes without following the messages.
func (s *session) relayRawClient() error {
	b := getBuffer()
	defer putBuffer(b)
	for {
		n, err := s.client.Read(*b)
		if n > 0 {
			s.srv.metrics.fromClient.Add(float64(n))
			s.mu.Lock()
			s.rawBusy = true
			s.mu.Unlock()
			if werr := s.writeServer((*b)[:n]); werr != nil {
				return werr
			}
		}
		if err != nil {
			return err
		}
	}
}
