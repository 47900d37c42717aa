package replica

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"askpg/ask"
)

// status is a server's state when a transaction began.
type status struct {
	standby         bool
	lag             time.Duration // -1 if it is not known
	received        string        // WAL that a standby has from its primary, as an LSN; empty if none
	replayed        string        // what of it it has replayed; empty if it is none
	roles           map[string]roleStatus
	privilegedRoles string // roles that the service login could become and must not, empty if none
}

type roleStatus struct {
	oid          uint32
	found, super bool
	privileged   string // a privileged role that it is a member of
}

// statusSQL reads the server's state. A standby that has replayed all that it received
// has no lag while its receiver lives, however old the last transaction of an idle
// primary is (PostgreSQL documentation, 27.2.5.2). Nor has one that has replayed what it
// had received when it was looked at before, a moment ago.
const statusSQL = `select pg_is_in_recovery(),
	case when not pg_is_in_recovery() then 0
		when exists (select from pg_stat_get_wal_receiver() where pid is not null) and pg_last_wal_replay_lsn() >= coalesce(nullif($3, '')::pg_lsn, pg_last_wal_receive_lsn()) then 0
		else coalesce(greatest(extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()), 0), -1) end,
	a.rolname, a.rolsuper,
	(select d.rolname from pg_roles d where (d.rolname = any ($2::text[]) or d.rolsuper) and not a.rolsuper and pg_has_role(a.oid, d.oid, case when a.rolname = $4::name then 'USAGE' else 'MEMBER' end) order by 1 limit 1),
	coalesce(pg_last_wal_receive_lsn()::text, ''), coalesce(case when pg_is_in_recovery() then pg_last_wal_replay_lsn()::text end, ''),
	coalesce(case when $4 <> '' then (` + privilegedRolesSQL + `) end, ''), a.oid
from (values (1)) as one left join pg_roles a on a.rolname = any ($1::text[])`

// step reads the state and what the roles are; received is what a look a moment
// ago found, or empty. A service login is asked for the rights that it has, any
// other role for those that it can get.
func (st *status) step(roles []string, service string, privileged []string, received string) step {
	st.roles = map[string]roleStatus{}
	return step{
		stored: ownState,
		params: [][]byte{textArray(roles), textArray(privileged), []byte(received), []byte(service)},
		row: func(v [][]byte) error {
			st.standby = truth(v[0])
			seconds, err := strconv.ParseFloat(string(v[1]), 64)
			if err != nil {
				return err
			}
			st.lag = time.Duration(seconds * float64(time.Second)).Round(time.Millisecond)
			if seconds < 0 {
				st.lag = -1
			}
			st.received, st.replayed, st.privilegedRoles = string(v[5]), string(v[6]), string(v[7])
			if v[2] != nil {
				st.roles[string(v[2])] = roleStatus{oid: number(v[8]), found: true, super: truth(v[3]), privileged: string(v[4])}
			}
			return nil
		},
	}
}

// usable says what is wrong with the server for any question.
func (r *Replica) usable(h *host, st *status) error {
	if !st.standby {
		if r.cfg.AllowPrimary {
			return nil
		}
		return ask.Errorf(ask.CodeObjectNotReady, "%s is a primary, not a standby", h.name).
			WithDetail("Questions run on read-only standbys only.").
			WithHint("Point replica.url at a streaming standby, or set replica.allow_primary = true if questions may run on the primary.")
	}
	if st.lag >= 0 {
		r.metrics.lag.WithLabelValues(h.name).Set(st.lag.Seconds())
	}
	switch limit := r.cfg.MaxLag.Duration(); {
	case st.lag < 0:
		return ask.Errorf(ask.CodeCannotConnectNow, "it is not known how far replica %s is behind", h.name).
			WithDetail("It receives nothing from a primary and has replayed no transaction.").
			WithHint("Check that the standby is connected to its primary (pg_stat_wal_receiver).")
	case st.lag > limit:
		return ask.Errorf(ask.CodeCannotConnectNow, "replica %s is %s behind the primary", h.name, st.lag).
			WithDetail("The limit is %s (replica.max_lag).", limit).
			WithHint("Ask again when it has caught up; if it does not, check that it is connected to its primary (pg_stat_wal_receiver).")
	}
	return nil
}

// connectError explains why no connection could be had: the server's trouble
// is an *unusableError, the database's or the caller's is not.
func connectError(ctx context.Context, h *host, database string, err error) error {
	if ctx.Err() != nil {
		return serverError(ctx, ctx, err, h.cfg.ConnectTimeout)
	}
	if e := ask.AsError(err); e != nil {
		return &unusableError{err: e}
	}
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		switch pg.Code {
		case "3D000": // invalid_catalog_name
			e := pgError(pg)
			e.Hint = "If the database is new, the replica may not have replayed it yet; else check that the replica follows this primary."
			return &unusableError{err: e}
		case "28000", "28P01", "42501":
			e := ask.Errorf(ask.CodeInsufficientRights, "replica %s refuses the service login at database %q", h.name, database)
			return &unusableError{err: e.WithDetail("%s", pg.Message).WithHint("Check user and password in replica.url, the replica's pg_hba.conf, and CONNECT on the database.").Because(err)}
		}
		e := pgError(pg)
		e.Message = fmt.Sprintf("replica %s: %s", h.name, pg.Message)
		return &unusableError{err: e}
	}
	return &unusableError{err: connectFailure(h, err)}
}

func connectFailure(h *host, err error) *ask.Error {
	if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) {
		return ask.Errorf(ask.CodeTooManyConnections, "askpg has no file descriptor left for a connection to replica %s", h.name).WithDetail("%s", err).
			WithHint("Raise the limit of open files of askpg (ulimit -n, LimitNOFILE= of systemd), or ask again in a moment.").Because(err)
	}
	return ask.Errorf(ask.CodeConnectionFailure, "replica %s cannot be reached", h.name).WithDetail("%s", err).
		WithHint("Check that the server runs and that replica.url is right.").Because(err)
}

// mayStandIn reports why questions of superusers cannot run with the rights of a role.
func (st *status) mayStandIn(role string) error {
	f := st.roles[role]
	if !f.found {
		return ask.Errorf(ask.CodeInsufficientRights, "replica.superuser_role %q does not exist on the replica", role).
			WithHint("Create it, or set replica.superuser_role to a role that exists.")
	}
	if f.super || f.privileged != "" {
		return ask.Errorf(ask.CodeInsufficientRights, "replica.superuser_role %q is itself privileged", role).
			WithDetail("It is a superuser or a member of %s.", f.privileged).
			WithHint("Set replica.superuser_role to an ordinary role.")
	}
	return nil
}
