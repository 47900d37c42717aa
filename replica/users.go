package replica

import (
	"container/list"
	"context"
	"crypto/sha256"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"askpg/ask"
)

// maxLifetime is the age at which a connection is not used again.
const maxLifetime = time.Hour

// users are the connections that are logged in as askers. Those in use are
// bounded by the places of questions and statements (limits), those that wait
// by Config.IdleLogins, over all users.
type users struct {
	cfg     *Config
	metrics *metrics

	mu      sync.Mutex
	idle    map[userKey][]*userConn // the one that came last is the first to go out
	waiting list.List               // of *userConn, the one that waits longest first
	closed  bool
	stop    chan struct{}
	work    sync.WaitGroup // connections in use, and the sweeper
}

// userKey says whom a connection may serve: who has shown the same key. It
// holds no key itself, but StoredKey, its hash (RFC 5802, section 3).
type userKey struct {
	host     *host
	database string
	user     string
	stored   [sha256.Size]byte
}

// userConn is a connection that is logged in as an asker.
type userConn struct {
	conn   *pgconn.PgConn
	users  *users
	key    userKey
	opened time.Time
	since  time.Time // it waits
	place  *list.Element
}

func newUsers(cfg *Config, m *metrics) *users {
	u := &users{cfg: cfg, metrics: m, idle: map[userKey][]*userConn{}, stop: make(chan struct{})}
	if cfg.Login == LoginUser {
		u.work.Go(u.sweep)
	}
	return u
}

// acquire returns a connection of the host's that is logged in with the key;
// errForgotten if it is not held any more and none waits.
func (u *users) acquire(ctx context.Context, h *host, database string, login *ask.Login) (*userConn, error) {
	key, _, held := login.Keys()
	if !held {
		return nil, errForgotten
	}
	if !u.enter() {
		return nil, errors.New("askpg is shutting down")
	}
	k := userKey{h, database, login.User(), sha256.Sum256(key[:])}
	for c := u.take(k); c != nil; c = u.take(k) {
		if !c.conn.IsClosed() {
			u.metrics.logins.WithLabelValues("reused").Inc()
			return c, nil
		}
		closeConn(c.conn)
	}
	conn, err := connect(ctx, h.userConfig(database, login))
	if err != nil {
		u.metrics.logins.WithLabelValues("failed").Inc()
		u.work.Done()
		return nil, err
	}
	u.metrics.logins.WithLabelValues("opened").Inc()
	return &userConn{conn: conn, users: u, key: k, opened: time.Now()}, nil
}

// connect logs in, with the server's built-in settings of the planner in place of those that ALTER
// ROLE has set. Every role may set them for itself. So costs could say anything to the limit on
// them, and the search for a plan could take any memory. What comes at the login counts before what
// a role has, and stays when a session is reset.
func connect(ctx context.Context, cfg *pgconn.Config) (conn *pgconn.PgConn, err error) {
	for range 2 {
		if conn, err = pgconn.ConnectConfig(ctx, cfg); err != nil {
			return nil, err
		}
		changed := false
		if _, err = learn(ctx, conn); err == nil {
			err = run(ctx, conn, step{sql: plannerSQL, row: func(v [][]byte) error {
				cfg.RuntimeParams[string(v[0])], changed = string(v[1]), true
				return nil
			}})
		}
		if err == nil && !changed {
			return conn, nil
		}
		closeConn(conn)
		if err != nil {
			return nil, err
		}
	}
	return nil, errors.New("the login plans by settings that ALTER ROLE has given it, and those of its connection do not count: connect askpg to the replica without a pooler, or ALTER ROLE … RESET them")
}

// plannerSQL returns the settings of the planner that ALTER ROLE has set, with their built-in values.
const plannerSQL = `select name, boot_val from pg_catalog.pg_settings
	where source operator(pg_catalog.=) any ('{user,database user}') and context operator(pg_catalog.=) 'user'
	and name operator(pg_catalog.~) '^(enable_|geqo|jit)|_cost$|^(join_collapse_limit|from_collapse_limit|effective_cache_size|cursor_tuple_fraction|recursive_worktable_factor|plan_cache_mode|debug_parallel_query|force_parallel_mode)$'`

// take returns a connection that waits, nil if there is none.
func (u *users) take(k userKey) *userConn {
	u.mu.Lock()
	defer u.mu.Unlock()
	list := u.idle[k]
	if len(list) == 0 {
		return nil
	}
	c := list[len(list)-1]
	u.remove(c)
	return c
}

