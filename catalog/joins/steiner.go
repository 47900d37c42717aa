package joins

import (
	"math/bits"
	"slices"
)

const (
	// maxTerminals bounds the exact Steiner search, whose work grows as 3^n.
	maxTerminals = 7
	// maxSteinerWork bounds that work: nodes that may be in the tree times
	// 3^terminals. It takes about a tenth of a second.
	maxSteinerWork = 20_000_000
)

// tree returns the edges of a cheapest tree over the terminals. Another tree
// of the same cost lacks one of its edges, so the search is repeated without
// each of them to tell whether it is the only one.
func (g *Graph) tree(terminals []int) (edges []int, ambiguous, ok bool) {
	for _, t := range terminals {
		if g.component[t] != g.component[terminals[0]] {
			return nil, false, false
		}
	}
	w := g.workspaces.Get().(*workspace)
	defer g.workspaces.Put(w)
	edges, cost, _ := g.approximate(w, terminals, -1)
	without := func(skip int) ([]int, int, bool) { return g.approximate(w, terminals, skip) }
	if len(terminals) <= maxTerminals {
		nodes := g.candidates(w, terminals, cost)
		if work := len(nodes) * power(3, len(terminals)); work <= maxSteinerWork {
			d := dreyfusWagner{graph: g, terminals: terminals}
			d.restrict(nodes)
			if edges, cost, ok = d.run(-1); !ok {
				return nil, false, false
			}
			d.restrict(d.inCheapest(cost))
			without = d.run
		}
	}
	for _, e := range edges {
		if _, c, ok := without(e); ok && c <= cost {
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

// candidates returns the nodes that can be in a tree over the terminals of no
// more than the cost, ordered. A tree over three nodes costs at least half of
// the way around them.
func (g *Graph) candidates(w *workspace, terminals []int, cost int) []int32 {
	from := w.reset(len(terminals))
	for i, t := range terminals {
		from[i].start(t)
		from[i].settleUpTo(g, int32(cost))
	}
	var nodes []int32
	for _, n := range from[0].reached {
		if canJoin(from, terminals, n, int32(cost)) {
			nodes = append(nodes, n)
		}
	}
	slices.Sort(nodes)
	return nodes
}

// canJoin reports whether a node is near enough to all pairs of terminals.
func canJoin(from []*distances, terminals []int, node, cost int32) bool {
	for i, a := range from {
		if a.to(node) > cost {
			return false
		}
		for j, b := range from[:i] {
			if b.to(node) > cost || (a.to(node)+b.to(node)+a.to(int32(terminals[j]))+1)/2 > cost {
				return false
			}
		}
	}
	return true
}

// approximate joins the terminals one after the other, each by the cheapest
// path to the tree so far, without the edge number skip. The tree costs at most
// twice the optimum (Takahashi and Matsuyama, "An approximate solution for the
// Steiner problem in graphs", Mathematica Japonica 24, 1980).
func (g *Graph) approximate(w *workspace, terminals []int, skip int) (edges []int, cost int, ok bool) {
	inTree := map[int]bool{terminals[0]: true}
	left := slices.Clone(terminals[1:])
	d := w.from
	for len(left) > 0 {
		d.reset()
		for n := range inTree {
			d.start(n)
		}
		nearest, ok := d.settleUntil(g, left, int32(skip))
		if !ok {
			return nil, 0, false
		}
		cost += int(d.to(int32(nearest)))
		for n := nearest; !inTree[n]; {
			inTree[n] = true
			e := d.via[n]
			edges = append(edges, int(e))
			n = g.edges[e].other(n)
		}
		left = slices.DeleteFunc(left, func(t int) bool { return inTree[t] })
	}
	slices.Sort(edges)
	return edges, cost, true
}

// dreyfusWagner is the algorithm of Dreyfus and Wagner over some of the graph's
// nodes. For each set of terminals and each node it finds the cost of the
// cheapest tree over both.
type dreyfusWagner struct {
	graph     *Graph
	terminals []int
	nodes     []int32
	index     []int32 // of each of the graph's nodes in nodes, -1 for others
	cost      [][]int32
	origin    [][]origin
	queue     nodeQueue
}

// origin is how a tree came about: from two trees at the same node, over the
// terminals in subset and those not in it, or from a tree at a neighbour and an
// edge.
type origin struct {
	subset int32 // 0 for none
	edge   int32 // -1 for none
}

// restrict makes the next runs use only these nodes.
func (d *dreyfusWagner) restrict(nodes []int32) {
	d.nodes = nodes
	if d.index == nil {
		d.index = make([]int32, len(d.graph.component))
	}
	for i := range d.index {
		d.index[i] = -1
	}
	for i, n := range nodes {
		d.index[n] = int32(i)
	}
	sets := 1 << len(d.terminals)
	d.cost, d.origin = make([][]int32, sets), make([][]origin, sets)
	for set := range d.cost {
		d.cost[set], d.origin[set] = make([]int32, len(nodes)), make([]origin, len(nodes))
	}
}

// inCheapest returns the nodes that are in a cheapest tree of all terminals,
// which has that cost.
func (d *dreyfusWagner) inCheapest(cost int) []int32 {
	var nodes []int32
	for i, c := range d.cost[len(d.cost)-1] {
		if int(c) == cost {
			nodes = append(nodes, d.nodes[i])
		}
	}
	return nodes
}

// run returns the edges of a cheapest tree without the edge number skip.
func (d *dreyfusWagner) run(skip int) (edges []int, cost int, ok bool) {
	full := len(d.cost) - 1
	for set := 1; set <= full; set++ {
		d.merge(set)
		d.extend(set, int32(skip))
	}
	root := d.index[d.terminals[0]]
	if d.cost[full][root] == unreached {
		return nil, 0, false
	}
	used := map[int]bool{}
	d.collect(full, root, used)
	for e := range used {
		edges = append(edges, e)
		cost += d.graph.edges[e].cost
	}
	slices.Sort(edges)
	return edges, cost, true
}

// merge joins, at each node, trees over two parts of a set of terminals.
func (d *dreyfusWagner) merge(set int) {
	cost, from := d.cost[set], d.origin[set]
	for i := range cost {
		cost[i], from[i] = unreached, origin{0, -1}
	}
	if set&(set-1) == 0 { // one terminal alone
		cost[d.index[d.terminals[bits.TrailingZeros(uint(set))]]] = 0
	}
	for part := (set - 1) & set; part > set&^part; part = (part - 1) & set { // one half of the pairs
		a, b := d.cost[part], d.cost[set&^part]
		for i := range cost {
			if a[i] < unreached && b[i] < unreached && a[i]+b[i] < cost[i] {
				cost[i], from[i] = a[i]+b[i], origin{int32(part), -1}
			}
		}
	}
}

// extend lets the trees of a set reach further nodes by edges.
func (d *dreyfusWagner) extend(set int, skip int32) {
	cost, from := d.cost[set], d.origin[set]
	d.queue = d.queue[:0]
	for i, c := range cost {
		if c < unreached {
			d.queue.push(c, int32(i))
		}
	}
	for len(d.queue) > 0 {
		c, i := d.queue.top()
		d.queue.pop()
		if c > cost[i] {
			continue
		}
		for _, h := range d.graph.neighboursOf(d.nodes[i]) {
			if h.edge == skip {
				continue
			}
			if m := d.index[h.to]; m >= 0 && c+h.cost < cost[m] {
				cost[m], from[m] = c+h.cost, origin{0, h.edge}
				d.queue.push(cost[m], m)
			}
		}
	}
}

// collect adds the edges of a tree to used.
func (d *dreyfusWagner) collect(set int, node int32, used map[int]bool) {
	switch o := d.origin[set][node]; {
	case o.subset != 0:
		d.collect(int(o.subset), node, used)
		d.collect(set&^int(o.subset), node, used)
	case o.edge >= 0:
		used[int(o.edge)] = true
		d.collect(set, d.index[d.graph.edges[o.edge].other(int(d.nodes[node]))], used)
	}
}
