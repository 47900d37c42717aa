package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"askpg/ask"
	"askpg/translator"
	"askpg/translator/llm"
)

// witness stands in for a model: it notes what it is sent and answers nothing.
type witness struct {
	name   string
	traits llm.Traits
}

func (w witness) Name() string       { return w.name }
func (w witness) Traits() llm.Traits { return w.traits }

func (w witness) Complete(ctx context.Context, r llm.Request) (llm.Response, error) {
	ask.KeepPrompt(ctx, w.name, func() string { return promptText(r) })
	return llm.Response{}, errors.New("nothing is sent while this is checked")
}

// witnesses stand in for models.
func witnesses(clients []*llm.Client) (list []translator.Model) {
	for _, c := range clients {
		list = append(list, witness{c.Name(), c.Traits()})
	}
	return list
}

// wouldSend returns the prompts that models would be sent for a question first, by asking it with witnesses in their places.
func (a *app) wouldSend(ctx context.Context, q ask.Question, witnesses []translator.Model) ([]ask.Prompt, error) {
	cfg := a.config().Translator
	cfg.Privacy = a.config().Privacy
	core := translator.New(cfg, a.catalog, executor{a.replica}, witnesses, quiet(), prometheus.NewRegistry(), translator.WithExamples(examples{a}))
	sent := &ask.Prompts{Max: math.MaxInt, MaxBytes: math.MaxInt}
	_, err := core.Translate(ask.WithPrompts(ctx, sent), q)
	return slices.SortedStableFunc(slices.Values(sent.List()), func(a, b ask.Prompt) int { return cmp.Compare(a.Model, b.Model) }), err
}

// showPrompts prints what the models would be sent for a question first.
func showPrompts(ctx context.Context, w io.Writer, cfg Config, db, role, question string) error {
	clients, err := openModels(nil, cfg.Models, quiet(), nil)
	if err != nil {
		return err
	}
	models := witnesses(clients)
	if len(models) == 0 {
		fmt.Fprintln(w, "No [[model]] is configured: nothing leaves. This is what one with the default settings would be sent.")
		d := llm.DefaultConfig()
		models = []translator.Model{witness{"none", llm.Traits{Window: d.Window, MaxTokens: d.MaxTokens, Roles: d.Roles, Local: true}}}
	}
	remove, err := cfg.passing()
	if err != nil {
		return err
	}
	defer remove()
	a, err := openApp(ctx, cfg, nil, quiet(), prometheus.NewRegistry())
	if err != nil {
		return err
	}
	defer func() { _ = a.close() }()
	sent, err := a.wouldSend(ctx, ask.Question{ID: ask.NewID(), Text: question, Fresh: true, Asked: time.Now(), Session: shellSession(db, role)}, models)
	for _, p := range sent {
		fmt.Fprintf(w, "===== to %s\n%s\n", p.Model, ask.Visible(p.Text))
	}
	fmt.Fprintln(w)
	if len(sent) > 0 {
		fmt.Fprintf(w, "This was not sent. `askpg ask --db %s --user %s` asks the question.\n", db, role)
		return nil
	}
	fmt.Fprintln(w, "Nothing would be sent to a model for this question.")
	if err != nil && ask.CodeOf(err) != ask.CodeNoModel {
		return readable(err)
	}
	return nil
}
