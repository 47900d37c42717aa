package proxy_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/binary"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgproto3/v2"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"askpg/proxy"
)

// authority signs certificates for 127.0.0.1 and localhost.
type authority struct {
	dir  string
	file string
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	n    int64
}

func newAuthority(t testing.TB) *authority {
	t.Helper()
	a := &authority{dir: t.TempDir()}
	a.key, _ = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test authority"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &a.key.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	a.cert, _ = x509.ParseCertificate(der)
	a.file = a.write(t, "ca.crt", "CERTIFICATE", der)
	return a
}

func (a *authority) write(t testing.TB, name, kind string, der []byte) string {
	t.Helper()
	path := filepath.Join(a.dir, name)
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func (a *authority) issue(t testing.TB, name string) (cert, key string) {
	t.Helper()
	k, _ := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	a.n++
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1 + a.n), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, &k.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	private, _ := x509.MarshalECPrivateKey(k)
	return a.write(t, name+".crt", "CERTIFICATE", der), a.write(t, name+".key", "EC PRIVATE KEY", private)
}

func (a *authority) pool() *x509.CertPool {
	p := x509.NewCertPool()
	p.AddCert(a.cert)
	return p
}

// packet encodes a startup packet.
func packet(code uint32, body string) []byte {
	b := binary.BigEndian.AppendUint32(make([]byte, 4), code)
	b = append(b, body...)
	binary.BigEndian.PutUint32(b, uint32(len(b)))
	return b
}

const (
	sslCode, gssCode, cancelCode = 80877103, 80877104, 80877102
)

func TestTLS_Client(t *testing.T) {
	ca := newAuthority(t)
	cert, key := ca.issue(t, "askpg")
	tests := []struct {
		mode, sslmode string
		ok, encrypted bool
	}{
		{"allow", "disable", true, false},
		{"allow", "prefer", true, true},
		{"allow", "require", true, true},
		{"allow", "verify-full", true, true},
		{"require", "disable", false, false},
		{"require", "require", true, true},
		{"disable", "prefer", true, false},
		{"disable", "require", false, false},
	}
	for _, tt := range tests {
		t.Run(tt.mode+" "+tt.sslmode, func(t *testing.T) {
			b := start(t, func(c *proxy.Config) { c.TLS = proxy.TLSConfig{Mode: tt.mode, Cert: cert, Key: key} })
			url := fmt.Sprintf("postgres://postgres@%s/%s?sslmode=%s&sslrootcert=%s", b.addr, sampleDB(t), tt.sslmode, ca.file)
			conn, err := pgx.Connect(within(t), url)
			if (err == nil) != tt.ok {
				t.Fatalf("connect: %v", err)
			}
			if err != nil {
				return
			}
			defer conn.Close(within(t))
			if _, encrypted := conn.PgConn().Conn().(*tls.Conn); encrypted != tt.encrypted {
				t.Fatalf("encrypted: %v", encrypted)
			}
			var n int
			if err := conn.QueryRow(within(t), "-- ask: how many customers").Scan(&n); err != nil || n != 100 {
				t.Fatalf("%d, %v", n, err)
			}
			if err := conn.QueryRow(within(t), "select sum(length(filler)) from big").Scan(&n); err != nil || n != 2000000 {
				t.Fatalf("%d, %v", n, err)
			}
		})
	}
}

// askTLS sends an SSLRequest and wants yes.
func askTLS(t testing.TB, conn net.Conn) {
	t.Helper()
	_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
	_, _ = conn.Write(packet(sslCode, ""))
	var b [1]byte
	if _, err := io.ReadFull(conn, b[:]); err != nil || b[0] != 'S' {
		t.Fatalf("the answer to SSLRequest: %q, %v", b, err)
	}
}

