package proxy_test

import (
	"errors"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// TestChoices holds that a setting that has few values takes no other, as PostgreSQL's enums do, however it is set.
func TestChoices(t *testing.T) {
	t.Parallel()
	conn := start(t, nil).connect(t)
	for _, sql := range []string{
		"SET askpg.mode = 'AUTO'", "SET askpg.mode TO comment", "set session askpg.notices = 0", "SET askpg.notices = true",
		"SET askpg.mode = ''", "SET askpg.mode TO DEFAULT", "RESET askpg.mode", "SET other.mode = 'x'", "SET askpg.model = 'any'", "SET search_path = 'askpg.mode'",
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
	} {
		for _, mode := range []pgx.QueryExecMode{pgx.QueryExecModeSimpleProtocol, pgx.QueryExecModeDescribeExec} {
			_, err := conn.Exec(within(t), sql, mode)
			var e *pgconn.PgError
			if !errors.As(err, &e) || e.Code != "22023" || e.Message != "invalid value for parameter "+want[0] || e.Hint != "Available values: "+want[1]+"." {
				t.Errorf("%s (%s): %v", sql, mode, err)
			}
		}
	}
	var mode string
	if err := conn.QueryRow(within(t), "SELECT coalesce(current_setting('askpg.mode', true), '')").Scan(&mode); err != nil || mode != "" {
		t.Errorf("the mode is %q, %v", mode, err)
	}
}
