package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/internal/shop"
	"askpg/wire"
)

// pair is two instances that share a PostgreSQL store, behind HAProxy.
type pair struct {
	model   *modelServer
	a, b    *process
	configs [2]string
	front   string       // HAProxy's address
	calls   atomic.Int64 // that were answered
	hanging atomic.Int64 // that were not
}

// startPair starts both instances and HAProxy; more is added to the
// configuration of each, after which [store] goes on.
func startPair(t *testing.T, budget string) *pair {
	t.Helper()
	program, err := exec.LookPath("haproxy")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("haproxy is missing: ", err)
		}
		t.Skip("haproxy is not installed")
	}
	p := &pair{model: newModelServer(t), front: freeAddress("127.0.0.1:0")}
	p.model.answer(func(prompt string) reply {
		if strings.Contains(prompt, "prettiest") {
			p.hanging.Add(1)
			return reply{hang: true}
		}
		p.calls.Add(1)
		return reply{text: "```sql\nSELECT 41 + 1 AS answer\n```"}
	})
	url := pgtest.Shared(t).Primary.URL(pgtest.Superuser, pgtest.NewDatabase(t, ""))
	processes := [2]*process{}
	backends := ""
	for i := range processes {
		config, address, admin := writeConfig(t, fmt.Sprintf("[store.budget]\n%s\n[[model]]\nname = \"test\"\nbase_url = \"%s/v1\"\nmodel = \"test-1\"\n", budget, p.model.URL))
		changeConfig(t, config, func(text string) string {
			i, j := strings.Index(text, `url = "sqlite:`), strings.Index(text, "\nspill")
			// A busy machine may take its time to hand a cancel request over.
			text = text[:i] + fmt.Sprintf("url = %q\ncancel_wait = \"1m\"\nlookup_timeout = \"1m\"", url) + text[j:]
			return strings.Replace(text, "[listen]", "[listen]\ncancel_timeout = \"1m\"", 1)
		})
		p.configs[i] = config
		processes[i] = serveProcess(t, config, address, admin)
		backends += fmt.Sprintf("  server askpg%d %s check port %s inter 500ms fall 2 rise 1\n", i, address, admin[strings.LastIndex(admin, ":")+1:])
	}
	p.a, p.b = processes[0], processes[1]
	file := filepath.Join(t.TempDir(), "haproxy.cfg")
	text := fmt.Sprintf(`global
  maxconn 500
defaults
  mode tcp
  timeout connect 5s
  timeout client 1m
  timeout server 1m
  timeout check 10s
  option redispatch
  retries 3
listen askpg
  bind %s
  balance roundrobin
  option httpchk GET /readyz
%s`, p.front, backends)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(context.Background(), program, "-q", "-db", "-f", file)
	out := &syncBuffer{}
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("haproxy said: %s", out)
		}
	})
	eventually(t, "HAProxy passes sessions on", func() bool {
		conn, err := pgx.Connect(testContext(t), p.url(shop.Analyst))
		if err == nil {
			conn.Close(context.Background())
		}
		return err == nil
	})
	return p
}

func (p *pair) url(role string) string {
	return "postgres://" + role + "@" + p.front + "/shop?sslmode=disable"
}

