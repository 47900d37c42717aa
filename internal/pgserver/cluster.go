// Package pgserver starts real PostgreSQL servers: a primary and a streaming
// standby in a folder. The demo, the evaluation and the tests use it.
package pgserver

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// Superuser is the name of every cluster's bootstrap superuser.
const Superuser = "postgres"

// Options say how a cluster is started; the zero value is a primary and a
// standby on free ports of the loopback interface, with trust authentication.
type Options struct {
	NoStandby bool              // start the primary alone
	Settings  map[string]string // further settings for both servers
	HBA       []string          // lines of pg_hba.conf put before the trust ones
	Log       func(string)      // told what is being done; may be nil

	// Templates is a folder for data directories as initdb makes them, one for
	// each version of the server. A start copies the one of its version, and makes
	// it where there is none. Clusters of one template have the same system
	// identifier. If it is empty, initdb runs at each start.
	Templates string
}

// Cluster is a running primary and its standby.
type Cluster struct {
	Primary *Server
	Standby *Server // nil with NoStandby
	Dir     string
}

// errNoServer says that no PostgreSQL server programs were found.
var errNoServer = errors.New("no PostgreSQL server programs found (looked at ASKPG_PG_BIN, pg_config, /usr/lib/postgresql, PATH); install PostgreSQL 12 or later")

// FindBinDir returns the folder of the newest PostgreSQL server programs:
// that of ASKPG_PG_BIN, of pg_config, of Debian's layout, or of PATH.
func FindBinDir() (string, error) {
	var dirs []string
	if d := os.Getenv("ASKPG_PG_BIN"); d != "" {
		dirs = append(dirs, d)
	}
	if out, err := exec.Command("pg_config", "--bindir").Output(); err == nil {
		dirs = append(dirs, strings.TrimSpace(string(out)))
	}
	debian, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
	sort.Slice(debian, func(i, j int) bool { return majorOf(debian[i]) > majorOf(debian[j]) })
	dirs = append(dirs, debian...)
	for _, pattern := range []string{"/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql@*/bin", "/usr/local/opt/postgresql@*/bin"} {
		more, _ := filepath.Glob(pattern)
		dirs = append(dirs, more...)
	}
	if p, err := exec.LookPath("postgres"); err == nil {
		if p, err = filepath.EvalSymlinks(p); err == nil {
			dirs = append(dirs, filepath.Dir(p))
		}
	}
	for _, d := range dirs {
		_, noServer := os.Stat(filepath.Join(d, "postgres"))
		_, noInitdb := os.Stat(filepath.Join(d, "initdb"))
		if noServer == nil && noInitdb == nil {
			return d, nil
		}
	}
	return "", errNoServer
}

func majorOf(binDir string) int {
	n, _ := strconv.Atoi(filepath.Base(filepath.Dir(binDir)))
	return n
}

// Start makes and starts a cluster. The servers end with Close, or with the
// process that started them.
func Start(ctx context.Context, o Options) (_ *Cluster, err error) {
	if o.Log == nil {
		o.Log = func(string) {}
	}
	bin, err := FindBinDir()
	if err != nil {
		return nil, err
	}
	c := &Cluster{}
	defer func() {
		if err != nil {
			c.Close()
		}
	}()
	if c.Dir, err = os.MkdirTemp("", "askpg-"); err != nil {
		return nil, err
	}
	cred, err := serverAccount()
	if err != nil {
		return nil, err
	}
	if cred != nil {
		if err := os.Chown(c.Dir, int(cred.Uid), int(cred.Gid)); err != nil {
			return nil, err
		}
		if err := os.Chmod(c.Dir, 0o755); err != nil {
			return nil, err
		}
	}
	ports, err := pickPorts()
	if err != nil {
		return nil, err
	}

	p := &Server{Dir: filepath.Join(c.Dir, "primary"), Host: "127.0.0.1", Port: ports[0], bin: bin, Account: cred}
	o.Log("initdb")
	if err := p.initialize(ctx, o.Templates); err != nil {
		return nil, err
	}
	if err := p.configure(o); err != nil {
		return nil, err
	}
	s := &Server{Dir: filepath.Join(c.Dir, "standby"), Host: p.Host, Port: ports[1], bin: bin, Account: cred}
	if !o.NoStandby {
		o.Log("copying the primary to a standby")
		if err := s.copyOf(ctx, p); err != nil {
			return nil, err
		}
	}
	o.Log("starting the primary")
	if err := p.Start(ctx); err != nil {
		return nil, err
	}
	c.Primary = p
	if o.NoStandby {
		return c, nil
	}
	o.Log("starting the standby")
	if err := s.Start(ctx); err != nil {
		return nil, err
	}
	c.Standby = s
	return c, nil
}

// Close stops the servers at once and removes their folder.
func (c *Cluster) Close() error {
	var errs []error
	for _, s := range []*Server{c.Standby, c.Primary} {
		if s != nil {
			errs = append(errs, s.Stop(syscall.SIGQUIT))
		}
	}
	return errors.Join(append(errs, os.RemoveAll(c.Dir))...)
}

// CatchUp waits until the standby has replayed what the primary has written.
func (c *Cluster) CatchUp(ctx context.Context) error {
	return CatchUp(ctx, c.Primary.URL(Superuser, "postgres"), c.Standby.URL(Superuser, "postgres"))
}

// CatchUp waits until a standby has replayed what its primary has written. The URLs
// are those of superusers.
func CatchUp(ctx context.Context, primary, standby string) error {
	p, err := pgx.Connect(ctx, primary)
	if err != nil {
		return err
	}
	defer p.Close(context.WithoutCancel(ctx))
	// The servers commit without waiting for their WAL to be written, so a
	// commit that does wait comes first.
	if _, err := p.Exec(ctx, "set synchronous_commit = local"); err != nil {
		return err
	}
	if _, err := p.Exec(ctx, "select pg_logical_emit_message(true, 'pgserver', '')"); err != nil {
		return err
	}
	var lsn string
	if err := p.QueryRow(ctx, "select pg_current_wal_lsn()::text").Scan(&lsn); err != nil {
		return err
	}
	s, err := pgx.Connect(ctx, standby)
	if err != nil {
		return err
	}
	defer s.Close(context.WithoutCancel(ctx))
	for {
		var done bool
		if err := s.QueryRow(ctx, "select pg_last_wal_replay_lsn() >= $1::pg_lsn", lsn).Scan(&done); err != nil {
			return err
		}
		if done {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("standby has not replayed up to %s: %w", lsn, ctx.Err())
		case <-time.After(5 * time.Millisecond):
		}
	}
}

func pickPorts() (ports [2]int, err error) {
	for i := range ports {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return ports, err
		}
		defer l.Close()
		ports[i] = l.Addr().(*net.TCPAddr).Port
	}
	return ports, nil
}