func TestTLS_Direct(t *testing.T) {
	ca := newAuthority(t)
	cert, key := ca.issue(t, "askpg")
	b := start(t, func(c *proxy.Config) { c.TLS = proxy.TLSConfig{Mode: "allow", Cert: cert, Key: key} })
	for _, tt := range []struct {
		protocols []string
		ok        bool
	}{{[]string{"postgresql"}, true}, {nil, false}, {[]string{"h2"}, false}} {
		conn, err := net.Dial("tcp", b.addr)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
		c := tls.Client(conn, &tls.Config{RootCAs: ca.pool(), ServerName: "localhost", NextProtos: tt.protocols})
		if tt.ok {
			f := login(t, c, sampleDB(t))
			f.send(query("-- ask: how many customers"))
			if got := f.trace(1); !strings.Contains(got, "D \"100\"") {
				t.Fatal(got)
			}
			continue
		}
		_, err = c.Write(packet(3<<16, "user\x00postgres\x00\x00"))
		if err == nil {
			_, err = c.Read(make([]byte, 1))
		}
		if err == nil {
			t.Fatalf("direct TLS with the protocols %v was accepted", tt.protocols)
		}
	}
	// With TLS off nothing is written before the connection is closed.
	off := start(t, nil)
	conn, err := net.Dial("tcp", off.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
	_, _ = conn.Write([]byte{0x16, 3, 1, 0, 10, 1, 0, 0, 0, 0, 0, 0})
	if n, err := conn.Read(make([]byte, 10)); n != 0 || err == nil {
		t.Fatalf("%d bytes, %v", n, err)
	}
}

// Bytes that were sent before the handshake must not be taken for bytes after it.
func TestTLS_BufferStuffing(t *testing.T) {
	ca := newAuthority(t)
	cert, key := ca.issue(t, "askpg")
	b := start(t, func(c *proxy.Config) { c.TLS = proxy.TLSConfig{Mode: "allow", Cert: cert, Key: key} })
	conn, err := net.Dial("tcp", b.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
	stuffed := append(packet(sslCode, ""), packet(3<<16, "user\x00postgres\x00\x00")...)
	_, _ = conn.Write(stuffed)
	c := tls.Client(&afterS{Conn: conn}, &tls.Config{RootCAs: ca.pool(), ServerName: "localhost"})
	if err := c.Handshake(); err == nil {
		t.Fatal("the handshake succeeded after stuffed bytes")
	}
	if b.Sessions() != 0 {
		t.Fatal("a session began with stuffed bytes")
	}
}

// afterS takes the answer to an SSLRequest off.
type afterS struct {
	net.Conn
	done bool
}

func (c *afterS) Read(b []byte) (int, error) {
	if !c.done {
		c.done = true
		var s [1]byte
		if _, err := io.ReadFull(c.Conn, s[:]); err != nil {
			return 0, err
		}
	}
	return c.Conn.Read(b)
}

func TestStartup_Order(t *testing.T) {
	ca := newAuthority(t)
	cert, key := ca.issue(t, "askpg")
	plain := start(t, nil)
	secure := start(t, func(c *proxy.Config) { c.TLS = proxy.TLSConfig{Mode: "allow", Cert: cert, Key: key} })
	startup := packet(3<<16, "user\x00postgres\x00database\x00"+sampleDB(t)+"\x00\x00")
	tests := []struct {
		name    string
		bench   *bench
		packets [][]byte
		answers string // of the requests for encryption
		then    string // what the startup packet gets: R, E, or nothing but the end
	}{
		{"plain", plain, [][]byte{startup}, "", "R"},
		{"gss then ssl", plain, [][]byte{packet(gssCode, ""), packet(sslCode, ""), startup}, "NN", "R"},
		{"ssl then gss", plain, [][]byte{packet(sslCode, ""), packet(gssCode, ""), startup}, "NN", "R"},
		{"gss, tls is on", secure, [][]byte{packet(gssCode, ""), startup}, "N", "R"},
		{"ssl twice", plain, [][]byte{packet(sslCode, ""), packet(sslCode, "")}, "N", "E"},
		{"gss twice", plain, [][]byte{packet(gssCode, ""), packet(gssCode, "")}, "N", "E"},
		{"too long", plain, [][]byte{{0, 0, 0x27, 0x15, 0, 3, 0, 0}}, "", ""},
		{"too short", plain, [][]byte{{0, 0, 0, 7, 0, 3, 0, 0}}, "", ""},
		{"http", plain, [][]byte{[]byte("GET / HTTP/1.1\r\n\r\n")}, "", ""},
		{"no user", plain, [][]byte{packet(3<<16, "database\x00postgres\x00\x00")}, "", "E"},
		{"2.0", plain, [][]byte{packet(2<<16, strings.Repeat("\x00", 292))}, "", "E"},
		{"3.9999", plain, [][]byte{packet(3<<16|9999, "user\x00postgres\x00database\x00"+sampleDB(t)+"\x00_pq_.test\x00x\x00\x00")}, "", "v"},
	}
	for _, tt := range tests {
		for _, size := range []int{1, 3, 1000} {
			t.Run(fmt.Sprintf("%s in pieces of %d", tt.name, size), func(t *testing.T) {
				conn, err := net.Dial("tcp", tt.bench.addr)
				if err != nil {
					t.Fatal(err)
				}
				defer conn.Close()
				_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
				answers := ""
				for i, p := range tt.packets {
					for len(p) > 0 {
						n := min(size, len(p))
						if _, err := conn.Write(p[:n]); err != nil {
							break
						}
						p = p[n:]
					}
					if i < len(tt.answers) {
						var b [1]byte
						if _, err := io.ReadFull(conn, b[:]); err != nil {
							t.Fatal(err)
						}
						answers += string(b[:])
					}
				}
				var first [1]byte
				if _, err := io.ReadFull(conn, first[:]); tt.then == "" && err != nil && !os.IsTimeout(err) && answers == tt.answers {
					return
				} else if err != nil {
					t.Fatal(err)
				}
				if answers != tt.answers || string(first[:]) != tt.then {
					t.Fatalf("answers %q, then %q; want %q, %q", answers, first, tt.answers, tt.then)
				}
			})
		}
	}
}

func TestTLS_Cancel(t *testing.T) {
	ca := newAuthority(t)
	cert, key := ca.issue(t, "askpg")
	b := start(t, func(c *proxy.Config) { c.TLS = proxy.TLSConfig{Mode: "allow", Cert: cert, Key: key} })
	f := dial(t, b.addr, sampleDB(t))
	f.send(query("-- ask: wait"))
	<-b.fake.started
	conn, err := net.Dial("tcp", b.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	askTLS(t, conn)
	c := tls.Client(conn, &tls.Config{RootCAs: ca.pool(), ServerName: "localhost"})
	m, _ := (&pgproto3.CancelRequest{ProcessID: f.pid, SecretKey: f.key}).Encode(nil)
	if _, err := c.Write(m); err != nil {
		t.Fatal(err)
	}
	if got := f.trace(1); got != cancelled+"\nZ I" {
		t.Fatal(got)
	}
}

func TestTLS_ReloadAndClientCertificates(t *testing.T) {
	ca, other := newAuthority(t), newAuthority(t)
	cert, key := ca.issue(t, "first")
	b := start(t, func(c *proxy.Config) { c.TLS = proxy.TLSConfig{Mode: "require", Cert: cert, Key: key} })
	peer := func(certs ...tls.Certificate) (string, error) {
		conn, err := net.Dial("tcp", b.addr)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		askTLS(t, conn)
		c := tls.Client(conn, &tls.Config{RootCAs: ca.pool(), ServerName: "localhost", Certificates: certs})
		if err := c.Handshake(); err != nil {
			return "", err
		}
		if _, err := c.Write(packet(3<<16, "user\x00postgres\x00database\x00postgres\x00\x00")); err != nil {
			return "", err
		}
		if _, err := c.Read(make([]byte, 1)); err != nil {
			return "", err
		}
		return c.ConnectionState().PeerCertificates[0].Subject.CommonName, nil
	}
	if name, err := peer(); name != "first" {
		t.Fatalf("%q, %v", name, err)
	}
	cfg := b.config
	cfg.TLS.Cert, cfg.TLS.Key = ca.issue(t, "second")
	cfg.TLS.ClientCA = ca.file
	if err := b.Reload(cfg); err != nil {
		t.Fatal(err)
	}
	load := func(a *authority) tls.Certificate {
		pair, err := tls.LoadX509KeyPair(a.issue(t, "client"))
		if err != nil {
			t.Fatal(err)
		}
		return pair
	}
	if name, err := peer(load(ca)); name != "second" {
		t.Fatalf("%q, %v", name, err)
	}
	if _, err := peer(); err == nil {
		t.Fatal("a client without a certificate was accepted")
	}
	if _, err := peer(load(other)); err == nil {
		t.Fatal("a client with a foreign certificate was accepted")
	}
	cfg.TLS.Cert = "/nonexistent"
	if err := b.Reload(cfg); err == nil {
		t.Fatal("a reload with a missing file succeeded")
	}
	if name, err := peer(load(ca)); name != "second" {
		t.Fatalf("after a failed reload: %q, %v", name, err)
	}
}

// Port scanners and health checks open connections and say nothing.
func TestStartup_Scanner(t *testing.T) {
	b := start(t, nil)
	for range 50 {
		conn, err := net.Dial("tcp", b.addr)
		if err != nil {
			t.Fatal(err)
		}
		conn.Close()
	}
	b.connect(t)
}

func TestStartup_UnixSocket(t *testing.T) {
	dir := t.TempDir()
	b := start(t, func(c *proxy.Config) { c.Listen.Address = "unix:" + dir + ":6432" })
	conn, err := pgx.Connect(within(t), fmt.Sprintf("host=%s port=6432 user=postgres database=%s", dir, sampleDB(t)))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(within(t))
	var n int
	if err := conn.QueryRow(within(t), "-- ask: how many customers").Scan(&n); err != nil || n != 100 {
		t.Fatalf("%d, %v", n, err)
	}
	if a := b.fake.asked()[0].Client.Address; a != "unix" {
		t.Fatalf("client address %q", a)
	}
}

// Errors of the server's own keep their code: some drivers rely on it.
func TestStartup_ErrorsOfTheServer(t *testing.T) {
	b := start(t, nil)
	_, err := pgconn.Connect(within(t), b.url("nosuch"))
	var e *pgconn.PgError
	if !errors.As(err, &e) || e.Code != "3D000" {
		t.Fatalf("got %v", err)
	}
}
