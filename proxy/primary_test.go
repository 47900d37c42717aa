package proxy_test

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"askpg/internal/pgtest"
	"askpg/proxy"
)

// With every sslmode the connection to the server is encrypted as libpq's
// would be, also where pg_hba.conf wants one kind only.
func TestPrimary_SSLMode(t *testing.T) {
	ca := newAuthority(t)
	cluster := secureCluster(t, ca, "hostnossl all only_ssl all reject", "hostssl all only_plain all reject")
	admin := cluster.Primary.URL(pgtest.Superuser, "postgres")
	for _, role := range []string{"any_way", "only_ssl", "only_plain"} {
		pgtest.Exec(t, admin, "create role "+role+" login")
	}
	for mode, want := range map[string]map[string]string{ // what pg_stat_ssl says, or the error
		"disable":     {"any_way": "f", "only_plain": "f", "only_ssl": "28000"},
		"allow":       {"any_way": "f", "only_plain": "f", "only_ssl": "t"},
		"prefer":      {"any_way": "t", "only_plain": "f", "only_ssl": "t"},
		"require":     {"any_way": "t", "only_plain": "28000", "only_ssl": "t"},
		"verify-ca":   {"any_way": "t", "only_plain": "28000", "only_ssl": "t"},
		"verify-full": {"any_way": "t", "only_plain": "28000", "only_ssl": "t"},
	} {
		b := start(t, func(c *proxy.Config) {
			c.Primary.Address, c.Primary.SSLMode, c.Primary.RootCert = cluster.Primary.Address(), mode, ca.file
		})
		for role, want := range want {
			for _, replication := range []string{"", "&replication=database"} {
				t.Run(mode+" "+role+replication, func(t *testing.T) {
					if replication != "" {
						pgtest.Exec(t, admin, "alter role "+role+" replication")
					}
					conn, err := pgconn.Connect(within(t), fmt.Sprintf("postgres://%s@%s/postgres?sslmode=disable%s", role, b.addr, replication))
					if e, ok := errors.AsType[*pgconn.PgError](err); ok {
						if e.Code != want {
							t.Fatal(err)
						}
						return
					}
					if err != nil {
						t.Fatal(err)
					}
					defer conn.Close(within(t))
					r, err := conn.Exec(within(t), "select ssl from pg_stat_ssl where pid = pg_backend_pid()").ReadAll()
					if err != nil || string(r[0].Rows[0][0]) != want {
						t.Fatalf("%v, %v; want %s", r, err, want)
					}
				})
			}
		}
	}
}

// With sslnegotiation = direct the handshake comes first. Servers before
// PostgreSQL 17 don't know it: in front of one, something else ends TLS.
func TestPrimary_Direct(t *testing.T) {
	ca := newAuthority(t)
	cluster := secureCluster(t, ca)
	cert, key := ca.issue(t, "front")
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		t.Fatal(err)
	}
	front := func(protocols ...string) string {
		l, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{pair}, NextProtos: protocols})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
		go acceptEach(l, func(c net.Conn) {
			s, err := net.Dial("tcp", cluster.Primary.Address())
			if err != nil {
				return
			}
			defer s.Close()
			go func() { _, _ = io.Copy(s, c); s.Close() }()
			_, _ = io.Copy(c, s)
		})
		return l.Addr().String()
	}
	connect := func(address string) (string, error) {
		b := start(t, func(c *proxy.Config) {
			c.Primary.Address, c.Primary.SSLMode, c.Primary.SSLNegotiation, c.Primary.RootCert = address, "verify-full", "direct", ca.file
		})
		conn, err := pgx.Connect(within(t), fmt.Sprintf("postgres://trust_role@%s/postgres?sslmode=disable", b.addr))
		if err != nil {
			return "", err
		}
		defer conn.Close(within(t))
		var who string
		err = conn.QueryRow(within(t), "select session_user").Scan(&who)
		return who, err
	}
	if who, err := connect(front("postgresql")); who != "trust_role" {
		t.Fatal(err)
	}
	if _, err := connect(front()); err == nil || !strings.Contains(err.Error(), "08006") {
		t.Fatalf("without ALPN: %v", err)
	}
	conn, err := pgx.Connect(within(t), cluster.Primary.URL(pgtest.Superuser, "postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(within(t))
	var version string
	if err := conn.QueryRow(within(t), "show server_version_num").Scan(&version); err != nil {
		t.Fatal(err)
	}
	number, _ := strconv.Atoi(version)
	who, err := connect(cluster.Primary.Address())
	if number >= 170000 && who != "trust_role" || number < 170000 && err == nil {
		t.Fatalf("directly, server %d: %q, %v", number, who, err)
	}
}
