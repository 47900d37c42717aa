package main

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"askpg/admin"
	"askpg/ask"
	"askpg/store"
	"askpg/translator"
	"askpg/translator/llm"
)

// keeper is a model whose prompts are noted where they are to be kept.
type keeper struct{ *llm.Client }

// Complete is the model's.
func (k keeper) Complete(ctx context.Context, r llm.Request) (llm.Response, error) {
	ask.KeepPrompt(ctx, k.Name(), func() string { return promptText(r) })
	return k.Client.Complete(ctx, r)
}

// promptText is a request's messages as people read them.
func promptText(r llm.Request) string {
	var b strings.Builder
	for _, m := range r.Messages {
		fmt.Fprintf(&b, "--- %s\n%s\n", m.Role, m.Content)
	}
	return b.String()
}

// maxPrompts is how many prompts of a question the review page shows.
const maxPrompts = 32

// prompts renders what the models would be sent for a logged question first,
// by asking it again with witnesses in their places.
func (a *app) prompts(ctx context.Context, r *store.Record) ([]admin.Prompt, error) {
	var witnesses []*witness
	var models []translator.Model
	for _, m := range a.current.Load().models {
		w := &witness{name: m.Name(), traits: m.Traits()}
		witnesses, models = append(witnesses, w), append(models, w)
	}
	if len(models) == 0 {
		return nil, nil
	}
	q := ask.Question{
		ID: ask.NewID(), Text: r.Question, Hint: r.Hint, Options: r.Options, History: r.History, Fresh: true, Asked: time.Now(),
		Session: ask.Session{Database: r.Database, Role: r.Role, SessionUser: r.Login, Settings: r.Settings},
	}
	cfg := a.config().Translator
	cfg.Privacy = a.config().Privacy
	quiet := slog.New(slog.DiscardHandler)
	_, err := translator.New(cfg, a.catalog, executor{a.replica}, models, quiet, prometheus.NewRegistry(), translator.WithExamples(examples{a})).Translate(ctx, q)
	var prompts []admin.Prompt
	for _, w := range witnesses {
		w.mu.Lock()
		for _, text := range w.sent {
			if len(prompts) < maxPrompts {
				prompts = append(prompts, admin.Prompt{Model: w.name, Text: text})
			}
		}
		w.mu.Unlock()
	}
	if len(prompts) > 0 || ask.CodeOf(err) == ask.CodeNoModel || ask.CodeOf(err) == ask.CodeNoCandidate {
		return prompts, nil
	}
	return nil, err
}
