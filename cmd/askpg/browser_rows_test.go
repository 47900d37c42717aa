package main

import (
	"context"
	"fmt"
	"log/slog"
	"testing"

	"github.com/jackc/pgx/v5"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/internal/shop"
	"askpg/store"
)

// TestBrowser_Rows has rows shown in Chromium.
func TestBrowser_Rows(t *testing.T) {
	shopDatabase(t)
	const answer, other = "SELECT count(*) FROM customers", "SELECT count(*) FROM customers WHERE region = 'North'"
	var oid uint32
	conn, err := pgx.Connect(testContext(t), pgtest.Shared(t).Primary.URL(pgtest.Superuser, "shop"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(testContext(t))
	if err := conn.QueryRow(testContext(t), `select oid from pg_roles where rolname = $1`, shop.Analyst).Scan(&oid); err != nil {
		t.Fatal(err)
	}
	answered := map[string]string{}
	_, page := reviewed(t, "", func(c Config) {
		st, err := store.Open(context.Background(), c.Store, slog.New(slog.DiscardHandler), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []string{"wide", "narrow"} {
			e := reviewedEntry("how many patrons of the "+size+" kind", answer, other)
			e.Question.Session.RoleOID = oid
			e.Translation.SQL, e.Translation.Candidates[0].Fate = answer, ask.FateChosen
			if err := st.Append(context.Background(), e); err != nil {
				t.Fatal(err)
			}
			answered[size] = e.Question.ID
		}
		if err := st.Close(); err != nil {
			t.Fatal(err)
		}
	})
	page.Answered, page.Other, page.Bad, page.Rows = answered, other, "DELETE FROM customers", fmt.Sprint(count(t, other))
	page.walk(t, "rows")
}
