package pgtest_test

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"askpg/internal/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

func TestStart_StandbyStreams(t *testing.T) {
	db := pgtest.NewDatabase(t, "create table t as select generate_series(1, 100) as n")
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, pgtest.Shared(t).Standby.URL(pgtest.Superuser, db))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	var n int
	var standby bool
	if err := conn.QueryRow(ctx, "select count(*), pg_is_in_recovery() from t").Scan(&n, &standby); err != nil {
		t.Fatal(err)
	}
	if n != 100 || !standby {
		t.Fatalf("got %d rows, in recovery %v; want 100 rows on a standby", n, standby)
	}
}
