package proxy_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/jackc/pgproto3/v2"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// TestChoices holds that a setting that has few values takes no other, as PostgreSQL's enums do, however it is set.
func TestChoices(t *testing.T) {
	t.Parallel()
	conn := start(t, nil).connect(t)
	for _, sql := range []string{
		"SET askpg.mode = 'AUTO'", "SET askpg.mode TO comment", "set session askpg.notices = 0", "SET askpg.notices = true",
		"SET askpg.mode = ''", "SET askpg.mode TO DEFAULT", "SET askpg.timeout = '20s'", "SET askpg.timeout = ''", "SET askpg.min_confidence = 0.5", "RESET askpg.mode", "SET other.mode = 'x'", "SET askpg.model = 'any'", "SET search_path = 'askpg.mode'",
		"ALTER ROLE CURRENT_USER RESET askpg.mode", "SELECT 'SET askpg.mode = x'",
	} {
		if _, err := conn.Exec(within(t), sql); err != nil {
			t.Errorf("%s: %v", sql, err)
		}
	}
	for sql, want := range map[string][2]string{
		"SET askpg.mode = 'atuo'":                              {`"askpg.mode": "atuo"`, "comment, auto, off"},
		"/* of a tool */ set local ASKPG.Mode to on":           {`"askpg.mode": "on"`, "comment, auto, off"},
		"SET askpg.mode = auto, off":                           {`"askpg.mode": "auto, off"`, "comment, auto, off"},
		"SET askpg.notices = 2":                                {`"askpg.notices": "2"`, "on, off"},
		"SET askpg.describe = 'json'":                          {`"askpg.describe": "json"`, "refuse, jsonb"},
		"SET askpg.annotate = 'rows'":                          {`"askpg.annotate": "rows"`, "off, columns"},
		"ALTER ROLE CURRENT_USER SET askpg.mode = 'of'":        {`"askpg.mode": "of"`, "comment, auto, off"},
		"SET search_path = public; SET askpg.mode = 'automat'": {`"askpg.mode": "automat"`, "comment, auto, off"},
		"BEGIN; SET askpg.mode = 'automat'; COMMIT":            {`"askpg.mode": "automat"`, "comment, auto, off"},
	} {
		for _, mode := range []pgx.QueryExecMode{pgx.QueryExecModeSimpleProtocol, pgx.QueryExecModeDescribeExec} {
			_, _ = conn.Exec(within(t), "ROLLBACK")
			_, err := conn.Exec(within(t), sql, mode)
			var e *pgconn.PgError
			if !errors.As(err, &e) || e.Code != "22023" || e.Message != "invalid value for parameter "+want[0] || e.Hint != "Available values: "+want[1]+"." {
				t.Errorf("%s (%s): %v", sql, mode, err)
			}
		}
	}
	_, _ = conn.Exec(within(t), "ROLLBACK")
	var mode string
	if err := conn.QueryRow(within(t), "SELECT coalesce(current_setting('askpg.mode', true), '')").Scan(&mode); err != nil || mode != "" {
		t.Errorf("the mode is %q, %v", mode, err)
	}
}

