package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"askpg/internal/shop"
)

// TestClients_Values binds values of the types of real drivers' languages: the question has what they mean, and the built-in engine
// answers it as SQL with the value does, or names the value that it does not know. A driver that is not on this machine is skipped.
func TestClients_Values(t *testing.T) {
	r := start(t, nil)
	n := func(condition string) string { return fmt.Sprint(count(t, "SELECT count(*) FROM "+condition)) }
	want := map[string]struct{ question, answer string }{
		"date":             {"2024-06-01", n("orders WHERE ordered_at >= '2024-06-02 UTC'")},
		"midnight":         {"'2024-06-01 00:00:00", n("orders WHERE ordered_at > '2024-06-01 UTC'")},
		"moment":           {"'2024-06-01 13:45:00", n("orders WHERE ordered_at > '2024-06-01 13:45 UTC'")},
		"moment elsewhere": {"'2024-06-01 1", n("orders WHERE ordered_at > '2024-06-01 13:45:30+02'")},
		"integer":          {"100", n("products WHERE price > 100")},
		"decimal":          {"99.5", n("products WHERE price > 99.5")},
		"power":            {"100", n("products WHERE price > 100")},
		"text":             {"'North'", n("customers WHERE region = 'North'")},
		"number as text":   {"'41'", "'41'"},
		"list":             {"'North', 'South'", n("customers WHERE region IN ('North', 'South')")},
		"bool":             {"true", `"true"`},
		"nowhere":          {"'Atlantis'", "'Atlantis'"},
	}
	const jar = "/usr/share/java/postgresql.jar"
	libpq := "host=" + r.host + " port=" + r.port + " user=" + shop.Analyst + " dbname=shop sslmode=disable options='-c timezone=UTC'"
	jdbc := "jdbc:postgresql://" + r.host + ":" + r.port + "/shop?user=" + shop.Analyst + "&sslmode=disable&preferQueryMode="
	java := []string{"sh", "-c", "test -e " + jar + " && command -v java && command -v javac"}
	for _, c := range []struct {
		name           string
		probe, command []string
	}{
		{"psycopg2", []string{"/usr/bin/python3", "-c", "import psycopg2"}, []string{"/usr/bin/python3", "testdata/clients/values.py", "psycopg2", libpq}},
		{"psycopg3", []string{"/usr/bin/python3", "-c", "import psycopg"}, []string{"/usr/bin/python3", "testdata/clients/values.py", "psycopg", libpq}},
		{"node-postgres", []string{"node", "-e", "require('pg')"}, []string{"node", "testdata/clients/values.js", r.URL(shop.Analyst)}},
		{"pgjdbc", java, []string{"java", "-Duser.timezone=UTC", "-cp", jar, "testdata/clients/Values.java", jdbc + "extended"}},
		{"pgjdbc, unprepared", java, []string{"java", "-Duser.timezone=UTC", "-cp", jar, "testdata/clients/Values.java", jdbc + "extended&prepareThreshold=0"}},
		{"pgjdbc, simple", java, []string{"java", "-Duser.timezone=UTC", "-cp", jar, "testdata/clients/Values.java", jdbc + "simple"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			env := append(os.Environ(), "NODE_PATH="+nodePath(), "TZ=UTC")
			probe := exec.Command(c.probe[0], c.probe[1:]...)
			probe.Env = env
			if out, err := probe.CombinedOutput(); err != nil {
				if os.Getenv("CI") != "" {
					t.Fatalf("%s is missing: %s", c.name, out)
				}
				t.Skipf("%s is not on this machine", c.name)
			}
			cmd := exec.CommandContext(testContext(t), c.command[0], c.command[1:]...)
			cmd.Env = env
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			lines := bufio.NewScanner(bytes.NewReader(out))
			seen := 0
			for ; lines.Scan(); seen++ {
				name, rest, _ := strings.Cut(lines.Text(), " | ")
				question, answer, _ := strings.Cut(rest, " | ")
				w, ok := want[name]
				question = strings.ReplaceAll(question, "','", "', '")
				if !ok || !strings.Contains(question, " "+w.question) || answer != w.answer && (!strings.ContainsAny(w.answer, "'\"") || !strings.Contains(answer, w.answer)) {
					t.Errorf("%s\nwant %+v", lines.Text(), w)
				}
			}
			if seen < 8 {
				t.Errorf("%d values: %s", seen, out)
			}
		})
	}
}
