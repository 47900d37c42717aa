package replica

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"askpg/ask"
)

// cluster says which database cluster a server serves.
type cluster struct {
	system   string // system_identifier, made by initdb and kept by every physical copy
	timeline int    // grows with each promotion
	standby  bool
}

const clusterSQL = `select s.system_identifier::text, c.timeline_id, pg_catalog.pg_is_in_recovery()
from pg_catalog.pg_control_system() s, pg_catalog.pg_control_checkpoint() c`

// readCluster asks a server, by a connection of its own.
func (r *Replica) readCluster(ctx context.Context, c *pgx.ConnConfig) (cluster, error) {
	ctx, cancel := context.WithTimeout(ctx, r.cfg.ConnectTimeout.Duration())
	defer cancel()
	conn, err := pgx.ConnectConfig(ctx, c)
	if err != nil {
		return cluster{}, err
	}
	defer conn.Close(ctx)
	var v cluster
	err = conn.QueryRow(ctx, clusterSQL).Scan(&v.system, &v.timeline, &v.standby)
	return v, err
}

// Dial connects to the primary, TLS included.
type Dial func(context.Context) (net.Conn, error)

// ComparePrimary logs in to the primary as the service login, and says whether the replicas are
// standbys of it. address is the primary's name in findings. No question runs on a standby of another cluster
// from then on, until ComparePrimary finds that it is none. A server that cannot be reached, or does not
// let the login in, is a note: it may be right.
func (r *Replica) ComparePrimary(ctx context.Context, address string, dial Dial) []Finding {
	h := r.hosts[0]
	conn := h.connConfig(cmp.Or(h.config.Database, "postgres"))
	conn.TLSConfig, conn.Fallbacks = nil, nil // dial has it
	conn.LookupFunc = func(context.Context, string) ([]string, error) { return []string{"primary"}, nil }
	conn.DialFunc = func(ctx context.Context, _, _ string) (net.Conn, error) { return dial(ctx) }
	where := "primary " + address
	primary, err := r.readCluster(ctx, conn)
	if err != nil {
		return []Finding{{OK: true, Note: true, What: fmt.Sprintf("%s: it is not known whether the replicas are its standbys, since the service login cannot ask it: %v", where, err)}}
	}
	var list []Finding
	if primary.standby {
		list = append(list, Finding{OK: true, Note: true, What: where + " is a standby itself: what writes fails there; correct primary.address if that is not meant"})
	}
	for _, h := range r.hosts {
		v, err := r.readCluster(ctx, h.connConfig(conn.Database))
		if err != nil {
			continue // Audit says why
		}
		list = append(list, r.compare(h, v, primary, where))
	}
	return list
}

// compare says whether a host belongs to the primary, and keeps questions from it if it does not.
func (r *Replica) compare(h *host, v, primary cluster, where string) Finding {
	what := fmt.Sprintf("replica %s and %s", h.name, where)
	var wrong *ask.Error
	h.copied.Store(!v.standby && v.system != primary.system)
	switch {
	case v.system == primary.system && v.timeline <= primary.timeline, v.system == primary.system && !v.standby:
		h.foreign.Store(nil)
		return Finding{OK: true, What: what + ": one cluster"}
	case !v.standby: // replica.allow_primary says whether questions run there
		h.foreign.Store(nil)
		return Finding{OK: true, Note: true, What: what + ": two clusters, so that answers are of other data unless it is a logical replica"}
	case v.system != primary.system:
		wrong = ask.Errorf(ask.CodeObjectNotReady, "replica %s is no standby of the %s", h.name, where).
			WithDetail("Their system identifiers are %s and %s: they are two clusters.", v.system, primary.system)
	default:
		// The primary's own control file says so at its first checkpoint after a promotion.
		wrong = ask.Errorf(ask.CodeObjectNotReady, "replica %s is no standby of the %s", h.name, where).
			WithDetail("They are copies of one cluster, and a standby is never ahead: it is on timeline %s, the primary on %s. It follows another primary.", strconv.Itoa(v.timeline), strconv.Itoa(primary.timeline))
	}
	wrong = wrong.WithHint("Point replica.url at standbys of the server that primary.address names.")
	h.foreign.Store(wrong)
	return Finding{What: what, Problem: wrong.Message + ": " + wrong.Detail, Fix: wrong.Hint}
}

// compareEvery is how often a serving askpg compares: a name can come to mean another server.
const compareEvery = time.Minute

// WatchPrimary compares the primary and the replicas at once and then every minute, and logs what is wrong
// when it changes. It returns when ctx ends.
func (r *Replica) WatchPrimary(ctx context.Context, address func() string, dial Dial) {
	tick := time.NewTicker(compareEvery)
	defer tick.Stop()
	said := map[string]bool{}
	for {
		found := map[string]bool{}
		for _, f := range r.ComparePrimary(ctx, address(), dial) {
			text := cmp.Or(f.Problem, f.What)
			switch found[text] = true; {
			case said[text] || ctx.Err() != nil:
			case !f.OK:
				r.log.Error(f.What, "problem", f.Problem, "hint", f.Fix)
			case f.Note:
				r.log.Warn(f.What)
			}
		}
		said = found
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}
