package store_test

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"askpg/store"
)

// BenchmarkStore_Append appends translations with four candidates each from
// 128 askers at once, onto a log of ASKPG_STORE_ROWS (none if unset). Besides
// the rate it reports the CPU time of the process for each, which a busy
// machine changes little.
func BenchmarkStore_Append(b *testing.B) {
	for name, cfg := range map[string]func(testing.TB) store.Config{"sqlite": sqliteConfig, "postgres": postgresConfig} {
		b.Run(name, func(b *testing.B) {
			s := open(b, cfg(b))
			rows, _ := strconv.Atoi(os.Getenv("ASKPG_STORE_ROWS"))
			if rows > 0 {
				fill(b, s, 0, rows)
			}
			b.ReportAllocs()
			var next atomic.Int64
			next.Store(int64(rows))
			began := time.Now()
			cpu := cpuTime(b)
			b.ResetTimer()
			done := make(chan error, 128)
			for range cap(done) {
				go func() {
					for {
						n := int(next.Add(1))
						if n > rows+b.N {
							done <- nil
							return
						}
						if err := s.Append(context.Background(), synthetic(n)); err != nil {
							done <- fmt.Errorf("entry %d: %w", n, err)
							return
						}
					}
				}()
			}
			for range cap(done) {
				if err := <-done; err != nil {
					b.Fatal(err)
				}
			}
			b.StopTimer()
			b.ReportMetric(float64(b.N)/time.Since(began).Seconds(), "entries/s")
			b.ReportMetric(float64((cpuTime(b)-cpu).Microseconds())/float64(b.N), "cpu-µs/op")
		})
	}
}

// cpuTime returns the CPU time that the process has used.
func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
