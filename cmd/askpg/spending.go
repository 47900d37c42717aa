package main

import (
	"context"
	"log/slog"

	"askpg/ask"
	"askpg/catalog"
	"askpg/store"
	"askpg/translator/llm"
)

// embeds is a model that embeds.
type embeds interface {
	catalog.Embedder
	Traits() llm.Traits
}

// spending counts what the catalog's vectors cost: that of a question in what
// the question spends, those of relations, which are made for everybody, in what all roles
// spend together.
type spending struct {
	model catalog.Embedder
	store *store.Store
	log   *slog.Logger
}

// Embed implements catalog.Embedder.
func (s spending) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	return s.model.Embed(ask.WithSpending(ctx, func(model string, u ask.Usage) {
		if ask.Spent(ctx, model, u) {
			return
		}
		if err := s.store.Spend(context.WithoutCancel(ctx), model, u); err != nil {
			s.log.ErrorContext(ctx, "the cost of vectors is not added to the budget", "cost", u.Cost, "error", err)
		}
	}), texts)
}
