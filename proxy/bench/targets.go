package main

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"askpg/internal/pgtest"
)

// target is something to connect to.
type target struct {
	name    string
	addr    string
	group   group
	sslmode string
	pid     int // 0: its memory is not measured
}

// group is what is compared with each other.
type group string

const (
	plain     group = "plain" // no TLS, and server connections that are new in each run
	encrypted group = "tls"   // TLS between client and proxy, and new server connections
	kept      group = "kept"  // no TLS, SCRAM, and server connections that wait for their next client
)

// of returns the targets of some groups, direct connections among them all.
func of(targets []*target, groups ...group) (list []*target) {
	for _, t := range targets {
		if t.group == "" || slices.Contains(groups, t.group) {
			list = append(list, t)
		}
	}
	return list
}

// starter starts targets, each in a process.
type starter struct {
	cluster   *pgtest.Cluster
	dir       string // for configuration files
	beside    string // this program of another version, if one is compared
	loops     int    // of askpg; its own default if negative
	targets   []*target
	processes []*exec.Cmd
}

// startTargets starts askpg, and PgBouncer if it is installed, in the ways that are compared. stop ends them.
func startTargets(cluster *pgtest.Cluster, loops int, secret, beside string) (targets []*target, stop func(), err error) {
	dir, err := os.MkdirTemp("", "askpg-bench-")
	if err != nil {
		return nil, nil, err
	}
	s := &starter{cluster: cluster, dir: dir, beside: beside, loops: loops, targets: []*target{{name: "direct", addr: cluster.Primary.Address(), sslmode: "disable"}}}
	if err := s.start(secret); err != nil {
		s.stop()
		return nil, nil, err
	}
	return s.targets, s.stop, nil
}

func (s *starter) stop() {
	for _, p := range s.processes {
		_ = p.Process.Signal(syscall.SIGTERM)
		_ = p.Wait()
	}
	os.RemoveAll(s.dir)
}

func (s *starter) start(secret string) error {
	if err := os.Chmod(s.dir, 0o755); err != nil { // PgBouncer does not run as root
		return err
	}
	secrets, users := filepath.Join(s.dir, "secrets.txt"), filepath.Join(s.dir, "users.txt")
	cert, key, err := certificate(s.dir)
	err = errors.Join(err,
		os.WriteFile(secrets, fmt.Appendf(nil, "%q %q\n", churnRole, secret), 0o644),
		os.WriteFile(users, []byte(`"`+pgtest.Superuser+`" ""`+"\n"), 0o644))
	if err != nil {
		return err
	}
	for _, t := range []struct {
		name    string
		group   group
		options []string
	}{
		{"askpg", plain, nil},
		{"askpg, reuse_connections", kept, []string{"secrets=" + secrets}},
		{"askpg with TLS", encrypted, []string{"cert=" + cert, "key=" + key}},
	} {
		if err := s.askpg(os.Args[0], t.name, t.group, t.options...); err != nil {
			return err
		}
		if s.beside != "" && t.group != kept {
			if err := s.askpg(s.beside, t.name+", beside", t.group, t.options...); err != nil {
				return err
			}
		}
	}
	pgbouncer, err := exec.LookPath("pgbouncer")
	if err != nil {
		pgbouncer, err = exec.LookPath("/usr/sbin/pgbouncer") // which is in no PATH of a user's
	}
	if err != nil {
		fmt.Println("no pgbouncer found: it is left out")
		return nil
	}
	for _, t := range []struct {
		name     string
		group    group
		settings string
	}{
		{"pgbouncer", plain, "auth_type = trust\nauth_file = " + users},
		{"pgbouncer, scram-sha-256", kept, "auth_type = scram-sha-256\nauth_file = " + secrets},
		{"pgbouncer with TLS", encrypted, "auth_type = trust\nauth_file = " + users + "\nclient_tls_sslmode = require\nclient_tls_cert_file = " + cert + "\nclient_tls_key_file = " + key},
	} {
		if err := s.pgbouncer(pgbouncer, t.name, t.group, t.settings); err != nil {
			return err
		}
	}
	return nil
}

// askpg starts a program, this one or that of another version, as askpg.
func (s *starter) askpg(program, name string, group group, options ...string) error {
	if s.loops >= 0 {
		options = append(options, "loops="+strconv.Itoa(s.loops))
	}
	cmd := exec.Command(program, append([]string{"serve", s.cluster.Primary.Address()}, options...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	t := s.started(name, group, cmd)
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return fmt.Errorf("starting askpg: %w", err)
	}
	t.addr = strings.TrimSpace(line)
	return nil
}

// started takes down a process that runs.
func (s *starter) started(name string, group group, cmd *exec.Cmd) *target {
	t := &target{name: name, group: group, sslmode: group.sslmode(), pid: cmd.Process.Pid}
	s.processes, s.targets = append(s.processes, cmd), append(s.targets, t)
	return t
}

// pgbouncer starts PgBouncer in session mode, with some settings of its own, and waits until it answers.
func (s *starter) pgbouncer(program, name string, group group, own string) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	addr := l.Addr().(*net.TCPAddr)
	l.Close()
	ini := filepath.Join(s.dir, "pgbouncer-"+string(group)+".ini")
	settings := fmt.Sprintf(`[databases]
* = host=127.0.0.1 port=%d
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = %d
unix_socket_dir =
pool_mode = session
default_pool_size = 2200
max_client_conn = 2200
server_reset_query = DISCARD ALL
ignore_startup_parameters = extra_float_digits
logfile = /dev/null
%s
`, s.cluster.Primary.Port, addr.Port, own)
	if err := os.WriteFile(ini, []byte(settings), 0o644); err != nil {
		return err
	}
	cmd := exec.Command(program, "-q", ini)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.cluster.Primary.Account} // it does not run as root
	if err := cmd.Start(); err != nil {
		return err
	}
	s.started(name, group, cmd).addr = addr.String()
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		conn, err := net.Dial("tcp", addr.String())
		if err == nil {
			return conn.Close()
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("pgbouncer does not answer: %w", err)
		}
	}
}

func (l group) sslmode() string {
	if l == encrypted {
		return "require"
	}
	return "disable"
}

// certificate makes a self-signed certificate.
func certificate(dir string) (cert, key string, err error) {
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return "", "", err
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &k.PublicKey, k)
	if err != nil {
		return "", "", err
	}
	private, err := x509.MarshalECPrivateKey(k)
	if err != nil {
		return "", "", err
	}
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	if err := os.WriteFile(cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o644); err != nil {
		return "", "", err
	}
	// Readable for PgBouncer; it is nobody's key.
	return cert, key, os.WriteFile(key, pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: private}), 0o644)
}
