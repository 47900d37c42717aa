package catalog

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
)

// meaning is what a snapshot knows of its relations' vectors. It is empty
// until they are made.
type meaning struct {
	sync.Mutex
	by      *embeddings
	vectors *vectors
	asked   map[string][]*Relation // relations nearest to a question, the nearest first
	order   []string               // questions asked, the oldest first
}

// vectors are the vectors of relations, one after the other.
type vectors struct {
	relations []*Relation
	length    int
	data      []float32
}

// newVectors puts vectors of one length together; relations without one are
// left out, and those of another length than the first.
func newVectors(relations []*Relation, of [][]float32) *vectors {
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

// nearMany is how many relations the search takes from the vectors.
const nearMany = 100

// nearest returns the relations whose vectors are nearest to one.
func (v *vectors) nearest(to []float32) []*Relation {
	if len(to) != v.length {
		return nil
	}
	type scored struct {
		at    int
		score float32
	}
	all := make([]scored, len(v.relations))
	for i := range v.relations {
		var sum float32
		for k, x := range v.data[i*v.length : (i+1)*v.length] {
			sum += x * to[k]
		}
		all[i] = scored{i, sum}
	}
	best := topK(all, nearMany, func(a, b scored) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.at, b.at)) })
	out := make([]*Relation, len(best))
	for i, s := range best {
		out[i] = v.relations[s.at]
	}
	return out
}

// Prepare lets searches for the text find relations by meaning, where an
// Embedder is used and the snapshot's vectors are made. It waits no longer
// than the configured deadline; searches for a text that is not prepared go by
// words alone.
func (s *Snapshot) Prepare(ctx context.Context, text string) {
	if s.shared != nil {
		s.shared.Prepare(ctx, text)
		return
	}
	key := strings.TrimSpace(text)
	s.meaning.Lock()
	by, vectors, known := s.meaning.by, s.meaning.vectors, s.meaning.asked[key] != nil
	s.meaning.Unlock()
	if by == nil || vectors == nil || len(vectors.relations) == 0 || known || key == "" {
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
	s.meaning.Lock()
	defer s.meaning.Unlock()
	if s.meaning.asked == nil {
		s.meaning.asked = map[string][]*Relation{}
	}
	if s.meaning.asked[key] == nil {
		s.meaning.order = append(s.meaning.order, key)
	}
	s.meaning.asked[key] = nearest
	if len(s.meaning.order) > embedAsked {
		delete(s.meaning.asked, s.meaning.order[0])
		s.meaning.order = s.meaning.order[1:]
	}
}

// near returns the relations nearest to a prepared text.
func (s *Snapshot) near(text string) []*Relation {
	if s.shared != nil {
		return s.shared.near(text)
	}
	s.meaning.Lock()
	defer s.meaning.Unlock()
	return s.meaning.asked[strings.TrimSpace(text)]
}

// fuseK is the constant of reciprocal rank fusion (Cormack, Clarke and
// Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank
// Learning Methods", SIGIR 2009).
const fuseK = 60

// fuse orders relations by their ranks among those found by words and among
// those found by meaning. Scores stay those of the places: what is first has
// the best.
func (f *found) fuse(byWords []RelationMatch, byMeaning []*Relation) []RelationMatch {
	if len(byMeaning) == 0 {
		return byWords
	}
	type fused struct {
		m     RelationMatch
		score float64
	}
	at := map[*Relation]int{}
	var all []fused
	for i, m := range byWords {
		at[m.Relation] = len(all)
		all = append(all, fused{m, 1 / float64(fuseK+i+1)})
	}
	for i, r := range byMeaning {
		if n, ok := f.numbers[r]; !ok || !f.alive[n] {
			continue
		}
		k, ok := at[r]
		if !ok {
			k = len(all)
			all = append(all, fused{m: RelationMatch{Relation: r}})
		}
		all[k].score += 1 / float64(fuseK+i+1)
	}
	slices.SortStableFunc(all, func(a, b fused) int {
		return cmp.Or(cmp.Compare(b.score, a.score), a.m.Relation.Name.compare(b.m.Relation.Name))
	})
	out := make([]RelationMatch, len(all))
	for i, x := range all {
		out[i] = x.m
		switch {
		case i < len(byWords):
			out[i].Score = byWords[i].Score
		case i > 0:
			out[i].Score = out[i-1].Score * 0.95
		default:
			out[i].Score = 1
		}
	}
	return out
}
