package proxy_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/prometheus/client_golang/prometheus"

	"askpg/internal/pgtest"
	"askpg/proxy"
)

func gauge(t *testing.T, registry *prometheus.Registry, name string) int {
	t.Helper()
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() == name {
			return int(f.GetMetric()[0].GetGauge().GetValue())
		}
	}
	t.Fatalf("there is no metric %s", name)
	return 0
}

// Idle sessions with TLS hold no goroutine, and notice no difference.
func TestPark(t *testing.T) {
	ca := newAuthority(t)
	cert, key := ca.issue(t, "askpg")
	registry := prometheus.NewRegistry()
	b := startWith(t, registry, func(c *proxy.Config) {
		c.TLS = proxy.TLSConfig{Mode: "allow", Cert: cert, Key: key}
		c.ReleaseAfter(20 * time.Millisecond)
	})
	parked := func() int { return gauge(t, registry, "askpg_sessions_parked") }
	connect := func() *pgx.Conn {
		t.Helper()
		conn, err := pgx.Connect(within(t), fmt.Sprintf("postgres://postgres@%s/%s?sslmode=require", b.addr, sampleDB(t)))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close(context.Background()) })
		return conn
	}
	const n = 20
	before := runtime.NumGoroutine()
	var conns []*pgx.Conn
	for range n {
		conns = append(conns, connect())
	}
	all := func() {
		waitAtMost(t, "sessions that are not parked", 0, func() int { return b.Sessions() - parked() })
	}
	all()
	waitAtMost(t, "goroutines", before+n/2, runtime.NumGoroutine)

	for round := range 3 {
		for i, conn := range conns {
			var got int
			if err := conn.QueryRow(within(t), "select $1::int", i+round).Scan(&got); err != nil || got != i+round {
				t.Fatal(got, err)
			}
		}
		all()
	}
	t.Run("question", func(t *testing.T) {
		var got int
		if err := conns[0].QueryRow(within(t), "-- ask: how many customers").Scan(&got); err != nil || got != 100 {
			t.Fatal(got, err)
		}
	})
	t.Run("large result", func(t *testing.T) {
		var got int
		if err := conns[1].QueryRow(within(t), "select length(string_agg(filler, '')) from big").Scan(&got); err != nil || got != 2000000 {
			t.Fatal(got, err)
		}
	})
	t.Run("notification", func(t *testing.T) {
		if _, err := conns[2].Exec(within(t), "listen parked"); err != nil {
			t.Fatal(err)
		}
		all()
		pgtest.Exec(t, b.cluster.Primary.URL(pgtest.Superuser, sampleDB(t)), "notify parked, 'word'")
		got, err := conns[2].WaitForNotification(within(t))
		if err != nil || got.Payload != "word" {
			t.Fatal(got, err)
		}
	})
	t.Run("ended by the server", func(t *testing.T) {
		all()
		pgtest.Exec(t, b.cluster.Primary.URL(pgtest.Superuser, "postgres"), fmt.Sprintf("select pg_terminate_backend(%d)", conns[3].PgConn().PID()))
		_, err := conns[3].Exec(within(t), "select 1")
		var e *pgconn.PgError
		if !errors.As(err, &e) || e.Code != "57P01" {
			t.Fatal(err)
		}
	})
	t.Run("ended by the client", func(t *testing.T) {
		all()
		open := b.Sessions()
		conns[4].Close(within(t))
		conns[5].PgConn().Conn().Close()
		waitAtMost(t, "sessions", open-2, b.Sessions)
	})
	t.Run("shutdown", func(t *testing.T) {
		all()
		if err := b.Shutdown(within(t)); err != nil {
			t.Fatal(err)
		}
		_, err := conns[6].Exec(within(t), "select 1")
		if err == nil || !strings.Contains(err.Error(), "57P01") {
			t.Fatal(err)
		}
	})
	if got := parked(); got != 0 {
		t.Fatalf("%d sessions are parked after the shutdown", got)
	}
}

// Close ends what is parked, and tells it why.
func TestPark_Close(t *testing.T) {
	ca := newAuthority(t)
	cert, key := ca.issue(t, "askpg")
	registry := prometheus.NewRegistry()
	b := startWith(t, registry, func(c *proxy.Config) {
		c.TLS = proxy.TLSConfig{Mode: "allow", Cert: cert, Key: key}
		c.ReleaseAfter(20 * time.Millisecond)
	})
	conn, err := pgx.Connect(within(t), fmt.Sprintf("postgres://postgres@%s/postgres?sslmode=require", b.addr))
	if err != nil {
		t.Fatal(err)
	}
	// What the session is told is read off its connection: a driver may say only
	// that the connection is closed.
	raw, err := conn.PgConn().Hijack()
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Conn.Close()
	waitAtMost(t, "sessions that are not parked", 0, func() int { return 1 - gauge(t, registry, "askpg_sessions_parked") })
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if err := raw.Conn.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if told, err := io.ReadAll(raw.Conn); !strings.Contains(string(told), "57P01") {
		t.Fatalf("told %q, %v; want 57P01", told, err)
	}
}
