package joins

import (
	"sync"

	"askpg/catalog/schema"
)

// Graph is the join graph: relations as nodes, keys as undirected edges.
//
// A Graph is immutable and safe for concurrent use. Each search writes to a
// workspace of its own.
type Graph struct {
	ids        map[*schema.Relation]int32
	neighbours [][]neighbour // of each node
	component  []int32       // number of each node's connected component
	workspaces sync.Pool
}

// neighbour is a join from a node.
type neighbour struct {
	join     Join
	to, cost int32
}

// NewGraph returns the graph of the keys between the relations.
func NewGraph(relations []*schema.Relation, keys []*schema.ForeignKey) *Graph {
	g := &Graph{ids: make(map[*schema.Relation]int32, len(relations)), neighbours: make([][]neighbour, len(relations))}
	for i, r := range relations {
		g.ids[r] = int32(i)
	}
	for _, k := range keys {
		from, okFrom := g.ids[k.From]
		to, okTo := g.ids[k.To]
		if okFrom && okTo {
			g.neighbours[from] = append(g.neighbours[from], neighbour{Join{Key: k}, to, int32(cost(k))})
			g.neighbours[to] = append(g.neighbours[to], neighbour{Join{Key: k, Reverse: true}, from, int32(cost(k))})
		}
	}
	g.findComponents()
	g.workspaces.New = func() any { return &workspace{distances: newDistances(len(relations))} }
	return g
}

// findComponents numbers the connected components.
func (g *Graph) findComponents() {
	g.component = make([]int32, len(g.neighbours))
	for i := range g.component {
		g.component[i] = none
	}
	var stack []int32
	for i := range g.component {
		if g.component[i] != none {
			continue
		}
		g.component[i] = int32(i)
		stack = append(stack[:0], int32(i))
		for len(stack) > 0 {
			n := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for _, h := range g.neighbours[n] {
				if g.component[h.to] == none {
					g.component[h.to] = int32(i)
					stack = append(stack, h.to)
				}
			}
		}
	}
}

// Keys returns the keys that join a relation to others, in either direction.
func (g *Graph) Keys(r *schema.Relation) []*schema.ForeignKey {
	id, ok := g.ids[r]
	if !ok {
		return nil
	}
	var keys []*schema.ForeignKey
	for _, h := range g.neighbours[id] {
		if h.to != id {
			keys = append(keys, h.join.Key)
		}
	}
	return keys
}
