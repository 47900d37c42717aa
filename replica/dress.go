package replica

import (
	"strings"

	"askpg/ask"
)

// dress is the role, the limits and the settings of an asker, but for the path that names are
// looked up in. A connection that has answered a question keeps them on, or rather puts
// them on again after it was cleaned, while nobody waits: whoever asks next is most likely the
// same. For anybody else it takes them off first. While it has them on it is in no
// transaction and is used for nothing; what it may do is what the role may.
type dress struct {
	key    string
	role   string // empty if it is the login's own
	limits [2][]byte
	set    [2][]byte // empty if there is nothing to set
	path   string    // search_path, of each transaction
}

// dressOf returns the dress of a question that runs as the role, user if by a
// login of the asker's own, with the search_path.
func (r *Replica) dressOf(srv *server, s ask.Session, role string, user bool, path string) *dress {
	d := &dress{path: path}
	if user || role != srv.login {
		d.role = role
	}
	ln, lv := r.limitSettings(srv, r.cfg.FetchTimeout.Duration())
	names, values := takeOver(s)
	d.limits = [2][]byte{textArray(ln), textArray(lv)}
	if len(names) > 0 {
		d.set = [2][]byte{textArray(names), textArray(values)}
	}
	parts := []string{d.role}
	for _, b := range [][]byte{d.limits[0], d.limits[1], d.set[0], d.set[1]} {
		parts = append(parts, string(b))
	}
	d.key = strings.Join(parts, "\x00")
	return d
}

// on puts it on, for the transaction or until it is taken off.
func (d *dress) on(local bool) []step {
	scope, set := no, "SET ROLE "
	if local {
		scope, set = yes, "SET LOCAL ROLE "
	}
	steps := []step{{stored: ownSet, params: [][]byte{d.limits[0], d.limits[1], scope}}}
	if d.set[0] != nil {
		steps = append(steps, step{stored: ownSet, params: [][]byte{d.set[0], d.set[1], scope}})
	}
	if d.role != "" {
		steps = append(steps, step{sql: set + quoteIdent(d.role)})
	}
	return steps
}

// keptAs stands for a statement that was prepared while the standby was where it was judged: at
// another position its names may mean something else without the server's preparing it
// anew, as when a function is created that fits better.
func keptAs(replayed, sql string) string { return replayed + "\x00" + sql }

// undress takes off whatever a connection has on, before a transaction.
func undress() []step {
	return []step{{sql: "SET SESSION AUTHORIZATION DEFAULT"}, {sql: "RESET ALL"}, {name: statementName, drop: true, sync: true}}
}
