package proxy

import (
	"bytes"
	"errors"

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

// loopDriver is the driver of sessions without TLS, on an event loop. But for the methods of driver all of it is the loop's
// goroutine's. A session that ends goes to goroutines, which can wait for the last words of either side.
type loopDriver struct {
	s              *session
	loop           *loop
	client, server *eventloop.Conn // nil before begin, and once the connections are another driver's
	full           bool            // the client is not read until the server has answered a request
	waiting        []delivery
	toClient       chan<- error // told when the client has taken what was sent to it
	toServer       chan<- error // the same of the server
}

// delivery is what give sends, until the server's message has ended.
type delivery struct {
	b    []byte
	done chan<- error
}

// clientSide and serverSide are told of the connections.
type (
	clientSide struct{ *loopDriver }
	serverSide struct{ *loopDriver }
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
	d := &loopDriver{s: s, loop: l}
	s.mu.Lock()
	s.driver = d
	s.mu.Unlock()
	c.client.Close()
	c.server.Close()
	l.Do(func() { d.begin(client, server) })
	return true
}

// begin has the loop wait for the connections.
func (d *loopDriver) begin(client, server int) {
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
	d.client, d.server = nil, nil
	d.s.log.Error("waiting for a session's connections failed", "error", err)
	go d.s.takeOver(client, server, connections{})
	d.s.kill(errWaiting(err))
}

// has says whether the session's connections are the loop's. They are not before begin, which sees what has come meanwhile.
func (d *loopDriver) has() bool { return d.client != nil }

// leave takes the connections from the loop, and returns their descriptors and what was not written.
func (d *loopDriver) leave() (client, server int, toClient, toServer []byte) {
	client, toClient = d.client.Remove()
	server, toServer = d.server.Remove()
	d.client, d.server = nil, nil
	return client, server, toClient, toServer
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

// process relays b, which the client has sent, up to the first message that is answered, or to the end.
func (d *loopDriver) process(b []byte) {
	s := d.s
	for {
		step, ok := s.fromClient(b)
		if !ok {
			d.handOver(connections{clientErr: errServerLeft})
			return
		}
		if step.Forward > 0 {
			if err := d.server.Write(b[:step.Forward]); err != nil {
				d.failed(err)
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
func (d *loopDriver) hold(b []byte) {
	d.s.mu.Lock()
	d.s.held = bytes.Clone(b)
	if len(b) == 0 {
		d.s.held = nil
	}
	d.s.mu.Unlock()
}

// goOn deals with what is held of the client.
func (d *loopDriver) goOn() {
	s := d.s
	b := s.takeHeld()
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
			d.failed(werr)
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
	if d.full && d.has() {
		s.mu.Lock()
		d.full = s.waits()
		s.mu.Unlock()
		if !d.full {
			d.goOn()
		}
	}
	if s.srv.draining.Load() {
		d.drainHere()
	}
}

// reads says whether a connection is to be read from now on. It is false if the session is not the loop's any more.
func (d *loopDriver) reads(c *eventloop.Conn, reads bool) bool {
	if err := c.SetReads(reads); err != nil {
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
