package catalog

import (
	"math/bits"
	"slices"
)

const (
	// maxTerminals bounds the exact Steiner search, whose work grows as 3^n.
	maxTerminals = 7
	// steinerWork bounds that work: relations that may be in the tree times
	// 3^terminals. It takes about a tenth of a second.
	steinerWork = 20_000_000
)

// tree returns the edges of a cheapest tree over the terminals. Another tree
// of the same cost lacks one of its edges, so the search is repeated without
// each of them to tell whether it is the only one.
func (g *graph) tree(terminals []int) (edges []int, ambiguous, ok bool) {
	for _, t := range terminals {
		if g.part[t] != g.part[terminals[0]] {
			return nil, false, false
		}
	}
	s := g.free.Get().(*scratch)
	defer g.free.Put(s)
	edges, cost, _ := g.grow(s, terminals, -1)
	find := func(skip int) ([]int, int, bool) { return g.grow(s, terminals, skip) }
	if len(terminals) <= maxTerminals {
		nodes := g.near(s, terminals, cost)
		if work := len(nodes) * power(3, len(terminals)); work <= steinerWork {
			d := dreyfus{g: g, terminals: terminals}
			d.over(nodes)
			if edges, cost, ok = d.run(-1); !ok {
				return nil, false, false
			}
			d.over(d.best(cost))
			find = d.run
		}
	}
	for _, e := range edges {
		if _, c, ok := find(e); ok && c <= cost {
			return edges, true, true
		}
	}
	return edges, false, true
}

func power(base, n int) int {
	p := 1
	for range n {
		p *= base
	}
	return p
}

// near returns the relations that can be in a tree over the terminals of no
// more than the cost, ordered. A tree over three relations costs at least half
// the way around them.
func (g *graph) near(s *scratch, terminals []int, cost int) []int32 {
	from := s.terminals(len(terminals))
	for i, t := range terminals {
		from[i].start(t)
		from[i].within(g, int32(cost))
	}
	var nodes []int32
	for _, n := range from[0].reached {
		if g.canJoin(from, terminals, n, int32(cost)) {
			nodes = append(nodes, n)
		}
	}
	slices.Sort(nodes)
	return nodes
}

func (g *graph) canJoin(from []*reach, terminals []int, n, cost int32) bool {
	for i, a := range from {
		if a.at(n) > cost {
			return false
		}
		for j, b := range from[:i] {
			if b.at(n) > cost || (a.at(n)+b.at(n)+a.at(int32(terminals[j]))+1)/2 > cost {
				return false
			}
		}
	}
	return true
}

// grow joins the terminals one after the other, each by the cheapest path to
// the tree so far (Takahashi and Matsuyama 1980: at most twice the optimum),
// without the edge number skip.
func (g *graph) grow(s *scratch, terminals []int, skip int) (edges []int, cost int, ok bool) {
	in := map[int]bool{terminals[0]: true}
	left := map[int]bool{}
	for _, t := range terminals[1:] {
		left[t] = true
	}
	r := s.ends[0]
	for len(left) > 0 {
		r.begin()
		for n := range in {
			r.start(n)
		}
		best := -1
		for best < 0 {
			d, ok := r.next()
			if !ok {
				return nil, 0, false
			}
			for _, t := range terminals {
				if left[t] && r.at(int32(t)) == d {
					best = t
					cost += int(d)
					break
				}
			}
			if best < 0 {
				r.settle(g, d, int32(skip), nil)
			}
		}
		for n := best; !in[n]; {
			in[n] = true
			delete(left, n)
			e := r.via[n]
			edges = append(edges, int(e))
			n = g.edges[e].other(n)
		}
	}
	slices.Sort(edges)
	return edges, cost, true
}

// dreyfus is the algorithm of Dreyfus and Wagner over some of the relations,
// by their place in nodes.
type dreyfus struct {
	g         *graph
	terminals []int
	nodes     []int32
	local     []int32 // place of each relation of the graph in nodes, -1 for others
	dist      [][]int32
	from      [][]grown
	queue     nodeQueue
}

// grown is how a distance came about: merged from the terminals in sub and
// those not in it, or reached by an edge.
type grown struct {
	sub  int32
	edge int32
}

func (d *dreyfus) over(nodes []int32) {
	d.nodes = nodes
	if d.local == nil {
		d.local = make([]int32, len(d.g.part))
	}
	for i := range d.local {
		d.local[i] = -1
	}
	for i, n := range nodes {
		d.local[n] = int32(i)
	}
	sets := 1 << len(d.terminals)
	d.dist, d.from = make([][]int32, sets), make([][]grown, sets)
	for set := range d.dist {
		d.dist[set], d.from[set] = make([]int32, len(nodes)), make([]grown, len(nodes))
	}
}

// best returns the relations that are in a cheapest tree of all terminals,
// which has that cost: of those with it, no tree is dearer.
func (d *dreyfus) best(cost int) []int32 {
	var nodes []int32
	for i, v := range d.dist[len(d.dist)-1] {
		if int(v) == cost {
			nodes = append(nodes, d.nodes[i])
		}
	}
	return nodes
}

// run returns the edges of a cheapest tree without the edge number skip.
func (d *dreyfus) run(skip int) (edges []int, cost int, ok bool) {
	full := len(d.dist) - 1
	for set := 1; set <= full; set++ {
		dist, from := d.dist[set], d.from[set]
		for i := range dist {
			dist[i], from[i] = far, grown{0, -1}
		}
		if set&(set-1) == 0 {
			dist[d.local[d.terminals[bits.TrailingZeros(uint(set))]]] = 0
		}
		for sub := (set - 1) & set; sub > set&^sub; sub = (sub - 1) & set { // one half of the pairs
			a, b := d.dist[sub], d.dist[set&^sub]
			for i := range dist {
				if a[i] < far && b[i] < far && a[i]+b[i] < dist[i] {
					dist[i], from[i] = a[i]+b[i], grown{int32(sub), -1}
				}
			}
		}
		d.relax(set, int32(skip))
	}
	root := d.local[d.terminals[0]]
	if d.dist[full][root] == far {
		return nil, 0, false
	}
	used := map[int]bool{}
	d.walk(full, root, used)
	for e := range used {
		edges = append(edges, e)
		cost += d.g.edges[e].cost
	}
	slices.Sort(edges)
	return edges, cost, true
}

// relax spreads the distances of a set along the edges.
func (d *dreyfus) relax(set int, skip int32) {
	dist, from := d.dist[set], d.from[set]
	d.queue = d.queue[:0]
	for i, v := range dist {
		if v < far {
			d.queue.push(v, int32(i))
		}
	}
	for len(d.queue) > 0 {
		v, i := d.queue.top()
		d.queue.pop()
		if v > dist[i] {
			continue
		}
		for _, h := range d.g.at(int(d.nodes[i])) {
			if h.edge == skip {
				continue
			}
			if m := d.local[h.to]; m >= 0 && v+h.cost < dist[m] {
				dist[m], from[m] = v+h.cost, grown{0, h.edge}
				d.queue.push(dist[m], m)
			}
		}
	}
}

// walk collects the edges that a distance is made of.
func (d *dreyfus) walk(set int, i int32, used map[int]bool) {
	switch s := d.from[set][i]; {
	case s.sub != 0:
		d.walk(int(s.sub), i, used)
		d.walk(set&^int(s.sub), i, used)
	case s.edge >= 0:
		used[int(s.edge)] = true
		d.walk(set, d.local[d.g.edges[s.edge].other(int(d.nodes[i]))], used)
	}
}
