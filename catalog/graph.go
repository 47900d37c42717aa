package catalog

import (
	"container/heap"
	"math"
	"sort"
)

// maxTerminals bounds the exact Steiner search, whose work grows as 3^n.
const maxTerminals = 7

// graph is the join graph: relations by number, keys as undirected edges.
// Keys of a relation to itself join nothing to anything else and are left out.
type graph struct {
	ids   map[*Relation]int
	edges []edge
	at    [][]int // edge numbers of each relation
}

type edge struct {
	key  *ForeignKey
	a, b int // key.From, key.To
	cost int
}

func newGraph(relations []*Relation, keys []*ForeignKey) *graph {
	g := &graph{ids: make(map[*Relation]int, len(relations)), at: make([][]int, len(relations))}
	for i, r := range relations {
		g.ids[r] = i
	}
	for _, k := range keys {
		a, okA := g.ids[k.From]
		b, okB := g.ids[k.To]
		if okA && okB && a != b {
			g.at[a] = append(g.at[a], len(g.edges))
			g.at[b] = append(g.at[b], len(g.edges))
			g.edges = append(g.edges, edge{k, a, b, k.cost()})
		}
	}
	return g
}

func (e *edge) other(n int) int {
	if e.a == n {
		return e.b
	}
	return e.a
}

func (e *edge) join(from int) Join { return Join{Key: e.key, Reverse: e.b == from} }

// search holds the distances of one Dijkstra run; only touched relations are
// in its maps, so that a search in a large graph costs what it visits.
type search struct {
	dist  map[int]int
	via   map[int]int // edge by which a relation was reached
	count map[int]int // number of shortest ways, capped
	queue nodeQueue
}

type node struct{ id, dist int }

type nodeQueue []node

func (q nodeQueue) Len() int           { return len(q) }
func (q nodeQueue) Less(i, j int) bool { return q[i].dist < q[j].dist }
func (q nodeQueue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *nodeQueue) Push(x any)        { *q = append(*q, x.(node)) }
func (q *nodeQueue) Pop() any {
	old := *q
	n := old[len(old)-1]
	*q = old[:len(old)-1]
	return n
}

// path is Dijkstra's algorithm with a count of the shortest paths.
func (g *graph) path(from, to int) ([]Join, bool) {
	s := search{dist: map[int]int{from: 0}, via: map[int]int{}, count: map[int]int{from: 1}}
	heap.Push(&s.queue, node{from, 0})
	done := map[int]bool{}
	for s.queue.Len() > 0 {
		n := heap.Pop(&s.queue).(node)
		if done[n.id] {
			continue
		}
		done[n.id] = true
		if n.id == to {
			break
		}
		for _, i := range g.at[n.id] {
			e := &g.edges[i]
			m, d := e.other(n.id), n.dist+e.cost
			old, seen := s.dist[m]
			switch {
			case !seen || d < old:
				s.dist[m], s.via[m], s.count[m] = d, i, s.count[n.id]
				heap.Push(&s.queue, node{m, d})
			case d == old:
				s.count[m] = min(s.count[m]+s.count[n.id], 1000)
			}
		}
	}
	if !done[to] {
		return nil, false
	}
	var path []Join
	for n := to; n != from; {
		e := &g.edges[s.via[n]]
		n = e.other(n)
		path = append(path, e.join(n))
	}
	for i, j := 0, len(path)-1; i < j; i, j = i+1, j-1 {
		path[i], path[j] = path[j], path[i]
	}
	return path, s.count[to] > 1
}

// tree returns the edges of a cheapest tree over the terminals. Another tree
// of the same cost lacks one of its edges, so the search is repeated without
// each of them to tell whether it is the only one.
func (g *graph) tree(terminals []int) (edges []int, ambiguous, ok bool) {
	nodes := g.component(terminals)
	if nodes == nil {
		return nil, false, false
	}
	find := g.steiner
	if len(terminals) > maxTerminals {
		find = g.grow
	}
	edges, cost, ok := find(terminals, nodes, -1)
	if !ok {
		return nil, false, false
	}
	for _, e := range edges {
		if _, c, ok := find(terminals, nodes, e); ok && c <= cost {
			return edges, true, true
		}
	}
	return edges, false, true
}

// component returns the relations that can take part in a tree: those of the
// terminals' component without dead ends. It is nil if they are not connected.
func (g *graph) component(terminals []int) []int {
	seen := map[int]bool{terminals[0]: true}
	nodes := []int{terminals[0]}
	for i := 0; i < len(nodes); i++ {
		for _, e := range g.at[nodes[i]] {
			if m := g.edges[e].other(nodes[i]); !seen[m] {
				seen[m] = true
				nodes = append(nodes, m)
			}
		}
	}
	keep := map[int]bool{}
	for _, t := range terminals {
		if !seen[t] {
			return nil
		}
		keep[t] = true
	}
	// Leaves that are no terminals fall off, one after the other.
	neighbours := func(n int) map[int]bool {
		m := map[int]bool{}
		for _, e := range g.at[n] {
			if o := g.edges[e].other(n); seen[o] {
				m[o] = true
			}
		}
		return m
	}
	queue := append([]int(nil), nodes...)
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		if !seen[n] || keep[n] {
			continue
		}
		if around := neighbours(n); len(around) <= 1 {
			seen[n] = false
			for o := range around {
				queue = append(queue, o)
			}
		}
	}
	kept := nodes[:0]
	for _, n := range nodes {
		if seen[n] {
			kept = append(kept, n)
		}
	}
	sort.Ints(kept)
	return kept
}

