package proxy_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// recorder stands between a client and a server and keeps what either sends.
type recorder struct {
	addr string
	mu   sync.Mutex
	list []*recording
	open sync.WaitGroup
}

// recording is one connection: every message, in the order in which it came.
type recording struct {
	mu       sync.Mutex
	startup  []byte
	messages []recorded
}

type recorded struct {
	fromServer bool
	bytes      []byte
}

func record(t *testing.T, target string) *recorder {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	r := &recorder{addr: l.Addr().String()}
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", target)
			if err != nil {
				client.Close()
				continue
			}
			rec := &recording{}
			r.mu.Lock()
			r.list = append(r.list, rec)
			r.mu.Unlock()
			for _, fromServer := range []bool{false, true} {
				r.open.Go(func() {
					rec.relay(client, server, fromServer)
				})
			}
		}
	}()
	return r
}

// relay passes on one direction, message by message.
func (r *recording) relay(client, server net.Conn, fromServer bool) {
	src, dst := client, server
	if fromServer {
		src, dst = server, client
	}
	defer src.Close()
	defer dst.Close()
	pass := func(head []byte, length []byte) ([]byte, bool) {
		b := append([]byte(nil), head...)
		b = append(b, make([]byte, binary.BigEndian.Uint32(length)-4)...)
		if _, err := io.ReadFull(src, b[len(head):]); err != nil {
			return nil, false
		}
		return b, true
	}
	if !fromServer {
		var head [4]byte
		if _, err := io.ReadFull(src, head[:]); err != nil {
			return
		}
		b, ok := pass(head[:], head[:])
		if !ok {
			return
		}
		r.startup = b
		if _, err := dst.Write(b); err != nil {
			return
		}
	}
	for {
		var head [5]byte
		if _, err := io.ReadFull(src, head[:]); err != nil {
			return
		}
		b, ok := pass(head[:], head[1:])
		if !ok {
			return
		}
		r.mu.Lock()
		r.messages = append(r.messages, recorded{fromServer, b})
		r.mu.Unlock()
		if _, err := dst.Write(b); err != nil {
			return
		}
	}
}

// seedClients are the clients whose traffic is among the seeds of the fuzz
// targets, and the commands that make them talk at a port.
var seedClients = []struct {
	name    string
	command []string
}{
	{"psql", []string{"psql", "-X", "-q", "-c", "select 1 as one, 'two'", "-c", "select nosuch", "-c", "-- ask: how many customers", "-c", "/* ask: how many customers */",
		"-c", "copy (select 1) to stdout", "host=127.0.0.1 port=PORT user=scram_role password=secret dbname=postgres sslmode=disable"}},
	{"pgbench", []string{"pgbench", "-n", "-M", "prepared", "-t", "2", "-f", "testdata/seeds/pgbench.sql", "host=127.0.0.1 port=PORT user=scram_role password=secret dbname=postgres sslmode=disable"}},
	{"pgx", nil},
	{"psycopg2", []string{"/usr/bin/python3", "testdata/seeds/client.py", "psycopg2", "PORT"}},
	{"psycopg", []string{"/usr/bin/python3", "testdata/seeds/client.py", "psycopg", "PORT"}},
	{"psqlodbc", []string{"/usr/bin/python3", "testdata/seeds/client.py", "odbc", "PORT"}},
	{"asyncpg", []string{"/usr/bin/python3", "testdata/seeds/client.py", "asyncpg", "PORT"}},
	{"node-postgres", []string{"node", "testdata/seeds/client.js", "pg", "PORT"}},
	{"postgresjs", []string{"node", "testdata/seeds/client.js", "postgres", "PORT"}},
	{"pgjdbc", []string{"java", "-cp", "/usr/share/java/postgresql.jar", "testdata/seeds/Client.java", "PORT"}},
}

// seedTargets are the folders of the targets that get a seed from every client.
var seedTargets = []string{
	"testdata/fuzz/FuzzScan", "../wire/testdata/fuzz/FuzzStartup", "../wire/testdata/fuzz/FuzzWalker", "../wire/testdata/fuzz/FuzzRun",
	"../wire/testdata/fuzz/FuzzOrder", "../wire/scram/testdata/fuzz/FuzzServer", "../wire/scram/testdata/fuzz/FuzzClient", "../ask/testdata/fuzz/FuzzParseForm",
}

