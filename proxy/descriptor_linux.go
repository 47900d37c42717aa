package proxy

import (
	"math"
	"syscall"
)

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
