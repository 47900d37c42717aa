package replica_test

import (
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/replica"
)

// opened runs a statement for a client and returns its rows, and whether it
// ran without being judged anew.
func opened(t *testing.T, r *replica.Replica, s ask.Session, sql string) (got string, again bool, err error) {
	t.Helper()
	rows, err := r.Open(deadline(t), s, sql, nil)
	if err != nil {
		return "", false, err
	}
	defer rows.Close()
	var all [][][]byte
	for rows.Next() {
		var row [][]byte
		for _, v := range rows.Values() {
			row = append(row, append([]byte(nil), v...))
		}
		all = append(all, row)
	}
	return show(all), rows.Repeated(), rows.Err()
}

// askUntilRepeated asks until the statement runs without being judged anew: the standby
// replays what others of the cluster do.
func askUntilRepeated(t *testing.T, r *replica.Replica, s ask.Session, sql string) string {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		got, again, err := opened(t, r, s, sql)
		if err != nil {
			t.Fatal(err)
		}
		if again {
			return got
		}
	}
	t.Fatal("the statement is judged anew each time")
	return ""
}

// A statement that ran before and runs again behind assertions is refused, or
// means something else, as soon as the standby knows why.
func TestOpen_Repeat(t *testing.T) {
	const sql = "select id, name from customers where id <= 2 order by id"
	for _, tt := range []struct {
		name, change, want, code string
	}{
		{"nothing", "", "1|customer 1\n2|customer 2", ""},
		{"rows", "update customers set name = 'changed' where id = 1", "1|changed\n2|customer 2", ""},
		{"right taken", "revoke select on customers from analyst; revoke select (id, name, city) on customers from analyst", "", "42501"},
		{"another table by the name", "create schema analyst; create table analyst.customers as select 1 as id, 'shadow' as name; grant usage on schema analyst to analyst; grant select on analyst.customers to analyst", "1|shadow", ""},
		{"an operator of a user", `create function public.trap(int, int) returns bool language plpgsql volatile as 'begin return true; end';
			create operator public.<= (leftarg = int, rightarg = int, function = public.trap)`, "1|customer 1\n2|customer 2", ""},
		{"a privileged role", "grant pg_signal_backend to analyst", "", "42501"},
		{"table dropped", "drop table customers cascade", "", "42P01"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			db := pgtest.NewDatabase(t, script)
			c := pgtest.Shared(t)
			r := start(t, config(t, c.Standby))
			s := session(db, "analyst")
			if got := askUntilRepeated(t, r, s, sql); got != "1|customer 1\n2|customer 2" {
				t.Fatal(got)
			}
			conn, err := pgx.Connect(deadline(t), c.Primary.URL(pgtest.Superuser, db))
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close(deadline(t))
			if tt.change != "" {
				if _, err := conn.Exec(deadline(t), tt.change); err != nil {
					t.Fatal(err)
				}
				defer func() {
					_, err := conn.Exec(deadline(t), `revoke pg_signal_backend from analyst`)
					if err != nil {
						t.Error(err)
					}
				}()
				pgtest.CatchUp(t)
			}
			got, again, err := opened(t, r, s, sql)
			if got != tt.want || code(err) != tt.code {
				t.Errorf("%q, %v; want %q, %q", got, err, tt.want, tt.code)
			}
			if again && tt.change != "" {
				t.Error("it was not judged anew")
			}
			// What a connection has kept of the statement is not run any more.
			for range 2 {
				if tt.code == "" {
					if got := askUntilRepeated(t, r, s, sql); got != tt.want {
						t.Errorf("then %q, want %q", got, tt.want)
					}
				}
			}
		})
	}
}

// The server itself compares the schemas that names are looked up in with those
// of the judgement, whatever the position says.
func TestOpen_RepeatAnotherPath(t *testing.T) {
	db := pgtest.NewDatabase(t, script)
	r := start(t, config(t, pgtest.Shared(t).Standby))
	s := session(db, "analyst")
	const sql = "select name from customers where id = 1"
	if got := askUntilRepeated(t, r, s, sql); got != "customer 1" {
		t.Fatal(got)
	}
	r.Misremember(db, "pg_catalog", "elsewhere")
	if got, again, err := opened(t, r, s, sql); got != "customer 1" || again || err != nil {
		t.Errorf("%q, again %v, %v; want the row, judged anew", got, again, err)
	}
	if got := askUntilRepeated(t, r, s, sql); got != "customer 1" {
		t.Error(got)
	}
}