// Every fuzz target begins with what real clients and servers say. With
// ASKPG_UPDATE=1 the clients talk to a server again, by SCRAM as a role of the
// test's own, a relay records them, and the seeds are written anew.
func TestSeeds(t *testing.T) {
	if os.Getenv("ASKPG_UPDATE") == "" {
		for _, target := range seedTargets {
			for _, c := range seedClients {
				if _, err := os.Stat(filepath.Join(target, c.name)); err != nil {
					t.Errorf("%s has no seed of %s: ASKPG_UPDATE=1 go test ./proxy -run TestSeeds", target, c.name)
				}
			}
		}
		return
	}
	s := newSite(t)
	for _, c := range seedClients {
		r := record(t, s.cluster.Primary.Address())
		host, port, _ := net.SplitHostPort(r.addr)
		if c.command == nil {
			talkByPGX(t, fmt.Sprintf("postgres://scram_role:secret@%s:%s/postgres?sslmode=disable", host, port))
		} else {
			var args []string
			for _, a := range c.command[1:] {
				args = append(args, strings.ReplaceAll(a, "PORT", port))
			}
			cmd := exec.CommandContext(within(t), c.command[0], args...)
			for _, v := range os.Environ() {
				if !strings.HasPrefix(v, "PG") {
					cmd.Env = append(cmd.Env, v)
				}
			}
			cmd.Env = append(cmd.Env, "TZ=UTC", "LC_ALL=C.UTF-8")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Logf("%s: %v\n%s", c.name, err, out) // a statement is to fail
			}
		}
		r.open.Wait()
		r.write(t, c.name)
	}
	recordHAProxy(t)
}

