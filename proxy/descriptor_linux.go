package proxy

import (
	"errors"
	"math"
	"net"
	"os"
	"syscall"
	"unsafe"
)

func readFD(fd int, b []byte) (int, syscall.Errno) {
	n, _, errno := syscall.RawSyscall6(syscall.SYS_RECVFROM, uintptr(fd), uintptr(unsafe.Pointer(&b[0])), uintptr(len(b)), 0, 0, 0)
	if errno != 0 {
		return -1, errno
	}
	return int(n), 0
}

func writeFD(fd int, b []byte) (int, syscall.Errno) {
	n, _, errno := syscall.RawSyscall6(syscall.SYS_SENDTO, uintptr(fd), uintptr(unsafe.Pointer(&b[0])), uintptr(len(b)), syscall.MSG_NOSIGNAL, 0, 0)
	if errno != 0 {
		return 0, errno
	}
	return int(n), 0
}

// takeFD duplicates a connection's descriptor, so that the connection can be
// closed without ending it.
func takeFD(conn net.Conn) (int, error) {
	c, ok := conn.(syscall.Conn)
	if !ok {
		return -1, errors.ErrUnsupported
	}
	raw, err := c.SyscallConn()
	if err != nil {
		return -1, err
	}
	dup := -1
	if cerr := raw.Control(func(fd uintptr) {
		n, _, errno := syscall.RawSyscall(syscall.SYS_FCNTL, fd, syscall.F_DUPFD_CLOEXEC, 0)
		if errno != 0 {
			err = errno
			return
		}
		dup = int(n)
	}); cerr != nil {
		return -1, cerr
	}
	return dup, err
}

// giveFD makes a connection of a descriptor. The options are set once more: net.FileConn sets
// keepalives of its own.
func giveFD(fd int, options TCPConfig) (net.Conn, error) {
	f := os.NewFile(uintptr(fd), "")
	defer f.Close()
	conn, err := net.FileConn(f)
	if err != nil {
		return nil, err
	}
	if err := options.apply(conn); err != nil {
		conn.Close()
		return nil, err
	}
	return conn, nil
}

// descriptorLimit returns the limit of open files as it is now.
func descriptorLimit() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return math.MaxInt32
	}
	return int(min(limit.Cur, math.MaxInt32))
}

// freeDescriptors says whether n descriptors are free, by duplicating one so often. The
// kernel gives the lowest that is free, so where the first of the last n is free, the process
// is far from its limit.
func freeDescriptors(fd, n, limit int) bool {
	duplicate := func(from int) (int, bool) {
		d, _, errno := syscall.RawSyscall(syscall.SYS_FCNTL, uintptr(fd), syscall.F_DUPFD_CLOEXEC, uintptr(from))
		return int(d), errno == 0
	}
	if d, ok := duplicate(limit - n); ok {
		_ = syscall.Close(d)
		if d == limit-n {
			return true
		}
	}
	for range n {
		d, ok := duplicate(0)
		if !ok {
			return false
		}
		defer syscall.Close(d)
	}
	return true
}
