package main

import (
	"fmt"
	"strings"
	"testing"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/internal/shop"
)

// TestSuperuser asks as a superuser, as who tries askpg with psql does first. The error names the setting. Once an admin has named
// a role that reads, its rights apply, no others, and each answer says so.
func TestSuperuser(t *testing.T) {
	const question = "-- ask: how many customers do we have"
	ctx := testContext(t)
	r := start(t, nil)
	for _, sql := range []string{question, "SELECT * FROM ask('how many customers do we have') AS r"} {
		conn := r.connect(t, pgtest.Superuser)
		if _, err := asked(ctx, conn, sql); err == nil || err.Code != ask.CodeNoCandidate || !strings.Contains(err.Message, "superuser") || !strings.Contains(err.Hint, "replica.superuser_role") {
			t.Errorf("without the setting: %+v", err)
		}
	}

	r.stop()
	conn, notices := noticedAs(t, start(t, func(c *Config) { c.Replica.SuperuserRole = shop.Support }), pgtest.Superuser)
	north := fmt.Sprint(count(t, "SELECT count(*) FROM customers WHERE region = 'North'"))
	for _, how := range []string{"by the rows of the vote", "by the rows of a repeated answer"} {
		if got, err := asked(ctx, conn, question); err != nil || got != north {
			t.Errorf("%s: %q, %v, want the %s customers that %s sees", how, got, err, north, shop.Support)
		}
		if list := notices(); len(list) != 2 || !strings.Contains(list[1], `runs with the rights of "support"`) {
			t.Errorf("%s: the notices are %q", how, list)
		}
	}
	if _, err := asked(ctx, conn, "-- ask: how many payments are there"); err == nil || err.Code != ask.CodeInsufficientRights || strings.Contains(err.Hint, "GRANT") || !strings.Contains(err.Hint, "replica.superuser_role") {
		t.Errorf("what %s may not read: %+v", shop.Support, err)
	}
	if _, err := asked(ctx, conn, "-- ask: how many gizmotrons"); err == nil || err.Code != ask.CodeNoCandidate || !strings.Contains(err.Detail, shop.Support) || strings.Contains(err.Hint, "superuser_role") {
		t.Errorf("what is not understood: %+v", err)
	}
}
