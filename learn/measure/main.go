// Command measure learns definitions from files of SQL over a database and
// prints them, with a part of the statements made wrong if that is asked for.
//
//	go run ./learn/measure -url postgres://… -from history.sql [-wrong 0.1 -seed 1]
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"

	"askpg/catalog"
	"askpg/learn"
)

func main() {
	url := flag.String("url", "", "of the database")
	from := flag.String("from", "", "file of SQL")
	part := flag.Float64("wrong", 0, "part of the queries that is made wrong")
	seed := flag.Uint64("seed", 1, "of the choice")
	flag.Parse()
	if err := run(*url, *from, *part, *seed); err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
}

func run(url, from string, part float64, seed uint64) error {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	c := catalog.New(catalog.DefaultConfig(), direct{conn}, slog.New(slog.NewTextHandler(io.Discard, nil)), prometheus.NewRegistry())
	defer c.Close()
	snap, err := c.Snapshot(ctx, conn.Config().Database, conn.Config().User)
	if err != nil {
		return err
	}
	file, err := os.Open(from)
	if err != nil {
		return err
	}
	defer file.Close()
	statements, err := learn.ReadSQL(file, from)
	if err != nil {
		return err
	}
	if part > 0 {
		w := wrong{snap, rand.New(rand.NewPCG(seed, 0))}
		for _, s := range w.spoil(statements, part) {
			fmt.Println("#", s)
		}
	}
	_, err = fmt.Print(learn.Learn(snap, []string{"public"}, statements).Fragment())
	return err
}

// direct reads the database by one connection, as its login.
type direct struct{ conn *pgx.Conn }

func (d direct) As(ctx context.Context, _, _ string, fn func(pgx.Tx) error) error {
	return pgx.BeginTxFunc(ctx, d.conn, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "select set_config('search_path', 'pg_catalog', true)"); err != nil {
			return err
		}
		return fn(tx)
	})
}
