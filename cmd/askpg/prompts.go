package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"askpg/ask"
	"askpg/store"
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

// maxPrompts is how many different prompts of a question the review page shows.
const maxPrompts = 32

// prompts renders what the models would be sent for a logged question first.
func (a *app) prompts(ctx context.Context, r *store.Record) ([]ask.Prompt, error) {
	models := witnesses(a.current.Load().models)
	if len(models) == 0 {
		return nil, nil
	}
	sent, err := a.wouldSend(ctx, ask.Question{
		ID: ask.NewID(), Text: r.Question, Hint: r.Hint, Options: r.Options, History: r.History, Fresh: true, Asked: time.Now(),
		Session: ask.Session{Database: r.Database, Role: r.Role, SessionUser: r.Login, Settings: r.Settings},
	}, models)
	if len(sent) > 0 || ask.CodeOf(err) == ask.CodeNoModel || ask.CodeOf(err) == ask.CodeNoCandidate {
		return sent[:min(len(sent), maxPrompts)], nil
	}
	return nil, err
}
