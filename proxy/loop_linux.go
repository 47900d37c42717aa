package proxy

import (
	"os"
	"runtime"
	"sync"
	"syscall"

	"askpg/ask"
)

// loop relays sessions without TLS from a thread of its own, by epoll: a
// goroutine for each direction costs a wake-up for every message, which at
// small messages is most of the work. It does what needs no waiting. For
// everything else, such as a question, it gives the session to goroutines and
// takes it back afterwards.
//
// Reading and writing never block here, so they go by raw system calls, which
// the Go scheduler does not have to know of.
type loop struct {
	epoll int
	event int // an eventfd that ends the wait
	srv   *Server
	legs  []*leg // by file descriptor
	buf   []byte
	naps  bool
	hands *handoff

	mu      sync.Mutex
	posted  []func()
	woken   bool
	stopped chan struct{}
	stop    bool // of the loop's thread
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
	l.naps = mayNap(srv.settings.Load().Listen.EventLoops)
	if err := syscall.EpollCtl(epoll, syscall.EPOLL_CTL_ADD, l.event, &syscall.EpollEvent{Events: syscall.EPOLLIN, Fd: int32(l.event)}); err != nil {
		syscall.Close(epoll)
		syscall.Close(l.event)
		return nil, os.NewSyscallError("epoll_ctl", err)
	}
	if l.hands, err = newHandoff(); err != nil {
		syscall.Close(epoll)
		syscall.Close(l.event)
		return nil, err
	}
	go l.run()
	return l, nil
}

// close ends the loop; it must have no sessions.
func (l *loop) close() {
	l.post(func() { l.stop = true })
	<-l.stopped
}

// post has f called by the loop's thread.
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

func (l *loop) run() {
	runtime.LockOSThread()
	defer close(l.stopped)
	defer syscall.Close(l.epoll)
	defer syscall.Close(l.event)
	defer l.hands.close()
	var events [128]syscall.EpollEvent
	for !l.stop {
		var n int
		if l.naps {
			n = nap(l.epoll, events[:])
		} else {
			n = poll(l.epoll, events[:])
		}
		if n == 0 {
			var err error
			n, err = syscall.EpollWait(l.epoll, events[:], -1)
			if err != nil && err != syscall.EINTR {
				panic(os.NewSyscallError("epoll_wait", err)) // a fault of this program
			}
		}
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
	if err := syscall.EpollCtl(l.epoll, op, g.fd, &syscall.EpollEvent{Events: interest, Fd: int32(g.fd)}); err != nil {
		panic(os.NewSyscallError("epoll_ctl", err)) // a fault of this program, or no memory
	}
}

// ready deals with an event.
func (l *loop) ready(g *leg, events uint32) {
	switch {
	case g.parked:
		l.unpark(g.s, nil)
		return
	case g.backend != nil:
		l.readReset(g.backend)
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
		l.readClient(g.s)
	} else {
		l.readServer(g.s)
	}
}

func (l *loop) readClient(s *session) {
	lp := s.lp
	have := copy(l.buf, lp.held)
	n, errno := readFD(lp.client.fd, l.buf[have:])
	switch {
	case errno == syscall.EAGAIN || errno == syscall.EINTR:
		return
	case n <= 0:
		l.clientEnded(s)
		return
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
				return
			}
			b = b[k:]
			continue
		}
		if next == stepRead && len(b) < len(l.buf)/2 && s.drop == 0 {
			lp.held = append([]byte(nil), b...)
			return
		}
		if next == stepLeave {
			if l.leave(s, true) {
				return
			}
			continue
		}
		l.release(s, b, nil)
		return
	}
}

// streamed is how much a read has to bring for another one to be tried at
// once: a server that sends a large result does so 8 KB at a time.
const streamed = 8 << 10

// maxReads bounds how often one session is read before others have their turn.
const maxReads = 8

func (l *loop) readServer(s *session) {
	for range maxReads {
		if !l.readServerOnce(s) {
			return
		}
	}
}

// readServerOnce reports whether more is likely to be there.
func (l *loop) readServerOnce(s *session) (more bool) {
	lp := s.lp
	n, errno := readFD(lp.server.fd, l.buf)
	switch {
	case errno == syscall.EAGAIN || errno == syscall.EINTR:
		return false
	case n <= 0:
		l.finish(s)
		return false
	}
	l.srv.metrics.fromServer.Add(float64(n))
	s.mu.Lock()
	out, err := s.track(l.buf[:n])
	s.mu.Unlock()
	if len(out) > 0 && !l.write(&lp.client, out) {
		return false
	}
	if err != nil {
		if ask.AsError(err) != nil {
			l.cut(s, err)
			return false
		}
		l.finish(s)
		return false
	}
	if l.srv.draining.Load() {
		l.drain(s)
	}
	return n >= streamed && s.lp == lp && lp.server.interest&syscall.EPOLLIN != 0
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
	n, errno := writeFD(g.fd, g.out)
	if errno != 0 && errno != syscall.EAGAIN && errno != syscall.EINTR {
		l.finish(g.s)
		return false
	}
	g.out = g.out[n:]
	if len(g.out) == 0 {
		g.out = nil
		l.balance(g.s)
	}
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
