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
	err := compare(ctx, rounds, targets, "pgbench -S -C, 4 clients, tps", func(addr string) (float64, error) {
		return tps(ctx, cluster, addr, args...)
	})
	if err != nil {
		return err
	}
	os.Setenv("PGPASSWORD", churnPassword)
	type result struct{ tps, processor []float64 }
	results := map[string]*result{}
	for range rounds {
		for _, t := range targets {
			if !t.scram {
				continue
			}
			r := results[t.name]
			if r == nil {
				r = &result{}
				results[t.name] = r
			}
			before := processorTime(t.pid)
			v, err := tps(ctx, cluster, t.addr, append([]string{"-U", churnRole}, args...)...)
			if err != nil {
				return fmt.Errorf("%s: %w", t.name, err)
			}
			r.tps = append(r.tps, v)
			r.processor = append(r.processor, (processorTime(t.pid)-before)/(v*float64(seconds)))
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
	}
	fmt.Printf("%-44s", "pgbench -S -C, 4 clients, SCRAM, tps")
	for _, t := range targets {
		if r := results[t.name]; r != nil {
			sort.Float64s(r.tps)
			sort.Float64s(r.processor)
			fmt.Printf("  %s %.0f (%.0f–%.0f)", t.name, r.tps[len(r.tps)/2], r.tps[0], r.tps[len(r.tps)-1])
			if t.pid != 0 {
				fmt.Printf(", %.0f µs of processor time each", 1e6*r.processor[len(r.processor)/2])
			}
		}
	}
	fmt.Println()
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
