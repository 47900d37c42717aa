package translator

import (
	"cmp"
	"context"
	"math"
	"slices"

	"askpg/ask"
	"askpg/translator/demo"
	"askpg/translator/llm"
)

// embedder is what a Model with the role embed has too.
type embedder interface {
	// Embed returns a vector for each text, all of one length. It tells ask.Spent, before it returns, what that cost.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// embedder returns the first model of the role that embeds. ok is false if
// there is none.
func (t *Translator) embedder() (m model, ok bool) {
	for _, m := range t.up(llm.RoleEmbed) {
		if _, ok := m.Model.(embedder); ok {
			return m, true
		}
	}
	return model{}, false
}

// embedded is how many of the lexically nearest pairs of the pool an embedding
// ranks.
const embedded = 64

// nearestDemos returns the k pairs of the pool nearest to the question by its words,
// and the k nearest to it by its skeleton, if it is not "". Where a model embeds, it ranks those that are
// lexically near; where it does not answer in time, their lexical order stands.
func (s *state) nearestDemos(ctx context.Context, masked string, k int) (byWords, bySkeleton []demo.Pair) {
	e, ok := s.t.embedder()
	if !ok || s.t.pool == nil || k == 0 {
		return s.t.pool.Similar(s.q.Text, k), s.t.pool.SimilarMasked(masked, k)
	}
	byWords, bySkeleton = s.t.pool.Similar(s.q.Text, max(k, embedded)), s.t.pool.SimilarMasked(masked, max(k, embedded))
	// One request has both questions and what they are compared with.
	texts := []string{s.q.Text}
	for _, p := range byWords {
		texts = append(texts, p.Question)
	}
	words := len(texts)
	if len(bySkeleton) > 0 {
		texts = append(texts, masked)
	}
	for _, p := range bySkeleton {
		texts = append(texts, demo.MaskBySQL(p.Question, p.SQL))
	}
	if len(texts) == 1 {
		return nil, nil
	}
	if v, ok := s.vectorsOf(ctx, e, texts); ok {
		byWords = ranked(byWords, v[0], v[1:words])
		if len(bySkeleton) > 0 {
			bySkeleton = ranked(bySkeleton, v[words], v[words+1:])
		}
	}
	return byWords[:min(k, len(byWords))], bySkeleton[:min(k, len(bySkeleton))]
}

// ranked sorts demonstrations by their vectors' cosine with another.
func ranked[T any](pairs []T, to []float32, vectors [][]float32) []T {
	order := make([]int, len(pairs))
	near := make([]float64, len(pairs))
	for i := range pairs {
		order[i], near[i] = i, cosine(to, vectors[i])
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(near[b], near[a]) })
	out := make([]T, len(pairs))
	for i, o := range order {
		out[i] = pairs[o]
	}
	return out
}

func cosine(a, b []float32) float64 {
	if len(a) != len(b) {
		return 0 // another model's, from before a restart of the server
	}
	var ab, aa, bb float64
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		ab, aa, bb = ab+x*y, aa+x*x, bb+y*y
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return ab / math.Sqrt(aa*bb)
}

// vectorsOf returns the vectors of texts: from the cache, and the others from the model
// in one request within translator.embed_timeout. ok is false if it does not answer.
func (s *state) vectorsOf(ctx context.Context, m model, texts []string) (out [][]float32, ok bool) {
	out = make([][]float32, len(texts))
	var unknown []string
	at := map[string][]int{}
	for i, t := range texts {
		if v, ok := s.t.vectors.Get(vectorKey{m.Name(), t}); ok {
			out[i] = v
			continue
		}
		if at[t] == nil {
			unknown = append(unknown, t)
		}
		at[t] = append(at[t], i)
	}
	if len(unknown) == 0 {
		return out, true
	}
	limit := s.mostSpentEmbedding(m, unknown)
	if !s.mayCall(limit) {
		return nil, false
	}
	call, cancel := context.WithTimeout(ctx, s.t.cfg.EmbedTimeout.Duration())
	defer cancel()
	var spent ask.Usage
	vectors, err := m.Model.(embedder).Embed(ask.WithSpending(call, func(_ string, u ask.Usage) { spent.Add(u) }), unknown)
	s.spend(limit, m.Name(), spent)
	if err != nil {
		s.t.log.Debug("demonstrations are chosen by their words", "id", s.q.ID, "error", err)
		return nil, false
	}
	for i, t := range unknown {
		s.t.vectors.Put(vectorKey{m.Name(), t}, vectors[i])
		for _, j := range at[t] {
			out[j] = vectors[i]
		}
	}
	return out, true
}

// vectorKey is what the vectors of the texts used last are kept by.
type vectorKey struct{ model, text string }

// maxVectors bounds them: 12 MB for each 1,000 at 3,072 numbers.
const maxVectors = 4096
