package main

import (
	"context"
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"askpg/internal/pgtest"
)

// churnRole logs in by SCRAM everywhere: at the server, at askpg that reuses
// server connections, and at PgBouncer with auth_type scram-sha-256.
const (
	churnRole     = "churn"
	churnPassword = "secret"
)

// churnHBA is the server's line for the role.
const churnHBA = "host all " + churnRole + " all scram-sha-256"

// createChurnRole makes the role and returns its secret, which askpg and
// PgBouncer get in a file.
func createChurnRole(ctx context.Context, cluster *pgtest.Cluster, iterations int) (string, error) {
	secret, err := pgtest.SCRAMSecret(churnPassword, iterations)
	if err != nil {
		return "", err
	}
	conn, err := pgx.Connect(ctx, cluster.Primary.URL(pgtest.Superuser, "postgres"))
	if err != nil {
		return "", err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, fmt.Sprintf("CREATE ROLE %s LOGIN PASSWORD '%s' IN ROLE pg_read_all_data", churnRole, secret))
	return secret, err
}

// churn measures clients that connect for each transaction: with nothing to
// verify, and then with SCRAM on both sides of who stands in between.
func churn(ctx context.Context, cluster *pgtest.Cluster, rounds, seconds int, targets []*target) error {
	args := []string{"-S", "-n", "-C", "-c", "4", "-j", "1", "-T", strconv.Itoa(seconds)}
	total := func(t *target, args ...string) (float64, error) {
		out, err := command(ctx, cluster, t, args...)
		if err != nil {
			return 0, fmt.Errorf("%w\n%s", err, out)
		}
		return reported(out)
	}
	err := compare(ctx, rounds, of(targets, plain), "pgbench -S -C, 4 clients, tps", func(t *target) (float64, error) {
		return total(t, args...)
	})
	if err != nil {
		return err
	}
	processor := map[*target][]float64{}
	err = compare(ctx, rounds, of(targets, kept), "pgbench -S -C, 4 clients, SCRAM, tps", func(t *target) (float64, error) {
		before := processorTime(t.pid)
		v, err := total(t, append([]string{"-U", churnRole}, args...)...)
		processor[t] = append(processor[t], (processorTime(t.pid)-before)/(v*float64(seconds)))
		return v, err
	})
	if err != nil {
		return err
	}
	for _, t := range of(targets, kept) {
		if p := processor[t]; t.pid != 0 {
			sort.Float64s(p)
			fmt.Printf("    processor time of %s: %.0f µs each\n", t.name, 1e6*p[len(p)/2])
		}
	}
	return nil
}

// processorTime returns what a process has used, in seconds (proc(5)).
func processorTime(pid int) float64 {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(b), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.ParseFloat(fields[11], 64)
	system, _ := strconv.ParseFloat(fields[12], 64)
	return (user + system) / 100
}
