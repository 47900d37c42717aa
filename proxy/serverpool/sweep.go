package serverpool

import (
	"slices"
	"time"
)

// MakeRoom closes a waiting connection after the server has said that it takes
// no more. It closes one of the same role, as its limit may be the one that is
// reached, or else the one that waits longest. It reports whether there was
// one, and returns when the server has ended it.
func (p *Pool) MakeRoom(user string) bool {
	p.mu.Lock()
	if len(p.waiting) == 0 {
		p.mu.Unlock()
		return false
	}
	c := p.waiting[max(0, slices.IndexFunc(p.waiting, func(c *Conn) bool { return c.user == user }))]
	p.remove(c)
	p.mu.Unlock()
	p.metrics.countClosed(closedLimit)
	c.closeAndWait()
	return true
}

// Sweep closes the connections that have waited or lived too long, and those
// that the server has ended.
func (p *Pool) Sweep(now time.Time) {
	leaving := map[*Conn]string{}
	p.mu.Lock()
	for _, c := range slices.Clone(p.waiting) {
		reason := ""
		switch silent, err := nothingToRead(c.conn); {
		case err != nil || !silent:
			reason = closedServer
		case p.old(c, now):
			reason = closedLifetime
		case now.Sub(c.since) >= p.limits.IdleTimeout:
			reason = closedIdle
		}
		if reason != "" {
			p.remove(c)
			leaving[c] = reason
		}
	}
	p.mu.Unlock()
	for c, reason := range leaving {
		if reason != closedServer || c.receivePending() != nil || !p.waitOn(c) {
			p.drop(c, reason)
		}
	}
}

// waitOn lets a connection that was looked at wait again, since when it did before. It reports whether the pool is open.
func (p *Pool) waitOn(c *Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed != "" {
		return false
	}
	p.wait(c)
	return true
}

// Close closes what waits, ends the resets, and returns when they have ended. A connection that a client has is not kept
// when the client leaves it. why is the reason, as a metric names it.
func (p *Pool) Close(why string) {
	p.mu.Lock()
	if p.closed == "" {
		p.closed = why
	}
	for c, begun := range p.reserved {
		if begun {
			c.conn.Close()
		}
	}
	waiting := p.waiting
	p.waiting = nil
	p.metrics.waiting.Sub(float64(len(waiting)))
	p.mu.Unlock()
	for _, c := range waiting {
		p.drop(c, why)
	}
	p.working.Wait()
}