func talkByPGX(t *testing.T, url string) {
	conn, err := pgx.Connect(within(t), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(within(t))
	for _, mode := range []pgx.QueryExecMode{pgx.QueryExecModeCacheStatement, pgx.QueryExecModeExec, pgx.QueryExecModeSimpleProtocol} {
		var n int
		var text string
		if err := conn.QueryRow(within(t), "select $1::int + 1, $2::text", mode, 41, "text").Scan(&n, &text); err != nil {
			t.Fatal(err)
		}
		_, _ = conn.Exec(within(t), "-- ask: how many customers", mode)
	}
	_, _ = conn.Exec(within(t), "select nosuch")
	var b pgx.Batch
	b.Queue("select 1")
	b.Queue("-- ask: how many customers")
	_ = conn.SendBatch(within(t), &b).Close()
}

// seedSize bounds what a seed holds of a stream.
const seedSize = 4 << 10

// write writes the seeds of one client: of its longest conversation.
func (r *recorder) write(t *testing.T, name string) {
	t.Helper()
	var best *recording
	for _, rec := range r.list {
		if best == nil || len(rec.messages) > len(best.messages) {
			best = rec
		}
	}
	if best == nil || len(best.messages) < 10 {
		t.Fatalf("%s said nothing", name)
	}
	var client, server, types, sides, asked []byte
	var bind []byte
	var sasl, replies []string
	for _, m := range best.messages {
		types = append(types, m.bytes[0])
		body := m.bytes[5:]
		switch {
		case m.fromServer:
			sides = append(sides, 1)
			if m.bytes[0] == 'R' && len(body) > 4 {
				replies = append(replies, string(body[4:]))
			}
			server = append(server, m.bytes...)
			continue
		case m.bytes[0] == 'p':
			sasl = append(sasl, string(body))
		case m.bytes[0] == 'B' && len(bind) < len(body):
			bind = body
		case m.bytes[0] == 'Q' || m.bytes[0] == 'P':
			text := body
			if m.bytes[0] == 'P' {
				_, text, _ = bytes.Cut(body, []byte{0})
			}
			if text, _, _ = bytes.Cut(text, []byte{0}); bytes.Contains(text, []byte("how many")) {
				asked = text
			}
		}
		sides = append(sides, 0)
		if m.bytes[0] != 'p' {
			client = append(client, m.bytes...)
		}
	}
	cut := func(b []byte) []byte { return b[:min(len(b), seedSize)] }
	seed := func(target string, values ...string) { writeSeed(t, target, name, values...) }
	quoted := func(b []byte) string { return fmt.Sprintf("[]byte(%q)", b) }
	text := func(s string) string { return fmt.Sprintf("string(%q)", s) }
	seed("testdata/fuzz/FuzzScan", quoted(cut(client)), `byte('\x28')`)
	if bind != nil {
		seed("testdata/fuzz/FuzzBind", quoted(cut(bind)))
	}
	seed("../wire/testdata/fuzz/FuzzStartup", quoted(best.startup))
	seed("../wire/testdata/fuzz/FuzzWalker", quoted(cut(server)), `[]byte("\x01\x07\xc8")`)
	for i := range best.messages {
		// What a stream of rows looks like to the relay: from a message on that
		// has others of its kind behind it, if there is one.
		if m := best.messages[i]; m.fromServer && m.bytes[0] == 'S' {
			at := bytes.Index(server, m.bytes)
			seed("../wire/testdata/fuzz/FuzzRun", quoted(cut(server[at:])))
			break
		}
	}
	seed("../wire/testdata/fuzz/FuzzOrder", quoted(cut(types)), quoted(cut(sides)))
	seed("../ask/testdata/fuzz/FuzzParseForm", text(string(asked)))
	// SASLInitialResponse and SASLResponse, then what the server said to them.
	if len(sasl) != 2 || len(replies) < 3 {
		t.Fatalf("%s: %d messages of SASL, %d answers", name, len(sasl), len(replies))
	}
	mechanism, rest, _ := strings.Cut(sasl[0], "\x00")
	first := rest[4:]
	seed("../wire/scram/testdata/fuzz/FuzzServer", text(mechanism), text(first), text(sasl[1]), "bool(false)")
	_, nonce, _ := strings.Cut(first, "r=")
	seed("../wire/scram/testdata/fuzz/FuzzClient", text(strings.TrimPrefix(replies[1], "r="+nonce)), text(replies[2]))
}

func writeSeed(t *testing.T, target, name string, values ...string) {
	t.Helper()
	if err := os.MkdirAll(target, 0o755); err != nil {
		t.Fatal(err)
	}
	text := "go test fuzz v1\n" + strings.Join(values, "\n") + "\n"
	wd, _ := os.Getwd()
	host, _ := os.Hostname()
	for _, private := range []string{wd, os.TempDir(), host, os.Getenv("HOME")} {
		if len(private) > 3 && strings.Contains(text, private) {
			t.Fatalf("the seed of %s for %s has %q in it", name, target, private)
		}
	}
	if err := os.WriteFile(filepath.Join(target, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// recordHAProxy writes the PROXY headers that HAProxy sends.
func recordHAProxy(t *testing.T) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for name, option := range map[string]string{"v1": "send-proxy", "v2": "send-proxy-v2", "v2-crc32c": "send-proxy-v2 proxy-v2-options crc32c", "v2-unique-id": "send-proxy-v2 proxy-v2-options unique-id"} {
		free, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		front := free.Addr().String()
		free.Close()
		config := filepath.Join(t.TempDir(), "haproxy.cfg")
		text := "defaults\n mode tcp\n timeout connect 5s\n timeout client 5s\n timeout server 5s\n unique-id-format %[uuid()]\n" +
			"listen x\n bind " + front + "\n server s " + l.Addr().String() + " " + option + "\n"
		if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(within(t), "haproxy", "-db", "-f", config)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		var client net.Conn
		for ctx := within(t); client == nil; {
			if client, err = net.Dial("tcp", front); err != nil && ctx.Err() != nil {
				t.Fatal(err)
			}
			time.Sleep(10 * time.Millisecond)
		}
		conn, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		b := make([]byte, 1000)
		n, err := conn.Read(b)
		if err != nil {
			t.Fatal(err)
		}
		writeSeed(t, "../wire/testdata/fuzz/FuzzProxyHeader", "haproxy-"+name, "[]byte("+strconv.Quote(string(b[:n]))+")")
		client.Close()
		conn.Close()
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
}
