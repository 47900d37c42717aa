package proxy

import (
	"container/list"
	"errors"
	"log/slog"
	"os"
	"sync"
	"time"

	"askpg/wire/scram"
)

// Why a server connection that could have served another client was closed, as a metric names it.
const (
	closedReset    = "reset"    // the reset failed, or took too long
	closedServer   = "server"   // the server has ended it
	closedIdle     = "idle"     // nobody came for it
	closedLifetime = "lifetime" // it is too old
	closedFull     = "full"     // there was no room, for it or for a newer one
	closedLimit    = "limit"    // the server had no room for another login
	closedPassword = "password" // the role has another password
	closedReload   = "reload"   // the configuration was read again
	closedShutdown = "shutdown"
)

// pool keeps server connections between two clients. They hold no goroutine:
// one is looked at when it is handed out, and every second by the sweeper.
type pool struct {
	metrics *metrics
	log     *slog.Logger

	mu        sync.Mutex
	closed    bool
	set       *settings             // those of the connections
	byLogin   map[string]*loginList // by wire.StartupKey
	waiting   list.List             // of *backend, the one that waits longest first
	places    int                   // taken by connections that are to be reset
	resetting map[*backend]struct{} // those of them whose reset has begun
	working   sync.WaitGroup
}

// loginList holds the connections that were opened with one startup packet.
type loginList struct {
	list  []*backend // the one that came last is the first to go out
	taken int        // places of connections that are reset
}

func newPool(set *settings, m *metrics, log *slog.Logger) *pool {
	return &pool{metrics: m, log: log, set: set, byLogin: map[string]*loginList{}, resetting: map[*backend]struct{}{}}
}

// waitingLogin is what can be said to a client of a startup packet for which a
// connection waits.
type waitingLogin struct {
	version []byte // NegotiateProtocolVersion, nil if the server sent none
	secret  *scram.Secret
}

// waitingFor returns nil if no connection waits.
func (p *pool) waitingFor(set *settings, login string) *waitingLogin {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.byLogin[login]
	if p.set != set || s == nil || len(s.list) == 0 {
		return nil
	}
	b := s.list[len(s.list)-1]
	return &waitingLogin{version: b.version, secret: b.secret}
}

// take returns a connection for a client of this startup packet that was
// verified with this secret; nil if there is none.
func (p *pool) take(set *settings, login string, secret *scram.Secret) *backend {
	for {
		p.mu.Lock()
		s := p.byLogin[login]
		if p.set != set || s == nil || len(s.list) == 0 {
			p.mu.Unlock()
			return nil
		}
		b := s.list[len(s.list)-1]
		p.remove(b)
		p.mu.Unlock()
		switch {
		case !b.secret.Equal(secret):
			p.drop(b, closedPassword)
		case p.old(b, time.Now()):
			p.drop(b, closedLifetime)
		case b.receivePending() != nil:
			p.drop(b, closedServer)
		default:
			p.metrics.serverLogins.WithLabelValues("reused").Inc()
			return b
		}
	}
}

func (p *pool) old(b *backend, now time.Time) bool {
	return now.Sub(b.opened) >= b.set.Primary.ReuseLifetime.Duration()
}

// reserve takes a place for a connection that is to be reset; keep gives it
// back.
func (p *pool) reserve(b *backend) bool {
	p.mu.Lock()
	var oldest *backend
	defer func() {
		p.mu.Unlock()
		if oldest != nil {
			p.working.Add(1)
			go func() {
				defer p.working.Done()
				p.drop(oldest, closedFull)
			}()
		}
	}()
	reason := ""
	s := p.byLogin[b.login]
	switch c := &b.set.Primary; {
	case p.closed:
		reason = closedShutdown
	case p.set != b.set:
		reason = closedReload
	case p.old(b, time.Now()):
		reason = closedLifetime
	case s != nil && len(s.list)+s.taken >= c.ReuseMaxPerLogin, p.places >= c.ReuseMax:
		reason = closedFull
	case p.waiting.Len()+p.places >= c.ReuseMax:
		oldest = p.waiting.Front().Value.(*backend)
		p.remove(oldest)
	}
	if reason != "" {
		p.metrics.serverClosed.WithLabelValues(reason).Inc()
		return false
	}
	if s = p.byLogin[b.login]; s == nil {
		s = &loginList{}
		p.byLogin[b.login] = s
	}
	s.taken++
	p.places++
	p.working.Add(1)
	return true
}

// begin sends what resets a connection that has a place, within primary.reuse_reset_timeout. If that fails, or the pool
// is closed, reading the connection fails.
func (p *pool) begin(b *backend) {
	_ = b.conn.SetDeadline(time.Now().Add(b.set.Primary.ReuseResetTimeout.Duration()))
	p.mu.Lock()
	closed := p.closed
	if !closed {
		p.resetting[b] = struct{}{}
	}
	p.mu.Unlock()
	if closed || b.beginReset() != nil {
		b.conn.Close()
	}
}

// resume reads the answers to the reset, of which received has come, or the error of reading, and lets the connection wait
// for its next client.
func (p *pool) resume(b *backend, received []byte, err error) { p.finish(b, b.endReset(received, err)) }

// finish is called after a reset, with its error, and lets the connection wait
// for its next client.
func (p *pool) finish(b *backend, err error) {
	defer p.working.Done()
	p.mu.Lock()
	delete(p.resetting, b)
	s := p.byLogin[b.login]
	s.taken--
	p.places--
	reason := ""
	switch {
	case p.closed:
		reason = closedShutdown
	case err != nil:
		reason = closedReset
	case p.set != b.set:
		reason = closedReload
	}
	if reason == "" {
		b.since = time.Now()
		s.list = append(s.list, b)
		b.place = p.waiting.PushBack(b)
		p.metrics.serverKept.Set(float64(p.waiting.Len()))
	} else {
		p.forgetEmpty(b.login, s)
	}
	p.mu.Unlock()
	if reason == closedReset && !errors.Is(err, os.ErrDeadlineExceeded) {
		p.log.Debug("a server connection is not kept", "user", b.user, "error", err)
	} else if reason == closedReset {
		p.log.Warn("a server connection is not kept: its reset took longer than primary.reuse_reset_timeout", "user", b.user)
	}
	if reason != "" {
		p.drop(b, reason)
	}
}

// giveUp is called in place of keep if the server has ended the connection
// meanwhile.
func (p *pool) giveUp(b *backend) {
	p.mu.Lock()
	s := p.byLogin[b.login]
	s.taken--
	p.places--
	p.forgetEmpty(b.login, s)
	p.mu.Unlock()
	p.metrics.serverClosed.WithLabelValues(closedServer).Inc()
	p.working.Done()
}

// remove takes a waiting connection out. It is called with mu held.
func (p *pool) remove(b *backend) {
	s := p.byLogin[b.login]
	for i := range s.list {
		if s.list[i] == b {
			s.list = append(s.list[:i], s.list[i+1:]...)
			break
		}
	}
	p.forgetEmpty(b.login, s)
	p.waiting.Remove(b.place)
	b.place = nil
	p.metrics.serverKept.Set(float64(p.waiting.Len()))
}

// forgetEmpty forgets a list that is empty. It is called with mu held.
func (p *pool) forgetEmpty(login string, s *loginList) {
	if len(s.list) == 0 && s.taken == 0 {
		delete(p.byLogin, login)
	}
}

// drop closes a connection that is in nobody's hands.
func (p *pool) drop(b *backend, reason string) {
	p.metrics.serverClosed.WithLabelValues(reason).Inc()
	b.close()
}
