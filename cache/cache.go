// Package cache keeps translations in memory and lets identical questions that
// are asked at the same time share one translation. It is an ask.Translator
// around another one.
//
// A cached translation is found again only by the same role, of the same login where statements run
// as the login. The database, rights, schema, settings and history have to be the same, too. It
// carries no rows: those are read anew for every asker.
package cache

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/dgraph-io/ristretto/v2"
	"github.com/prometheus/client_golang/prometheus"

	"askpg/ask"
)

// Memory keeps answers beyond this process: a translation log that can be
// asked for the SQL that a question was answered with before.
type Memory interface {
	// Recall returns the last answer for a Translation.Key that still stands;
	// nil without an error if there is none.
	Recall(ctx context.Context, key string) (*ask.Translation, error)
	// Withdrawn tells whether a reviewer has rejected sql as the answer for key.
	Withdrawn(key, sql string) bool
}

// Cache is the decorator; New makes one.
type Cache struct {
	// Memory has answers that the cache does not hold itself; nil if nothing has. It is set before the first question.
	Memory Memory
	// Accepts says whether an answer that is held or recalled is still good enough for a question, as a reload may
	// want more of it than when it was made. Nil is yes. It is set before the first question.
	Accepts func(*ask.Question, *ask.Translation) bool

	inForce  atomic.Pointer[Config]
	version  func(ctx context.Context, q *ask.Question) (string, error)
	next     ask.Translator
	cached   *ristretto.Cache[string, *ask.Translation]
	flights  flights
	requests *prometheus.CounterVec // by what the cache did
}

// New returns a Cache before next. Close ends it. version returns what stands for the schema and the rights of a
// question's role: it changes whenever the answer could.
func New(cfg Config, version func(ctx context.Context, q *ask.Question) (string, error), next ask.Translator, reg prometheus.Registerer) (*Cache, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	kept, err := ristretto.NewCache(&ristretto.Config[string, *ask.Translation]{
		NumCounters: max(10*cfg.MaxBytes/(4<<10), 1000), // ten for each translation of the usual 4 KiB, as ristretto advises
		MaxCost:     cfg.MaxBytes,
		BufferItems: 64,
		Metrics:     true,
	})
	if err != nil {
		return nil, fmt.Errorf("cache: %w", err)
	}
	c := &Cache{version: version, next: next, cached: kept, flights: flights{byKey: map[string]*flight{}}}
	c.set(&cfg)
	c.register(reg)
	return c, nil
}

// Reload takes over settings and drops every cached translation.
func (c *Cache) Reload(cfg Config) error {
	if err := cfg.Validate(); err != nil {
		return err
	}
	c.set(&cfg)
	c.cached.UpdateMaxCost(cfg.MaxBytes)
	c.cached.Clear()
	return nil
}

func (c *Cache) set(cfg *Config) {
	c.inForce.Store(cfg)
	c.flights.mu.Lock()
	defer c.flights.mu.Unlock()
	c.flights.limit = cfg.MaxFlights
}

// Close drops every cached translation and stops the cache's goroutines.
func (c *Cache) Close() { c.cached.Close() }

// Translate returns the cached translation of q, joins one that is under way,
// or asks the next Translator. Errors are never cached.
func (c *Cache) Translate(ctx context.Context, q ask.Question) (*ask.Translation, error) {
	if !c.inForce.Load().Enabled || q.Action == ask.ActionRun {
		return c.next.Translate(ctx, q)
	}
	begin := time.Now()
	version, err := c.version(ctx, &q)
	if err != nil {
		// What cannot be told apart cannot be shared; the next one meets the
		// same trouble and words it for the asker.
		c.requests.WithLabelValues("bypass").Inc()
		return c.next.Translate(ctx, q)
	}
	key := digest(&q, version)
	if q.Fresh {
		c.requests.WithLabelValues("fresh").Inc()
		return c.translate(ctx, q, key)
	}
	if t, ok := c.lookUp(ctx, &q, key); ok && (c.Accepts == nil || c.Accepts(&q, t)) {
		c.requests.WithLabelValues("hit").Inc()
		return answer(t, &q, begin), nil
	}
	t, joined, pays, err := c.flights.do(ctx, key, func(ctx context.Context) (*ask.Translation, error) {
		return c.translate(ctx, q, key)
	})
	if !joined {
		c.requests.WithLabelValues("miss").Inc()
		return t, err
	}
	c.requests.WithLabelValues("joined").Inc()
	switch {
	case err != nil && pays:
		return nil, err
	case err != nil:
		return nil, withoutTranslation(err)
	}
	out := answer(t, &q, begin)
	if pays {
		out.Usage, out.Spending = t.Usage, t.Spending
	}
	return out, nil
}

// translate asks the next Translator and keeps what it says.
func (c *Cache) translate(ctx context.Context, q ask.Question, key string) (*ask.Translation, error) {
	cfg := c.inForce.Load()
	t, err := c.next.Translate(ctx, q)
	if err != nil {
		return nil, err
	}
	t.Key = key
	if c.inForce.Load() != cfg {
		return t, nil // it was made under the settings before a Reload
	}
	ttl := cfg.TTL.Duration()
	switch {
	case t.Fallback:
		if ttl = cfg.FallbackTTL.Duration(); ttl == 0 {
			return t, nil
		}
	case perishable(&q, t):
		if left := untilMidnight(&q, time.Now()); ttl == 0 || left < ttl {
			ttl = left
		}
	}
	c.add(key, t, ttl)
	return t, nil
}

// add stores a copy without rows. Wait makes it visible to the question that
// comes right after this one.
func (c *Cache) add(key string, t *ask.Translation, ttl time.Duration) {
	kept := *t
	kept.Key = key
	kept.Result = nil
	c.cached.SetWithTTL(key, &kept, int64(512+kept.Bytes()), ttl)
	c.cached.Wait()
}

func (c *Cache) lookUp(ctx context.Context, q *ask.Question, key string) (*ask.Translation, bool) {
	t, ok := c.cached.Get(key)
	if ok && t.Key != key { // a collision of ristretto's 64-bit hashes
		ok = false
	}
	if c.Memory == nil {
		return t, ok
	}
	if ok {
		if !c.Memory.Withdrawn(key, t.SQL) {
			return t, true
		}
		c.cached.Del(key)
		return nil, false
	}
	t, err := c.Memory.Recall(ctx, key)
	if err != nil || t == nil || perishable(q, t) || len(q.History) > 0 && t.Source == ask.SourceGrammar {
		return nil, false // of a follow-up the log has not the whole question, which the next one needs
	}
	c.add(key, t, c.inForce.Load().TTL.Duration())
	return t, true
}

// answer makes of a kept translation the answer to q: same SQL and candidates,
// but nothing that was spent or measured for another asker. Notices of that
// moment are left out, all but the one that a lesser engine answered.
func answer(kept *ask.Translation, q *ask.Question, begin time.Time) *ask.Translation {
	t := *kept
	t.ID = q.ID
	t.Source = ask.SourceCache
	t.Usage, t.Spending = ask.Usage{}, nil
	t.Result = nil
	t.Replica = ask.Replica{}
	if !kept.Fallback {
		t.Notices = nil
	}
	t.Elapsed = time.Since(begin)
	t.Stages = []ask.Stage{{Name: "cache", Elapsed: t.Elapsed}}
	return &t
}

// withoutTranslation returns err without the candidates and costs that belong
// to the question which was joined.
func withoutTranslation(err error) error {
	if e := ask.AsError(err); e != nil {
		return e
	}
	return err
}
