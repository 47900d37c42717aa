package proxy_test

import (
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgproto3/v2"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/proxy"
)

// scramBench is askpg before a server with TLS, verifying clients itself.
func scramBench(t *testing.T, cluster *pgtest.Cluster, change func(*proxy.Config)) *bench {
	t.Helper()
	return start(t, func(c *proxy.Config) {
		c.Primary.Address = cluster.Primary.Address()
		c.Auth.Method = "scram"
		c.Auth.QueryURL = cluster.Primary.URL(pgtest.Superuser, "postgres")
		c.Auth.Cache = ask.Duration(time.Hour)
		if change != nil {
			change(c)
		}
	})
}

// loginAs connects and says as whom; the error is the server's or askpg's.
type loginAs func(t *testing.T, addr, user, password string, options url.Values) (who string, err error)

func loginByPGX(t *testing.T, addr, user, password string, options url.Values) (who string, err error) {
	u := url.URL{Scheme: "postgres", User: url.UserPassword(user, password), Host: addr, Path: "/postgres", RawQuery: options.Encode()}
	conn, err := pgx.Connect(within(t), u.String())
	if err != nil {
		return "", err
	}
	defer conn.Close(within(t))
	err = conn.QueryRow(within(t), "select session_user").Scan(&who)
	return who, err
}

func loginByPsql(t *testing.T, addr, user, password string, options url.Values) (who string, err error) {
	u := url.URL{Scheme: "postgres", User: url.User(user), Host: addr, Path: "/postgres", RawQuery: options.Encode()}
	cmd := exec.CommandContext(within(t), "psql", "-XAtw", "-v", "VERBOSITY=verbose", "-d", u.String(), "-c", "select session_user")
	cmd.Env = append(os.Environ(), "PGPASSWORD="+password)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%w: %s", err, stderr.String())
	}
	return strings.TrimSpace(stdout.String()), nil
}

func needPsql(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("psql"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("psql is missing")
		}
		t.Skip("psql is not installed")
	}
}

// Every method of the server's, with and without TLS on either side, with
// every channel binding, by libpq and by pgx, where askpg verifies the client:
// the client is logged in as itself, or the error says why not.
func TestScram_Matrix(t *testing.T) {
	needPsql(t)
	ca := newAuthority(t)
	cluster := secureCluster(t, ca)
	cert, key := ca.issue(t, "askpg")
	pgtest.Exec(t, cluster.Primary.URL(pgtest.Superuser, "postgres"), "create role trusted_role login password 'secret'")
	roles := map[string]string{ // and the SQLSTATE that the login ends with
		"scram_role":   "",
		"trusted_role": "",      // the server trusts askpg
		"md5_role":     "28000", // askpg has no password to make an MD5 hash of
		"clear_role":   "28000", // nor one to show
		"trust_role":   "28P01", // has no password
		"nosuch_role":  "28P01",
	}
	for _, setup := range []struct {
		server string
		reuse  bool
	}{{"disable", false}, {"verify-full", false}, {"disable", true}, {"verify-full", true}} {
		server := setup.server
		b := scramBench(t, cluster, func(c *proxy.Config) {
			c.Primary.SSLMode, c.Primary.RootCert, c.Primary.Reuse = server, ca.file, setup.reuse
			c.TLS = proxy.TLSConfig{Mode: "allow", Cert: cert, Key: key}
		})
		for _, client := range []string{"disable", "verify-full"} {
			for _, binding := range []string{"disable", "prefer", "require"} {
				for role, want := range roles {
					for name, login := range map[string]loginAs{"pgx": loginByPGX, "psql": loginByPsql} {
						if binding == "require" && (client == "disable" || want == "28000") {
							want = "client" // gives up itself
						}
						if setup.reuse && name == "psql" {
							continue
						}
						t.Run(fmt.Sprintf("server %s, reuse %v, client %s, binding %s, %s, %s", server, setup.reuse, client, binding, role, name), func(t *testing.T) {
							options := url.Values{"sslmode": {client}, "channel_binding": {binding}, "sslrootcert": {ca.file}}
							who, err := login(t, b.addr, role, "secret", options)
							switch {
							case want == "" && (err != nil || who != role):
								t.Fatal(who, err)
							case want != "" && err == nil:
								t.Fatal("the login worked")
							case want == "28000":
								if !strings.Contains(err.Error(), "askpg can't log in to the server") {
									t.Fatal(err)
								}
							case want == "28P01":
								if !strings.Contains(err.Error(), "password authentication failed") {
									t.Fatal(err)
								}
							}
							if want == "" {
								if _, err := login(t, b.addr, role, "wrong", options); err == nil || !strings.Contains(err.Error(), "password authentication failed") {
									t.Fatalf("with a wrong password: %v", err)
								}
							}
						})
					}
				}
			}
		}
	}
}

