package replica_test

import (
	"net/url"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/replica"
)

func urlOf(hosts ...string) string {
	u := url.URL{Scheme: "postgres", User: url.User("askpg"), Host: strings.Join(hosts, ","), Path: "/postgres", RawQuery: "sslmode=disable"}
	return u.String()
}

func TestBegin_Hosts(t *testing.T) {
	db := pgtest.NewDatabase(t, script)
	c := pgtest.Shared(t)
	const dead = "127.0.0.1:1"
	for _, tt := range []struct {
		name    string
		url     string
		primary bool
		want    string // host that is used
		code    string
	}{
		{"standby", urlOf(c.Standby.Address()), false, c.Standby.Address(), ""},
		{"primary", urlOf(c.Primary.Address()), false, "", "55000"},
		{"primary allowed", urlOf(c.Primary.Address()), true, c.Primary.Address(), ""},
		{"dead", urlOf(dead), false, "", "08006"},
		{"dead, standby", urlOf(dead, c.Standby.Address()), false, c.Standby.Address(), ""},
		{"primary, standby", urlOf(c.Primary.Address(), c.Standby.Address()), false, c.Standby.Address(), ""},
		{"dead, primary", urlOf(dead, c.Primary.Address()), false, "", "08006"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cfg := config(t, c.Standby)
			cfg.URL, cfg.AllowPrimary = tt.url, tt.primary
			snap, err := start(t, cfg).Begin(deadline(t), session(db, "analyst"))
			if ask.CodeOf(err) != tt.code {
				t.Fatalf("got %v, want %q", err, tt.code)
			}
			if err != nil {
				if e := ask.AsError(err); e.Hint == "" || e.Detail == "" {
					t.Fatalf("no detail or hint in %+v", e)
				}
				return
			}
			defer snap.Close()
			if got := snap.Replica(); got.Name != tt.want || got.Primary != tt.primary {
				t.Fatalf("got %+v, want %s", got, tt.want)
			}
			if tt.primary != (len(snap.Notices()) == 1) {
				t.Fatalf("notices %q", snap.Notices())
			}
		})
	}
}

func TestBegin_Errors(t *testing.T) {
	db := pgtest.NewDatabase(t, script+"do $$ begin create role su superuser login; exception when duplicate_object then null; end $$;")
	c := pgtest.Shared(t)
	for _, tt := range []struct {
		name string
		edit func(cfg *replica.Config, s *ask.Session)
		code string
		hint string
	}{
		{"superuser login", func(cfg *replica.Config, s *ask.Session) { cfg.URL = c.Standby.URL("su", "postgres") }, "42501", "CREATE ROLE"},
		{"no such login", func(cfg *replica.Config, s *ask.Session) { cfg.URL = c.Standby.URL("nobody", "postgres") }, "42501", "replica.url"},
		{"no such database", func(cfg *replica.Config, s *ask.Session) { s.Database = "no_such" }, "3D000", "replayed"},
		{"role not granted", func(cfg *replica.Config, s *ask.Session) { s.Role = "stranger" }, "42501", `GRANT "stranger" TO "askpg"`},
		{"no such role", func(cfg *replica.Config, s *ask.Session) { s.Role = "ghost" }, "42501", "replayed"},
		{"hostile role", func(cfg *replica.Config, s *ask.Session) { s.Role = `x"; reset role; --` }, "42501", ""},
		{"superuser role is one", func(cfg *replica.Config, s *ask.Session) { s.Role, cfg.SuperuserRole = "su", "su" }, "42501", "superuser_role"},
		{"superuser role is privileged", func(cfg *replica.Config, s *ask.Session) { s.Role, cfg.SuperuserRole = "su", "reader" }, "42501", "superuser_role"},
		{"superuser role is missing", func(cfg *replica.Config, s *ask.Session) { s.Role, cfg.SuperuserRole = "su", "ghost" }, "42501", "superuser_role"},
		{"superuser that hides", func(cfg *replica.Config, s *ask.Session) { s.Role, cfg.SuperuserRole = "su", "analyst" }, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cfg, s := config(t, c.Standby), session(db, "analyst")
			tt.edit(&cfg, &s)
			snap, err := start(t, cfg).Begin(deadline(t), s)
			if err == nil {
				defer snap.Close()
			}
			e := ask.AsError(err)
			if ask.CodeOf(err) != tt.code || e != nil && !strings.Contains(e.Hint, tt.hint) {
				t.Fatalf("got %#v", e)
			}
		})
	}
}

