package replica_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/replica"
)

// TestBackendLeft stops a backend's process, so that it reacts to its cancel no more than PostgreSQL's long computations do:
// the connection is cut, and the statement's place stays taken until the backend goes on and ends.
func TestBackendLeft(t *testing.T) {
	db := pgtest.NewDatabase(t, script)
	standby := pgtest.Shared(t).Standby
	const slow = "with recursive x as (select 1 as n union all select n + 1 from x) select 'left behind', count(*) from x"
	for what, statement := range map[string]func(*replica.Replica, string) error{
		"candidate": func(r *replica.Replica, sql string) error {
			snap, err := r.Begin(deadline(t), session(db, "analyst"))
			if err != nil {
				return err
			}
			defer snap.Close()
			_, err = snap.Run(deadline(t), sql)
			return err
		},
		"plan": func(r *replica.Replica, sql string) error {
			ctx, cancel := context.WithTimeout(deadline(t), time.Second)
			defer cancel()
			return r.As(ctx, db, "analyst", func(tx pgx.Tx) error {
				_, err := tx.Exec(ctx, sql)
				return err
			})
		},
		"answer": func(r *replica.Replica, sql string) error {
			rows, err := r.Open(deadline(t), session(db, "analyst"), sql, nil)
			if err != nil {
				return err
			}
			defer rows.Close()
			for rows.Next() {
			}
			return rows.Err()
		},
	} {
		t.Run(what, func(t *testing.T) {
			cfg := config(t, standby)
			cfg.PerRole, cfg.QueueTimeout = 1, ask.Duration(20*time.Millisecond)
			cfg.StatementTimeout, cfg.FetchTimeout = ask.Duration(time.Second), ask.Duration(time.Second)
			reg := prometheus.NewRegistry()
			r, err := replica.New(cfg, slog.New(slog.NewTextHandler(io.Discard, nil)), reg)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(r.Close)
			done := make(chan error)
			go func() { done <- statement(r, slow) }()
			running(t, standby, "left behind")
			admin, err := pgx.Connect(deadline(t), standby.URL(pgtest.Superuser, "postgres"))
			if err != nil {
				t.Fatal(err)
			}
			defer admin.Close(deadline(t))
			var pid int
			if err := admin.QueryRow(deadline(t), "select pid from pg_stat_activity where query like '%left behind%' and state = 'active' and pid <> pg_backend_pid()").Scan(&pid); err != nil {
				t.Fatal(err)
			}
			if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
				t.Skip("the server's processes are not this one's to stop: ", err)
			}
			t.Cleanup(func() { _ = syscall.Kill(pid, syscall.SIGCONT) })
			if err := <-done; err == nil {
				t.Fatal("a statement without an end has ended")
			}
			left := func(want float64) error {
				if n := metric(t, reg, "askpg_replica_backends_left"); n != want {
					return fmt.Errorf("%v backends are left, not %v", n, want)
				}
				return nil
			}
			eventually(t, func() error { return left(1) })
			if err := statement(r, "select 1"); ask.CodeOf(err) != "53300" {
				t.Errorf("a further statement of the role while the backend is left: %v", err)
			}
			if err := syscall.Kill(pid, syscall.SIGCONT); err != nil {
				t.Fatal(err)
			}
			eventually(t, func() error { return errors.Join(left(0), statement(r, "select 1")) })
		})
	}
}

// TestBackendLeft_Repeated stops the backend of a statement that runs again. The place is given back once, when the backend has ended.
func TestBackendLeft_Repeated(t *testing.T) {
	db := pgtest.NewDatabase(t, script)
	standby := pgtest.Shared(t).Standby
	cfg := config(t, standby)
	cfg.PerRole, cfg.QueueTimeout = 1, ask.Duration(20*time.Millisecond)
	r := start(t, cfg)
	const sql = "select count(*) from customers"
	askUntilRepeated(t, r, session(db, "analyst"), sql)
	admin, err := pgx.Connect(deadline(t), standby.URL(pgtest.Superuser, "postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close(deadline(t))
	rows, _ := admin.Query(deadline(t), "select pid from pg_stat_activity where datname = $1 and usename = 'askpg'", db)
	pids, err := pgx.CollectRows(rows, pgx.RowTo[int])
	if err != nil {
		t.Fatal(err)
	}
	signal := func(s syscall.Signal) (err error) {
		for _, pid := range pids {
			err = errors.Join(err, syscall.Kill(pid, s))
		}
		return err
	}
	if err := signal(syscall.SIGSTOP); err != nil {
		t.Skip("the server's processes are not this one's to stop: ", err)
	}
	t.Cleanup(func() { _ = signal(syscall.SIGCONT) })
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := r.Open(ctx, session(db, "analyst"), sql, nil); err == nil {
		t.Fatal("a stopped backend has answered")
	}
	if _, _, err := opened(t, r, session(db, "analyst"), sql); ask.CodeOf(err) != "53300" {
		t.Errorf("a further statement of the role while the backend is left: %v", err)
	}
	if err := signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() error { _, _, err := opened(t, r, session(db, "analyst"), sql); return err })
}
