// Command regress runs PostgreSQL's own regression suite twice on fresh
// servers, once directly and once through askpg, and compares what psql
// printed: nothing may differ.
//
// It needs the suite's sources (src/test/regress of the server's version) and
// a folder with regress.so, autoinc.so and refint.so. The isolation suite runs
// with its own runner and schedule, libpq_pipeline with -pipeline, and the suite
// of a driver by a command behind the flags. make suites gets the sources, builds
// what is needed and runs them.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/proxy"
)

func main() {
	source := flag.String("source", "", "folder of the suite: src/test/regress")
	libraries := flag.String("dlpath", "", "folder of regress.so, autoinc.so and refint.so")
	program := flag.String("pg_regress", "", "the runner; that of the server's pgxs if empty")
	out := flag.String("out", "", "folder for the results; a temporary one if empty")
	schedule := flag.String("schedule", "parallel_schedule", "the suite's schedule")
	pipeline := flag.String("pipeline", "", "the program libpq_pipeline: run its tests in place of a schedule")
	parallel := flag.Int("parallel", 4, "tests at once")
	flag.Parse()
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	defer cancel()
	r := runner{source: *source, libraries: *libraries, program: *program, out: *out, schedule: *schedule, parallel: *parallel}
	var differing int
	var err error
	if r.out == "" {
		r.out, err = os.MkdirTemp("", "askpg-regress-")
	}
	switch {
	case err != nil:
	case *pipeline != "":
		differing, err = r.pipelines(ctx, *pipeline)
	case flag.NArg() > 0:
		differing, err = r.programs(ctx, flag.Args())
	default:
		differing, err = r.run(ctx)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if differing > 0 {
		os.Exit(1)
	}
}

type runner struct {
	source, libraries, program, out, schedule string
	parallel                                  int
}

func (r *runner) run(ctx context.Context) (differing int, err error) {
	if r.source == "" || r.libraries == "" {
		return 0, errors.New("-source and -dlpath are needed")
	}
	for _, through := range []bool{false, true} {
		if err := r.suite(ctx, through); err != nil {
			return 0, err
		}
	}
	return r.compare()
}

func name(through bool) string {
	if through {
		return "askpg"
	}
	return "direct"
}

// suite runs the suite once.
func (r *runner) suite(ctx context.Context, through bool) error {
	cluster, err := pgtest.Start(ctx, pgtest.Options{NoStandby: true, Settings: map[string]string{"max_prepared_transactions": "2"}})
	if err != nil {
		return err
	}
	defer cluster.Close()
	host, port := cluster.Primary.Host, strconv.Itoa(cluster.Primary.Port)
	if through {
		srv, err := relay(cluster.Primary.Address())
		if err != nil {
			return err
		}
		defer srv.Close()
		host, port, _ = net.SplitHostPort(srv.Addrs()[0].String())
	}
	dir := filepath.Join(r.out, name(through))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	program := r.program
	if program == "" {
		program = filepath.Join(filepath.Dir(filepath.Dir(cluster.Primary.Program("x"))), "lib/pgxs/src/test/regress/pg_regress")
	}
	cmd := exec.CommandContext(ctx, program, "--inputdir="+r.source, "--outputdir="+dir, "--bindir="+filepath.Dir(cluster.Primary.Program("x")),
		"--dlpath="+r.libraries, "--schedule="+filepath.Join(r.source, r.schedule), "--max-connections="+strconv.Itoa(r.parallel),
		"--host="+host, "--port="+port, "--user="+pgtest.Superuser)
	cmd.Dir = dir
	if account := cluster.Primary.Account; account != nil {
		// The server writes into the output folder, and does not run as root.
		for _, d := range []string{r.out, dir} {
			if err := os.Chown(d, int(account.Uid), int(account.Gid)); err != nil {
				return err
			}
		}
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: account}
	}
	log, err := cmd.CombinedOutput()
	if werr := os.WriteFile(filepath.Join(r.out, name(through)+".log"), log, 0o644); werr != nil {
		return werr
	}
	lines := strings.Split(strings.TrimSpace(string(log)), "\n")
	fmt.Printf("%s: %s\n", name(through), strings.TrimSpace(strings.Join(lines[max(0, len(lines)-8):], "\n")))
	if _, failed := err.(*exec.ExitError); err != nil && !failed {
		return err
	}
	return nil
}

func relay(primary string) (*proxy.Server, error) {
	cfg := proxy.DefaultConfig()
	cfg.Listen.Address = "127.0.0.1:0"
	cfg.Primary.Address = primary
	none := ask.TranslatorFunc(func(context.Context, ask.Question) (*ask.Translation, error) {
		return nil, ask.Errorf(ask.CodeNoModel, "there are no questions in the suite")
	})
	srv, err := proxy.New(cfg, none, nil, slog.New(slog.NewTextHandler(os.Stderr, nil)), nil)
	if err != nil {
		return nil, err
	}
	if err := srv.Listen(); err != nil {
		return nil, err
	}
	go func() { _ = srv.Serve() }()
	return srv, nil
}

// compare compares the results and says how many differ.
func (r *runner) compare() (differing int, err error) {
	files, err := filepath.Glob(filepath.Join(r.out, "direct/results/*.out"))
	if err != nil {
		return 0, err
	}
	for _, f := range files {
		want, err := os.ReadFile(f)
		if err != nil {
			return 0, err
		}
		got, err := os.ReadFile(filepath.Join(r.out, "askpg/results", filepath.Base(f)))
		// The folder of the run is part of some file names in the output.
		got = bytes.ReplaceAll(got, []byte(filepath.Join(r.out, "askpg")), []byte(filepath.Join(r.out, "direct")))
		if err != nil || !bytes.Equal(got, want) {
			differing++
			fmt.Println("differs:", filepath.Base(f))
		}
	}
	fmt.Printf("%d results compared, %d differ; they are in %s\n", len(files), differing, r.out)
	if len(files) == 0 {
		return 1, nil
	}
	return differing, nil
}