// The same text of another asker, or under other settings, is another question.
func TestOpen_RepeatIsOnesOwn(t *testing.T) {
	db := pgtest.NewDatabase(t, script)
	r := start(t, config(t, pgtest.Shared(t).Standby))
	const sql = "select count(*) from orders"
	if got := askUntilRepeated(t, r, session(db, "analyst"), sql); got != "1000" {
		t.Fatal(got)
	}
	if got, again, err := opened(t, r, session(db, "support"), sql); got != "10" || again || err != nil {
		t.Errorf("another role: %q, again %v, %v", got, again, err)
	}
	other := session(db, "analyst")
	other.Settings["search_path"] = "pg_catalog"
	if got, again, err := opened(t, r, other, sql); again || code(err) != "42P01" {
		t.Errorf("another path: %q, again %v, %v", got, again, err)
	}
	stranger := session(db, "stranger")
	if _, again, err := opened(t, r, stranger, sql); again || code(err) != "42501" {
		t.Errorf("a stranger: again %v, %v", again, err)
	}
}

// Limits and the read-only transaction hold for a statement that runs again.
func TestOpen_RepeatWithinLimits(t *testing.T) {
	db := pgtest.NewDatabase(t, script)
	cfg := config(t, pgtest.Shared(t).Standby)
	cfg.FetchTimeout, cfg.MaxRows = ask.Duration(time.Second), 3
	r := start(t, cfg)
	s := session(db, "analyst")
	s.Settings["TimeZone"] = "Asia/Tokyo"
	if got := askUntilRepeated(t, r, s, "select timestamptz '2026-01-01 00:00+00', current_user"); got != "2026-01-01 09:00:00+09|analyst" {
		t.Error(got)
	}
	const slow = "select count(*) from generate_series(1, 30000) a, generate_series(1, 30000) b"
	for end := time.Now().Add(30 * time.Second); ; {
		_, again, err := opened(t, r, s, slow)
		if code(err) != ask.CodeQueryCanceled {
			t.Fatalf("%v; want a timeout", err)
		}
		if again {
			break
		}
		if time.Now().After(end) {
			t.Fatal("the statement is judged anew each time")
		}
	}
	rows, err := r.Open(deadline(t), s, "select id from customers", nil)
	if err != nil {
		t.Fatal(err)
	}
	rows.Close() // in the middle
	idle(t, pgtest.Shared(t).Standby, "select id from customers")
	if got := askUntilRepeated(t, r, s, "select id from customers"); strings.Count(got, "\n") != 2 {
		t.Errorf("%q is not cut off at 3 rows", got)
	}
}

// What a statement leaves behind in its session that got past every wall, the
// next one does not meet: prepared statements of askpg's names least of all.
func TestSession_OwnStatements(t *testing.T) {
	db := pgtest.NewDatabase(t, script)
	cfg := config(t, pgtest.Shared(t).Standby)
	r := start(t, cfg)
	s := session(db, "analyst")
	snap := begin(t, r, s)
	pid := func() string {
		got, err := snap.RunUnguarded(deadline(t), "", "select pg_backend_pid(), count(*) from pg_prepared_statements where name !~ '^(askpg[.]|answer$)'")
		if err != nil {
			t.Fatal(err)
		}
		if string(got.Rows[0][1]) != "0" {
			t.Errorf("%s foreign prepared statements", got.Rows[0][1])
		}
		return string(got.Rows[0][0])
	}
	for _, before := range []string{
		"prepare mine as select 1",
		`deallocate "askpg.state"`,
		`deallocate all`,
		`deallocate "askpg.unchanged"; prepare "askpg.unchanged" (text) as select 1 where $1 is not null`,
	} {
		got, err := snap.RunUnguarded(deadline(t), before, "select pg_backend_pid()")
		if err != nil {
			t.Fatalf("%s: %v", before, err)
		}
		for range 3 {
			if pid() == show(got.Rows) {
				t.Errorf("%s: the session is used again", before)
			}
		}
	}
	if a, b := pid(), pid(); a != b {
		t.Error("a session that was left as it was is not used again")
	}
}
