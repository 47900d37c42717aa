package proxy

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"askpg/ask"
	"askpg/wire"
)

// sessionInfo is what an answer depends on, as the server has it.
type sessionInfo struct {
	session    ask.Session
	encoding   *encoding
	auto       bool          // askpg.mode is auto
	notices    bool          // a person reads notices
	timeout    time.Duration // statement_timeout, 0 if there is none
	callables  []callable    // what is named ask
	nameExists bool          // the server has a prepared statement of the name asked for
	loginOID   uint32        // pg_authid.oid of the session's user

	// What a statement with ask('…') in FROM depends on.
	written   bool // the transaction has an id: it has written, or locked rows
	escapes   bool // standard_conforming_strings is off: in '…' a backslash escapes
	temporary bool // the session has, or had, temporary relations
}

// callable is what ask('…') in FROM could call: a function or, by a cast that is written as a call, a type
// named ask that the session's search_path finds.
type callable struct {
	Schema, Owner string
	Function      bool
	Trusted       bool // the owner is a superuser, the database's owner or the login itself
}

// callables has them as JSON, null if there is none.
const callables = ` (SELECT pg_catalog.json_agg(pg_catalog.json_build_object('Schema', n.nspname, 'Owner', r.rolname, 'Function', f.called, 'Trusted',` +
	` r.rolsuper OR r.oid OPERATOR(pg_catalog.=) d.datdba OR r.rolname OPERATOR(pg_catalog.=) session_user OR r.rolname OPERATOR(pg_catalog.=) 'pg_database_owner'::pg_catalog.name))` +
	` FROM (SELECT true, p.pronamespace, p.proowner FROM pg_catalog.pg_proc p WHERE p.proname OPERATOR(pg_catalog.=) 'ask'::pg_catalog.name AND pg_catalog.pg_function_is_visible(p.oid)` +
	` UNION ALL SELECT false, t.typnamespace, t.typowner FROM pg_catalog.pg_type t WHERE t.typname OPERATOR(pg_catalog.=) 'ask'::pg_catalog.name AND pg_catalog.pg_type_is_visible(t.oid) AND t.typtype OPERATOR(pg_catalog.<>) 'c'::pg_catalog."char") AS f (called, nsp, owner)` +
	` JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) f.nsp JOIN pg_catalog.pg_roles r ON r.oid OPERATOR(pg_catalog.=) f.owner` +
	` JOIN pg_catalog.pg_database d ON d.datname OPERATOR(pg_catalog.=) pg_catalog.current_database()),`

// infoQuery reads a sessionInfo: $1 is the name of a prepared statement that is
// looked for, $2 the nonce that comes back. Everything in it is qualified: search_path is
// the user's, and may name schemas that try to take the place of pg_catalog.
func infoQuery() string {
	var b strings.Builder
	b.WriteString(`SELECT $2::pg_catalog.text, current_user,` +
		callables +
		` EXISTS (SELECT 1 FROM pg_catalog.pg_prepared_statements s WHERE s.name OPERATOR(pg_catalog.=) $1::pg_catalog.text),` +
		` pg_catalog.current_setting('statement_timeout'),` +
		` pg_catalog.txid_current_if_assigned() IS NOT NULL,` +
		` pg_catalog.current_setting('standard_conforming_strings') OPERATOR(pg_catalog.=) 'off'::pg_catalog.text,` +
		` pg_catalog.pg_my_temp_schema() OPERATOR(pg_catalog.<>) 0::pg_catalog.oid,` +
		` (SELECT r.oid FROM pg_catalog.pg_roles r WHERE r.rolname OPERATOR(pg_catalog.=) current_user),` +
		` (SELECT r.oid FROM pg_catalog.pg_roles r WHERE r.rolname OPERATOR(pg_catalog.=) session_user)`)
	setting := func(name string) {
		fmt.Fprintf(&b, ", pg_catalog.current_setting('%s', true)", strings.ReplaceAll(name, "'", "''"))
	}
	setting("client_min_messages")
	for _, name := range ask.ResultSettings {
		setting(name)
	}
	for _, name := range ask.SessionSettings {
		setting("askpg." + name)
	}
	return b.String()
}

// fixedColumns is the number of infoQuery's columns before the settings.
const fixedColumns = 11

