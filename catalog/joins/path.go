package joins

import (
	"slices"

	"askpg/catalog/schema"
)

// Path is a chain of joins, each from where the one before ends.
type Path struct {
	Joins []Join
	Cost  int
}

// Path returns the cheapest join path between two relations, nil if there is
// none or if they are the same. ambiguous is true if another path costs the
// same.
func (g *Graph) Path(from, to *schema.Relation) (path []Join, ambiguous bool) {
	a, b, joined := g.ends(from, to)
	if from == to || !joined {
		return nil, false
	}
	w := g.workspaces.Get().(*workspace)
	defer g.workspaces.Put(w)
	w.distances.start(b)
	w.distances.settle(g, a)
	most := w.distances.to(a)
	found := w.search(g, a, b, 2, func(_ *step, cost, to int32) (int32, bool) {
		rest := w.distances.to(to)
		return cost + rest, rest != unreached && cost+rest <= most
	})
	if len(found) == 0 {
		return w.anyCheapest(g, a, b), true
	}
	return found[0].Joins, len(found) > 1
}

// ends returns the nodes of two relations, and whether a path joins them.
func (g *Graph) ends(from, to *schema.Relation) (a, b int32, joined bool) {
	a, okA := g.ids[from]
	b, okB := g.ids[to]
	return a, b, okA && okB && g.component[a] == g.component[b]
}

// anyCheapest returns one of the cheapest paths, where so many cost the same that a search for two of them has no end. The
// distances to its end are known.
func (w *workspace) anyCheapest(g *Graph, a, b int32) (path []Join) {
	for a != b {
		i := slices.IndexFunc(g.neighbours[a], func(h neighbour) bool { return h.cost+w.distances.to(h.to) == w.distances.to(a) })
		path, a = append(path, g.neighbours[a][i].join), g.neighbours[a][i].to
	}
	return path
}

// Paths returns the cheapest join paths between two relations, the cheapest
// first, at most n, of at most longest joins each. None goes by a relation twice.
// Those from a relation to itself leave it and come back, by another key.
//
// It looks from both ends, so that in a large graph only what is near them is
// searched.
func (g *Graph) Paths(from, to *schema.Relation, n, longest int) []Path {
	a, b, joined := g.ends(from, to)
	if !joined {
		return nil
	}
	w := g.workspaces.Get().(*workspace)
	defer g.workspaces.Put(w)
	half := int32(longest / 2)
	w.distances.start(b)
	w.distances.count(g, half)
	return w.search(g, a, b, n, func(s *step, cost, to int32) (int32, bool) {
		return cost, s.joins+1+min(w.distances.to(to), half+1) <= int32(longest)
	})
}

// maxSteps bounds the work of one search.
const maxSteps = 4000

// workspace is what a search writes to.
type workspace struct {
	distances *distances
	queue     nodeQueue // of steps, by the least cost of a path that begins with them
	steps     []step
}

// step is a join on the way from the start of a search, and those before it.
type step struct {
	join       Join
	node, cost int32 // where it ends, and what it costs to come there
	joins      int32 // on the way there
	before     int32 // the step before; none at the start
}

// search finds n paths from a to b. Of all beginnings of paths the one of least rank goes on first. rank says that of a step
// to a node at a cost from the one before, and whether a path may go on there.
func (w *workspace) search(g *Graph, a, b int32, n int, rank func(before *step, cost, node int32) (int32, bool)) (found []Path) {
	w.queue, w.steps = w.queue[:0], append(w.steps[:0], step{node: a, before: none})
	w.queue.push(0, 0)
	for len(w.queue) > 0 && len(found) < n && len(w.steps) < maxSteps {
		_, i := w.queue.top()
		w.queue.pop()
		if i > 0 && w.steps[i].node == b {
			found = append(found, w.path(i))
			continue
		}
		for _, h := range g.neighbours[w.steps[i].node] {
			if w.visited(i, b, h) {
				continue
			}
			cost := w.steps[i].cost + h.cost
			if r, ok := rank(&w.steps[i], cost, h.to); ok {
				w.queue.push(r, int32(len(w.steps)))
				w.steps = append(w.steps, step{h.join, h.to, cost, w.steps[i].joins + 1, i})
			}
		}
	}
	return found
}

// visited reports whether a path has been where a join leads, but for its end,
// or goes back to its end by the key by which it left that.
func (w *workspace) visited(i, end int32, h neighbour) bool {
	if h.to == end {
		return w.steps[i].before == 0 && w.steps[0].node == end && w.steps[i].join.Key == h.join.Key
	}
	for ; i != none; i = w.steps[i].before {
		if w.steps[i].node == h.to {
			return true
		}
	}
	return false
}

// path returns the joins up to a step.
func (w *workspace) path(i int32) Path {
	p := Path{Cost: int(w.steps[i].cost)}
	for ; i > 0; i = w.steps[i].before {
		p.Joins = append(p.Joins, w.steps[i].join)
	}
	slices.Reverse(p.Joins)
	return p
}
