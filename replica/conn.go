package replica

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"askpg/ask"
)

// connection is a pooled connection that a transaction has to itself.
type connection interface {
	PgConn() *pgconn.PgConn
	// Release gives it back; one that is closed is not used again.
	Release()
}

// serviceConn is a connection of the service login, which becomes the asker by
// SET ROLE.
type serviceConn struct{ *pgxpool.Conn }

func (c serviceConn) PgConn() *pgconn.PgConn { return c.Conn.Conn().PgConn() }

// server is what is known of a connection's server, read once.
type server struct {
	version         int
	login           string
	super           bool                 // the login is a superuser
	privilegedRoles string               // roles it could become that are superusers, or reach the server's operating system
	quiet           bool                 // what is logged below FATAL stays out of the server's log
	setTemp         bool                 // the login may set temp_file_limit
	noTemp          bool                 // nothing limits the login's temporary files
	own             []string             // the statements that askpg has prepared, sorted
	onLog           func(*pgconn.Notice) // told of messages of level LOG; touched by the connection's user only
}

const serverKey = "askpg"

const loginSQL = `select pg_catalog.current_setting('server_version_num'), session_user::text,
	pg_catalog.current_setting('log_min_messages') in ('fatal', 'panic'), pg_catalog.current_setting('temp_file_limit') operator(pg_catalog.=) '-1',
	(select rolsuper from pg_catalog.pg_roles where rolname operator(pg_catalog.=) session_user),
	(` + privilegedRolesSQL + `)`

// privilegedRolesSQL lists the roles that a login could become, through any chain of grants,
// and that are superusers or reach the files and programs of the server.
const privilegedRolesSQL = `select pg_catalog.string_agg(pg_catalog.quote_ident(r.rolname), ', ' order by r.rolname) from pg_catalog.pg_roles r
	where (r.rolsuper or r.rolname operator(pg_catalog.=) any ('{pg_execute_server_program,pg_read_server_files,pg_write_server_files}'))
	and r.rolname operator(pg_catalog.<>) session_user and pg_catalog.pg_has_role(session_user, r.oid, 'MEMBER')`

// learn reads what is to be known of a new connection and prepares askpg's own
// statements on it, in one round trip.
func learn(ctx context.Context, conn *pgconn.PgConn) (*server, error) {
	s := &server{}
	steps := []step{{sql: loginSQL, row: func(v [][]byte) (err error) {
		s.version, err = strconv.Atoi(string(v[0]))
		s.login, s.quiet, s.noTemp, s.super, s.privilegedRoles = string(v[1]), truth(v[2]), truth(v[3]), truth(v[4]), string(v[5])
		return err
	}}}
	major := 0 // the number that a version begins with
	if _, _ = fmt.Sscan(conn.ParameterStatus("server_version"), &major); major >= 15 {
		steps = append(steps, step{sql: `select pg_catalog.has_parameter_privilege('temp_file_limit', 'SET')`, row: func(v [][]byte) error {
			s.setTemp = truth(v[0])
			return nil
		}})
	}
	if err := run(ctx, conn, append(steps, s.prepares()...)...); err != nil {
		return nil, err
	}
	slices.Sort(s.own)
	conn.CustomData()[serverKey] = s
	return s, nil
}

// afterConnect refuses a service login that would be no wall: one that is a
// superuser, or that a statement could make one by SET ROLE, through any chain of
// grants.
func afterConnect(ctx context.Context, conn *pgx.Conn) error {
	s, err := learn(ctx, conn.PgConn())
	if err != nil {
		return err
	}
	const hint = "Make a login of its own: CREATE ROLE askpg LOGIN NOINHERIT; and grant it the roles that may ask. `askpg check --print-setup` prints the SQL."
	switch {
	case s.super:
		return ask.Errorf(ask.CodeInsufficientRights, "the service login %q is a superuser: askpg does not run questions with it", s.login).WithHint(hint)
	case s.privilegedRoles != "":
		return errPrivilegedRoles(s.login, s.privilegedRoles)
	}
	return nil
}

func errPrivilegedRoles(login, roles string) *ask.Error {
	return ask.Errorf(ask.CodeInsufficientRights, "the service login %q could become %s: askpg does not run questions with it", login, roles).
		WithDetail("It is a member of the role, or of one that is, and so on. SET ROLE takes it there.").
		WithHint("On the primary, REVOKE from %s the role that leads there. Questions of superusers, and of members of privileged roles, need no grant: they run with the rights of replica.superuser_role.", quoteIdent(login))
}

// VerifyLogin returns an *ask.Error if the service login must not be used. A
// replica that cannot be reached is none: its questions will say so.
func (r *Replica) VerifyLogin(ctx context.Context) error {
	for _, h := range r.hosts {
		c := h.connConfig(cmp.Or(h.config.Database, "postgres"))
		conn, err := pgx.ConnectConfig(ctx, c)
		if err != nil {
			continue
		}
		err = afterConnect(ctx, conn)
		_ = conn.Close(ctx)
		if ask.AsError(err) != nil {
			return err
		}
	}
	return nil
}

func serverOf(conn *pgconn.PgConn) *server { return conn.CustomData()[serverKey].(*server) }
