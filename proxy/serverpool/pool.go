// Package serverpool keeps server connections between two clients that log in alike (primary.reuse_connections): it
// resets them, lets them wait, and hands them out. It knows nothing of sessions. docs/wire.md says what a reused
// connection promises.
package serverpool

import (
	"container/list"
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
// one is looked at when it is handed out, and by Sweep. A nil Pool keeps none.
type Pool struct {
	config  Config
	metrics *Metrics
	log     *slog.Logger

	mu        sync.Mutex
	closed    Reason // empty while it is open
	byLogin   map[string]*loginList
	waiting   list.List          // of *Conn, the one that waits longest first
	places    int                // taken by connections that are to be reset
	resetting map[*Conn]struct{} // those of them whose reset has begun
	working   sync.WaitGroup     // places, and what closes connections
}

// loginList holds the connections that were opened with one startup packet.
type loginList struct {
	list  []*Conn // the one that came last is the first to go out
	taken int     // places of connections that are reset
}

// New makes a Pool.
func New(config Config, m *Metrics, log *slog.Logger) *Pool {
	return &Pool{config: config, metrics: m, log: log, byLogin: map[string]*loginList{}, resetting: map[*Conn]struct{}{}}
}

// Waiting is what can be said to a client for whose startup packet a connection waits.
type Waiting struct {
	Version []byte        // the server's NegotiateProtocolVersion message; nil if it sent none
	Secret  *scram.Secret // what its clients have been verified with
}

// Waiting returns nil if no connection waits for a client of this startup packet. login is its wire.StartupKey.
func (p *Pool) Waiting(login string) *Waiting {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.byLogin[login]
	if s == nil || len(s.list) == 0 {
		return nil
	}
	c := s.list[len(s.list)-1]
	return &Waiting{Version: c.version, Secret: c.secret}
}

// Take returns a connection for a client of this startup packet that was verified with this secret; nil if there is none
// on which the server answers. The connection is returned too, for who relays it.
func (p *Pool) Take(ctx context.Context, login string, secret *scram.Secret) (*Conn, net.Conn) {
	ctx, cancel := context.WithTimeout(ctx, p.config.ReuseResetTimeout.Duration())
	defer cancel()
	for {
		p.mu.Lock()
		s := p.byLogin[login]
		if s == nil || len(s.list) == 0 {
			p.mu.Unlock()
			return nil, nil
		}
		c := s.list[len(s.list)-1]
		p.remove(c)
		p.mu.Unlock()
		switch {
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

func (p *Pool) old(c *Conn, now time.Time) bool {
	return now.Sub(c.opened) >= p.config.ReuseLifetime.Duration()
}

// Reserve takes a place for a connection whose client has left it clean. It reports whether there is one; then Reset and
// Resume, or GiveUp, must follow, and nothing of the client's may be sent any more.
func (c *Conn) Reserve() bool {
	p := c.pool
	if c.unfit != nil {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	reason := Reason("")
	s := p.byLogin[c.login]
	switch {
	case p.closed != "":
		reason = p.closed
	case p.old(c, time.Now()):
		reason = closedLifetime
	case s != nil && len(s.list)+s.taken >= p.config.ReuseMaxPerLogin, p.places >= p.config.ReuseMax:
		reason = closedFull
	case p.waiting.Len()+p.places >= p.config.ReuseMax:
		oldest := p.waiting.Front().Value.(*Conn)
		p.remove(oldest)
		p.working.Go(func() { p.drop(oldest, closedFull) })
	}
	if reason != "" {
		p.metrics.countClosed(reason)
		return false
	}
	p.loginList(c.login).taken++
	p.places++
	p.working.Add(1)
	return true
}

// loginList returns the list of a startup packet. It is called with mu held.
func (p *Pool) loginList(login string) *loginList {
	s := p.byLogin[login]
	if s == nil {
		s = &loginList{}
		p.byLogin[login] = s
	}
	return s
}

// Reset sends what resets a connection that has a place, within primary.reuse_reset_timeout. If that fails, or the pool
// is closed, reading the connection fails.
func (c *Conn) Reset(conn net.Conn) {
	p := c.pool
	c.conn = conn
	_ = conn.SetDeadline(time.Now().Add(p.config.ReuseResetTimeout.Duration()))
	p.mu.Lock()
	open := p.closed == ""
	if open {
		p.resetting[c] = struct{}{}
	}
	p.mu.Unlock()
	if open {
		if _, err := conn.Write(resetMessages()); err == nil {
			return
		}
	}
	conn.Close()
}

// Resume reads the answers to the reset, of which received has come, or the error of reading, and lets the connection wait
// for its next client.
func (c *Conn) Resume(received []byte, err error) {
	p := c.pool
	if err == nil {
		err = c.finishReset(received)
	}
	reason := Reason("")
	p.mu.Lock()
	delete(p.resetting, c)
	switch {
	case p.closed != "":
		reason = p.closed
	case errors.Is(err, errTemporary):
		reason = closedTemporary
	case err != nil:
		reason = closedReset
	}
	p.leavePlace(c)
	if reason == "" {
		c.since = time.Now()
		p.wait(c)
	}
	p.mu.Unlock()
	defer p.working.Done()
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

// GiveUp gives the place of a connection back that can't be reset.
func (c *Conn) GiveUp() {
	p := c.pool
	p.mu.Lock()
	p.leavePlace(c)
	p.mu.Unlock()
	p.metrics.countClosed(closedServer)
	p.working.Done()
}

// leavePlace gives the place of a connection back. It is called with mu held.
func (p *Pool) leavePlace(c *Conn) {
	s := p.byLogin[c.login]
	s.taken--
	p.places--
	p.forgetEmpty(c.login, s)
}

// wait lets a connection wait for a client. It is called with mu held.
func (p *Pool) wait(c *Conn) {
	s := p.loginList(c.login)
	s.list = append(s.list, c)
	c.place = p.waiting.PushBack(c)
	p.metrics.waiting.Inc()
}

// remove takes a waiting connection out. It is called with mu held.
func (p *Pool) remove(c *Conn) {
	s := p.byLogin[c.login]
	s.list = slices.DeleteFunc(s.list, func(other *Conn) bool { return other == c })
	p.forgetEmpty(c.login, s)
	p.waiting.Remove(c.place)
	c.place = nil
	p.metrics.waiting.Dec()
}

// forgetEmpty forgets a list that is empty. It is called with mu held.
func (p *Pool) forgetEmpty(login string, s *loginList) {
	if len(s.list) == 0 && s.taken == 0 {
		delete(p.byLogin, login)
	}
}

// drop closes a connection that no client has.
func (p *Pool) drop(c *Conn, why Reason) {
	p.metrics.countClosed(why)
	c.close()
}

// Refuse closes a connection that the client it was taken for can't have.
func (c *Conn) Refuse() { c.pool.drop(c, closedServer) }
