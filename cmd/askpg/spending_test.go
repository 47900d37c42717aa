package main

import (
	"context"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"askpg/ask"
	"askpg/store"
)

type embedderAt struct{ price float64 }

func (e embedderAt) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	ask.Spent(ctx, "vectors", ask.Usage{Calls: 1, PromptTokens: 5, Cost: 5 * e.price})
	return make([][]float32, len(texts)), nil
}

// A question's vector is the question's to pay, those of the catalog are
// everybody's.
func TestSpending(t *testing.T) {
	cfg := store.DefaultConfig()
	cfg.URL, cfg.Spill = "sqlite:"+filepath.Join(t.TempDir(), "log.db"), ""
	s, err := store.Open(context.Background(), cfg, slog.New(slog.DiscardHandler), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	e := spending{embedderAt{3}, s, slog.New(slog.DiscardHandler)}
	var asked ask.Usage
	ctx := ask.WithSpending(context.Background(), func(_ string, u ask.Usage) { asked.Add(u) })
	for _, ctx := range []context.Context{ctx, context.Background()} {
		if v, err := e.Embed(ctx, []string{"how many customers", "orders"}); err != nil || len(v) != 2 {
			t.Fatal(v, err)
		}
	}
	if asked.Calls != 1 || asked.PromptTokens != 5 || asked.Cost != 15 {
		t.Errorf("the question pays %+v", asked)
	}
	list, err := s.Spending(context.Background(), "", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	for _, sp := range list {
		if want := int64(1); sp.Subject == "all" && (sp.Calls != want || sp.Tokens != int64(asked.PromptTokens) || sp.Cost != asked.Cost) || sp.Subject != "all" && sp.Calls != 0 {
			t.Errorf("%+v", sp)
		}
	}
	o, err := s.Overview(context.Background(), store.OverviewFilter{})
	if err != nil || o.Cost != 15 || o.Catalog != 15 || len(o.Models) != 1 || o.Models[0].Label != "vectors" || o.Models[0].Cost != 15 {
		t.Errorf("the overview has %+v, %v", o, err)
	}
}
