package proxy_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"askpg/internal/pgtest"
	"askpg/proxy"
)

// secureCluster is a server with TLS and with a role for each method of
// authentication.
func secureCluster(t *testing.T, ca *authority, hba ...string) *pgtest.Cluster {
	t.Helper()
	c := pgtest.NewCluster(t, pgtest.Options{NoStandby: true, HBA: append(hba,
		"host all scram_role all scram-sha-256", "host all md5_role all md5", "host all clear_role all password",
		"hostssl all cert_role all cert", "host all cert_role all reject", "host all nobody all reject",
	)})
	cert, key := ca.issue(t, "server")
	for name, path := range map[string]string{"server.crt": cert, "server.key": key, "root.crt": ca.file} {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		target := filepath.Join(c.Primary.Dir, name)
		if err := os.WriteFile(target, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if fi, err := os.Stat(c.Primary.Dir); err == nil {
			chownLike(t, target, fi)
		}
	}
	url := c.Primary.URL(pgtest.Superuser, "postgres")
	pgtest.Exec(t, url, "alter system set ssl = on")
	pgtest.Exec(t, url, "alter system set ssl_ca_file = 'root.crt'")
	pgtest.Exec(t, url, "alter system set password_encryption = 'scram-sha-256'") // PostgreSQL 12 and 13 say md5
	pgtest.Exec(t, url, "select pg_reload_conf()")
	pgtest.Exec(t, url, `set password_encryption = 'scram-sha-256'; create role scram_role login password 'secret'; set password_encryption = 'md5'; create role md5_role login password 'secret';
		create role clear_role login password 'secret'; create role cert_role login; create role trust_role login`)
	for ctx := within(t); ; time.Sleep(10 * time.Millisecond) {
		conn, err := pgx.Connect(ctx, strings.Replace(url, "sslmode=disable", "sslmode=require", 1))
		if err == nil {
			conn.Close(ctx)
			return c
		}
		if ctx.Err() != nil {
			t.Fatal(err)
		}
	}
}

// Every method of authentication, with and without TLS on either side, with
// every channel binding: the login works, or the error says why it can't.
func TestMatrix_Authentication(t *testing.T) {
	ca := newAuthority(t)
	cluster := secureCluster(t, ca)
	cert, key := ca.issue(t, "askpg")
	serverCert, serverKey := filepath.Join(cluster.Primary.Dir, "server.crt"), filepath.Join(cluster.Primary.Dir, "server.key")
	clientCert, clientKey := ca.issue(t, "cert_role")

	for _, server := range []string{"disable", "require", "verify-ca", "verify-full"} {
		for _, shown := range []string{"own", "server's"} {
			b := start(t, func(c *proxy.Config) {
				c.Primary.Address = cluster.Primary.Address()
				c.Primary.SSLMode = server
				c.Primary.RootCert = ca.file
				c.TLS = proxy.TLSConfig{Mode: "allow", Cert: cert, Key: key}
				if shown == "server's" {
					c.TLS.Cert, c.TLS.Key = serverCert, serverKey
				}
			})
			for _, client := range []string{"disable", "verify-full"} {
				for _, binding := range []string{"disable", "prefer", "require"} {
					for _, role := range []string{"trust_role", "scram_role", "md5_role", "clear_role"} {
						name := fmt.Sprintf("server %s, certificate %s, client %s, binding %s, %s", server, shown, client, binding, role)
						secureServer := server != "disable"
						secureClient := client != "disable"
						want := ""
						switch {
						case binding == "require" && (role != "scram_role" || !secureClient || !secureServer):
							want = "client" // the client itself gives up
						case role == "scram_role" && secureClient && secureServer && binding != "disable" && shown == "own":
							want = "28000"
						}
						t.Run(name, func(t *testing.T) {
							url := fmt.Sprintf("postgres://%s:secret@%s/postgres?sslmode=%s&channel_binding=%s&sslrootcert=%s", role, b.addr, client, binding, ca.file)
							conn, err := pgx.Connect(within(t), url)
							if err == nil {
								defer conn.Close(within(t))
								var who string
								if err := conn.QueryRow(within(t), "select current_user").Scan(&who); err != nil || who != role {
									t.Fatalf("%s, %v", who, err)
								}
							}
							var e *pgconn.PgError
							switch {
							case want == "" && err != nil:
								t.Fatal(err)
							case want != "" && err == nil:
								t.Fatal("the login worked")
							case want == "28000" && (!errors.As(err, &e) || e.Code != want || !strings.Contains(e.Hint, "channel_binding=disable")):
								t.Fatal(err)
							}
						})
					}
				}
			}
		}
	}

	t.Run("client certificate of askpg", func(t *testing.T) {
		b := start(t, func(c *proxy.Config) {
			c.Primary.Address, c.Primary.SSLMode, c.Primary.RootCert = cluster.Primary.Address(), "verify-full", ca.file
			c.Primary.Cert, c.Primary.Key = clientCert, clientKey
		})
		conn, err := pgx.Connect(within(t), fmt.Sprintf("postgres://cert_role@%s/postgres?sslmode=disable", b.addr))
		if err != nil {
			t.Fatal(err)
		}
		conn.Close(within(t))
	})
	t.Run("server of another authority", func(t *testing.T) {
		b := start(t, func(c *proxy.Config) {
			c.Primary.Address, c.Primary.SSLMode, c.Primary.RootCert = cluster.Primary.Address(), "verify-full", newAuthority(t).file
		})
		_, err := pgx.Connect(within(t), fmt.Sprintf("postgres://trust_role@%s/postgres?sslmode=disable", b.addr))
		var e *pgconn.PgError
		if !errors.As(err, &e) || e.Code != "08006" || !strings.Contains(e.Detail, "certificate") {
			t.Fatal(err)
		}
	})
	t.Run("errors before login", func(t *testing.T) {
		b := start(t, func(c *proxy.Config) { c.Primary.Address = cluster.Primary.Address() })
		for role, code := range map[string]string{"scram_role:wrong": "28P01", "md5_role:wrong": "28P01", "nobody:x": "28000"} {
			_, err := pgx.Connect(within(t), fmt.Sprintf("postgres://%s@%s/postgres?sslmode=disable", role, b.addr))
			var e *pgconn.PgError
			if !errors.As(err, &e) || e.Code != code {
				t.Fatalf("%s: %v", role, err)
			}
		}
	})
	t.Run("server without TLS", func(t *testing.T) {
		b := start(t, func(c *proxy.Config) { c.Primary.SSLMode = "require" })
		_, err := pgx.Connect(within(t), b.url("postgres"))
		var e *pgconn.PgError
		if !errors.As(err, &e) || e.Code != "08006" || !strings.Contains(e.Detail, "does not offer TLS") {
			t.Fatal(err)
		}
	})
}
