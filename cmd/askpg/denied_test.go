package main

import (
	"fmt"
	"strings"
	"testing"

	"askpg/ask"
	"askpg/internal/shop"
	"askpg/store"
)

// A role that may not ask is told so, whichever form it uses, and its SQL goes
// through; so is a session that has switched asking off.
func TestDenyQuestions(t *testing.T) {
	r := start(t, func(c *Config) { c.Listen.DenyQuestions = []string{shop.Support} })
	ctx := testContext(t)
	denied := r.connect(t, shop.Support)
	for _, sql := range []string{"-- ask: how many customers do we have", "ASK how many customers do we have", "SELECT * FROM ask('how many customers do we have') AS r"} {
		if got, err := asked(ctx, denied, sql); err == nil || err.Code != ask.CodeInsufficientRights || !strings.Contains(err.Message, shop.Support) || err.Hint == "" {
			t.Errorf("%s: %q, %v", sql, got, err)
		}
	}
	if got, err := asked(ctx, denied, "SELECT 'goes through'"); err != nil || got != "goes through" {
		t.Errorf("%q, %v", got, err)
	}
	conn := r.connect(t, shop.Analyst)
	want := fmt.Sprint(count(t, "SELECT count(*) FROM customers"))
	for _, step := range []struct{ sql, want, code string }{
		{"-- ask: how many customers do we have", want, ""},
		{"SET askpg.mode = 'off'", "", ""},
		{"-- ask: how many customers do we have", "", ask.CodeObjectNotReady},
		{"SELECT 'goes through'", "goes through", ""},
		{"SET askpg.mode = 'comment'", "", ""},
		{"SET askpg.strategy = 'grammar'", "", ""},
		{"SET askpg.strategy = 'gramar'", "", ask.CodeInvalidParameter},
		{"SET askpg.min_confidence = 'high'", "", ask.CodeInvalidParameter},
		{"SET askpg.min_confidence = 0.5", "", ""},
		{"-- ask: how many customers do we have", want, ""},
	} {
		got, err := asked(ctx, conn, step.sql)
		if step.code == "" && (err != nil || got != step.want) || step.code != "" && (err == nil || err.Code != step.code) {
			t.Errorf("%s: %q, %v; want %q %s", step.sql, got, err, step.want, step.code)
		}
	}
	page, err := r.store.List(ctx, store.Filter{Role: shop.Support, Outcome: store.Refused})
	if err != nil || len(page.Records) != 3 {
		t.Errorf("%d refusals of 3 in the log, %v", len(page.Records), err)
	}
	cfg := *r.config()
	cfg.Listen.DenyQuestions = nil
	if _, _, err := r.reload(cfg); err != nil {
		t.Fatal(err)
	}
	if _, err := asked(ctx, denied, "-- ask: how many customers do we have"); err != nil {
		t.Errorf("after a reload: %v", err)
	}
}
