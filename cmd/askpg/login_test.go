package main

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/internal/shop"
)

const rolePassword = "a-word-to-pass"

// passwordCluster is a cluster with TLS and the sample shop, to which the shop's
// roles have to log in with their passwords.
func passwordCluster(t *testing.T) (c *pgtest.Cluster, cert string) {
	t.Helper()
	c = pgtest.NewCluster(t, pgtest.Options{
		Settings: map[string]string{"password_encryption": "scram-sha-256"},
		HBA:      []string{"host all " + shop.Analyst + "," + shop.Support + "," + shop.Service + " all scram-sha-256"},
	})
	if err := loadShop(testContext(t), c); err != nil {
		t.Fatal(err)
	}
	cert, key := selfSigned(t, "askpg")
	for _, s := range []*pgtest.Server{c.Primary, c.Standby} {
		owner, err := os.Stat(s.Dir)
		if err != nil {
			t.Fatal(err)
		}
		for name, path := range map[string]string{"server.crt": cert, "server.key": key} {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			target := filepath.Join(s.Dir, name)
			if err := os.WriteFile(target, b, 0o600); err != nil {
				t.Fatal(err)
			}
			account := owner.Sys().(*syscall.Stat_t)
			if err := os.Chown(target, int(account.Uid), int(account.Gid)); err != nil {
				t.Fatal(err)
			}
		}
		pgtest.Exec(t, s.URL(pgtest.Superuser, "postgres"), "alter system set ssl = on")
		pgtest.Exec(t, s.URL(pgtest.Superuser, "postgres"), "select pg_reload_conf()")
		eventually(t, "the server has TLS", func() bool {
			conn, err := pgx.Connect(testContext(t), strings.Replace(s.URL(pgtest.Superuser, "postgres"), "sslmode=disable", "sslmode=require", 1))
			if err == nil {
				conn.Close(testContext(t))
			}
			return err == nil
		})
	}
	for _, role := range []string{shop.Analyst, shop.Service} {
		pgtest.Exec(t, c.Primary.URL(pgtest.Superuser, "postgres"), fmt.Sprintf("alter role %s password '%s'", role, rolePassword))
	}
	if err := c.CatchUp(testContext(t)); err != nil {
		t.Fatal(err)
	}
	return c, cert
}

// before has an askpg verify its clients and stand before a cluster.
func (c *Config) before(cluster *pgtest.Cluster) {
	c.Primary.Address = cluster.Primary.Address()
	c.Replica.URL = cluster.Standby.URL(shop.Service, "") + "&password=" + rolePassword
	c.Auth.Method, c.Auth.QueryURL, c.Auth.Cache = "scram", cluster.Primary.URL(pgtest.Superuser, "postgres"), 0
}

// sessionsOf says in how many sessions a role is logged in at a server.
func sessionsOf(t *testing.T, s *pgtest.Server, role string, encrypted bool) (n int) {
	t.Helper()
	conn := connect(t, s.URL(pgtest.Superuser, "postgres"))
	defer conn.Close(testContext(t))
	if err := conn.QueryRow(testContext(t), "select count(*) from pg_stat_activity join pg_stat_ssl using (pid) where usename = $1 and ssl = $2", role, encrypted).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// total sums up a metric's values whose first label has this value.
func (r *running) total(t *testing.T, name, label string) (sum float64) {
	t.Helper()
	families, err := r.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			if f.GetName() == name && len(m.GetLabel()) > 0 && m.GetLabel()[0].GetValue() == label {
				sum += m.GetCounter().GetValue() + m.GetGauge().GetValue()
			}
		}
	}
	return sum
}

