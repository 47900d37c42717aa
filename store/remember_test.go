package store_test

import (
	"context"
	"syscall"
	"testing"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/store"
)

// TestVerified_StoreAway: verified answers stay while the store is away, those of marked questions too, and one that a
// reviewer has withdrawn does not come back.
func TestVerified_StoreAway(t *testing.T) {
	cluster := pgtest.NewCluster(t, pgtest.Options{NoStandby: true})
	cfg := sqliteConfig(t)
	cfg.URL = cluster.Primary.URL(pgtest.Superuser, "postgres")
	s := open(t, cfg)
	ctx := context.Background()
	answer := func(question string) string {
		tr := store.VerifiedFirst(ask.TranslatorFunc(func(context.Context, ask.Question) (*ask.Translation, error) {
			return &ask.Translation{SQL: "a model's", Source: ask.SourceModel}, nil
		}), s, func(context.Context, ask.Session, string, bool) (ask.Plan, *ask.Result, ask.Replica, error) {
			return ask.Plan{}, nil, ask.Replica{}, nil
		}, unhelped, sameTables)
		made, err := tr.Translate(ctx, ask.Question{ID: ask.NewID(), Text: question, Session: ask.Session{Database: "shop", Role: "analyst"}})
		if err != nil {
			t.Fatal(err)
		}
		return made.SQL
	}
	for _, e := range []store.Example{
		{Database: "shop", Question: "how many orders", SQL: "SELECT 1"},
		{Database: "shop", Question: "how many invoices", SQL: "SELECT 2"},
		{Database: "shop", MarkedQuestion: "the top {n:3} customers", MarkedSQL: "SELECT name FROM customers LIMIT {n:3}", Question: "the top 3 customers", SQL: "SELECT name FROM customers LIMIT 3"},
	} {
		if _, err := s.AddExample(ctx, e); err != nil {
			t.Fatal(err)
		}
	}
	withdrawn, err := s.ExampleOf(ctx, "shop", "analyst", "how many invoices", "")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.MarkExample(ctx, withdrawn.ID, store.Retired, "wrong"); err != nil {
		t.Fatal(err)
	}
	if err := s.Remember(ctx); err != nil {
		t.Fatal(err)
	}
	check := func(when string) {
		for question, want := range map[string]string{
			"How many orders?": "SELECT 1", "how many invoices": "a model's", "the top 5 customers": "SELECT name FROM customers LIMIT 5", "something else": "a model's",
		} {
			if got := answer(question); got != want {
				t.Errorf("%s: %q is answered by %q, want %q", when, question, got, want)
			}
		}
	}
	check("with the store")
	if err := cluster.Primary.Stop(syscall.SIGQUIT); err != nil {
		t.Fatal(err)
	}
	check("without the store")
}
