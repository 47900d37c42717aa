// Command bench measures askpg's relay beside a direct connection and
// PgBouncer in session mode: transactions per second of pgbench -S, large
// results, connection churn, and the memory of idle sessions. All run before
// one server that it starts itself, interleaved, and medians are printed.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"sort"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/proxy"
)

func main() {
	if len(os.Args) > 2 && os.Args[1] == "serve" {
		if err := serve(os.Args[2], os.Args[3:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	rounds := flag.Int("rounds", 7, "rounds of every measurement")
	seconds := flag.Int("seconds", 3, "length of a pgbench run")
	clients := flag.String("clients", "1,8,64", "numbers of clients")
	only := flag.String("only", "pgbench,kept,tls,stream,churn,idle", "what to measure")
	loops := flag.Int("loops", -1, "event loops; -1 is the default")
	iterations := flag.Int("iterations", 4096, "SCRAM iterations of the role that connects and leaves")
	beside := flag.String("beside", "", "this program, built of another version, that is measured too")
	flag.Parse()
	if err := run(*rounds, *iterations, *seconds, *clients, *only, *beside, *loops); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// serve runs askpg's relay: bench serve PRIMARY [secrets=FILE] [loops=N] [cert=FILE key=FILE].
// It prints the address that it listens on.
func serve(primary string, options []string) error {
	cfg := proxy.DefaultConfig()
	cfg.Listen.Address = "127.0.0.1:0"
	cfg.Primary.Address = primary
	cfg.Primary.SSLMode = "disable"
	for _, o := range options {
		switch name, value, _ := strings.Cut(o, "="); name {
		case "loops":
			n, err := strconv.Atoi(value)
			if err != nil {
				return err
			}
			cfg.Listen.EventLoops = n
		case "secrets": // of clients; their server connections are reused
			cfg.Auth.Method, cfg.Auth.File, cfg.Primary.Reuse = "scram", value, true
		case "cert":
			cfg.TLS.Cert = value
		case "key":
			cfg.TLS.Key = value
		}
	}
	none := ask.TranslatorFunc(func(context.Context, ask.Question) (*ask.Translation, error) {
		return nil, ask.Errorf(ask.CodeNoModel, "this is a benchmark")
	})
	srv, err := proxy.New(cfg, none, nil, slog.New(slog.NewTextHandler(os.Stderr, nil)), nil)
	if err != nil {
		return err
	}
	if err := srv.Listen(); err != nil {
		return err
	}
	fmt.Println(srv.Addrs()[0])
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGTERM, os.Interrupt)
	go func() {
		<-stop
		srv.Close()
	}()
	if err := srv.Serve(); !errors.Is(err, proxy.ErrServerClosed) {
		return err
	}
	return nil
}

func run(rounds, iterations, seconds int, clientCounts, only, beside string, loops int) error {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	defer cancel()
	cluster, err := pgtest.Start(ctx, pgtest.Options{NoStandby: true, HBA: []string{churnHBA}, Settings: map[string]string{"max_connections": "2300", "shared_buffers": "256MB"}})
	if err != nil {
		return err
	}
	defer cluster.Close()
	secret, err := createChurnRole(ctx, cluster, iterations)
	if err != nil {
		return err
	}
	targets, stop, err := startTargets(cluster, loops, secret, beside)
	if err != nil {
		return err
	}
	defer stop()
	fmt.Printf("%s, %d CPUs, GOMAXPROCS %d\n", time.Now().Format("2006-01-02 15:04"), runtime.NumCPU(), runtime.GOMAXPROCS(0))

	if out, err := command(ctx, cluster, targets[0], "-i", "-q", "-s", "10", "--unlogged-tables"); err != nil {
		return fmt.Errorf("pgbench -i: %w\n%s", err, out)
	}
	os.Setenv("PGPASSWORD", churnPassword)
	selects := func(what string, group group) func() error {
		return func() error {
			for _, mode := range []string{"simple", "extended", "prepared"} {
				for c := range strings.SplitSeq(clientCounts, ",") {
					err := compare(ctx, rounds, of(targets, group), fmt.Sprintf("%s, %s, %s clients, tps", what, mode, c), func(t *target) (float64, error) {
						return tps(ctx, cluster, t, group != kept, seconds, "-M", mode, "-c", c)
					})
					if err != nil {
						return err
					}
				}
			}
			return nil
		}
	}
	for _, m := range []struct {
		name    string
		measure func() error
	}{
		{"pgbench", selects("pgbench -S", plain)},
		{"kept", selects("pgbench -S, kept", kept)},
		{"tls", selects("pgbench -S, TLS", encrypted)},
		{"churn", func() error { return churn(ctx, cluster, rounds, seconds, targets) }},
		{"stream", func() error { return streams(ctx, rounds, targets) }},
		{"idle", func() error { return idle(ctx, of(targets, plain, encrypted)) }},
	} {
		if strings.Contains(only, m.name) {
			if err := m.measure(); err != nil {
				return err
			}
		}
	}
	return nil
}

// streams compares the throughput of COPY.
func streams(ctx context.Context, rounds int, targets []*target) error {
	for _, q := range [][2]string{
		{"COPY out, narrow rows, MB/s", "copy (select i from generate_series(1, 4000000) i) to stdout"},
		{"COPY out, wide rows, MB/s", "copy (select repeat('x', 8000) from generate_series(1, 25000) i) to stdout"},
	} {
		for _, l := range []group{plain, encrypted} {
			if err := compare(ctx, rounds, of(targets, l), q[0]+", "+string(l), func(t *target) (float64, error) { return stream(ctx, t, q[1]) }); err != nil {
				return err
			}
		}
	}
	return nil
}

// compare measures every target in turn, several times, and prints medians
// and the spread.
func compare(ctx context.Context, rounds int, targets []*target, name string, measure func(t *target) (float64, error)) error {
	results := map[string][]float64{}
	for range rounds {
		for _, t := range targets {
			v, err := measure(t)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", name, t.name, err)
			}
			results[t.name] = append(results[t.name], v)
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
	}
	fmt.Printf("%-44s", name)
	for _, t := range targets {
		if v := results[t.name]; len(v) > 0 {
			sort.Float64s(v)
			fmt.Printf("  %s %.0f (%.0f–%.0f)", t.name, v[len(v)/2], v[0], v[len(v)-1])
		}
	}
	fmt.Println()
	return nil
}

func command(ctx context.Context, cluster *pgtest.Cluster, t *target, args ...string) ([]byte, error) {
	host, port, _ := strings.Cut(t.addr, ":")
	args = append([]string{"-h", host, "-p", port, "-U", pgtest.Superuser}, append(args, "postgres")...)
	cmd := exec.CommandContext(ctx, cluster.Primary.Program("pgbench"), args...)
	cmd.Env = append(os.Environ(), "PGSSLMODE="+t.sslmode)
	return cmd.CombinedOutput()
}

// tps runs pgbench -S for a second that does not count, in which connections
// are made, and then for some more.
//
// A server process is slow at first: it fills its caches, and each page of
// the shared memory costs it a fault. So runs are comparable only if the
// processes behind them are of one age. With fresh set those of earlier runs,
// which PgBouncer keeps, are ended before; without it churnRole connects, whose
// connections both proxies keep.
func tps(ctx context.Context, cluster *pgtest.Cluster, t *target, fresh bool, seconds int, args ...string) (float64, error) {
	if fresh {
		if err := endSessions(ctx, cluster); err != nil {
			return 0, err
		}
	} else {
		args = append([]string{"-U", churnRole}, args...)
	}
	out, err := command(ctx, cluster, t, append(args, "-S", "-n", "-j", "1", "-P", "1", "-T", strconv.Itoa(seconds+1))...)
	if err != nil {
		return 0, fmt.Errorf("%w\n%s", err, out)
	}
	sum, n := 0.0, 0
	for line := range strings.SplitSeq(string(out), "\n") {
		var at, rate float64
		if k, _ := fmt.Sscanf(line, "progress: %f s, %f tps", &at, &rate); k == 2 && at > 1.5 {
			sum, n = sum+rate, n+1
		}
	}
	if n == 0 {
		return 0, fmt.Errorf("pgbench reports no progress:\n%s", out)
	}
	return sum / float64(n), nil
}

// endSessions ends the server's sessions of the superuser.
func endSessions(ctx context.Context, cluster *pgtest.Cluster) error {
	conn, err := pgx.Connect(ctx, cluster.Primary.URL(pgtest.Superuser, "postgres"))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, "SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity WHERE usename = current_user AND backend_type = 'client backend' AND pid <> pg_backend_pid()")
	return err
}

// reported returns the rate of a whole run of pgbench.
func reported(out []byte) (float64, error) {
	for line := range strings.SplitSeq(string(out), "\n") {
		if rest, ok := strings.CutPrefix(line, "tps = "); ok {
			number, _, _ := strings.Cut(rest, " ")
			return strconv.ParseFloat(number, 64)
		}
	}
	return 0, fmt.Errorf("pgbench says no tps:\n%s", out)
}

type counter struct{ n int64 }

func (c *counter) Write(b []byte) (int, error) {
	c.n += int64(len(b))
	return len(b), nil
}

func stream(ctx context.Context, t *target, query string) (float64, error) {
	conn, err := pgx.Connect(ctx, "postgres://"+pgtest.Superuser+"@"+t.addr+"/postgres?sslmode="+t.sslmode)
	if err != nil {
		return 0, err
	}
	defer conn.Close(ctx)
	var c counter
	began := time.Now()
	if _, err := conn.PgConn().CopyTo(ctx, &c, query); err != nil {
		return 0, err
	}
	return float64(c.n) / 1e6 / time.Since(began).Seconds(), nil
}

// idle prints the resident memory that 2000 idle sessions add, each.
func idle(ctx context.Context, targets []*target) error {
	const n = 2000
	for _, t := range targets {
		if t.pid == 0 {
			continue
		}
		before := resident(t.pid)
		conns := make([]*pgx.Conn, 0, n)
		var err error
		for range n {
			var conn *pgx.Conn
			if conn, err = pgx.Connect(ctx, "postgres://"+pgtest.Superuser+"@"+t.addr+"/postgres?sslmode="+t.sslmode); err != nil {
				break
			}
			conns = append(conns, conn)
		}
		// Idle sessions are parked, and the garbage of the logins goes with the
		// next collections.
		time.Sleep(20 * time.Second)
		after := resident(t.pid)
		fmt.Printf("%-44s  %s %.1f KB (process %d → %d KB)\n", fmt.Sprintf("resident memory of %d idle sessions, each", len(conns)), t.name,
			float64(after-before)/float64(len(conns)), before, after)
		for _, conn := range conns {
			conn.Close(ctx)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
	}
	return nil
}

// resident returns a process's resident memory in KB.
func resident(pid int) int {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.SplitSeq(string(b), "\n") {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			n, _ := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(rest), " kB"))
			return n
		}
	}
	return 0
}