// enter counts a connection in that will be in use; false after close.
func (u *users) enter() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.closed {
		u.work.Add(1)
	}
	return !u.closed
}

// remove takes a waiting connection out. It is called with mu held.
func (u *users) remove(c *userConn) {
	list := slices.DeleteFunc(u.idle[c.key], func(other *userConn) bool { return other == c })
	if len(list) == 0 {
		delete(u.idle, c.key)
	} else {
		u.idle[c.key] = list
	}
	u.waiting.Remove(c.place)
	c.place = nil
	u.metrics.waiting.Set(float64(u.waiting.Len()))
}

func (c *userConn) PgConn() *pgconn.PgConn { return c.conn }

// Release has the connection wait for the next question of the same login. The
// one that has waited longest goes if there are too many.
func (c *userConn) Release() {
	u := c.users
	if c.conn.IsClosed() || c.conn.IsBusy() || c.conn.TxStatus() != 'I' || time.Since(c.opened) > maxLifetime {
		c.discard()
		return
	}
	var oldest *userConn
	u.mu.Lock()
	if u.closed || u.cfg.IdleLogins == 0 {
		u.mu.Unlock()
		c.discard()
		return
	}
	if u.waiting.Len() >= u.cfg.IdleLogins {
		oldest = u.waiting.Front().Value.(*userConn)
		u.remove(oldest)
	}
	c.since = time.Now()
	u.idle[c.key] = append(u.idle[c.key], c)
	c.place = u.waiting.PushBack(c)
	u.metrics.waiting.Set(float64(u.waiting.Len()))
	u.mu.Unlock()
	if oldest != nil {
		closeConn(oldest.conn)
	}
	u.work.Done()
}

// discard closes a connection in use.
func (c *userConn) discard() {
	closeConn(c.conn)
	c.users.work.Done()
}

func closeConn(conn *pgconn.PgConn) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = conn.Close(ctx)
}

// drop closes the waiting connections that match.
func (u *users) drop(match func(*userConn) bool) {
	u.mu.Lock()
	var gone []*userConn
	for e := u.waiting.Front(); e != nil; {
		c := e.Value.(*userConn)
		e = e.Next()
		if match(c) {
			u.remove(c)
			gone = append(gone, c)
		}
	}
	u.mu.Unlock()
	for _, c := range gone {
		closeConn(c.conn)
	}
}

// sweep closes the connections that have waited or lived too long.
func (u *users) sweep() {
	limit := u.cfg.IdleTimeout.Duration()
	tick := time.NewTicker(max(limit/2, time.Second))
	defer tick.Stop()
	for {
		select {
		case <-u.stop:
			return
		case now := <-tick.C:
			u.drop(func(c *userConn) bool { return now.Sub(c.since) >= limit || now.Sub(c.opened) > maxLifetime })
		}
	}
}

// close closes all connections; it waits for those in use.
func (u *users) close() {
	u.mu.Lock()
	again := u.closed
	u.closed = true
	u.mu.Unlock()
	if again {
		return
	}
	close(u.stop)
	u.work.Wait()
	u.drop(func(*userConn) bool { return true })
}

// userError explains why an asker could not be logged in. The role's own
// trouble says nothing about the server: only what would hit everybody is an
// *unusableError.
func userError(ctx context.Context, h *host, database, user string, err error) error {
	var pg *pgconn.PgError
	switch {
	case ctx.Err() != nil:
		return serverError(ctx, ctx, err, h.cfg.ConnectTimeout)
	case ask.AsError(err) != nil:
		return ask.AsError(err)
	case !errors.As(err, &pg):
		return &unusableError{err: connectFailure(h, err)}
	}
	switch pg.Code {
	case "28000", "28P01":
		return ask.Errorf(ask.CodeInsufficientRights, "replica %s refuses the login of %q", h.name, user).WithDetail("%s", pg.Message).
			WithHint("If the role or its password is new, the replica may not have replayed it yet; a session that began with the old password has to log in again. Else check that the replica follows this primary and that its pg_hba.conf lets the role in from askpg's address.").Because(err)
	case ask.CodeInsufficientRights, ask.CodeTooManyConnections:
		e := pgError(pg)
		e.Message = "replica " + h.name + ": " + pg.Message
		return e
	}
	return connectError(ctx, h, database, err)
}
