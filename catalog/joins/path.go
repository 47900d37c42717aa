package joins

import "slices"

// path returns the cheapest joins between two nodes, and whether others cost
// as much.
//
// Dijkstra's algorithm runs from both ends, whole distances at a time, always
// on the side with less to do. Once the settled distances of both sides add up
// to the cost of the best path found, that path is the best. Each path of the
// same cost leaves what is settled at one end by exactly one edge, so the number
// of these paths is a sum over such edges.
func (g *Graph) path(from, to int) (path []Join, ambiguous bool) {
	if g.component[from] != g.component[to] {
		return nil, false
	}
	w := g.workspaces.Get().(*workspace)
	defer g.workspaces.Put(w)
	best := int32(unreached)
	for i, n := range [2]int{from, to} {
		w.ends[i].reset()
		w.ends[i].start(n)
	}
	for w.ends[0].settled+w.ends[1].settled < best {
		side := 0
		if w.ends[0].settled >= 0 && (w.ends[1].settled < 0 || len(w.ends[1].queue) < len(w.ends[0].queue)) {
			side = 1
		}
		near, other := w.ends[side], w.ends[1-side]
		dist, ok := near.next()
		if !ok {
			break // all nodes that this end can reach are settled
		}
		near.settle(g, dist, -1, func(node, dist int32) {
			if rest := other.to(node); rest < unreached {
				best = min(best, dist+rest)
			}
		})
	}
	if best == unreached {
		return nil, false
	}
	return g.meet(w, from, to, best)
}

// meet puts a path of that cost together from the distances of both ends.
func (g *Graph) meet(w *workspace, from, to int, cost int32) ([]Join, bool) {
	a, b := w.ends[0], w.ends[1]
	if a.to(int32(to)) <= a.settled {
		return g.trace(a, nil, int32(to)), a.paths[to] > 1
	}
	var paths int32
	var path []Join
	for _, n := range a.reached {
		if a.dist[n] > a.settled {
			continue
		}
		for _, h := range g.neighboursOf(n) {
			if a.to(h.to) <= a.settled || b.to(h.to) == unreached || a.dist[n]+h.cost+b.dist[h.to] != cost {
				continue
			}
			if paths == 0 {
				path = g.trace(a, nil, n)
				path = append(path, g.edges[h.edge].join(int(n)))
				for m := h.to; m != int32(to); {
					e := &g.edges[b.via[m]]
					path = append(path, e.join(int(m)))
					m = int32(e.other(int(m)))
				}
			}
			paths = min(paths+min(a.paths[n]*b.paths[h.to], manyPaths), manyPaths)
		}
	}
	return path, paths > 1
}

// trace appends the joins from a start of the distances to a node.
func (g *Graph) trace(d *distances, path []Join, to int32) []Join {
	start := len(path)
	for n := to; d.via[n] >= 0; {
		e := &g.edges[d.via[n]]
		n = int32(e.other(int(n)))
		path = append(path, e.join(int(n)))
	}
	slices.Reverse(path[start:])
	return path
}
