package serverpool

import "time"

// MakeRoom closes a waiting connection after the server has said that it takes
// no more: one of the same role, as its limit may be the one that is reached,
// otherwise the one that waits longest. It reports whether there was one, and
// returns when the server has ended it.
func (p *Pool) MakeRoom(user string) bool {
	p.mu.Lock()
	var found *Conn
	for e := p.waiting.Front(); e != nil; e = e.Next() {
		if c := e.Value.(*Conn); found == nil || c.user == user {
			found = c
			if c.user == user {
				break
			}
		}
	}
	if found != nil {
		p.remove(found)
	}
	p.mu.Unlock()
	if found == nil {
		return false
	}
	p.metrics.countClosed(closedLimit)
	found.closeAndWait()
	return true
}

// Sweep closes the connections that have waited or lived too long, and those
// that the server has ended.
func (p *Pool) Sweep(now time.Time) {
	if p == nil {
		return
	}
	leaving := map[*Conn]Reason{}
	p.mu.Lock()
	for e := p.waiting.Front(); e != nil; {
		c := e.Value.(*Conn)
		e = e.Next()
		reason := Reason("")
		switch silent, err := nothingToRead(c.conn); {
		case err != nil || !silent:
			reason = closedServer
		case p.old(c, now):
			reason = closedLifetime
		case now.Sub(c.since) >= p.config.ReuseIdleTimeout.Duration():
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
// when the client leaves it.
func (p *Pool) Close(why Reason) {
	if p == nil {
		return
	}
	p.mu.Lock()
	if p.closed == "" {
		p.closed = why
	}
	for c := range p.resetting {
		c.conn.Close()
	}
	var list []*Conn
	for p.waiting.Len() > 0 {
		c := p.waiting.Front().Value.(*Conn)
		p.remove(c)
		list = append(list, c)
	}
	p.mu.Unlock()
	for _, c := range list {
		p.drop(c, why)
	}
	p.working.Wait()
}
