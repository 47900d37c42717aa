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
		steps := 0
		b.Run(fmt.Sprintf("CheckStep/%d", n), func(b *testing.B) { // one check while others commit
			for b.Loop() {
				b.StopTimer()
				if _, err := p.Exec(context.Background(), "select txid_current()"); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
				if steps, err = c.CheckStep(database, pgtest.Superuser); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(steps), "steps")
		})
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

// BenchmarkFreshness times how long a change is not seen, with the settings as
// they are by default, by someone who asks all the time: the worst of the runs
// of each kind of change.
func BenchmarkFreshness(b *testing.B) {
	for _, n := range warehouseSizes(b) {
		src, database := openWarehouse(b, n)
		if !src.external {
			continue // the pool is the standby's
		}
		c := catalog.New(catalog.DefaultConfig(), src, quiet(), nil)
		s := snapshot(b, c, database, pgtest.Superuser)
		r := s.ForeignKeys[len(s.ForeignKeys)/2].From
		table := r.Schema + "." + r.Name.Name
		pool, err := src.pool(context.Background(), database)
		if err != nil {
			b.Fatal(err)
		}
		count := 0
		for _, change := range []struct{ name, do, undo string }{
			{"DDL", "alter table " + table + " add column seen int", "alter table " + table + " drop column seen"},
			{"Comment", "comment on table " + table + " is 'seen'", "comment on table " + table + " is null"},
			{"Grant", "revoke all on " + table + " from public, seen", "grant select on " + table + " to public"},
		} {
			role := pgtest.Superuser
			if change.name == "Grant" {
				role = "seen"
				if _, err := pool.Exec(context.Background(), "drop owned by seen"); err != nil {
					_, _ = pool.Exec(context.Background(), "create role seen")
				}
				if _, err := pool.Exec(context.Background(), "grant all on "+table+" to seen"); err != nil {
					b.Fatal(err)
				}
				snapshot(b, c, database, role)
			}
			b.Run(fmt.Sprintf("%s/%d", change.name, n), func(b *testing.B) {
				var worst time.Duration
				for b.Loop() {
					sql := change.do
					if count++; count%2 == 0 {
						sql = change.undo
					}
					before := snapshot(b, c, database, role)
					if _, err := pool.Exec(context.Background(), sql); err != nil {
						b.Fatal(err)
					}
					began := time.Now()
					for snapshot(b, c, database, role).Version == before.Version {
						if time.Since(began) > time.Minute {
							b.Fatalf("not seen: %s", sql)
						}
						time.Sleep(10 * time.Millisecond)
					}
					worst = max(worst, time.Since(began))
				}
				b.ReportMetric(float64(worst.Milliseconds()), "worst-ms")
			})
			if count%2 == 1 {
				count++
				if _, err := pool.Exec(context.Background(), change.undo); err != nil {
					b.Fatal(err)
				}
			}
		}
		c.Close()
	}
}
