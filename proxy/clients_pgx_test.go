package proxy_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"askpg/internal/pgtest"
	"askpg/proxy"
)

// What pgx does beside plain statements is what it does with the server, a
// question in its middle.
func TestClients_PGX(t *testing.T) {
	ca := newAuthority(t)
	cert, key := ca.issue(t, "askpg")
	pgtest.Exec(t, pgtest.Shared(t).Primary.URL(pgtest.Superuser, "postgres"),
		"set password_encryption = 'scram-sha-256'; create role pgx_role login superuser password 'secret'")
	for _, secure := range []bool{false, true} {
		name, tls := "plain", "sslmode=disable"
		if secure {
			name, tls = "TLS", "sslmode=verify-full sslrootcert="+ca.file+" channel_binding=require"
		}
		t.Run(name, func(t *testing.T) {
			b := start(t, func(c *proxy.Config) {
				if secure {
					c.TLS = proxy.TLSConfig{Mode: "require", Cert: cert, Key: key}
					c.Primary.Reuse = true
					c.Auth.Method, c.Auth.QueryURL = "scram", pgtest.Shared(t).Primary.URL(pgtest.Superuser, "postgres")
				}
			})
			database := sampleDB(t)
			ctx := within(t)
			host, port, _ := strings.Cut(b.addr, ":")
			open := func(host, port, password, tls string) (*pgx.Conn, error) {
				return pgx.Connect(ctx, fmt.Sprintf("host=%s port=%s user=pgx_role password=%s dbname=%s %s", host, port, password, database, tls))
			}
			must := func(conn *pgx.Conn, err error) *pgx.Conn {
				t.Helper()
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { conn.Close(context.Background()) })
				return conn
			}
			direct := must(open("127.0.0.1", fmt.Sprint(b.cluster.Primary.Port), "secret", "sslmode=disable"))
			conn := must(open(host, port, "secret", tls))
			if secure {
				var pe *pgconn.PgError
				if _, err := open(host, port, "wrong", tls); !errors.As(err, &pe) || pe.Code != "28P01" {
					t.Errorf("wrong password: %v", err)
				}
			}
			both := func(what string, f func(c *pgx.Conn, asked string) (any, error)) {
				t.Helper()
				const sql = "SELECT id, name, balance FROM customers ORDER BY id"
				want, err := f(direct, sql)
				if err != nil {
					t.Fatalf("%s: %v", what, err)
				}
				got, err := f(conn, "-- ask: run: "+sql)
				if err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("%s: %.300v, %v, want %.300v", what, got, err, want)
				}
			}
			all := func(r pgx.Rows) ([]any, error) {
				return pgx.CollectRows(r, func(r pgx.CollectableRow) (any, error) { return r.Values() })
			}
			both("batch", func(c *pgx.Conn, asked string) (any, error) {
				var batch pgx.Batch
				batch.Queue("select 1 where 1 = $1", 1)
				batch.Queue(asked)
				batch.Queue("select generate_series(1, 3)")
				results := c.SendBatch(ctx, &batch)
				defer results.Close()
				var lists []any
				for range 3 {
					r, err := results.Query()
					if err != nil {
						return nil, err
					}
					list, err := all(r)
					if err != nil {
						return nil, err
					}
					lists = append(lists, list)
				}
				return lists, nil
			})
			both("batch that fails behind the question", func(c *pgx.Conn, asked string) (any, error) {
				var batch pgx.Batch
				batch.Queue("create table left_over (i int)")
				batch.Queue(asked)
				batch.Queue("select 1 / $1::int", 0)
				err := c.SendBatch(ctx, &batch).Close()
				var pe *pgconn.PgError
				if !errors.As(err, &pe) {
					return nil, fmt.Errorf("no error of the server: %v", err)
				}
				var exists bool
				err = c.QueryRow(ctx, "select to_regclass('left_over') is not null").Scan(&exists)
				return []any{pe.Code, exists}, err
			})
			both("pipeline", func(c *pgx.Conn, asked string) (any, error) {
				p := c.PgConn().StartPipeline(ctx)
				for _, sql := range []string{"select 1", asked, "select nosuch", "select 2"} {
					p.SendQueryParams(sql, nil, nil, nil, nil)
					if err := p.Sync(); err != nil {
						return nil, err
					}
				}
				var got []string
				for {
					r, err := p.GetResults()
					var pe *pgconn.PgError
					switch r := r.(type) {
					case *pgconn.ResultReader:
						result := r.Read()
						got = append(got, fmt.Sprintf("%q", result.Rows))
					case *pgconn.PipelineSync:
						got = append(got, "sync")
					default:
						if !errors.As(err, &pe) {
							return got, errors.Join(err, p.Close())
						}
						got = append(got, pe.Code)
					}
				}
			})
			both("COPY", func(c *pgx.Conn, asked string) (any, error) {
				if _, err := c.Exec(ctx, "create temp table copied (i int, t text)"); err != nil {
					return nil, err
				}
				n, err := c.CopyFrom(ctx, pgx.Identifier{"copied"}, []string{"i", "t"}, pgx.CopyFromSlice(1000, func(i int) ([]any, error) { return []any{i, "x"}, nil }))
				if err != nil {
					return nil, err
				}
				if _, err := c.Exec(ctx, asked); err != nil {
					return nil, err
				}
				var out bytes.Buffer
				_, err = c.PgConn().CopyTo(ctx, &out, "copy (select * from copied order by i) to stdout")
				return []any{n, out.String()}, err
			})
			both("large object", func(c *pgx.Conn, asked string) (any, error) {
				tx, err := c.Begin(ctx)
				if err != nil {
					return nil, err
				}
				defer tx.Rollback(ctx)
				objects := tx.LargeObjects()
				oid, err := objects.Create(ctx, 0)
				if err != nil {
					return nil, err
				}
				o, err := objects.Open(ctx, oid, pgx.LargeObjectModeRead|pgx.LargeObjectModeWrite)
				if err != nil {
					return nil, err
				}
				if _, err := o.Write(bytes.Repeat([]byte("large"), 20000)); err != nil {
					return nil, err
				}
				r, err := tx.Query(ctx, asked)
				if err != nil {
					return nil, err
				}
				rows, err := all(r)
				if err != nil {
					return nil, err
				}
				if _, err := o.Seek(10, 0); err != nil {
					return nil, err
				}
				b := make([]byte, 50000)
				_, err = o.Read(b)
				return []any{rows, b}, err
			})
			both("cancel", func(c *pgx.Conn, asked string) (any, error) {
				text := "select pg_sleep(30)"
				if asked != "" && c == conn {
					text = "-- ask: wait"
				}
				// The driver's own end of a context closes the connection; a
				// cancel request does not.
				time.AfterFunc(200*time.Millisecond, func() { _ = c.PgConn().CancelRequest(ctx) })
				_, err := c.Exec(ctx, text)
				var pe *pgconn.PgError
				if !errors.As(err, &pe) {
					return nil, fmt.Errorf("no error of the server: %v", err)
				}
				var one int
				err = c.QueryRow(ctx, "select 1").Scan(&one)
				return []any{pe.Code, one}, err
			})
			if _, err := conn.Exec(ctx, "listen news"); err != nil {
				t.Fatal(err)
			}
			if _, err := direct.Exec(ctx, "notify news, 'hello'"); err != nil {
				t.Fatal(err)
			}
			if n, err := conn.WaitForNotification(ctx); err != nil || n.Payload != "hello" {
				t.Errorf("notification: %v, %v", n, err)
			}
		})
	}
}
