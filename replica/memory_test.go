package replica_test

import (
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/replica"
)

// metric returns the value of a gauge or counter without labels.
func metric(t *testing.T, reg *prometheus.Registry, name string) float64 {
	t.Helper()
	families, err := reg.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() == name {
			return f.GetMetric()[0].GetGauge().GetValue() + f.GetMetric()[0].GetCounter().GetValue()
		}
	}
	t.Fatalf("there is no metric %s", name)
	return 0
}

// TestMemory fills replica.memory with results that somebody keeps. What does not fit
// waits at its beginning, and is refused with 53200 later; all of it is given back.
func TestMemory(t *testing.T) {
	db := pgtest.NewDatabase(t, script)
	cfg := config(t, pgtest.Shared(t).Standby)
	cfg.CandidateBytes, cfg.RowBytes, cfg.Memory = 1<<20, 1<<20, 4<<20
	cfg.QueueTimeout = ask.Duration(50 * time.Millisecond)
	reg := prometheus.NewRegistry()
	r, err := replica.New(cfg, slog.New(slog.NewTextHandler(io.Discard, nil)), reg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	used := func() float64 { return metric(t, reg, "askpg_replica_memory_bytes") }
	full := func(err error) {
		t.Helper()
		if e := ask.AsError(err); e == nil || e.Code != "53200" || e.Detail == "" || !strings.Contains(e.Hint, "replica.memory") {
			t.Fatalf("got %v", err)
		}
	}
	const wide, many = "select repeat('x', 900000)", "select i, repeat('x', 100) from generate_series(1, 6000) i"

	snap := begin(t, r, session(db, "analyst"))
	var kept []*ask.Result
	for {
		res, err := snap.Run(deadline(t), many)
		if err != nil {
			full(err)
			break
		}
		if kept = append(kept, res); len(kept) > 4 {
			t.Fatal("the memory has no end")
		}
	}
	if len(kept) == 0 || used() < float64(len(kept))*2*600_000 || used() > float64(cfg.Memory) {
		t.Fatalf("%d results are %.0f bytes", len(kept), used())
	}
	_, _, _, err = snap.Try(deadline(t), many)
	full(err)
	_, err = snap.Run(deadline(t), wide)
	full(err)
	rows, err := r.Open(deadline(t), session(db, "analyst"), wide, nil)
	if err == nil {
		if rows.Next() {
			t.Fatal("a long row found room")
		}
		err = rows.Err()
		rows.Close()
	}
	full(err)
	_, err = r.Begin(deadline(t), session(db, "support"))
	full(err)
	if n := metric(t, reg, "askpg_replica_memory_refused_total"); n < 5 {
		t.Errorf("%.0f refusals are counted", n)
	}
	for _, res := range kept {
		res.Release()
		res.Release() // twice is once
		if res.Rows != nil {
			t.Error("released rows are still there")
		}
	}
	waitUnused(t, used)

	rows, err = r.Open(deadline(t), session(db, "analyst"), wide, nil)
	if err != nil || !rows.Next() || len(rows.Values()[0]) != 900_000 {
		t.Fatalf("with room again: %v", err)
	}
	if used() < 1_700_000 {
		t.Errorf("a long row on its way is %.0f bytes", used())
	}
	rows.Close()
	res, err := snap.Run(deadline(t), wide)
	if err != nil {
		t.Fatal(err)
	}
	res.Release()
	snap.Close()
	waitUnused(t, used)
}

// TestMemory_Waits begins a question when another gives its memory back.
func TestMemory_Waits(t *testing.T) {
	db := pgtest.NewDatabase(t, script)
	cfg := config(t, pgtest.Shared(t).Standby)
	cfg.CandidateBytes, cfg.RowBytes, cfg.Memory = 1<<20, 1<<20, 3<<20
	cfg.QueueTimeout = ask.Duration(time.Minute)
	r := start(t, cfg)
	res, err := begin(t, r, session(db, "analyst")).Run(deadline(t), "select i, repeat('x', 100) from generate_series(1, 6000) i")
	if err != nil {
		t.Fatal(err)
	}
	begun := make(chan error, 1)
	go func() {
		snap, err := r.Begin(deadline(t), session(db, "support"))
		if err == nil {
			snap.Close()
		}
		begun <- err
	}()
	select {
	case err := <-begun:
		t.Fatalf("a question did not wait: %v", err)
	case <-time.After(100 * time.Millisecond):
	}
	res.Release()
	if err := <-begun; err != nil {
		t.Error(err)
	}
}

// waitUnused waits until nothing is in use: connections are cleaned while nobody waits.
func waitUnused(t *testing.T, used func() float64) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); used() != 0; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%.0f bytes were never given back", used())
		}
	}
}
