package store_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"askpg/store"
)

// BenchmarkStore_Append appends translations with four candidates each from
// 128 askers at once, onto a log of ASKPG_STORE_ROWS (none if unset), which is
// kept in ASKPG_STORE_FILE if that is set. Besides the rate it reports the CPU
// time of the process and what is written to disk for each, which a busy
// machine changes little.
func BenchmarkStore_Append(b *testing.B) {
	for name, cfg := range map[string]func(testing.TB) store.Config{"sqlite": sqliteConfig, "postgres": postgresConfig} {
		b.Run(name, func(b *testing.B) {
			c := cfg(b)
			if path := os.Getenv("ASKPG_STORE_FILE"); path != "" && name == "sqlite" {
				c.URL = "sqlite:" + path
			}
			reg := prometheus.NewRegistry()
			s, err := store.Open(context.Background(), c, slog.New(slog.DiscardHandler), reg)
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			rows, _ := strconv.Atoi(os.Getenv("ASKPG_STORE_ROWS"))
			if have, err := s.Overview(context.Background(), store.OverviewFilter{}); err != nil {
				b.Fatal(err)
			} else if have.Questions < int64(rows) {
				fill(b, s, int(have.Questions), rows)
			}
			b.ReportAllocs()
			var next atomic.Int64
			next.Store(int64(rows))
			began := time.Now()
			cpu, written := cpuTime(b), writtenBytes(b)
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
			b.ReportMetric(batchSize(b, reg), "entries/commit")
			b.ReportMetric(float64(b.N)/time.Since(began).Seconds(), "entries/s")
			b.ReportMetric(float64((cpuTime(b)-cpu).Microseconds())/float64(b.N), "cpu-µs/op")
			b.ReportMetric(float64(writtenBytes(b)-written)/1024/float64(b.N), "written-KiB/op")
		})
	}
}

// writtenBytes returns what the process has written to files, of which the
// write-ahead log and its checkpoints are nearly all.
func writtenBytes(b *testing.B) (n int64) {
	text, err := os.ReadFile("/proc/self/io")
	if err != nil {
		b.Skip("there is no /proc here")
	}
	for line := range strings.SplitSeq(string(text), "\n") {
		if v, ok := strings.CutPrefix(line, "wchar: "); ok {
			n, _ = strconv.ParseInt(v, 10, 64)
		}
	}
	return n
}

// batchSize returns how many entries a transaction had on average.
func batchSize(b *testing.B, reg *prometheus.Registry) float64 {
	families, err := reg.Gather()
	if err != nil {
		b.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() == "askpg_store_batch_size" {
			h := f.Metric[0].GetHistogram()
			return h.GetSampleSum() / float64(h.GetSampleCount())
		}
	}
	return 0
}

// cpuTime returns the CPU time that the process has used.
func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
