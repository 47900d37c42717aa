package main

import (
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"askpg/internal/shop"
)

// TestNotices_Readings tells a person that the engine read the question in
// several ways, and does not call that a vote.
func TestNotices_Readings(t *testing.T) {
	r := start(t, nil)
	config, err := pgx.ParseConfig(r.URL(shop.Analyst))
	if err != nil {
		t.Fatal(err)
	}
	var details []string
	config.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) { details = append(details, n.Detail) }
	conn, err := pgx.ConnectConfig(testContext(t), config)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(testContext(t))
	if _, err := asked(testContext(t), conn, "-- ask: top 5 customers by number of orders"); err != nil {
		t.Fatal(err)
	}
	got := strings.Join(details, "\n")
	if !strings.Contains(got, "%; ask(candidates) lists ") || strings.Contains(got, "candidates agree") {
		t.Errorf("the notices are %q", got)
	}
}
