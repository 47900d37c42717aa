package catalog_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"askpg/ask"
	"askpg/catalog"
	"askpg/internal/pgtest"
)

// slow is a source whose every transaction takes longer than a question should
// wait for a check.
type slow struct {
	*source
	calls atomic.Int64
}

func (s *slow) As(ctx context.Context, database, role string, fn func(pgx.Tx) error) error {
	s.calls.Add(1)
	time.Sleep(10 * time.Millisecond)
	return s.source.As(ctx, database, role, fn)
}

// Where checks are slow a change is noticed without a question's waiting for one.
func TestCatalog_ChecksInTheBackground(t *testing.T) {
	database := pgtest.NewDatabase(t, "create table a (x int)")
	src := &slow{source: newSource(t)}
	cfg := settings()
	cfg.Freshness = ask.Duration(50 * time.Millisecond)
	c := catalog.New(cfg, src, quiet(), nil)
	defer c.Close()
	first := snapshot(t, c, database, pgtest.Superuser)
	primary(t, database, "create table b (x int)")
	deadline := time.Now().Add(30 * time.Second)
	for snapshot(t, c, database, pgtest.Superuser).Lookup("public", "b") == nil {
		if time.Now().After(deadline) {
			t.Fatal("a new table was not noticed")
		}
		time.Sleep(time.Millisecond)
	}
	if first.Lookup("public", "b") != nil {
		t.Fatal("an earlier snapshot has changed")
	}
	calls := src.calls.Load()
	for src.calls.Load() < calls+3 { // goes on without being asked
		if time.Now().After(deadline) {
			t.Fatal("nothing is checked in the background")
		}
		time.Sleep(time.Millisecond)
	}
	c.Close()
	calls = src.calls.Load()
	time.Sleep(3 * cfg.Freshness.Duration())
	if n := src.calls.Load(); n != calls {
		t.Fatalf("%d checks after Close", n-calls)
	}
}

// A transaction that is still open when others commit hides nothing.
func TestCatalog_LongTransaction(t *testing.T) {
	database := pgtest.NewDatabase(t, "create table a (x int); create table counter (n int)")
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var txs []pgx.Tx
	for range 3 {
		conn, err := pgx.Connect(ctx, pgtest.Shared(t).Primary.URL(pgtest.Superuser, database))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close(context.WithoutCancel(ctx))
		tx, err := conn.Begin(ctx)
		if err != nil {
			t.Fatal(err)
		}
		txs = append(txs, tx)
	}
	c := newCatalog(t, settings())
	exec := func(i int, sql string) {
		t.Helper()
		if _, err := txs[i].Exec(ctx, sql); err != nil {
			t.Fatal(err)
		}
	}
	exec(0, "insert into counter values (1)") // the oldest, open to the end
	exec(1, "create table b (x int)")
	exec(2, "insert into counter values (2)")
	if err := txs[2].Commit(ctx); err != nil {
		t.Fatal(err)
	}
	pgtest.CatchUp(t)
	if snapshot(t, c, database, pgtest.Superuser).Lookup("public", "b") != nil {
		t.Fatal("a table that is not committed is there")
	}
	if err := txs[1].Commit(ctx); err != nil {
		t.Fatal(err)
	}
	pgtest.CatchUp(t)
	if snapshot(t, c, database, pgtest.Superuser).Lookup("public", "b") == nil {
		t.Fatal("a table that was committed is not noticed")
	}
}

// Reading a table that gets its first child runs what reading the child runs: it is not plain any more.
func TestCatalog_FirstChild(t *testing.T) {
	database := pgtest.NewDatabase(t, "create table a (x int)")
	c := newCatalog(t, settings())
	if !snapshot(t, c, database, pgtest.Superuser).Lookup("public", "a").Plain {
		t.Fatal("a table of integers is not plain")
	}
	primary(t, database, "create table b () inherits (a)")
	if snapshot(t, c, database, pgtest.Superuser).Lookup("public", "a").Plain {
		t.Fatal("a table with a child is plain")
	}
}
