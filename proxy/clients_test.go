package proxy_test

import (
	"context"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"askpg/internal/pgtest"
	"askpg/proxy"
)

// What drivers of other languages get for a question is what they get for its
// SQL from the server.
func TestClients(t *testing.T) {
	const jdbc = "/usr/share/java/postgresql.jar"
	python := func(module string) []string { return []string{"/usr/bin/python3", "-c", "import " + module} }
	program := func(name string) []string {
		return []string{"/usr/bin/python3", "testdata/clients/" + name + "_client.py"}
	}
	tests := []struct {
		name  string
		probe []string // succeeds if the driver is installed
		run   []string
	}{
		{"psycopg2", python("psycopg2"), program("psycopg2")},
		{"psycopg", python("psycopg"), program("psycopg")},
		{"psycopg_pool", python("psycopg, psycopg_pool"), program("psycopg_pool")},
		{"asyncpg", python("asyncpg"), program("asyncpg")},
		{"psqlODBC", python("pyodbc; assert 'PostgreSQL Unicode' in pyodbc.drivers()"), program("odbc")},
		{"JDBC", []string{"sh", "-c", "test -e " + jdbc + " && java --list-modules | grep -q jdk.compiler"}, []string{"java", "-cp", jdbc, "testdata/clients/Clients.java"}},
		{"lib/pq", []string{"go", "-C", "testdata/clients/libpq", "build", "-o", os.DevNull, "."}, []string{"go", "-C", "testdata/clients/libpq", "run", "."}},
		{"node-postgres", []string{"node", "-e", "require('pg'), require('pg-copy-streams'), require('pg-cursor')"}, []string{"node", "testdata/clients/node_client.js"}},
		{"postgres.js", []string{"node", "-e", "require('postgres')"}, []string{"node", "testdata/clients/postgresjs.js"}},
	}
	routes := []struct {
		name   string
		secure bool // with TLS whose certificate is verified, SCRAM, and server connections that are reused
	}{{"plain", false}, {"TLS", true}}
	ca := newAuthority(t)
	cert, key := ca.issue(t, "askpg")
	pgtest.Exec(t, pgtest.Shared(t).Primary.URL(pgtest.Superuser, "postgres"),
		"set password_encryption = 'scram-sha-256'; create role driver_role login superuser password 'secret'")
	for _, tt := range tests {
		for _, route := range routes {
			t.Run(tt.name+"/"+route.name, func(t *testing.T) {
				if err := exec.Command(tt.probe[0], tt.probe[1:]...).Run(); err != nil {
					if os.Getenv("CI") != "" {
						t.Fatal("the driver is not installed")
					}
					t.Skip("the driver is not installed")
				}
				b := start(t, func(c *proxy.Config) {
					if route.secure {
						// Not every driver has TLS for its cancel requests.
						c.TLS = proxy.TLSConfig{Mode: "allow", Cert: cert, Key: key}
						c.Primary.Reuse = true
						c.Auth.Method, c.Auth.QueryURL = "scram", pgtest.Shared(t).Primary.URL(pgtest.Superuser, "postgres")
					}
				})
				database := sampleDB(t)
				_, port, _ := net.SplitHostPort(b.addr)
				ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
				defer cancel()
				args := append(append([]string(nil), tt.run[1:]...), port, strconv.Itoa(b.cluster.Primary.Port), database)
				if route.secure {
					args = append(args, ca.file)
				}
				out, err := exec.CommandContext(ctx, tt.run[0], args...).CombinedOutput()
				if err != nil || strings.Contains(string(out), "FAILED") || !strings.Contains(string(out), "ok ") {
					t.Fatalf("%v\n%s", err, out)
				}
			})
		}
	}
}
