package catalog

import "sync"

// graph is the join graph: relations by number, keys as undirected edges.
// Keys of a relation to itself join nothing to anything else and are left out.
// A graph is immutable; what a search writes down is in a scratch of its own.
type graph struct {
	ids   map[*Relation]int
	edges []edge
	ends  []halfEdge // those of relation n are ends[first[n]:first[n+1]]
	first []int32
	part  []int32 // number of each relation's connected component
	free  sync.Pool
}

type edge struct {
	key  *ForeignKey
	a, b int // key.From, key.To
	cost int
}

// halfEdge is an edge as one of its relations has it.
type halfEdge struct {
	to, edge, cost int32
}

func newGraph(relations []*Relation, keys []*ForeignKey) *graph {
	g := &graph{ids: make(map[*Relation]int, len(relations)), first: make([]int32, len(relations)+1)}
	for i, r := range relations {
		g.ids[r] = i
	}
	for _, k := range keys {
		a, okA := g.ids[k.From]
		b, okB := g.ids[k.To]
		if okA && okB && a != b {
			g.edges = append(g.edges, edge{k, a, b, k.cost()})
			g.first[a+1]++
			g.first[b+1]++
		}
	}
	for i := range relations {
		g.first[i+1] += g.first[i]
	}
	g.ends = make([]halfEdge, 2*len(g.edges))
	next := append([]int32(nil), g.first...)
	for i, e := range g.edges {
		g.ends[next[e.a]] = halfEdge{int32(e.b), int32(i), int32(e.cost)}
		g.ends[next[e.b]] = halfEdge{int32(e.a), int32(i), int32(e.cost)}
		next[e.a]++
		next[e.b]++
	}
	g.connect()
	g.free.New = func() any { return newScratch(len(relations)) }
	return g
}

// connect numbers the components.
func (g *graph) connect() {
	g.part = make([]int32, len(g.first)-1)
	for i := range g.part {
		g.part[i] = -1
	}
	var queue []int32
	for i := range g.part {
		if g.part[i] >= 0 {
			continue
		}
		g.part[i] = int32(i)
		queue = append(queue[:0], int32(i))
		for len(queue) > 0 {
			n := queue[len(queue)-1]
			queue = queue[:len(queue)-1]
			for _, h := range g.at(int(n)) {
				if g.part[h.to] < 0 {
					g.part[h.to] = int32(i)
					queue = append(queue, h.to)
				}
			}
		}
	}
}

// at returns the edges of a relation.
func (g *graph) at(n int) []halfEdge { return g.ends[g.first[n]:g.first[n+1]] }

func (e *edge) other(n int) int {
	if e.a == n {
		return e.b
	}
	return e.a
}

func (e *edge) join(from int) Join { return Join{Key: e.key, Reverse: e.b == from} }

// orient orders the edges of a tree so that each starts where an earlier one
// or the root is.
func (g *graph) orient(edges []int, root int) []Join {
	in := map[int]bool{root: true}
	left := append([]int(nil), edges...)
	joins := make([]Join, 0, len(edges))
	for len(left) > 0 {
		rest := left[:0]
		before := len(left)
		for _, i := range left {
			e := &g.edges[i]
			switch {
			case in[e.a]:
				joins = append(joins, e.join(e.a))
				in[e.b] = true
			case in[e.b]:
				joins = append(joins, e.join(e.b))
				in[e.a] = true
			default:
				rest = append(rest, i)
			}
		}
		if len(rest) == before {
			break
		}
		left = rest
	}
	return joins
}