// steiner is the algorithm of Dreyfus and Wagner over the given nodes, without
// the edge number skip.
func (g *graph) steiner(terminals, nodes []int, skip int) (edges []int, cost int, ok bool) {
	local := make(map[int]int, len(nodes))
	for i, n := range nodes {
		local[n] = i
	}
	n, k := len(nodes), len(terminals)
	const far = math.MaxInt32
	full := 1<<k - 1
	dist := make([][]int, full+1)
	type step struct{ sub, edge int } // merged from sub and its complement, or reached by edge
	from := make([][]step, full+1)
	for set := 1; set <= full; set++ {
		dist[set] = make([]int, n)
		from[set] = make([]step, n)
		for i := range dist[set] {
			dist[set][i] = far
			from[set][i] = step{0, -1}
		}
		if set&(set-1) == 0 {
			for t := range k {
				if set == 1<<t {
					dist[set][local[terminals[t]]] = 0
				}
			}
		}
		for sub := (set - 1) & set; sub > 0; sub = (sub - 1) & set {
			if sub < set&^sub {
				break // the other half of the pairs
			}
			for i := range n {
				if a, b := dist[sub][i], dist[set&^sub][i]; a < far && b < far && a+b < dist[set][i] {
					dist[set][i], from[set][i] = a+b, step{sub, -1}
				}
			}
		}
		g.relax(dist[set], nodes, local, skip, func(i, e int) { from[set][i] = step{0, e} })
	}
	root := local[terminals[0]]
	if dist[full][root] >= far {
		return nil, 0, false
	}
	used := map[int]bool{}
	var walk func(set, i int)
	walk = func(set, i int) {
		s := from[set][i]
		switch {
		case s.sub != 0:
			walk(s.sub, i)
			walk(set&^s.sub, i)
		case s.edge >= 0:
			used[s.edge] = true
			walk(set, local[g.edges[s.edge].other(nodes[i])])
		}
	}
	walk(full, root)
	for e := range used {
		edges = append(edges, e)
		cost += g.edges[e].cost
	}
	sort.Ints(edges)
	return edges, cost, true
}

// relax spreads distances along the edges; set is told of each improvement.
func (g *graph) relax(dist []int, nodes []int, local map[int]int, skip int, set func(i, e int)) {
	var q nodeQueue
	for i, d := range dist {
		if d < math.MaxInt32 {
			q = append(q, node{i, d})
		}
	}
	heap.Init(&q)
	for q.Len() > 0 {
		n := heap.Pop(&q).(node)
		if n.dist > dist[n.id] {
			continue
		}
		for _, e := range g.at[nodes[n.id]] {
			if e == skip {
				continue
			}
			m, ok := local[g.edges[e].other(nodes[n.id])]
			if d := n.dist + g.edges[e].cost; ok && d < dist[m] {
				dist[m] = d
				set(m, e)
				heap.Push(&q, node{m, d})
			}
		}
	}
}

// grow joins the terminals one after the other, each by the cheapest path to
// the tree so far (Takahashi and Matsuyama 1980: at most twice the optimum).
func (g *graph) grow(terminals, nodes []int, skip int) (edges []int, cost int, ok bool) {
	local := make(map[int]int, len(nodes))
	for i, n := range nodes {
		local[n] = i
	}
	in := map[int]bool{terminals[0]: true}
	left := map[int]bool{}
	for _, t := range terminals[1:] {
		left[t] = true
	}
	for len(left) > 0 {
		dist := make([]int, len(nodes))
		via := make([]int, len(nodes))
		for i, n := range nodes {
			dist[i], via[i] = math.MaxInt32, -1
			if in[n] {
				dist[i] = 0
			}
		}
		g.relax(dist, nodes, local, skip, func(i, e int) { via[i] = e })
		best := -1
		for _, t := range terminals {
			if left[t] && (best < 0 || dist[local[t]] < dist[local[best]]) {
				best = t
			}
		}
		if dist[local[best]] == math.MaxInt32 {
			return nil, 0, false
		}
		cost += dist[local[best]]
		for n := best; !in[n]; {
			in[n] = true
			delete(left, n)
			e := via[local[n]]
			edges = append(edges, e)
			n = g.edges[e].other(n)
		}
		delete(left, best)
	}
	sort.Ints(edges)
	return edges, cost, true
}

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
