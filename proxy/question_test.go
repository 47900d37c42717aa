package proxy_test

import (
	"testing"

	"github.com/jackc/pgproto3/v2"
	"github.com/jackc/pgx/v5"
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
