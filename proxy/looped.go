package proxy

import (
	"bytes"
	"errors"
	"io"
	"net"

	"askpg/ask"
	"askpg/proxy/eventloop"
	"askpg/wire"
)

// loop is an event loop that relays sessions without TLS.
type loop struct {
	*eventloop.Loop
	buf []byte // for one read; of the loop's goroutine
}

// loopBuffer is how much one read of a loop takes.
const loopBuffer = 64 << 10

func newLoop(o eventloop.Options) (*loop, error) {
	l, err := eventloop.New(o)
	if err != nil {
		return nil, err
	}
	return &loop{Loop: l, buf: make([]byte, loopBuffer)}, nil
}

// looped is the driver of sessions without TLS, on an event loop. But for the methods of driver all of it is the loop's
// goroutine's. A session that ends goes to goroutines, which can wait for the last words of either side.
type looped struct {
	s              *session
	loop           *loop
	client, server *eventloop.Conn
	full           bool // the client is not read until the server has answered a request
	left           bool // the connections are another driver's
	waiting        []delivery
	toClient       chan<- error // told when the client has taken what sendClient has sent
	toServer       chan<- error // the same of the server
}

// delivery is what sendClient sends, until the server's message has ended.
type delivery struct {
	b    []byte
	done chan<- error
}

// clientSide and serverSide are told of the connections.
type (
	clientSide struct{ *looped }
	serverSide struct{ *looped }
)

// relay has the loop relay a session; it reports whether it can.
func (l *loop) relay(s *session, c connections) bool {
	client, err := eventloop.Take(c.client)
	if err != nil {
		return false
	}
	server, err := eventloop.Take(c.server)
	if err != nil {
		eventloop.Close(client)
		return false
	}
	d := &looped{s: s, loop: l}
	s.mu.Lock()
	s.driver = d
	s.mu.Unlock()
	c.client.Close()
	c.server.Close()
	l.Do(func() { d.begin(client, server) })
	return true
}

// begin has the loop wait for the connections.
func (d *looped) begin(client, server int) {
	var err error
	if d.client, err = d.loop.Add(client, clientSide{d}); err == nil {
		if d.server, err = d.loop.Add(server, serverSide{d}); err == nil {
			if d.s.ctx.Err() != nil {
				d.killHere(errShutdown)
			} else if d.s.dismissed() {
				d.drainHere()
			}
			return
		}
		d.client.Remove()
	}
	d.left = true
	d.s.log.Error("waiting for a session's connections failed", "error", err)
	go d.s.adopt(client, server, connections{})
	d.s.kill(errWaiting(err))
}

// adopt has goroutines relay the session whose descriptors an event loop had.
func (s *session) adopt(client, server int, c connections) {
	var err error
	if c.client, err = eventloop.Give(client); err == nil {
		err = s.set.Listen.TCPConfig.apply(c.client)
	}
	if err == nil {
		if c.server, err = eventloop.Give(server); err == nil {
			err = s.set.Primary.TCPConfig.apply(c.server)
		}
	} else {
		eventloop.Close(server)
	}
	if err == nil {
		s.relayByGoroutines(c)
		return
	}
	for _, conn := range []net.Conn{c.client, c.server} {
		if conn != nil {
			conn.Close()
		}
	}
	s.log.Error("taking a session from its event loop failed", "error", err)
	s.mu.Lock()
	s.become(stateEnded)
	s.mu.Unlock()
	s.conclude()
}

// Readable reads the client.
func (d clientSide) Readable() {
	s := d.s
	n, err := d.client.Read(d.loop.buf)
	switch {
	case errors.Is(err, eventloop.ErrNothing):
		return
	case err != nil:
		d.clientEnded(err)
		return
	}
	b := d.loop.buf[:n]
	s.srv.metrics.fromClient.Add(float64(n))
	s.mu.Lock()
	answering := s.state == stateAnswering
	if answering || len(s.held) > 0 {
		s.held = append(s.held, b...)
		b = s.held
		if !answering {
			s.held = nil
		}
	}
	s.mu.Unlock()
	switch {
	case !answering:
		d.process(b)
	case len(b) >= maxHeld:
		d.reads(d.client, false)
	}
}

// clientEnded takes note of the end of the client's connection.
func (d *looped) clientEnded(err error) {
	switch {
	case d.s.clientLeft(err):
		d.reads(d.client, false)
	case !errors.Is(err, io.EOF) || !d.release(false):
		d.handOver(connections{clientErr: err})
	}
}

