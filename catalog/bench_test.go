package catalog_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"askpg/catalog"
	"askpg/internal/pgtest"
	"askpg/internal/warehouse"
)

// warehouseSizes are the numbers of tables that the benchmarks run at:
// ASKPG_WAREHOUSE=100,1000,10000 plots the growth, creating the largest takes
// minutes. With ASKPG_WAREHOUSE_URL it is a server that holds them already, in
// databases named wh_ and the number.
func warehouseSizes(tb testing.TB) []int {
	list := os.Getenv("ASKPG_WAREHOUSE")
	if list == "" {
		list = "100"
	}
	var sizes []int
	for s := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(s)
		if err != nil {
			tb.Fatalf("ASKPG_WAREHOUSE: %v", err)
		}
		sizes = append(sizes, n)
	}
	return sizes
}

var warehouses struct {
	sync.Mutex
	names map[int]string
}

// openWarehouse returns a source over a warehouse and its database.
func openWarehouse(tb testing.TB, tables int) (*source, string) {
	tb.Helper()
	s := newSource(tb)
	if url := os.Getenv("ASKPG_WAREHOUSE_URL"); url != "" {
		name := fmt.Sprintf("wh_%d", tables)
		p, err := pgxpool.New(context.Background(), url+"/"+name)
		if err != nil {
			tb.Fatal(err)
		}
		s.pools[name], s.external = p, true
		return s, name
	}
	warehouses.Lock()
	defer warehouses.Unlock()
	if name := warehouses.names[tables]; name != "" {
		return s, name
	}
	name := fmt.Sprintf("wh_%d", tables)
	url := pgtest.Shared(tb).Primary
	pgtest.Exec(tb, url.URL(pgtest.Superuser, "postgres"), "create database "+name)
	for _, script := range warehouse.Scripts(tables) {
		pgtest.Exec(tb, url.URL(pgtest.Superuser, name), script)
	}
	pgtest.CatchUp(tb)
	if warehouses.names == nil {
		warehouses.names = map[int]string{}
	}
	warehouses.names[tables] = name
	return s, name
}

func quiet() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

func BenchmarkCatalog_Load(b *testing.B) {
	for _, n := range warehouseSizes(b) {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			src, database := openWarehouse(b, n)
			var before, after runtime.MemStats
			for b.Loop() {
				runtime.GC()
				runtime.ReadMemStats(&before)
				c := catalog.New(catalog.DefaultConfig(), src, quiet(), nil)
				s := snapshot(b, c, database, pgtest.Superuser)
				runtime.GC()
				runtime.ReadMemStats(&after)
				b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/1e6, "MB")
				b.ReportMetric(float64(len(s.Relations)), "relations")
				b.ReportMetric(float64(s.Values.Len()), "values")
				runtime.KeepAlive(s)
				c.Close()
			}
		})
	}
}
