package catalog

import "slices"

// sheet is what one search at a time writes down about everything in an index.
type sheet struct {
	queries   []queryTerm
	columns   lane
	relations lane
	top       [][3]float64 // scores of each relation's best columns
	covered   []int32      // words of each relation's name that were asked for
}

func newSheet(x *index) *sheet {
	return &sheet{
		columns: newLane(len(x.column)), relations: newLane(len(x.relation)),
		top: make([][3]float64, len(x.relation)), covered: make([]int32, len(x.relation)),
	}
}

// clear makes the sheet blank again.
func (s *sheet) clear() {
	for _, r := range s.relations.touched {
		s.top[r], s.covered[r] = [3]float64{}, 0
	}
	s.columns.clear()
	s.relations.clear()
	s.queries = s.queries[:0]
}

// lane holds the scores of the documents of one kind. Only those that were
// touched have one, so that a search costs what it finds.
type lane struct {
	score   []float64
	marks   []uint64 // a bit for each query that led to a document, and touchedBit
	touched []int32
	best    []float64 // of the query at hand
	now     []int32   // documents that have one
}

const touchedBit = 1 << 63

// maxMarks is the number of queries that have a mark of their own.
const maxMarks = 63

func newLane(n int) lane {
	return lane{score: make([]float64, n), marks: make([]uint64, n), best: make([]float64, n)}
}

// offer gives a document a score for the query at hand; the best one counts.
func (l *lane) offer(doc int32, score float64) {
	if l.best[doc] == 0 {
		l.now = append(l.now, doc)
	}
	l.best[doc] = max(l.best[doc], score)
}

// settle adds the scores for the query, which has that number, to the others.
func (l *lane) settle(query int) {
	bit := uint64(touchedBit)
	if query < maxMarks {
		bit |= 1 << query
	}
	for _, doc := range l.now {
		if l.marks[doc] == 0 {
			l.touched = append(l.touched, doc)
		}
		l.marks[doc] |= bit
		l.score[doc] += l.best[doc]
		l.best[doc] = 0
	}
	l.now = l.now[:0]
}

// add adds to a document's score.
func (l *lane) add(doc int32, score float64) {
	if l.marks[doc] == 0 {
		l.touched = append(l.touched, doc)
		l.marks[doc] = touchedBit
	}
	l.score[doc] += score
}

// drop takes documents out.
func (l *lane) drop(gone func(doc int32) bool) {
	kept := l.touched[:0]
	for _, doc := range l.touched {
		if gone(doc) {
			l.score[doc], l.marks[doc] = 0, 0
		} else {
			kept = append(kept, doc)
		}
	}
	l.touched = kept
}

func (l *lane) clear() {
	for _, doc := range l.touched {
		l.score[doc], l.marks[doc] = 0, 0
	}
	l.touched = l.touched[:0]
}

// words returns the words that the queries with a mark came from.
func (s *sheet) words(marks uint64) []string {
	var out []string
	for i := range min(len(s.queries), maxMarks) {
		if marks&(1<<i) != 0 {
			out = append(out, s.queries[i].word)
		}
	}
	return out
}

// topK returns the best of the list, the best first, at most k; cmp is
// negative if a is better than b. It reorders the list.
func topK[T any](list []T, k int, cmp func(a, b T) int) []T {
	if k <= 0 {
		return nil
	}
	if k >= len(list) {
		slices.SortFunc(list, cmp)
		return list
	}
	// A heap of the best so far, the worst of them on top.
	heap := list[:k]
	down := func(i int) {
		for {
			worst := i
			for c := 2*i + 1; c <= 2*i+2 && c < k; c++ {
				if cmp(heap[worst], heap[c]) < 0 {
					worst = c
				}
			}
			if worst == i {
				return
			}
			heap[i], heap[worst] = heap[worst], heap[i]
			i = worst
		}
	}
	for i := k/2 - 1; i >= 0; i-- {
		down(i)
	}
	for i := k; i < len(list); i++ {
		if cmp(list[i], heap[0]) < 0 {
			heap[0], list[i] = list[i], heap[0]
			down(0)
		}
	}
	slices.SortFunc(heap, cmp)
	return heap
}
