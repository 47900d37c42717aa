package main

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/internal/shop"
)

// process is an askpg in a process of its own.
type process struct {
	*exec.Cmd
	config, address, admin string
	log                    *syncBuffer
}

type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// askpgCommand returns the program with arguments.
func askpgCommand(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	return askpgUntil(testContext(t), t, args...)
}

// askpgUntil is askpgCommand for a time of one's own.
func askpgUntil(ctx context.Context, t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Env = append(os.Environ(), "ASKPG_TEST_RUN=1")
	return cmd
}

func writeConfig(t *testing.T, more string) (path, address, adminAddress string) {
	t.Helper()
	shopDatabase(t)
	c := pgtest.Shared(t)
	dir := t.TempDir()
	address, adminAddress = freeAddress("127.0.0.1:0"), freeAddress("127.0.0.1:0")
	text := fmt.Sprintf(`[listen]
address = %q
[primary]
address = %q
[replica]
url = %q
[store]
url = "sqlite:%s"
spill = "%s"
[admin]
address = %q
[shutdown]
drain_timeout = "20s"
%s`, address, c.Primary.Address(), c.Standby.URL(shop.Service, ""), filepath.Join(dir, "askpg.db"), filepath.Join(dir, "askpg.spill"), adminAddress, more)
	path = filepath.Join(dir, "config.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path, address, adminAddress
}

func serveProcess(t *testing.T, config, address, admin string, environment ...string) *process {
	t.Helper()
	p := &process{Cmd: askpgUntil(t.Context(), t, "serve", "--config", config), config: config, address: address, admin: admin, log: &syncBuffer{}}
	p.Env = append(p.Env, environment...)
	p.Stderr = p.log
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = p.Process.Kill()
		_, _ = p.Process.Wait()
		if t.Failed() {
			t.Logf("askpg at %s said:\n%s", address, p.log)
		}
	})
	for _, at := range []string{address, admin} {
		eventually(t, "askpg serves", func() bool {
			c, err := net.Dial("tcp", at)
			if err == nil {
				c.Close()
			}
			return err == nil
		})
	}
	return p
}

func (p *process) url(role string) string {
	return "postgres://" + role + "@" + p.address + "/shop?sslmode=disable"
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain: %s", what)
		}
	}
}

