package main

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
	_ "github.com/jackc/pgx/v5/stdlib"

	"askpg/internal/pgtest"
	"askpg/internal/shop"
	"askpg/store"
)

const (
	askers    = 50
	pipelined = 20 // questions of each asker that are on the way at once
)

// answeredLabels are the questions whose CommandComplete a client has seen, and when it has.
type answeredLabels struct {
	mu     sync.Mutex
	label  map[string]time.Time
	killed []time.Time // when askpg was
	n      atomic.Int64
	// refused counts the questions that had an error.
	refused atomic.Int64
}

func (a *answeredLabels) add(label string) {
	a.mu.Lock()
	a.label[label] = time.Now()
	a.mu.Unlock()
	a.n.Add(1)
}

// kill kills askpg.
func (a *answeredLabels) kill(t *testing.T, p *process) {
	t.Helper()
	a.mu.Lock()
	a.killed = append(a.killed, time.Now())
	a.mu.Unlock()
	p.kill(t)
}

// mayBeLost says whether askpg may have been killed before it had written the entry of a repeated answer: it waits
// store.batch_delay for others, and then for its commit, which takes long on a machine as busy as this.
func (a *answeredLabels) mayBeLost(label string) bool {
	return !strings.HasPrefix(label, first) && slices.ContainsFunc(a.killed, func(killed time.Time) bool {
		age := killed.Sub(a.label[label])
		return age > -time.Second && age < 3*time.Second // the client sees later what was sent before
	})
}

// first begins the label of a question that nobody has asked before.
const first = "first"

// askPipelined sends questions on one connection without waiting for answers
// and notes those that are answered to the end. It returns how many were
// refused, once all are dealt with or the connection has ended.
func askPipelined(ctx context.Context, url string, labels []string, seen *answeredLabels) (refused int, err error) {
	conn, err := pgconn.Connect(ctx, url)
	if err != nil {
		return 0, err
	}
	h, err := conn.Hijack()
	if err != nil {
		return 0, err
	}
	defer h.Conn.Close()
	stop := context.AfterFunc(ctx, func() { h.Conn.Close() })
	defer stop()
	for _, label := range labels {
		question := "how many customers do we have"
		if strings.HasPrefix(label, first) { // the others are answered from the cache
			question = "how many orders with a total over " + strconv.Itoa(rand.IntN(1_000_000))
		}
		h.Frontend.Send(&pgproto3.Query{String: "/* " + label + " */ -- ask: " + question})
	}
	if err := h.Frontend.Flush(); err != nil {
		return 0, err
	}
	for done := 0; done < len(labels); {
		m, err := h.Frontend.Receive()
		if err != nil {
			return refused, err
		}
		switch m.(type) {
		case *pgproto3.CommandComplete:
			seen.add(labels[done])
		case *pgproto3.ErrorResponse:
			refused++
			seen.refused.Add(1)
		case *pgproto3.ReadyForQuery:
			done++
		}
	}
	return refused, nil
}

// askThousand asks a thousand questions at once and calls meanwhile when a
// random part of them is answered or refused.
func askThousand(t *testing.T, url string, round int, seen *answeredLabels, meanwhile func()) (refused int) {
	t.Helper()
	ctx := testContext(t)
	before := seen.n.Load()
	at := before + seen.refused.Load() + 50 + rand.Int64N(askers*pipelined-150)
	reached, over := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(reached)
		for seen.n.Load()+seen.refused.Load() < at && ctx.Err() == nil {
			select {
			case <-over:
				return
			case <-time.After(time.Millisecond):
			}
		}
	}()
	var wg sync.WaitGroup
	var failed atomic.Int64
	for i := range askers {
		wg.Go(func() {
			labels := make([]string, pipelined)
			for j := range labels {
				labels[j] = fmt.Sprintf("asked %d/%d/%d", round, i, j)
			}
			labels[pipelined/2] = fmt.Sprintf("%s %d/%d", first, round, i)
			n, _ := askPipelined(ctx, url, labels, seen)
			failed.Add(int64(n))
		})
	}
	go func() {
		wg.Wait()
		close(over)
	}()
	<-reached
	meanwhile()
	<-over
	if seen.n.Load() == before {
		t.Fatal("no question was answered")
	}
	return int(failed.Load())
}

