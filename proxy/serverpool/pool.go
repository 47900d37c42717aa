// Package serverpool keeps server connections between two clients that log in alike (primary.reuse_connections): it
// resets them, lets them wait, and hands them out. It knows nothing of sessions. docs/wire.md says what a reused
// connection promises.
package serverpool

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"slices"
	"sync"
	"time"

	"askpg/wire/scram"
)

// Pool keeps server connections between two clients. They hold no goroutine:
// one is looked at when it is handed out, and by Sweep.
type Pool struct {
	limits  Limits
	metrics *Metrics
	log     *slog.Logger

	mu       sync.Mutex
	closed   string         // why it is closed; empty while it is open
	waiting  []*Conn        // the one that has waited longest first
	reserved map[*Conn]bool // connections that are to be reset; true if the reset has begun
	working  sync.WaitGroup // reserved connections, and what closes connections
}

// Limits say how long connections are kept, and how many.
type Limits struct {
	Lifetime     time.Duration // the age at which a connection is not kept any more
	IdleTimeout  time.Duration // how long a connection waits for its next client
	ResetTimeout time.Duration // bounds the reset, and the look at a connection before a client gets it
	Max          int           // connections that wait, at most
	MaxPerLogin  int           // those of them with one startup packet
}

// New makes a Pool.
func New(limits Limits, m *Metrics, log *slog.Logger) *Pool {
	return &Pool{limits: limits, metrics: m, log: log, reserved: map[*Conn]bool{}}
}

// Waiting returns what can be said to a client for whose startup packet a connection waits. version
// is the server's NegotiateProtocolVersion message, if it sent one. secret is what the connection's
// clients have been verified with. The secret is nil if no connection waits. login is the packet's
// wire.StartupKey.
func (p *Pool) Waiting(login string) (version []byte, secret *scram.Secret) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c := p.latest(login); c != nil {
		return c.version, c.secret
	}
	return nil, nil
}

// latest returns the connection of a startup packet that has waited least; nil if there is none. It is called with mu
// held.
func (p *Pool) latest(login string) *Conn {
	for _, c := range slices.Backward(p.waiting) {
		if c.login == login {
			return c
		}
	}
	return nil
}

// Take returns a connection for a client of this startup packet that was verified with this secret; nil if there is none
// on which the server answers. The connection is returned too, for who relays it.
func (p *Pool) Take(ctx context.Context, login string, secret *scram.Secret) (*Conn, net.Conn) {
	ctx, cancel := context.WithTimeout(ctx, p.limits.ResetTimeout)
	defer cancel()
	for {
		p.mu.Lock()
		c := p.latest(login)
		if c != nil {
			p.remove(c)
		}
		p.mu.Unlock()
		switch {
		case c == nil:
			return nil, nil
		case !c.secret.Equal(secret):
			p.drop(c, closedPassword)
		case p.old(c, time.Now()):
			p.drop(c, closedLifetime)
		case c.alive(ctx) != nil:
			p.drop(c, closedServer)
		default:
			p.metrics.logins.WithLabelValues("reused").Inc()
			return c, c.conn
		}
	}
}

func (p *Pool) old(c *Conn, now time.Time) bool { return now.Sub(c.opened) >= p.limits.Lifetime }

// Reserve takes a place for a connection whose client has left it clean. It reports whether there is one. Then Resume must
// follow, after Reset unless that can't be done, and nothing of the client's may be sent any more.
func (c *Conn) Reserve() bool {
	p := c.pool
	if c.unfit != nil {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	reason := ""
	switch {
	case p.closed != "":
		reason = p.closed
	case p.old(c, time.Now()):
		reason = closedLifetime
	case p.alike(c) >= p.limits.MaxPerLogin, len(p.reserved) >= p.limits.Max:
		reason = closedFull
	case len(p.waiting)+len(p.reserved) >= p.limits.Max:
		oldest := p.waiting[0]
		p.remove(oldest)
		p.working.Go(func() { p.drop(oldest, closedFull) })
	}
	if reason != "" {
		p.metrics.countClosed(reason)
		return false
	}
	p.reserved[c] = false
	p.working.Add(1)
	return true
}

// alike returns how many connections wait, or are to be reset, that were opened with c's startup packet. It is called with
// mu held.
func (p *Pool) alike(c *Conn) (n int) {
	for other := range p.reserved {
		if other.login == c.login {
			n++
		}
	}
	for _, other := range p.waiting {
		if other.login == c.login {
			n++
		}
	}
	return n
}

// Reset sends what resets a connection that has a place, within primary.reuse_reset_timeout. If that fails, or the pool
// is closed, reading the connection fails.
func (c *Conn) Reset(conn net.Conn) {
	p := c.pool
	c.conn = conn
	_ = conn.SetDeadline(time.Now().Add(p.limits.ResetTimeout))
	p.mu.Lock()
	open := p.closed == ""
	p.reserved[c] = true
	p.mu.Unlock()
	if open {
		if _, err := conn.Write(resetMessages()); err == nil {
			return
		}
	}
	conn.Close()
}

// Resume reads the answers to the reset, of which received has come, and lets the connection wait for its next client.
// err says that reading has failed, or that the connection could not be reset.
func (c *Conn) Resume(received []byte, err error) {
	p := c.pool
	defer p.working.Done()
	if err == nil {
		err = c.finishReset(received)
	}
	reason := ""
	p.mu.Lock()
	delete(p.reserved, c)
	switch {
	case p.closed != "":
		reason = p.closed
	case errors.Is(err, errTemporary):
		reason = closedTemporary
	case err != nil:
		reason = closedReset
	default:
		c.since = time.Now()
		p.wait(c)
	}
	p.mu.Unlock()
	if reason == "" {
		return
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		p.log.Warn("a server connection is not kept: its reset took longer than primary.reuse_reset_timeout", "user", c.user)
	} else if err != nil {
		p.log.Debug("a server connection is not kept", "user", c.user, "error", err)
	}
	p.drop(c, reason)
}

// wait lets a connection wait for a client. It is called with mu held.
func (p *Pool) wait(c *Conn) {
	p.waiting = append(p.waiting, c)
	p.metrics.waiting.Inc()
}

// remove takes a waiting connection out. It is called with mu held.
func (p *Pool) remove(c *Conn) {
	p.waiting = slices.DeleteFunc(p.waiting, func(other *Conn) bool { return other == c })
	p.metrics.waiting.Dec()
}

// drop closes a connection that no client has.
func (p *Pool) drop(c *Conn, why string) {
	p.metrics.countClosed(why)
	c.close()
}

// Refuse closes a connection that the client it was taken for can't have.
func (c *Conn) Refuse() { c.pool.drop(c, closedServer) }
