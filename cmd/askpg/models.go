package main

import (
	"context"
	"errors"
	"log/slog"
	"slices"

	"github.com/prometheus/client_golang/prometheus"

	"askpg/translator"
	"askpg/translator/llm"
	"askpg/translator/prompt"
)

// openModels makes a client of each [[model]] whose settings and key are not those of an open one, which stays
// as it is: with its state, and what it has learned of its server.
func openModels(open []*llm.Client, configs []llm.Config, log *slog.Logger, reg prometheus.Registerer) ([]*llm.Client, error) {
	var clients []*llm.Client
	for _, c := range configs {
		if i := slices.IndexFunc(open, func(m *llm.Client) bool { return m.Unchanged(c) }); i >= 0 {
			clients = append(clients, open[i])
			continue
		}
		m, err := llm.New(c, log, reg)
		if err != nil {
			return nil, err
		}
		clients = append(clients, m)
	}
	return clients, nil
}

// closeReplaced ends the clients of before that are not among those of now.
func closeReplaced(before, now []*llm.Client) {
	for _, m := range before {
		if !slices.Contains(now, m) {
			m.Close(!slices.ContainsFunc(now, func(other *llm.Client) bool { return other.Name() == m.Name() }))
		}
	}
}

// notingPrompts are the models whose prompts are noted where they are to be kept.
func notingPrompts(clients []*llm.Client) []translator.Model {
	models := make([]translator.Model, len(clients))
	for i, m := range clients {
		models[i] = keeper{m}
	}
	return models
}

// embedder returns the first model with the role embed that privacy admits, or
// nil.
func embedder(cfg *Config, models []translator.Model) embeds {
	for _, m := range models {
		e, ok := m.(embeds)
		if ok && e.Traits().Has(llm.RoleEmbed) && (cfg.Privacy.Models != prompt.ModelsLocal || e.Traits().Local) {
			return e
		}
	}
	return nil
}

// embedderSettings returns what vectors depend on: those of two models can't be compared. It is empty if no
// model embeds.
func embedderSettings(cfg *Config) (identity [3]string) {
	for _, m := range cfg.Models {
		if slices.Contains(m.Roles, llm.RoleEmbed) && (cfg.Privacy.Models != prompt.ModelsLocal || m.Local) {
			return [3]string{m.Name, m.BaseURL, m.Model}
		}
	}
	return identity
}

var errOtherEmbedder = errors.New("another model embeds since the configuration was read again; the catalog takes it over at a restart")

// followed is the model that embeds for the catalog: the one of the start, with the key and the limits that are in
// force.
type followed struct{ *app }

// Embed implements catalog.Embedder.
func (f followed) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	now := f.current.Load()
	if now.embedder == nil || embedderSettings(&now.cfg) != f.embeddedBy {
		return nil, errOtherEmbedder
	}
	return now.embedder.Embed(ctx, texts)
}
