package replica

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"askpg/ask"
	"askpg/replica/guard"
)

// tx is a read-only transaction on a replica under the asker's role.
type tx struct {
	r       *Replica
	h       *host
	p       *pool
	c       connection
	srv     *server
	s       ask.Session
	user    bool     // logged in as the asker; otherwise by the service login
	role    string   // whose rights apply
	why     string   // notice if that is not the asker's role
	path    []string // schemas that names are looked up in, in effect
	setting string   // search_path
	left    string   // schemas of the asker's that are not in it, see pathStep
	search  []uint32 // text search configurations that the session's default may be
	state   status
	snap    string     // exported snapshot
	pgx     pgx.Tx     // with txOptions.pgx
	dirty   bool       // the connection is not used again
	place   *place     // of its statement; nil if none of an asker's runs in it
	reads   *ask.Reads // what the statement that was judged last reads; nil if that is not known

	early func() (*facts, error) // waits for facts that are being looked up for it, as end does; may be nil

	guard     *guard.Guard                 // that judges its statement
	types     []uint32                     // of the statement's parameters, as the client declares them
	described *pgconn.StatementDescription // the statement, once it is prepared
}

// txOptions say what a transaction is for.
type txOptions struct {
	role     string        // decided before; empty to decide
	service  bool          // by the service login, whatever the configuration says
	snapshot string        // to import
	export   bool          // a snapshot
	pgx      bool          // make a pgx.Tx of it
	timeout  time.Duration // of a statement
	judges   bool          // statements will be judged in it
}

// open begins a transaction at the host. What makes the host unusable for any
// question is an *unusableError.
func (r *Replica) open(ctx context.Context, h *host, s ask.Session, o txOptions) (*tx, error) {
	if e := h.foreign.Load(); e != nil {
		return nil, &unusableError{err: e}
	}
	p, err := h.pool(s.Database)
	if err != nil {
		return nil, err
	}
	t, err := r.openAt(ctx, h, p, s, o)
	if bad, ok := errors.AsType[*unusableError](err); ok && bad.lost && ctx.Err() == nil {
		// The server was restarted: none of the pool's connections lives.
		p.Reset()
		r.users.drop(func(c *userConn) bool { return c.key.host == h })
		t, err = r.openAt(ctx, h, p, s, o)
	}
	if errors.Is(err, errPrivileged) || errors.Is(err, errForgotten) {
		o.service = true
		t, err = r.openAt(ctx, h, p, s, o)
	}
	return t, err
}

// errPrivileged says that a login has rights that no question shall have, so
// that the service login runs its questions.
var errPrivileged = errors.New("the login has rights that questions must not have")

// asUser says whether a question of the session is to be run by a login of its
// asker's own.
func (r *Replica) asUser(s ask.Session) bool {
	return r.cfg.Login == LoginUser && s.Login != nil
}

// connect returns a connection for a question of the session.
func (r *Replica) connect(ctx context.Context, h *host, p *pool, s ask.Session, user bool) (connection, error) {
	if !user {
		c, err := p.Acquire(ctx)
		if err != nil {
			return nil, connectError(ctx, h, s.Database, err)
		}
		return serviceConn{c}, nil
	}
	c, err := r.users.acquire(ctx, h, s.Database, s.Login)
	switch {
	case errors.Is(err, errForgotten):
		return nil, errForgotten
	case err != nil:
		return nil, userError(ctx, h, s.Database, s.Login.User(), err)
	case serverOf(c.conn).super:
		c.Release()
		return nil, errPrivileged
	}
	if srv := serverOf(c.conn); srv.noTemp && !srv.setTemp && r.cfg.TempFileLimit > 0 {
		r.noTemp.Do(func() {
			r.log.Warn("nothing limits the temporary files of questions: the asker's login may not set temp_file_limit, and the replica has none",
				"replica", h.name, "user", srv.login, "hint", "set temp_file_limit in the replica's postgresql.conf, or by ALTER ROLE for roles that ask")
		})
	}
	p.lent.Add(1)
	return &lentConn{c, p}, nil
}

// lentConn is a connection of an asker's own that uses what a pool knows of the
// database, so that the pool is not closed meanwhile.
type lentConn struct {
	*userConn
	pool *pool
}

func (c *lentConn) Release() {
	c.userConn.Release()
	c.pool.lent.Add(-1)
}

