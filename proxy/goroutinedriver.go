package proxy

import (
	"bytes"
	"context"
	"errors"
	"os"
	"sync"

	"askpg/ask"
	"askpg/proxy/eventloop"
	"askpg/wire"
)

// goroutineDriver is the driver of sessions with TLS, of replication sessions, and of those that end: one goroutine reads the
// client, another one the server. Each gives way to an event loop while nothing comes; see direction.
type goroutineDriver struct {
	s *session
	connections
	fromClient, fromServer direction

	// writing is held while a message goes to the client, by who reads the server from the first byte
	// of a message to the last one.
	writing sync.Mutex
	// holding: who reads the server holds writing, as a message of the server is half sent.
	holding bool

	open   int       // of the two directions, those that have not ended; guarded by the session's mu
	asleep int       // of them, those that hold no goroutine; likewise
	once   sync.Once // the client's direction ends once, whoever ends it
}

// relayByGoroutines has goroutines relay the session.
func (s *session) relayByGoroutines(c connections) {
	g := &goroutineDriver{s: s, connections: c, open: 2}
	var loop *eventloop.Loop
	if isTLS(c.client) || isTLS(c.server) { // others come here for a moment, or with listen.event_loops = 0
		if l := s.srv.nextOfLoops(); l != nil && !s.startup.Replication {
			loop = l.Loop
		}
	}
	g.fromClient = direction{g: g, conn: c.client, loop: loop, read: g.readClient}
	g.fromServer = direction{g: g, conn: c.server, loop: loop, read: g.readServer}
	if s.core.HalfSent() || len(c.toClient) > 0 {
		g.writing.Lock()
		g.holding = true
	}
	s.mu.Lock()
	s.driver = g
	s.changed.Broadcast()
	s.mu.Unlock()
	if reason := ask.AsError(context.Cause(s.ctx)); reason != nil {
		g.kill(reason)
	} else if s.dismissed() {
		g.drain()
	}
	go g.readServer()
	go g.readClient()
}

// readServer relays what the server sends until it ends. Bytes go out as they come in, one write for each read.
func (g *goroutineDriver) readServer() {
	if err, asleep := g.relayServer(); !asleep {
		g.serverEnded(err)
	}
}

func (g *goroutineDriver) relayServer() (err error, asleep bool) {
	s := g.s
	if len(g.toClient) > 0 {
		_, err := g.client.Write(g.toClient)
		g.toClient = nil
		if err != nil {
			return errClientLeft, false
		}
		g.between()
	}
	if g.serverErr != nil {
		return g.serverErr, false
	}
	for r := newIdleReader(g.server); ; {
		g.fromServer.limit()
		b, n, err := r.read()
		if s.released() {
			var received []byte
			if n > 0 {
				received = (*b)[:n]
			}
			s.reused.Resume(received, err)
			putBuffer(b)
			return nil, true // the connection is the pool's
		}
		if n > 0 {
			werr := g.passOn((*b)[:n])
			putBuffer(b)
			if werr != nil {
				return werr, false
			}
		}
		if err != nil {
			if errors.Is(err, os.ErrDeadlineExceeded) {
				switch sleeps, ends := g.fromServer.sleep(); {
				case sleeps:
					return nil, true
				case !ends:
					continue
				}
			}
			return err, false
		}
	}
}

// passOn relays bytes of the server.
func (g *goroutineDriver) passOn(b []byte) (err error) {
	s := g.s
	if !g.holding {
		g.writing.Lock()
		g.holding = true
	}
	out := b
	if s.startup.Replication {
		s.srv.metrics.fromServer.Add(float64(len(b)))
		s.trackReplication(b)
	} else if out, err = s.fromServer(b); err == nil {
		s.mu.Lock()
		g.limitLastWait()
		s.mu.Unlock()
	}
	if len(out) > 0 {
		if _, werr := g.client.Write(out); werr != nil && err == nil {
			err = errClientLeft
		}
	}
	g.between()
	if !g.holding && s.dismissed() {
		g.drain()
	}
	return err
}

