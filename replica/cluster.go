package replica

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"askpg/ask"
)

// cluster says which database cluster a server serves.
type cluster struct {
	system   string // system_identifier, made by initdb and kept by every physical copy
	timeline int    // that it writes or replays; a promotion begins another one
	standby  bool
}

// clusterSQL reads the timeline that a server writes, or that a standby replays, by what the
// service login may see. Of a standby that is what its control file has. The file follows at the
// next restartpoint, or earlier if a page is written.
const clusterSQL = `select s.system_identifier::text, case when pg_is_in_recovery() then greatest(c.timeline_id, r.min_recovery_end_timeline)
	else ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int end, pg_is_in_recovery()
from pg_control_system() s, pg_control_checkpoint() c, pg_control_recovery() r`

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

// ComparePrimary logs in to the primary as the service login, and says of each replica whether it is a standby of it.
// address is the primary's, as findings name it. A standby of another cluster, or of another primary, gets no questions
// until ComparePrimary finds that it is a standby of this one. A server that cannot be reached, or does not
// let the login in, is a note: it may be right.
func (r *Replica) ComparePrimary(ctx context.Context, address string, dial Dial) []Finding {
	h := r.hosts[0]
	conn := h.connConfig(cmp.Or(h.config.Database, "postgres"))
	conn.TLSConfig, conn.Fallbacks = nil, nil // what dial returns has TLS
	conn.Host, conn.Port = "primary", 1       // dial alone knows the address, and errors need not name another one
	conn.LookupFunc = func(context.Context, string) ([]string, error) { return []string{"primary"}, nil }
	conn.DialFunc = func(ctx context.Context, _, _ string) (net.Conn, error) { return dial(ctx) }
	where := "primary " + address
	primary, err := r.readCluster(ctx, conn)
	if err != nil {
		why := strings.ReplaceAll(err.Error(), "primary:1 (primary): ", "")
		return []Finding{{Note: true, What: fmt.Sprintf("%s: it is not known whether the replicas are its standbys, since the service login cannot ask it: %s", where, why)}}
	}
	var list []Finding
	if primary.standby {
		list = append(list, Finding{Note: true, What: where + " is a standby itself: what writes fails there; correct primary.address if that is not meant"})
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

// compare says whether a host belongs to the primary, and keeps questions from a standby that does not.
//
// A standby on another timeline may still follow the primary: it has then not replayed the last promotion, or its control file
// does not say so yet. Whether its WAL has parted from the primary's before the promotion could be told by the
// promotion's position, which only a replication login can read. So it waits until it is on the primary's timeline.
func (r *Replica) compare(h *host, v, primary cluster, where string) Finding {
	what := fmt.Sprintf("replica %s and %s", h.name, where)
	f := Finding{What: what + ": one cluster"}
	var wrong *ask.Error
	switch {
	case v.system == primary.system && v.timeline == primary.timeline:
	case !v.standby: // replica.allow_primary says whether questions run there
		f = Finding{Note: true, What: what + ": two clusters, so that answers are of other data unless it is a logical replica"}
	case v.system != primary.system:
		wrong = ask.Errorf(ask.CodeObjectNotReady, "replica %s is no standby of the %s", h.name, where).
			WithDetail("Their system identifiers are %s and %s: they are two clusters.", v.system, primary.system).
			WithHint("Point replica.url at standbys of the server that primary.address names.")
	case v.timeline > primary.timeline:
		wrong = ask.Errorf(ask.CodeObjectNotReady, "replica %s is no standby of the %s", h.name, where).
			WithDetail("It is on timeline %s, the primary on timeline %s, and a standby is never ahead: it follows another primary.", strconv.Itoa(v.timeline), strconv.Itoa(primary.timeline)).
			WithHint("Point replica.url at standbys of the server that primary.address names.")
	default:
		wrong = ask.Errorf(ask.CodeObjectNotReady, "replica %s is not known to be a standby of the %s", h.name, where).
			WithDetail("It is on timeline %s, the primary on timeline %s: it follows another primary, or its control file does not have the last promotion yet.", strconv.Itoa(v.timeline), strconv.Itoa(primary.timeline)).
			WithHint("Have it follow the server that primary.address names. If it does already, run CHECKPOINT on the primary and then on the standby: that brings its control file up to date.")
	}
	if wrong != nil {
		f = Finding{What: what, Problem: wrong.Message + ": " + wrong.Detail, Fix: wrong.Hint}
	}
	h.copied.Store(!v.standby && v.system != primary.system)
	if before := h.foreign.Swap(wrong); before != nil && wrong == nil && v.standby {
		r.log.Info("a replica is a standby of the primary again", "replica", h.name)
	}
	return f
}

// compareEvery is how often a serving askpg compares: a name can come to mean another server.
const compareEvery = time.Minute

// WatchPrimary compares the primary and the replicas at once and then every minute, and logs what is wrong
// when it begins. It returns when ctx ends.
func (r *Replica) WatchPrimary(ctx context.Context, address func() string, dial Dial) {
	tick := time.NewTicker(compareEvery)
	defer tick.Stop()
	said := map[string]bool{}
	for {
		found := map[string]bool{}
		for _, f := range r.ComparePrimary(ctx, address(), dial) {
			text := cmp.Or(f.Problem, f.What)
			found[text] = true
			if said[text] || ctx.Err() != nil {
				continue
			}
			if f.Problem != "" {
				r.log.Error(f.What, "problem", f.Problem, "hint", f.Fix)
			} else if f.Note {
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
