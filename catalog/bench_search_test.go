package catalog_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"askpg/catalog"
	"askpg/internal/warehouse"
)

// BenchmarkSearch times what a question asks of a snapshot, at 100, 1,000 and
// 10,000 tables, without a server: the 50th and the 99th percentile over
// questions of many kinds. The time of an operation is that of one question.
func BenchmarkSearch(b *testing.B) {
	for _, n := range []int{100, 1000, 10000} {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		s := warehouse.Snapshot(n)
		questions := warehouse.Questions(n, 500)
		s.Search(questions[0], 25) // makes the index
		runtime.GC()
		runtime.ReadMemStats(&after)
		percentiles(b, fmt.Sprintf("columns/%d", n), func(i int) { s.Search(questions[i%len(questions)], 25) },
			metric{float64(after.HeapAlloc-before.HeapAlloc) / 1e6, "heap-MB"})
		percentiles(b, fmt.Sprintf("tables/%d", n), func(i int) { s.SearchRelations(questions[i%len(questions)], 10) })
		percentiles(b, fmt.Sprintf("values/%d", n), func(i int) { s.Values.Find(questions[i%len(questions)]) })
		rnd := rand.New(rand.NewPCG(3, 3))
		pairs := make([][2]*catalog.Relation, 500)
		for i := range pairs {
			for j := range pairs[i] {
				pairs[i][j] = s.Relations[rnd.IntN(len(s.Relations))]
			}
		}
		joined := 0
		for _, p := range pairs {
			if path, _ := s.Path(p[0], p[1]); path != nil {
				joined++
			}
		}
		percentiles(b, fmt.Sprintf("path/%d", n), func(i int) { p := pairs[i%len(pairs)]; s.Path(p[0], p[1]) },
			metric{float64(joined) / float64(len(pairs)), "joined"})
	}
}

type metric struct {
	value float64
	unit  string
}

// percentiles runs a benchmark of f, which is told how often it has run, and
// reports percentiles of its times: on the clock, and on the processor, which
// other work on the machine makes little difference to.
func percentiles(b *testing.B, name string, f func(i int), more ...metric) {
	b.Run(name, func(b *testing.B) {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		var clock, cpu []time.Duration
		for b.Loop() {
			began, worked := time.Now(), threadTime(b)
			f(len(clock))
			clock, cpu = append(clock, time.Since(began)), append(cpu, threadTime(b)-worked)
		}
		for _, times := range []struct {
			list []time.Duration
			name string
		}{{clock, "ms"}, {cpu, "cpu-ms"}} {
			slices.Sort(times.list)
			for _, p := range []int{50, 99} {
				b.ReportMetric(float64(times.list[(len(times.list)-1)*p/100].Nanoseconds())/1e6, fmt.Sprintf("p%d-%s", p, times.name))
			}
		}
		for _, m := range more {
			b.ReportMetric(m.value, m.unit)
		}
	})
}

// threadTime returns how long this thread has been on a processor.
func threadTime(b *testing.B) time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		b.Fatal(err)
	}
	return time.Duration(t.Nano())
}
