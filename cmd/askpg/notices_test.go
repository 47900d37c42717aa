package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"askpg/internal/shop"
	"askpg/store"
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

// TestNotices_FailedModel tells a person that no model answered and the grammar
// did; the log says so of the same answer, under the id that SHOW askpg.last
// names.
func TestNotices_FailedModel(t *testing.T) {
	model := newModelServer(t)
	model.answer(func(string) reply { return reply{status: 500} })
	r := start(t, func(c *Config) {
		model.configure(c)
		c.Models[0].Retries = 0
	})
	config, err := pgx.ParseConfig(r.URL(shop.Analyst))
	if err != nil {
		t.Fatal(err)
	}
	var notices []string
	config.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) { notices = append(notices, n.Message+"\n"+n.Detail) }
	conn, err := pgx.ConnectConfig(testContext(t), config)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(testContext(t))
	if got, err := asked(testContext(t), conn, "-- ask: how many customers do we have"); err != nil || got != fmt.Sprint(count(t, "SELECT count(*) FROM customers")) {
		t.Fatal(got, err)
	}
	if model.calls() == 0 {
		t.Fatal("no model was asked, so this test shows nothing")
	}
	if got := strings.Join(notices, "\n"); !strings.Contains(got, "no model answered in time; the built-in grammar did") {
		t.Errorf("the notices are %q", got)
	}
	page, err := r.store.List(testContext(t), store.Filter{Limit: 1})
	if err != nil || len(page.Records) != 1 {
		t.Fatal(page, err)
	}
	rec, err := r.store.Get(testContext(t), page.Records[0].ID)
	if err != nil || !slices.ContainsFunc(rec.Notices, func(n string) bool { return strings.Contains(n, "no model answered") }) {
		t.Errorf("%+v, %v", rec, err)
	}
	if id, err := asked(testContext(t), conn, "SHOW askpg.last"); err != nil || id != rec.ID {
		t.Errorf("SHOW askpg.last names %q, %v; the log has %s", id, err, rec.ID)
	}
}
