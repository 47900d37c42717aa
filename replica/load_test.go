package replica_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/replica"
)

// Rounds of TestLoad and the seconds of pgbench in each; in each round every
// condition is measured once.
const (
	loadRounds  = 7
	loadSeconds = 3
)

// TestLoad runs resource bombs one after the other on the standby while other
// sessions read there, and holds their throughput against what they have alone.
// A control says what PostgreSQL itself leaves them: one session of psql's kind that
// computes without end, each statement cut off after as long, without askpg.
// The conditions take turns in short rounds, each in another order, and medians of the
// rounds' ratios count, so that what else the machine does meets all of them alike.
// It is still no test for a busy machine, and runs only with ASKPG_LOAD.
func TestLoad(t *testing.T) {
	if os.Getenv("ASKPG_LOAD") == "" {
		t.Skip("ASKPG_LOAD is not set")
	}
	c := pgtest.Shared(t)
	db := pgtest.NewDatabase(t, script+hostileScript)
	if out, err := exec.Command(c.Primary.Program("pgbench"), "-i", "-q", "-s", "5", c.Primary.URL(pgtest.Superuser, db)).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	pgtest.CatchUp(t)
	const limit = time.Second
	var bombs []string
	for _, h := range hostiles(t) {
		if h.class == "bomb" {
			bombs = append(bombs, h.sql)
		}
	}
	cfg := config(t, c.Standby)
	cfg.StatementTimeout = ask.Duration(limit)
	l := &load{t: t, db: db, server: c.Standby, program: c.Primary.Program("pgbench"), bombs: bombs, replica: start(t, cfg)}
	for _, clients := range []int{1, 8} {
		t.Run(fmt.Sprintf("%d clients", clients), func(t *testing.T) {
			l.t = t
			l.pgbench(clients) // warm
			conditions := []struct {
				name string
				run  func(context.Context) // until its context ends
			}{
				{"alone", func(ctx context.Context) { <-ctx.Done() }},
				{"bombs", l.explode},
				{"control", func(ctx context.Context) { l.compute(ctx, limit) }},
			}
			tps := map[string][]float64{}
			ran := l.ran.Load()
			for round := range loadRounds {
				for i := range conditions {
					c := conditions[(round+i)%len(conditions)]
					tps[c.name] = append(tps[c.name], l.beside(c.run, clients))
				}
			}
			share := func(name string) float64 {
				var list []float64
				for i, n := range tps[name] {
					list = append(list, n/tps["alone"][i])
				}
				return median(list)
			}
			n := l.ran.Load() - ran
			t.Logf("pgbench -S -c %d, medians of %d rounds: %.0f tps alone; %.2f of it beside %d bombs in a row, %.2f beside one computing session; largest backend %d MB",
				clients, loadRounds, median(tps["alone"]), share("bombs"), n, share("control"), l.peak.Load()>>10)
			t.Logf("alone %.0f, bombs %.0f, control %.0f", tps["alone"], tps["bombs"], tps["control"])
			if n < 10 || share("bombs") < .7 {
				t.Errorf("%d bombs, %.2f of the throughput", n, share("bombs"))
			}
		})
	}
}

// load is what TestLoad's conditions share.
type load struct {
	t       *testing.T
	db      string
	server  *pgtest.Server
	program string
	bombs   []string
	replica *replica.Replica
	next    int
	ran     atomic.Int64 // bombs
	peak    atomic.Int64 // largest backend, in kB
}

// beside returns pgbench's throughput beside what run does.
func (l *load) beside(run func(context.Context), clients int) float64 {
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		run(ctx)
	}()
	defer func() {
		stop()
		<-done
	}()
	time.Sleep(100 * time.Millisecond) // until it is under way
	return l.pgbench(clients)
}

// explode runs bombs one after the other, each checked and run as a candidate is.
func (l *load) explode(ctx context.Context) {
	snap, err := l.replica.Begin(ctx, session(l.db, "analyst"))
	if err != nil {
		l.t.Error(err)
		return
	}
	defer snap.Close()
	for ; ctx.Err() == nil; l.next++ {
		sql := l.bombs[l.next*5%len(l.bombs)]
		if _, err := snap.Check(ctx, sql); err == nil {
			_, _ = snap.Run(ctx, sql)
		}
		l.ran.Add(1)
	}
}

// compute keeps one backend busy with statements that are cut off.
func (l *load) compute(ctx context.Context, limit time.Duration) {
	conn, err := pgx.Connect(context.Background(), l.server.URL(pgtest.Superuser, l.db))
	if err != nil {
		l.t.Error(err)
		return
	}
	defer func() { _ = conn.Close(context.Background()) }()
	if _, err := conn.Exec(context.Background(), fmt.Sprintf("set statement_timeout = %d", limit.Milliseconds())); err != nil {
		l.t.Error(err)
		return
	}
	for ctx.Err() == nil {
		if _, err := conn.Exec(ctx, "select count(*) from pg_class a, pg_class b, pg_class c, pg_class d"); err == nil || ctx.Err() == nil && conn.IsClosed() {
			l.t.Errorf("the control is no bomb: %v", err)
			return
		}
	}
}

var tpsLine = regexp.MustCompile(`tps = ([\d.]+)`)

// pgbench returns the transactions a second of clients that read a row each.
func (l *load) pgbench(clients int) float64 {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go func() {
		for ctx.Err() == nil {
			l.peak.Store(max(l.peak.Load(), int64(memory(l.server.PID()))))
			time.Sleep(200 * time.Millisecond)
		}
	}()
	out, err := exec.Command(l.program, "-n", "-S", "-c", strconv.Itoa(clients), "-T", strconv.Itoa(loadSeconds), l.server.URL(pgtest.Superuser, l.db)).CombinedOutput()
	m := tpsLine.FindSubmatch(out)
	if err != nil || m == nil {
		l.t.Fatalf("%v\n%s", err, out)
	}
	n, _ := strconv.ParseFloat(string(m[1]), 64)
	return n
}

func median(list []float64) float64 {
	list = slices.Sorted(slices.Values(list))
	return list[len(list)/2]
}

// memory returns the largest anonymous memory of a postmaster's children, in kB.
func memory(postmaster int) int {
	peak := 0
	dirs, _ := os.ReadDir("/proc")
	for _, d := range dirs {
		f, err := os.Open("/proc/" + d.Name() + "/status")
		if err != nil {
			continue
		}
		parent, kB := 0, 0
		for s := bufio.NewScanner(f); s.Scan(); {
			switch f := strings.Fields(s.Text()); {
			case len(f) > 1 && f[0] == "PPid:":
				parent, _ = strconv.Atoi(f[1])
			case len(f) > 1 && f[0] == "RssAnon:":
				kB, _ = strconv.Atoi(f[1])
			}
		}
		f.Close()
		if parent == postmaster {
			peak = max(peak, kB)
		}
	}
	return peak
}
