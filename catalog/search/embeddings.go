package search

import (
	"context"
	"crypto/sha256"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"askpg/catalog/lru"
)

// Limits of the calls for vectors.
const (
	embedTries   = 4    // calls for a batch before an index goes without the rest
	embedWaiting = 16   // indexes that wait for their vectors
	embedBytes   = 4000 // of the text of a relation

	embedWait = time.Second // after a failed call, doubled each time
)

// Embeddings makes the vectors of indexes in one goroutine, and those of
// questions while these wait.
type Embeddings struct {
	cfg   EmbeddingsConfig
	by    Embedder
	log   *slog.Logger
	calls *prometheus.CounterVec // by outcome

	wake chan struct{}

	mu      sync.Mutex
	waiting []waitingIndex
	vectors *lru.Cache[[sha256.Size]byte, []float32] // by hash of the text
}

type waitingIndex struct {
	index    *Index
	database string
}

// NewEmbeddings returns an Embeddings that counts its calls by their outcome:
// ok, late or failed. Run does its work.
func NewEmbeddings(cfg EmbeddingsConfig, by Embedder, log *slog.Logger, calls *prometheus.CounterVec) *Embeddings {
	return &Embeddings{
		cfg: cfg, by: by, log: log, calls: calls, wake: make(chan struct{}, 1),
		vectors: lru.New[[sha256.Size]byte, []float32](cfg.Vectors, nil),
	}
}

// Want asks for the vectors of an index of a database. It does not wait for
// them.
func (e *Embeddings) Want(x *Index, database string) {
	if !x.semantic.wait(e) {
		return
	}
	e.mu.Lock()
	e.waiting = append(e.waiting, waitingIndex{x, database})
	if len(e.waiting) > embedWaiting {
		e.waiting = e.waiting[1:]
	}
	e.mu.Unlock()
	select {
	case e.wake <- struct{}{}:
	default:
	}
}

// Run makes the vectors that are wanted until the context ends.
func (e *Embeddings) Run(ctx context.Context) {
	for {
		e.mu.Lock()
		var next waitingIndex
		if n := len(e.waiting); n > 0 { // the newest is in use
			next = e.waiting[n-1]
			e.waiting = e.waiting[:n-1]
		}
		e.mu.Unlock()
		if next.index != nil {
			e.make(ctx, next)
			continue
		}
		select {
		case <-ctx.Done():
			return
		case <-e.wake:
		}
	}
}

// make gives an index the vectors of its relations: those of texts seen before,
// and new ones. It keeps what it got when a call fails for good.
func (e *Embeddings) make(ctx context.Context, w waitingIndex) {
	relations := w.index.Relations[:min(len(w.index.Relations), e.cfg.Relations)]
	vectors := make([][]float32, len(relations))
	texts := make([]string, len(relations))
	var missing []int
	for i, r := range relations {
		texts[i] = embedText(r)
		if vectors[i], _ = e.vectors.Get(sha256.Sum256([]byte(texts[i]))); vectors[i] == nil {
			missing = append(missing, i)
		}
	}
	for from := 0; from < len(missing) && ctx.Err() == nil; from += e.cfg.Batch {
		batch := missing[from:min(len(missing), from+e.cfg.Batch)]
		list := make([]string, len(batch))
		for k, i := range batch {
			list[k] = texts[i]
		}
		got, err := e.batch(ctx, list)
		if err != nil {
			if ctx.Err() == nil {
				e.log.Warn("relations are searched by their words alone: no vectors", "database", w.database, "relations", len(missing)-from, "error", err)
			}
			break
		}
		for k, i := range batch {
			vectors[i] = got[k]
			e.vectors.Put(sha256.Sum256([]byte(texts[i])), got[k])
		}
	}
	w.index.semantic.set(newVectors(relations, vectors))
}

// batch asks for vectors, a few times where it fails.
func (e *Embeddings) batch(ctx context.Context, texts []string) ([][]float32, error) {
	wait := time.Duration(embedWait)
	for try := 1; ; try++ {
		call, cancel := context.WithTimeout(ctx, e.cfg.Timeout.Duration())
		got, err := e.call(call, texts)
		cancel()
		if err == nil || try == embedTries {
			return got, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(wait):
			wait *= 2
		}
	}
}

// call asks once for vectors and checks what it gets.
func (e *Embeddings) call(ctx context.Context, texts []string) ([][]float32, error) {
	got, err := e.by.Embed(ctx, texts)
	if err == nil {
		err = checkVectors(got, len(texts))
	}
	outcome := "ok"
	switch {
	case errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil:
		outcome = "late"
	case err != nil:
		outcome = "failed"
	}
	e.calls.WithLabelValues(outcome).Inc()
	if err != nil {
		return nil, err
	}
	out := make([][]float32, len(got))
	for i, v := range got {
		out[i] = unit(v)
	}
	return out, nil
}
