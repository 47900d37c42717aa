package main

import (
	"context"

	"askpg/ask"
	"askpg/store"
	"askpg/translator/fault"
)

// rows runs statements as the asker of a logged question, all in one snapshot of a replica and within what one question
// may do there. Who he was is judged anew: the role must be the same one and not another of its name. His login must
// still be able to become it. Both must still be allowed to ask. The caller releases the results. Errors tell no values.
func (a *app) rows(ctx context.Context, r *store.Record, statements ...string) (_ []*ask.Result, _ ask.Replica, err error) {
	s := ask.Session{Database: r.Database, Role: r.Role, RoleOID: uint32(r.RoleOID), SessionUser: r.Login, Settings: r.Settings}
	if s.RoleOID == 0 {
		return nil, ask.Replica{}, ask.Errorf(ask.CodeInsufficientRights, "the log does not say which role %q asked this, so nothing is run as it", s.Role).
			WithDetail("Another role may have its name now. Questions that were logged by an earlier version, or asked with askpg ask, lack the role's OID.").
			WithHint("Ask it again as %s.", s.Role)
	}
	if err := a.denied(&s); err != nil {
		return nil, ask.Replica{}, err
	}
	if err := a.replica.MayBecome(ctx, s.Database, s.SessionUser, s.Role); err != nil {
		return nil, ask.Replica{}, err
	}
	snap, err := a.replica.Begin(a.replica.Question(ctx), s)
	if err != nil {
		return nil, ask.Replica{}, err
	}
	defer snap.Close()
	var results []*ask.Result
	for _, sql := range statements {
		_, res, _, err := snap.Try(ctx, sql)
		if err != nil {
			for _, r := range results {
				r.Release()
			}
			if e := ask.AsError(err); e != nil {
				err = fault.Of(e, sql, nil)
			}
			return nil, ask.Replica{}, err
		}
		results = append(results, res)
	}
	return results, snap.Replica(), nil
}
