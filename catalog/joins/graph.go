package joins

import (
	"sync"

	"askpg/catalog/schema"
)

// Graph is the join graph: relations as nodes, keys as undirected edges. Keys
// of a relation to itself join nothing to anything else and are left out.
//
// A Graph is immutable and safe for concurrent use. Each search writes to a
// workspace of its own.
type Graph struct {
	ids        map[*schema.Relation]int
	edges      []edge
	neighbours []neighbour // those of node n are neighbours[first[n]:first[n+1]]
	first      []int32
	component  []int32 // number of each node's connected component
	workspaces sync.Pool
}

type edge struct {
	key  *schema.ForeignKey
	a, b int // key.From, key.To
	cost int
}

// neighbour is an edge as one of its two nodes has it.
type neighbour struct {
	to, edge, cost int32
}

// NewGraph returns the graph of the keys between the relations.
func NewGraph(relations []*schema.Relation, keys []*schema.ForeignKey) *Graph {
	g := &Graph{ids: make(map[*schema.Relation]int, len(relations)), first: make([]int32, len(relations)+1)}
	for i, r := range relations {
		g.ids[r] = i
	}
	for _, k := range keys {
		a, okA := g.ids[k.From]
		b, okB := g.ids[k.To]
		if okA && okB && a != b {
			g.edges = append(g.edges, edge{k, a, b, cost(k)})
			g.first[a+1]++
			g.first[b+1]++
		}
	}
	for i := range relations {
		g.first[i+1] += g.first[i]
	}
	g.neighbours = make([]neighbour, 2*len(g.edges))
	next := append([]int32(nil), g.first...)
	for i, e := range g.edges {
		g.neighbours[next[e.a]] = neighbour{int32(e.b), int32(i), int32(e.cost)}
		g.neighbours[next[e.b]] = neighbour{int32(e.a), int32(i), int32(e.cost)}
		next[e.a]++
		next[e.b]++
	}
	g.findComponents()
	g.workspaces.New = func() any { return newDistances(len(relations)) }
	return g
}

// findComponents numbers the connected components.
func (g *Graph) findComponents() {
	g.component = make([]int32, len(g.first)-1)
	for i := range g.component {
		g.component[i] = -1
	}
	var stack []int32
	for i := range g.component {
		if g.component[i] >= 0 {
			continue
		}
		g.component[i] = int32(i)
		stack = append(stack[:0], int32(i))
		for len(stack) > 0 {
			n := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for _, h := range g.neighboursOf(n) {
				if g.component[h.to] < 0 {
					g.component[h.to] = int32(i)
					stack = append(stack, h.to)
				}
			}
		}
	}
}

func (g *Graph) neighboursOf(node int32) []neighbour {
	return g.neighbours[g.first[node]:g.first[node+1]]
}

// Keys returns the keys that join a relation to others, in either direction.
func (g *Graph) Keys(r *schema.Relation) []*schema.ForeignKey {
	id, ok := g.ids[r]
	if !ok {
		return nil
	}
	neighbours := g.neighboursOf(int32(id))
	keys := make([]*schema.ForeignKey, len(neighbours))
	for i, h := range neighbours {
		keys[i] = g.edges[h.edge].key
	}
	return keys
}

// other returns the edge's other node.
func (e *edge) other(node int) int {
	if e.a == node {
		return e.b
	}
	return e.a
}

// join returns the edge followed from one of its nodes.
func (e *edge) join(from int) Join { return Join{Key: e.key, Reverse: e.b == from} }

// Path returns the cheapest join path between two relations, nil if there is
// none or if they are the same. ambiguous is true if another path costs the
// same.
func (g *Graph) Path(from, to *schema.Relation) (path []Join, ambiguous bool) {
	a, okA := g.ids[from]
	b, okB := g.ids[to]
	if !okA || !okB || a == b {
		return nil, false
	}
	return g.path(a, b)
}
