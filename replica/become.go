package replica

import (
	"context"
	"errors"
	"fmt"

	"askpg/ask"
)

// becomeSQL says whether login $1 may SET ROLE to role $2: through PostgreSQL 15
// a member may, from 16 on a grant can leave that out. A superuser may become
// anyone. There is no row if either does not exist.
const becomeSQL = `select pg_has_role(l.oid, r.oid, case when current_setting('server_version_num')::int >= 160000 then 'SET' else 'MEMBER' end), current_setting('server_version_num')
from pg_roles l, pg_roles r where l.rolname = $1 and r.rolname = $2`

// MayBecome returns nil if the login may SET ROLE to the role by the catalog of
// the first replica that can be reached, which the service login reads.
func (r *Replica) MayBecome(ctx context.Context, database, login, role string) error {
	timed, stop := context.WithTimeout(ctx, r.cfg.StatementTimeout.Duration())
	defer stop()
	var first error
	for _, h := range r.order() {
		may, version, err := h.mayBecome(timed, database, login, role)
		switch {
		case err == nil && may:
			return nil
		case err == nil:
			return becomeError(h, login, role, version)
		case timed.Err() != nil:
			return serverError(ctx, timed, err, r.cfg.StatementTimeout)
		case first == nil:
			first = err
		}
	}
	return first
}

func (h *host) mayBecome(ctx context.Context, database, login, role string) (may bool, version string, err error) {
	p, err := h.pool(database)
	if err != nil {
		return false, "", err
	}
	err = p.service(ctx, step{sql: becomeSQL, params: [][]byte{[]byte(login), []byte(role)}, row: func(v [][]byte) error {
		may, version = truth(v[0]), string(v[1])
		return nil
	}})
	if err != nil {
		err = connectError(ctx, h, database, err)
		if bad, ok := errors.AsType[*unusableError](err); ok {
			err = bad.err
		}
	}
	return may, version, err
}

func becomeError(h *host, login, role, version string) error {
	grant := fmt.Sprintf("GRANT %s TO %s", quoteIdent(role), quoteIdent(login))
	e := ask.Errorf(ask.CodeInsufficientRights, "login %q may not ask as role %q", login, role)
	if version == "" {
		return e.WithDetail("Replica %s does not have both roles.", h.name).
			WithHint("If a role is new, the replica may not have replayed it yet; else check that the replica follows this primary, and that no pooler between askpg and the server changes the user.")
	}
	if version >= "160000" {
		grant += " WITH SET TRUE"
	}
	return e.WithDetail("By the catalog of replica %s the login may not SET ROLE to it.", h.name).
		WithHint("On the primary, as a superuser: %s; If that has just been done, the replica may not have replayed it yet. A pooler between askpg and the server must not change the user.", grant)
}
