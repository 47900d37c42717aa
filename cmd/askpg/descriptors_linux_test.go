package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"golang.org/x/sys/unix"

	"askpg/internal/shop"
)

// TestServe_Descriptors opens sessions until askpg has no file descriptor left for one:
// everybody else is told so with 53300, sessions that are open go on, their questions too,
// and there is room when sessions have ended.
func TestServe_Descriptors(t *testing.T) {
	config, address, admin := writeConfig(t, "")
	p := serveProcess(t, config, address, admin)
	if _, err := asked(testContext(t), connect(t, p.url(shop.Analyst)), "-- ask: how many customers do we have"); err != nil {
		t.Fatal(err)
	}
	if err := unix.Prlimit(p.Process.Pid, unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: 60, Max: 60}, nil); err != nil {
		t.Fatal(err)
	}
	var open []*pgconn.PgConn
	refused := 0
	for refused < 40 {
		conn, err := pgconn.Connect(testContext(t), p.url(shop.Analyst))
		var e *pgconn.PgError
		switch {
		case err == nil:
			open = append(open, conn)
		case errors.As(err, &e) && e.Code == "53300" && e.Severity == "FATAL" && strings.Contains(e.Hint, "ulimit -n"):
			refused++
		default:
			t.Fatalf("session %d, after %d that were refused: %v", len(open)+1, refused, err)
		}
		if len(open) > 60 {
			t.Fatal("more sessions than descriptors")
		}
	}
	if len(open) == 0 {
		t.Fatal("no session")
	}
	for _, conn := range open {
		if r := conn.ExecParams(testContext(t), "SELECT 1", nil, nil, nil, nil).Read(); r.Err != nil {
			t.Fatalf("a session that was open: %v", r.Err)
		}
	}
	if r := open[0].Exec(testContext(t), "-- ask: how many orders do we have"); r.Close() != nil {
		t.Fatalf("a question in a session that was open: %v", r.Close())
	}
	if n := strings.Count(p.log.String(), "accepting a connection failed"); n > 0 {
		t.Errorf("accepting failed %d times", n)
	}
	for _, conn := range open {
		if err := conn.Close(testContext(t)); err != nil {
			t.Fatal(err)
		}
	}
	var again *pgx.Conn // the server closes the other ends behind: what it has let in once is kept
	eventually(t, "room again", func() bool {
		conn, err := pgx.Connect(testContext(t), p.url(shop.Analyst))
		again = conn
		return err == nil
	})
	defer again.Close(testContext(t))
	if _, err := asked(testContext(t), again, "-- ask: how many customers do we have"); err != nil {
		t.Error(err)
	}
}
