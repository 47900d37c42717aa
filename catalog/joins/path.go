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
	if from == to {
		return nil, false
	}
	found := g.cheapest(from, to, 2, true)
	if len(found) == 0 {
		path = g.anyCheapest(from, to)
		return path, path != nil
	}
	return found[0].Joins, len(found) > 1
}

// anyCheapest returns one of the cheapest paths, where so many cost the same that a search for two of them has no end. It returns
// nil if there is none.
func (g *Graph) anyCheapest(from, to *schema.Relation) (path []Join) {
	a, okA := g.ids[from]
	b, okB := g.ids[to]
	if !okA || !okB || g.component[a] != g.component[b] {
		return nil
	}
	w := g.workspaces.Get().(*workspace)
	defer g.workspaces.Put(w)
	w.distances.start(b)
	w.distances.settle(g, a)
	for a != b {
		i := slices.IndexFunc(g.neighbours[a], func(h neighbour) bool { return h.cost+w.distances.to(h.to) == w.distances.to(a) })
		path, a = append(path, g.neighbours[a][i].join), g.neighbours[a][i].to
	}
	return path
}

// Paths returns the cheapest join paths between two relations, the cheapest
// first, at most n. None goes by a relation twice. Those from a relation to
// itself leave it and come back, by another key.
func (g *Graph) Paths(from, to *schema.Relation, n int) []Path { return g.cheapest(from, to, n, false) }

// maxSteps bounds the work of one search.
const maxSteps = 4000

// workspace is what a search writes to.
type workspace struct {
	distances *distances
	queue     nodeQueue // of steps, by the least cost of a path that begins with them
	steps     []step
}

func newWorkspace(nodes int) *workspace { return &workspace{distances: newDistances(nodes)} }

// step is a join on the way from the start of a search, and those before it.
type step struct {
	join       Join
	node, cost int32 // where it ends, and what it costs to come there
	before     int32 // the step before; none at the start
}

// cheapest finds the n cheapest paths; if alike is set, only those that cost as
// little as the cheapest.
//
// It is A*: of all beginnings of paths that for which the rest costs least goes
// on first. What the rest costs, the distances from the other end say.
func (g *Graph) cheapest(from, to *schema.Relation, n int, alike bool) (found []Path) {
	a, okA := g.ids[from]
	b, okB := g.ids[to]
	if !okA || !okB || g.component[a] != g.component[b] {
		return nil
	}
	w := g.workspaces.Get().(*workspace)
	defer g.workspaces.Put(w)
	w.distances.start(b)
	most, until := int32(unreached), int32(none)
	if alike {
		until = a
	}
	if w.distances.settle(g, until); alike {
		most = w.distances.to(a)
	}
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
			if w.visited(i, b, h) || w.distances.to(h.to) == unreached {
				continue
			}
			cost := w.steps[i].cost + h.cost
			if least := cost + w.distances.to(h.to); least <= most {
				w.queue.push(least, int32(len(w.steps)))
				w.steps = append(w.steps, step{h.join, h.to, cost, i})
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
