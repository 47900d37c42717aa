//go:build linux && !noeventloop

package eventloop

import (
	"fmt"
	"io"
	"os"
	"syscall"
	"unsafe"
)

// Conn is a connection that a Loop waits for. Its methods are called by the loop's goroutine alone.
type Conn struct {
	fd       int
	loop     *Loop
	handler  Handler
	interest uint32    // what epoll has been told to wait for
	reads    bool      // whether what comes is to be read; SetReads sets it
	left     remainder // what the last Read has left in the connection
	out      []byte    // what the connection has not taken yet
}

// remainder is what a read has left in the connection.
type remainder byte

const (
	nothing remainder = iota // nothing: nothing had come, or the connection has ended
	drained                  // nothing as yet: less had come than the buffer takes
	filled                   // maybe more: the buffer was filled, or a signal came
)

// edgeTriggered is EPOLLET, which package syscall has as a negative number.
const edgeTriggered = 1 << 31

// atEnd are the events after which a connection is read to its end: bytes and
// the end of the connection can come as one event.
const atEnd = syscall.EPOLLRDHUP | syscall.EPOLLHUP | syscall.EPOLLERR

// Add has the loop wait for a connection's bytes. It must be called by the loop's goroutine.
func (l *Loop) Add(fd int, h Handler) (*Conn, error) {
	for fd >= len(l.conns) {
		l.conns = append(l.conns, make([]*Conn, 64)...)
	}
	c := &Conn{fd: fd, loop: l, handler: h, reads: true}
	if err := c.update(); err != nil {
		return nil, err
	}
	l.conns[fd] = c
	return c, nil
}

// Remove has the loop forget the connection and returns its descriptor, and what was not written.
func (c *Conn) Remove() (fd int, unwritten []byte) {
	if c.loop.conns[c.fd] == c {
		c.loop.conns[c.fd] = nil
		// It fails only if epoll has been lost, and then nothing comes of it.
		_ = c.loop.control(c.loop.epoll, syscall.EPOLL_CTL_DEL, c.fd, 0)
	}
	return c.fd, c.out
}

// SetReads sets whether what comes is to be read from now on.
func (c *Conn) SetReads(reads bool) error {
	c.reads = reads
	return c.update()
}

// Unwritten says whether Write has kept something.
func (c *Conn) Unwritten() bool { return len(c.out) > 0 }

// update tells epoll what to wait for.
func (c *Conn) update() error {
	interest := uint32(0)
	if c.reads {
		interest = syscall.EPOLLIN | syscall.EPOLLRDHUP
	}
	if len(c.out) > 0 {
		interest |= syscall.EPOLLOUT
	}
	interest |= edgeTriggered // EPOLLERR and EPOLLHUP are always reported
	if interest == c.interest {
		return nil
	}
	op := syscall.EPOLL_CTL_MOD
	if c.interest == 0 {
		op = syscall.EPOLL_CTL_ADD
	}
	if err := c.loop.control(c.loop.epoll, op, c.fd, interest); err != nil {
		return fmt.Errorf("%w: %w", ErrWait, os.NewSyscallError("epoll_ctl", err))
	}
	c.interest = interest
	return nil
}

// ready deals with an event.
func (c *Conn) ready(events uint32) {
	if events&syscall.EPOLLOUT != 0 && len(c.out) > 0 && !c.flush() {
		return
	}
	switch {
	case c.reads && events&^uint32(syscall.EPOLLOUT) != 0:
		c.left = nothing
		c.handler.Readable()
		if c.left == filled || c.left == drained && events&atEnd != 0 {
			c.loop.unread = append(c.loop.unread, reminder{c, syscall.EPOLLIN | events&atEnd})
		}
	case !c.reads && events&(syscall.EPOLLERR|syscall.EPOLLHUP) != 0:
		c.handler.Failed(io.ErrClosedPipe) // the connection takes nothing more
	}
}

// Read reads what has come, without waiting. The error is ErrNothing if nothing has, and io.EOF at the connection's end.
func (c *Conn) Read(b []byte) (int, error) {
	n, _, errno := syscall.RawSyscall6(syscall.SYS_RECVFROM, uintptr(c.fd), uintptr(unsafe.Pointer(&b[0])), uintptr(len(b)), 0, 0, 0)
	switch {
	case errno == syscall.EINTR:
		c.left = filled
		return 0, ErrNothing
	case errno == syscall.EAGAIN:
		c.left = nothing
		return 0, ErrNothing
	case errno != 0:
		c.left = nothing
		return 0, os.NewSyscallError("read", errno)
	case n == 0:
		c.left = nothing
		return 0, io.EOF
	case int(n) == len(b):
		c.left = filled
	default:
		c.left = drained
	}
	return int(n), nil
}

// Write writes b, and keeps what the connection does not take now. Flushed follows when that is written.
func (c *Conn) Write(b []byte) error {
	for len(c.out) == 0 {
		n, errno := c.send(b)
		b = b[n:]
		switch {
		case len(b) == 0:
			return nil
		case errno == 0, errno == syscall.EINTR:
			continue
		case errno != syscall.EAGAIN:
			return os.NewSyscallError("write", errno)
		}
		break
	}
	c.out = append(c.out, b...)
	return c.update()
}

// flush writes what was kept. It reports whether the connection can still be used.
func (c *Conn) flush() bool {
	for len(c.out) > 0 {
		n, errno := c.send(c.out)
		switch {
		case errno == syscall.EAGAIN:
			return true
		case errno != 0 && errno != syscall.EINTR:
			c.handler.Failed(os.NewSyscallError("write", errno))
			return false
		}
		c.out = c.out[n:]
	}
	c.out = nil
	if err := c.update(); err != nil {
		c.handler.Failed(err)
		return false
	}
	c.handler.Flushed()
	return c.loop.conns[c.fd] == c
}

func (c *Conn) send(b []byte) (int, syscall.Errno) {
	n, _, errno := syscall.RawSyscall6(syscall.SYS_SENDTO, uintptr(c.fd), uintptr(unsafe.Pointer(&b[0])), uintptr(len(b)), syscall.MSG_NOSIGNAL, 0, 0)
	if errno != 0 {
		return 0, errno
	}
	return int(n), 0
}
