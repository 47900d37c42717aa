package proxy

import (
	"errors"
	"io"
	"time"

	"askpg/ask"
)

// limitLastWait bounds the wait for the end of a server whose client has left and that has answered everything. It is
// called with mu held.
func (g *goroutineDriver) limitLastWait() {
	if s := g.s; s.state == stateClientLeft && !s.startup.Replication && s.core.Answered() {
		_ = g.server.SetReadDeadline(time.Now().Add(s.set.times.lastWait))
	}
}

// serverEnded ends the server's direction.
func (g *goroutineDriver) serverEnded(err error) {
	s := g.s
	if g.holding {
		g.holding = false
		g.writing.Unlock()
	}
	s.mu.Lock()
	answering := s.state == stateAnswering
	s.become(stateServerLeft)
	s.mu.Unlock()
	s.wake()
	s.end(errServerLeft)
	s.log.Debug("server side ended", "error", err)
	if answering {
		g.ended() // the answer ends by itself, and the client's direction with it
		return
	}
	// What the server said last must reach the client, who has a moment to read it.
	_ = closeWrite(g.client)
	g.fromClient.wake(func() {
		_ = g.client.SetReadDeadline(time.Now().Add(s.set.times.closeWait))
		g.ended()
	})
}

// answered goes on with what the client has sent during an answer.
func (g *goroutineDriver) answered(err error) {
	if err == nil {
		err = g.process()
	}
	if err == nil {
		g.s.mu.Lock()
		switch {
		case g.s.state == stateRelaying:
			err = g.s.clientEnd
		case g.s.ends(): // serverEnded has left the client to the answer
			err = errServerLeft
		}
		g.s.mu.Unlock()
	}
	if err != nil {
		g.clientEnded(err)
		return
	}
	if g.s.srv.draining.Load() {
		g.drain()
	}
}

// clientEnded ends the client's direction: err is why its messages are relayed no more.
func (g *goroutineDriver) clientEnded(err error) {
	if errors.Is(err, io.EOF) && g.release(false) {
		return
	}
	g.once.Do(func() {
		s := g.s
		s.log.Debug("client side ended", "error", err)
		refused := errors.Is(err, errServerLeft)
		s.mu.Lock()
		if refused {
			s.become(stateEnded)
		} else {
			s.become(stateClientLeft)
		}
		s.mu.Unlock()
		g.fromServer.wake(func() {
			switch {
			case refused:
				// The server takes nothing any more, and may have said why.
				s.end(errServerLeft)
				_ = g.server.SetReadDeadline(time.Now().Add(s.set.times.lastWait))
			case errors.Is(err, io.EOF):
				// The server ends by itself once it has read everything.
				s.end(errClientLeft)
				_ = closeWrite(g.server)
				s.mu.Lock()
				g.limitLastWait()
				s.mu.Unlock()
			default:
				s.end(errClientLeft)
				g.server.Close()
			}
			g.ended()
		})
	})
}

// ended is called by each direction that ends; the last one ends the session.
func (g *goroutineDriver) ended() {
	s := g.s
	s.mu.Lock()
	g.open--
	last, told := g.open == 0, s.ends()
	s.mu.Unlock()
	if !last {
		return
	}
	g.fromClient.wake(func() {
		g.server.Close()
		if told {
			drainAndClose(g.client, s.set.times.closeWait)
		}
		g.client.Close()
		s.conclude()
	})
}

// release ends a session whose client has ended it. It keeps the server connection if that can
// serve another client. Who reads the server gives it to the pool with the first answer to the
// reset.
func (g *goroutineDriver) release(terminated bool) bool {
	s := g.s
	if s.reused == nil || s.released() || !s.release(terminated) {
		return false
	}
	g.once.Do(func() {}) // who reads the client ends without a word
	g.fromServer.wake(func() {
		s.reused.Reset(g.server)
		g.client.Close()
		s.conclude()
	})
	return true
}

// sendClient sends whole messages to the client, between two of the server's.
func (g *goroutineDriver) sendClient(b []byte) error {
	g.writing.Lock()
	defer g.writing.Unlock()
	if _, err := g.client.Write(b); err != nil {
		return errClientLeft
	}
	return nil
}

// notify is sendClient without an error: what is sent next has one too.
func (g *goroutineDriver) notify(b []byte) { _ = g.sendClient(b) }

// sendServer sends messages to the server. Who deals with the client's messages calls it.
func (g *goroutineDriver) sendServer(b []byte) error {
	if _, err := g.server.Write(b); err != nil {
		return errServerLeft
	}
	return nil
}

// closeServer closes the server connection at once.
func (g *goroutineDriver) closeServer() { g.fromServer.wake(func() { g.server.Close() }) }

// drain ends the session if it is idle and there is a reason to.
func (g *goroutineDriver) drain() {
	if !g.writing.TryLock() {
		return // half a notification has gone out; its end comes here again
	}
	reason := g.s.endIdle()
	if reason != nil {
		_ = g.client.SetWriteDeadline(time.Now().Add(time.Second))
		_, _ = g.client.Write(g.s.srv.errorResponse(severityFatal, reason))
	}
	g.writing.Unlock()
	if reason != nil {
		_ = g.server.SetWriteDeadline(time.Now().Add(time.Second))
		_, _ = g.server.Write(terminate)
		_ = closeWrite(g.server)
	}
}

// kill ends the session at once.
func (g *goroutineDriver) kill(reason *ask.Error) {
	g.fromClient.wake(func() {
		g.fromServer.wake(func() {
			if g.writing.TryLock() {
				_ = g.client.SetWriteDeadline(time.Now().Add(time.Second))
				_, _ = g.client.Write(g.s.srv.errorResponse(severityFatal, reason))
				_ = closeWrite(g.client)
				g.writing.Unlock()
			}
			g.client.Close()
			g.server.Close()
		})
	})
}

// relayReplication relays the client's bytes of a replication session without following its messages.
func (g *goroutineDriver) relayReplication() error {
	s := g.s
	b := getBuffer()
	defer putBuffer(b)
	for {
		n, err := g.client.Read(*b)
		if n > 0 {
			s.srv.metrics.fromClient.Add(float64(n))
			s.mu.Lock()
			if s.replication == replicationIdle {
				s.replication = replicationBusy
			}
			s.mu.Unlock()
			if werr := g.sendServer((*b)[:n]); werr != nil {
				return werr
			}
		}
		if err != nil {
			return err
		}
	}
}
