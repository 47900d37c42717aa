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
	tests := []struct {
		name  string
		probe []string // succeeds if the driver is installed
		run   []string
		login bool // with TLS and SCRAM, as driver_role, and server connections that are reused
	}{
		{"psycopg2", []string{"/usr/bin/python3", "-c", "import psycopg2"}, []string{"/usr/bin/python3", "testdata/clients.py", "psycopg2"}, false},
		{"psycopg", []string{"/usr/bin/python3", "-c", "import psycopg"}, []string{"/usr/bin/python3", "testdata/clients.py", "psycopg"}, false},
		{"psqlODBC", []string{"/usr/bin/python3", "-c", "import pyodbc; assert 'PostgreSQL Unicode' in pyodbc.drivers()"}, []string{"/usr/bin/python3", "testdata/clients.py", "odbc"}, false},
		{"JDBC", []string{"sh", "-c", "test -e " + jdbc + " && java --list-modules | grep -q jdk.compiler"}, []string{"java", "-cp", jdbc, "testdata/Clients.java"}, false},
		{"asyncpg", []string{"/usr/bin/python3", "-c", "import asyncpg"}, []string{"/usr/bin/python3", "testdata/clients.py", "asyncpg"}, true},
		{"lib/pq", []string{"go", "-C", "testdata/libpq", "build", "-o", os.DevNull, "."}, []string{"go", "-C", "testdata/libpq", "run", "."}, true},
		{"postgres.js", []string{"node", "-e", "require('postgres')"}, []string{"node", "testdata/postgresjs.js"}, true},
	}
	cert, key := newAuthority(t).issue(t, "askpg")
	pgtest.Exec(t, pgtest.Shared(t).Primary.URL(pgtest.Superuser, "postgres"),
		"set password_encryption = 'scram-sha-256'; create role driver_role login superuser password 'secret'")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if err := exec.Command(tt.probe[0], tt.probe[1:]...).Run(); err != nil {
				if os.Getenv("CI") != "" {
					t.Fatal("the driver is not installed")
				}
				t.Skip("the driver is not installed")
			}
			b := start(t, func(c *proxy.Config) {
				if tt.login {
					c.TLS = proxy.TLSConfig{Mode: "require", Cert: cert, Key: key}
					c.Primary.Reuse = true
					c.Auth.Method, c.Auth.QueryURL = "scram", pgtest.Shared(t).Primary.URL(pgtest.Superuser, "postgres")
				}
			})
			database := sampleDB(t)
			_, port, _ := net.SplitHostPort(b.addr)
			ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
			defer cancel()
			args := append(append([]string(nil), tt.run[1:]...), port, strconv.Itoa(b.cluster.Primary.Port), database)
			out, err := exec.CommandContext(ctx, tt.run[0], args...).CombinedOutput()
			if err != nil || strings.Contains(string(out), "FAILED") || !strings.Contains(string(out), "ok ") {
				t.Fatalf("%v\n%s", err, out)
			}
		})
	}
}
