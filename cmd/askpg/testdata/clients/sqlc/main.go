// Command sqlc asks through functions that sqlc has written (query.sql), over pgx, and compares what it gets with what the SQL gives on the server.
// It prints one line for each check.
//
// usage: sqlc ASKPG_PORT SERVER_PORT
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

const (
	count    = "how many customers in Germany"
	countSQL = "SELECT count(*) FROM customers WHERE country = 'Germany'"
)

var failed bool

func check(name string, got, want any) {
	if reflect.DeepEqual(got, want) {
		fmt.Println("ok", name)
		return
	}
	failed = true
	fmt.Printf("FAILED %s: %.300v want %.300v\n", name, got, want)
}

func must[T any](v T, err error) T {
	if err != nil {
		fmt.Println("FAILED", err)
		os.Exit(1)
	}
	return v
}

func code(err error) string {
	var pe *pgconn.PgError
	if errors.As(err, &pe) {
		return pe.Code
	}
	return fmt.Sprint(err)
}

func main() {
	ctx := context.Background()
	open := func(port, settings string) (*pgx.Conn, *Queries) {
		c := must(pgx.Connect(ctx, "host=127.0.0.1 user=analyst dbname=shop sslmode=disable port="+port+settings))
		return c, New(c)
	}
	direct, _ := open(os.Args[2], "")
	var want int64
	if err := direct.QueryRow(ctx, countSQL).Scan(&want); err != nil {
		must(0, err)
	}
	people := must(pgx.CollectRows(must(direct.Query(ctx, "SELECT id, name FROM customers WHERE country = 'Germany' AND id > 100 ORDER BY 1 LIMIT 3")), pgx.RowToStructByPos[PageRow]))

	// pgx describes a statement before it binds, unless it is told to execute at once.
	conn, q := open(os.Args[1], " default_query_exec_mode=exec")
	for range 2 {
		check("a constant", must(q.Constant(ctx)), want)
		check("a number", must(q.Number(ctx, count)), want)
		check("rows", must(q.Rows(ctx, count)), []string{fmt.Sprintf(`{"count":%d}`, want)})
		check("a page", must(q.Page(ctx, PageParams{Question: "id of customers in Germany", Behind: 100, PageSize: 3})), people)
		check("its SQL", must(q.Chosen(ctx, count)), countSQL)
	}
	tx := must(conn.Begin(ctx))
	_, err := q.WithTx(tx).Number(ctx, "how many florps")
	check("error", code(err), "ASK01")
	var pe *pgconn.PgError
	check("its words", errors.As(err, &pe) && strings.Contains(pe.Message, "florps") && pe.Hint != "", true)
	check("the transaction goes on", must(q.WithTx(tx).Constant(ctx)), want)
	must(0, tx.Commit(ctx))

	_, q = open(os.Args[1], "")
	check("described, a constant", must(q.Constant(ctx)), want)
	_, err = q.Number(ctx, count)
	check("described, a question that is bound", code(err), "0A000")
	if failed {
		os.Exit(1)
	}
}
