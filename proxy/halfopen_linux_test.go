package proxy_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgproto3/v2"
	"github.com/jackc/pgx/v5"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/proxy"
)

// cableRoutes are the ways that differ in how they find out that a peer is gone.
var cableRoutes = []route{routes[0], routes[1], routes[4]}

// quick are settings by which a connection is dead after a few seconds.
func quick(c *proxy.TCPConfig) {
	c.KeepalivesIdle, c.KeepalivesInterval, c.KeepalivesCount = ask.Duration(time.Second), ask.Duration(time.Second), 2
	c.UserTimeout = ask.Duration(2 * time.Second)
}

// A client that is cut off, whatever it was at, is found out, its session ends
// and so does that of the server; other sessions go on.
func TestHalfOpen_Client(t *testing.T) {
	t.Parallel()
	database := sampleDB(t)
	states := []struct {
		name  string
		begin func(f *frontend)
	}{
		{"idle", func(f *frontend) {}},
		{"in a transaction", func(f *frontend) { f.send(query("begin; lock table customers in share mode")); f.trace(1) }},
		{"in COPY", func(f *frontend) { f.send(query("copy big from stdin")); f.receive() }},
		{"in a message", func(f *frontend) { _, _ = f.conn.Write([]byte("Q\x00\x00\x01\x00sel")) }},
		// Its result finds nobody.
		{"in a statement", func(f *frontend) { f.send(query("select pg_sleep(0.5)"), query("select * from big")) }},
		{"in a result", func(f *frontend) { f.send(query("select * from big, generate_series(1, 100)")); f.receive() }},
		{"in a question", func(f *frontend) { f.send(query("-- ask: run: select pg_sleep(0.5), * from big limit 2")) }},
	}
	s := newSite(t)
	for _, l := range cableRoutes {
		t.Run(l.name, func(t *testing.T) {
			for _, state := range states {
				t.Run(state.name, func(t *testing.T) {
					t.Parallel()
					c := newCable(t)
					b := l.start(t, s, func(cfg *proxy.Config) {
						cfg.Listen.Address = "0.0.0.0:0"
						quick(&cfg.Listen.TCPConfig)
					})
					_, port, _ := strings.Cut(strings.TrimPrefix(b.addr, "[::]"), ":")
					watcher, err := pgx.Connect(within(t), b.cluster.Primary.URL(pgtest.Superuser, "postgres"))
					if err != nil {
						t.Fatal(err)
					}
					defer watcher.Close(context.Background())
					other := l.dial(t, "127.0.0.1:"+port, database)
					conn := c.dial(c.here + ":" + port)
					f := login(t, l.secure(t, conn), database)
					state.begin(f)
					c.delivered(conn)
					c.cut()
					waitAtMost(t, "sessions", 1, b.Sessions)
					waitAtMost(t, "server sessions", 0, func() (n int) {
						if err := watcher.QueryRow(within(t), "select count(*) from pg_stat_activity where pid = $1", int(f.pid)).Scan(&n); err != nil {
							t.Fatal(err)
						}
						return n
					})
					other.send(query("select 1"))
					if got := other.trace(1); !strings.Contains(got, `D "1"`) {
						t.Errorf("another session got %s", got)
					}
				})
			}
		})
	}
}

// A server that is cut off is found out too, and the client loses its
// connection, as it would have lost that to the server.
func TestHalfOpen_Server(t *testing.T) {
	t.Parallel()
	database := sampleDB(t)
	s := newSite(t)
	for _, state := range []struct {
		name  string
		begin pgproto3.FrontendMessage
	}{{"idle", nil}, {"in a statement", query("select pg_sleep(60)")}, {"in COPY", query("copy big from stdin")}} {
		for _, l := range cableRoutes {
			t.Run(state.name+", "+l.name, func(t *testing.T) {
				t.Parallel()
				c := newCable(t)
				b := l.start(t, s, func(cfg *proxy.Config) {
					cfg.Primary.Address = c.relay(s.cluster.Primary.Address())
					quick(&cfg.Primary.TCPConfig)
				})
				f := l.dial(t, b.addr, database)
				if state.begin != nil {
					f.send(state.begin)
				}
				c.cut()
				waitAtMost(t, "sessions", 0, b.Sessions)
				for {
					if _, err := f.Receive(); err != nil {
						if os.IsTimeout(err) {
							t.Errorf("the client's connection stays open: %v", err)
						}
						break
					}
				}
			})
		}
	}
}

