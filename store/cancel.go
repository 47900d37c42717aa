package store

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// A cancel request reaches whichever instance the load balancer picks, which
// may not be the one that answers the question. It tells the others by NOTIFY:
// not the session's key, which would let anybody who may LISTEN cancel the
// session, but the key's HMAC under a secret that only the instances read, with
// the time, so that a message seen by others is of no use to them later.

const (
	cancelSecret   = "cancel"
	cancelValidity = 30 * time.Second // for which a message counts; clocks may differ by as much
	cancelRetry    = time.Second
)

func (s *Store) cancelChannel() string { return "askpg_cancel_" + s.cfg.Schema }

// BroadcastCancel tells the other instances that share the log to cancel the
// session with this key (process id and secret, as in a CancelRequest). It does
// nothing for a SQLite store.
func (s *Store) BroadcastCancel(ctx context.Context, key []byte) error {
	if s.dialect != postgres {
		return nil
	}
	ctx, cancel := s.lookUp(ctx)
	defer cancel()
	secret, err := s.secret(ctx, cancelSecret)
	if err != nil {
		return fmt.Errorf("store %s: telling the other instances of a cancel request: %w", Redacted(s.cfg.URL), err)
	}
	message := binary.BigEndian.AppendUint64(nil, uint64(time.Now().UnixNano()))
	message = append(message, cancelDigest(secret, message, key)...)
	if _, err := s.db.ExecContext(ctx, `select pg_catalog.pg_notify($1, $2)`, s.cancelChannel(), hex.EncodeToString(message)); err != nil {
		return fmt.Errorf("store %s: telling the other instances of a cancel request: %w", Redacted(s.cfg.URL), err)
	}
	return nil
}

func cancelDigest(secret, moment, key []byte) []byte {
	h := hmac.New(sha256.New, secret)
	h.Write(moment)
	h.Write(key)
	return h.Sum(nil)
}

// secret returns what the instances share under a name; the first one makes it.
func (s *Store) secret(ctx context.Context, name string) ([]byte, error) {
	if err := s.ready(ctx); err != nil {
		return nil, err
	}
	s.secretsMu.Lock()
	defer s.secretsMu.Unlock()
	if v := s.secrets[name]; v != nil {
		return v, nil
	}
	fresh := make([]byte, 32)
	if _, err := rand.Read(fresh); err != nil {
		return nil, err
	}
	if _, err := s.db.ExecContext(ctx, s.bind(`insert into secrets (name, value) values (?, ?) on conflict (name) do nothing`), name, fresh); err != nil {
		return nil, err
	}
	var value []byte
	if err := s.db.QueryRowContext(ctx, s.bind(`select value from secrets where name = ?`), name).Scan(&value); err != nil {
		return nil, err
	}
	if s.secrets == nil {
		s.secrets = map[string][]byte{}
	}
	s.secrets[name] = value
	return value, nil
}

// OnCancel has f called for the cancel requests that other instances, and this
// one, have broadcast, until the store is closed; match says whether a session's
// key is the one that is meant. Call it once.
func (s *Store) OnCancel(f func(match func(key []byte) bool)) {
	if s.dialect != postgres {
		return
	}
	s.running.Go(func() {
		for down := false; s.lifetime.Err() == nil; {
			err := s.listenForCancels(s.lifetime, f)
			if s.lifetime.Err() != nil {
				return
			}
			if !down {
				s.log.Warn("cancel requests of other instances are not heard", "error", err)
			}
			down = true
			select {
			case <-time.After(cancelRetry):
			case <-s.lifetime.Done():
			}
		}
	})
}

func (s *Store) listenForCancels(ctx context.Context, f func(match func(key []byte) bool)) error {
	config, err := postgresConn(&s.cfg)
	if err != nil {
		return err
	}
	connecting, cancel := context.WithTimeout(ctx, s.cfg.WriteTimeout.Duration())
	defer cancel()
	secret, err := s.secret(connecting, cancelSecret)
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
	for {
		n, err := conn.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		message, err := hex.DecodeString(strings.TrimSpace(n.Payload))
		if err != nil || len(message) != 8+sha256.Size {
			continue // somebody else's
		}
		moment, digest := message[:8], message[8:]
		if age := time.Since(time.Unix(0, int64(binary.BigEndian.Uint64(moment)))); age > cancelValidity || age < -cancelValidity {
			continue
		}
		f(func(key []byte) bool { return hmac.Equal(digest, cancelDigest(secret, moment, key)) })
	}
}
