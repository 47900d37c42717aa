package search

import (
	"cmp"
	"context"
	"strings"
	"sync"

	"askpg/catalog/lru"
	"askpg/catalog/schema"
)

// preparedTexts is how many texts of an index have their nearest relations
// kept.
const preparedTexts = 64

// semantic is the part of an index that finds relations by meaning. It is empty
// until an Embeddings has made their vectors.
type semantic struct {
	sync.Mutex
	by       *Embeddings
	vectors  *vectors
	prepared *lru.Cache[string, []*schema.Relation] // relations nearest to a text, the nearest first
}

// Prepare lets searches for the text find relations by meaning, if the vectors
// of the index have been made. It waits for the text's vector no longer than
// EmbeddingsConfig.Deadline; searches for a text that is not prepared go by
// words alone.
func (x *Index) Prepare(ctx context.Context, text string) {
	s := &x.semantic
	key := strings.TrimSpace(text)
	s.Lock()
	by, vectors := s.by, s.vectors
	s.Unlock()
	if by == nil || vectors == nil || len(vectors.relations) == 0 || key == "" || s.nearest(key) != nil {
		return
	}
	call, cancel := context.WithTimeout(ctx, by.cfg.Deadline.Duration())
	defer cancel()
	got, err := by.call(call, []string{key})
	if err != nil {
		by.log.Debug("a question is searched by its words alone", "error", err)
		return
	}
	nearest := vectors.nearest(got[0])
	s.Lock()
	defer s.Unlock()
	s.prepared.Put(key, nearest)
}

// nearest returns the relations nearest to a prepared text.
func (s *semantic) nearest(text string) []*schema.Relation {
	s.Lock()
	defer s.Unlock()
	if s.prepared == nil {
		return nil
	}
	nearest, _ := s.prepared.Get(strings.TrimSpace(text))
	return nearest
}

// wait makes the index one that waits for its vectors. It returns false if it
// is one already.
func (s *semantic) wait(by *Embeddings) bool {
	s.Lock()
	defer s.Unlock()
	if s.by != nil {
		return false
	}
	s.by = by
	s.prepared = lru.New[string, []*schema.Relation](preparedTexts, nil)
	return true
}

func (s *semantic) set(v *vectors) {
	s.Lock()
	defer s.Unlock()
	s.vectors = v
}

// vectors are the vectors of relations, one after the other.
type vectors struct {
	relations []*schema.Relation
	length    int
	data      []float32
}

// newVectors puts vectors of one length together. Relations without a vector
// are left out, and those with one of another length than the first.
func newVectors(relations []*schema.Relation, of [][]float32) *vectors {
	v := &vectors{}
	for i, r := range relations {
		if len(of[i]) == 0 || v.length > 0 && len(of[i]) != v.length {
			continue
		}
		v.length = len(of[i])
		v.relations = append(v.relations, r)
		v.data = append(v.data, of[i]...)
	}
	return v
}

// maxNearest is how many relations the search takes from the vectors.
const maxNearest = 100

// nearest returns the relations whose vectors have the greatest dot product
// with one.
func (v *vectors) nearest(to []float32) []*schema.Relation {
	if len(to) != v.length {
		return nil
	}
	type scored struct {
		relation int
		score    float32
	}
	all := make([]scored, len(v.relations))
	for i := range v.relations {
		var sum float32
		for k, x := range v.data[i*v.length : (i+1)*v.length] {
			sum += x * to[k]
		}
		all[i] = scored{i, sum}
	}
	best := topK(all, maxNearest, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.relation, b.relation))
	})
	out := make([]*schema.Relation, len(best))
	for i, s := range best {
		out[i] = v.relations[s.relation]
	}
	return out
}
