package search

import "slices"

// workspace is the memory of one search at a time.
type workspace struct {
	columns   scores
	relations scores
	top       [][3]float64 // the three best scores of each relation's columns
	named     []int32      // words of each relation's name that the text has
}

func newWorkspace(x *Index) *workspace {
	return &workspace{
		columns: newScores(len(x.column)), relations: newScores(len(x.relation)),
		top: make([][3]float64, len(x.relation)), named: make([]int32, len(x.relation)),
	}
}

// clear makes the workspace ready for the next search.
func (w *workspace) clear() {
	for _, r := range w.relations.docs {
		w.top[r], w.named[r] = [3]float64{}, 0
	}
	w.columns.clear()
	w.relations.clear()
}

// scores are the scores of the documents of one kind: columns or relations.
// Only documents that a search has found have one, so that its work is that of
// what it finds.
type scores struct {
	score []float64
	found []bool
	docs  []int32 // that have been found

	best    []float64 // of the query term at hand
	current []int32   // documents that it leads to
}

func newScores(n int) scores {
	return scores{score: make([]float64, n), found: make([]bool, n), best: make([]float64, n)}
}

// offer gives a document a score for the query term at hand; the best one
// counts.
func (s *scores) offer(doc int32, score float64) {
	if s.best[doc] == 0 {
		s.current = append(s.current, doc)
	}
	s.best[doc] = max(s.best[doc], score)
}

// addOffered adds the scores that were offered for a query term.
func (s *scores) addOffered() {
	for _, doc := range s.current {
		s.add(doc, s.best[doc])
		s.best[doc] = 0
	}
	s.current = s.current[:0]
}

// add adds to a document's score.
func (s *scores) add(doc int32, score float64) {
	if !s.found[doc] {
		s.docs = append(s.docs, doc)
		s.found[doc] = true
	}
	s.score[doc] += score
}

// drop takes out the documents that drop returns true for.
func (s *scores) drop(drop func(doc int32) bool) {
	kept := s.docs[:0]
	for _, doc := range s.docs {
		if drop(doc) {
			s.score[doc], s.found[doc] = 0, false
		} else {
			kept = append(kept, doc)
		}
	}
	s.docs = kept
}

func (s *scores) clear() {
	s.drop(func(int32) bool { return true })
}

// topK returns the best of the list, the best first, at most k; cmp is
// negative if a is better than b. It may reorder the list.
func topK[T any](list []T, k int, cmp func(a, b T) int) []T {
	if k >= len(list) {
		slices.SortFunc(list, cmp)
		return list
	}
	var best []T // sorted; nearly all of a long list is worse than the last of it
	for _, x := range list {
		if len(best) < k || k > 0 && cmp(x, best[k-1]) < 0 {
			i, _ := slices.BinarySearchFunc(best, x, cmp)
			best = slices.Insert(best[:min(len(best), k-1)], i, x)
		}
	}
	return best
}
