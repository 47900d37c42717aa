package catalog_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"askpg/catalog"
	"askpg/internal/pgtest"
)

// BenchmarkSnapshot times a check for changes and a refresh after a DDL; the
// worst of the runs is reported for each.
func BenchmarkSnapshot(b *testing.B) {
	for _, n := range warehouseSizes(b) {
		src, database := openWarehouse(b, n)
		c := catalog.New(settings(), src, quiet(), nil)
		s := snapshot(b, c, database, pgtest.Superuser)
		time := func(name string, f func()) {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				var worst time.Duration
				for b.Loop() {
					began := time.Now()
					f()
					worst = max(worst, time.Since(began))
				}
				b.ReportMetric(float64(worst.Microseconds())/1000, "worst-ms")
			})
		}
		from := s.ForeignKeys[0].From
		time("Check", func() { snapshot(b, c, database, pgtest.Superuser) })
		p, err := src.pool(context.Background(), database)
		if err != nil {
			b.Fatal(err)
		}
		comment := 0
		if !src.external {
			c.Close()
			continue // the pool is the standby's
		}
		time("Refresh", func() {
			comment++
			if _, err := p.Exec(context.Background(), fmt.Sprintf("comment on schema public is '%d'; comment on table %s.%s is 'changed %d'",
				comment, from.Schema, from.Name.Name, comment)); err != nil {
				b.Fatal(err)
			}
			snapshot(b, c, database, pgtest.Superuser)
		})
		c.Close()
	}
}
