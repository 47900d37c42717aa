package catalog

import "slices"

// path returns the cheapest joins between two relations that cost no more than
// limit, and whether others cost as much.
//
// Dijkstra's algorithm runs from both ends, whole distances at a time, always
// on the side with less to do. Once what is settled on both sides reaches as
// far as the best path found, that path is the best; each of the paths as
// cheap crosses from what is settled at one end by exactly one edge, so their
// number is a sum over these edges.
func (g *graph) path(from, to int, limit int32) (path []Join, ambiguous bool) {
	if g.part[from] != g.part[to] {
		return nil, false
	}
	s := g.free.Get().(*scratch)
	defer g.free.Put(s)
	best := int32(far)
	for i, n := range [2]int{from, to} {
		s.ends[i].begin()
		s.ends[i].start(n)
	}
	for s.ends[0].level+s.ends[1].level < min(best, limit) {
		side := 0
		if s.ends[0].level >= 0 && (s.ends[1].level < 0 || len(s.ends[1].queue) < len(s.ends[0].queue)) {
			side = 1
		}
		r, other := s.ends[side], s.ends[1-side]
		d, ok := r.next()
		if !ok {
			break // all that it can reach is settled
		}
		r.settle(g, d, -1, func(n, dist int32) {
			if o := other.at(n); o < far {
				best = min(best, dist+o)
			}
		})
	}
	if best == far || best > limit {
		return nil, false
	}
	return g.cross(s, from, to, best)
}

// cross puts a path together of what was reached from both ends.
func (g *graph) cross(s *scratch, from, to int, best int32) ([]Join, bool) {
	a, b := s.ends[0], s.ends[1]
	if a.at(int32(to)) <= a.level {
		return g.back(a, nil, int32(to)), a.count[to] > 1
	}
	var count int32
	var path []Join
	for _, n := range a.reached {
		if a.dist[n] > a.level {
			continue
		}
		for _, h := range g.at(int(n)) {
			if a.at(h.to) <= a.level || b.at(h.to) == far || a.dist[n]+h.cost+b.dist[h.to] != best {
				continue
			}
			if count == 0 {
				path = g.back(a, nil, n)
				path = append(path, g.edges[h.edge].join(int(n)))
				for m := h.to; m != int32(to); {
					e := &g.edges[b.via[m]]
					path = append(path, e.join(int(m)))
					m = int32(e.other(int(m)))
				}
			}
			count = min(count+min(a.count[n]*b.count[h.to], manyPaths), manyPaths)
		}
	}
	return path, count > 1
}

// back appends the joins from where a reach began to a relation.
func (g *graph) back(r *reach, path []Join, to int32) []Join {
	start := len(path)
	for n := to; r.via[n] >= 0; {
		e := &g.edges[r.via[n]]
		n = int32(e.other(int(n)))
		path = append(path, e.join(int(n)))
	}
	slices.Reverse(path[start:])
	return path
}
