//go:build linux && !noeventloop

package eventloop

import (
	"encoding/binary"
	"os"
	"sync"
	"syscall"
)

// Loop waits for connections by epoll.
//
// Events are edge-triggered: the kernel would otherwise look once more at each connection that was read, to see
// that nothing is left. What a read leaves, the loop remembers itself (unread).
type Loop struct {
	epoll   int
	event   int // an eventfd that ends the wait
	control func(epoll, op, fd int, events uint32) error
	conns   []*Conn // by file descriptor; of the loop's goroutine, as the next two are
	unread  []reminder
	stop    bool

	mu      sync.Mutex
	posted  []func()
	woken   bool // the eventfd has been written
	broken  bool // the loop's goroutine has ended: what Do is given runs without it
	stopped chan struct{}
}

// reminder is a connection that may have more to read although epoll does not say so.
type reminder struct {
	conn   *Conn
	events uint32
}

// New makes a Loop and starts its goroutine, which Close ends.
func New(o Options) (*Loop, error) {
	epoll, err := syscall.EpollCreate1(syscall.EPOLL_CLOEXEC)
	if err != nil {
		return nil, os.NewSyscallError("epoll_create1", err)
	}
	event, _, errno := syscall.RawSyscall(syscall.SYS_EVENTFD2, 0, syscall.O_CLOEXEC|syscall.O_NONBLOCK, 0)
	if errno != 0 {
		syscall.Close(epoll)
		return nil, os.NewSyscallError("eventfd", errno)
	}
	l := &Loop{epoll: epoll, event: int(event), control: o.Control, stopped: make(chan struct{})}
	if l.control == nil {
		l.control = epollControl
	}
	if err := epollControl(epoll, syscall.EPOLL_CTL_ADD, l.event, syscall.EPOLLIN); err != nil {
		syscall.Close(epoll)
		syscall.Close(l.event)
		return nil, os.NewSyscallError("epoll_ctl", err)
	}
	go l.run()
	return l, nil
}

func epollControl(epoll, op, fd int, events uint32) error {
	return syscall.EpollCtl(epoll, op, fd, &syscall.EpollEvent{Events: events, Fd: int32(fd)})
}

// Close ends the loop and returns when its goroutine has ended. The loop must have no connections.
func (l *Loop) Close() {
	l.Do(func() { l.stop = true })
	<-l.stopped
}

// Do has f called by the loop's goroutine, after what was given to Do before. It does not wait for that.
func (l *Loop) Do(f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.posted = append(l.posted, f)
	switch {
	case l.broken:
		go l.runPosted()
	case !l.woken:
		l.woken = true
		var one [8]byte
		binary.NativeEndian.PutUint64(one[:], 1)
		_, _ = syscall.Write(l.event, one[:]) // it does not block
	}
}

func (l *Loop) run() {
	defer func() {
		l.mu.Lock()
		l.broken = true
		syscall.Close(l.epoll)
		syscall.Close(l.event)
		l.mu.Unlock()
		l.runPosted()
		close(l.stopped)
	}()
	var events [128]syscall.EpollEvent
	for !l.stop {
		timeout := -1
		if len(l.unread) > 0 {
			timeout = 0
		}
		n, err := syscall.EpollWait(l.epoll, events[:], timeout)
		if err != nil && err != syscall.EINTR {
			l.fail(os.NewSyscallError("epoll_wait", err))
			return
		}
		left := len(l.unread) // what these events add waits for the next turn
		posted := false
		for i := range max(n, 0) {
			fd := int(events[i].Fd)
			if fd == l.event {
				posted = true
			} else if c := l.conns[fd]; c != nil {
				c.ready(events[i].Events)
			}
		}
		for _, r := range l.unread[:left] {
			if l.conns[r.conn.fd] == r.conn {
				r.conn.ready(r.events)
			}
		}
		clear(l.unread[:left])
		l.unread = l.unread[:copy(l.unread, l.unread[left:])]
		if posted {
			var b [8]byte
			_, _ = syscall.Read(l.event, b[:])
			l.runPosted()
		}
	}
}

func (l *Loop) runPosted() {
	l.mu.Lock()
	list := l.posted
	l.posted, l.woken = nil, false
	l.mu.Unlock()
	for _, f := range list {
		f()
	}
}

// fail ends all connections after an error of epoll itself.
func (l *Loop) fail(err error) {
	for _, c := range l.conns {
		if c != nil {
			c.handler.Failed(err)
		}
	}
}