// process relays b, which the client has sent, up to the first message that is answered, or to the end.
func (d *looped) process(b []byte) {
	s := d.s
	for {
		step, ok := s.fromClient(b)
		if !ok {
			d.handOver(connections{clientErr: errServerGone})
			return
		}
		if step.Forward > 0 {
			if err := d.server.Write(b[:step.Forward]); err != nil {
				d.handOver(connections{})
				return
			}
			if d.server.Unwritten() && !d.reads(d.client, false) {
				return
			}
		}
		b = b[step.Forward+step.Discard:]
		switch step.Next {
		case wire.Hold:
			d.hold(b)
			return
		case wire.Wait:
			d.full = true
			d.hold(b)
			d.reads(d.client, false)
			return
		case wire.Answer:
			switch s.verdict.kind {
			case foreignBinding: // of sessions with TLS alone
				d.handOver(connections{clientErr: errBinding})
				return
			case farewell:
				if d.release(true) {
					return
				}
				continue // the core is asked again, and passes it on
			}
			s.beginAnswer(b)
			return
		}
	}
}

// hold keeps b until more has come.
func (d *looped) hold(b []byte) {
	d.s.mu.Lock()
	d.s.held = bytes.Clone(b)
	if len(b) == 0 {
		d.s.held = nil
	}
	d.s.mu.Unlock()
}

// goOn deals with what is held of the client.
func (d *looped) goOn() {
	s := d.s
	s.mu.Lock()
	b := s.held
	s.held = nil
	s.mu.Unlock()
	if !d.server.Unwritten() && !d.reads(d.client, true) {
		return
	}
	d.process(b)
}

// Readable reads the server.
func (d serverSide) Readable() {
	s := d.s
	n, err := d.server.Read(d.loop.buf)
	switch {
	case errors.Is(err, eventloop.ErrNothing):
		return
	case err != nil:
		d.serverEnded(err)
		return
	}
	out, err := s.fromServer(d.loop.buf[:n])
	if len(out) > 0 {
		if werr := d.client.Write(out); werr != nil {
			d.clientEnded(werr)
			return
		}
		if d.client.Unwritten() && !d.reads(d.server, false) {
			return
		}
	}
	if err != nil {
		d.serverEnded(err)
		return
	}
	d.deliver()
	if d.full {
		s.mu.Lock()
		d.full = s.core.Full()
		s.mu.Unlock()
		if !d.full {
			d.goOn()
			if d.left {
				return
			}
		}
	}
	if s.srv.draining.Load() {
		d.drainHere()
	}
}

// serverEnded takes note of the end of the server's connection. An answer that is under way ends first.
func (d *looped) serverEnded(err error) {
	s := d.s
	s.mu.Lock()
	answering := s.state == stateAnswering
	s.become(stateServerLeft)
	s.mu.Unlock()
	s.wake()
	if !answering {
		d.handOver(connections{serverErr: err})
		return
	}
	s.end(errServerGone)
	d.reads(d.server, false)
}

// reads says whether a connection is to be read from now on. It is false if the session is not the loop's any more.
func (d *looped) reads(c *eventloop.Conn, reads bool) bool {
	if err := c.Reads(reads); err != nil {
		d.failed(err)
		return false
	}
	return true
}

// Flushed reads the server again, whose messages the client has taken.
func (d clientSide) Flushed() {
	if d.toClient != nil {
		d.toClient <- nil
		d.toClient = nil
	}
	d.s.mu.Lock()
	ends := d.s.ends()
	d.s.mu.Unlock()
	if ends || d.reads(d.server, true) {
		d.deliver()
	}
}

// Flushed reads the client again, whose messages the server has taken.
func (d serverSide) Flushed() {
	if d.toServer != nil {
		d.toServer <- nil
		d.toServer = nil
	}
	d.s.mu.Lock()
	stays := d.full || d.s.state == stateAnswering && len(d.s.held) >= maxHeld || d.s.clientEnd != nil
	d.s.mu.Unlock()
	if !stays {
		d.reads(d.client, true)
	}
}

// Failed ends a session whose client takes nothing any more, or whose connection can't be waited for.
func (d clientSide) Failed(err error) { d.failed(err) }

// Failed ends a session whose server takes nothing any more, or whose connection can't be waited for.
func (d serverSide) Failed(err error) { d.failed(err) }

func (d *looped) failed(err error) {
	if errors.Is(err, io.ErrClosedPipe) {
		d.handOver(connections{})
		return
	}
	d.s.log.Error("waiting for a session's connections failed", "error", err)
	d.handOver(connections{})
	go d.s.kill(errWaiting(err))
}

// handOver gives the connections to goroutines, with what was not written.
func (d *looped) handOver(c connections) {
	if d.left {
		return
	}
	d.left = true
	client, toClient := d.client.Remove()
	server, toServer := d.server.Remove()
	c.toClient, c.toServer = toClient, toServer
	for _, w := range d.waiting {
		w.done <- errClientGone
	}
	for _, c := range []chan<- error{d.toClient, d.toServer} {
		if c != nil {
			c <- nil // the driver that follows writes it
		}
	}
	d.waiting, d.toClient, d.toServer = nil, nil, nil
	go d.s.adopt(client, server, c)
}

