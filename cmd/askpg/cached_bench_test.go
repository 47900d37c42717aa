package main

import (
	"context"
	"io"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/internal/shop"
)

// BenchmarkCached asks questions whose translation is cached in turn with
// the SQL that they stand for, each through askpg: over-µs is the difference of their
// medians, sql-µs that of the SQL. One question counts 2,000 rows, the other
// joins and groups 60,000, as an ordinary report does.
func BenchmarkCached(b *testing.B) {
	for name, question := range map[string]string{"count": "how many customers do we have", "report": "total quantity of order items per category"} {
		b.Run(name, func(b *testing.B) { benchmarkCached(b, question) })
	}
}

func benchmarkCached(b *testing.B, text string) {
	c := pgtest.Shared(b)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	var err error
	shopOnce.Do(func() { err = loadShop(ctx, c) })
	if err != nil {
		b.Fatal(err)
	}
	markPagesOld(ctx, b, c)
	cfg := defaultConfig()
	cfg.Primary.Address, cfg.Replica.URL = c.Primary.Address(), c.Standby.URL(shop.Service, "")
	cfg.Store.URL = "sqlite:" + filepath.Join(b.TempDir(), "askpg.db")
	cfg.Listen.Address, cfg.Admin.Address = "127.0.0.1:0", "127.0.0.1:0"
	cfg.Shutdown.DrainTimeout = ask.Duration(2 * time.Second)
	log, err := newLogger(cfg.Log, io.Discard)
	if err != nil {
		b.Fatal(err)
	}
	a, err := newApp(ctx, cfg, log)
	if err != nil {
		b.Fatal(err)
	}
	if err := a.listen(); err != nil {
		b.Fatal(err)
	}
	served := make(chan error, 1)
	serving, stop := context.WithCancel(ctx)
	go func() { served <- a.serve(serving) }()
	b.Cleanup(func() {
		stop()
		if err := <-served; err != nil {
			b.Error(err)
		}
	})
	// A session each: what one asked before is context for its next question.
	session := func() *pgx.Conn {
		conn, err := pgx.Connect(ctx, "postgres://"+shop.Analyst+"@"+a.proxy.Addrs()[0].(*net.TCPAddr).String()+"/shop?sslmode=disable")
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { conn.Close(context.Background()) })
		return conn
	}
	asking, bare := session(), session()
	took := func(conn *pgx.Conn, text string) (time.Duration, string) {
		began := time.Now()
		results, err := conn.PgConn().Exec(ctx, text).ReadAll()
		d := time.Since(began)
		if err != nil || len(results) != 1 || len(results[0].Rows) == 0 {
			b.Fatalf("%s: %v, %d results", text, err, len(results))
		}
		return d, string(results[0].Rows[0][0])
	}
	question := "-- ask: " + text
	_, sql := took(session(), "-- ask(sql): "+text)
	b.Log(sql)
	took(asking, question) // is translated, and cached
	var questions, statements []time.Duration
	for b.Loop() {
		q, got := took(asking, question)
		s, want := took(bare, sql)
		if got != want {
			b.Fatalf("the question gives %s, its SQL %s", got, want)
		}
		questions, statements = append(questions, q), append(statements, s)
	}
	results, err := asking.PgConn().Exec(ctx, "-- ask(explain): "+text).ReadAll()
	if err != nil || !strings.Contains(string(results[0].Rows[0][0]), "(cache)") {
		b.Fatalf("the question was not answered by the cache: %v, %s", err, results[0].Rows[0][0])
	}
	slices.Sort(questions)
	slices.Sort(statements)
	median := func(d []time.Duration) float64 { return float64(d[len(d)/2].Nanoseconds()) / 1000 }
	b.ReportMetric(median(questions)-median(statements), "over-µs")
	b.ReportMetric(median(statements), "sql-µs")
}

// markPagesOld makes the pages of what was just loaded what those of older data are. A standby notes on a row
// that its transaction has committed only once a restart would not begin before that: until
// then each scan looks it up for each row, which the primary does once (XLogNeedsFlush,
// SetHintBits). That is neither the question's nor the SQL's.
func markPagesOld(ctx context.Context, b *testing.B, c *pgtest.Cluster) {
	b.Helper()
	for _, server := range []*pgtest.Server{c.Primary, c.Standby} {
		conn, err := pgx.Connect(ctx, server.URL(pgtest.Superuser, "shop"))
		if err == nil {
			if server == c.Primary {
				_, err = conn.Exec(ctx, "vacuum")
			}
			if err == nil {
				_, err = conn.Exec(ctx, "checkpoint")
			}
			conn.Close(ctx)
		}
		if err != nil {
			b.Fatal(err)
		}
		pgtest.CatchUp(b)
	}
}
