package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"askpg/internal/pgtest"
	"askpg/internal/shop"
)

// TestClients asks through real drivers, in each form, prepared and
// unprepared, and compares typed rows with those of the gold SQL on the
// primary. A driver that is not on this machine is skipped, unless CI is set.
func TestClients(t *testing.T) { clients(t, start(t, nil), false) }

// TestClients_Annotated does so with answers that tell their SQL and confidence in columns.
func TestClients_Annotated(t *testing.T) {
	clients(t, start(t, func(c *Config) { c.Ask.Annotate = "columns" }), true)
}

func clients(t *testing.T, r *running, annotated bool) {
	p := pgtest.Shared(t).Primary
	libpq := func(host, port string, role string) string {
		return fmt.Sprintf("host=%s port=%s user=%s dbname=shop sslmode=disable", host, port, role)
	}
	jdbc := func(host, port string) string {
		return fmt.Sprintf("jdbc:postgresql://%s:%s/shop?user=%s&sslmode=disable", host, port, shop.Analyst)
	}
	odbc := func(host, port string) string {
		return fmt.Sprintf("Driver={PostgreSQL Unicode};Server=%s;Port=%s;Database=shop;Uid=%s;SSLmode=disable", host, port, shop.Analyst)
	}
	direct := fmt.Sprint(p.Port)
	jar := "/usr/share/java/postgresql.jar"
	for _, c := range []struct {
		name    string
		probe   []string // succeeds if the driver is here
		command []string
	}{
		{"psycopg2", []string{"/usr/bin/python3", "-c", "import psycopg2"},
			[]string{"/usr/bin/python3", "testdata/clients/psycopg2_client.py", libpq(r.host, r.port, shop.Analyst), libpq(p.Host, direct, shop.Analyst)}},
		{"psycopg3", []string{"/usr/bin/python3", "-c", "import psycopg"},
			[]string{"/usr/bin/python3", "testdata/clients/psycopg3_client.py", libpq(r.host, r.port, shop.Analyst), libpq(p.Host, direct, shop.Analyst)}},
		{"psqlODBC", []string{"/usr/bin/python3", "-c", "import pyodbc; assert 'PostgreSQL Unicode' in pyodbc.drivers()"},
			[]string{"/usr/bin/python3", "testdata/clients/odbc_client.py", odbc(r.host, r.port), odbc(p.Host, direct)}},
		{"node-postgres", []string{"node", "-e", "require('pg')"},
			[]string{"node", "testdata/clients/node_client.js", r.URL(shop.Analyst), p.URL(shop.Analyst, "shop")}},
		{"pgjdbc", []string{"sh", "-c", "test -e " + jar + " && command -v java && command -v javac"},
			[]string{"java", "-cp", jar, "testdata/clients/JdbcClient.java", jdbc(r.host, r.port), jdbc(p.Host, direct)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if out, err := exec.Command(c.probe[0], c.probe[1:]...).CombinedOutput(); err != nil {
				if os.Getenv("CI") != "" {
					t.Fatalf("%s is missing: %s", c.name, out)
				}
				t.Skipf("%s is not on this machine", c.name)
			}
			for _, q := range []struct{ question, gold string }{
				{"how many customers do we have", "SELECT count(*) FROM customers"},
				{"what's the number of orders per status", "SELECT status, count(*) FROM orders GROUP BY status"},
				{"what's the highest price of all products", "SELECT max(price) FROM products"},
			} {
				if annotated {
					q.gold = annotatedGold(t, r, q.question, q.gold)
				}
				cmd := exec.CommandContext(testContext(t), c.command[0], append(append([]string{}, c.command[1:]...), q.question, q.gold)...)
				cmd.Env = append(os.Environ(), "NODE_PATH="+nodePath())
				cmd.WaitDelay = time.Second
				out, err := cmd.CombinedOutput()
				if err != nil {
					t.Fatalf("%q: %v\n%s", q.question, err, out)
				}
				t.Logf("%s", out)
			}
		})
	}
}

// annotatedGold returns gold SQL with the columns that askpg adds to the answer.
func annotatedGold(t *testing.T, r *running, question, gold string) string {
	t.Helper()
	conn := r.connect(t, shop.Analyst)
	if _, err := asked(testContext(t), conn, "-- ask: "+question); err != nil {
		t.Fatal(err)
	}
	var sql string
	var confidence float64
	if err := conn.QueryRow(testContext(t), "SHOW askpg.last").Scan(nil, nil, &sql, &confidence, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("SELECT gold.*, $sql$%s$sql$::text AS askpg_sql, %v::float8 AS askpg_confidence FROM (%s) AS gold", sql, confidence, gold)
}

func nodePath() string {
	if p := os.Getenv("NODE_PATH"); p != "" {
		return p
	}
	p, _ := filepath.Abs("node_modules")
	return p
}
