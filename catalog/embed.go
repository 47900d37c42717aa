package catalog

import (
	"container/list"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"strings"
	"sync"
	"time"

	"askpg/ask"
)

// Embedder turns texts into vectors of one length, whose dot product is the
// larger the nearer the texts are in meaning.
type Embedder interface {
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// EmbeddingsConfig says how the search uses an Embedder.
type EmbeddingsConfig struct {
	Relations int          `toml:"relations"` // relations of a snapshot that get a vector; the others are found by their words alone
	Vectors   int          `toml:"vectors"`   // vectors kept, of all snapshots; the least recently used goes first
	Batch     int          `toml:"batch"`     // texts sent at once
	Timeout   ask.Duration `toml:"timeout"`   // of one call for the vectors of relations, which are made in the background
	Deadline  ask.Duration `toml:"deadline"`  // of the call for a question's vector; without it the question's words decide alone
}

// DefaultEmbeddingsConfig suits an endpoint in the same data centre.
func DefaultEmbeddingsConfig() EmbeddingsConfig {
	return EmbeddingsConfig{Relations: 10000, Vectors: 20000, Batch: 64, Timeout: ask.Duration(30 * time.Second), Deadline: ask.Duration(500 * time.Millisecond)}
}

func (c *EmbeddingsConfig) validate() error {
	for _, n := range []struct {
		name string
		v    int
	}{{"relations", c.Relations}, {"vectors", c.Vectors}, {"batch", c.Batch}} {
		if n.v < 1 {
			return fmt.Errorf("catalog.embeddings.%s must be at least 1, is %d", n.name, n.v)
		}
	}
	if c.Vectors < c.Relations {
		return fmt.Errorf("catalog.embeddings.vectors must be at least catalog.embeddings.relations (%d), is %d", c.Relations, c.Vectors)
	}
	if c.Timeout <= 0 || c.Deadline <= 0 {
		return errors.New("catalog.embeddings.timeout and catalog.embeddings.deadline must be more than 0")
	}
	return nil
}

const (
	embedTries   = 4  // calls for a batch before a snapshot goes without the rest
	embedWaiting = 16 // snapshots that wait for their vectors
	embedBytes   = 4000
	embedAsked   = 64 // questions of a snapshot whose ranks are kept
)

// embedWait is how long a failed call is waited after, doubled each time.
var embedWait = time.Second

// embeddings makes the vectors of snapshots in one goroutine, and those of
// questions while these wait.
type embeddings struct {
	cfg EmbeddingsConfig
	by  Embedder
	log *slog.Logger
	m   *metrics

	wake chan struct{}

	mu      sync.Mutex
	waiting []*Snapshot
	vectors map[[32]byte]*list.Element // by hash of the text
	order   *list.List                 // of *embedded, the most recently used first
}

type embedded struct {
	hash   [32]byte
	vector []float32
}

// UseEmbedder lets the search find relations by meaning beside their words.
// Call it once, before the first Snapshot.
func (c *Catalog) UseEmbedder(e Embedder) {
	c.embeddings = &embeddings{
		cfg: c.cfg.Embeddings, by: e, log: c.log, m: c.m, wake: make(chan struct{}, 1),
		vectors: map[[32]byte]*list.Element{}, order: list.New(),
	}
	if c.begin() {
		go func() {
			defer c.loads.Done()
			c.embeddings.run(c.ctx)
		}()
	}
}

// want asks for the vectors of a snapshot. It does not wait for them.
func (e *embeddings) want(s *Snapshot) {
	if e == nil {
		return
	}
	for s.shared != nil {
		s = s.shared
	}
	s.meaning.Lock()
	known := s.meaning.by != nil
	s.meaning.by = e
	s.meaning.Unlock()
	if known {
		return
	}
	e.mu.Lock()
	e.waiting = append(e.waiting, s)
	if len(e.waiting) > embedWaiting {
		e.waiting = e.waiting[1:]
	}
	e.mu.Unlock()
	select {
	case e.wake <- struct{}{}:
	default:
	}
}

func (e *embeddings) run(ctx context.Context) {
	for {
		e.mu.Lock()
		var s *Snapshot
		if n := len(e.waiting); n > 0 { // the newest is in use
			s = e.waiting[n-1]
			e.waiting = e.waiting[:n-1]
		}
		e.mu.Unlock()
		if s != nil {
			e.make(ctx, s)
			continue
		}
		select {
		case <-ctx.Done():
			return
		case <-e.wake:
		}
	}
}

// make gives a snapshot the vectors of its relations: those of texts seen
// before, and new ones. It keeps what it got when a call fails for good.
func (e *embeddings) make(ctx context.Context, s *Snapshot) {
	relations := s.Relations[:min(len(s.Relations), e.cfg.Relations)]
	vectors := make([][]float32, len(relations))
	var missing []int
	texts := make([]string, len(relations))
	for i, r := range relations {
		texts[i] = embedText(r)
		if vectors[i] = e.cached(texts[i]); vectors[i] == nil {
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
				e.log.Warn("relations are searched by their words alone: no vectors", "database", s.Database, "relations", len(missing)-from, "error", err)
			}
			break
		}
		for k, i := range batch {
			vectors[i] = got[k]
			e.keep(texts[i], got[k])
		}
	}
	s.meaning.Lock()
	s.meaning.vectors = newVectors(relations, vectors)
	s.meaning.Unlock()
}

