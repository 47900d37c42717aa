package store

import (
	"context"
	"crypto/hmac"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// OnCancel has f called for the cancel requests that other instances hand over,
// until the store is closed. If the store was there when it was opened, they
// are received when OnCancel returns, or it has failed once and goes on trying. Call
// it once.
func (s *Store) OnCancel(f CancelFunc) {
	if s.dialect != postgres {
		return
	}
	tried := make(chan struct{})
	hasTried := sync.OnceFunc(func() { close(tried) })
	s.running.Go(func() {
		for down := false; s.lifetime.Err() == nil; {
			err := s.listenForCancels(s.lifetime, f, func() {
				down = false
				hasTried()
			})
			hasTried()
			if s.lifetime.Err() != nil {
				return
			}
			if !down {
				s.log.Warn("cancel requests of other instances are not received", "error", err)
			}
			down = true
			select {
			case <-time.After(cancelRetry):
			case <-s.lifetime.Done():
			}
		}
	})
	if s.migrated.Load() {
		<-tried
	}
}

// listenForCancels receives the messages of the other instances until its connection
// breaks; it calls ready when it begins to.
func (s *Store) listenForCancels(ctx context.Context, f CancelFunc, ready func()) error {
	config, err := postgresConn(s.config())
	if err != nil {
		return err
	}
	connecting, cancel := context.WithTimeout(ctx, s.config().WriteTimeout.Duration())
	defer cancel()
	secret, err := s.cancelSecret(connecting)
	if err != nil {
		return err
	}
	conn, err := pgx.ConnectConfig(connecting, config)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(connecting))
	if _, err := conn.Exec(connecting, `listen `+quoteIdent(s.cancelChannel())); err != nil {
		return err
	}
	s.cancels.listening.Store(true)
	defer s.cancels.listening.Store(false)
	ready()
	for {
		n, err := conn.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		if request, reply := readCancelMessage(n.Payload); request != nil {
			s.handleCancel(request, secret, f)
		} else if reply != nil {
			s.receiveReply(reply, secret)
		}
	}
}

// handleCancel acts on another instance's request if its session is here. What is
// decided at once is decided before the next notification is read.
func (s *Store) handleCancel(r *cancelRequest, secret []byte, f CancelFunc) {
	now := time.Now()
	if age := now.Sub(r.moment()); age > cancelValidity || age < -cancelValidity || !s.cancels.takes(r.nonce(), now) {
		return
	}
	rest, here := f(func(key []byte) bool { return r.means(secret, key) })
	if !here {
		return
	}
	s.cancels.seen[r.nonce()] = true
	s.cancels.acting.Add(1)
	s.running.Go(func() {
		defer s.cancels.acting.Add(-1)
		if rest != nil {
			done := make(chan struct{})
			go func() {
				defer close(done)
				rest()
			}()
			s.replyToCancel(r, secret, acceptedKind)
			<-done
		}
		s.replyToCancel(r, secret, doneKind)
	})
}

// takes says whether a request is new, and there is room to act on it.
func (c *cancels) takes(n cancelNonce, now time.Time) bool {
	if now.Sub(c.since) > 2*cancelValidity { // none counts for longer, whatever its sender's clock
		c.seen, c.seenBefore, c.since = map[cancelNonce]bool{}, c.seen, now
	}
	return !c.seen[n] && !c.seenBefore[n] && c.acting.Load() < maxCancels && len(c.seen) < maxSeenCancels
}

// replyToCancel tells the instance that made a request what has become of it. If that
// fails, the request reaches the server from there as well.
func (s *Store) replyToCancel(r *cancelRequest, secret []byte, kind byte) {
	ctx, cancel := context.WithTimeout(s.lifetime, s.config().WriteTimeout.Duration())
	defer cancel()
	if err := s.notifyCancel(ctx, r.reply(secret, kind)); err != nil && s.lifetime.Err() == nil {
		s.log.Warn("the reply to the cancel request of another instance is not sent", "error", err)
	}
}

// receiveReply passes an instance's reply on to who waits for it.
func (s *Store) receiveReply(reply, secret []byte) {
	c := &s.cancels
	c.mu.Lock()
	defer c.mu.Unlock()
	w := c.waiting[cancelNonce(reply[1:replyMACAt])]
	if w == nil || !hmac.Equal(reply, w.request.reply(secret, reply[0])) {
		return
	}
	select {
	case w.replies <- reply[0]:
	default: // repeated
	}
}
