package pgserver

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// Server is one running PostgreSQL server.
type Server struct {
	Dir     string // data directory
	Host    string
	Port    int
	Account *syscall.Credential // that it runs under; nil is that of this process

	bin    string
	cmd    *exec.Cmd
	exited chan struct{}
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
	return s.Start(ctx)
}

// PID returns the process id of the postmaster.
func (s *Server) PID() int { return s.cmd.Process.Pid }

var initdbArgs = []string{"-U", Superuser, "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"}

// initialize makes the data directory: a copy of the template of this version, or a
// new one, which then becomes the template.
func (s *Server) initialize(ctx context.Context, templates string) error {
	initdb := func() error { return s.program(ctx, "initdb", append([]string{"-D", s.Dir}, initdbArgs...)...) }
	if templates == "" {
		return initdb()
	}
	version, err := exec.CommandContext(ctx, filepath.Join(s.bin, "postgres"), "-V").Output()
	if err != nil {
		return fmt.Errorf("asking the server for its version: %w", err)
	}
	account := -1
	if s.Account != nil {
		account = int(s.Account.Uid)
	}
	template := filepath.Join(templates, fmt.Sprintf("%x", sha256.Sum256(fmt.Append(nil, string(version), initdbArgs, account))))
	// The account of the server need not see the folder: this process copies, and keeps the owner.
	copyTo := func(from, to string) error {
		if out, err := exec.CommandContext(ctx, "cp", "-Rp", from, to).CombinedOutput(); err != nil {
			return fmt.Errorf("copying a data directory: %w\n%s", err, out)
		}
		return nil
	}
	if _, err := os.Stat(template); err == nil {
		return copyTo(template, s.Dir)
	}
	if err := initdb(); err != nil {
		return err
	}
	if err := os.MkdirAll(templates, 0o700); err != nil {
		return err
	}
	unfinished, err := os.MkdirTemp(templates, "unfinished-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(unfinished)
	data := filepath.Join(unfinished, "data")
	if err := copyTo(s.Dir, data); err != nil {
		return err
	}
	// Where another process was faster, its template stays: a folder does not
	// replace one that is not empty.
	if err := os.Rename(data, template); err != nil && !errors.Is(err, fs.ErrExist) && !errors.Is(err, syscall.ENOTEMPTY) {
		return err
	}
	return nil
}

func (s *Server) configure(o Options) error {
	settings := map[string]string{
		"listen_addresses": "'127.0.0.1'", "unix_socket_directories": "''",
		"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off",
		"max_connections": "400", "shared_buffers": "'64MB'", "wal_level": "logical", "max_wal_senders": "10",
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

// Start runs the postmaster as a child of this process. On Linux the child ends
// with this process, see childAttributes: the signal for that comes when the
// thread that forked ends, so one thread is kept for it.
func (s *Server) Start(ctx context.Context) error {
	logFile, err := os.OpenFile(s.Dir+".log", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	cmd := exec.Command(filepath.Join(s.bin, "postgres"), "-D", s.Dir, "-p", strconv.Itoa(s.Port))
	cmd.Stdout, cmd.Stderr = logFile, logFile
	cmd.Dir = filepath.Dir(s.Dir)
	cmd.SysProcAttr = childAttributes(s.Account)
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
	ctx, cancel := context.WithTimeout(ctx, 3*time.Minute)
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
	if s.Account != nil {
		if err := os.Chown(signal, int(s.Account.Uid), int(s.Account.Gid)); err != nil {
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
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.Account}
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

func tail(path string) string {
	b, _ := os.ReadFile(path)
	if len(b) > 2000 {
		b = b[len(b)-2000:]
	}
	return string(b)
}