// release ends a session that its client has ended, with the word for it or without, and gives its server connection to
// the pool, if that is possible.
func (d *looped) release(terminated bool) bool {
	s := d.s
	if d.server.Unwritten() || d.client.Unwritten() {
		s.spoil()
		return false
	}
	if !s.release(terminated) {
		return false
	}
	d.left = true
	client, _ := d.client.Remove()
	eventloop.Close(client)
	server, _ := d.server.Remove()
	go func() {
		s.conclude()
		conn, err := eventloop.Give(server)
		if err == nil {
			err = s.set.Primary.TCPConfig.apply(conn)
		}
		if err != nil {
			s.log.Error("taking a server connection from its event loop failed", "error", err)
			s.srv.pool.giveUp(s.backend)
			return
		}
		s.backend.conn = conn
		s.srv.pool.begin(s.backend)
		s.srv.pool.resume(s.backend, nil, nil)
	}()
	return true
}

// sendClient has the loop send whole messages to the client, and waits until the client has taken them.
func (d *looped) sendClient(b []byte) error {
	done := make(chan error, 1)
	d.loop.Do(func() {
		if d.left {
			done <- errClientGone
			return
		}
		d.waiting = append(d.waiting, delivery{b, done})
		d.deliver()
	})
	return <-done
}

// deliver sends what sendClient has given, if no message of the server is half sent.
func (d *looped) deliver() {
	for len(d.waiting) > 0 && !d.left && d.toClient == nil && !d.s.core.HalfSent() {
		w := d.waiting[0]
		d.waiting = d.waiting[1:]
		switch err := d.client.Write(w.b); {
		case err != nil:
			w.done <- errClientGone
		case d.client.Unwritten():
			d.toClient = w.done
			d.reads(d.server, false)
		default:
			w.done <- nil
		}
	}
}

// sendServer has the loop send messages to the server, and waits until it has taken them.
func (d *looped) sendServer(b []byte) error {
	done := make(chan error, 1)
	d.loop.Do(func() {
		if d.left {
			done <- errServerGone
			return
		}
		switch err := d.server.Write(b); {
		case err != nil:
			done <- errServerGone
		case d.server.Unwritten():
			d.toServer = done
		default:
			done <- nil
		}
	})
	return <-done
}

// answered goes on with what the client has sent during an answer.
func (d *looped) answered(err error) {
	s := d.s
	d.loop.Do(func() {
		if d.left {
			go func() {
				s.mu.Lock()
				for s.driver == driver(d) && !s.ends() {
					s.changed.Wait()
				}
				next := s.driver
				s.mu.Unlock()
				if next != driver(d) {
					next.answered(err)
				}
			}()
			return
		}
		if err != nil {
			d.handOver(connections{clientErr: err})
			return
		}
		s.mu.Lock()
		ended := s.clientEnd
		relays := s.state == stateAnswering && s.become(stateRelaying)
		s.mu.Unlock()
		switch {
		case !relays: // the server has left meanwhile
			d.handOver(connections{serverErr: errServerGone})
			return
		case ended != nil:
			d.processLast(ended)
			return
		}
		d.goOn()
		if !d.left && s.srv.draining.Load() {
			d.drainHere()
		}
	})
}

// processLast deals with what a client has sent before its end.
func (d *looped) processLast(ended error) {
	s := d.s
	s.mu.Lock()
	b := s.held
	s.held = nil
	s.mu.Unlock()
	d.process(b)
	s.mu.Lock()
	answering := s.state == stateAnswering
	s.mu.Unlock()
	if !d.left && !answering && !d.full {
		d.clientEnded(ended)
	}
}

// drain ends the session if it is idle and there is a reason to.
func (d *looped) drain() { d.loop.Do(d.drainHere) }

func (d *looped) drainHere() {
	if d.left || d.s.core.HalfSent() || d.client.Unwritten() {
		return // the end of what is half sent comes here again
	}
	reason := d.s.endIdle()
	if reason == nil {
		return
	}
	_ = d.client.Write(d.s.srv.errorResponse(severityFatal, reason))
	_ = d.server.Write(terminate)
	d.handOver(connections{clientErr: errServerGone})
}

// kill ends the session at once.
func (d *looped) kill(reason *ask.Error) { d.loop.Do(func() { d.killHere(reason) }) }

func (d *looped) killHere(reason *ask.Error) {
	if d.left {
		return // who adopts it sees that it has ended
	}
	if !d.s.core.HalfSent() && !d.client.Unwritten() {
		_ = d.client.Write(d.s.srv.errorResponse(severityFatal, reason))
	}
	d.left = true
	client, _ := d.client.Remove()
	server, _ := d.server.Remove()
	for _, w := range d.waiting {
		w.done <- errClientGone
	}
	for _, c := range []chan<- error{d.toClient, d.toServer} {
		if c != nil {
			c <- errClientGone
		}
	}
	eventloop.CloseWrite(client)
	eventloop.Close(client)
	eventloop.Close(server)
	go d.s.conclude()
}

// closeServer closes the server connection at once.
func (d *looped) closeServer() {
	d.loop.Do(func() {
		if !d.left {
			d.serverEnded(errServerGone)
		}
	})
}
