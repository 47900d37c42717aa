package joins

import "slices"

// path returns the cheapest joins between two nodes, and whether others cost
// as much: Dijkstra's algorithm, whole distances at a time, so that all paths of
// the same cost are counted.
func (g *Graph) path(from, to int) (path []Join, ambiguous bool) {
	if g.component[from] != g.component[to] {
		return nil, false
	}
	d := g.workspaces.Get().(*distances)
	defer g.workspaces.Put(d)
	d.reset()
	d.start(from)
	d.settleUntil(g, int32(to))
	return g.trace(d, int32(to)), d.paths[to] > 1
}

// trace returns the joins from the start of the distances to a node.
func (g *Graph) trace(d *distances, to int32) (path []Join) {
	for n := to; d.via[n] >= 0; {
		e := &g.edges[d.via[n]]
		n = int32(e.other(int(n)))
		path = append(path, e.join(int(n)))
	}
	slices.Reverse(path)
	return path
}
