package replica_test

import (
	"testing"
	"time"

	"askpg/ask"
	"askpg/internal/pgtest"
)

// TestOpen_ConnectionsChangeAskers: a connection that has answered one asker has nothing of his role, limits and settings left for
// another one, for the same one under other settings, or for a snapshot.
func TestOpen_ConnectionsChangeAskers(t *testing.T) {
	db := pgtest.NewDatabase(t, script)
	cfg := config(t, pgtest.Shared(t).Standby)
	cfg.FetchTimeout, cfg.StatementTimeout = ask.Duration(11*time.Second), ask.Duration(7*time.Second)
	r := start(t, cfg)
	tokyo, support, plain := session(db, "analyst"), session(db, "support"), session(db, "analyst")
	tokyo.Settings["TimeZone"], tokyo.Settings["IntervalStyle"], tokyo.Settings["search_path"] = "Asia/Tokyo", "iso_8601", "public"
	delete(plain.Settings, "search_path")
	const sql = `select current_user, timestamptz '2026-01-01 00:00+00', interval '1 day', (select count(*) from public.orders)`
	const unguarded = `select current_user, current_setting('TimeZone'), current_setting('IntervalStyle'), current_setting('statement_timeout'), current_setting('search_path'), (select count(*) from orders)`
	for range 3 {
		for _, tt := range []struct {
			s    ask.Session
			want string
		}{
			{tokyo, "analyst|2026-01-01 09:00:00+09|P1D|1000"},
			{support, "support|2026-01-01 00:00:00+00|1 day|10"},
			{plain, "analyst|2026-01-01 00:00:00+00|1 day|1000"},
		} {
			for range 2 {
				if got := askUntilRepeated(t, r, tt.s, sql); got != tt.want {
					t.Errorf("%s; want %s", got, tt.want)
				}
			}
		}
		if got := askUntilRepeated(t, r, tokyo, "select count(*) from orders"); got != "1000" {
			t.Error(got)
		}
		if got, _, err := opened(t, r, plain, "select count(*) from orders"); code(err) != "42P01" {
			t.Errorf("without a path: %s, %v", got, err)
		}
		askUntilRepeated(t, r, tokyo, sql)
		snap := begin(t, r, support)
		got, err := snap.RunUnguarded(deadline(t), "", unguarded)
		if err != nil {
			t.Fatal(err)
		}
		if s := show(got.Rows); s != `support|UTC|postgres|7s|public|10` {
			t.Errorf("in a snapshot: %s", s)
		}
		snap.Close()
	}
}
