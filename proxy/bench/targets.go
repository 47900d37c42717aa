package main

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"os/exec"
	"os/user"
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

func startTargets(cluster *pgtest.Cluster, loops int, secret string) (targets []*target, stop func(), err error) {
	var processes []*exec.Cmd
	dir, err := os.MkdirTemp("", "askpg-bench-")
	if err != nil {
		return nil, nil, err
	}
	if err := os.Chmod(dir, 0o755); err != nil { // PgBouncer does not run as root
		return nil, nil, err
	}
	stop = func() {
		for _, p := range processes {
			_ = p.Process.Signal(syscall.SIGTERM)
			_ = p.Wait()
		}
		os.RemoveAll(dir)
	}
	defer func() {
		if err != nil {
			stop()
		}
	}()
	targets = append(targets, &target{name: "direct", addr: cluster.Primary.Address(), sslmode: "disable"})
	askpg := func(name string, group group, options ...string) error {
		if loops >= 0 {
			options = append(options, "loops="+strconv.Itoa(loops))
		}
		cmd := exec.Command(os.Args[0], append([]string{"serve", cluster.Primary.Address()}, options...)...)
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		if err != nil {
			return err
		}
		if err := cmd.Start(); err != nil {
			return err
		}
		processes = append(processes, cmd)
		line, err := bufio.NewReader(out).ReadString('\n')
		if err != nil {
			return fmt.Errorf("starting askpg: %w", err)
		}
		targets = append(targets, &target{name: name, addr: strings.TrimSpace(line), group: group, sslmode: group.sslmode(), pid: cmd.Process.Pid})
		return nil
	}
	if err := askpg("askpg", plain); err != nil {
		return nil, nil, err
	}
	secrets := filepath.Join(dir, "secrets.txt")
	if err := os.WriteFile(secrets, fmt.Appendf(nil, "%q %q\n", churnRole, secret), 0o644); err != nil {
		return nil, nil, err
	}
	if err := askpg("askpg, reuse_connections", kept, "secrets="+secrets); err != nil {
		return nil, nil, err
	}
	cert, key, err := certificate(dir)
	if err != nil {
		return nil, nil, err
	}
	if err := askpg("askpg with TLS", encrypted, "cert="+cert, "key="+key); err != nil {
		return nil, nil, err
	}
	users := filepath.Join(dir, "users.txt")
	if err := os.WriteFile(users, []byte(`"`+pgtest.Superuser+`" ""`+"\n"), 0o644); err != nil {
		return nil, nil, err
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
		cmd, addr, err := pgbouncer(cluster, filepath.Join(dir, "pgbouncer-"+string(t.group)+".ini"), t.settings)
		if err != nil {
			return nil, nil, err
		}
		if cmd == nil {
			fmt.Println("no pgbouncer found: it is left out")
			return targets, stop, nil
		}
		processes = append(processes, cmd)
		targets = append(targets, &target{name: t.name, addr: addr, group: t.group, sslmode: t.group.sslmode(), pid: cmd.Process.Pid})
		for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(20 * time.Millisecond) {
			conn, err := net.Dial("tcp", addr)
			if err == nil {
				conn.Close()
				break
			}
			if time.Now().After(deadline) {
				return nil, nil, fmt.Errorf("pgbouncer does not answer: %w", err)
			}
		}
	}
	return targets, stop, nil
}

func (l group) sslmode() string {
	if l == encrypted {
		return "require"
	}
	return "disable"
}

// pgbouncer starts PgBouncer in session mode, with some settings of its own;
// nil if it is not installed.
func pgbouncer(cluster *pgtest.Cluster, ini, own string) (*exec.Cmd, string, error) {
	path, err := exec.LookPath("pgbouncer")
	if err != nil {
		if path = "/usr/sbin/pgbouncer"; !exists(path) {
			return nil, "", nil
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, "", err
	}
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
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
`, cluster.Primary.Port, port, own)
	if err := os.WriteFile(ini, []byte(settings), 0o644); err != nil {
		return nil, "", err
	}
	cmd := exec.Command(path, "-q", ini)
	if os.Geteuid() == 0 {
		u, err := user.Lookup("postgres")
		if err != nil {
			return nil, "", err
		}
		uid, _ := strconv.ParseUint(u.Uid, 10, 32)
		gid, _ := strconv.ParseUint(u.Gid, 10, 32)
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	}
	if err := cmd.Start(); err != nil {
		return nil, "", err
	}
	return cmd, "127.0.0.1:" + strconv.Itoa(port), nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
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
