package proxy_test

import (
	"crypto/tls"
	"encoding/binary"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgproto3/v2"

	"askpg/proxy"
)

func proxyV2(command, family byte, body string) string {
	b := append([]byte("\r\n\r\n\x00\r\nQUIT\n"), command, family, 0, 0)
	binary.BigEndian.PutUint16(b[14:], uint16(len(body)))
	return string(b) + body
}

// dialWith connects and sends something before the startup packet.
func dialWith(t *testing.T, addr, first string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(30 * time.Second))
	if _, err := conn.Write([]byte(first)); err != nil {
		t.Fatal(err)
	}
	return conn
}

// refusal reads the error that a connection is refused with.
func refusal(t *testing.T, conn net.Conn) *pgproto3.ErrorResponse {
	t.Helper()
	f := pgproto3.NewFrontend(pgproto3.NewChunkReader(conn), conn)
	m, err := f.Receive()
	if err != nil {
		t.Fatal(err)
	}
	e, ok := m.(*pgproto3.ErrorResponse)
	if !ok {
		t.Fatalf("%T", m)
	}
	return e
}

const proxyV1 = "PROXY TCP4 192.0.2.1 10.0.0.1 4660 5432\r\n"

func TestProxyProtocol(t *testing.T) {
	ca := newAuthority(t)
	cert, key := ca.issue(t, "askpg")
	b := start(t, func(c *proxy.Config) {
		c.Listen.ProxyNetworks = []string{"10.0.0.0/8", "127.0.0.0/8"}
		c.Listen.ApplicationNameAddAddress = true
		c.TLS = proxy.TLSConfig{Mode: "allow", Cert: cert, Key: key}
	})
	tcp6 := "\x20\x01\x0d\xb8" + strings.Repeat("\x00", 11) + "\x01" + strings.Repeat("\x00", 16) + "\x12\x34\x15\x38"
	for name, tt := range map[string]struct{ header, address string }{
		"v1":         {proxyV1, "192.0.2.1:4660"},
		"v1 unknown": {"PROXY UNKNOWN\r\n", "127.0.0.1:"},
		"v2 IPv4":    {proxyV2(0x21, 0x11, "\xc0\x00\x02\x01\x0a\x00\x00\x01\x12\x34\x15\x38"), "192.0.2.1:4660"},
		"v2 IPv6":    {proxyV2(0x21, 0x21, tcp6), "[2001:db8::1]:4660"},
		"v2 local":   {proxyV2(0x20, 0, ""), "127.0.0.1:"},
	} {
		for _, encryption := range []string{"none", "negotiated", "direct"} {
			t.Run(name+", TLS "+encryption, func(t *testing.T) {
				conn := dialWith(t, b.addr, tt.header)
				if encryption == "negotiated" {
					askTLS(t, conn)
				}
				if encryption != "none" {
					conn = tls.Client(conn, &tls.Config{RootCAs: ca.pool(), ServerName: "localhost", NextProtos: []string{"postgresql"}})
				}
				f := login(t, conn, sampleDB(t))
				if got := f.talk("select current_setting('application_name')"); !strings.Contains(got, "D \""+tt.address) {
					t.Fatal(got)
				}
				f.talk("-- ask: how many customers")
				asked := b.fake.asked()
				if got := asked[len(asked)-1].Client.Address; !strings.HasPrefix(got, tt.address) {
					t.Fatal(got)
				}
			})
		}
	}
	t.Run("in pieces", func(t *testing.T) {
		conn := dialWith(t, b.addr, "")
		for _, c := range []byte(proxyV1) {
			if _, err := conn.Write([]byte{c}); err != nil {
				t.Fatal(err)
			}
		}
		login(t, conn, sampleDB(t))
	})
	t.Run("cancel", func(t *testing.T) {
		f := login(t, dialWith(t, b.addr, proxyV1), sampleDB(t))
		for len(b.fake.started) > 0 {
			<-b.fake.started
		}
		f.send(query("-- ask: wait"))
		<-b.fake.started
		m, _ := (&pgproto3.CancelRequest{ProcessID: f.pid, SecretKey: f.key}).Encode(nil)
		dialWith(t, b.addr, proxyV1+string(m))
		if got := f.trace(1); got != cancelled+"\nZ I" {
			t.Fatal(got)
		}
	})
	for name, tt := range map[string]struct{ first, want string }{
		"no header":      {string(packet(3<<16, "user\x00postgres\x00\x00")), "no PROXY header"},
		"broken v1":      {"PROXY TCP4 nobody 10.0.0.1 4660 5432\r\n", "address"},
		"endless v1":     {"PROXY " + strings.Repeat("x", 200), "no line"},
		"broken v2":      {"\r\n\r\n\x00\r\nQUIX\n0123", "signature"},
		"two headers":    {proxyV1 + proxyV1, "not accepted from here"},
		"before the TLS": {proxyV1 + "\x00\x00\x00\x08\x04\xd2\x16\x2f", ""}, // no error: S
	} {
		t.Run(name, func(t *testing.T) {
			conn := dialWith(t, b.addr, tt.first)
			if tt.want == "" {
				var s [1]byte
				if _, err := conn.Read(s[:]); err != nil || s[0] != 'S' {
					t.Fatalf("%q, %v", s, err)
				}
				return
			}
			if e := refusal(t, conn); e.Code != "08P01" || !strings.Contains(e.Message, tt.want) || e.Hint == "" {
				t.Fatalf("%+v", e)
			}
		})
	}
}

