package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"askpg/ask"
	"askpg/internal/shop"
)

// TestServe_DrainTLS ends a process whose sessions are encrypted: idle ones, those that an event loop waits for and
// those that have goroutines, are told so at once. Statements and transactions come to their end first. A second signal
// waits for nothing.
func TestServe_DrainTLS(t *testing.T) {
	cert, key := selfSigned(t, "askpg")
	config, address, admin := writeConfig(t, fmt.Sprintf("[tls]\nmode = \"require\"\ncert = %q\nkey = %q\n", cert, key))
	p := serveProcess(t, config, address, admin)
	ctx := testContext(t)
	dial := func(n int) (all []*pgx.Conn) {
		for range n {
			all = append(all, connect(t, "postgres://"+shop.Analyst+"@"+address+"/shop?sslmode=require"))
		}
		return all
	}
	parked := dial(8)
	eventually(t, "sessions are parked", func() bool {
		return strings.Contains(page(t, "http://"+admin+"/metrics"), "\naskpg_sessions_parked 8\n")
	})
	idle, open := dial(8), dial(4)
	for _, conn := range open {
		if _, err := conn.Exec(ctx, "BEGIN"); err != nil {
			t.Fatal(err)
		}
	}
	type outcome struct {
		conn *pgx.Conn
		got  string
		err  *pgconn.PgError
	}
	running := dial(8)
	done := make(chan outcome, len(running))
	for _, conn := range running {
		go func() {
			got, err := asked(ctx, conn, "SELECT 'done' FROM pg_sleep(1.5)")
			done <- outcome{conn, got, err}
		}()
	}
	eventually(t, "statements run", func() bool {
		return count(t, "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND query LIKE 'SELECT ''done''%'") == len(running)
	})
	if err := p.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	for i, conn := range append(parked, idle...) {
		// What the session is told comes without being asked for.
		err := told(ctx, conn)
		if err.Code != ask.CodeAdminShutdown {
			t.Errorf("idle session %d: %v", i, err)
		}
	}
	for range running {
		o := <-done
		if o.err != nil || o.got != "done" {
			t.Errorf("a statement was cut: %q, %v", o.got, o.err)
		}
		if err := told(ctx, o.conn); err.Code != ask.CodeAdminShutdown {
			t.Errorf("after the statement: %v", err)
		}
	}
	for _, conn := range open[:2] {
		if got, err := asked(ctx, conn, "SELECT 'still here'"); err != nil || got != "still here" {
			t.Errorf("in a transaction: %q, %v", got, err)
		}
	}
	if _, err := open[0].Exec(ctx, "COMMIT"); err != nil {
		t.Error(err)
	}
	if err := told(ctx, open[0]); err.Code != ask.CodeAdminShutdown {
		t.Errorf("after the transaction: %v", err)
	}
	if err := p.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := p.Wait(); err != nil {
		t.Errorf("exit: %v\n%s", err, p.log)
	}
	for i, conn := range open[1:] {
		if err := told(ctx, conn); err.Code != ask.CodeAdminShutdown {
			t.Errorf("transaction %d, after the second signal: %v", i, err)
		}
	}
}

// told returns the error that a session is told without asking for anything.
func told(ctx context.Context, conn *pgx.Conn) *pgconn.PgError {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	for {
		if _, err := conn.PgConn().ReceiveMessage(ctx); err != nil {
			var pg *pgconn.PgError
			if !errors.As(err, &pg) {
				pg = &pgconn.PgError{Code: "none", Message: err.Error()}
			}
			return pg
		}
	}
}

// page returns what a page says.
func page(t *testing.T, url string) string {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