func TestScram_Sessions(t *testing.T) {
	ca := newAuthority(t)
	cluster := secureCluster(t, ca)
	cert, key := ca.issue(t, "askpg")
	admin := cluster.Primary.URL(pgtest.Superuser, "postgres")
	b := scramBench(t, cluster, func(c *proxy.Config) { c.TLS = proxy.TLSConfig{Mode: "allow", Cert: cert, Key: key} })
	plain := url.Values{"sslmode": {"disable"}}

	t.Run("hint", func(t *testing.T) {
		_, err := loginByPGX(t, b.addr, "md5_role", "secret", plain)
		var e *pgconn.PgError
		if !errors.As(err, &e) || e.Code != "28000" || !strings.Contains(e.Hint, "scram-sha-256") || !strings.Contains(e.Detail, "MD5") {
			t.Fatal(err)
		}
	})
	t.Run("everybody who is turned away hears the same", func(t *testing.T) {
		var said []string
		for _, user := range []string{"scram_role", "nosuch_role", "trust_role", "trusted\x22role"} {
			_, err := loginByPGX(t, b.addr, user, "wrong", plain)
			var e *pgconn.PgError
			if !errors.As(err, &e) {
				t.Fatal(err)
			}
			said = append(said, strings.ReplaceAll(fmt.Sprintf("%s %s %s %s", e.Code, e.Message, e.Detail, e.Hint), fmt.Sprintf("%q", user), "USER"))
		}
		for _, s := range said {
			if s != said[0] {
				t.Fatalf("%q\n%q", s, said[0])
			}
		}
	})
	t.Run("a changed password holds at once", func(t *testing.T) {
		if _, err := loginByPGX(t, b.addr, "scram_role", "secret", plain); err != nil {
			t.Fatal(err)
		}
		pgtest.Exec(t, admin, "alter role scram_role password 'changed'")
		defer pgtest.Exec(t, admin, "alter role scram_role password 'secret'")
		if _, err := loginByPGX(t, b.addr, "scram_role", "changed", plain); err != nil {
			t.Fatal(err)
		}
		if _, err := loginByPGX(t, b.addr, "scram_role", "secret", plain); err == nil {
			t.Fatal("the old password still works")
		}
	})
	t.Run("valid until", func(t *testing.T) {
		pgtest.Exec(t, admin, "create role late_role login password 'secret' valid until '2001-01-01'")
		if _, err := loginByPGX(t, b.addr, "late_role", "secret", plain); err == nil || !strings.Contains(err.Error(), "28P01") {
			t.Fatal(err)
		}
	})
	t.Run("the function of the documentation", func(t *testing.T) {
		text, err := os.ReadFile("../docs/wire.md")
		if err != nil {
			t.Fatal(err)
		}
		_, sql, _ := strings.Cut(string(text), "```sql\n")
		sql, _, _ = strings.Cut(sql, "```")
		pgtest.Exec(t, admin, sql)
		b := scramBench(t, cluster, func(c *proxy.Config) {
			c.Auth.QueryURL = cluster.Primary.URL("askpg_auth", "postgres")
			c.Auth.Query = "SELECT * FROM public.askpg_secret($1)"
		})
		if err := b.CheckAuth(within(t)); err != nil {
			t.Fatal(err)
		}
		if who, err := loginByPGX(t, b.addr, "scram_role", "secret", plain); who != "scram_role" {
			t.Fatal(err)
		}
	})
	t.Run("the server's own errors", func(t *testing.T) {
		u := fmt.Sprintf("postgres://scram_role:secret@%s/nosuch?sslmode=disable", b.addr)
		_, err := pgx.Connect(within(t), u)
		var e *pgconn.PgError
		if !errors.As(err, &e) || e.Code != "3D000" {
			t.Fatal(err)
		}
		if _, err := loginByPGX(t, b.addr, "nobody", "secret", plain); err == nil || !strings.Contains(err.Error(), "pg_hba.conf rejects") {
			t.Fatal(err)
		}
	})
	t.Run("prepared passwords", func(t *testing.T) {
		needPsql(t)
		// U+00AD maps to nothing and U+2168 to IX (RFC 4013).
		pgtest.Exec(t, admin, "create role saslprep_role login password E'I\\u00ADX\\u2168'")
		if who, err := loginByPsql(t, b.addr, "saslprep_role", "IXIX", plain); who != "saslprep_role" {
			t.Fatal(err)
		}
	})
	t.Run("a question, replication, cancel", func(t *testing.T) {
		pgtest.Exec(t, admin, "alter role scram_role replication")
		conn, err := pgconn.Connect(within(t), fmt.Sprintf("postgres://scram_role:secret@%s/postgres?sslmode=disable&replication=database", b.addr))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close(within(t))
		if _, err := conn.Exec(within(t), "IDENTIFY_SYSTEM").ReadAll(); err != nil {
			t.Fatal(err)
		}
	})
	t.Run("downgrade", func(t *testing.T) {
		conn, err := net.Dial("tcp", b.addr)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		askTLS(t, conn)
		c := tls.Client(conn, &tls.Config{RootCAs: ca.pool(), ServerName: "localhost"})
		f := &frontend{t: t, conn: c, Frontend: pgproto3.NewFrontend(pgproto3.NewChunkReader(c), c)}
		f.send(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersionNumber, Parameters: map[string]string{"user": "scram_role"}})
		sasl, ok := f.receive().(*pgproto3.AuthenticationSASL)
		if !ok || len(sasl.AuthMechanisms) != 2 || sasl.AuthMechanisms[0] != "SCRAM-SHA-256-PLUS" {
			t.Fatalf("offered: %+v", sasl)
		}
		f.send(&pgproto3.SASLInitialResponse{AuthMechanism: "SCRAM-SHA-256", Data: []byte("y,,n=,r=abc")})
		if got := line(f.receive()); got != "E FATAL 28000 SCRAM channel binding negotiation error" {
			t.Fatal(got)
		}
	})
}

