// Package pgtest starts real PostgreSQL servers, a primary and a streaming
// standby in a temporary folder, for the tests and the demo.
package pgtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
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
	BinDir    string            // folder of the server programs; found by FindBinDir if empty
	Dir       string            // folder to hold everything; a new temporary one if empty
	NoStandby bool              // start the primary alone
	Settings  map[string]string // further settings for both servers
	HBA       []string          // lines of pg_hba.conf put before the trust ones
	Port      int               // the primary's port, the standby's is the next; free ones if 0
	Log       func(string)      // told what is being done; may be nil
}

// Cluster is a running primary and its standby.
type Cluster struct {
	Primary *Server
	Standby *Server // nil with NoStandby
	Dir     string
	ownDir  bool
}

// Server is one running PostgreSQL server.
type Server struct {
	Dir    string // data directory
	Host   string
	Port   int
	bin    string
	cred   *syscall.Credential
	cmd    *exec.Cmd
	exited chan struct{}
}

// ErrNoServer says that no PostgreSQL server programs were found.
var ErrNoServer = errors.New("no PostgreSQL server programs found (looked at ASKPG_PG_BIN, pg_config, /usr/lib/postgresql, PATH); install PostgreSQL 12 or later")

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
		complete := true
		for _, name := range []string{"postgres", "initdb"} {
			if _, err := os.Stat(filepath.Join(d, name)); err != nil {
				complete = false
			}
		}
		if complete {
			return d, nil
		}
	}
	return "", ErrNoServer
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
	if o.BinDir == "" {
		if o.BinDir, err = FindBinDir(); err != nil {
			return nil, err
		}
	}
	c := &Cluster{Dir: o.Dir}
	defer func() {
		if err != nil {
			c.Close()
		}
	}()
	if c.Dir == "" {
		if c.Dir, err = os.MkdirTemp("", "askpg-"); err != nil {
			return nil, err
		}
		c.ownDir = true
	} else if err = os.MkdirAll(c.Dir, 0o755); err != nil {
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
	ports, err := pickPorts(o.Port)
	if err != nil {
		return nil, err
	}

	p := &Server{Dir: filepath.Join(c.Dir, "primary"), Host: "127.0.0.1", Port: ports[0], bin: o.BinDir, cred: cred}
	o.Log("initdb")
	if err := p.program(ctx, "initdb", "-D", p.Dir, "-U", Superuser, "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"); err != nil {
		return nil, err
	}
	if err := p.configure(o); err != nil {
		return nil, err
	}
	s := &Server{Dir: filepath.Join(c.Dir, "standby"), Host: p.Host, Port: ports[1], bin: o.BinDir, cred: cred}
	if !o.NoStandby {
		o.Log("copying the primary to a standby")
		if err := s.copyOf(ctx, p); err != nil {
			return nil, err
		}
	}
	o.Log("starting the primary")
	if err := p.start(ctx); err != nil {
		return nil, err
	}
	c.Primary = p
	if o.NoStandby {
		return c, nil
	}
	o.Log("starting the standby")
	if err := s.start(ctx); err != nil {
		return nil, err
	}
	c.Standby = s
	return c, nil
}

// Close stops the servers at once and removes the folder if Start made it.
func (c *Cluster) Close() error {
	var errs []error
	for _, s := range []*Server{c.Standby, c.Primary} {
		if s != nil {
			errs = append(errs, s.Stop(syscall.SIGQUIT))
		}
	}
	if c.ownDir {
		errs = append(errs, os.RemoveAll(c.Dir))
	}
	return errors.Join(errs...)
}

