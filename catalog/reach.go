package catalog

import "math"

// far is a distance that no relation has.
const far = math.MaxInt32

// manyPaths caps the count of shortest paths: two are as ambiguous as more.
const manyPaths = 1000

// reach holds the distances of one run of Dijkstra's algorithm by relation.
// Only the marked relations have one, so that starting anew costs nothing.
type reach struct {
	marks   []uint32
	mark    uint32
	dist    []int32
	via     []int32 // edge by which a relation was reached, -1 for where it began
	count   []int32 // number of shortest ways to it, capped
	reached []int32 // relations, in the order in which they were first seen
	queue   nodeQueue
	level   int32 // relations at most this far are settled
}

func newReach(n int) *reach {
	return &reach{marks: make([]uint32, n), dist: make([]int32, n), via: make([]int32, n), count: make([]int32, n)}
}

// begin forgets everything.
func (r *reach) begin() {
	if r.mark++; r.mark == 0 {
		clear(r.marks)
		r.mark = 1
	}
	r.queue, r.reached, r.level = r.queue[:0], r.reached[:0], -1
}

// start puts a relation at distance 0.
func (r *reach) start(n int) { r.put(int32(n), 0, -1, 1) }

func (r *reach) put(n, dist, via, count int32) {
	if r.marks[n] != r.mark {
		r.marks[n] = r.mark
		r.reached = append(r.reached, n)
	}
	r.dist[n], r.via[n], r.count[n] = dist, via, count
	r.queue.push(dist, n)
}

// at returns the distance of a relation, far if it has not been seen.
func (r *reach) at(n int32) int32 {
	if r.marks[n] != r.mark {
		return far
	}
	return r.dist[n]
}

// next returns the distance of the nearest relations not settled yet.
func (r *reach) next() (int32, bool) {
	for len(r.queue) > 0 {
		if d, n := r.queue.top(); d <= r.level || d > r.dist[n] {
			r.queue.pop()
			continue
		}
		d, _ := r.queue.top()
		return d, true
	}
	return 0, false
}

// settle spreads the distances of all relations at the given one, which is
// that of next. seen is told of each relation that comes nearer; skip is an
// edge that is not there, or -1.
func (r *reach) settle(g *graph, level, skip int32, seen func(n, dist int32)) {
	r.level = level
	for len(r.queue) > 0 {
		d, n := r.queue.top()
		if d > level {
			return
		}
		r.queue.pop()
		if d > r.dist[n] {
			continue
		}
		for _, h := range g.at(int(n)) {
			if h.edge == skip {
				continue
			}
			switch old, d := r.at(h.to), d+h.cost; {
			case d < old:
				r.put(h.to, d, h.edge, r.count[n])
				if seen != nil {
					seen(h.to, d)
				}
			case d == old:
				r.count[h.to] = min(r.count[h.to]+r.count[n], manyPaths)
			}
		}
	}
}

// within settles everything at most limit away.
func (r *reach) within(g *graph, limit int32) {
	for {
		d, ok := r.next()
		if !ok || d > limit {
			return
		}
		r.settle(g, d, -1, nil)
	}
}

// scratch is what one search at a time writes down.
type scratch struct {
	ends [2]*reach // of a path
	from []*reach  // of terminals, made as they are needed
	n    int
}

func newScratch(n int) *scratch { return &scratch{ends: [2]*reach{newReach(n), newReach(n)}, n: n} }

// terminals returns as many empty reaches.
func (s *scratch) terminals(k int) []*reach {
	for len(s.from) < k {
		s.from = append(s.from, newReach(s.n))
	}
	for _, r := range s.from[:k] {
		r.begin()
	}
	return s.from[:k]
}

// nodeQueue is a binary heap of relations by distance. A relation that came
// nearer is in it twice.
type nodeQueue []uint64

func (q *nodeQueue) push(dist, n int32) {
	h := append(*q, uint64(dist)<<32|uint64(uint32(n)))
	i := len(h) - 1
	for v := h[i]; i > 0; {
		up := (i - 1) / 2
		if h[up] <= v {
			break
		}
		h[i], h[up] = h[up], v
		i = up
	}
	*q = h
}

func (q nodeQueue) top() (dist, n int32) { return int32(q[0] >> 32), int32(uint32(q[0])) }

func (q *nodeQueue) pop() {
	h := *q
	v := h[len(h)-1]
	h = h[:len(h)-1]
	for i := 0; ; {
		down := 2*i + 1
		if down >= len(h) {
			if i < len(h) {
				h[i] = v
			}
			break
		}
		if down+1 < len(h) && h[down+1] < h[down] {
			down++
		}
		if h[down] >= v {
			h[i] = v
			break
		}
		h[i] = h[down]
		i = down
	}
	*q = h
}
