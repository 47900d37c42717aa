package replica

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"

	"askpg/ask"
)

// serverError turns what pgx returns into an error for the asker. The server's
// own errors keep their SQLSTATE, texts and position; ctx is that of the call,
// timed the one with askpg's own deadline.
func serverError(ctx, timed context.Context, err error, limit fmt.Stringer) error {
	if err == nil {
		return nil
	}
	if e := ask.AsError(err); e != nil {
		return e
	}
	if ctx.Err() != nil {
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return ask.Errorf(ask.CodeQueryCanceled, "the question took longer than it may").WithHint("Ask for less, or raise translator.timeout.").Because(err)
		}
		return ask.Errorf(ask.CodeQueryCanceled, "canceling statement due to user request").Because(context.Canceled)
	}
	if timed.Err() != nil {
		return ask.Errorf(ask.CodeQueryCanceled, "canceled by askpg after %s", limit).
			WithHint("Ask for less, or raise replica.statement_timeout.").Because(err)
	}
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		return pgError(pg)
	}
	if long, ok := errors.AsType[*pgproto3.ExceededMaxBodyLenErr](err); ok {
		return ask.Errorf(ask.CodeProgramLimit, "a row of the result has more bytes than the limit of %d", long.MaxExpectedBodyLen).
			WithHint("Select fewer or shorter columns, or raise replica.row_bytes.").Because(err)
	}
	return ask.Errorf(ask.CodeConnectionFailure, "the connection to the replica was lost").
		WithDetail("%s", err).WithHint("Ask again; another replica is tried if there is one.").Because(err)
}

func pgError(pg *pgconn.PgError) *ask.Error {
	e := ask.Errorf(pg.Code, "%s", pg.Message).Because(pg)
	e.Detail, e.Hint, e.Position = pg.Detail, pg.Hint, int(pg.Position)
	if pg.Code == "40001" && e.Hint == "" {
		e.Hint = "The replica had to replay a change that this question was still reading over. Ask again; hot_standby_feedback or a longer max_standby_streaming_delay avoids it."
	}
	return e
}

// early marks an error of the server as one of the statement's analysis.
func early(err error) error {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) || pg.Code == ask.CodeQueryCanceled || ask.AsError(err) != nil {
		return err
	}
	e := pgError(pg)
	e.Early = true
	return e
}

// roleError explains why the service login could not become the role.
func roleError(pg *pgconn.PgError, login, role string, version int) *ask.Error {
	switch pg.Code {
	case ask.CodeInsufficientRights:
		grant := fmt.Sprintf("GRANT %s TO %s", quoteIdent(role), quoteIdent(login))
		if version >= 160000 {
			grant += " WITH INHERIT FALSE, SET TRUE"
		}
		return ask.Errorf(ask.CodeInsufficientRights, "askpg may not run questions as role %q", role).
			WithDetail("The service login %q is not a member of it: %s.", login, pg.Message).
			WithHint("On the primary, as a superuser: %s;", grant).Because(pg)
	case ask.CodeInvalidParameter:
		return ask.Errorf(ask.CodeInsufficientRights, "role %q does not exist on the replica", role).
			WithDetail("%s", pg.Message).
			WithHint("If the role is new, the replica may not have replayed it yet; else check that the replica follows this primary.").Because(pg)
	}
	return pgError(pg)
}