// TestPair_Killed kills one of two instances under load: HAProxy sends the
// askers to the other one, and the log holds all that was answered, once.
func TestPair_Killed(t *testing.T) {
	p := startPair(t, "")
	seen := &answeredLabels{label: map[string]time.Time{}}
	ctx := testContext(t)
	go func() {
		for {
			select {
			case <-p.model.asked:
			case <-ctx.Done():
				return
			}
		}
	}()
	var wg sync.WaitGroup
	var after atomic.Int64
	var killed atomic.Bool
	for i := range 20 {
		wg.Go(func() {
			for n := 0; n < 200 && ctx.Err() == nil && after.Load() < 200; n++ {
				label := fmt.Sprintf("asked %d/%d", i, n)
				if _, err := askPipelined(ctx, p.url(shop.Analyst), []string{label}, seen); err != nil {
					time.Sleep(time.Duration(rand.IntN(50)) * time.Millisecond) // reconnect, as clients do
				} else if killed.Load() {
					after.Add(1)
				}
			}
		})
	}
	eventually(t, "a hundred questions are answered", func() bool { return seen.n.Load() > 100 })
	seen.kill(t, p.a)
	killed.Store(true)
	wg.Wait()
	if after.Load() < 200 {
		t.Errorf("%d questions were answered after the death of one instance", after.Load())
	}
	// What the dead one had spilled waits for it to be started again.
	p.a = serveProcess(t, p.configs[0], p.a.address, p.a.admin)
	if err := p.a.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = p.a.Wait()
	seen.kill(t, p.b)
	for _, config := range p.configs {
		loggedLabels(t, config) // takes over what each has spilled
	}
	onceEach(t, p.configs[1], seen, false)
}

// TestPair_Cancel cancels a question and a statement by requests that reach the
// instance which does not have the session. Nothing that comes after them is hit.
func TestPair_Cancel(t *testing.T) {
	p := startPair(t, "")
	watcher := connect(t, pgtest.Shared(t).Primary.URL(pgtest.Superuser, "postgres"))
	for _, via := range []struct{ name, session, cancel string }{
		{"asked at one, cancelled at the other", p.a.address, p.b.address},
		{"the other way round", p.b.address, p.a.address},
		{"through HAProxy, which takes turns", p.front, p.front},
	} {
		t.Run(via.name, func(t *testing.T) {
			ctx := testContext(t)
			conn := connect(t, "postgres://"+shop.Analyst+"@"+via.session+"/shop?sslmode=disable")
			failed := make(chan error, 1)
			go func() {
				_, err := conn.PgConn().Exec(ctx, "/* ask: which of our stores is the prettiest, "+via.name+" */").ReadAll()
				failed <- err
			}()
			eventually(t, "the model is asked", func() bool { return strings.Contains(p.model.seen(), via.name) })
			cancelAt(t, via.cancel, conn.PgConn())
			var pg *pgconn.PgError
			select {
			case err := <-failed:
				if !errors.As(err, &pg) || pg.Code != ask.CodeQueryCanceled {
					t.Fatalf("got %v, want 57014", err)
				}
			case <-time.After(20 * time.Second):
				t.Fatalf("the question goes on\n%s\n%s", p.a.log, p.b.log)
			}
			eventually(t, "no model is asked any more", func() bool { return int64(len(p.model.dropped)) == p.hanging.Load() })
			got, err := asked(ctx, conn, "SELECT 'goes on'")
			if err != nil || got != "goes on" {
				t.Fatalf("the session does not go on: %v", err)
			}
			go func() {
				_, err := conn.PgConn().Exec(ctx, "SELECT pg_sleep(60)").ReadAll()
				failed <- err
			}()
			eventually(t, "the statement runs", func() (running bool) {
				if err := watcher.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE state = 'active' AND query = 'SELECT pg_sleep(60)')").Scan(&running); err != nil {
					t.Fatal(err)
				}
				return running
			})
			cancelAt(t, via.cancel, conn.PgConn())()
			if err := <-failed; !errors.As(err, &pg) || pg.Code != ask.CodeQueryCanceled {
				t.Fatalf("a statement: %v, want 57014", err)
			}
			for range 5 {
				cancelAt(t, via.cancel, conn.PgConn())()
				if _, err := asked(ctx, conn, "SELECT 'goes on' FROM pg_sleep(0.01)"); err != nil {
					t.Fatalf("a request that came too late hit the next statement: %v", err)
				}
			}
		})
	}
}

