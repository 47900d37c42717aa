//go:build linux && !noeventloop

package eventloop

import (
	"errors"
	"net"
	"os"
	"syscall"
)

// Take duplicates a connection's descriptor, so that the connection can be closed without ending it.
func Take(conn net.Conn) (fd int, err error) {
	c, ok := conn.(syscall.Conn)
	if !ok {
		return -1, errors.ErrUnsupported
	}
	raw, err := c.SyscallConn()
	if err != nil {
		return -1, err
	}
	if cerr := raw.Control(func(from uintptr) {
		n, _, errno := syscall.RawSyscall(syscall.SYS_FCNTL, from, syscall.F_DUPFD_CLOEXEC, 0)
		if errno != 0 {
			err = os.NewSyscallError("fcntl", errno)
			return
		}
		fd = int(n)
	}); cerr != nil {
		return -1, cerr
	}
	return fd, err
}

// Give makes a connection of a descriptor, which is the connection's from then on, or closed after an error.
// net.FileConn sets keepalives of its own.
func Give(fd int) (net.Conn, error) {
	f := os.NewFile(uintptr(fd), "")
	defer f.Close()
	return net.FileConn(f)
}

// Close closes a descriptor that Take has returned.
func Close(fd int) { _ = syscall.Close(fd) }

// CloseWrite ends a connection's sending side.
func CloseWrite(fd int) { _ = syscall.Shutdown(fd, syscall.SHUT_WR) }
