package replica

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"askpg/ask"
)

// Finding is one result of Audit.
type Finding struct {
	Note    bool   // nothing is wrong with it, and it has to be known
	What    string // what was looked at
	Problem string // what is wrong, empty if nothing is
	Fix     string // what to do, SQL where SQL does it
}

// maxDatabases bounds the databases that one Audit looks at.
const maxDatabases = 20

// Audit looks at every replica as the service login and says what is right and what is
// not. It looks at one database or, if that is empty, at every one that the login may
// connect to.
func (r *Replica) Audit(ctx context.Context, database string) []Finding {
	var list []Finding
	noted := map[string]bool{} // of replicas of one cluster the notes are the same
	for _, h := range r.hosts {
		for _, f := range r.auditHost(ctx, h, database) {
			note := strings.TrimPrefix(f.What, h.name)
			if !f.Note || !noted[note] {
				list = append(list, f)
			}
			noted[note] = true
		}
	}
	return list
}

// auditSQL reads the service login's attributes and settings; the names of
// what is wrong are its rows.
const auditSQL = `select session_user::text, rolinherit, rolcreaterole, rolcreatedb, rolbypassrls, rolreplication,
	(select string_agg(quote_ident(d.rolname), ', ' order by d.rolname) from pg_roles d where d.rolname = any ($1::text[]) and pg_has_role(session_user, d.oid, 'USAGE')),
	current_setting('temp_file_limit'), current_setting('log_min_messages'),
	(select string_agg(quote_ident(m.rolname), ', ' order by m.rolname) from pg_roles m where m.rolname <> session_user and not m.rolsuper and m.rolname !~ '^pg_'
		and pg_has_role(session_user, m.oid, 'MEMBER')),
	(select string_agg(quote_ident(m.rolname), ', ' order by m.rolname) from pg_roles m where m.rolname <> session_user and not m.rolsuper and m.rolname !~ '^pg_'
		and pg_has_role(session_user, m.oid, 'USAGE')),
	(select string_agg(quote_ident(n.nspname), ', ' order by n.nspname) from pg_namespace n where has_schema_privilege('public', n.oid, 'CREATE'))
from pg_roles where rolname = session_user`

func (r *Replica) auditHost(whole context.Context, h *host, database string) []Finding {
	if h.foreign.Load() != nil {
		return nil // ComparePrimary has said why it gets no questions
	}
	ctx, cancel := context.WithTimeout(whole, r.cfg.ConnectTimeout.Duration()+r.cfg.StatementTimeout.Duration())
	defer cancel()
	login := h.config.User
	first := cmp.Or(database, h.config.Database, "postgres")
	s := ask.Session{Database: first, Role: login}
	t, err := r.open(ctx, h, s, txOptions{role: login, timeout: r.cfg.StatementTimeout.Duration()})
	if err == nil {
		defer t.end()
		err = run(ctx, t.c.PgConn(), t.state.step([]string{login, r.superuserRole(t.srv)}, login, r.cfg.PrivilegedRoles, ""))
	}
	if err == nil {
		err = r.usable(h, &t.state)
	}
	if err != nil {
		f := Finding{What: "replica " + h.name, Problem: err.Error()}
		if e := ask.AsError(err); e != nil {
			f.Problem, f.Fix = e.Message, e.Hint
			if e.Code == ask.CodeInsufficientRights {
				f.Fix = "`askpg check --print-setup --user ROLE,… | psql -h PRIMARY -d DATABASE` makes the login for the roles that may ask; then give it the password of replica.url. " + e.Hint
			}
			if e.Detail != "" {
				f.Problem += ": " + e.Detail
			}
		}
		return []Finding{f}
	}
	where := "a standby"
	if !t.state.standby {
		where = "a primary, allowed by replica.allow_primary"
	}
	list := []Finding{{What: fmt.Sprintf("replica %s: %s, %s behind, PostgreSQL %d", h.name, where, max(t.state.lag, 0), t.srv.version/10000)}}
	if r.cfg.SuperuserRole != "" {
		if e := ask.AsError(t.state.mayStandIn(r.cfg.SuperuserRole)); e != nil {
			list = append(list, Finding{What: "superusers at " + h.name, Problem: e.Message, Fix: e.Hint})
		}
	}
	err = t.p.service(ctx, step{sql: auditSQL, params: [][]byte{textArray(r.cfg.PrivilegedRoles)}, row: func(v [][]byte) error {
		list = append(list, r.auditLogin(h, t.srv, v)...)
		return nil
	}})
	databases := []string{first}
	if err == nil && database == "" {
		databases = nil
		err = t.p.service(ctx, step{sql: databasesSQL, row: func(v [][]byte) error {
			databases = append(databases, string(v[0]))
			return nil
		}})
	}
	if err != nil {
		return append(list, Finding{What: "replica " + h.name, Problem: err.Error()})
	}
	for i, name := range databases {
		where := h.name + ", database " + name
		if i == maxDatabases {
			return append(list, Finding{Note: true, What: fmt.Sprintf("%s: owners were not looked at in %d more databases: name one with --db", h.name, len(databases)-i)})
		}
		owners, err := r.auditDatabase(whole, h, t, name, where)
		list = append(list, owners...)
		if err != nil {
			list = append(list, Finding{What: where, Problem: err.Error()})
		}
	}
	return list
}