// cancelAt sends a CancelRequest for a session to an address; the function that
// it returns waits until it has been acted on.
func cancelAt(t *testing.T, address string, session *pgconn.PgConn) (acted func()) {
	t.Helper()
	c, err := net.DialTimeout("tcp", address, 5*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	key := session.SecretKey()
	packet := binary.BigEndian.AppendUint32(nil, uint32(12+len(key)))
	packet = binary.BigEndian.AppendUint32(packet, wire.CancelCode)
	packet = append(binary.BigEndian.AppendUint32(packet, session.PID()), key...)
	if _, err := c.Write(packet); err != nil {
		t.Fatal(err)
	}
	return func() {
		t.Helper()
		if n, err := c.Read(make([]byte, 1)); err != io.EOF {
			t.Fatalf("the answer to a cancel request: %d bytes, %v", n, err)
		}
	}
}

// TestPair_Budget spends a role's budget at both instances together.
func TestPair_Budget(t *testing.T) {
	p := startPair(t, "role_calls = 1")
	ctx := testContext(t)
	if _, err := asked(ctx, connect(t, p.a.url(shop.Analyst)), "-- ask: what is the answer to question one"); err != nil {
		t.Fatal(err)
	}
	for _, at := range []*process{p.b, p.a} {
		_, err := asked(ctx, connect(t, at.url(shop.Analyst)), "-- ask: what is the answer to one question more")
		if err == nil || err.Code != ask.CodeBudget {
			t.Errorf("over the budget: %v, want ASK04", err)
		}
	}
	got, err := asked(ctx, connect(t, p.b.url(shop.Analyst)), "SHOW askpg.budget")
	if err != nil || got != "role "+shop.Analyst {
		t.Errorf("SHOW askpg.budget: %q, %v", got, err)
	}
	if _, err := asked(ctx, connect(t, p.b.url(shop.Support)), "-- ask: what is the answer to a question of support"); err != nil {
		t.Errorf("another role has a budget of its own: %v", err)
	}
}

// TestPair_Reviewed approves an answer of one instance, which the other then
// gives without a model, and rejects one that the other holds in its cache.
func TestPair_Reviewed(t *testing.T) {
	p := startPair(t, "")
	ctx := testContext(t)
	log := func(args ...string) string {
		t.Helper()
		cmd := askpgCommand(t, append([]string{"log", "--config", p.configs[0]}, args...)...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("askpg log %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	answer := func(at *process, question string) (calls int64) {
		t.Helper()
		before := p.calls.Load()
		conn := connect(t, at.url(shop.Analyst))
		defer conn.Close(ctx) // it is asked many times
		if got, err := asked(ctx, conn, "-- ask: "+question); err != nil || got != "42" {
			t.Fatalf("%q, %v", got, err)
		}
		return p.calls.Load() - before
	}
	// The entry of a repeated answer may come after that of a later question: it is written behind.
	logged := func(question string) string {
		t.Helper()
		for line := range strings.Lines(log("list")) {
			if strings.Contains(line, question) {
				return strings.Fields(line)[0]
			}
		}
		t.Fatal("not in the log: " + question)
		return ""
	}

	if n := answer(p.a, "what is the answer to everything"); n == 0 {
		t.Fatal("no model was asked")
	}
	log("approve", "--by", "ann", logged("what is the answer to everything"))
	eventually(t, "the approved question costs no calls at the other instance", func() bool {
		return answer(p.b, "What is the answer to everything?") == 0
	})

	if n := answer(p.a, "what is the answer to nothing"); n == 0 {
		t.Fatal("no model was asked")
	}
	id := logged("what is the answer to nothing")
	if n := answer(p.b, "what is the answer to nothing"); n != 0 {
		t.Errorf("an answer that the log remembers cost %d calls at the other instance", n)
	}
	log("reject", "--by", "ann", id)
	for _, at := range []*process{p.a, p.b} {
		eventually(t, "a rejected answer is not given from the cache any more", func() bool {
			return answer(at, "what is the answer to nothing") > 0
		})
	}
}
