package proxy

import (
	"io"
	"net"
	"os"
	"sync"
	"syscall"
)

// bufferSize is how much one read takes. PostgreSQL sends 8 KB at a time;
// twice as much lets one write carry two of them.
const bufferSize = 16 << 10

var buffers = sync.Pool{New: func() any {
	b := make([]byte, bufferSize)
	return &b
}}

func getBuffer() *[]byte { return buffers.Get().(*[]byte) }

func putBuffer(b *[]byte) {
	if b != nil && len(*b) == bufferSize {
		buffers.Put(b)
	}
}

// idleReader reads a connection and holds no buffer, or with TLS a small one,
// while nothing comes.
type idleReader struct {
	conn  net.Conn
	raw   syscall.RawConn
	small []byte
	full  bool // the last read filled the small buffer: more is likely

	// Of the attempt that runs.
	try func(fd uintptr) bool
	b   *[]byte
	n   int
	err error
}

// smallBuffer is what waits for the bytes of a TLS connection.
const smallBuffer = 512

func newIdleReader(conn net.Conn) *idleReader {
	r := &idleReader{conn: conn}
	if c, ok := conn.(syscall.Conn); ok {
		if raw, err := c.SyscallConn(); err == nil {
			r.raw, r.try = raw, r.attempt
			return r
		}
	}
	r.small = make([]byte, smallBuffer)
	return r
}

// read returns a buffer with n bytes in it; the caller puts it back. It is nil
// if there are none.
func (r *idleReader) read() (b *[]byte, n int, err error) {
	if r.raw == nil {
		return r.readTLS()
	}
	r.b, r.n, r.err = nil, 0, nil
	err = r.raw.Read(r.try)
	b, n = r.b, r.n
	r.b = nil
	switch {
	case err != nil:
	case r.err != nil:
		err = os.NewSyscallError("read", r.err)
	case n == 0:
		err = io.EOF
	}
	if n == 0 {
		putBuffer(b)
		b = nil
	}
	return b, n, err
}

func (r *idleReader) attempt(fd uintptr) bool {
	b := getBuffer()
	n, err := syscall.Read(int(fd), *b)
	for err == syscall.EINTR {
		n, err = syscall.Read(int(fd), *b)
	}
	if err == syscall.EAGAIN {
		putBuffer(b)
		return false
	}
	r.b, r.n, r.err = b, max(n, 0), err
	return true
}

func (r *idleReader) readTLS() (b *[]byte, n int, err error) {
	if r.full {
		b = getBuffer()
		n, err = r.conn.Read(*b)
		r.full = n == len(*b)
	} else {
		n, err = r.conn.Read(r.small)
		r.full = n == len(r.small)
		if n > 0 {
			b = getBuffer()
			copy(*b, r.small[:n])
		}
	}
	if n == 0 {
		putBuffer(b)
		b = nil
	}
	return b, n, err
}
