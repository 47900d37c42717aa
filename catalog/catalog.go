package catalog

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/singleflight"

	"askpg/catalog/guarded"
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

type owner struct{ database, role string }

// cached is the snapshot of one owner.
type cached struct {
	owner
	snap       *Snapshot
	meta       *metadata // from which it was made
	rights     *rights   // by which it was made
	valuesRead time.Time
	implied    map[joins.Pair]bool // pairs of columns that were looked at for implied keys, and whether the one refers to the other
	file       *semanticsFile      // that was applied
}

// errClosed is returned after Close.
var errClosed = errors.New("catalog: closed")

// New returns a Catalog that reads from src. Close ends it.
func New(cfg Config, src Source, log *slog.Logger, reg prometheus.Registerer) *Catalog {
	ctx, cancel := context.WithCancel(context.Background())
	c := &Catalog{
		cfg: cfg, src: src, log: log, m: newMetrics(reg), ctx: ctx, cancel: cancel,
		file: &semanticsFile{}, databases: map[string]*database{},
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

// Snapshot returns the database as the role may read it now, at most twice
// Config.Freshness behind the server. Callers that ask at the same time share
// one check and one load; a caller that gives up leaves them running for the
// others.
func (c *Catalog) Snapshot(ctx context.Context, database, role string) (*Snapshot, error) {
	o := owner{database, role}
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
		d.asked[o.role] = time.Now()
	}
	if k.meta == d.meta && time.Since(d.current()) < c.freshness(d) {
		return k.snap
	}
	return nil
}

func (c *Catalog) peek(o owner) (cached, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.cache.Peek(o)
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
	meta, err := c.metadata(ctx, c.database(o.database), o.role)
	if err != nil {
		return nil, err
	}
	old, ok := c.peek(o)
	if ok && old.meta == meta && old.file == c.semantics() && time.Since(old.valuesRead) < c.cfg.ValuesAge.Duration() {
		return old.snap, nil
	}
	if !ok {
		old = c.similar(o)
	}
	k, err := c.load(ctx, o, meta, old)
	if err != nil {
		return nil, err
	}
	c.keep(k)
	return k.snap, nil
}

// load makes a snapshot of the database's metadata.
//
// old is what was read before of the same database, by this role or by
// another; it may be the zero value.
func (c *Catalog) load(ctx context.Context, o owner, meta *metadata, old cached) (cached, error) {
	ctx, cancel := context.WithTimeout(ctx, c.cfg.LoadTimeout.Duration())
	defer cancel()
	began := time.Now()
	var k cached
	err := c.retry(ctx, func() error {
		k = cached{owner: o, meta: meta, valuesRead: time.Now(), implied: cloneVerdicts(old.implied), file: c.semantics()}
		return c.src.As(ctx, o.database, o.role, func(tx pgx.Tx) error {
			// Bounds and common values are compared as text.
			if _, err := tx.Exec(ctx, sqlStyle); err != nil {
				return fmt.Errorf("setting the date style: %w", err)
			}
			var err error
			if k.rights, err = readRights(ctx, tx); err != nil {
				return err
			}
			return c.assemble(ctx, tx, &k, old)
		})
	})
	c.m.load.Observe(time.Since(began).Seconds())
	if err != nil {
		return cached{}, fmt.Errorf("reading the catalog of database %q as role %q: %w", o.database, o.role, err)
	}
	c.log.Debug("catalog read", "database", o.database, "role", o.role, "version", k.snap.Version,
		"relations", len(k.snap.Relations), "values", k.snap.Values.Len(), "elapsed", time.Since(began))
	return k, nil
}

// assemble makes the snapshot k.snap of k.meta and k.rights. Where it is the
// same as old's, old's is kept. Else it takes over from old what has not
// changed, until old's statistics and values are too old.
func (c *Catalog) assemble(ctx context.Context, tx pgx.Tx, k *cached, old cached) error {
	current := old.snap != nil && time.Since(old.valuesRead) < c.cfg.ValuesAge.Duration() && old.file == k.file
	var reused *reuse
	if current {
		reused = newReuse(&old, k)
	}
	r := project(k.meta, k.rights)
	r.functions = slices.DeleteFunc(r.functions, func(f Function) bool { return c.admit == nil || !c.admit(&f) })
	s := build(r, &c.cfg, k.file.semantics, k.database, k.role, reused)
	k.snap = s
	if guard, ok := tx.(guarded.Guard); ok {
		var err error
		if s.Exposed, err = guard.Exposed(ctx); err != nil {
			return fmt.Errorf("reading who may create objects: %w", err)
		}
	}
	if current && old.snap.Version == s.Version && slices.Equal(old.snap.Exposed, s.Exposed) {
		k.valuesRead = old.valuesRead
		if k.snap = old.snap; old.snap.Role != k.role {
			k.snap = old.snap.forRole(k.role)
		}
		return nil
	}
	return c.complete(ctx, tx, k, old, current)
}

// manyRelations is from how many relations on only the changed ones are
// searched for implied keys.
const manyRelations = 2000

// complete adds to a new snapshot what is read of the database's statistics and
// rows. If old is current, it takes over what has not changed since.
func (c *Catalog) complete(ctx context.Context, tx pgx.Tx, k *cached, old cached, current bool) error {
	s := k.snap
	var unchanged map[*Relation]bool // relations of old
	var values *Values
	var index *search.Index
	if current {
		k.valuesRead = old.valuesRead
		unchanged, values, index = replaceUnchanged(s, old.snap), old.snap.Values, old.snap.searchIndex(nil)
	}
	s.index()
	if err := guarded.TrustAll(ctx, tx, s.Relations); err != nil {
		return fmt.Errorf("reading who owns what: %w", err)
	}
	if err := loadStats(ctx, tx, &c.cfg, s, unchanged); err != nil {
		return fmt.Errorf("reading pg_stats: %w", err)
	}
	if err := sampleProfiles(ctx, tx, &c.cfg, s, unchanged); err != nil {
		return fmt.Errorf("reading samples: %w", err)
	}
	if err := c.findKeys(ctx, tx, k, old, unchanged); err != nil {
		return err
	}
	s.graph = joins.NewGraph(s.Relations, s.ForeignKeys)
	s.Values = &Values{}
	if c.cfg.Values {
		var err error
		if s.Values, err = search.LoadValues(ctx, tx, c.cfg.valueLimits(), s.Relations, values, unchanged); err != nil {
			return fmt.Errorf("reading values: %w", err)
		}
	}
	fillCommon(s, &c.cfg, unchanged)
	s.searchIndex(index)
	return nil
}

// findKeys adds to a snapshot the keys that nobody declared, and weighs all.
func (c *Catalog) findKeys(ctx context.Context, tx pgx.Tx, k *cached, old cached, unchanged map[*Relation]bool) error {
	s := k.snap
	f := joins.Finder{Relations: s.Relations, Keys: s.ForeignKeys, Avoided: s.avoided, Lookup: s.Lookup, Limit: c.cfg.ImpliedTime.Duration()}
	var searched map[*Relation]bool // relations whose implied keys are known
	if len(s.Relations) > manyRelations && unchanged != nil {
		searched = unchanged
		f.TakeOver(old.snap.ForeignKeys, unchanged)
	}
	if c.cfg.MinedJoins && slices.Contains(s.Extensions, "pg_stat_statements") {
		if err := f.Mine(ctx, tx); err != nil {
			return fmt.Errorf("reading pg_stat_statements: %w", err)
		}
	}
	if c.cfg.ImpliedJoins {
		if err := f.FindImplied(ctx, tx, k.implied, searched, unchanged); err != nil {
			return fmt.Errorf("looking for implied joins: %w", err)
		}
	}
	s.ForeignKeys = f.Keys
	joins.Weigh(s.ForeignKeys)
	return nil
}

// similar returns what was last read of the owner's database for another role.
func (c *Catalog) similar(o owner) cached {
	c.mu.Lock()
	defer c.mu.Unlock()
	for other, k := range c.cache.All() {
		if other.database == o.database {
			return k
		}
	}
	return cached{}
}

// flight names what callers who ask at the same time share.
func (o owner) flight() string { return o.database + "\x00" + o.role }
