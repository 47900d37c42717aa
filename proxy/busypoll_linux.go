package proxy

import (
	"syscall"
	"time"
)

// busyPoll asks for events over and over for a short time before the thread
// goes to sleep: at one client, waking it up takes longer than the relay does.
// It learns whether that pays, so that waiting for slow statements costs
// nothing.
type busyPoll struct {
	limit time.Duration // 0: never
	pause int           // how many waits go by without it
	next  int           // the pause after the next attempt in vain
}

// maxBusyPause bounds how long attempts that are in vain stay away.
const maxBusyPause = 256

func (p *busyPoll) poll(epoll int, events []syscall.EpollEvent) int {
	if p.limit == 0 {
		return 0
	}
	if p.pause > 0 {
		p.pause--
		return 0
	}
	for began := time.Now(); time.Since(began) < p.limit; {
		if n := poll(epoll, events); n > 0 {
			p.next = 0
			return n
		}
	}
	p.next = min(2*p.next+1, maxBusyPause)
	p.pause = p.next
	return 0
}
