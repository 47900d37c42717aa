// Command measure learns definitions from files of SQL over a database and
// prints them, with a part of the statements made wrong if that is asked for.
//
//	go run ./learn/measure -url postgres://… -from history.sql [-wrong 0.1 -seed 1]
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
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
	snap, err := snapshot(ctx, catalog.DefaultConfig(), conn)
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
	report := learn.Learn(snap, []string{"public"}, statements)
	report.CountHidden(func(sql string) (hidden, all int64, err error) {
		return hidden, all, conn.QueryRow(ctx, sql).Scan(&hidden, &all)
	})
	text := report.Fragment()
	fmt.Print(text)
	return fits(ctx, conn, text)
}

// fits fails unless the proposals are a semantics file that fits the database.
func fits(ctx context.Context, conn *pgx.Conn, text string) error {
	file, err := os.CreateTemp("", "semantics-*.toml")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	if _, err := file.WriteString(text); err != nil {
		return err
	}
	cfg := catalog.DefaultConfig()
	cfg.Semantics = file.Name()
	snap, err := snapshot(ctx, cfg, conn)
	if err == nil && len(snap.Problems) > 0 {
		err = fmt.Errorf("proposals that do not fit: %v", snap.Problems)
	}
	return errors.Join(err, file.Close())
}

// snapshot reads the database by the connection.
func snapshot(ctx context.Context, cfg catalog.Config, conn *pgx.Conn) (*catalog.Snapshot, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	c := catalog.New(cfg, direct{conn}, slog.New(slog.DiscardHandler), prometheus.NewRegistry())
	defer c.Close()
	return c.Snapshot(ctx, conn.Config().Database, conn.Config().User)
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
