package proxy

import (
	"encoding/binary"
	"os"
	"sync"
	"syscall"

	"askpg/ask"
)

// loop relays sessions without TLS from a goroutine of its own, by epoll: a
// goroutine for each direction costs a wake-up for every message, which at
// small messages is most of the work. It does what needs no waiting. For
// everything else, such as a question, it gives the session to goroutines and
// takes it back afterwards.
//
// Events are edge-triggered: the kernel would otherwise look once more at
// every connection that was read, to see that nothing is left. What a read
// does not take, the loop keeps in mind itself (again).
//
// Reading and writing never block here, so they go by raw system calls, which
// the Go scheduler does not have to know of.
type loop struct {
	epoll int
	event int // an eventfd that ends the wait
	srv   *Server
	legs  []*leg // by file descriptor
	buf   []byte
	again []syscall.EpollEvent // of connections that may have more to read, which epoll does not say

	mu      sync.Mutex
	posted  []func()
	woken   bool
	stopped chan struct{}
	stop    bool // of the loop's goroutine
}

// loopBuffer is how much one read takes.
const loopBuffer = 64 << 10

func newLoop(srv *Server) (*loop, error) {
	epoll, err := syscall.EpollCreate1(syscall.EPOLL_CLOEXEC)
	if err != nil {
		return nil, os.NewSyscallError("epoll_create1", err)
	}
	event, _, errno := syscall.RawSyscall(syscall.SYS_EVENTFD2, 0, syscall.O_CLOEXEC|syscall.O_NONBLOCK, 0)
	if errno != 0 {
		syscall.Close(epoll)
		return nil, os.NewSyscallError("eventfd", errno)
	}
	l := &loop{epoll: epoll, event: int(event), srv: srv, buf: make([]byte, loopBuffer), stopped: make(chan struct{})}
	if err := syscall.EpollCtl(epoll, syscall.EPOLL_CTL_ADD, l.event, &syscall.EpollEvent{Events: syscall.EPOLLIN, Fd: int32(l.event)}); err != nil {
		syscall.Close(epoll)
		syscall.Close(l.event)
		return nil, os.NewSyscallError("epoll_ctl", err)
	}
	go l.run()
	return l, nil
}

// close ends the loop; it must have no sessions.
func (l *loop) close() {
	l.post(func() { l.stop = true })
	<-l.stopped
}

// post has f called by the loop's goroutine.
func (l *loop) post(f func()) {
	l.mu.Lock()
	l.posted = append(l.posted, f)
	wake := !l.woken
	l.woken = true
	l.mu.Unlock()
	if wake {
		signalEvent(l.event)
	}
}

// signalEvent adds one to an eventfd; it does not block.
func signalEvent(fd int) {
	var one [8]byte
	binary.NativeEndian.PutUint64(one[:], 1)
	_, _ = syscall.Write(fd, one[:])
}

func (l *loop) run() {
	defer close(l.stopped)
	defer syscall.Close(l.epoll)
	defer syscall.Close(l.event)
	var events [128]syscall.EpollEvent
	for !l.stop {
		timeout := -1
		if len(l.again) > 0 {
			timeout = 0
		}
		n, err := syscall.EpollWait(l.epoll, events[:], timeout)
		if err != nil && err != syscall.EINTR {
			panic(os.NewSyscallError("epoll_wait", err)) // a fault of this program
		}
		again := len(l.again) // what these events add waits for the next turn
		posted := false
		for i := range max(n, 0) {
			e := &events[i]
			if int(e.Fd) == l.event {
				posted = true
				continue
			}
			if g := l.legs[e.Fd]; g != nil {
				l.ready(g, e.Events)
			}
		}
		for _, e := range l.again[:again] {
			if g := l.legs[e.Fd]; g != nil {
				l.ready(g, e.Events)
			}
		}
		l.again = l.again[:copy(l.again, l.again[again:])]
		if posted {
			l.runPosted()
		}
	}
}

func (l *loop) runPosted() {
	var b [8]byte
	_, _ = syscall.Read(l.event, b[:])
	l.mu.Lock()
	list := l.posted
	l.posted, l.woken = nil, false
	l.mu.Unlock()
	for _, f := range list {
		f()
	}
}

// watch sets what the loop waits for on a connection; 0 ends it.
func (l *loop) watch(g *leg, interest uint32) {
	if g.interest == interest {
		return
	}
	op := syscall.EPOLL_CTL_MOD
	switch {
	case interest == 0:
		op = syscall.EPOLL_CTL_DEL
		l.legs[g.fd] = nil
	case g.interest == 0:
		op = syscall.EPOLL_CTL_ADD
		for g.fd >= len(l.legs) {
			l.legs = append(l.legs, make([]*leg, 64)...)
		}
		l.legs[g.fd] = g
	}
	g.interest = interest
	events := interest | edgeTriggered
	if interest&syscall.EPOLLIN != 0 {
		events |= syscall.EPOLLRDHUP
	}
	if err := syscall.EpollCtl(l.epoll, op, g.fd, &syscall.EpollEvent{Events: events, Fd: int32(g.fd)}); err != nil {
		panic(os.NewSyscallError("epoll_ctl", err)) // a fault of this program, or no memory
	}
}

// edgeTriggered is EPOLLET, which syscall has as a negative number.
const edgeTriggered = 1 << 31

// atEnd are the events after which a connection is read to its end: bytes and
// the end of the connection can come as one event.
const atEnd = syscall.EPOLLRDHUP | syscall.EPOLLHUP | syscall.EPOLLERR

