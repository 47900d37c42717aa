package catalog_test

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"askpg/catalog"
	"askpg/internal/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// source is a catalog.Source over the shared standby, or over the primary.
type source struct {
	primary  bool
	external bool // a server that is not the shared one, and no standby
	mu       sync.Mutex
	pools    map[string]*pgxpool.Pool
	tb       testing.TB
}

func newSource(tb testing.TB) *source {
	s := &source{tb: tb, pools: map[string]*pgxpool.Pool{}}
	tb.Cleanup(func() {
		for _, p := range s.pools {
			p.Close()
		}
	})
	return s
}

func (s *source) pool(ctx context.Context, database string) (*pgxpool.Pool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.pools[database]; p != nil {
		return p, nil
	}
	c := pgtest.Shared(s.tb)
	server := c.Standby
	if s.primary {
		server = c.Primary
	}
	p, err := pgxpool.New(ctx, server.URL(pgtest.Superuser, database))
	if err == nil {
		s.pools[database] = p
	}
	return p, err
}

func (s *source) As(ctx context.Context, database, role string, fn func(pgx.Tx) error) error {
	p, err := s.pool(ctx, database)
	if err != nil {
		return err
	}
	return pgx.BeginTxFunc(ctx, p, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "select set_config('search_path', 'pg_catalog', true), set_config('role', $1, true)", role)
		if err != nil {
			return err
		}
		return fn(tx)
	})
}

// settings are the defaults without a grace period, so that every call checks.
func settings() catalog.Config {
	cfg := catalog.DefaultConfig()
	cfg.Freshness = 0
	cfg.SampleTime, cfg.ValuesTime, cfg.ImpliedTime = cfg.LoadTimeout, cfg.LoadTimeout, cfg.LoadTimeout // a busy machine leaves nothing out
	return cfg
}

func newCatalog(tb testing.TB, cfg catalog.Config) *catalog.Catalog {
	tb.Helper()
	if err := cfg.Validate(); err != nil {
		tb.Fatal(err)
	}
	c := catalog.New(cfg, newSource(tb), slog.New(slog.NewTextHandler(io.Discard, nil)), nil)
	tb.Cleanup(c.Close)
	return c
}

func snapshot(tb testing.TB, c *catalog.Catalog, database, role string) *catalog.Snapshot {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	s, err := c.Snapshot(ctx, database, role)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// newRole creates a role that is dropped, with what it owns in the database,
// when the test ends.
func newRole(tb testing.TB, database, name string) string {
	tb.Helper()
	name += database[1:]
	url := pgtest.Shared(tb).Primary.URL(pgtest.Superuser, database)
	pgtest.Exec(tb, url, "create role "+name)
	pgtest.CatchUp(tb)
	tb.Cleanup(func() { pgtest.Exec(tb, url, "drop owned by "+name+" cascade; drop role "+name) })
	return name
}

// primary runs a script on the primary and waits for the standby.
func primary(tb testing.TB, database, script string) {
	tb.Helper()
	pgtest.Exec(tb, pgtest.Shared(tb).Primary.URL(pgtest.Superuser, database), script)
	pgtest.CatchUp(tb)
}
