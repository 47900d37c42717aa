package proxy

import (
	"time"

	"askpg/proxy/eventloop"
)

// ReleaseAfter sets when idle sessions with TLS are parked.
func (c *Config) ReleaseAfter(d time.Duration) {
	c.times.releaseAfter, c.times.sweepEvery = d, max(d/4, time.Millisecond)
}

// Keys returns how many cancel keys are known.
func (s *Server) Keys() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.keys)
}

// LastWait sets how long either peer has for its end once the other has ended.
func (c *Config) LastWait(d time.Duration) { c.times.lastWait, c.times.closeWait = d, d }

// SweepEvery sets how often sessions are looked at.
func (c *Config) SweepEvery(d time.Duration) { c.times.sweepEvery = d }

// Arriving returns how many connections of an address have not logged in.
func (s *Server) Arriving(address string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.arriving[address]
}

// Control replaces the event loop by one with another epoll_ctl. No session may be open.
func (s *Server) Control(control func(epoll, op, fd int, events uint32) error) error {
	l, err := newLoop(eventloop.Options{Control: control})
	if err != nil {
		return err
	}
	for _, old := range s.loops {
		old.Close()
	}
	s.loops = []*loop{l}
	return nil
}

// ForgetLasts drops the last questions of logins as if d had passed.
func (s *Server) ForgetLasts(d time.Duration) { s.lasts.expire(time.Now().Add(d)) }

// ReuseBuiltIn says whether server connections can be reused.
const ReuseBuiltIn = reuseBuiltIn
