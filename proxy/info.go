package proxy

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"askpg/ask"
)

// sessionSettings are the askpg.* settings that a session may have, without
// the prefix, if Config.Settings is empty.
var sessionSettings = []string{
	"mode", "notices", "strategy", "min_confidence", "max_calls", "max_tokens", "max_cost", "model", "models",
	"samples", "candidates", "temperature", "timeout", "max_rows", "fresh", "cache", "privacy", "hint", "language", "describe", "annotate",
}

// resultSettings shape results, so that the replica's session takes them over.
var resultSettings = []string{
	"search_path", "TimeZone", "DateStyle", "IntervalStyle", "client_encoding", "bytea_output", "extra_float_digits",
	"lc_monetary", "lc_numeric",
}

// sessionInfo is what an answer depends on, as the server has it.
type sessionInfo struct {
	session    ask.Session
	encoding   *encoding
	auto       bool          // askpg.mode is auto
	notices    bool          // a person reads notices
	timeout    time.Duration // statement_timeout, 0 if there is none
	function   bool          // a function named ask is visible
	nameExists bool          // the server has a prepared statement of the name asked for
	loginOID   uint32        // pg_authid.oid of the session's user

	// What a statement with ask('…') in FROM depends on.
	written   bool // the transaction has an id: it has written, or locked rows
	escapes   bool // standard_conforming_strings is off: in '…' a backslash escapes
	temporary bool // the session has, or had, temporary relations
}

// infoQuery reads a sessionInfo: $1 is the name of a prepared statement that is
// looked for, $2 the nonce that comes back. Everything in it is qualified: search_path is
// the user's, and may name schemas that try to take the place of pg_catalog.
func infoQuery(askSettings []string) string {
	var b strings.Builder
	b.WriteString(`SELECT $2::pg_catalog.text, current_user,` +
		` EXISTS (SELECT 1 FROM pg_catalog.pg_proc p WHERE p.proname OPERATOR(pg_catalog.=) 'ask'::pg_catalog.name AND pg_catalog.pg_function_is_visible(p.oid)),` +
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
	for _, name := range resultSettings {
		setting(name)
	}
	for _, name := range askSettings {
		setting("askpg." + name)
	}
	return b.String()
}

// fixedColumns is the number of infoQuery's columns before the settings.
const fixedColumns = 11

// readInfo asks the server for what an answer depends on. statement is the
// name of a prepared statement that the client is about to make.
func (t *turn) readInfo(ctx context.Context, statement string) (*sessionInfo, error) {
	if t.info != nil && t.infoAt == t.executed && statement == "" {
		t.converse(t.lastKey(t.info))
		return t.info, nil
	}
	names := t.set.sessionSettings()
	row, err := t.askServer(ctx, infoQuery(names), fixedColumns+len(resultSettings)+len(names), statement)
	if err != nil {
		return nil, err
	}
	info := newInfo(row, names)
	if info.session.RoleOID == 0 { // it has been dropped
		return nil, ask.OtherRole(info.session.Role)
	}
	if err := t.identify(ctx, &info.session); err != nil {
		return nil, err
	}
	t.info, t.infoAt = info, t.executed
	t.converse(t.lastKey(info))
	t.may.seen = t.may.seen || info.auto
	return info, nil
}

func newInfo(v [][]byte, names []string) *sessionInfo {
	info := &sessionInfo{
		session: ask.Session{
			Settings: map[string]string{}, Ask: map[string]string{},
		},
		function:   string(v[2]) == "t",
		nameExists: string(v[3]) == "t",
	}
	info.timeout = settingTime(string(v[4]))
	info.written, info.escapes, info.temporary = string(v[5]) == "t", string(v[6]) == "t", string(v[7]) == "t"
	oid, _ := strconv.ParseUint(string(v[8]), 10, 32)
	info.session.RoleOID = uint32(oid)
	oid, _ = strconv.ParseUint(string(v[9]), 10, 32)
	info.loginOID = uint32(oid)
	level := string(v[10])
	for i, name := range resultSettings {
		if value := v[fixedColumns+i]; value != nil {
			info.session.Settings[name] = string(value)
		}
	}
	for i, name := range names {
		// A setting that was set once and reset is an empty string.
		if value := v[fixedColumns+len(resultSettings)+i]; len(value) > 0 {
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
	info.auto = strings.EqualFold(info.session.Ask["mode"], "auto")
	info.notices = !isOff(info.session.Ask["notices"]) && level != "warning" && level != "error"
	return info
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

func isOff(v string) bool {
	switch strings.ToLower(v) {
	case "off", "false", "no", "0", "f", "n":
		return true
	}
	return false
}

func (c *Config) sessionSettings() []string {
	if len(c.Settings) > 0 {
		return c.Settings
	}
	return sessionSettings
}
