package proxy

import (
	"net"
	"time"

	"askpg/ask"
	"askpg/proxy/eventloop"
)

// direction is one of the two in which goroutines relay. While nothing comes for times.releaseAfter it holds no goroutine: an
// event loop waits for its connection. The stacks are most of the memory of a session that is idle.
type direction struct {
	g    *goroutineDriver
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
		_ = d.conn.SetReadDeadline(time.Now().Add(s.set.times.releaseAfter))
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
