// Command libpq drives a proxy and a server side by side with lib/pq: what a
// question returns through the proxy must be what its SQL returns directly.
// Prints one line for each check. It is a module of its own, so that askpg does
// not depend on the driver.
//
// usage: libpq PROXY_PORT SERVER_PORT DATABASE [CA]
package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"reflect"
	"time"

	"github.com/lib/pq"
)

const (
	text = "SELECT id, name, balance, joined, tags, NULL::int AS nothing FROM customers ORDER BY id"
	asks = "-- ask: run: " + text
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

func must(err error) {
	if err != nil {
		fmt.Println("FAILED", err)
		os.Exit(1)
	}
}

func open(port, database, password, sslmode string) (*sql.DB, string) {
	dsn := fmt.Sprintf("host=127.0.0.1 port=%s user=driver_role password=%s dbname=%s sslmode=%s", port, password, database, sslmode)
	db, err := sql.Open("postgres", dsn)
	must(err)
	db.SetMaxOpenConns(1)
	return db, dsn
}

func rows(q interface {
	Query(string, ...any) (*sql.Rows, error)
}, query string, args ...any) (all [][]any) {
	r, err := q.Query(query, args...)
	must(err)
	defer r.Close()
	columns, err := r.Columns()
	must(err)
	for r.Next() {
		values, pointers := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			pointers[i] = &values[i]
		}
		must(r.Scan(pointers...))
		all = append(all, values)
	}
	must(r.Err())
	return all
}

func code(err error) string {
	var e *pq.Error
	if errors.As(err, &e) {
		return string(e.Code)
	}
	return fmt.Sprint(err)
}

func main() {
	database := os.Args[3]
	direct, _ := open(os.Args[2], database, "secret", "disable")
	sslmode := "disable"
	if len(os.Args) > 4 {
		sslmode = "verify-full sslrootcert=" + os.Args[4]
		wrong, _ := open(os.Args[1], database, "wrong", sslmode)
		check("wrong password", code(wrong.Ping()), "28P01")
	}
	db, dsn := open(os.Args[1], database, "secret", sslmode)
	want := rows(direct, text)
	check("question, simple", rows(db, asks), want)
	stmt, err := db.Prepare(asks)
	must(err)
	for range 2 {
		r, err := stmt.Query()
		must(err)
		n := 0
		for r.Next() {
			n++
		}
		check("question, prepared", n, len(want))
		r.Close()
	}
	check("call", rows(db, "select sum(a) from ask('run: select 1 as a') r where a < $1", 5), [][]any{{int64(1)}})
	_, err = db.Exec("select nosuch")
	check("error", code(err), "42703")
	_, err = db.Exec("-- ask: error: ASK02")
	check("error of a question", code(err), "ASK02")

	tx, err := db.Begin()
	must(err)
	_, err = tx.Exec("create temp table t (i int, s text)")
	must(err)
	in, err := tx.Prepare(pq.CopyIn("t", "i", "s"))
	must(err)
	for i := range 1000 {
		_, err = in.Exec(i, "x")
		must(err)
	}
	_, err = in.Exec()
	must(err)
	must(in.Close())
	check("COPY in", rows(tx, "select count(*) from t"), [][]any{{int64(1000)}})
	check("question in a transaction", rows(tx, asks), want)
	var oid int64
	must(tx.QueryRow("select lo_from_bytea(0, $1)", []byte("large")).Scan(&oid))
	check("large object", rows(tx, "select lo_get($1)", oid), [][]any{{[]byte("large")}})
	must(tx.Commit())

	for _, q := range []string{"select pg_sleep(30)", "-- ask: wait"} {
		ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
		_, err := db.ExecContext(ctx, q)
		cancel()
		check("cancel of "+q, err != nil, true)
		check("after it", rows(db, "select 1"), [][]any{{int64(1)}})
	}
	l := pq.NewListener(dsn, time.Second, time.Second, nil)
	must(l.Listen("news"))
	_, err = direct.Exec("notify news, 'hello'")
	must(err)
	select {
	case n := <-l.Notify:
		check("notification", n.Extra, "hello")
	case <-time.After(10 * time.Second):
		check("notification", nil, "hello")
	}
	must(l.Close())
	if failed {
		os.Exit(1)
	}
}
