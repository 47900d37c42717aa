package proxy_test

import (
	"strings"
	"testing"

	"github.com/jackc/pgproto3/v2"
	"github.com/jackc/pgx/v5"

	"askpg/ask"
)

func TestSimple_Question(t *testing.T) {
	b := start(t, nil)
	f := dial(t, b.addr, sampleDB(t))
	for _, text := range []string{
		"-- ask: how many customers", "/* ask: how many customers */;", "ASK 'how many customers';", "ask how many customers;",
	} {
		f.send(&pgproto3.Query{String: text})
		want := "T count:20:0\nD \"100\"\nC SELECT 1\nZ I"
		if got := f.trace(1); got != want {
			t.Fatalf("%s:\n%s\nwant\n%s", text, got, want)
		}
	}
	f.send(&pgproto3.Query{String: "select 1 as x"})
	if got, want := f.trace(1), "T x:23:0\nD \"1\"\nC SELECT 1\nZ I"; got != want {
		t.Fatalf("after questions:\n%s\nwant\n%s", got, want)
	}
}

// An answer that is logged while its rows are fetched goes out only once it is
// logged, notices included.
func TestSimple_LoggedMeanwhile(t *testing.T) {
	b := start(t, nil)
	logged := make(chan error)
	b.fake.log = func() error {
		b.exec.mu.Lock()
		defer b.exec.mu.Unlock()
		if len(b.exec.opened) == 0 {
			return ask.Errorf(ask.CodeInternal, "the rows wait for the log")
		}
		return <-logged
	}
	f := dial(t, b.addr, sampleDB(t))
	f.send(&pgproto3.Query{String: "-- ask: how many customers"})
	logged <- nil
	if got, want := f.trace(1), "T count:20:0\nD \"100\"\nC SELECT 1\nZ I"; got != want {
		t.Fatalf("%s\nwant\n%s", got, want)
	}
	f.send(&pgproto3.Query{String: "-- ask: how many customers"})
	logged <- ask.Errorf(ask.CodeObjectNotReady, "it can't be logged")
	if got := f.trace(1); strings.Contains(got, "100") || !strings.Contains(got, "it can't be logged") {
		t.Fatalf("%s", got)
	}
	// What goes to the server in its place is not the client's yet either.
	f.send(&pgproto3.Query{String: "select x.count from ask('how many customers') as x"})
	if got := f.trace(1); !strings.Contains(got, `D "100"`) {
		t.Fatalf("%s", got)
	}
}

func TestExtended_PGX(t *testing.T) {
	b := start(t, nil)
	for _, mode := range []pgx.QueryExecMode{
		pgx.QueryExecModeCacheStatement, pgx.QueryExecModeCacheDescribe, pgx.QueryExecModeDescribeExec,
		pgx.QueryExecModeExec, pgx.QueryExecModeSimpleProtocol,
	} {
		t.Run(mode.String(), func(t *testing.T) {
			conn := b.connect(t)
			for range 3 {
				var n int64
				if err := conn.QueryRow(within(t), "-- ask: how many customers", mode).Scan(&n); err != nil {
					t.Fatal(err)
				}
				if n != 100 {
					t.Fatalf("got %d", n)
				}
				rows, err := conn.Query(within(t), "-- ask: which customers", mode)
				if err != nil {
					t.Fatal(err)
				}
				count := 0
				for rows.Next() {
					if _, err := rows.Values(); err != nil {
						t.Fatal(err)
					}
					count++
				}
				if rows.Err() != nil || count != 100 {
					t.Fatalf("%d rows, %v", count, rows.Err())
				}
				if err := conn.QueryRow(within(t), "select count(*) from customers where id > $1", 50).Scan(&n); err != nil || n != 50 {
					t.Fatalf("%d, %v", n, err)
				}
			}
		})
	}
}