// TestBegin_Lag stops replay: the standby is refused when it is too far
// behind, and idleness alone is no lag.
func TestBegin_Lag(t *testing.T) {
	db := pgtest.NewDatabase(t, script)
	c := pgtest.Shared(t)
	cfg := config(t, c.Standby)
	cfg.MaxLag = ask.Duration(time.Millisecond)
	r := start(t, cfg)
	pgtest.CatchUp(t)
	snap := begin(t, r, session(db, "analyst")) // idle for longer than a millisecond
	snap.Close()

	ctx := deadline(t)
	super, err := pgx.Connect(ctx, c.Standby.URL(pgtest.Superuser, "postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer super.Close(ctx)
	if _, err := super.Exec(ctx, "select pg_wal_replay_pause()"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pgtest.Exec(t, c.Standby.URL(pgtest.Superuser, "postgres"), "select pg_wal_replay_resume()") })
	for state := ""; state != "paused"; {
		if err := super.QueryRow(ctx, "select pg_get_wal_replay_pause_state()").Scan(&state); err != nil {
			t.Fatal(err)
		}
	}
	pgtest.Exec(t, c.Primary.URL(pgtest.Superuser, db), "insert into customers values (102, 'late', 'Bonn')")
	for behind := false; !behind; {
		if err := super.QueryRow(ctx, "select pg_last_wal_receive_lsn() > pg_last_wal_replay_lsn()").Scan(&behind); err != nil {
			t.Fatal(err)
		}
	}
	_, err = r.Begin(ctx, session(db, "analyst"))
	if e := ask.AsError(err); e == nil || e.Code != "57P03" || !strings.Contains(e.Message, "behind") || e.Hint == "" {
		t.Fatalf("got %v", err)
	}
	cfg.MaxLag = ask.Duration(time.Hour)
	snap = begin(t, start(t, cfg), session(db, "analyst"))
	if snap.Replica().Lag <= 0 {
		t.Fatalf("lag %s", snap.Replica().Lag)
	}
}

// TestFailover takes the standby away and gives it back.
func TestFailover(t *testing.T) {
	db := pgtest.NewDatabase(t, script)
	c := pgtest.Shared(t)
	cfg := config(t, c.Standby)
	cfg.URL, cfg.AllowPrimary = urlOf(c.Standby.Address(), c.Primary.Address()), true
	cfg.RetryAfter = ask.Duration(time.Millisecond)
	r := start(t, cfg)
	where := func() string {
		snap := begin(t, r, session(db, "analyst"))
		defer snap.Close()
		if _, err := snap.Run(deadline(t), "select 1"); err != nil {
			t.Fatal(err)
		}
		return snap.Replica().Name
	}
	if got := where(); got != c.Standby.Address() {
		t.Fatalf("at first %s", got)
	}
	lost := begin(t, r, session(db, "analyst"))
	if err := c.Standby.Stop(syscall.SIGQUIT); err != nil {
		t.Fatal(err)
	}
	if _, err := lost.Run(deadline(t), "select 1"); ask.CodeOf(err) != "08006" && ask.CodeOf(err) != "57P02" {
		t.Errorf("on the lost standby: %v", err)
	}
	lost.Close()
	if got := where(); got != c.Primary.Address() {
		t.Errorf("without the standby %s", got)
	}
	if err := c.Standby.Start(deadline(t)); err != nil {
		t.Fatal(err)
	}
	pgtest.CatchUp(t)
	if got := where(); got != c.Standby.Address() {
		t.Fatalf("at last %s", got)
	}
}

func TestAudit(t *testing.T) {
	db := pgtest.NewDatabase(t, script+loud+`
		do $$ begin create role sloppy login inherit createdb createrole; exception when duplicate_object then null; end $$;
		do $$ begin create role far login in role pg_signal_backend; exception when duplicate_object then null; end $$;
		do $$ begin create role boss superuser; exception when duplicate_object then null; end $$;
		do $$ begin create role halfway in role boss; exception when duplicate_object then null; end $$;
		do $$ begin create role reaching login noinherit in role halfway, pg_read_server_files; exception when duplicate_object then null; end $$;
		grant analyst, far to sloppy; grant create on schema public to public`)
	c := pgtest.Shared(t)
	problems := func(cfg replica.Config) string {
		var list []string
		for _, f := range start(t, cfg).Audit(deadline(t), db) {
			if f.Problem != "" {
				list = append(list, f.Problem+" => "+f.Fix)
			}
		}
		return strings.Join(list, "\n")
	}
	cfg := config(t, c.Standby)
	if got := problems(cfg); !strings.Contains(got, "REVOKE CREATE ON SCHEMA public FROM PUBLIC") || strings.Count(got, "\n") != 0 {
		t.Errorf("askpg: %s", got)
	}
	for role, want := range map[string]string{"analyst": "", "ghost": `"ghost" does not exist`, "boss": `"boss" is itself privileged`} {
		cfg.SuperuserRole = role
		if got := problems(cfg); strings.Contains(got, "superuser_role") != (want != "") || !strings.Contains(got, want) {
			t.Errorf("superuser_role %s: %s", role, got)
		}
	}
	cfg.SuperuserRole = ""
	cfg.URL = c.Standby.URL("sloppy", "postgres")
	inherit := "NOINHERIT"
	var version int
	if one(t, c.Primary, "select current_setting('server_version_num')::int / 10000", &version); version >= 16 {
		inherit = "WITH INHERIT FALSE, SET TRUE" // of each grant
	}
	for _, want := range []string{"CREATEDB", "CREATEROLE", "REVOKE pg_signal_backend", inherit, "temp_file_limit", "log_min_messages"} {
		if got := problems(cfg); !strings.Contains(got, want) {
			t.Errorf("sloppy: no word of %s in:\n%s", want, got)
		}
	}
	cfg.URL = c.Standby.URL("reaching", "postgres")
	if got := problems(cfg); !strings.Contains(got, `"reaching" could become boss, pg_read_server_files`) {
		t.Errorf("reaching: %s", got)
	}
	for login, ok := range map[string]bool{"askpg": true, "sloppy": true, "reaching": false, pgtest.Superuser: false} {
		cfg.URL = c.Standby.URL(login, "postgres")
		if err := start(t, cfg).VerifyLogin(deadline(t)); (err == nil) != ok {
			t.Errorf("%s: got %v", login, err)
		}
	}
	cfg.URL = c.Primary.URL("askpg", "postgres")
	if got := problems(cfg); !strings.Contains(got, "allow_primary") {
		t.Errorf("primary: %s", got)
	}
}
