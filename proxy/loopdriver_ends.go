package proxy

import (
	"errors"
	"io"
	"net"

	"askpg/ask"
	"askpg/proxy/eventloop"
)

// takeOver has goroutines relay the session whose descriptors an event loop had.
func (s *session) takeOver(client, server int, c connections) {
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

// clientEnded takes note of the end of the client's connection.
func (d *loopDriver) clientEnded(err error) {
	switch {
	case d.s.clientLeft(err):
		d.reads(d.client, false)
	case !errors.Is(err, io.EOF) || !d.release(false):
		d.handOver(connections{clientErr: err})
	}
}

// serverEnded takes note of the end of the server's connection. An answer that is under way ends first.
func (d *loopDriver) serverEnded(err error) {
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
	s.end(errServerLeft)
	d.reads(d.server, false)
}

// failed ends a session that can't be written or waited for any more.
func (d *loopDriver) failed(err error) {
	d.handOver(connections{})
	if errors.Is(err, eventloop.ErrWait) {
		d.s.log.Error("waiting for a session's connections failed", "error", err)
		go d.s.kill(errWaiting(err))
	}
}

// handOver gives the connections to goroutines, with what was not written.
func (d *loopDriver) handOver(c connections) {
	if !d.has() {
		return
	}
	client, server, toClient, toServer := d.leave()
	c.toClient, c.toServer = toClient, toServer
	d.dismiss(nil) // the driver that follows writes it
	go d.s.takeOver(client, server, c)
}

// dismiss answers who waits: what waits for its turn is not sent, and of what is being sent it says err.
func (d *loopDriver) dismiss(err error) {
	for _, w := range d.waiting {
		w.done <- errClientLeft
	}
	for _, c := range []chan<- error{d.toClient, d.toServer} {
		if c != nil {
			c <- err
		}
	}
	d.waiting, d.toClient, d.toServer = nil, nil, nil
}

// release ends a session that its client has ended, with the word for it or without, and gives its server connection to
// the pool, if that is possible.
func (d *loopDriver) release(terminated bool) bool {
	s := d.s
	if d.server.Unwritten() || d.client.Unwritten() {
		s.spoil()
		return false
	}
	if !s.release(terminated) {
		return false
	}
	client, server, _, _ := d.leave()
	eventloop.Close(client)
	go func() {
		s.conclude()
		conn, err := eventloop.Give(server)
		if err == nil {
			err = s.set.Primary.TCPConfig.apply(conn)
		}
		if err != nil {
			s.log.Error("taking a server connection from its event loop failed", "error", err)
			if conn != nil {
				conn.Close()
			}
			s.reused.Resume(nil, err)
			return
		}
		s.reused.Reset(conn)
		s.reused.Resume(nil, nil)
	}()
	return true
}

// drain ends the session if it is idle and there is a reason to.
func (d *loopDriver) drain() { d.loop.Do(d.drainHere) }

func (d *loopDriver) drainHere() {
	if !d.has() || d.s.core.HalfSent() || d.client.Unwritten() {
		return // the end of what is half sent comes here again
	}
	reason := d.s.endIdle()
	if reason == nil {
		return
	}
	_ = d.client.Write(d.s.srv.errorResponse(severityFatal, reason))
	_ = d.server.Write(terminate)
	d.handOver(connections{clientErr: errServerLeft})
}

// kill ends the session at once.
func (d *loopDriver) kill(reason *ask.Error) { d.loop.Do(func() { d.killHere(reason) }) }

func (d *loopDriver) killHere(reason *ask.Error) {
	if !d.has() {
		return // who begins with the connections sees that the session has ended
	}
	if !d.s.core.HalfSent() && !d.client.Unwritten() {
		_ = d.client.Write(d.s.srv.errorResponse(severityFatal, reason))
	}
	client, server, _, _ := d.leave()
	d.dismiss(errClientLeft)
	eventloop.CloseWrite(client)
	eventloop.Close(client)
	eventloop.Close(server)
	go d.s.conclude()
}

// closeServer closes the server connection at once.
func (d *loopDriver) closeServer() {
	d.loop.Do(func() {
		if d.has() {
			d.serverEnded(errServerLeft)
		}
	})
}