// TestChoices_Transaction holds that a SET that is refused fails as PostgreSQL's do: a transaction block fails with it, what stood
// before it in its message has run, and nothing behind it.
func TestChoices_Transaction(t *testing.T) {
	t.Parallel()
	f := dial(t, start(t, nil).addr, sampleDB(t))
	const refused = `E ERROR 22023 invalid value for parameter "askpg.mode": "of"`
	const aborted = "E ERROR 25P02 current transaction is aborted, commands ignored until end of transaction block\nZ E"
	for _, tt := range [][2]string{
		{"SET askpg.mode = 'of'", refused + "\nZ I"},
		{"BEGIN", "C BEGIN\nZ T"},
		{"SET askpg.mode = 'of'", refused + "\nZ E"},
		{"SELECT 1", aborted},
		{"SET askpg.mode = 'of'", aborted},
		{"ROLLBACK; SET askpg.mode = 'of'; SELECT 1", "C ROLLBACK\n" + refused + "\nZ I"},
		{"BEGIN; SET askpg.mode = 'of'; SELECT 1", "C BEGIN\n" + refused + "\nZ E"},
		{"ROLLBACK", "C ROLLBACK\nZ I"},
		{"SET askpg.mode = 'comment'; BEGIN; SET askpg.mode = 'of'", "C SET\nC BEGIN\n" + refused + "\nZ E"},
		{"ROLLBACK", "C ROLLBACK\nZ I"},
		{"SET work_mem = '1MB'; SET askpg.mode = 'of'", "C SET\n" + refused + "\nZ I"},
		{"SELECT current_setting('work_mem') <> '1MB' AS kept", "T kept:16:0\nD \"t\"\nC SELECT 1\nZ I"},
		// Where askpg can't tell what the server would undo, the next question says it.
		{"BEGIN", "C BEGIN\nZ T"},
		{"COMMIT; SET work_mem = '1MB'; SET askpg.mode = 'of'", "C COMMIT\nC SET\nC SET\nZ I"},
		{"-- ask: how many customers", refused + "\nZ I"},
		{"RESET askpg.mode", "C RESET\nZ I"},
		{"/* a tool's */ SET work_mem = '1MB'; SET askpg.notices = U&'\\006Faybe'", "C SET\nC SET\nZ I"},
		{"ASK 'how many customers'", "E ERROR 22023 invalid value for parameter \"askpg.notices\": \"oaybe\"\nZ I"},
		{"SELECT set_config('askpg.notices', 'off', false)", "T set_config:25:0\nD \"off\"\nC SELECT 1\nZ I"},
		{"SET askpg.timeout = 'soon'", "E ERROR 22023 invalid value for parameter \"askpg.timeout\": \"soon\"\nZ I"},
	} {
		if got := f.talk(tt[0]); got != tt[1] {
			t.Errorf("%s: got\n%s\nwant\n%s", tt[0], got, tt[1])
		}
	}
	f.talk("BEGIN")
	f.send(parse("", "SET askpg.mode = 'of'"), bind("", ""), execute("", 0), sync_)
	if got := f.trace(1); got != refused+"\nZ E" {
		t.Error(got)
	}
	f.talk("ROLLBACK")
	f.send(parse("", "BEGIN"), bind("", ""), execute("", 0), parse("", "SET askpg.mode = 'of'"), bind("", ""), execute("", 0), sync_)
	if got := f.trace(1); got != "ParseComplete\nBindComplete\nC BEGIN\n"+refused+"\nZ E" {
		t.Error(got)
	}
}

// TestChoices_Unknown holds that a name that is no setting of askpg's is set, as PostgreSQL does, with a warning.
func TestChoices_Unknown(t *testing.T) {
	t.Parallel()
	f := dial(t, start(t, nil).addr, sampleDB(t))
	for _, tt := range [][2]string{
		{"SET askpg.notice = off", `WARNING askpg has no setting "askpg.notice" Did you mean "askpg.notices"?`},
		{"SET askpg.tenant = 'a';", `WARNING askpg has no setting "askpg.tenant" The settings are mode, notices, `},
		{"ALTER ROLE CURRENT_USER SET askpg.mod = x", `WARNING askpg has no setting "askpg.mod" Did you mean "askpg.mode"?`},
		{"RESET askpg.notice", ""},
		{"SET other.notice = off", ""},
		{"SET askpg.notice = off; SELECT 1", ""},
		{"BEGIN", ""},
		{"SET askpg.notice = off", ""},
		{"SET TRANSACTION ISOLATION LEVEL SERIALIZABLE", ""}, // no snapshot has been taken
		{"COMMIT", ""},
		{"SET client_min_messages = error", ""},
		{"SET askpg.notice = off", ""},
		{"ALTER ROLE CURRENT_USER RESET askpg.mod", ""},
	} {
		f.send(query(tt[0]))
		got, failed := "", false
		for {
			m := f.receive()
			if n, ok := m.(*pgproto3.NoticeResponse); ok {
				got += n.Severity + " " + n.Message + " " + n.Hint
			}
			if _, ok := m.(*pgproto3.ErrorResponse); ok {
				failed = true
			}
			if _, ok := m.(*pgproto3.ReadyForQuery); ok {
				break
			}
		}
		if failed || !strings.HasPrefix(got, tt[1]) || tt[1] == "" && got != "" {
			t.Errorf("%s: %q, failed: %v; want %q", tt[0], got, failed, tt[1])
		}
	}
}
