package proxy

import (
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"time"
)

// descriptor is a plain server connection that waits for its next client: a
// descriptor and nothing else, which an event loop takes as it is. Reading and
// writing do not wait. To be used in any other way it has to be made a connection
// again.
type descriptor struct {
	mu sync.Mutex
	fd int // -1: closed, or taken
}

// take returns the descriptor and leaves nothing to close.
func (d *descriptor) take() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	fd := d.fd
	d.fd = -1
	return fd
}

// use calls f with the descriptor, which is not closed meanwhile.
func (d *descriptor) use(f func(fd int) (int, syscall.Errno)) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.fd < 0 {
		return 0, net.ErrClosed
	}
	n, errno := f(d.fd)
	switch {
	case errno == syscall.EAGAIN, errno == syscall.EINTR:
		return 0, os.ErrDeadlineExceeded
	case errno != 0:
		return 0, errno
	}
	return n, nil
}

func (d *descriptor) Read(b []byte) (int, error) {
	n, err := d.use(func(fd int) (int, syscall.Errno) { return readFD(fd, b) })
	if n == 0 && err == nil {
		err = io.EOF
	}
	return n, err
}

func (d *descriptor) Write(b []byte) (int, error) {
	n, err := d.use(func(fd int) (int, syscall.Errno) { return writeFD(fd, b) })
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	return n, err
}

// silent says whether there is nothing to read.
func (d *descriptor) silent() (is bool, err error) {
	_, err = d.use(func(fd int) (int, syscall.Errno) {
		is = silent(fd)
		return 0, 0
	})
	return is, err
}

func (d *descriptor) CloseWrite() error {
	_, err := d.use(func(fd int) (int, syscall.Errno) {
		_ = syscall.Shutdown(fd, syscall.SHUT_WR)
		return 0, 0
	})
	return err
}

func (d *descriptor) Close() error {
	if fd := d.take(); fd >= 0 {
		return syscall.Close(fd)
	}
	return net.ErrClosed
}

func (d *descriptor) LocalAddr() net.Addr              { return nil }
func (d *descriptor) RemoteAddr() net.Addr             { return nil }
func (d *descriptor) SetDeadline(time.Time) error      { return nil }
func (d *descriptor) SetReadDeadline(time.Time) error  { return nil }
func (d *descriptor) SetWriteDeadline(time.Time) error { return nil }

// connected returns conn, or the connection of its descriptor, with the
// options of the server's side.
func connected(conn net.Conn, options TCPConfig) (net.Conn, error) {
	d, ok := conn.(*descriptor)
	if !ok {
		return conn, nil
	}
	fd := d.take()
	if fd < 0 {
		return nil, net.ErrClosed
	}
	c, err := giveFD(fd)
	if err == nil {
		if err = options.apply(c); err != nil {
			c.Close()
		}
	}
	return c, err
}

// reset has the loop reset a server connection whose session has ended, and
// give it to the pool then.
func (l *loop) reset(b *backend, fd int, interest uint32) {
	b.leg = &leg{fd: fd, backend: b, interest: interest}
	l.legs[fd] = b.leg
	l.watch(b.leg, syscall.EPOLLIN)
	abort := func() {
		l.post(func() { l.resetEnds(b, os.ErrDeadlineExceeded) })
	}
	if !l.srv.pool.begin(b, abort) {
		l.resetEnds(b, ErrServerClosed)
		return
	}
	var messages []byte
	messages, b.answers = resetMessages()
	switch n, errno := writeFD(fd, messages); {
	case errno != 0:
		l.resetEnds(b, errno)
	case n < len(messages):
		l.resetEnds(b, io.ErrShortWrite)
	}
}

// readReset takes what the server answers.
func (l *loop) readReset(b *backend) outcome {
	n, errno, left := b.leg.read(l.buf)
	switch {
	case errno == syscall.EAGAIN || errno == syscall.EINTR:
		return left
	case n <= 0:
		l.resetEnds(b, errServerGone)
		return nothing
	}
	ready, err := b.hear(l.buf[:n])
	b.answers -= ready
	switch {
	case err != nil:
		l.resetEnds(b, err)
	case b.answers < 0:
		l.resetEnds(b, errDownstream)
	case b.answers == 0 && !b.down.Open():
		l.resetEnds(b, nil)
	}
	return left
}

// resetEnds gives the connection to the pool, which closes it after an error.
func (l *loop) resetEnds(b *backend, err error) {
	if b.leg == nil {
		return // it had ended already
	}
	l.watch(b.leg, 0)
	b.conn = &descriptor{fd: b.leg.fd}
	b.leg = nil
	l.srv.pool.finish(b, err)
}