// Messages that break the protocol in the middle of a login.
func TestScram_BrokenClients(t *testing.T) {
	ca := newAuthority(t)
	cluster := secureCluster(t, ca)
	b := scramBench(t, cluster, func(c *proxy.Config) { c.Listen.LoginTimeout = ask.Duration(2 * time.Second) })
	for name, tt := range map[string]struct {
		send []byte
		want string
	}{
		"another message":       {[]byte("Q\x00\x00\x00\x06x\x00"), "E FATAL 08P01 expected SASL response, got message type 81"},
		"too long":              {[]byte("p\x00\x01\x00\x00"), "E FATAL 08P01 invalid SASL message"},
		"no data":               {[]byte("p\x00\x00\x00\x04"), "E FATAL 08P01 invalid SASLInitialResponse"},
		"wrong length":          {[]byte("p\x00\x00\x00\x18SCRAM-SHA-256\x00\x00\x00\x00\x09ab"), "E FATAL 08P01 invalid SASLInitialResponse"},
		"plus without TLS":      {[]byte("p\x00\x00\x00\x1bSCRAM-SHA-256-PLUS\x00\x00\x00\x00\x00"), "E FATAL 08P01 client selected an invalid SASL authentication mechanism"},
		"nothing until late":    {nil, "E FATAL 57014 canceling authentication due to timeout"},
		"no initial, malformed": {[]byte("p\x00\x00\x00\x16SCRAM-SHA-256\x00\xff\xff\xff\xffp\x00\x00\x00\x05x"), "AuthenticationSASLContinue\nE FATAL 08P01 malformed SCRAM message"},
	} {
		t.Run(name, func(t *testing.T) {
			conn, err := net.Dial("tcp", b.addr)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			_ = conn.SetDeadline(time.Now().Add(30 * time.Second))
			f := &frontend{t: t, conn: conn, Frontend: pgproto3.NewFrontend(pgproto3.NewChunkReader(conn), conn)}
			f.send(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersionNumber, Parameters: map[string]string{"user": "scram_role"}})
			f.receive()
			_, _ = conn.Write(tt.send)
			var got []string
			for range strings.Count(tt.want, "\n") + 1 {
				got = append(got, line(f.receive()))
			}
			if strings.Join(got, "\n") != tt.want {
				t.Fatalf("%q", got)
			}
		})
	}
	waitAtMost(t, "sessions", 0, b.Sessions)
}

