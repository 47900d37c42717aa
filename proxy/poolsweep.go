package proxy

import (
	"time"
)

// makeRoom closes a waiting connection after the server has said that it takes
// no more: one of the same role, as its limit may be the one that is reached,
// otherwise the one that waits longest. It reports whether there was one, and
// returns when the server has ended it.
func (p *pool) makeRoom(user string) bool {
	p.mu.Lock()
	var found *backend
	for e := p.waiting.Front(); e != nil; e = e.Next() {
		if b := e.Value.(*backend); found == nil || b.user == user {
			found = b
			if b.user == user {
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
	p.metrics.serverClosed.WithLabelValues(closedLimit).Inc()
	found.closeAndWait()
	return true
}

// sweep closes the connections that have waited or lived too long, and those
// that the server has ended.
func (p *pool) sweep(now time.Time) {
	type leaving struct {
		b      *backend
		reason string
	}
	var list []leaving
	p.mu.Lock()
	for e := p.waiting.Front(); e != nil; {
		b := e.Value.(*backend)
		e = e.Next()
		reason := ""
		switch silent, err := nothingToRead(b.conn); {
		case err != nil || !silent:
			reason = closedServer
		case p.old(b, now):
			reason = closedLifetime
		case now.Sub(b.since) >= b.set.Primary.ReuseIdleTimeout.Duration():
			reason = closedIdle
		}
		if reason != "" {
			p.remove(b)
			list = append(list, leaving{b, reason})
		}
	}
	p.mu.Unlock()
	for _, l := range list {
		if l.reason == closedServer && l.b.receivePending() == nil && p.putBack(l.b) {
			continue
		}
		p.drop(l.b, l.reason)
	}
}

// putBack lets a connection wait on that was looked at.
func (p *pool) putBack(b *backend) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || p.set != b.set {
		return false
	}
	s := p.byLogin[b.login]
	if s == nil {
		s = &loginList{}
		p.byLogin[b.login] = s
	}
	s.list = append(s.list, b)
	b.place = p.waiting.PushBack(b)
	p.metrics.serverKept.Set(float64(p.waiting.Len()))
	return true
}

// empty closes what waits, after a reload or for good; what is in use is not
// kept when its client ends. With stop, resets end at once and empty returns
// when they have.
func (p *pool) empty(set *settings, stop bool) {
	reason := closedReload
	p.mu.Lock()
	p.set = set
	if stop {
		p.closed, reason = true, closedShutdown
		for b := range p.resetting {
			b.conn.Close()
		}
	}
	var list []*backend
	for p.waiting.Len() > 0 {
		b := p.waiting.Front().Value.(*backend)
		p.remove(b)
		list = append(list, b)
	}
	p.mu.Unlock()
	for _, b := range list {
		p.drop(b, reason)
	}
	if stop {
		p.working.Wait()
	}
}
