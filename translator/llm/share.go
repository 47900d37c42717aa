package llm

import (
	"cmp"
	"context"
	"sync"
)

type askerKey struct{}

// WithAsker returns a context whose requests count for a role of the database: those of one
// role never take all places of a model.
func WithAsker(ctx context.Context, role string) context.Context {
	return context.WithValue(ctx, askerKey{}, role)
}

// places are the requests that a model may have in flight: of all together, and of each
// asker. What nobody asks for (embeddings of the catalog) counts as one asker's.
type places struct {
	all   chan struct{}
	share int

	mu     sync.Mutex
	askers map[string]*asker
}

type asker struct {
	places chan struct{}
	users  int
}

func newPlaces(cfg *Config) *places {
	share := cmp.Or(cfg.MaxConcurrencyPerRole, max(1, cfg.MaxConcurrency/2))
	return &places{all: make(chan struct{}, cfg.MaxConcurrency), share: share, askers: map[string]*asker{}}
}

// enter waits for a place, first among those of the asker, for as long as ctx lasts. The
// returned function gives it back.
func (p *places) enter(ctx context.Context) (leave func(), err error) {
	role, _ := ctx.Value(askerKey{}).(string)
	p.mu.Lock()
	a := p.askers[role]
	if a == nil {
		a = &asker{places: make(chan struct{}, p.share)}
		p.askers[role] = a
	}
	a.users++
	p.mu.Unlock()
	leave = func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if a.users--; a.users == 0 {
			delete(p.askers, role)
		}
	}
	for _, places := range []chan struct{}{a.places, p.all} {
		select {
		case places <- struct{}{}:
			before := leave
			leave = func() {
				<-places
				before()
			}
		case <-ctx.Done():
			leave()
			return nil, ctx.Err()
		}
	}
	return leave, nil
}