// Where every fourteenth packet is lost, towards the client and towards the
// server, what comes out is what comes out without askpg, to the byte.
func TestPacketLoss(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"psql", "pgbench"} {
		if _, err := exec.LookPath(program); err != nil {
			if os.Getenv("CI") != "" {
				t.Fatal(program, " is missing")
			}
			t.Skip(program, " is missing")
		}
	}
	s := newSite(t)
	for _, l := range cableRoutes {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			c := newCable(t)
			b := l.start(t, s, func(cfg *proxy.Config) {
				cfg.Listen.Address = "0.0.0.0:0"
				cfg.Primary.Address = c.relay(s.cluster.Primary.Address())
			})
			sslmode := "disable"
			if l.client {
				sslmode = "require"
			}
			_, port, _ := strings.Cut(strings.TrimPrefix(b.addr, "[::]"), ":")
			direct := b.cluster.Primary
			at := func(lossy bool, database string, args ...string) []string {
				host, p := direct.Host, fmt.Sprint(direct.Port)
				if lossy {
					host, p = c.here, port
				}
				return append([]string{"-h", host, "-p", p, "-U", pgtest.Superuser}, append(args, "dbname="+database+" sslmode="+sslmode)...)
			}
			run := func(name string, args ...string) []byte {
				t.Helper()
				out, err := exec.CommandContext(within(t), name, args...).Output()
				if err != nil {
					t.Fatalf("%s %q: %v", name, args, err)
				}
				return out
			}
			c.loss.Store(70)

			t.Run("COPY", func(t *testing.T) {
				database := s.newDatabase(t, `
					create table big as select i, md5(i::text) || repeat('x', i % 90) as filler from generate_series(1, 30000) i;
					create table copied (like big)`)
				out := []string{"-X", "-q", "-c", "copy (select * from big order by i) to stdout", "-d"}
				want := run("psql", at(false, database, out...)...)
				got := c.run("psql", at(true, database, out...)...)
				if !bytes.Equal(got, want) {
					t.Errorf("COPY out: %d bytes that are not the %d of the server", len(got), len(want))
				}
				path := filepath.Join(t.TempDir(), "rows")
				if err := os.WriteFile(path, want, 0o600); err != nil {
					t.Fatal(err)
				}
				c.run("psql", at(true, database, "-X", "-q", "-v", "ON_ERROR_STOP=1", "-c", `\copy copied from `+path, "-d")...)
				got = run("psql", at(false, database, "-X", "-q", "-c", "copy (select * from copied order by i) to stdout", "-d")...)
				if !bytes.Equal(got, want) {
					t.Errorf("COPY in: %d bytes that are not the %d of the file", len(got), len(want))
				}
			})
			t.Run("pgbench", func(t *testing.T) {
				// The clients' changes are the seed's, and sums do not depend on their order.
				const state = `select md5(string_agg(r, ',' order by r)) from (
					select a::text r from pgbench_accounts a where abalance <> 0 union all select t::text from pgbench_tellers t union all
					select b::text from pgbench_branches b union all select concat_ws('/', tid, bid, aid, delta) from pgbench_history) x`
				var states [2]string
				for i, lossy := range []bool{false, true} {
					database := s.newDatabase(t, "")
					run("pgbench", at(false, database, "-i", "-q")...)
					args := at(lossy, database, "-n", "-c", "4", "-t", "6", "-M", "prepared", "--random-seed=7")
					if lossy {
						c.run("pgbench", args...)
					} else {
						run("pgbench", args...)
					}
					states[i] = string(run("psql", at(false, database, "-X", "-A", "-t", "-c", state, "-d")...))
				}
				if states[0] != states[1] {
					t.Errorf("the tables are %s without loss and %s with it", states[0], states[1])
				}
			})
			if n := c.lost.Load(); n < 50 {
				t.Errorf("%d packets were lost: that shows nothing", n)
			}
		})
	}
}
