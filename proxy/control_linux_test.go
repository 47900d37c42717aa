//go:build linux && !noeventloop

package proxy_test

import (
	"errors"
	"fmt"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// An event loop that can't wait for a session's connections ends that session with an error, and no other one.
func TestLoop_ControlFails(t *testing.T) {
	b := start(t, nil)
	var deny atomic.Bool
	err := b.Control(func(epoll, op, fd int, events uint32) error {
		if deny.Load() && op != syscall.EPOLL_CTL_DEL {
			return syscall.ENOMEM
		}
		return syscall.EpollCtl(epoll, op, fd, &syscall.EpollEvent{Events: events, Fd: int32(fd)})
	})
	if err != nil {
		t.Fatal(err)
	}
	other := b.connect(t)
	works := func() {
		t.Helper()
		var one int
		if err := other.QueryRow(within(t), "select 1").Scan(&one); err != nil || one != 1 {
			t.Fatal(one, err)
		}
	}
	t.Run("a session that begins", func(t *testing.T) {
		deny.Store(true)
		conn, err := pgx.Connect(within(t), fmt.Sprintf("postgres://postgres@%s/%s?sslmode=disable", b.addr, sampleDB(t)))
		if err == nil {
			_, err = conn.Exec(within(t), "select 1")
		}
		deny.Store(false)
		if e, ok := errors.AsType[*pgconn.PgError](err); ok && e.Code != "53200" || err == nil {
			t.Fatalf("%v, want 53200 or the end of the connection", err)
		}
		waitAtMost(t, "sessions", 1, b.Sessions)
		works()
	})
	t.Run("a session whose client does not read", func(t *testing.T) {
		conn := b.connect(t)
		deny.Store(true) // epoll is told nothing until the client takes no more
		rows := conn.PgConn().Exec(within(t), "select repeat('x', 1000000) from generate_series(1, 100)")
		defer rows.Close()
		waitAtMost(t, "sessions", 1, b.Sessions)
		deny.Store(false)
		works()
	})
}
