// Package pgtest gives tests real PostgreSQL servers: one cluster that the
// tests of a package share, and databases in it.
package pgtest

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"askpg/internal/pgserver"
)

// What tests need of package pgserver, so that they import one package.
type (
	Cluster = pgserver.Cluster
	Options = pgserver.Options
	Server  = pgserver.Server
)

// Superuser is the name of every cluster's bootstrap superuser.
const Superuser = pgserver.Superuser

// Start starts a cluster of a test's own, see pgserver.Start.
func Start(ctx context.Context, o Options) (*Cluster, error) { return pgserver.Start(ctx, o) }

var shared struct {
	sync.Mutex
	cluster *Cluster
}

// Main runs a package's tests and stops their shared cluster; call it from
// TestMain.
func Main(m *testing.M) {
	code := m.Run()
	if shared.cluster != nil {
		if err := shared.cluster.Close(); err != nil {
			fmt.Fprintln(os.Stderr, "pgtest:", err)
			code = 1
		}
	}
	os.Exit(code)
}

// needsServers skips a test or benchmark under -short.
func needsServers(tb testing.TB) {
	tb.Helper()
	if testing.Short() {
		tb.Skip("needs PostgreSQL servers, which -short leaves out")
	}
}

// Shared returns the cluster that a package's tests have in common, started
// when the first of them asks for it. The package's TestMain must call Main.
// Its tables have statistics only where a test analyzes them, as autovacuum
// would do it at any time. Under -short the test is skipped.
func Shared(tb testing.TB) *Cluster {
	tb.Helper()
	needsServers(tb)
	shared.Lock()
	defer shared.Unlock()
	if shared.cluster == nil {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
		defer cancel()
		c, err := Start(ctx, Options{Templates: templates(), Settings: map[string]string{"autovacuum": "off"}})
		if err != nil {
			tb.Fatal(err)
		}
		shared.cluster = c
	}
	return shared.cluster
}

// NewCluster starts a cluster for one test, which ends with the test. Under
// -short the test is skipped.
func NewCluster(tb testing.TB, o Options) *Cluster {
	tb.Helper()
	needsServers(tb)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	o.Templates = templates()
	c, err := Start(ctx, o)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := c.Close(); err != nil {
			tb.Error(err)
		}
	})
	return c
}

// templates is the folder of fresh data directories: the tests of all packages,
// and later runs, copy them.
func templates() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "" // no home: initdb runs at each start
	}
	return filepath.Join(dir, "askpg-test", "initdb")
}

// NewDatabase creates an empty database on the shared primary, runs script in
// it, waits for the standby, and drops it when the test ends. It returns the
// database's name.
func NewDatabase(tb testing.TB, script string) string {
	tb.Helper()
	name := KeptDatabase(tb, script)
	tb.Cleanup(func() {
		dropDatabase(tb, Shared(tb).Primary.URL(Superuser, "postgres"), name)
	})
	return name
}

// KeptDatabase is NewDatabase without the end: the database stays until the package's tests are done, for tests that only read it.
func KeptDatabase(tb testing.TB, script string) string {
	tb.Helper()
	c := Shared(tb)
	name := "t_" + strings.ToLower(rand.Text()[:12])
	Exec(tb, c.Primary.URL(Superuser, "postgres"), "create database "+name)
	if script != "" {
		Exec(tb, c.Primary.URL(Superuser, name), script)
	}
	CatchUp(tb)
	return name
}

// dropDatabase ends the database's sessions and drops it; before PostgreSQL 13
// that takes two steps.
func dropDatabase(tb testing.TB, url, name string) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		tb.Fatal(err)
	}
	defer conn.Close(ctx)
	force := " with (force)"
	if v := conn.PgConn().ParameterStatus("server_version"); strings.HasPrefix(v, "12.") {
		force = ""
		if _, err := conn.Exec(ctx, "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", name); err != nil {
			tb.Fatal(err)
		}
	}
	if _, err := conn.Exec(ctx, "drop database "+name+force); err != nil {
		tb.Fatal(err)
	}
}

// CatchUp waits for the shared standby, see Cluster.CatchUp.
func CatchUp(tb testing.TB) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := Shared(tb).CatchUp(ctx); err != nil {
		tb.Fatal(err)
	}
}

// Exec runs a script of one or more statements.
func Exec(tb testing.TB, url, script string) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		tb.Fatal(err)
	}
	defer conn.Close(ctx)
	if _, err := conn.PgConn().Exec(ctx, script).ReadAll(); err != nil {
		tb.Fatalf("%v\nin: %.300s", err, script)
	}
}
