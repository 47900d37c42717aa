// Package replica runs SQL that a model wrote on a read-only standby under the asker's
// role. The guard judges it, and its plan is held against the limits. It runs in a
// read-only transaction with limits and caps, whose connection is cleaned or dropped
// afterwards.
package replica

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"askpg/ask"
	"askpg/replica/guard"
)

// Replica is the set of servers that questions run on. It is safe for
// concurrent use.
type Replica struct {
	cfg     Config
	log     *slog.Logger
	hosts   []*host
	guard   *guard.Guard
	clients *guard.Guard // of statements of clients' own around chosen SQL
	primary *guard.Guard // of SQL that is to run on the primary
	limits  *limits
	memory  *memory
	metrics *metrics
	users   *users
	noTemp  sync.Once // for the warning that nothing limits temporary files
	byName  bool      // tests: judge by name alone, whatever the server can tell
}

// New returns a Replica. It does not connect; a server that cannot be used is
// an error of the question that needs it, and of Audit.
func New(cfg Config, log *slog.Logger, reg prometheus.Registerer) (*Replica, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	g, err := guard.New(guard.Policy{
		Extensions: cfg.AllowExtensions, Schemas: cfg.AllowSchemas, Functions: cfg.AllowFunctions, Relations: cfg.AllowRelations,
		MaxBytes: cfg.MaxStatementBytes,
	})
	if err != nil {
		return nil, err
	}
	r := &Replica{cfg: cfg, log: log, guard: g, memory: newMemory(&cfg, reg), metrics: newMetrics(reg)}
	r.clients, r.primary = g.WithParameters(), g.Anywhere()
	r.limits = newLimits(&r.cfg)
	if r.hosts, err = hosts(&r.cfg, g, r.memory); err != nil {
		return nil, err
	}
	for _, h := range r.hosts {
		r.metrics.failovers.WithLabelValues(h.name)
	}
	r.users = newUsers(&r.cfg, r.metrics)
	return r, nil
}

// Close closes all connections; it waits for those in use.
func (r *Replica) Close() {
	r.users.close()
	for _, h := range r.hosts {
		h.close()
	}
}

// order returns the servers in their order, but those that lately could not be used last.
func (r *Replica) order() []*host {
	now := time.Now()
	var order, later []*host
	for _, h := range r.hosts {
		if h.usable(now) {
			order = append(order, h)
		} else {
			later = append(later, h)
		}
	}
	return append(order, later...)
}

// choose calls open with the servers in order until one can be used.
func (r *Replica) choose(ctx context.Context, open func(*host) (*tx, error)) (*tx, error) {
	var first *ask.Error
	for _, h := range r.order() {
		t, err := open(h)
		if err == nil {
			h.mark(nil)
			return t, nil
		}
		if _, ok := errors.AsType[*unusableError](err); !ok {
			return nil, err // the question's fault, or the caller's context
		}
		h.mark(err)
		r.metrics.failovers.WithLabelValues(h.name).Inc()
		r.log.Warn("replica cannot be used", "replica", h.name, "err", err)
		if first == nil {
			first = ask.AsError(err)
		}
		if ctx.Err() != nil {
			break
		}
	}
	if first == nil { // every unusableError carries one
		return nil, ask.Errorf(ask.CodeConnectionFailure, "no replica can be used")
	}
	if len(r.hosts) > 1 {
		first.Detail = fmt.Sprintf("None of %d replicas can be used. The first: %s", len(r.hosts), first.Detail)
	}
	return nil, first
}

// unusableError says that a server cannot be used, whatever the question; the
// next one is tried.
type unusableError struct {
	err  error
	lost bool // a pooled connection turned out to be dead
}

func (e *unusableError) Error() string { return e.err.Error() }
func (e *unusableError) Unwrap() error { return e.err }
