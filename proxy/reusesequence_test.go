package proxy_test

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"

	"askpg/internal/pgtest"
	"askpg/proxy"
)

// passwordSite is a site, with or without TLS, whose sample database has to be
// logged in to with a password, and the auth.file for its askpg.
func passwordSite(t *testing.T, encrypted bool) (s *site, file string) {
	t.Helper()
	s = &site{ca: newAuthority(t)}
	s.cert, s.key = s.ca.issue(t, "askpg")
	database := sampleDB(t)
	hba := "host " + database + " all all scram-sha-256"
	if encrypted {
		s.cluster = secureCluster(t, s.ca, hba)
	} else {
		s.cluster = pgtest.NewCluster(t, pgtest.Options{NoStandby: true, HBA: []string{hba}, Settings: map[string]string{"password_encryption": "scram-sha-256"}})
	}
	url := s.cluster.Primary.URL(pgtest.Superuser, "postgres")
	pgtest.Exec(t, url, "alter role "+pgtest.Superuser+" password 'secret'")
	pgtest.Exec(t, url, "create database "+database)
	pgtest.Exec(t, s.withPassword(database), sampleScript)
	conn, err := pgx.Connect(within(t), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(within(t))
	var secret string
	if err := conn.QueryRow(within(t), "select rolpassword from pg_authid where rolname = $1", pgtest.Superuser).Scan(&secret); err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), "userlist.txt")
	if err := os.WriteFile(file, fmt.Appendf(nil, "%q %q\n", pgtest.Superuser, secret), 0o600); err != nil {
		t.Fatal(err)
	}
	return s, file
}

func (s *site) withPassword(database string) string {
	return s.cluster.Primary.URL(pgtest.Superuser, database) + "&password=secret"
}

// otherWords are sequences whose error askpg says in words of its own, with the
// server's code: it is the one that verifies the client.
var otherWords = map[string]bool{"startup_no_role": true}

// Sequences get the server's own answers from an askpg that reuses server
// connections, a first time and a second time: the second client of a connection
// sees nothing of the first, nor the first of a sequence of those before it. One
// client ends by closing, the other by Terminate.
func TestSequences_Reused(t *testing.T) {
	t.Parallel()
	sequences := readSequences(t)
	secure, secureFile := passwordSite(t, true)
	plain, plainFile := passwordSite(t, false)
	play := func(t *testing.T, l route, addr string, seq sequence, other *pgx.Conn, terminate bool) (string, *player) {
		t.Helper()
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		seq.codes = seq.codes || otherWords[seq.name]
		p := &player{conn: l.secure(t, conn), database: sampleDB(t), password: "secret", elsewhere: func(sql string) error {
			_, err := other.Exec(within(t), sql)
			return err
		}}
		defer p.sending.Wait()
		defer conn.Close()
		trace, err := p.play(seq)
		if err != nil {
			t.Fatalf("%v, after\n%s", err, trace)
		}
		if terminate && !p.ended {
			p.out = message(p.out, 'X', nil)
			p.flush()
		}
		return trace, p
	}
	direct := answersOf{}
	for _, l := range routes {
		s, file := secure, secureFile
		if !l.client && !l.server {
			s, file = plain, plainFile
		}
		for _, max := range []int{0, 7, 5000} { // TestSequences has single bytes
			name := l.name
			if max > 0 {
				name += fmt.Sprintf(", at most %d bytes", max)
			}
			t.Run(name, func(t *testing.T) {
				registry := metrics{t, prometheus.NewRegistry()}
				b := startWith(t, registry, func(c *proxy.Config) {
					c.Primary.Address, c.Primary.SSLMode = s.cluster.Primary.Address(), "disable"
					l.configure(s, c)
					c.Auth.Method, c.Auth.File, c.Primary.Reuse = "scram", file, true
				})
				b.cluster, b.route = s.cluster, l
				if max > 0 {
					b.chop(t, s, max)
				}
				other, err := pgx.Connect(within(t), s.withPassword(sampleDB(t)))
				if err != nil {
					t.Fatal(err)
				}
				defer other.Close(within(t))
				ran, again := 0, 0
				for _, seq := range sequences {
					if seq.plain && (l.client || l.server) || seq.encrypted && !(l.client && l.server) {
						continue
					}
					if max > 0 && seq.large != (max > 1000) {
						continue
					}
					ran++
					t.Run(seq.name, func(t *testing.T) {
						want := direct.get(s, l, seq, func() string {
							trace, _ := play(t, l, s.cluster.Primary.Address(), seq, other, true)
							return trace
						})
						var kept uint32 // process that the first client left behind
						for _, when := range []string{"first", "second"} {
							temporary := registry.value("askpg_server_connections_closed_total", "reason", "temporary")
							got, p := play(t, b.route, b.addr, seq, other, when == "second")
							if got != want {
								t.Errorf("the %s time: got\n%s\nwant\n%s", when, got, want)
							}
							if kept != 0 && p.pid == kept {
								again++
							} else if kept != 0 {
								t.Errorf("the server connection of the first client was not the second's: %d, %d; closed: %v", kept, p.pid, registry.closings())
							}
							kept = 0
							if p.status == 'I' && !p.ended && !strings.HasPrefix(seq.name, "startup_replication") {
								b.awaitReset(t, registry, other)
								if registry.value("askpg_server_connections_closed_total", "reason", "temporary") == temporary {
									kept = p.pid
								}
							}
						}
					})
				}
				if again == 0 && ran > 10 {
					t.Error("no server connection was used again")
				}
			})
		}
	}
}

// awaitReset waits until no session is open and every server process that a client has left waits for another.
func (b *bench) awaitReset(t *testing.T, registry metrics, other *pgx.Conn) {
	t.Helper()
	waitAtMost(t, "sessions", 0, b.Sessions)
	waitAtMost(t, "server processes that do not wait for a client", 0, func() int {
		n := one[int](t, other, "select count(*) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()")
		return n - int(registry.value("askpg_server_connections_kept"))
	})
}

// closings counts the server connections that were not kept, by the reason.
func (r metrics) closings() map[string]float64 {
	found := map[string]float64{}
	for _, reason := range []string{"reset", "temporary", "server", "idle", "lifetime", "full", "limit", "password", "reload", "shutdown"} {
		if n := r.value("askpg_server_connections_closed_total", "reason", reason); n > 0 {
			found[reason] = n
		}
	}
	return found
}
