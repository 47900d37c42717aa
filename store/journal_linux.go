package store

import (
	"os"
	"syscall"
)

// datasync makes what was written to blocks that f had already durable (fdatasync(2)).
func datasync(f *os.File) error {
	for {
		if err := syscall.Fdatasync(int(f.Fd())); err != syscall.EINTR {
			return os.NewSyscallError("fdatasync", err)
		}
	}
}

// reserve takes the room on the disk that f needs, or none (fallocate(2)).
func reserve(f *os.File, size int64) error {
	if size == 0 {
		return nil
	}
	err := syscall.Fallocate(int(f.Fd()), 0, 0, size)
	if err == syscall.EOPNOTSUPP {
		return nil // writing will tell
	}
	return os.NewSyscallError("fallocate", err)
}
