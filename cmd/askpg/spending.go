package main

import (
	"context"
	"log/slog"

	"askpg/ask"
	"askpg/catalog"
	"askpg/store"
	"askpg/translator/llm"
	"askpg/translator/token"
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
	model embeds
	store *store.Store
	log   *slog.Logger
}

// Embed implements catalog.Embedder.
func (s spending) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors, err := s.model.Embed(ctx, texts)
	u := ask.Usage{Calls: 1}
	for _, t := range texts {
		u.PromptTokens += token.Count(t)
	}
	u.Cost = float64(u.PromptTokens) * s.model.Traits().PriceIn / 1e6
	if !ask.Spent(ctx, u) {
		if err := s.store.Spend(context.WithoutCancel(ctx), u); err != nil {
			s.log.ErrorContext(ctx, "the cost of vectors is not added to the budget", "cost", u.Cost, "error", err)
		}
	}
	return vectors, err
}
