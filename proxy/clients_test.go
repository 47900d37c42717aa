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
)

// What drivers of other languages get for a question is what they get for its
// SQL from the server.
func TestClients(t *testing.T) {
	const jdbc = "/usr/share/java/postgresql.jar"
	tests := []struct {
		name  string
		probe []string // succeeds if the driver is installed
		run   []string
	}{
		{"psycopg2", []string{"/usr/bin/python3", "-c", "import psycopg2"}, []string{"/usr/bin/python3", "testdata/clients.py", "psycopg2"}},
		{"psycopg", []string{"/usr/bin/python3", "-c", "import psycopg"}, []string{"/usr/bin/python3", "testdata/clients.py", "psycopg"}},
		{"psqlODBC", []string{"/usr/bin/python3", "-c", "import pyodbc; assert 'PostgreSQL Unicode' in pyodbc.drivers()"}, []string{"/usr/bin/python3", "testdata/clients.py", "odbc"}},
		{"JDBC", []string{"sh", "-c", "test -e " + jdbc + " && java --list-modules | grep -q jdk.compiler"}, []string{"java", "-cp", jdbc, "testdata/Clients.java"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if err := exec.Command(tt.probe[0], tt.probe[1:]...).Run(); err != nil {
				if os.Getenv("CI") != "" {
					t.Fatal("the driver is not installed")
				}
				t.Skip("the driver is not installed")
			}
			b := start(t, nil)
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
