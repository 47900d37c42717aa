package catalog

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/singleflight"

	"askpg/ask"
	"askpg/catalog/joins"
	"askpg/catalog/lru"
	"askpg/catalog/search"
)

// Source runs read-only transactions as a role: current_user is the role,
// search_path is pg_catalog.
//
// If the transaction is a guarded.Guard, it judges first what the catalog reads
// of relations, and says in which schemas names may be hidden by others.
type Source interface {
	As(ctx context.Context, database, role string, fn func(pgx.Tx) error) error
}

// Catalog keeps snapshots of databases as roles may read them and notices when
// they change.
type Catalog struct {
	cfg    Config
	src    Source
	log    *slog.Logger
	m      *metrics
	admit  func(*Function) bool
	flight singleflight.Group
	ctx    context.Context // ends with Close
	cancel context.CancelFunc
	loads  sync.WaitGroup

	embeddings *search.Embeddings // nil without an Embedder

	mu        sync.Mutex
	closed    bool
	file      *semanticsFile
	databases map[string]*database
	cache     *lru.Cache[owner, cached]
}

// owner is whose snapshot it is.
type owner struct {
	database, role string
	all            bool // for logins of the role's own: also what belongs to owners who are not trusted
}

// cached is the snapshot of one owner.
type cached struct {
	owner
	snap       *Snapshot
	meta       *metadata // from which it was made
	rights     *rights   // by which it was made
	valuesRead time.Time
	implied    joins.Verdicts // what values say of the keys that were looked for
	file       *semanticsFile // that was applied
}

// errClosed is returned after Close.
var errClosed = errors.New("catalog: closed")

// New returns a Catalog that reads from src. Close ends it.
func New(cfg Config, src Source, log *slog.Logger, reg prometheus.Registerer) *Catalog {
	ctx, cancel := context.WithCancel(context.Background())
	c := &Catalog{
		cfg: cfg, src: src, log: log, m: newMetrics(reg), ctx: ctx, cancel: cancel,
		file: &semanticsFile{semantics: &semantics{}}, databases: map[string]*database{},
	}
	c.cache = lru.New(cfg.MaxSnapshots, c.dropped)
	c.semantics()
	return c
}

// Admit sets which functions that users made a query may call, as far as its
// role has the right. Without it a query may call none. It has to be called
// before the first Snapshot.
func (c *Catalog) Admit(may func(*Function) bool) { c.admit = may }

// Close stops what is being read and waits for it.
func (c *Catalog) Close() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.cancel()
	c.loads.Wait()
}

// SnapshotFor returns what a question of the session may be about: all that the role may read where a login of the asker's own runs it,
// and elsewhere what Snapshot returns. Its error is an *ask.Error with 42501 if the session's role is another that has the name now.
func (c *Catalog) SnapshotFor(ctx context.Context, session *ask.Session) (*Snapshot, error) {
	s, err := c.snapshot(ctx, owner{session.Database, session.Role, session.Login != nil})
	if err != nil {
		return nil, err
	}
	return s, s.serves(session)
}

// Snapshot returns the database as the role may read it now by the service login, at most twice
// Config.Freshness behind the server. Relations of owners who are not trusted are left out, before
// anything is made of them: whoever may create tables and views changes nothing of what others' words and joins mean. Callers that ask
// at the same time share one check and one load; a caller that gives up leaves them running for the
// others.
func (c *Catalog) Snapshot(ctx context.Context, database, role string) (*Snapshot, error) {
	return c.snapshot(ctx, owner{database, role, false})
}

func (c *Catalog) snapshot(ctx context.Context, o owner) (*Snapshot, error) {
	if s := c.fresh(o); s != nil {
		return s, nil
	}
	result := c.flight.DoChan(o.flight(), func() (any, error) {
		if !c.begin() {
			return nil, errClosed
		}
		defer c.loads.Done()
		return c.refresh(c.ctx, o)
	})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case r := <-result:
		if r.Err != nil {
			return nil, r.Err
		}
		return r.Val.(*Snapshot), nil
	}
}

// begin reports whether a load may begin: Close waits for it then, and the
// caller has to call c.loads.Done.
func (c *Catalog) begin() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		c.loads.Add(1)
	}
	return !c.closed
}

// fresh returns the owner's snapshot if it needs no check.
func (c *Catalog) fresh(o owner) *Snapshot {
	c.mu.Lock()
	defer c.mu.Unlock()
	k, ok := c.cache.Get(o)
	d := c.databases[o.database]
	if !ok || d == nil {
		return nil
	}
	if d.watched {
		d.asked[o] = time.Now()
	}
	if k.meta == d.meta && k.file == c.file && time.Since(d.current()) < c.freshness(d) {
		return k.snap
	}
	return nil
}

// keep stores a snapshot.
func (c *Catalog) keep(k cached) {
	if c.embeddings != nil {
		c.embeddings.Want(k.snap.searchIndex(nil), k.database)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cache.Put(k.owner, k)
}

// dropped forgets what is known of a database when its last snapshot is
// dropped. The caller holds c.mu.
func (c *Catalog) dropped(o owner, _ cached) {
	for other := range c.cache.All() {
		if other.database == o.database {
			return
		}
	}
	if d := c.databases[o.database]; d != nil {
		d.meta, d.unchanged = nil, nil
		clear(d.asked)
	}
}

// refresh checks whether the owner's snapshot is current and makes a new one
// if it is not.
func (c *Catalog) refresh(ctx context.Context, o owner) (*Snapshot, error) {
	meta, err := c.metadata(ctx, c.database(o.database), o)
	if err != nil {
		return nil, err
	}
	old := c.earlier(o)
	if old.owner == o && old.meta == meta && old.file == c.semantics() && time.Since(old.valuesRead) < c.cfg.ValuesAge.Duration() {
		return old.snap, nil
	}
	k, err := c.load(ctx, o, meta, old)
	if err != nil {
		return nil, err
	}
	c.keep(k)
	return k.snap, nil
}

// earlier returns what was last read for the owner, else what was of his database for another role, of the same owners' relations.
func (c *Catalog) earlier(o owner) cached {
	c.mu.Lock()
	defer c.mu.Unlock()
	if k, ok := c.cache.Peek(o); ok {
		return k
	}
	for other, k := range c.cache.All() {
		if other.database == o.database && other.all == o.all {
			return k
		}
	}
	return cached{}
}

// flight names what callers who ask at the same time share.
func (o owner) flight() string { return fmt.Sprint(o.database, "\x00", o.role, "\x00", o.all) }
