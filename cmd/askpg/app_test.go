package main

import (
	"bytes"
	"context"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/internal/shop"
)

// TestMain lets the test binary be askpg itself, for the tests that need a
// process of their own.
func TestMain(m *testing.M) {
	if os.Getenv("ASKPG_TEST_RUN") != "" {
		limitFiles(os.Getenv(fileLimitVariable))
		main()
		return
	}
	pgtest.Main(m)
}

var shopOnce sync.Once

// shopDatabase returns the name of a database with the sample shop, loaded
// once for all tests of this package.
func shopDatabase(t *testing.T) string {
	t.Helper()
	c := pgtest.Shared(t)
	shopOnce.Do(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := loadShop(ctx, c); err != nil {
			t.Fatal(err)
		}
	})
	return "shop"
}

// running is an askpg before the shared cluster.
type running struct {
	*app
	host, port string
	stop       func()
}

// URL returns the connection URL of a role at the shop, through askpg.
func (r *running) URL(role string) string {
	return "postgres://" + role + "@" + net.JoinHostPort(r.host, r.port) + "/shop?sslmode=disable"
}

// start runs askpg on a free port until the test ends; change may alter its
// configuration.
func start(t *testing.T, change func(*Config)) *running {
	t.Helper()
	var log io.Writer = io.Discard
	if testing.Verbose() && os.Getenv("ASKPG_TEST_LOG") != "" {
		log = os.Stderr
	}
	return startLogging(t, log, change)
}

// startLogging is start with askpg's own log going to a writer, as [log] says.
func startLogging(t *testing.T, log io.Writer, change func(*Config)) *running {
	t.Helper()
	shopDatabase(t)
	c := pgtest.Shared(t)
	cfg := defaultConfig()
	cfg.Primary.Address = c.Primary.Address()
	cfg.Replica.URL = c.Standby.URL(shop.Service, "")
	cfg.Store.URL = "sqlite:" + filepath.Join(t.TempDir(), "askpg.db")
	cfg.Listen.Address = "127.0.0.1:0"
	cfg.Admin.Address = "127.0.0.1:0"
	cfg.Shutdown.DrainTimeout = ask.Duration(2 * time.Second)
	if change != nil {
		change(&cfg)
	}
	logger, err := newLogger(cfg.Log, log)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	a, err := newApp(ctx, cfg, logger)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.listen(); err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- a.serve(ctx) }()
	var once sync.Once
	stop := func() {
		once.Do(func() {
			cancel()
			if err := <-served; err != nil {
				t.Errorf("serve: %v", err)
			}
		})
	}
	t.Cleanup(stop)
	host, port, err := net.SplitHostPort(a.proxy.Addrs()[0].String())
	if err != nil {
		t.Fatal(err)
	}
	return &running{a, host, port, stop}
}

// connect opens a pgx connection through askpg.
func (r *running) connect(t *testing.T, role string) *pgx.Conn {
	t.Helper()
	return connect(t, r.URL(role))
}

func connect(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	return conn
}

func testContext(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// count runs a query that returns one number on the primary, as the superuser.
func count(t *testing.T, sql string) (n int) {
	t.Helper()
	conn := connect(t, pgtest.Shared(t).Primary.URL(pgtest.Superuser, shopDatabase(t)))
	if err := conn.QueryRow(testContext(t), sql).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestDemo_Once runs what `make demo` runs.
func TestDemo_Once(t *testing.T) {
	if testing.Short() {
		t.Skip("starts PostgreSQL servers, which -short leaves out")
	}
	t.Setenv("DEMO_ONCE", "1")
	t.Setenv("OPENAI_API_KEY", "")
	var out, errs bytes.Buffer
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute) // two servers and a shop
	defer cancel()
	if code := run(ctx, []string{"demo"}, streams{nil, &out, &errs}); code != 0 {
		t.Fatalf("exit %d\n%s\n%s", code, out.String(), errs.String())
	}
}
