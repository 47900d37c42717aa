package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"askpg/internal/shop"
)

// wideModel is a model each of whose choices is another result of about 15 MB.
func wideModel(t *testing.T) *httptest.Server {
	var number atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct{ N int }
		_ = json.NewDecoder(r.Body).Decode(&body)
		choices := many(max(body.N, 1), func() string {
			return fmt.Sprintf("SELECT i, repeat(md5((i*%d)::text), 100) FROM generate_series(1, 4700) i", number.Add(1))
		})
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, choices.raw)
	}))
	t.Cleanup(s.Close)
	return s
}

// outcome is what became of the sessions of a load.
type outcome struct {
	answered, rows, refused atomic.Int64 // prepared, executed, 53200
	gauge                   float64      // highest
	before, peak, after     int          // resident memory
}

// gaugeOf returns a metric of a process.
func gaugeOf(t *testing.T, p *process, name string) float64 {
	t.Helper()
	resp, err := http.Get("http://" + p.admin + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`(?m)^` + name + ` (\S+)$`).FindSubmatch(text)
	if m == nil {
		t.Fatalf("there is no metric %s", name)
	}
	n, err := strconv.ParseFloat(string(m[1]), 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// wideLoad has sessions prepare a question each whose candidates disagree, and every fourth
// execute it; all hold their statements until the last is done.
func wideLoad(t *testing.T, sessions, memory int) *outcome {
	t.Helper()
	model := wideModel(t)
	config, address, admin := writeConfig(t, fmt.Sprintf("[[model]]\nname = \"wide\"\nbase_url = \"%s/v1\"\nmodel = \"m\"\n", model.URL))
	text, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	text = regexp.MustCompile(`(?m)^\[replica\]$`).ReplaceAll(text, fmt.Appendf(nil, "[replica]\nmemory = %d\nqueue_timeout = \"3m\"\nquestions_per_role = 32", memory))
	text = regexp.MustCompile(`(?m)^\[store\]$`).ReplaceAll(text, []byte("[translator]\nmin_confidence = 0.0\nmax_samples = 3\nexplore = false\n[store]"))
	if err := os.WriteFile(config, text, 0o600); err != nil {
		t.Fatal(err)
	}
	p := serveProcess(t, config, address, admin)
	o := &outcome{before: resident(t, p.Process.Pid)}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	conns := make([]*pgconn.PgConn, sessions)
	for i := range conns {
		if conns[i], err = pgconn.Connect(ctx, p.url(shop.Analyst)); err != nil {
			t.Fatal(err)
		}
		defer conns[i].Close(context.WithoutCancel(ctx))
	}
	var wg sync.WaitGroup
	for i, conn := range conns {
		wg.Go(func() {
			_, err := conn.Prepare(ctx, "q", fmt.Sprintf("-- ask: which digests of number %d are beautiful", i), nil)
			if err == nil {
				o.answered.Add(1)
				if i%4 != 0 {
					return
				}
				if r := conn.ExecPrepared(ctx, "q", nil, nil, nil).Read(); r.Err == nil {
					o.rows.Add(int64(len(r.Rows)))
				} else {
					err = r.Err
				}
			}
			var e *pgconn.PgError
			switch {
			case err == nil:
			case errors.As(err, &e) && e.Code == "53200":
				o.refused.Add(1)
			default:
				t.Errorf("session %d: %v", i, err)
			}
		})
	}
	done := make(chan struct{})
	go func() { wg.Wait(); close(done) }()
	for sampling := true; sampling; {
		select {
		case <-done:
			sampling = false
		case <-time.After(100 * time.Millisecond):
		}
		o.gauge = max(o.gauge, gaugeOf(t, p, "askpg_replica_memory_bytes"))
		o.peak = max(o.peak, resident(t, p.Process.Pid))
	}
	o.peak = max(o.peak, status(t, p.Process.Pid, "VmHWM:"))
	// The sessions are there, and their statements; rows that nobody fetched are not fresh.
	eventually(t, "no row is held", func() bool { return gaugeOf(t, p, "askpg_replica_memory_bytes") == 0 })
	o.after = resident(t, p.Process.Pid)
	t.Logf("%d sessions, replica.memory %d MB: %d answers, %d rows, %d refused; gauge at most %.0f MB; resident memory %d MB before, %d at most, %d after",
		sessions, memory>>20, o.answered.Load(), o.rows.Load(), o.refused.Load(), o.gauge/(1<<20), o.before>>20, o.peak>>20, o.after>>20)
	if o.answered.Load() == 0 {
		t.Error("no question was answered")
	}
	if o.gauge == 0 || o.gauge > float64(memory) {
		t.Errorf("%.0f bytes are counted, of %d", o.gauge, memory)
	}
	return o
}

// TestServe_Memory has sessions prepare questions whose candidates are 15 MB each and
// disagree. What is counted is never more than replica.memory, and the process never larger
// than twice that, as far as the garbage collector lets the heap grow, and 256 MB.
// ASKPG_MEMORY=1 has a hundred sessions.
func TestServe_Memory(t *testing.T) {
	sessions, memories := 3, []int{96 << 20}
	if os.Getenv("ASKPG_MEMORY") != "" {
		sessions, memories = 100, []int{256 << 20, 512 << 20}
	}
	for _, memory := range memories {
		t.Run(fmt.Sprintf("%d MB", memory>>20), func(t *testing.T) {
			o := wideLoad(t, sessions, memory)
			if bound := o.before + 2*memory + 256<<20; o.peak > bound {
				t.Errorf("resident memory was %d MB, of %d", o.peak>>20, bound>>20)
			}
		})
	}
}