func (r *Replica) openAt(ctx context.Context, h *host, p *pool, s ask.Session, o txOptions) (_ *tx, err error) {
	user := r.asUser(s) && !o.service
	c, err := r.connect(ctx, h, p, s, user)
	if err != nil {
		return nil, err
	}
	t := &tx{r: r, h: h, p: p, c: c, srv: serverOf(c.PgConn()), s: s, user: user, role: o.role, guard: r.guard}
	defer func() {
		if err != nil {
			t.dirty = !errors.Is(err, errPrivileged)
			t.end()
		}
	}()
	if o.judges {
		// The database's facts are looked up while the transaction begins.
		t.early = sync.OnceValues(func() (*facts, error) { return p.facts.current(ctx, p) })
		go t.early()
	}
	conn := c.PgConn()
	var steps []step
	if o.pgx {
		t.pgx, err = c.(serviceConn).BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
		if err != nil {
			return nil, t.beginError(ctx, err)
		}
	} else {
		steps = append(steps, step{sql: beginSQL})
	}
	if o.snapshot != "" {
		steps = append(steps, step{sql: "SET TRANSACTION SNAPSHOT '" + o.snapshot + "'"})
	}
	steps = append(steps, setStep(r.limitSettings(t.srv, o.timeout)))
	if o.role != "" {
		// Whose rights apply is known: everything goes in one round trip.
		for i := range steps {
			steps[i].fail = func(pg *pgconn.PgError) error { return t.beginError(ctx, pg) }
		}
		if err := run(ctx, conn, append(steps, t.roleSteps(o.export)...)...); err != nil {
			if _, ok := errors.AsType[*ask.Error](err); ok {
				return nil, err
			}
			return nil, t.beginError(ctx, err)
		}
		return t, nil
	}
	if err := run(ctx, conn, append(steps, t.stateStep(""))...); err != nil {
		return nil, t.beginError(ctx, err)
	}
	if err := t.catchUp(ctx); err != nil {
		return nil, err
	}
	if err := t.decide(); err != nil {
		return nil, err
	}
	if err := run(ctx, conn, t.roleSteps(o.export)...); err != nil {
		return nil, serverError(ctx, ctx, err, r.cfg.StatementTimeout)
	}
	return t, nil
}

// A standby that seems too far behind is looked at again for a second.
const (
	looks     = 25
	lookAgain = 40 * time.Millisecond
)

// catchUp looks again for a moment at a standby that seems too far behind. After an
// idle hour the first transaction to arrive makes it look an hour late until it is
// replayed. What arrives meanwhile is not what it is late with.
func (t *tx) catchUp(ctx context.Context) error {
	received := t.state.received
	for range looks {
		if !t.state.standby || t.state.lag <= t.r.cfg.MaxLag.Duration() {
			return nil
		}
		select {
		case <-ctx.Done():
			return nil // what follows will say so
		case <-time.After(lookAgain):
		}
		if err := run(ctx, t.c.PgConn(), t.stateStep(received)); err != nil {
			return t.beginError(ctx, err)
		}
	}
	return nil
}

// beginError tells a server that is going away from a question's own trouble.
func (t *tx) beginError(ctx context.Context, err error) error {
	var pg *pgconn.PgError
	switch {
	case ctx.Err() != nil:
	case !errors.As(err, &pg):
		return &unusableError{err: connectFailure(t.h, err), lost: true}
	case strings.HasPrefix(pg.Code, "57P"): // shutting down or starting up
		return &unusableError{err: pgError(pg), lost: true}
	}
	return serverError(ctx, ctx, err, t.r.cfg.StatementTimeout)
}

func (r *Replica) limitSettings(srv *server, timeout time.Duration) (names, values []string) {
	ms := func(d time.Duration) string { return strconv.FormatInt(max(d.Milliseconds(), 1), 10) }
	kB := func(n int64) string { return strconv.FormatInt(max(n>>10, 64), 10) }
	question := r.cfg.QuestionTimeout.Duration() + cancelGrace
	set := map[string]string{
		"statement_timeout":                   ms(timeout),
		"lock_timeout":                        ms(min(timeout, 5*time.Second)),
		"idle_in_transaction_session_timeout": ms(question),
		"work_mem":                            kB(r.cfg.WorkMem),
		"max_parallel_workers_per_gather":     strconv.Itoa(r.cfg.ParallelWorkers),
	}
	if srv.version >= 130000 {
		set["hash_mem_multiplier"] = "1" // work_mem is for hashing too
	}
	if srv.version >= 170000 {
		set["transaction_timeout"] = ms(max(question, timeout))
	}
	if srv.setTemp && r.cfg.TempFileLimit > 0 {
		set["temp_file_limit"] = kB(r.cfg.TempFileLimit)
	}
	names = slices.Sorted(maps.Keys(set))
	for _, k := range names {
		values = append(values, set[k])
	}
	return names, values
}

