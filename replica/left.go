package replica

import (
	"context"
	"strconv"
	"time"
)

// askWhetherLeft is how often the server is asked whether a backend still runs.
const askWhetherLeft = time.Second

// awaitEnd keeps the transaction's place until its backend has ended. PostgreSQL looks for a cancel, a timeout or a closed
// connection only where its code says so (CHECK_FOR_INTERRUPTS), and some of it computes for hours without. A place that was
// given back when the connection was cut would let an asker start such a backend after the other.
//
// Behind a pooler the number of the backend is the pooler's own, so that no such backend is found.
func (t *tx) awaitEnd() {
	pid := strconv.FormatUint(uint64(t.c.PgConn().PID()), 10)
	p, place, login, role, replica := t.p, t.place, t.srv.login, t.role, t.h.name
	place.keep()
	p.lent.Add(1) // the pool stays meanwhile
	p.cleaning.Go(func() {
		defer p.lent.Add(-1)
		defer place.release()
		if !p.left(login, pid) {
			return
		}
		t.r.metrics.left.Inc()
		defer t.r.metrics.left.Dec()
		began := time.Now()
		t.r.log.Warn("a backend does not react to its cancel: its place stays taken until it ends", "replica", replica, "pid", pid, "login", login, "role", role, "database", t.s.Database,
			"hint", "PostgreSQL's own functions on very large texts do so; what pg_terminate_backend does not end, kill -9 does, and restarts the server")
		tick := time.NewTicker(askWhetherLeft)
		defer tick.Stop()
		for p.left(login, pid) {
			select {
			case <-tick.C:
			case <-p.closing.Done():
				return
			}
		}
		t.r.log.Info("a backend that did not react to its cancel has ended", "replica", replica, "pid", pid, "role", role, "after", time.Since(began).Round(time.Second))
	})
}

// left says whether a backend of a login is still there. A server that does not say counts as yes.
func (p *pool) left(login, pid string) bool {
	ctx, cancel := context.WithTimeout(p.closing, endTimeout)
	defer cancel()
	found := false
	err := p.service(ctx, step{
		sql: `select 1 from pg_catalog.pg_stat_activity where pid operator(pg_catalog.=) $1::pg_catalog.int4 and usename operator(pg_catalog.=) $2
			and datname operator(pg_catalog.=) pg_catalog.current_database()`,
		params: [][]byte{[]byte(pid), []byte(login)},
		row:    func([][]byte) error { found = true; return nil },
	})
	return (found || err != nil) && p.closing.Err() == nil
}
