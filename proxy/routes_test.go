package proxy_test

import (
	"crypto/tls"
	"fmt"
	"net"
	"sync/atomic"
	"testing"

	"askpg/internal/pgtest"
	"askpg/proxy"
)

// route is a way through askpg: what relays, and which connections have TLS.
type route struct {
	name           string
	loops          int
	client, server bool // TLS from clients, to the server
	pieces         int  // what clients write at once within TLS, if not 0
}

var routes = []route{
	{"event loop", 1, false, false, 0},
	{"goroutines", 0, false, false, 0},
	{"TLS from clients", 1, true, false, 0},
	{"TLS to the server", 1, false, true, 0},
	{"TLS on both sides", 1, true, true, 0},
}

// site is a server with TLS and the sample database, and certificates for
// whoever stands before it.
type site struct {
	ca        *authority
	cert, key string
	cluster   *pgtest.Cluster
	databases atomic.Int32 // made by newDatabase
}

// newSite starts a server for one test, which may end it.
func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{ca: newAuthority(t)}
	s.cert, s.key = s.ca.issue(t, "askpg")
	s.cluster = secureCluster(t, s.ca)
	database := sampleDB(t)
	pgtest.Exec(t, s.cluster.Primary.URL(pgtest.Superuser, "postgres"), "create database "+database)
	pgtest.Exec(t, s.cluster.Primary.URL(pgtest.Superuser, database), sampleScript)
	return s
}

// start starts askpg before the site's server.
func (l route) start(t *testing.T, s *site, change func(*proxy.Config)) *bench {
	t.Helper()
	b := start(t, func(c *proxy.Config) {
		c.Primary.Address, c.Primary.SSLMode = s.cluster.Primary.Address(), "disable"
		l.configure(s, c)
		if change != nil {
			change(c)
		}
	})
	b.cluster, b.route = s.cluster, l
	return b
}

func (l route) configure(s *site, c *proxy.Config) {
	c.Listen.EventLoops = l.loops
	if l.client {
		c.TLS = proxy.TLSConfig{Mode: "require", Cert: s.cert, Key: s.key}
	}
	if l.server {
		c.Primary.SSLMode = "require"
	}
}

// dial logs in at an address by the route's client side.
func (l route) dial(t testing.TB, addr, database string) *frontend {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	return login(t, l.secure(t, conn), database)
}

// secure makes a connection one with TLS, if the route's clients have it.
func (l route) secure(t testing.TB, conn net.Conn) net.Conn {
	t.Helper()
	if !l.client {
		return conn
	}
	askTLS(t, conn)
	conn = tls.Client(conn, &tls.Config{InsecureSkipVerify: true}) // askpg's own certificate, which TestTLS_Client verifies
	if l.pieces > 0 {
		return &pieces{conn, l.pieces}
	}
	return conn
}

// vanish ends a connection as the end of a client's process does: without a
// word on any layer but TCP's.
func vanish(f *frontend) {
	if c, ok := f.conn.(*tls.Conn); ok {
		c.NetConn().Close()
		return
	}
	f.conn.Close()
}

// everyRoute repeats a test on each way through askpg, before one server.
func everyRoute(t *testing.T, f func(t *testing.T, l route, s *site)) {
	t.Helper()
	s := newSite(t)
	for _, l := range routes {
		t.Run(l.name, func(t *testing.T) { f(t, l, s) })
	}
}

// newDatabase makes a database on the site's server, which lasts as long as that.
func (s *site) newDatabase(t *testing.T, script string) string {
	t.Helper()
	name := fmt.Sprintf("made_%d", s.databases.Add(1))
	pgtest.Exec(t, s.cluster.Primary.URL(pgtest.Superuser, "postgres"), "create database "+name)
	if script != "" {
		pgtest.Exec(t, s.cluster.Primary.URL(pgtest.Superuser, name), script)
	}
	return name
}