// TestServe_KilledAndRestarted kills askpg at once and finds every answered
// question in the log.
func TestServe_KilledAndRestarted(t *testing.T) {
	config, address, admin := writeConfig(t, "")
	p := serveProcess(t, config, address, admin)
	conn := connect(t, p.url(shop.Analyst))
	const n = 20
	for i := range n {
		if _, err := asked(testContext(t), conn, fmt.Sprintf("-- ask: how many orders with a total over %d", i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = p.Wait()
	again := serveProcess(t, config, address, admin)
	out, err := askpgCommand(t, "log", "--config", config, "list").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for i := range n {
		if !strings.Contains(string(out), fmt.Sprintf("over %d\n", i)) {
			t.Errorf("question %d is not in the log:\n%s", i, out)
		}
	}
	if _, err := asked(testContext(t), connect(t, again.url(shop.Analyst)), "-- ask: how many customers do we have"); err != nil {
		t.Error(err)
	}
}

// TestServe_LogsID: the process's own log names a question by its id in the log of translations.
func TestServe_LogsID(t *testing.T) {
	config, address, admin := writeConfig(t, "[log]\nlevel = \"info\"\n")
	p := serveProcess(t, config, address, admin)
	conn := connect(t, p.url(shop.Analyst))
	if _, err := asked(testContext(t), conn, "-- ask: how many customers do we have"); err != nil {
		t.Fatal(err)
	}
	id, err := asked(testContext(t), conn, "SHOW askpg.last")
	if err != nil || len(id) != 36 {
		t.Fatalf("id %q, %v", id, err)
	}
	eventually(t, "the answer in the process's log", func() bool {
		return strings.Contains(p.log.String(), fmt.Sprintf(`msg="question answered" id=%s role=%s login=%[2]s database=shop client=127.0.0.1:`, id, shop.Analyst))
	})
	if out, err := askpgCommand(t, "log", "show", "--config", config, id).CombinedOutput(); err != nil || !strings.Contains(string(out), "how many customers do we have") {
		t.Errorf("askpg log show: %s, %v", out, err)
	}
}

// TestServe_Drain ends idle sessions with 57P01 and lets a transaction end.
func TestServe_Drain(t *testing.T) {
	config, address, admin := writeConfig(t, "")
	p := serveProcess(t, config, address, admin)
	idle, busy := connect(t, p.url(shop.Analyst)), connect(t, p.url(shop.Analyst))
	ctx := testContext(t)
	if _, err := busy.Exec(ctx, "BEGIN"); err != nil {
		t.Fatal(err)
	}
	if err := p.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	eventually(t, "no new connections", func() bool {
		c, err := net.Dial("tcp", address)
		if err == nil {
			c.Close()
		}
		return err != nil
	})
	eventually(t, "an idle session is ended with 57P01", func() bool {
		_, err := asked(ctx, idle, "SELECT 1")
		return err != nil && err.Code == ask.CodeAdminShutdown
	})
	if resp, err := http.Get("http://" + admin + "/readyz"); err == nil {
		if resp.StatusCode != http.StatusServiceUnavailable {
			t.Errorf("/readyz says %d while draining", resp.StatusCode)
		}
		resp.Body.Close()
	}
	if got, err := asked(ctx, busy, "SELECT 'still here'"); err != nil || got != "still here" {
		t.Errorf("in a transaction: %v", err)
	}
	if _, err := busy.Exec(ctx, "COMMIT"); err != nil {
		t.Error(err)
	}
	if err := p.Wait(); err != nil {
		t.Errorf("exit: %v\n%s", err, p.log)
	}
}

// TestServe_SecondSignal ends at once what the first one waits for.
func TestServe_SecondSignal(t *testing.T) {
	config, address, admin := writeConfig(t, "")
	p := serveProcess(t, config, address, admin)
	busy := connect(t, p.url(shop.Analyst))
	ctx := testContext(t)
	if _, err := busy.Exec(ctx, "BEGIN"); err != nil {
		t.Fatal(err)
	}
	if err := p.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	eventually(t, "it drains", func() bool { return strings.Contains(p.log.String(), "draining") })
	if _, err := asked(ctx, busy, "SELECT 1"); err != nil {
		t.Fatalf("the first signal cut a transaction: %v", err)
	}
	if err := p.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := p.Wait(); err != nil {
		t.Errorf("exit: %v\n%s", err, p.log)
	}
	if _, err := asked(ctx, busy, "SELECT 1"); err == nil || err.Code != ask.CodeAdminShutdown {
		t.Errorf("the session ended with %v", err)
	}
}

// TestServe_Reload takes over a limit on SIGHUP and keeps the old settings if
// the file is wrong.
func TestServe_Reload(t *testing.T) {
	config, address, admin := writeConfig(t, "")
	p := serveProcess(t, config, address, admin)
	text, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	reload := func(text, expect string) {
		t.Helper()
		if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := p.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
		eventually(t, expect, func() bool { return strings.Contains(p.log.String(), expect) })
	}
	reload(strings.Replace(string(text), "[listen]", "[listen]\nmax_questoin = 10", 1), "reload failed")
	conn := connect(t, p.url(shop.Analyst))
	if _, err := asked(testContext(t), conn, "-- ask: how many customers do we have"); err != nil {
		t.Error(err)
	}
	reload(strings.Replace(string(text), "[listen]", "[listen]\nmax_question = 20", 1), "msg=reloaded")
	conn = connect(t, p.url(shop.Analyst))
	if _, err := asked(testContext(t), conn, "-- ask: how many customers do we have"); err == nil || err.Code != ask.CodeProgramLimit {
		t.Errorf("after the reload: %v, want 54000", err)
	}
}

// TestCommands runs the subcommands that scripts rely on.
func TestCommands(t *testing.T) {
	config, address, admin := writeConfig(t, "")
	run := func(want int, args ...string) string {
		t.Helper()
		cmd := askpgCommand(t, args...)
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		_ = cmd.Run()
		if got := cmd.ProcessState.ExitCode(); got != want {
			t.Errorf("askpg %s: exit %d, want %d\n%s", strings.Join(args, " "), got, want, out.String())
		}
		return out.String()
	}
	expect := func(out string, parts ...string) {
		t.Helper()
		for _, p := range parts {
			if !strings.Contains(out, p) {
				t.Errorf("no %q in\n%s", p, out)
			}
		}
	}
	customers := fmt.Sprint(count(t, "SELECT count(*) FROM customers"))

	expect(run(1, "health", "--config", config), "does not answer")
	expect(run(0, "version"), "askpg ")
	expect(run(2, "serv"), `did you mean "serve"`)
	expect(run(2, "ask", "--config", config, "how many"), "--db and --user")
	expect(run(2, "ask", "--config", config, "--db", "shop", "--user", "analyst", "how many", "--show=sql"), "write it before")
	expect(run(0, "check", "--config", config, "--db", "shop", "--user", shop.Support), "ok    primary", "ok    settings", "the built-in engine answers", "catalog of shop as support")
	expect(run(0, "check", "--config", config, "--print-setup", "--user", shop.Analyst), "CREATE ROLE", "NOINHERIT")
	expect(run(0, "check", "--config", config, "--db", "shop", "--user", shop.Analyst, "--sql", "SELECT count(*) FROM orders"), "allowed")
	expect(run(1, "check", "--config", config, "--db", "shop", "--user", shop.Analyst, "--sql", "SELECT pg_sleep(1)"), "refused", "pg_sleep")
	out := run(0, "check", "--config", config, "--db", "shop", "--user", shop.Support, "--question", "which customers glow in the dark")
	expect(out, "CREATE TABLE", "customers", "which customers glow in the dark")
	for _, secret := range []string{"payments", "suppliers", "salary"} {
		if strings.Contains(out, secret) {
			t.Errorf("what would leave for support holds %q:\n%s", secret, out)
		}
	}

	p := serveProcess(t, config, address, admin)
	expect(run(0, "health", "--config", config), "ready")
	expect(run(0, "ask", "--config", config, "--db", "shop", "--user", shop.Analyst, "how many customers do we have"), "SELECT count(*)", "confidence", customers)
	expect(run(1, "ask", "--config", config, "--db", "shop", "--user", shop.Analyst, "how many gizmotrons"), "ASK01", "gizmotrons")
	if _, err := asked(testContext(t), connect(t, p.url(shop.Analyst)), "-- ask: how many customers are there"); err != nil {
		t.Fatal(err)
	}
	listed := run(0, "log", "--config", config, "list", "--text", "customers are there")
	expect(listed, "how many customers are there")
	id := strings.Fields(strings.Split(listed, "\n")[1])[0]
	expect(run(0, "log", "--config", config, "show", id), "how many customers are there", "SELECT count(*) FROM customers", "chosen")
	expect(run(1, "log", "--config", config, "correct", id, "DELETE FROM customers"), "ASK05")
	expect(run(2, "log", "--config", config, "correct", id, " "), "no SQL behind the id") // and approves nothing
	expect(run(0, "log", "--config", config, "correct", "--by", "ann", id, "SELECT 7 AS seven"), "verified example")
	expect(run(0, "log", "--config", config, "examples", "--db", "shop"), "SELECT 7 AS seven")
	eventually(t, "after the correction the answer is the verified example's", func() bool {
		got, err := asked(testContext(t), connect(t, p.url(shop.Analyst)), "-- ask: How many customers are there?")
		return err == nil && got == "7"
	})
	metrics, err := http.Get("http://" + admin + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer metrics.Body.Close()
	var text bytes.Buffer
	_, _ = text.ReadFrom(metrics.Body)
	expect(text.String(), "askpg_")
}
