package proxy_test

import (
	"strings"
	"testing"

	"github.com/jackc/pgproto3/v2"

	"askpg/internal/pgtest"
)

// A question runs as the role that the session has by then, also where the role was changed without an Execute:
// planning for a Bind calls immutable functions, and reading its values calls those of a domain's CHECK.
func TestQuestion_RoleChangedWithoutExecute(t *testing.T) {
	database := pgtest.NewDatabase(t, `
		create function planned(text) returns text language plpgsql immutable as $$ begin perform set_config('role', $1, false); return 'x'; end $$;
		create function checked(text) returns bool language plpgsql as $$ begin perform set_config('role', $1, false); return true; end $$;
		create domain role_name as text check (checked(value))`)
	pgtest.CatchUp(t)
	b := start(t, nil)
	value := &pgproto3.Bind{Parameters: [][]byte{[]byte("pg_monitor")}}
	for name, messages := range map[string][]pgproto3.FrontendMessage{
		"planning":         {parse("", "select planned('pg_monitor')"), bind("", "")},
		"a domain's CHECK": {parse("", "select $1::role_name"), value},
	} {
		for _, end := range []pgproto3.FrontendMessage{sync_, &pgproto3.Flush{}} {
			f := dial(t, b.addr, database)
			f.talk("set role pg_read_all_data")
			f.send(sync_) // what is read of the session by the question is kept from here on
			f.trace(1)
			ask := func(want string) {
				t.Helper()
				f.talk("-- ask: run: select 1")
				asked := b.fake.asked()
				if got := asked[len(asked)-1].Session.Role; got != want {
					t.Errorf("%s: the question runs as %s, the session is %s", name, got, want)
				}
			}
			ask("pg_read_all_data")
			f.send(messages...)
			if _, ok := end.(*pgproto3.Sync); ok {
				f.send(end)
				if got := f.trace(1); !strings.Contains(got, "BindComplete") || strings.Contains(got, "E ") {
					t.Fatal(got)
				}
				ask("pg_monitor")
				continue
			}
			f.send(parse("q", "-- ask: run: select 1"), sync_)
			f.trace(1)
			asked := b.fake.asked()
			if got := asked[len(asked)-1].Session.Role; got != "pg_monitor" {
				t.Errorf("%s, in the pipeline: the question runs as %s", name, got)
			}
			ask("pg_monitor")
		}
	}
}
