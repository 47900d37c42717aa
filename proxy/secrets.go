package proxy

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/singleflight"

	"askpg/ask"
	"askpg/wire/scram"
)

// secrets finds the SCRAM secrets of users: in a file, then by a query on the
// primary whose answers are kept for a short time.
type secrets struct {
	cfg   AuthConfig
	users map[string]*scram.Secret // of the file
	pool  *pgxpool.Pool            // nil: there is no query
	lead  singleflight.Group       // one query a user at a time

	mu     sync.Mutex
	cached map[string]cachedSecret
}

type cachedSecret struct {
	secret *scram.Secret // nil: the user has none
	until  time.Time
}

// maxCachedSecrets bounds what a client that tries names can make askpg keep.
const maxCachedSecrets = 10_000

// newSecrets reads the file and prepares the query, which connects when it is
// first needed.
func newSecrets(cfg AuthConfig) (*secrets, error) {
	s := &secrets{cfg: cfg, cached: map[string]cachedSecret{}}
	var err error
	if cfg.File != "" {
		if s.users, err = readUserlist(cfg.File); err != nil {
			return nil, err
		}
	}
	if cfg.QueryURL != "" {
		pc, err := cfg.poolConfig()
		if err != nil {
			return nil, err
		}
		if s.pool, err = pgxpool.NewWithConfig(context.Background(), pc); err != nil {
			return nil, ask.URLError("auth.query_url", err)
		}
	}
	return s, nil
}

// poolConfig is the service login's. Nothing of a client's startup packet gets
// into it, and its search_path holds the system catalog alone.
func (c *AuthConfig) poolConfig() (*pgxpool.Config, error) {
	if err := ask.CheckURL("auth.query_url", c.QueryURL); err != nil {
		return nil, err
	}
	pc, err := pgxpool.ParseConfig(c.QueryURL)
	if err != nil {
		return nil, ask.URLError("auth.query_url", err)
	}
	pc.MaxConns, pc.MinConns = int32(c.QueryConnections), 0
	pc.MaxConnIdleTime = time.Minute
	pc.ConnConfig.ConnectTimeout = c.QueryTimeout.Duration()
	pc.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeExec // a pooler may stand in between
	pc.ConnConfig.RuntimeParams["application_name"] = "askpg auth"
	pc.ConnConfig.RuntimeParams["search_path"] = "pg_catalog"
	return pc, nil
}

func (s *secrets) close() {
	if s != nil && s.pool != nil {
		s.pool.Close()
	}
}

// secret returns a user's secret, nil if there is none. A longer name means what PostgreSQL cuts it to, and a text
// that is not UTF-8 is no name that could be looked up. kept says that it may
// be out of date; fresh passes over what is kept.
func (s *secrets) secret(ctx context.Context, user string, fresh bool) (secret *scram.Secret, kept bool, err error) {
	if user = clipped(user); !utf8.ValidString(user) {
		return nil, false, nil
	}
	if secret := s.users[user]; secret != nil {
		return secret, false, nil
	}
	if s.pool == nil {
		return nil, false, nil
	}
	if !fresh {
		s.mu.Lock()
		c, ok := s.cached[user]
		s.mu.Unlock()
		if ok && time.Now().Before(c.until) {
			return c.secret, true, nil
		}
	}
	ctx, cancel := context.WithTimeout(ctx, s.cfg.QueryTimeout.Duration())
	defer cancel()
	found := s.lead.DoChan(user, func() (any, error) {
		// Others may wait for the same answer, so it does not end with the
		// first client.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.cfg.QueryTimeout.Duration())
		defer cancel()
		secret, err := s.query(ctx, user)
		if err == nil {
			s.keep(user, secret)
		}
		return secret, err
	})
	select {
	case r := <-found:
		secret, _ := r.Val.(*scram.Secret)
		return secret, false, r.Err
	case <-ctx.Done():
		return nil, false, fmt.Errorf("auth.query: %w", ctx.Err())
	}
}

// query asks the primary. A row without a SCRAM secret counts as none.
func (s *secrets) query(ctx context.Context, user string) (*scram.Secret, error) {
	var name string
	var text *string
	err := s.pool.QueryRow(ctx, s.cfg.Query, user).Scan(&name, &text)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("auth.query: %w", err)
	case name != user:
		return nil, fmt.Errorf("auth.query: it returned the user %q for %q", name, user)
	case text == nil:
		return nil, nil
	}
	secret, err := scram.ParseSecret(*text)
	if err != nil {
		return nil, nil //nolint:nilerr // an MD5 hash is no secret that could be used
	}
	return secret, nil
}

// forget has a user's secret asked for at the next login.
func (s *secrets) forget(user string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.cached, user)
}

func (s *secrets) keep(user string, secret *scram.Secret) {
	now := time.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.cached) >= maxCachedSecrets {
		for u, c := range s.cached {
			if now.After(c.until) {
				delete(s.cached, u)
			}
		}
		if len(s.cached) >= maxCachedSecrets {
			clear(s.cached)
		}
	}
	s.cached[user] = cachedSecret{secret, now.Add(s.cfg.Cache.Duration())}
}