// batch asks for vectors, a few times where it fails.
func (e *embeddings) batch(ctx context.Context, texts []string) ([][]float32, error) {
	wait := embedWait
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

// call asks once and looks at what it gets.
func (e *embeddings) call(ctx context.Context, texts []string) ([][]float32, error) {
	got, err := e.by.Embed(ctx, texts)
	if err == nil {
		err = usable(got, len(texts))
	}
	outcome := "ok"
	switch {
	case errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil:
		outcome = "late"
	case err != nil:
		outcome = "failed"
	}
	e.m.embeddings.WithLabelValues(outcome).Inc()
	if err != nil {
		return nil, err
	}
	out := make([][]float32, len(got))
	for i, v := range got {
		out[i] = unit(v)
	}
	return out, nil
}

// usable says what is wrong with vectors for n texts.
func usable(vectors [][]float32, n int) error {
	if len(vectors) != n {
		return fmt.Errorf("%d vectors for %d texts", len(vectors), n)
	}
	for _, v := range vectors {
		if len(v) == 0 || len(v) != len(vectors[0]) {
			return errors.New("vectors of different lengths")
		}
		for _, x := range v {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				return errors.New("a vector with a value that is no number")
			}
		}
	}
	return nil
}

// unit returns the vector at length 1.
func unit(v []float32) []float32 {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	out := make([]float32, len(v))
	if sum > 0 {
		for i, x := range v {
			out[i] = float32(float64(x) / math.Sqrt(sum))
		}
	}
	return out
}

func (e *embeddings) cached(text string) []float32 {
	e.mu.Lock()
	defer e.mu.Unlock()
	if el := e.vectors[sha256.Sum256([]byte(text))]; el != nil {
		e.order.MoveToFront(el)
		return el.Value.(*embedded).vector
	}
	return nil
}

func (e *embeddings) keep(text string, vector []float32) {
	hash := sha256.Sum256([]byte(text))
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.vectors[hash] != nil {
		return
	}
	e.vectors[hash] = e.order.PushFront(&embedded{hash, vector})
	for e.order.Len() > e.cfg.Vectors {
		last := e.order.Back()
		delete(e.vectors, last.Value.(*embedded).hash)
		e.order.Remove(last)
	}
}

// embedText is what stands for a relation: names and comments of what is not
// private, and no values.
func embedText(r *Relation) string {
	var b strings.Builder
	b.WriteString(strings.Join(Words(r.Name.Name), " "))
	if len(r.Synonyms) > 0 {
		b.WriteString(", " + strings.Join(r.Synonyms, ", "))
	}
	if r.Comment != "" {
		b.WriteString(": " + r.Comment)
	}
	for i, c := range r.Columns {
		if c.Private {
			continue
		}
		if i == 0 {
			b.WriteString("\n")
		} else {
			b.WriteString(", ")
		}
		b.WriteString(strings.Join(Words(c.Name), " "))
		if c.Comment != "" {
			b.WriteString(" (" + c.Comment + ")")
		}
		if b.Len() > embedBytes {
			break
		}
	}
	s := b.String()
	return strings.ToValidUTF8(s[:min(len(s), embedBytes)], "")
}
