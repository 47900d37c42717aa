package proxy

import (
	"runtime"
	"syscall"
	"unsafe"
)

// napTime bounds a nap, in milliseconds.
const napTime = 10

// nap waits for events without telling the Go scheduler, and at most napTime.
// Telling it costs a look for events before, so that what is ready does not
// pay for it, and after the wait often the way back to a processor that the
// scheduler gave away meanwhile: with small messages that is more than the
// relay's own work. A server's answer and a client's next statement mostly
// come within the nap.
//
// Goroutines keep the other processors meanwhile and take what this one was
// to run; a collection of garbage, or whoever else must stop every processor,
// ends the nap by its signal.
func nap(epoll int, events []syscall.EpollEvent) int { return epollWait(epoll, events, napTime) }

// mayNap reports whether the processors are enough for one to be held by each
// of so many loops.
func mayNap(loops int) bool { return loops < runtime.GOMAXPROCS(0) }

// poll returns the events that are ready.
func poll(epoll int, events []syscall.EpollEvent) int { return epollWait(epoll, events, 0) }

func epollWait(epoll int, events []syscall.EpollEvent, milliseconds uintptr) int {
	n, _, errno := syscall.RawSyscall6(syscall.SYS_EPOLL_PWAIT, uintptr(epoll), uintptr(unsafe.Pointer(&events[0])), uintptr(len(events)), milliseconds, 0, 0)
	if errno != 0 {
		return 0
	}
	return int(n)
}
