package replica_test

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"askpg/ask"
	"askpg/internal/pgtest"
)

// TestLoad runs ten resource bombs in a row on the standby while pgbench reads
// there: others keep most of their throughput, and the memory of the bombs'
// backends is written down. It needs a machine that does nothing else, so that
// it runs only with ASKPG_LOAD.
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
	tps := func() float64 {
		out, err := exec.Command(c.Primary.Program("pgbench"), "-n", "-S", "-c", "1", "-T", "12", c.Standby.URL(pgtest.Superuser, db)).CombinedOutput()
		m := regexp.MustCompile(`tps = ([\d.]+)`).FindSubmatch(out)
		if err != nil || m == nil {
			t.Fatalf("%v\n%s", err, out)
		}
		n, _ := strconv.ParseFloat(string(m[1]), 64)
		return n
	}
	cfg := config(t, c.Standby)
	cfg.StatementTimeout = ask.Duration(time.Second)
	r := start(t, cfg)
	var bombs []string
	for _, h := range hostiles(t) {
		if h.class == "bomb" {
			bombs = append(bombs, h.sql)
		}
	}
	tps() // warm
	quiet := tps()
	ctx, stop := context.WithCancel(context.Background())
	peak, done := 0, make(chan int)
	go func() {
		n := 0
		snap, err := r.Begin(ctx, session(db, "analyst"))
		if err == nil {
			for ; ctx.Err() == nil; n++ {
				sql := bombs[n*5%len(bombs)]
				if _, err := snap.Check(ctx, sql); err == nil {
					_, _ = snap.Run(ctx, sql)
				}
			}
			snap.Close()
		}
		done <- n
	}()
	go func() {
		for ctx.Err() == nil {
			peak = max(peak, memory(c.Standby.PID()))
			time.Sleep(20 * time.Millisecond)
		}
		done <- 0
	}()
	loaded := tps()
	stop()
	n := <-done + <-done
	t.Logf("pgbench -S: %.0f tps alone, %.0f with %d bombs in a row: %.2f; largest backend %d MB", quiet, loaded, n, loaded/quiet, peak>>10)
	if n < 10 || loaded < .7*quiet {
		t.Fatalf("%d bombs, %.2f of the throughput", n, loaded/quiet)
	}
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
