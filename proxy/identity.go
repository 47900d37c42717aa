package proxy

import (
	"context"

	"askpg/ask"
)

// Roles says as whom a login may act.
type Roles interface {
	// MayBecome returns nil if the login may SET ROLE to the role by the catalog
	// of the replica, and otherwise what the asker is told.
	MayBecome(ctx context.Context, database, login, role string) error
}

// maxName is the length to which PostgreSQL clips the names of a startup packet, NAMEDATALEN - 1.
const maxName = 63

// identify says who asks in which database: the login and the database are
// those that the session was opened with. The role that the session's own answer names
// counts only if the login may become it by the catalog of the replica. So an answer
// that somebody has forged gains nothing.
func (t *turn) identify(s *ask.Session) error {
	s.Login = t.proved
	s.SessionUser, s.Database = clipped(t.startup.User), clipped(t.startup.Database)
	if s.Role == s.SessionUser {
		return nil
	}
	if t.srv.Roles == nil {
		return ask.Errorf(ask.CodeInsufficientRights, "login %q may not ask as role %q", s.SessionUser, s.Role).
			WithHint("Ask as the login's own role (RESET ROLE).")
	}
	_, err := detached(t.ctx, &t.answering, func() (struct{}, error) {
		return struct{}{}, t.srv.Roles.MayBecome(t.ctx, s.Database, s.SessionUser, s.Role)
	}, nil)
	return causeOf(t.ctx, err)
}

func clipped(name string) string { return name[:min(len(name), maxName)] }
