package proxy

import (
	"syscall"
	"time"
	"unsafe"
)

// A large result is read by the clock and not by events: a server that wakes
// the loop for each 8 KB that it sends spends on it what it could compute
// rows with, and two cores have no room for that. While the loop looks away
// the kernel gathers, so that fewer and larger pieces go to the client too.
//
// It is not for answers: a session comes to it by streamBegins bytes without a
// small piece among them, and leaves it with the end of the answer, with a
// pause of the server, and with a client that does not keep up. Nor is it for
// what comes faster than the loop reads: that is gathered anyway, and a server
// must not wait for room.
const (
	streamBegins = 1 << 20
	streamPause  = 200 * time.Microsecond
)

// SYS_EPOLL_PWAIT2 has this number on every architecture; Linux has it from
// 5.11 on.
const sysEpollPwait2 = 441

// pause waits for events, for less than a millisecond.
func pause(epoll int, events []syscall.EpollEvent, d time.Duration) int {
	n, _ := epollPause(epoll, events, d)
	return n
}

// mayPause reports whether the kernel can.
func mayPause(epoll int) bool {
	_, errno := epollPause(epoll, make([]syscall.EpollEvent, 1), 0)
	return errno == 0
}

func epollPause(epoll int, events []syscall.EpollEvent, d time.Duration) (int, syscall.Errno) {
	t := syscall.NsecToTimespec(int64(max(d, 0)))
	n, _, errno := syscall.RawSyscall6(sysEpollPwait2, uintptr(epoll), uintptr(unsafe.Pointer(&events[0])), uintptr(len(events)), uintptr(unsafe.Pointer(&t)), 0, 0)
	if errno != 0 {
		return 0, errno
	}
	return int(n), 0
}

// stream has the clock say when a session's server is read, if it streams.
func (l *loop) stream(s *session) {
	lp := s.lp
	if lp == nil || lp.came < streamBegins || lp.streams || !l.pauses || lp.server.interest != syscall.EPOLLIN {
		return
	}
	lp.streams, lp.silent = true, false
	l.watch(&lp.server, syscall.EPOLLERR) // always reported, and keeps the descriptor registered
	if len(l.streams) == 0 {
		l.next = time.Now().Add(streamPause)
	}
	l.streams = append(l.streams, lp)
}

// readStreams reads the servers that stream, if it is time.
func (l *loop) readStreams() {
	if time.Now().Before(l.next) {
		return
	}
	kept := l.streams[:0]
	for _, lp := range l.streams {
		s := lp.server.s
		if l.legs[lp.server.fd] != &lp.server || !lp.streams {
			continue
		}
		before := lp.came
		l.readServer(s)
		if s.lp != lp || !lp.streams {
			continue
		}
		s.mu.Lock()
		answered := s.order.Answered()
		s.mu.Unlock()
		silent := lp.came == before
		if answered || lp.came == 0 || silent && lp.silent {
			lp.came = 0
			l.balance(s) // an event tells of what is left
			continue
		}
		lp.silent = silent
		kept = append(kept, lp)
	}
	clear(l.streams[len(kept):])
	l.streams = kept
	l.next = time.Now().Add(streamPause)
}
