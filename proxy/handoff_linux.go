package proxy

import (
	"encoding/binary"
	"os"
	"sync"
	"syscall"
)

// handoff runs what an event loop leaves to goroutines. A go statement of the loop's
// thread would put the goroutine where only that thread looks at once: it waits for events
// without the scheduler's knowing, and another thread takes what a running one was to run
// next only after a sleep of its own. So the loop writes to an eventfd, which a thread
// of the scheduler that waits for the network is woken by.
type handoff struct {
	event int
	file  *os.File // the same descriptor

	mu   sync.Mutex
	list []func()
}

func newHandoff() (*handoff, error) {
	fd, _, errno := syscall.RawSyscall(syscall.SYS_EVENTFD2, 0, syscall.O_CLOEXEC|syscall.O_NONBLOCK, 0)
	if errno != 0 {
		return nil, os.NewSyscallError("eventfd", errno)
	}
	h := &handoff{event: int(fd), file: os.NewFile(fd, "eventfd")}
	go h.run()
	return h, nil
}

// do has f run by a goroutine of its own.
func (h *handoff) do(f func()) {
	h.mu.Lock()
	h.list = append(h.list, f)
	first := len(h.list) == 1
	h.mu.Unlock()
	if first {
		signalEvent(h.event)
	}
}

// signalEvent adds one to an eventfd; it does not block.
func signalEvent(fd int) {
	one := [8]byte{}
	binary.NativeEndian.PutUint64(one[:], 1)
	_, _ = syscall.Write(fd, one[:])
}

func (h *handoff) run() {
	var b [8]byte
	for {
		_, err := h.file.Read(b[:])
		h.mu.Lock()
		list := h.list
		h.list = nil
		h.mu.Unlock()
		for _, f := range list {
			go f()
		}
		if err != nil {
			return // closed
		}
	}
}

// close ends the goroutine that waits, after it has run what is left.
func (h *handoff) close() { h.file.Close() }