// between lets others write to the client if no message of the server is half sent.
func (g *goroutineDriver) between() {
	half := g.s.core.HalfSent()
	if g.s.startup.Replication {
		g.s.mu.Lock()
		half = g.s.raw.Open() || g.s.replication == replicationUnreadable
		g.s.mu.Unlock()
	}
	if g.holding && !half {
		g.holding = false
		g.writing.Unlock()
	}
}

// readClient relays what the client sends, and has answered what is for askpg, until the client ends.
func (g *goroutineDriver) readClient() {
	s := g.s
	if len(g.toServer) > 0 {
		_, err := g.server.Write(g.toServer)
		g.toServer = nil
		if err != nil {
			g.clientEnded(errServerLeft)
			return
		}
	}
	if g.clientErr != nil {
		g.clientEnded(g.clientErr)
		return
	}
	if s.startup.Replication {
		g.clientEnded(g.relayReplication())
		return
	}
	if err := g.goOn(); err != nil {
		g.clientEnded(err)
		return
	}
	for r := newIdleReader(g.client); ; {
		g.fromClient.limit()
		b, n, err := r.read()
		if n > 0 {
			s.srv.metrics.fromClient.Add(float64(n))
			perr := g.take((*b)[:n])
			putBuffer(b)
			if perr != nil {
				g.clientEnded(perr)
				return
			}
		}
		if err == nil {
			continue
		}
		if errors.Is(err, os.ErrDeadlineExceeded) {
			switch sleeps, ends := g.fromClient.sleep(); {
			case sleeps:
				return
			case !ends:
				continue
			}
		}
		if !s.clientLeft(err) {
			g.clientEnded(err)
		}
		return
	}
}

// take deals with bytes of the client, or has them wait for the end of an answer.
func (g *goroutineDriver) take(b []byte) error {
	s := g.s
	s.mu.Lock()
	for s.state == stateAnswering && len(s.held) >= maxHeld {
		s.changed.Wait()
	}
	s.held = append(s.held, b...)
	if s.state == stateAnswering {
		s.mu.Unlock()
		return nil
	}
	s.mu.Unlock()
	return g.process()
}

// goOn deals with what a driver before this one has left.
func (g *goroutineDriver) goOn() error {
	g.s.mu.Lock()
	left := len(g.s.held) > 0 && g.s.state != stateAnswering
	g.s.mu.Unlock()
	if !left {
		return nil
	}
	return g.process()
}

// process deals with what is held of the client up to the first message that is answered, or to the end. It is called by
// who reads the client, or after an answer in its place.
func (g *goroutineDriver) process() error {
	s := g.s
	b := s.takeHeld()
	for {
		step, ok := s.fromClient(b)
		if !ok {
			return errServerLeft
		}
		if step.Forward > 0 {
			if err := g.sendServer(b[:step.Forward]); err != nil {
				return err
			}
		}
		b = b[step.Forward+step.Discard:]
		switch step.Next {
		case wire.Hold:
			var more bool
			if b, more = g.hold(b); !more {
				return nil
			}
		case wire.Wait:
			if err := s.await(s.ctx, func() bool { return !s.waits() }); err != nil {
				return err
			}
		case wire.Answer:
			switch s.verdict.kind {
			case foreignBinding:
				return s.refuseBinding()
			case farewell:
				if g.release(true) {
					return nil
				}
				continue // the core is asked again, and passes it on
			}
			s.beginAnswer(b)
			return nil
		}
	}
}

// hold keeps b until more has come. After an answer more may have come already, which it returns behind b.
func (g *goroutineDriver) hold(b []byte) (all []byte, more bool) {
	s := g.s
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.held) > 0 {
		all = append(bytes.Clone(b), s.held...)
		s.held = nil
		return all, true
	}
	s.held = bytes.Clone(b)
	if len(b) == 0 {
		s.held = nil
	}
	if s.state == stateAnswering {
		s.become(stateRelaying)
	}
	return nil, false
}
