package proxy

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"sync"
	"time"

	"askpg/ask"
	"askpg/proxy/eventloop"
	"askpg/wire"
)

// goroutines is the driver of sessions with TLS, of replication sessions, and of those that end: one goroutine reads the
// client, another one the server. Each gives way to an event loop while nothing comes; see direction.
type goroutines struct {
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
	g := &goroutines{s: s, connections: c, open: 2}
	var loop *eventloop.Loop
	if isTLS(c.client) || isTLS(c.server) { // others come here for a moment, or with listen.event_loops = 0
		if l := s.srv.nextOfLoops(); l != nil && s.replication == notReplication {
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
func (g *goroutines) readServer() {
	if err, asleep := g.relayServer(); !asleep {
		g.serverEnded(err)
	}
}

func (g *goroutines) relayServer() (err error, asleep bool) {
	s := g.s
	if len(g.toClient) > 0 {
		_, err := g.client.Write(g.toClient)
		g.toClient = nil
		if err != nil {
			return errClientGone, false
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
			if n > 0 {
				s.srv.pool.resume(s.backend, (*b)[:n], err)
			} else {
				s.srv.pool.resume(s.backend, nil, err)
			}
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
func (g *goroutines) passOn(b []byte) (err error) {
	s := g.s
	if !g.holding {
		g.writing.Lock()
		g.holding = true
	}
	out := b
	if s.replication != notReplication {
		s.srv.metrics.fromServer.Add(float64(len(b)))
		s.trackReplication(b)
	} else if out, err = s.fromServer(b); err == nil {
		s.mu.Lock()
		g.limitLastWait()
		s.mu.Unlock()
	}
	if len(out) > 0 {
		if _, werr := g.client.Write(out); werr != nil && err == nil {
			err = errClientGone
		}
	}
	g.between()
	if !g.holding && s.dismissed() {
		g.drain()
	}
	return err
}

// between lets others write to the client if no message of the server is half sent.
func (g *goroutines) between() {
	half := g.s.core.HalfSent()
	if g.s.replication != notReplication {
		half = g.s.raw.Open() || g.s.replication == replicationUnreadable
	}
	if g.holding && !half {
		g.holding = false
		g.writing.Unlock()
	}
}

// limitLastWait bounds the wait for the end of a server whose client has left and that has answered everything. It is
// called with mu held.
func (g *goroutines) limitLastWait() {
	if s := g.s; s.state == stateClientLeft && s.replication == notReplication && s.core.Answered() {
		_ = g.server.SetReadDeadline(time.Now().Add(lastWait))
	}
}

// serverEnded ends the server's direction.
func (g *goroutines) serverEnded(err error) {
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
	s.end(errServerGone)
	s.log.Debug("server side ended", "error", err)
	if answering {
		g.ended() // the answer ends by itself, and the client's direction with it
		return
	}
	// What the server said last must reach the client, who has a moment to read it.
	_ = closeWrite(g.client)
	g.fromClient.wake(func() {
		_ = g.client.SetReadDeadline(time.Now().Add(time.Second))
		g.ended()
	})
}

// readClient relays what the client sends, and has answered what is for askpg, until the client ends.
func (g *goroutines) readClient() {
	s := g.s
	if len(g.toServer) > 0 {
		_, err := g.server.Write(g.toServer)
		g.toServer = nil
		if err != nil {
			g.clientEnded(errServerGone)
			return
		}
	}
	if g.clientErr != nil {
		g.clientEnded(g.clientErr)
		return
	}
	if s.replication != notReplication {
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
func (g *goroutines) take(b []byte) error {
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
func (g *goroutines) goOn() error {
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
func (g *goroutines) process() error {
	s := g.s
	s.mu.Lock()
	b := s.held
	s.held = nil
	s.mu.Unlock()
	for {
		step, ok := s.fromClient(b)
		if !ok {
			return errServerGone
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
			if err := s.await(s.ctx, func() bool { return !s.core.Full() }); err != nil {
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
func (g *goroutines) hold(b []byte) (all []byte, more bool) {
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

// direction is one of the two in which goroutines relay. While nothing comes for parkAfter it holds no goroutine: an
// event loop waits for its connection. The stacks are most of the memory of a session that is idle.
type direction struct {
	g    *goroutines
	conn net.Conn
	loop *eventloop.Loop // nil if there is none
	read func()          // in a goroutine of its own

	sleeping bool            // guarded by the session's mu
	waits    *eventloop.Conn // of the loop's goroutine
}

// limit bounds the next read, so that the direction can fall asleep.
func (d *direction) limit() {
	if d.loop == nil {
		return
	}
	s := d.g.s
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state <= stateAnswering {
		_ = d.conn.SetReadDeadline(time.Now().Add(parkAfter))
	}
}

// sleep is called when a read has taken as long as it may. sleeps says that the loop waits from now on; ends that the
// limit was not that of limit, so that the direction is to end.
func (d *direction) sleep() (sleeps, ends bool) {
	s := d.g.s
	fd, ok := descriptorOf(d.conn)
	s.mu.Lock()
	defer s.mu.Unlock()
	if d.loop == nil || s.state > stateAnswering {
		return false, true
	}
	if !ok || s.state == stateLogin {
		return false, false
	}
	d.sleeping = true
	if d.g.asleep++; d.g.asleep == 2 {
		s.srv.metrics.parked.Inc()
		s.srv.parkedLately.Add(1)
	}
	d.loop.Do(func() {
		s.mu.Lock()
		sleeping := d.sleeping
		s.mu.Unlock()
		if !sleeping {
			return
		}
		var err error
		if d.waits, err = d.loop.Add(fd, d); err != nil {
			d.Failed(err)
		}
	})
	return true, false
}

// Readable has a goroutine read the connection again.
func (d *direction) Readable() { d.awake(func() {}) }

// Flushed is never called: nothing is written here.
func (d *direction) Flushed() {}

// Failed ends the session, which can't wait for its connection.
func (d *direction) Failed(err error) {
	d.g.s.log.Error("waiting for a connection failed", "error", err)
	d.awake(func() { d.g.s.kill(errWaiting(err)) })
}

// awake is called by the loop's goroutine: it has a goroutine read again, and then calls f in another one.
func (d *direction) awake(f func()) {
	s := d.g.s
	if d.waits != nil {
		d.waits.Remove()
		d.waits = nil
	}
	s.mu.Lock()
	was := d.sleeping
	d.sleeping = false
	if was {
		if d.g.asleep--; d.g.asleep == 1 {
			s.srv.metrics.parked.Dec()
		}
	}
	s.mu.Unlock()
	if was {
		_ = d.conn.SetReadDeadline(noDeadline)
		go d.read()
	}
	go f()
}

// wake calls f once a goroutine reads the connection: the descriptor must not be closed while the loop waits for it, and a
// deadline holds for reads.
func (d *direction) wake(f func()) {
	d.g.s.mu.Lock()
	sleeping := d.sleeping
	d.g.s.mu.Unlock()
	if sleeping {
		d.loop.Do(func() { d.awake(f) })
		return
	}
	f()
}

// errWaiting tells a client that its connection can't be waited for.
func errWaiting(err error) *ask.Error {
	return ask.Errorf("53200", "askpg can't wait for the session's connections").WithDetail("%v", err)
}