var yes, no = []byte("t"), []byte("f")

// setStep sets settings for the transaction. The names are askpg's own.
func setStep(names, values []string) step {
	return step{stored: ownSet, params: [][]byte{textArray(names), textArray(values), yes}}
}

func (r *Replica) superuserRole(srv *server) string {
	return cmp.Or(r.cfg.SuperuserRole, srv.login)
}

// stateStep reads the server's state and all roles that decide depends on.
func (t *tx) stateStep(received string) step {
	if t.user {
		return t.state.step([]string{t.s.Role, t.srv.login}, "", t.r.cfg.PrivilegedRoles, received)
	}
	return t.state.step([]string{t.s.Role, t.r.superuserRole(t.srv)}, t.srv.login, t.r.cfg.PrivilegedRoles, received)
}

// decide checks the server and picks the role. Without a role of its own to run
// as, a question of a login of the asker's own is errPrivileged.
func (t *tx) decide() error {
	r, s, st := t.r, t.s, &t.state
	if err := r.usable(t.h, st); err != nil {
		return &unusableError{err: err}
	}
	if st.privilegedRoles != "" {
		return &unusableError{err: errPrivilegedRoles(t.srv.login, st.privilegedRoles)}
	}
	fallback := r.superuserRole(t.srv)
	a := st.roles[s.Role]
	switch {
	case !a.found:
		return roleError(&pgconn.PgError{Code: ask.CodeInvalidParameter, Message: fmt.Sprintf("role %q is not in pg_roles", s.Role)}, t.srv.login, s.Role, t.srv.version)
	case s.RoleOID != 0 && s.RoleOID != a.oid && !t.h.copied.Load():
		return ask.OtherRole(s.Role)
	case t.user:
		if l := st.roles[t.srv.login]; a.super || a.privileged != "" || l.super || l.privileged != "" {
			return errPrivileged
		}
		t.role = s.Role
		return nil
	case !a.super && a.privileged == "":
		t.role = s.Role
		return nil
	}
	if err := st.mayStandIn(fallback); err != nil {
		return err
	}
	t.role = fallback
	what := "a superuser"
	if !a.super {
		what = "a member of " + a.privileged
	}
	t.why = fmt.Sprintf("role %q is %s: the question runs with the rights of %q instead", s.Role, what, fallback)
	return nil
}

// roleSteps become the role, take over the asker's settings and read what
// names will mean.
func (t *tx) roleSteps(export bool) []step {
	steps := []step{t.pathStep()}
	if t.switches() {
		steps = append(steps, step{
			sql: "SET LOCAL ROLE " + quoteIdent(t.role),
			fail: func(pg *pgconn.PgError) error {
				if t.user {
					return pgError(pg)
				}
				return roleError(pg, t.srv.login, t.role, t.srv.version)
			},
		})
	}
	if names, values := takeOver(t.s); len(names) > 0 {
		set := setStep(names, values)
		set.fail = func(pg *pgconn.PgError) error {
			e := pgError(pg)
			e.Message = "a setting of your session cannot be taken over on the replica: " + e.Message
			return e
		}
		steps = append(steps, set)
	}
	steps = append(steps, step{
		stored: ownPath,
		row:    func(v [][]byte) error { t.path = append(t.path, string(v[0])); return nil },
	})
	if export {
		steps = append(steps, step{
			stored: ownExport,
			row:    func(v [][]byte) error { t.snap = string(v[0]); return nil },
		})
	}
	return steps
}

// endTimeout bounds the cleaning of a connection.
const endTimeout = 5 * time.Second

// switches says whether the role is to be set: an asker's own login may begin
// as another role (ALTER ROLE … SET role).
func (t *tx) switches() bool { return t.user || t.role != t.srv.login }

// endLater ends the transaction while nobody waits for it, and then calls after.
// The pool's close waits for it.
func (t *tx) endLater(after func()) {
	t.p.cleaning.Go(func() {
		t.end()
		after()
	})
}

// end rolls back and cleans the connection for the next question, or drops it.
func (t *tx) end() {
	if t.c == nil {
		return
	}
	c := t.c
	if t.early != nil {
		_, _ = t.early()
	}
	ctx, cancel := context.WithTimeout(context.Background(), endTimeout)
	defer cancel()
	if !t.dirty {
		t.dirty = clean(ctx, c.PgConn(), t.srv) != nil
	}
	if t.place != nil && c.PgConn().IsClosed() {
		t.awaitEnd()
	}
	if t.dirty {
		_ = c.PgConn().Close(ctx)
	}
	t.c = nil
	c.Release()
}