// A client whom askpg has verified itself is logged in to the replica as itself
// for its questions: with and without TLS on each of the three sides, with every
// channel binding towards askpg and towards the replica.
func TestLogin_ReplicaMatrix(t *testing.T) {
	cluster, root := passwordCluster(t)
	cert, key := selfSigned(t, "askpg")
	const question = "-- ask: how many customers are there?"
	for i, replica := range []struct {
		mode, binding string
		fails         bool
	}{
		{"disable", "disable", false}, {"disable", "prefer", false}, {"disable", "require", true},
		{"require", "disable", false}, {"require", "prefer", false}, {"require", "require", false},
		{"verify-ca", "prefer", false}, {"verify-ca", "require", false},
	} {
		primary := []string{"disable", "require", "verify-ca"}[i%3]
		reuse := i%2 == 0
		t.Run(fmt.Sprintf("replica %s, binding %s, primary %s, reuse %v", replica.mode, replica.binding, primary, reuse), func(t *testing.T) {
			r := start(t, func(c *Config) {
				c.before(cluster)
				c.TLS.Cert, c.TLS.Key = cert, key
				c.Primary.SSLMode, c.Primary.RootCert, c.Primary.Reuse = primary, root, reuse
				c.Replica.URL = strings.Replace(c.Replica.URL, "sslmode=disable", "sslmode="+replica.mode, 1) + "&channel_binding=" + replica.binding
				if replica.mode == "verify-ca" {
					c.Replica.URL += "&sslrootcert=" + url.QueryEscape(root)
				}
			})
			for _, client := range []struct{ mode, binding string }{
				{"disable", "disable"}, {"disable", "prefer"}, {"require", "disable"}, {"require", "prefer"}, {"require", "require"},
			} {
				u := url.URL{Scheme: "postgres", User: url.UserPassword(shop.Analyst, rolePassword), Host: r.host + ":" + r.port, Path: "/shop",
					RawQuery: url.Values{"sslmode": {client.mode}, "channel_binding": {client.binding}}.Encode()}
				conn := connect(t, u.String())
				var n int
				err := conn.QueryRow(testContext(t), question).Scan(&n)
				conn.Close(testContext(t))
				switch {
				case replica.fails && err == nil:
					t.Errorf("client %s, binding %s: it worked", client.mode, client.binding)
				case !replica.fails && (err != nil || n == 0):
					t.Errorf("client %s, binding %s: %d, %v", client.mode, client.binding, n, err)
				}
			}
			if replica.fails {
				return
			}
			if n := sessionsOf(t, cluster.Standby, shop.Analyst, replica.mode != "disable"); n == 0 {
				t.Error("nobody is logged in to the replica as the asker")
			}
			if n := sessionsOf(t, cluster.Standby, shop.Analyst, replica.mode == "disable"); n != 0 {
				t.Errorf("%d sessions have TLS and should not, or have none", n)
			}
			if n := r.total(t, "askpg_replica_logins_total", "failed"); n != 0 {
				t.Errorf("%v logins failed", n)
			}
			r.stop()
			eventually(t, "the sessions end with askpg", func() bool { return sessionsOf(t, cluster.Standby, shop.Analyst, replica.mode != "disable") == 0 })
		})
	}
}

// A session that began with a password that was changed since can ask no more
// where it has to log in anew, and hears why; one that begins then can.
func TestLogin_PasswordChanged(t *testing.T) {
	cluster, _ := passwordCluster(t)
	r := start(t, func(c *Config) {
		c.before(cluster)
		c.Replica.IdleLogins = 0
	})
	u := func(password string) string {
		return fmt.Sprintf("postgres://%s@%s:%s/shop?sslmode=disable", url.UserPassword(shop.Analyst, password), r.host, r.port)
	}
	ask1 := func(conn *pgx.Conn, text string) error {
		var n int
		return conn.QueryRow(testContext(t), text).Scan(&n)
	}
	old := connect(t, u(rolePassword))
	if err := ask1(old, "-- ask: how many customers are there?"); err != nil {
		t.Fatal(err)
	}
	pgtest.Exec(t, cluster.Primary.URL(pgtest.Superuser, "postgres"), fmt.Sprintf("alter role %s password 'another'", shop.Analyst))
	if err := cluster.CatchUp(testContext(t)); err != nil {
		t.Fatal(err)
	}
	err := ask1(old, "-- ask: how many orders are there?")
	var e *pgconn.PgError
	if !errors.As(err, &e) || e.Code != ask.CodeInsufficientRights || !strings.Contains(e.Message, "refuses the login") || !strings.Contains(e.Hint, "log in again") {
		t.Errorf("with the old password's key: %v", err)
	}
	if err := ask1(old, "select 1"); err != nil {
		t.Errorf("the session itself: %v", err)
	}
	if err := ask1(connect(t, u("another")), "-- ask: how many orders are there?"); err != nil {
		t.Errorf("a new session: %v", err)
	}
}