// ready deals with an event.
func (l *loop) ready(g *leg, events uint32) {
	switch {
	case g.parked:
		l.unpark(g.s, nil)
		return
	}
	if events&syscall.EPOLLOUT != 0 && len(g.out) > 0 {
		if !l.flush(g) {
			return
		}
	}
	if g.interest&syscall.EPOLLIN == 0 {
		if events&(syscall.EPOLLERR|syscall.EPOLLHUP) != 0 {
			// Nobody takes what is to be written.
			l.finish(g.s)
		}
		return
	}
	if events&^uint32(syscall.EPOLLOUT) == 0 {
		return
	}
	if g.isClient {
		l.remember(g.fd, l.readClient(g.s), events)
	} else {
		l.remember(g.fd, l.readServer(g.s), events)
	}
}

// outcome is what a read leaves of its connection.
type outcome int

const (
	nothing outcome = iota // there was nothing, or the connection has ended
	drained                // there was less than there was room for
	filled                 // there may be more
)

// read reads into b.
func (g *leg) read(b []byte) (n int, errno syscall.Errno, left outcome) {
	n, errno = readFD(g.fd, b)
	switch {
	case errno == syscall.EINTR, n == len(b):
		left = filled
	case n > 0:
		left = drained
	}
	return n, errno, left
}

// remember has a connection read once more although no event will say so: where
// the last read left something, or took what came before the connection's end.
func (l *loop) remember(fd int, left outcome, events uint32) {
	if left == filled || left == drained && events&atEnd != 0 {
		l.again = append(l.again, syscall.EpollEvent{Fd: int32(fd), Events: syscall.EPOLLIN | events&atEnd})
	}
}

func (l *loop) readClient(s *session) outcome {
	lp := s.lp
	have := copy(l.buf, lp.held)
	n, errno, left := lp.client.read(l.buf[have:])
	switch {
	case errno == syscall.EAGAIN || errno == syscall.EINTR:
		return left
	case n <= 0:
		l.clientEnded(s)
		return nothing
	}
	l.srv.metrics.fromClient.Add(float64(n))
	lp.held = nil
	for b := l.buf[:have+n]; len(b) > 0; {
		s.mu.Lock()
		k, next, _ := s.scan(b)
		sent := s.sent
		s.sent, s.active = 0, true
		s.mu.Unlock()
		if sent > 0 {
			l.srv.metrics.clientMessages.Add(float64(sent))
		}
		if k > 0 {
			if !l.write(&lp.server, b[:k]) {
				return nothing
			}
			b = b[k:]
			continue
		}
		if next == stepRead && len(b) < len(l.buf)/2 && s.drop == 0 {
			lp.held = append([]byte(nil), b...)
			return left
		}
		if next == stepLeave {
			if l.leave(s, true) {
				return nothing
			}
			continue
		}
		l.release(s, b, nil)
		return nothing
	}
	return left
}

// streamed is how much a read has to bring for another one to be tried at
// once: a server that sends a large result does so 8 KB at a time.
const streamed = 8 << 10

// maxReads bounds how often one session is read before others have their turn.
const maxReads = 8

func (l *loop) readServer(s *session) (left outcome) {
	for range maxReads {
		more := false
		if more, left = l.readServerOnce(s); !more {
			break
		}
	}
	return left
}

// readServerOnce reports whether more is likely to be there.
func (l *loop) readServerOnce(s *session) (more bool, left outcome) {
	lp := s.lp
	n, errno, left := lp.server.read(l.buf)
	switch {
	case errno == syscall.EAGAIN || errno == syscall.EINTR:
		return false, left
	case n <= 0:
		l.finish(s)
		return false, nothing
	}
	l.srv.metrics.fromServer.Add(float64(n))
	s.mu.Lock()
	out, err := s.track(l.buf[:n])
	s.mu.Unlock()
	if len(out) > 0 && !l.write(&lp.client, out) {
		return false, nothing
	}
	if err != nil {
		if ask.AsError(err) != nil {
			l.cut(s, err)
			return false, nothing
		}
		l.finish(s)
		return false, nothing
	}
	if l.srv.draining.Load() {
		l.drain(s)
	}
	return n >= streamed && s.lp == lp && lp.server.interest&syscall.EPOLLIN != 0, left
}

// write writes b, or keeps what the connection does not take and stops reading
// the other one. It reports whether the session is still the loop's.
func (l *loop) write(g *leg, b []byte) bool {
	for len(g.out) == 0 {
		n, errno := writeFD(g.fd, b)
		b = b[n:]
		switch {
		case len(b) == 0:
			return true
		case errno == syscall.EINTR || errno == 0:
			continue
		case errno != syscall.EAGAIN:
			l.finish(g.s)
			return false
		}
		break
	}
	g.out = append(g.out, b...)
	l.balance(g.s)
	return true
}

// flush writes what was kept.
func (l *loop) flush(g *leg) bool {
	for len(g.out) > 0 {
		n, errno := writeFD(g.fd, g.out)
		switch {
		case errno == syscall.EAGAIN:
			return true
		case errno != 0 && errno != syscall.EINTR:
			l.finish(g.s)
			return false
		}
		g.out = g.out[n:]
	}
	g.out = nil
	l.balance(g.s)
	return true
}

// balance waits for what can go on: a side is read if the other takes it.
func (l *loop) balance(s *session) {
	lp := s.lp
	for _, pair := range [2][2]*leg{{&lp.client, &lp.server}, {&lp.server, &lp.client}} {
		interest := uint32(0)
		if len(pair[1].out) == 0 {
			interest = syscall.EPOLLIN
		}
		if len(pair[0].out) > 0 {
			interest |= syscall.EPOLLOUT
		}
		if interest == 0 {
			interest = syscall.EPOLLERR // always reported, and keeps the descriptor registered
		}
		l.watch(pair[0], interest)
	}
}