// databasesSQL lists the databases that the login may connect to.
const databasesSQL = `select datname from pg_database where datallowconn and not datistemplate and has_database_privilege(session_user, oid, 'CONNECT') order by datname`

// auditDatabase looks at the owners of one database; t is open in one.
func (r *Replica) auditDatabase(ctx context.Context, h *host, t *tx, name, where string) ([]Finding, error) {
	ctx, cancel := context.WithTimeout(ctx, r.cfg.ConnectTimeout.Duration()+r.cfg.StatementTimeout.Duration())
	defer cancel()
	if name != t.s.Database {
		other, err := r.open(ctx, h, ask.Session{Database: name, Role: t.s.Role}, txOptions{role: t.s.Role, timeout: r.cfg.StatementTimeout.Duration()})
		if err != nil {
			return nil, err
		}
		defer other.end()
		t = other
	}
	return t.auditOwners(ctx, where)
}

func (r *Replica) auditLogin(h *host, srv *server, v [][]byte) []Finding {
	login := quoteIdent(string(v[0]))
	what := fmt.Sprintf("service login %s at %s: ", login, h.name)
	var list []Finding
	check := func(ok bool, name, problem, fix string) {
		f := Finding{What: what + name}
		if !ok {
			f.Problem, f.Fix = problem, fix
		}
		list = append(list, f)
	}
	for i, a := range []string{"CREATEROLE", "CREATEDB", "BYPASSRLS", "REPLICATION"} {
		if truth(v[2+i]) {
			check(false, "attributes", "it has "+a, fmt.Sprintf("ALTER ROLE %s NO%s;", login, a))
		}
	}
	check(v[6] == nil, "privileged roles", "it has the rights of "+string(v[6]), fmt.Sprintf("REVOKE %s FROM %s;", v[6], login))
	check(v[9] != nil, "roles that may ask", "it is a member of no role, so that nobody can ask", fmt.Sprintf("GRANT analyst TO %s; for each role whose questions it shall run", login))
	fix := fmt.Sprintf("ALTER ROLE %s NOINHERIT;", login)
	if srv.version >= 160000 {
		fix = fmt.Sprintf("GRANT %s TO %s WITH INHERIT FALSE, SET TRUE;", v[10], login)
	}
	check(v[10] == nil, "inherits nothing", "it has the rights of "+string(v[10])+" before it becomes one of them", fix)
	check(srv.setTemp || string(v[7]) != "-1", "temp_file_limit", "no limit on temporary files", fmt.Sprintf("ALTER ROLE %s SET temp_file_limit = '1GB';", login))
	check(srv.quiet, "log_min_messages", "functions and operators are judged by name and not by what the server resolves them to, since that would fill the server's log",
		fmt.Sprintf("ALTER ROLE %s SET log_min_messages = 'fatal';", login))
	check(v[11] == nil, "CREATE on schemas", "everybody may create objects in "+string(v[11])+", and questions of others would use them",
		fmt.Sprintf("REVOKE CREATE ON SCHEMA %s FROM PUBLIC;", v[11]))
	return list
}
