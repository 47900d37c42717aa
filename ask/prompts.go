package ask

import (
	"context"
	"sync"
)

// Prompt is a text that a model was sent.
type Prompt struct {
	Model string `json:"model"`
	Text  string `json:"text"`
	Times int    `json:"times"` // how often it was sent
}

// Prompts collects what models are sent for a question, up to a number of
// different texts and of bytes. It is safe for concurrent use.
type Prompts struct {
	Max, MaxBytes int

	mu    sync.Mutex
	bytes int
	list  []Prompt
}

type promptsKey struct{}

// WithPrompts returns a context under which KeepPrompt adds to p.
func WithPrompts(ctx context.Context, p *Prompts) context.Context {
	return context.WithValue(ctx, promptsKey{}, p)
}

// KeepPrompt notes what a model is sent, if prompts are kept. text is called
// only then.
func KeepPrompt(ctx context.Context, model string, text func() string) {
	p, ok := ctx.Value(promptsKey{}).(*Prompts)
	if !ok {
		return
	}
	t := text()
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range p.list {
		if p.list[i].Model == model && p.list[i].Text == t {
			p.list[i].Times++
			return
		}
	}
	if len(p.list) < p.Max && p.bytes+len(t) <= p.MaxBytes {
		p.list, p.bytes = append(p.list, Prompt{model, t, 1}), p.bytes+len(t)
	}
}

// List returns what was collected.
func (p *Prompts) List() []Prompt {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]Prompt(nil), p.list...)
}