// loggedLabels counts the log's entries by their label, once all that was
// spilled has been taken over.
func loggedLabels(t *testing.T, config string) map[string]int {
	t.Helper()
	cfg, err := loadConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(testContext(t), cfg.Store, slog.New(slog.DiscardHandler), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for end := time.Now().Add(3 * time.Minute); s.Spilled() > 0; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d bytes of spilled entries are not taken over", s.Spilled())
		}
	}
	driver, source := "pgx", cfg.Store.URL
	if path, ok := strings.CutPrefix(source, "sqlite:"); ok {
		driver, source = "sqlite3", path
	}
	db, err := sql.Open(driver, source)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	table := "translations"
	if driver == "pgx" {
		table = "askpg.translations"
	}
	rows, err := db.Query("select cast(annotations as text) from " + table + " where annotations is not null and outcome = 'answered'")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	counts := map[string]int{}
	for rows.Next() {
		var list string
		if err := rows.Scan(&list); err != nil {
			t.Fatal(err)
		}
		counts[strings.Trim(list, `[]" `)]++
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return counts
}

// onceEach fails for every answer that the log does not hold exactly once, but for those that may be lost if the
// log need not be complete.
func onceEach(t *testing.T, config string, seen *answeredLabels, required bool) {
	t.Helper()
	counts := loggedLabels(t, config)
	missing, twice, lost := 0, 0, 0
	for label := range seen.label {
		switch {
		case counts[label] > 0:
		case !required && seen.mayBeLost(label):
			lost++
		default:
			missing++
		}
	}
	for _, n := range counts {
		if n > 1 {
			twice++
		}
	}
	if missing > 0 || twice > 0 {
		t.Errorf("of %d answered questions %d are not in the log; %d entries are there twice", len(seen.label), missing, twice)
	}
	t.Logf("%d answers were seen, %d are logged, %d repeated ones were lost with askpg", len(seen.label), len(counts), lost)
}

// kills is how often askpg is killed: ASKPG_TEST_KILLS, else 3.
func kills() int {
	if n, err := strconv.Atoi(os.Getenv("ASKPG_TEST_KILLS")); err == nil && n > 0 {
		return n
	}
	return 3
}

func (p *process) kill(t *testing.T) {
	t.Helper()
	if err := p.Process.Kill(); err != nil {
		t.Error(err)
	}
	_, _ = p.Process.Wait()
}

// TestServe_KilledUnderLoad kills askpg amid a thousand questions, again and
// again on the same log: what a client saw the end of is logged, once. If the log
// need not be complete, the last repeated answers may be missing.
func TestServe_KilledUnderLoad(t *testing.T) {
	for _, required := range []bool{true, false} {
		t.Run(fmt.Sprintf("required=%v", required), func(t *testing.T) {
			config, address, admin := writeConfig(t, "")
			changeConfig(t, config, func(text string) string {
				return strings.Replace(text, "\nspill", fmt.Sprintf("\nrequired = %v\nspill", required), 1)
			})
			seen := &answeredLabels{label: map[string]time.Time{}}
			for round := range kills() {
				p := serveProcess(t, config, address, admin)
				askThousand(t, p.url(shop.Analyst), round, seen, func() { seen.kill(t, p) })
			}
			onceEach(t, config, seen, required)
		})
	}
}

// TestServe_KilledAndStoreRestarted does so with a PostgreSQL store that is
// restarted at once, as by a crash, amid the same thousand.
func TestServe_KilledAndStoreRestarted(t *testing.T) {
	cluster := pgtest.NewCluster(t, pgtest.Options{NoStandby: true})
	config, address, admin := writeConfig(t, "")
	changeConfig(t, config, func(text string) string {
		i, j := strings.Index(text, `url = "sqlite:`), strings.Index(text, "\nspill")
		return text[:i] + fmt.Sprintf("url = %q", cluster.Primary.URL(pgtest.Superuser, "postgres")) + text[j:]
	})
	seen := &answeredLabels{label: map[string]time.Time{}}
	for round := range kills() {
		p := serveProcess(t, config, address, admin)
		askThousand(t, p.url(shop.Analyst), round, seen, func() {
			if err := cluster.Primary.Stop(syscall.SIGQUIT); err != nil {
				t.Error(err)
			}
			if round%2 == 1 { // else the store stays away until askpg is dead
				if err := cluster.Primary.Start(context.Background()); err != nil {
					t.Error(err)
				}
			}
			time.Sleep(time.Duration(rand.IntN(300)) * time.Millisecond)
			seen.kill(t, p)
		})
		if round%2 == 0 {
			if err := cluster.Primary.Start(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
	}
	onceEach(t, config, seen, false)
}

func changeConfig(t *testing.T, path string, change func(string) string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(change(string(text))), 0o600); err != nil {
		t.Fatal(err)
	}
}