// readInfo asks the server for what an answer depends on. statement is the
// name of a prepared statement that the client is about to make.
func (t *turn) readInfo(statement string) (*sessionInfo, error) {
	if t.info != nil && t.infoAt == t.executed && statement == "" {
		t.converse(t.lastKey(t.info))
		return t.info, nil
	}
	row, err := t.askServer(infoQuery(), fixedColumns+len(ask.ResultSettings)+len(ask.SessionSettings), statement)
	if err != nil {
		return nil, err
	}
	info := newInfo(row)
	if info.session.RoleOID == 0 { // it has been dropped
		return nil, ask.OtherRole(info.session.Role)
	}
	if err := t.identify(&info.session); err != nil {
		return nil, err
	}
	t.info, t.infoAt = info, t.executed
	t.converse(t.lastKey(info))
	t.modeSeen = t.modeSeen || info.auto
	return info, nil
}

func newInfo(v [][]byte) *sessionInfo {
	info := &sessionInfo{
		session: ask.Session{
			Settings: map[string]string{}, Ask: map[string]string{},
		},
		nameExists: string(v[3]) == "t",
	}
	info.timeout = settingTime(string(v[4]))
	info.written, info.escapes, info.temporary = string(v[5]) == "t", string(v[6]) == "t", string(v[7]) == "t"
	oid, _ := strconv.ParseUint(string(v[8]), 10, 32)
	info.session.RoleOID = uint32(oid)
	oid, _ = strconv.ParseUint(string(v[9]), 10, 32)
	info.loginOID = uint32(oid)
	level := string(v[10])
	for i, name := range ask.ResultSettings {
		if value := v[fixedColumns+i]; value != nil {
			info.session.Settings[name] = string(value)
		}
	}
	for i, name := range ask.SessionSettings {
		// A setting that was set once and reset is an empty string.
		if value := v[fixedColumns+len(ask.ResultSettings)+i]; len(value) > 0 {
			info.session.Ask[name] = string(value)
		}
	}
	info.encoding = encodingOf(info.session.Settings["client_encoding"])
	// Names come in the client's encoding.
	info.session.Role = info.encoding.lenient(v[1])
	for _, m := range []map[string]string{info.session.Settings, info.session.Ask} {
		for k, value := range m {
			m[k] = info.encoding.lenient([]byte(value))
		}
	}
	if v[2] != nil {
		_ = json.Unmarshal([]byte(info.encoding.lenient(v[2])), &info.callables) // PostgreSQL writes JSON
	}
	info.auto = strings.EqualFold(info.session.Ask["mode"], "auto")
	on, ok := wire.ParseBool(info.session.Ask["notices"])
	info.notices = (on || !ok) && level != "warning" && level != "error"
	return info
}

// meant returns those of the calls that are questions, and whether the others call a function of
// the database's. Its owner is trusted, as with code on the replica, or the login itself. A
// stranger's function is passed over. He may have made it in a schema of the session's search_path,
// and it would run on the primary with the asker's rights. Beside one that is meant PostgreSQL
// could choose his, so that a call is refused.
func (t *turn) meant(calls []ask.Call, info *sessionInfo) (questions []ask.Call, function bool, err error) {
	var stranger *callable
	for i := range info.callables {
		switch c := &info.callables[i]; {
		case !c.Trusted && !slices.Contains(t.srv.TrustedOwners, c.Owner):
			stranger = c
		case c.Function:
			function = true
		}
	}
	if !function {
		return calls, false, nil
	}
	questions = slices.DeleteFunc(slices.Clone(calls), func(c ask.Call) bool { return !c.Embedded }) // a comment is no call
	if stranger != nil && len(questions) < len(calls) {
		err = ask.Errorf(ask.CodeInsufficientRights, "ask('…') may mean a function that owner %q has made in schema %q, and that owner is not trusted", stranger.Owner, stranger.Schema).
			WithHint("Write the schema of the function that you mean. An admin can name the owner in replica.trusted_owners.")
	}
	return questions, true, err
}

// settingTime reads a time as SHOW writes it: a whole number of the largest unit
// that leaves no rest (PostgreSQL documentation, 20.1.1). It is 0 if there is none.
func settingTime(v string) time.Duration {
	digits := strings.TrimRight(v, "dhimns")
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return 0
	}
	unit := map[string]time.Duration{"": time.Millisecond, "ms": time.Millisecond, "s": time.Second, "min": time.Minute, "h": time.Hour, "d": 24 * time.Hour}
	return time.Duration(n) * unit[v[len(digits):]]
}
