package proxy

import (
	"crypto/tls"
	"net"
	"syscall"
)

// descriptorOf returns the descriptor under a connection. It is valid until
// the connection is closed.
func descriptorOf(conn net.Conn) (int, bool) {
	if t, ok := conn.(*tls.Conn); ok {
		conn = t.NetConn()
	}
	if p, ok := conn.(*prefixConn); ok {
		conn = p.Conn
	}
	c, ok := conn.(syscall.Conn)
	if !ok {
		return 0, false
	}
	raw, err := c.SyscallConn()
	if err != nil {
		return 0, false
	}
	fd := -1
	if err := raw.Control(func(n uintptr) { fd = int(n) }); err != nil {
		return 0, false
	}
	return fd, fd >= 0
}
