package main

import (
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"

	"askpg/internal/shop"
)

// TestForms_Wrapped asks through all of askpg in the ways of programs: wrapped, bound, in a cursor, and for what was run.
func TestForms_Wrapped(t *testing.T) {
	r := start(t, nil)
	conn := r.connect(t, shop.Analyst)
	ctx := testContext(t)
	customers := int64(count(t, "SELECT count(*) FROM customers"))
	const question = "how many customers do we have"
	text := func(sql string, args ...any) string {
		t.Helper()
		args = append([]any{pgx.QueryExecModeExec}, args...)
		rows, err := conn.Query(ctx, sql, args...)
		if err != nil {
			t.Errorf("%s: %v", sql, err)
			return ""
		}
		values, err := pgx.CollectRows(rows, func(r pgx.CollectableRow) (string, error) {
			v, err := r.Values()
			return fmt.Sprint(v...), err
		})
		if err != nil {
			t.Errorf("%s: %v", sql, err)
		}
		return fmt.Sprint(values)
	}
	want := fmt.Sprintf("[%d]", customers)
	for _, sql := range []string{
		"-- ask: " + question + "$1", "select -- ask: " + question, "SELECT * FROM (\n-- ask: " + question + "\n) AS virtual_table LIMIT 1000",
		"-- ask: " + question + "\n-- {\"user\":\"@ann\"}", "-- ask: " + question + " /*application:Shop*/", "/* ask: " + question + " */ fetch first 5 rows only",
	} {
		if got := text(sql); got != want {
			t.Errorf("%s: %s, want %s", sql, got, want)
		}
	}
	if got := text("select * from ask($1) r", question); got != want {
		t.Error(got)
	}
	status := text("select status from orders limit 1")
	status = status[1 : len(status)-1]
	if got, plain := text("-- ask: how many orders with status $1", status), text("-- ask: how many orders with status '"+status+"'"); got != plain || got == "[]" {
		t.Errorf("bound %s, written %s", got, plain)
	}
	if got := text("select sql from ask('" + question + "', 'sql') r"); got != "[SELECT count(*) FROM customers]" {
		t.Error(got)
	}
	if got := text("select count(*) > 0 from ask('" + question + "', 'candidates') r where fate = 'chosen'"); got != "[true]" {
		t.Error(got)
	}
	text("begin")
	text("create temporary table shown as select * from ask('" + question + "', 'sql') r")
	if got := text("select sql from shown"); got != "[SELECT count(*) FROM customers]" {
		t.Error(got)
	}
	text("rollback")
	text("begin")
	text("declare c cursor for -- ask: " + question)
	if got := text("fetch all in c"); got != want {
		t.Error(got)
	}
	text("commit")
	text("set askpg.describe = 'jsonb'")
	var row map[string]any
	if err := conn.QueryRow(ctx, "select * from ask($1) r", question).Scan(&row); err != nil || fmt.Sprint(row) != fmt.Sprintf("map[count:%d]", customers) {
		t.Error(row, err)
	}
}