func TestScram_Userlist(t *testing.T) {
	ca := newAuthority(t)
	cluster := secureCluster(t, ca)
	admin, err := pgx.Connect(within(t), cluster.Primary.URL(pgtest.Superuser, "postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close(within(t))
	var secret string
	if err := admin.QueryRow(within(t), "select rolpassword from pg_authid where rolname = 'scram_role'").Scan(&secret); err != nil {
		t.Fatal(err)
	}
	if _, err := admin.Exec(within(t), `create role "a ""b" login password 'secret'`); err != nil {
		t.Fatal(err)
	}
	var quoted string
	if err := admin.QueryRow(within(t), `select rolpassword from pg_authid where rolname = 'a "b'`).Scan(&quoted); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "userlist.txt")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(fmt.Sprintf("; users\n\n\"scram_role\" %q\r\n\"a \"\"b\"\t%q  \n", secret, quoted))
	b := scramBench(t, cluster, func(c *proxy.Config) { c.Auth.File, c.Auth.QueryURL = file, "" })
	options := url.Values{"sslmode": {"disable"}}
	for _, user := range []string{"scram_role", `a "b`} {
		if _, err := loginByPGX(t, b.addr, user, "secret", options); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := loginByPGX(t, b.addr, "trusted_role", "secret", options); err == nil {
		t.Fatal("somebody who is not in the file got in")
	}
	// A secret that is not the server's any more lets nobody in.
	if _, err := admin.Exec(within(t), "alter role scram_role password 'secret'"); err != nil {
		t.Fatal(err)
	}
	if _, err := loginByPGX(t, b.addr, "scram_role", "secret", options); err == nil || !strings.Contains(err.Error(), "28P01") {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		`"joe" "swordfish"`:                            "line 1: no SCRAM-SHA-256 secret",
		"# users\n\"joe\" \"md5f4d1c7c2b4b7d9a4f2d0\"": "line 2: no SCRAM-SHA-256 secret",
		`joe "x"`:        "quotation mark is missing",
		`"joe" "x`:       "quotation mark is missing",
		`"" "x"`:         "no name",
		`"joe" "x" more`: "text behind",
	} {
		write(text)
		err := b.Reload(b.config)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "swordfish") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A login does not hang on a query that does not answer.
func TestScram_QueryFails(t *testing.T) {
	ca := newAuthority(t)
	cluster := secureCluster(t, ca)
	options := url.Values{"sslmode": {"disable"}}
	for name, change := range map[string]func(*proxy.AuthConfig){
		"slow": func(c *proxy.AuthConfig) {
			c.Query = "select $1, pg_sleep(60)::text"
			c.QueryTimeout = ask.Duration(100 * time.Millisecond)
		},
		"broken":       func(c *proxy.AuthConfig) { c.Query = "select nothing from $1" },
		"another user": func(c *proxy.AuthConfig) { c.Query = "select $1 || 'x', ''" },
		"down":         func(c *proxy.AuthConfig) { c.QueryURL = "postgres://postgres@127.0.0.1:1/postgres" },
	} {
		t.Run(name, func(t *testing.T) {
			b := scramBench(t, cluster, func(c *proxy.Config) { change(&c.Auth) })
			_, err := loginByPGX(t, b.addr, "scram_role", "secret", options)
			var e *pgconn.PgError
			if !errors.As(err, &e) || e.Code != "08006" || !strings.Contains(e.Hint, "auth.query") {
				t.Fatal(err)
			}
		})
	}
}