// CatchUp waits until the standby has replayed what the primary has written.
func (c *Cluster) CatchUp(ctx context.Context) error {
	p, err := pgx.Connect(ctx, c.Primary.URL(Superuser, "postgres"))
	if err != nil {
		return err
	}
	defer p.Close(context.WithoutCancel(ctx))
	// The servers commit without waiting for their WAL to be written, so a
	// commit that does wait comes first.
	if _, err := p.Exec(ctx, "set synchronous_commit = local"); err != nil {
		return err
	}
	if _, err := p.Exec(ctx, "select pg_logical_emit_message(true, 'pgtest', '')"); err != nil {
		return err
	}
	var lsn string
	if err := p.QueryRow(ctx, "select pg_current_wal_lsn()::text").Scan(&lsn); err != nil {
		return err
	}
	s, err := pgx.Connect(ctx, c.Standby.URL(Superuser, "postgres"))
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

// URL returns the connection URL of a role and database.
func (s *Server) URL(role, database string) string {
	u := url.URL{Scheme: "postgres", User: url.User(role), Host: s.Address(), Path: "/" + database, RawQuery: "sslmode=disable"}
	return u.String()
}

// ConnString returns the same as keywords and values.
func (s *Server) ConnString(role, database string) string {
	return fmt.Sprintf("host=%s port=%d user=%s dbname=%s sslmode=disable", s.Host, s.Port, role, database)
}

// Address returns host:port.
func (s *Server) Address() string { return net.JoinHostPort(s.Host, strconv.Itoa(s.Port)) }

// Program returns the path of one of the server's own programs, such as psql,
// or of the one in PATH where the server came without clients.
func (s *Server) Program(name string) string {
	own := filepath.Join(s.bin, name)
	if _, err := os.Stat(own); err != nil {
		if other, err := exec.LookPath(name); err == nil {
			return other
		}
	}
	return own
}

// Stop ends the server by SIGTERM (smart), SIGINT (fast) or SIGQUIT (at once)
// and waits for it.
func (s *Server) Stop(sig syscall.Signal) error {
	if s.cmd == nil {
		return nil
	}
	_ = s.cmd.Process.Signal(sig)
	select {
	case <-s.exited:
	case <-time.After(30 * time.Second):
		_ = s.cmd.Process.Kill()
		<-s.exited
	}
	s.cmd = nil
	return nil
}

// Restart stops the server fast and starts it again.
func (s *Server) Restart(ctx context.Context) error {
	if err := s.Stop(syscall.SIGINT); err != nil {
		return err
	}
	return s.start(ctx)
}

// Start starts a server that Stop has ended.
func (s *Server) Start(ctx context.Context) error { return s.start(ctx) }

// PID returns the process id of the postmaster.
func (s *Server) PID() int { return s.cmd.Process.Pid }

func (s *Server) configure(o Options) error {
	settings := map[string]string{
		"listen_addresses": "'127.0.0.1'", "unix_socket_directories": "''",
		"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off",
		"max_connections": "200", "shared_buffers": "'64MB'", "wal_level": "logical", "max_wal_senders": "10",
		"hot_standby": "on", "hot_standby_feedback": "on", "wal_receiver_status_interval": "'1s'",
		"log_min_messages": "warning", "timezone": "'UTC'", "log_timezone": "'UTC'", "max_prepared_transactions": "10",
	}
	for k, v := range o.Settings {
		settings[k] = "'" + strings.ReplaceAll(v, "'", "''") + "'"
	}
	var b bytes.Buffer
	for k, v := range settings {
		fmt.Fprintf(&b, "%s = %s\n", k, v)
	}
	f, err := os.OpenFile(filepath.Join(s.Dir, "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(b.Bytes()); err != nil {
		return err
	}
	if len(o.HBA) == 0 {
		return nil
	}
	path := filepath.Join(s.Dir, "pg_hba.conf")
	old, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return os.WriteFile(path, append([]byte(strings.Join(o.HBA, "\n")+"\n"), old...), 0o600)
}

// start runs the postmaster as a child that dies with this process. The
// parent-death signal follows the thread that forked, so one is kept for it.
func (s *Server) start(ctx context.Context) error {
	logFile, err := os.OpenFile(s.Dir+".log", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	cmd := exec.Command(filepath.Join(s.bin, "postgres"), "-D", s.Dir, "-p", strconv.Itoa(s.Port))
	cmd.Stdout, cmd.Stderr = logFile, logFile
	cmd.Dir = filepath.Dir(s.Dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.cred, Pdeathsig: syscall.SIGQUIT, Setpgid: true}
	started := make(chan error)
	exited := make(chan struct{})
	go func() {
		runtime.LockOSThread()
		defer logFile.Close()
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait()
		}
		close(exited)
	}()
	if err := <-started; err != nil {
		return fmt.Errorf("starting postgres: %w", err)
	}
	s.cmd, s.exited = cmd, exited
	ctx, cancel := context.WithTimeout(ctx, 60*time.Second)
	defer cancel()
	for {
		conn, err := pgx.Connect(ctx, s.URL(Superuser, "postgres"))
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-exited:
			s.cmd = nil
			return fmt.Errorf("postgres on port %d ended while starting; its log ends with:\n%s", s.Port, tail(s.Dir+".log"))
		case <-ctx.Done():
			return fmt.Errorf("postgres on port %d does not answer: %w; its log ends with:\n%s", s.Port, err, tail(s.Dir+".log"))
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// copyOf makes the server a standby of one that does not run: its files are
// then a backup by themselves (PostgreSQL documentation, "File System Level
// Backup"), and any version's standby begins where they end.
func (s *Server) copyOf(ctx context.Context, p *Server) error {
	if err := s.program(ctx, "cp", "-Rp", p.Dir, s.Dir); err != nil {
		return err
	}
	signal := filepath.Join(s.Dir, "standby.signal")
	if err := os.WriteFile(signal, nil, 0o600); err != nil {
		return err
	}
	if s.cred != nil {
		if err := os.Chown(signal, int(s.cred.Uid), int(s.cred.Gid)); err != nil {
			return err
		}
	}
	f, err := os.OpenFile(filepath.Join(s.Dir, "postgresql.auto.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "primary_conninfo = 'host=%s port=%d user=%s sslmode=prefer'\n", p.Host, p.Port, Superuser)
	return errors.Join(err, f.Close())
}

func (s *Server) program(ctx context.Context, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, s.Program(name), args...)
	cmd.Dir = filepath.Dir(s.Dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.cred}
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, out)
	}
	return nil
}

// serverAccount returns the account to run the servers as: PostgreSQL refuses
// to run as root.
func serverAccount() (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err1 := strconv.ParseUint(u.Uid, 10, 32)
		gid, err2 := strconv.ParseUint(u.Gid, 10, 32)
		if err := errors.Join(err1, err2); err != nil {
			return nil, err
		}
		return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
	}
	return nil, errors.New("PostgreSQL does not run as root, and there is no account postgres or nobody")
}

func pickPorts(first int) ([2]int, error) {
	if first != 0 {
		return [2]int{first, first + 1}, nil
	}
	var ports [2]int
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

func tail(path string) string {
	b, _ := os.ReadFile(path)
	if len(b) > 2000 {
		b = b[len(b)-2000:]
	}
	return string(b)
}
