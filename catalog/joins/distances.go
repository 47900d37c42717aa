package joins

import "math"

// unreached is the distance of a node that has not been reached.
const unreached = math.MaxInt32

// manyPaths caps the count of shortest paths: two are as ambiguous as more.
const manyPaths = 1000

// distances are the shortest distances from some nodes, as one run of
// Dijkstra's algorithm finds them. Only nodes that this run has reached have
// one, so that a new run needs no clearing.
type distances struct {
	runs    []uint32 // the run that last reached each node
	run     uint32   // the current one
	dist    []int32
	via     []int32 // edge by which a node was reached, -1 for a start
	paths   []int32 // number of shortest paths to it, at most manyPaths
	reached []int32 // nodes, in the order in which they were first reached
	queue   nodeQueue
	settled int32 // nodes at most this far are settled
}

func newDistances(nodes int) *distances {
	return &distances{runs: make([]uint32, nodes), dist: make([]int32, nodes), via: make([]int32, nodes), paths: make([]int32, nodes)}
}

// reset begins a new run.
func (d *distances) reset() {
	if d.run++; d.run == 0 {
		clear(d.runs)
		d.run = 1
	}
	d.queue, d.reached, d.settled = d.queue[:0], d.reached[:0], -1
}

// start puts a node at distance 0.
func (d *distances) start(node int) { d.set(int32(node), 0, -1, 1) }

func (d *distances) set(node, dist, via, paths int32) {
	if d.runs[node] != d.run {
		d.runs[node] = d.run
		d.reached = append(d.reached, node)
	}
	d.dist[node], d.via[node], d.paths[node] = dist, via, paths
	d.queue.push(dist, node)
}

// to returns the distance to a node.
func (d *distances) to(node int32) int32 {
	if d.runs[node] != d.run {
		return unreached
	}
	return d.dist[node]
}

// next returns the distance of the nearest nodes that are not settled.
func (d *distances) next() (int32, bool) {
	for len(d.queue) > 0 {
		dist, n := d.queue.top()
		if dist > d.settled && dist <= d.dist[n] {
			return dist, true
		}
		d.queue.pop()
	}
	return 0, false
}

// settle settles all nodes at a distance, which is that of next, and reaches
// their neighbours.
func (d *distances) settle(g *Graph, dist int32) {
	d.settled = dist
	for len(d.queue) > 0 {
		at, n := d.queue.top()
		if at > dist {
			return
		}
		d.queue.pop()
		if at > d.dist[n] {
			continue
		}
		for _, h := range g.neighboursOf(n) {
			switch old, now := d.to(h.to), at+h.cost; {
			case now < old:
				d.set(h.to, now, h.edge, d.paths[n])
			case now == old:
				d.paths[h.to] = min(d.paths[h.to]+d.paths[n], manyPaths)
			}
		}
	}
}

// settleUntil settles nodes until one is next. It settles all that can be reached if that one cannot.
func (d *distances) settleUntil(g *Graph, node int32) {
	for {
		dist, ok := d.next()
		if !ok || d.to(node) == dist {
			return
		}
		d.settle(g, dist)
	}
}

// nodeQueue is a binary heap of nodes by distance. A node that came nearer is
// in it twice. An entry is distance and node in one number, so that nothing is
// allocated for it, as container/heap would.
type nodeQueue []uint64

func (q *nodeQueue) push(dist, node int32) {
	h := append(*q, uint64(dist)<<32|uint64(uint32(node)))
	i := len(h) - 1
	for v := h[i]; i > 0; {
		up := (i - 1) / 2
		if h[up] <= v {
			break
		}
		h[i], h[up] = h[up], v
		i = up
	}
	*q = h
}

func (q nodeQueue) top() (dist, node int32) { return int32(q[0] >> 32), int32(uint32(q[0])) }

func (q *nodeQueue) pop() {
	h := *q
	v := h[len(h)-1]
	h = h[:len(h)-1]
	for i := 0; ; {
		down := 2*i + 1
		if down >= len(h) {
			if i < len(h) {
				h[i] = v
			}
			break
		}
		if down+1 < len(h) && h[down+1] < h[down] {
			down++
		}
		if h[down] >= v {
			h[i] = v
			break
		}
		h[i] = h[down]
		i = down
	}
	*q = h
}
