package proxy

import (
	"errors"
	"io"
	"time"

	"github.com/jackc/pgproto3/v2"
)

// errHandover says that an event loop can take the session over.
var errHandover = errors.New("the session goes to its event loop")

// relay relays by goroutines until either side has ended or an event loop has
// taken over.
func (s *session) relay() {
	if s.dismissal() != nil {
		s.drain()
	}
	if s.ctx.Err() != nil {
		s.client.Close()
		s.server.Close()
	}
	// What the loop left half done.
	if s.down.Open() && !s.mine && !s.taken && !s.holding || len(s.pendingClient) > 0 {
		if !s.holding {
			s.writing.Lock()
			s.holding = true
		}
	}
	done := make(chan error, 1)
	go func() {
		err := s.relayServer()
		if errors.Is(err, errHandover) {
			done <- err
			return
		}
		s.mu.Lock()
		s.gone = true
		s.mu.Unlock()
		s.wake()
		s.end(errServerGone)
		s.log.Debug("server side ended", "error", err)
		// What the server said last must reach the client.
		_ = closeWrite(s.client)
		_ = s.client.SetReadDeadline(time.Now().Add(time.Second))
		done <- err
	}()
	err := s.relayClient()
	if errors.Is(err, errHandover) {
		s.mu.Lock()
		s.handover = true
		s.mu.Unlock()
		_ = s.server.SetReadDeadline(time.Unix(1, 0))
		if other := <-done; errors.Is(other, errHandover) {
			s.mu.Lock()
			s.handover = false
			s.mu.Unlock()
			if s.home == nil {
				_ = s.server.SetReadDeadline(noDeadline)
				if s.holding || !s.srv.parker().park(s) {
					s.relay()
				}
				return
			}
			if s.home.add(s) {
				return
			}
			err = other
		}
		done <- nil
	}
	left := errors.Is(err, errLeft)
	if (left || errors.Is(err, io.EOF)) && s.leave(left) {
		s.mu.Lock()
		s.handover = true
		s.mu.Unlock()
		_ = s.server.SetReadDeadline(time.Unix(1, 0))
		other := <-done
		if errors.Is(other, errHandover) && !s.holding {
			s.keepServer(s.server)
			return
		}
		s.srv.pool.giveUp(s.backend)
		done <- nil
	} else if left {
		err = s.forward(terminate)
	}
	s.log.Debug("client side ended", "error", err)
	refused := errors.Is(err, errServerGone)
	switch {
	case refused:
		// It takes nothing any more, and may have said why.
		s.end(errServerGone)
		_ = s.server.SetReadDeadline(time.Now().Add(lastWait))
	case err == nil || errors.Is(err, io.EOF):
		s.end(errClientGone)
		// The server ends by itself once it has read everything.
		_ = closeWrite(s.server)
		s.partServer()
	default:
		s.end(errClientGone)
		s.server.Close()
	}
	<-done
	s.server.Close()
	s.mu.Lock()
	told := s.ended
	s.mu.Unlock()
	if told || refused {
		drainAndClose(s.client)
	}
	s.client.Close()
	s.abandoned.Wait()
	s.over()
}

// writeClient sends whole messages to the client, between two of the server's.
func (s *session) writeClient(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	if _, err := s.client.Write(b); err != nil {
		return errClientGone
	}
	return nil
}

// writeServer sends whole messages to the server; only the goroutine that
// reads the client does.
func (s *session) writeServer(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	if _, err := s.server.Write(b); err != nil {
		return errServerGone
	}
	return nil
}

// encode appends messages to b.
func encode(b []byte, messages ...pgproto3.Message) []byte {
	for _, m := range messages {
		var err error
		if b, err = m.Encode(b); err != nil {
			panic(err) // only messages above 1 GB
		}
	}
	return b
}
