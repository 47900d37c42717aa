package store

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// A cancel request reaches whichever instance the load balancer picks, which
// may not be the one that has the session. It asks the others by NOTIFY. The one
// that has the session decides what the request does. It says at once that it
// has taken the request over, and again when it is done. If none does within
// store.cancel_wait, the session is none of theirs.

const (
	cancelValidity = 30 * time.Second // for which a request counts; clocks may differ by as much
	cancelRetry    = time.Second
	maxCancels     = 1024 // requests that wait for another instance, and that are acted on for others
	maxSeenCancels = 1 << 16
)

var (
	errNotListening = errors.New("replies of the other instances are not received: the connection for notifications is down")
	errManyCancels  = fmt.Errorf("%d cancel requests wait for other instances already", maxCancels)
)

// CancelFunc acts on a cancel request that came to another instance, if the
// session is here; here says so. match tells the session by its key (process id
// and secret, as in a CancelRequest). rest is what takes its time of it; nil if
// nothing does.
type CancelFunc func(match func(key []byte) bool) (rest func(), here bool)

// cancels is what this instance knows of cancel requests under way.
type cancels struct {
	// secret is what the instances share, once it is read.
	secret atomic.Pointer[[]byte]
	// listening says that notifications are received.
	listening atomic.Bool
	// acting is how many requests of others are being acted on.
	acting atomic.Int64

	mu sync.Mutex
	// waiting are the requests of this instance for which the others' reply is out.
	waiting map[cancelNonce]*waitingCancel

	// seen are the requests for sessions of this instance since a moment, and seenBefore those
	// of the time before it. Nobody who has received one may repeat it while it counts. The goroutine
	// that listens has them for itself.
	seen, seenBefore map[cancelNonce]bool
	since            time.Time
}

type waitingCancel struct {
	request cancelRequest
	replies chan byte // acceptedKind, doneKind: each once
}

func (s *Store) cancelChannel() string { return "askpg_cancel_" + s.config().Schema }

// CancelElsewhere sends a cancel request for a session to the instance that has it, of
// those that share the log. key is the session's (process id and secret, as in a
// CancelRequest). It returns true when that instance has acted on the request, or when
// it has taken it over and ctx ends. It returns false if no instance says within
// store.cancel_wait that the session is its own, with an error if none could be asked,
// or no reply received. A SQLite store has one instance: false.
func (s *Store) CancelElsewhere(ctx context.Context, key []byte) (accepted bool, err error) {
	if s.dialect != postgres || len(key) < minSessionKey {
		return false, nil
	}
	wait, cancel := context.WithTimeout(ctx, s.config().CancelWait.Duration())
	defer cancel()
	secret, err := s.cancelSecret(wait)
	if err != nil {
		return false, s.cancelError(err)
	}
	r := newCancelRequest(secret, key, time.Now())
	listening := s.cancels.listening.Load()
	w, err := s.awaitReply(r)
	if err != nil {
		return false, s.cancelError(err)
	}
	defer s.endCancel(r.nonce())
	if err := s.notifyCancel(wait, r[:]); err != nil {
		return false, s.cancelError(err)
	}
	if !listening {
		return false, s.cancelError(errNotListening)
	}
	select {
	case reply := <-w.replies:
		if reply == doneKind {
			return true, nil
		}
	case <-wait.Done():
		return false, nil
	}
	select {
	case <-w.replies:
	case <-ctx.Done():
	}
	return true, nil
}

func (s *Store) cancelError(err error) error {
	return fmt.Errorf("store %s: telling the other instances of a cancel request: %w", Redacted(s.config().URL), err)
}

// cancelSecret returns what the instances share; the first one makes it.
func (s *Store) cancelSecret(ctx context.Context) ([]byte, error) {
	if known := s.cancels.secret.Load(); known != nil {
		return *known, nil
	}
	if err := s.ready(ctx); err != nil {
		return nil, err
	}
	fresh := make([]byte, 32)
	_, _ = rand.Read(fresh) // never fails
	if _, err := s.db.ExecContext(ctx, `insert into secrets (name, value) values ('cancel', $1) on conflict (name) do nothing`, fresh); err != nil {
		return nil, err
	}
	var value []byte
	if err := s.db.QueryRowContext(ctx, `select value from secrets where name = 'cancel'`).Scan(&value); err != nil {
		return nil, err
	}
	s.cancels.secret.Store(&value)
	return value, nil
}

// awaitReply prepares for the reply to a request.
func (s *Store) awaitReply(r cancelRequest) (*waitingCancel, error) {
	c := &s.cancels
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.waiting) >= maxCancels {
		return nil, errManyCancels
	}
	if c.waiting == nil {
		c.waiting = map[cancelNonce]*waitingCancel{}
	}
	w := &waitingCancel{request: r, replies: make(chan byte, 2)}
	c.waiting[r.nonce()] = w
	return w, nil
}

func (s *Store) endCancel(n cancelNonce) {
	s.cancels.mu.Lock()
	defer s.cancels.mu.Unlock()
	delete(s.cancels.waiting, n)
}

// notifyCancel sends a message to all instances.
func (s *Store) notifyCancel(ctx context.Context, message []byte) error {
	_, err := s.db.ExecContext(ctx, `select pg_catalog.pg_notify($1, $2)`, s.cancelChannel(), hex.EncodeToString(message))
	return err
}
