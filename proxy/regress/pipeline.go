package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"askpg/internal/pgtest"
)

// pipelineRows is the size of the tests, that of PostgreSQL's own run of them.
const pipelineRows = "700"

// pipelines runs every test of libpq_pipeline (src/test/modules/libpq_pipeline)
// directly and through askpg. All must succeed. Where the suite has a trace of
// libpq's messages, both runs must leave that trace and print the same. What
// the others print depends on when bytes come.
func (r *runner) pipelines(ctx context.Context, program string) (differing int, err error) {
	if r.source == "" {
		return 0, errors.New("-source is needed: the folder that has traces/")
	}
	list, err := exec.CommandContext(ctx, program, "tests").Output()
	if err != nil {
		return 0, fmt.Errorf("%s tests: %w", program, err)
	}
	cluster, err := pgtest.Start(ctx, pgtest.Options{NoStandby: true})
	if err != nil {
		return 0, err
	}
	defer cluster.Close()
	srv, err := relay(cluster.Primary.Address())
	if err != nil {
		return 0, err
	}
	defer srv.Close()
	host, port, err := net.SplitHostPort(srv.Addrs()[0].String())
	if err != nil {
		return 0, err
	}
	// Each finds a database as the suite does: new.
	conn, err := pgx.Connect(ctx, cluster.Primary.URL(pgtest.Superuser, "postgres"))
	if err != nil {
		return 0, err
	}
	defer conn.Close(ctx)
	for _, through := range []bool{false, true} {
		if _, err := conn.Exec(ctx, "create database "+name(through)); err != nil {
			return 0, err
		}
	}
	targets := map[bool]string{
		false: cluster.Primary.ConnString(pgtest.Superuser, name(false)),
		true:  fmt.Sprintf("host=%s port=%s user=%s dbname=%s sslmode=disable", host, port, pgtest.Superuser, name(true)),
	}
	tests, traces := strings.Fields(string(list)), 0
	for _, test := range tests {
		compared, wrong, err := r.pipeline(ctx, program, test, targets)
		if err != nil {
			return 0, err
		}
		traces += compared
		differing += wrong
	}
	fmt.Printf("libpq_pipeline: %d tests run directly and through askpg, %d traces compared with the suite's, %d differ; they are in %s\n", len(tests), traces, differing, r.out)
	if len(tests) == 0 || traces == 0 {
		return 1, nil
	}
	return differing, nil
}

// pipeline runs a test directly and through askpg, and says how many traces it has compared and
// what differs.
func (r *runner) pipeline(ctx context.Context, program, test string, targets map[bool]string) (traces, differing int, err error) {
	want, err := os.ReadFile(filepath.Join(r.source, "traces", test+".trace"))
	traced := err == nil
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return 0, 0, err
	}
	var said [2][]byte
	for i, through := range []bool{false, true} {
		dir := filepath.Join(r.out, name(through))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return 0, 0, err
		}
		file := filepath.Join(dir, test+".trace")
		args := []string{"-r", pipelineRows}
		if traced {
			args = append(args, "-t", file)
		}
		if said[i], err = runTest(ctx, program, append(args, test, targets[through])); err != nil {
			differing++
			fmt.Printf("%s, %s: %v\n%s\n", test, name(through), err, said[i])
		}
		if !traced {
			continue
		}
		traces++
		got, err := os.ReadFile(file)
		if err != nil {
			return 0, 0, err
		}
		if !bytes.Equal(got, want) {
			differing++
			fmt.Printf("%s, %s: the trace %s is not the suite's\n", test, name(through), file)
		}
	}
	if traced && !bytes.Equal(said[0], said[1]) {
		differing++
		fmt.Printf("%s prints something else through askpg\n", test)
	}
	return traces, differing, nil
}

func runTest(ctx context.Context, program string, args []string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, program, args...).CombinedOutput()
	if err != nil {
		return out, fmt.Errorf("%s: %w", strconv.Quote(strings.Join(args, " ")), err)
	}
	return out, nil
}
