package replica_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"askpg/ask"
	"askpg/internal/pgserver"
	"askpg/internal/pgtest"
	"askpg/replica"
)

func dialer(address string) replica.Dial {
	return func(ctx context.Context) (net.Conn, error) { return new(net.Dialer).DialContext(ctx, "tcp", address) }
}

func TestComparePrimary(t *testing.T) {
	c := pgtest.Shared(t)
	// Made by an initdb of its own: those of one template have one system identifier.
	other, err := pgtest.Start(t.Context(), pgtest.Options{NoStandby: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = other.Close() })
	pgtest.Exec(t, other.Primary.URL("postgres", ""), "create role askpg login")
	database := pgtest.NewDatabase(t, script)
	pgtest.CatchUp(t)
	r := start(t, config(t, c.Standby))
	for _, tt := range []struct {
		name, primary string
		found         []string // parts of what is found, one for each finding
		problem       string
	}{
		{"the primary", c.Primary.Address(), []string{"one cluster"}, ""},
		{"another cluster", other.Primary.Address(), []string{"primary " + other.Primary.Address()}, "they are two clusters"},
		{"cannot be reached", "127.0.0.1:1", []string{"cannot ask it: failed to connect to `user=askpg database=postgres`: dial error: dial tcp 127.0.0.1:1:"}, "still refused"},
		{"a standby", c.Standby.Address(), []string{"is a standby itself", "one cluster"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			found := r.ComparePrimary(deadline(t), tt.primary, dialer(tt.primary))
			if len(found) != len(tt.found) {
				t.Fatalf("found %+v", found)
			}
			for i, f := range found {
				if !strings.Contains(f.What, tt.found[i]) || !strings.Contains(tt.problem, "two") != (f.Problem == "") || f.Problem != "" && (!strings.Contains(f.Problem, tt.problem) || f.Fix == "") {
					t.Errorf("found %+v", f)
				}
			}
			snap, err := r.Begin(deadline(t), session(database, "analyst"))
			if told := r.Audit(deadline(t), database); (len(told) > 0) != (tt.problem == "") {
				t.Errorf("the replica is told of again: %+v", told)
			}
			if tt.problem == "" {
				if err != nil {
					t.Fatal(err)
				}
				snap.Close()
				return
			}
			if e := ask.AsError(err); e == nil || e.Code != "55000" || !strings.Contains(e.Detail, "two clusters") || !strings.Contains(e.Hint, "primary.address") {
				t.Fatalf("a question gets %v", err)
			}
		})
	}
}

// TestComparePrimary_Failover: a standby that was promoted gets no questions from then on. Nor does a standby that goes on
// following another primary; one that follows the promoted server gets them once it has replayed the promotion.
func TestComparePrimary_Failover(t *testing.T) {
	stays := pgtest.Shared(t)
	database := pgtest.NewDatabase(t, script)
	// Made of one template, both clusters have one system identifier.
	failed := pgtest.NewCluster(t, pgtest.Options{})
	pgtest.Exec(t, failed.Primary.URL(pgtest.Superuser, "postgres"), "create role askpg login noinherit; alter role askpg set log_min_messages = 'fatal'; create role analyst; grant analyst to askpg")
	if err := failed.CatchUp(deadline(t)); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	r, err := replica.New(config(t, stays.Standby), slog.New(slog.NewTextHandler(&log, nil)), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	found := func(r *replica.Replica, primary string) replica.Finding {
		t.Helper()
		list := r.ComparePrimary(deadline(t), primary, dialer(primary))
		if len(list) != 1 {
			t.Fatalf("found %+v", list)
		}
		return list[0]
	}
	promoted := failed.Standby.Address()
	if f := found(r, failed.Primary.Address()); f.Problem != "" {
		t.Fatalf("before the promotion: %+v", f)
	}
	asking, asker := start(t, config(t, failed.Standby)), session("postgres", "analyst")
	askUntilRepeated(t, asking, asker, "select 1")
	if err := failed.Primary.Stop(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	pgtest.Exec(t, failed.Standby.URL(pgtest.Superuser, "postgres"), "select pg_promote()")
	for _, sql := range []string{"select 1", "select 2"} { // one that was judged, and one that was not
		if got, _, err := opened(t, asking, asker, sql); ask.CodeOf(err) != ask.CodeObjectNotReady || !strings.Contains(err.Error(), "is a primary") {
			t.Errorf("on the promoted server %s gives %q, %v", sql, got, err)
		}
	}
	if f := found(r, promoted); f.Problem == "" || !strings.Contains(f.Problem, "timeline 1") || !strings.Contains(f.Problem, "timeline 2") || f.Fix == "" {
		t.Errorf("a standby of another primary: %+v", f)
	}
	snap, err := r.Begin(deadline(t), session(database, "analyst"))
	if e := ask.AsError(err); e == nil || e.Code != "55000" {
		t.Errorf("a question to a standby of another primary gets %v", err)
	}
	if err == nil {
		snap.Close()
	}
	for range 2 { // it is told once
		if f := found(r, stays.Primary.Address()); f.Problem != "" {
			t.Errorf("its own primary: %+v", f)
		}
	}
	if got := strings.Count(log.String(), "a replica is a standby of the primary again"); got != 1 {
		t.Errorf("the end of the problem is logged %d times:\n%s", got, log.String())
	}

	// The one that was the primary follows the promoted server.
	signal := filepath.Join(failed.Primary.Dir, "standby.signal")
	info, err := os.Stat(failed.Primary.Dir)
	if err != nil {
		t.Fatal(err)
	}
	owner := info.Sys().(*syscall.Stat_t)
	if err := errors.Join(os.WriteFile(signal, nil, 0o600), os.Chown(signal, int(owner.Uid), int(owner.Gid))); err != nil {
		t.Fatal(err)
	}
	conf, err := os.OpenFile(filepath.Join(failed.Primary.Dir, "postgresql.auto.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = fmt.Fprintf(conf, "primary_conninfo = 'host=%s port=%d user=%s'\n", failed.Standby.Host, failed.Standby.Port, pgtest.Superuser)
	if err := errors.Join(err, conf.Close(), failed.Primary.Start(t.Context())); err != nil {
		t.Fatal(err)
	}
	failed.Primary, failed.Standby = failed.Standby, failed.Primary
	if err := failed.CatchUp(deadline(t)); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	follows := start(t, config(t, failed.Standby))
	for f := found(follows, promoted); f.Problem != ""; f = found(follows, promoted) {
		if time.Since(began) > time.Minute {
			t.Fatalf("a standby of the promoted server: %+v", f)
		}
		for _, s := range []*pgserver.Server{failed.Primary, failed.Standby} {
			pgtest.Exec(t, s.URL(pgtest.Superuser, "postgres"), "checkpoint")
		}
	}
	t.Logf("%s until it is known that it follows", time.Since(began))
}
