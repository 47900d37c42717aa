package main

import (
	"context"
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"askpg/internal/pgtest"
)

// outcomes are the lines by which suites say what became of a test: those of TAP (Perl), unittest and pytest (Python), and go test.
var outcomes = regexp.MustCompile(`(?m)^(?:(not ok|ok) \d+.*|.* \.\.\. (ok|FAIL|ERROR|skipped|expected failure)\b|\S+::.* (PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)\b| *--- (PASS|FAIL|SKIP): \S+)`)

// number is one that differs from run to run: it is part of a temporary folder's name, an address, a time.
var number = regexp.MustCompile(`\d{5,}`)

// failure says whether an outcome is one of a test that failed. TAP's TODO marks one that is known to.
var failure = regexp.MustCompile(`(?i)^(not ok|fail|failed|error)$`)

// programs runs the suite of a driver or library twice, on fresh servers, directly and through askpg, and compares what became of each of its
// tests. The command finds the server by PGHOST, PGPORT, PGUSER and PGDATABASE.
func (r *runner) programs(ctx context.Context, command []string) (differing int, err error) {
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return 0, err
	}
	var counts [2]map[string]int
	for i, through := range []bool{false, true} {
		out, err := r.once(ctx, through, command)
		if err != nil {
			return 0, err
		}
		counts[i] = map[string]int{}
		tests, failures := 0, 0
		for _, m := range outcomes.FindAllStringSubmatch(out, -1) {
			counts[i][number.ReplaceAllString(m[0], "N")]++
			tests++
			if failure.MatchString(strings.Join(m[1:], "")) && !strings.Contains(m[0], "# TODO") {
				failures++
			}
		}
		fmt.Printf("%s: %d tests, %d fail\n", name(through), tests, failures)
		if tests == 0 {
			return 1, fmt.Errorf("%s has run no test: see %s", command, r.out)
		}
	}
	lines := maps.Clone(counts[0])
	maps.Copy(lines, counts[1])
	for _, line := range slices.Sorted(maps.Keys(lines)) {
		if counts[0][line] != counts[1][line] {
			differing++
			fmt.Printf("%d directly, %d through askpg: %s\n", counts[0][line], counts[1][line], line)
		}
	}
	fmt.Printf("%d outcomes differ; what was printed is in %s\n", differing, r.out)
	return differing, nil
}

// once runs the command once and returns what it printed.
func (r *runner) once(ctx context.Context, through bool, command []string) (string, error) {
	cluster, err := pgtest.Start(ctx, pgtest.Options{NoStandby: true, Settings: map[string]string{"max_prepared_transactions": "10", "max_connections": "100"}})
	if err != nil {
		return "", err
	}
	defer cluster.Close()
	conn, err := pgx.Connect(ctx, cluster.Primary.URL(pgtest.Superuser, "postgres"))
	if err != nil {
		return "", err
	}
	_, err = conn.Exec(ctx, "create database suite")
	conn.Close(ctx)
	if err != nil {
		return "", err
	}
	host, port := cluster.Primary.Host, strconv.Itoa(cluster.Primary.Port)
	if through {
		srv, err := relay(cluster.Primary.Address())
		if err != nil {
			return "", err
		}
		defer srv.Close()
		host, port, _ = net.SplitHostPort(srv.Addrs()[0].String())
	}
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = append(os.Environ(), "PGHOST="+host, "PGPORT="+port, "PGUSER="+pgtest.Superuser, "PGDATABASE=suite", "PGSSLMODE=disable")
	out, err := cmd.CombinedOutput()
	if _, failed := err.(*exec.ExitError); err != nil && !failed {
		return "", err
	}
	return string(out), os.WriteFile(filepath.Join(r.out, name(through)+".log"), out, 0o644)
}
