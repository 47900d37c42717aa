package replica

import (
	"context"
	"maps"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"
	"github.com/jackc/pgx/v5/pgxpool"

	"askpg/ask"
	"askpg/replica/guard"
)

// maxPools bounds the databases of one host that connections are kept for.
const maxPools = 64

// host is one replica server and its connections, a pool for each database.
type host struct {
	name   string // host:port
	config *pgx.ConnConfig
	cfg    *Config
	guard  *guard.Guard
	memory *memory

	// foreign is why the standby is none of the primary's, so that it gets no questions; nil if that was not found.
	foreign atomic.Pointer[ask.Error]

	// copied says that the server is another cluster and no standby (replica.allow_primary): its data, such as that of a
	// logical replica, came otherwise, and its OIDs are its own.
	copied atomic.Bool

	mu    sync.Mutex
	pools map[string]*pool
	bad   time.Time // passed over until then
}

// pool is the connections to one database: those that questions run on, and a
// few of the service login's own, which only read the catalog.
type pool struct {
	*pgxpool.Pool
	own     *pgxpool.Pool
	trusted []string // Config.TrustedOwners
	named   []string // Config.AllowFunctions
	guard   *guard.Guard
	used    time.Time
	lent    atomic.Int32 // to transactions of askers' own logins
	facts   factsCache
	judged  judged

	cleaning sync.WaitGroup     // transactions and backends that end while nobody waits
	closing  context.Context    // ends when backends are no longer waited for
	abandon  context.CancelFunc // ends closing
}

// service runs steps of askpg's own as the service login, each seeing the
// newest catalog.
func (p *pool) service(ctx context.Context, steps ...step) error {
	for again := false; ; again = true {
		c, err := p.own.Acquire(ctx)
		if err != nil {
			return err
		}
		err = run(ctx, c.Conn().PgConn(), steps...)
		dead := c.Conn().IsClosed()
		c.Release()
		if err == nil || !dead || again || ctx.Err() != nil {
			return err
		}
		p.own.Reset() // the server was restarted
	}
}

func (p *pool) close() {
	p.abandon()
	p.cleaning.Wait()
	p.Close()
	p.own.Close()
}

// hosts reads the servers out of the URL, in its order.
func hosts(cfg *Config, g *guard.Guard, m *memory) ([]*host, error) {
	base, err := pgx.ParseConfig(cfg.URL)
	if err != nil {
		return nil, ask.URLError("replica.url", err)
	}
	var list []*host
	byName := map[string]*host{}
	add := func(f *pgconn.FallbackConfig) {
		name := net.JoinHostPort(f.Host, strconv.Itoa(int(f.Port)))
		if h := byName[name]; h != nil {
			h.config.Fallbacks = append(h.config.Fallbacks, f) // the same server with another TLS mode
			return
		}
		c := base.Copy()
		c.Host, c.Port, c.TLSConfig, c.Fallbacks = f.Host, f.Port, f.TLSConfig, nil
		h := &host{name: name, config: c, cfg: cfg, guard: g, memory: m, pools: map[string]*pool{}}
		byName[name] = h
		list = append(list, h)
	}
	add(&pgconn.FallbackConfig{Host: base.Host, Port: base.Port, TLSConfig: base.TLSConfig})
	for _, f := range base.Fallbacks {
		add(f)
	}
	return list, nil
}

// pool returns the pool of a database, made when it is first asked for.
func (h *host) pool(database string) (*pool, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if p := h.pools[database]; p != nil {
		p.used = time.Now()
		return p, nil
	}
	if len(h.pools) >= maxPools {
		h.evict()
	}
	// The semaphores of limits bound connections over all databases; a pool
	// must only never be the narrower bound, since a question holds one
	// connection while it waits for another.
	questions, err := h.newPool(database, h.cfg.Questions+2*h.cfg.PerInstance+8, afterConnect)
	if err != nil {
		return nil, err
	}
	own, err := h.newPool(database, 4, prepareOwn)
	if err != nil {
		questions.Close()
		return nil, err
	}
	closing, abandon := context.WithCancel(context.Background())
	h.pools[database] = &pool{closing: closing, abandon: abandon, Pool: questions, own: own, trusted: h.cfg.TrustedOwners, named: h.cfg.AllowFunctions, guard: h.guard, used: time.Now(), facts: factsCache{loading: make(chan struct{}, 1)}}
	return h.pools[database], nil
}

