package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"askpg/ask"
	"askpg/translator"
	"askpg/translator/llm"
)

// witness stands in for a model: it keeps what it is sent and answers nothing.
type witness struct {
	name   string
	traits llm.Traits

	mu   sync.Mutex
	sent []string
}

func (w *witness) Name() string       { return w.name }
func (w *witness) Traits() llm.Traits { return w.traits }

func (w *witness) Complete(_ context.Context, r llm.Request) (llm.Response, error) {
	w.mu.Lock()
	w.sent = append(w.sent, promptText(r))
	w.mu.Unlock()
	return llm.Response{}, errors.New("nothing is sent while this is checked")
}

// showPrompts prints what the models would be sent for a question first, by
// asking it with witnesses in their places.
func showPrompts(ctx context.Context, w io.Writer, cfg Config, db, role, question string) error {
	clients, err := openModels(cfg.Models, slog.New(slog.DiscardHandler), nil)
	if err != nil {
		return err
	}
	var witnesses []*witness
	for _, c := range clients {
		witnesses = append(witnesses, &witness{name: c.Name(), traits: c.Traits()})
	}
	if len(witnesses) == 0 {
		fmt.Fprintln(w, "No [[model]] is configured: nothing leaves. This is what one with the default settings would be sent.")
		d := llm.DefaultConfig()
		witnesses = append(witnesses, &witness{name: "none", traits: llm.Traits{Window: d.Window, MaxTokens: d.MaxTokens, Roles: d.Roles, Local: true}})
	}
	models := make([]translator.Model, len(witnesses))
	for i, m := range witnesses {
		models[i] = m
	}
	remove, err := cfg.passing()
	if err != nil {
		return err
	}
	defer remove()
	a, err := openApp(ctx, cfg, models, slog.New(slog.DiscardHandler), prometheus.NewRegistry())
	if err != nil {
		return err
	}
	defer func() { _ = a.close() }()
	_, err = a.answer(ctx, ask.Question{
		ID: ask.NewID(), Text: question, Fresh: true, Asked: time.Now(),
		Session: shellSession(db, role),
	})
	sent := 0
	for _, m := range witnesses {
		for _, text := range m.sent {
			sent++
			fmt.Fprintf(w, "===== to %s\n%s\n", m.name, ask.Visible(text))
		}
	}
	fmt.Fprintln(w)
	if sent > 0 {
		fmt.Fprintf(w, "This was not sent. `askpg ask --db %s --user %s` asks the question.\n", db, role)
		return nil
	}
	fmt.Fprintln(w, "Nothing would be sent to a model for this question.")
	if err != nil && ask.CodeOf(err) != ask.CodeNoModel {
		return readable(err)
	}
	return nil
}
