package main

import (
	"strings"
	"testing"

	"askpg/ask"
	"askpg/internal/shop"
	"askpg/store"
)

// TestBudget_Wire has a client told which bound is used up and when it renews,
// the refusal logged, and another role go on.
func TestBudget_Wire(t *testing.T) {
	r := start(t, func(c *Config) { c.Store.Budget.Minute.RoleQuestions = 2 })
	ctx := testContext(t)
	conn := r.connect(t, shop.Analyst)
	refused := false
	for range 5 { // two minutes have room for four
		_, err := asked(ctx, conn, "-- ask: how many orders are there")
		if err == nil {
			continue
		}
		refused = true
		if err.Code != ask.CodeBudget || !strings.Contains(err.Detail, `The questions of role "analyst": 2 of 2 a minute. It renews at `) {
			t.Fatalf("got %+v", err)
		}
	}
	if !refused {
		t.Fatal("five questions were answered, two a minute may be")
	}
	list, err := r.store.List(ctx, store.Filter{Code: ask.CodeBudget, Limit: 1})
	if err != nil || len(list.Records) != 1 {
		t.Fatalf("the refusal is not in the log: %v", err)
	}
	if got, err := asked(ctx, r.connect(t, shop.Support), "-- ask: how many orders are there"); err != nil || got == "" {
		t.Fatalf("another role: %q, %v", got, err)
	}
}