func (h *host) newPool(database string, size int, after func(context.Context, *pgx.Conn) error) (*pgxpool.Pool, error) {
	c, err := pgxpool.ParseConfig("")
	if err != nil {
		return nil, err
	}
	c.ConnConfig = h.connConfig(database)
	c.MaxConns, c.MinConns = int32(size), 0
	c.MaxConnIdleTime = h.cfg.IdleTimeout.Duration()
	c.MaxConnLifetime = time.Hour
	c.HealthCheckPeriod = max(h.cfg.IdleTimeout.Duration()/2, time.Second)
	c.AfterConnect = after
	return pgxpool.NewWithConfig(context.Background(), c)
}

// prepareOwn prepares what is asked of the catalog for every statement. Its plans
// do not depend on the parameters: planning anew would take longer than running.
func prepareOwn(ctx context.Context, conn *pgx.Conn) error {
	return run(ctx, conn.PgConn(), step{sql: "set jit = off"}, step{sql: "set plan_cache_mode = force_generic_plan"},
		step{name: "version", prepare: true, sql: versionSQL}, step{name: "relations", prepare: true, sql: relationsSQL}, step{name: "relations_of", prepare: true, sql: relationsOfSQL},
		step{name: "closure", prepare: true, sql: closureSQL}, step{name: "stand", prepare: true, sql: standSQL})
}

// evict closes the pool that was not used for the longest time and is idle.
func (h *host) evict() {
	var oldest string
	for name, p := range h.pools {
		if p.Stat().AcquiredConns() == 0 && p.lent.Load() == 0 && (oldest == "" || p.used.Before(h.pools[oldest].used)) {
			oldest = name
		}
	}
	if oldest != "" {
		h.pools[oldest].close()
		delete(h.pools, oldest)
	}
}

// connConfig is the service login at one database. What a session starts with
// is what RESET ALL returns it to.
func (h *host) connConfig(database string) *pgx.ConnConfig {
	c := h.config.Copy()
	c.Database = database
	c.ConnectTimeout = h.cfg.ConnectTimeout.Duration()
	c.DefaultQueryExecMode = pgx.QueryExecModeDescribeExec
	c.StatementCacheCapacity, c.DescriptionCacheCapacity = 0, 0
	c.MaxProtocolMessageBodyLen = int(min(max(h.cfg.RowBytes, 1<<20), 1<<30-1))
	c.BuildFrontend = h.memory.frontend
	// of askpg's own statements: a question's has no parameters
	maps.Copy(c.RuntimeParams, map[string]string{
		"application_name": "askpg", "client_encoding": "UTF8", "search_path": "pg_catalog", "standard_conforming_strings": "on",
		"default_transaction_read_only": "on", "row_security": "on", "client_min_messages": "warning",
		"plan_cache_mode": "force_generic_plan",
	})
	c.OnNotice = func(conn *pgconn.PgConn, n *pgconn.Notice) {
		if s, ok := conn.CustomData()[serverKey].(*server); ok && s.onLog != nil && n.SeverityUnlocalized == "LOG" {
			s.onLog(n)
		}
	}
	c.BuildContextWatcherHandler = func(conn *pgconn.PgConn) ctxwatch.Handler { return &canceler{conn: conn} }
	return c
}

// canceler sends a CancelRequest when the context of a call ends. The
// connection is dropped afterwards, so that a late cancel hits nobody.
type canceler struct {
	conn *pgconn.PgConn
	done chan struct{}
}

// cancelGrace is how long a server may take to act on a CancelRequest before
// the connection is cut.
const cancelGrace = 2 * time.Second

func (c *canceler) HandleCancel(context.Context) {
	c.done = make(chan struct{})
	_ = c.conn.Conn().SetDeadline(time.Now().Add(cancelGrace))
	go func() {
		defer close(c.done)
		ctx, cancel := context.WithTimeout(context.Background(), cancelGrace)
		defer cancel()
		_ = c.conn.CancelRequest(ctx)
	}()
}

func (c *canceler) HandleUnwatchAfterCancel() {
	<-c.done
	_ = c.conn.Conn().SetDeadline(time.Time{})
}

// usable says whether the host should be tried now.
func (h *host) usable(now time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return now.After(h.bad) && h.foreign.Load() == nil
}

// mark takes down how the last use of the host went.
func (h *host) mark(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if err == nil {
		h.bad = time.Time{}
	} else {
		h.bad = time.Now().Add(h.cfg.RetryAfter.Duration())
	}
}

func (h *host) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for name, p := range h.pools {
		p.close()
		delete(h.pools, name)
	}
}
