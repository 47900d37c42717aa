package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"askpg/internal/pgtest"
)

// resident returns a process's resident memory in bytes.
func resident(t *testing.T, pid int) int {
	t.Helper()
	return status(t, pid, "VmRSS:")
}

// status returns bytes of a process's status in /proc.
func status(t *testing.T, pid int, field string) int {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("resident memory is read from Linux's /proc")
	}
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err) // the process has ended
	}
	for line := range strings.SplitSeq(string(b), "\n") {
		if rest, ok := strings.CutPrefix(line, field); ok {
			n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(rest), " kB"))
			if err != nil {
				t.Fatal(err)
			}
			return n << 10
		}
	}
	t.Fatal("the process has ended")
	return 0
}

// A client that does not read while 200 MB stream to it costs askpg less than a
// megabyte of resident memory, and gets all of it once it reads. ASKPG_MEMORY=1
// streams 1 GB.
func TestServe_UnreadStream(t *testing.T) {
	cert, key := selfSigned(t, "askpg")
	for _, tt := range []struct{ name, config, sslmode string }{
		{"event loop", "", "disable"},
		{"goroutines", "event_loops = 0", "disable"},
		{"TLS", fmt.Sprintf("[tls]\nmode = \"require\"\ncert = %q\nkey = %q", cert, key), "require"},
	} {
		t.Run(tt.name, func(t *testing.T) { testUnreadStream(t, tt.config, tt.sslmode) })
	}
}

func testUnreadStream(t *testing.T, settings, sslmode string) {
	const size = 8000
	count := 25000
	if os.Getenv("ASKPG_MEMORY") != "" {
		count = 125000
	}
	copying := func(rows int) string {
		return fmt.Sprintf("copy (select repeat('x', %d) from generate_series(1, %d)) to stdout", size, rows)
	}
	config, address, admin := writeConfig(t, "")
	text, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	changed := string(text) + settings
	if strings.HasPrefix(settings, "event_loops") {
		changed = strings.Replace(string(text), "[listen]", "[listen]\n"+settings, 1)
	}
	if err := os.WriteFile(config, []byte(changed), 0o600); err != nil {
		t.Fatal(err)
	}
	p := serveProcess(t, config, address, admin)
	url := fmt.Sprintf("postgres://%s@%s/postgres?sslmode=%s", pgtest.Superuser, address, sslmode)
	// What a process takes once, for the first stream and for whatever it
	// does at its start, is no session's.
	warm := connect(t, url)
	if _, err := warm.PgConn().CopyTo(testContext(t), io.Discard, copying(10000)); err != nil {
		t.Fatal(err)
	}
	conn := connect(t, url)
	watcher := connect(t, pgtest.Shared(t).Primary.URL(pgtest.Superuser, "postgres"))
	least := func() int {
		n := resident(t, p.Process.Pid)
		for range 20 {
			time.Sleep(50 * time.Millisecond)
			n = min(n, resident(t, p.Process.Pid))
		}
		return n
	}
	before := least()
	front := conn.PgConn().Frontend()
	front.SendQuery(&pgproto3.Query{String: copying(count)})
	if err := front.Flush(); err != nil {
		t.Fatal(err)
	}
	// Every buffer on the way is full when the server waits for its socket.
	eventually(t, "the server waits", func() bool {
		var waits bool
		err := watcher.QueryRow(testContext(t), "select wait_event = 'ClientWrite' from pg_stat_activity where pid = $1", int(conn.PgConn().PID())).Scan(&waits)
		return err == nil && waits
	})
	grown := least() - before
	t.Logf("resident memory has grown by %d KB, from %d", grown>>10, before>>10)
	if grown >= 1<<20 {
		t.Errorf("resident memory has grown by %d bytes", grown)
	}
	got := 0
	for done := false; !done; {
		m, err := front.Receive()
		if err != nil {
			t.Fatal(err)
		}
		switch m := m.(type) {
		case *pgproto3.CopyData:
			got += len(m.Data)
		case *pgproto3.ReadyForQuery:
			done = true
		}
	}
	if got != (size+1)*count {
		t.Fatalf("%d bytes of %d", got, (size+1)*count)
	}
	// The limit holds while it streams too, with a client that reads.
	if grown := resident(t, p.Process.Pid) - before; grown >= 4<<20 {
		t.Errorf("after it was read, resident memory has grown by %d bytes", grown)
	}
}