// Who is not trusted can't tell askpg another address.
func TestProxyProtocol_Untrusted(t *testing.T) {
	b := start(t, func(c *proxy.Config) { c.Listen.ProxyNetworks = []string{"192.0.2.7"} })
	for name, header := range map[string]string{"v1": proxyV1, "v2": proxyV2(0x21, 0x11, "\xc0\x00\x02\x01\x0a\x00\x00\x01\x12\x34\x15\x38")} {
		t.Run(name, func(t *testing.T) {
			conn := dialWith(t, b.addr, header+string(packet(3<<16, "user\x00postgres\x00\x00")))
			if e := refusal(t, conn); e.Code != "08P01" || !strings.Contains(e.Detail, "127.0.0.1") || !strings.Contains(e.Hint, "listen.proxy_networks") {
				t.Fatalf("%+v", e)
			}
		})
	}
	b.connect(t)
}

// The address is added to the application name, of which PostgreSQL keeps 63 bytes.
func TestApplicationName_Address(t *testing.T) {
	b := start(t, func(c *proxy.Config) { c.Listen.ApplicationNameAddAddress = true })
	for name, want := range map[string]string{"": "127.0.0.1:", "psql": "psql - 127.0.0.1:", strings.Repeat("x", 63): strings.Repeat("x", 40)} {
		conn := dialWith(t, b.addr, "")
		f := &frontend{t: t, conn: conn, Frontend: pgproto3.NewFrontend(pgproto3.NewChunkReader(conn), conn)}
		f.send(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersionNumber, Parameters: map[string]string{"user": "postgres", "database": "postgres", "application_name": name}})
		f.trace(1)
		got := f.talk("select current_setting('application_name')")
		if !strings.Contains(got, "D \""+want) || !strings.Contains(got, fmt.Sprint(conn.LocalAddr())) {
			t.Fatalf("%q: %s", name, got)
		}
	}
}

// Which connections begin with a header depends on where they come from, however
// the listener shows it.
func TestProxyProtocol_Networks(t *testing.T) {
	dir := t.TempDir()
	unix := func(t *testing.T, network string) (net.Conn, *bench) {
		b := start(t, func(c *proxy.Config) {
			c.Listen.Address = "unix:" + dir + ":6432"
			c.Listen.ProxyNetworks = []string{network}
		})
		conn, err := net.Dial("unix", dir+"/.s.PGSQL.6432")
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.SetDeadline(time.Now().Add(30 * time.Second))
		return conn, b
	}
	t.Run("Unix socket", func(t *testing.T) {
		conn, b := unix(t, "unix")
		if _, err := conn.Write([]byte(proxyV1)); err != nil {
			t.Fatal(err)
		}
		f := login(t, conn, sampleDB(t))
		f.talk("-- ask: how many customers")
		if got := b.fake.asked()[0].Client.Address; got != "192.0.2.1:4660" {
			t.Fatal(got)
		}
	})
	t.Run("Unix socket that is not named", func(t *testing.T) {
		conn, _ := unix(t, "0.0.0.0/0")
		login(t, conn, sampleDB(t))
	})
	t.Run("IPv4 at a listener for both", func(t *testing.T) {
		probe, err := net.Listen("tcp", "[::]:0")
		if err != nil {
			t.Skipf("no IPv6 here: %v", err)
		}
		probe.Close()
		b := start(t, func(c *proxy.Config) {
			c.Listen.Address = "[::]:0"
			c.Listen.ProxyNetworks = []string{"127.0.0.0/8"}
		})
		_, port, err := net.SplitHostPort(b.addr)
		if err != nil {
			t.Fatal(err)
		}
		login(t, dialWith(t, "127.0.0.1:"+port, proxyV1), sampleDB(t))
	})
}

func TestProxyProtocol_Settings(t *testing.T) {
	for text, ok := range map[string]bool{"10.0.0.0/8": true, "::1": true, "unix": true, "2001:db8::/32": true, "10.0.0.0/33": false, "balancer": false} {
		c := proxy.DefaultConfig()
		c.Listen.ProxyNetworks = []string{text}
		if err := c.Validate(); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
}
