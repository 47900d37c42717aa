package joins

import "math"

const (
	unreached = math.MaxInt32 // the distance of a node that has not been reached
	none      = -1            // no node, no step
)

// distances are the shortest distances from a node, as one run of Dijkstra's
// algorithm finds them. Only nodes that this run has reached have one, so that
// a new run needs no clearing.
type distances struct {
	runs  []uint32 // the run that last reached each node
	run   uint32   // the current one
	dist  []int32
	queue nodeQueue
}

func newDistances(nodes int) *distances {
	return &distances{runs: make([]uint32, nodes), dist: make([]int32, nodes)}
}

// start begins a new run, from a node.
func (d *distances) start(node int32) {
	if d.run++; d.run == 0 {
		clear(d.runs)
		d.run = 1
	}
	d.queue = d.queue[:0]
	d.set(node, 0)
}

func (d *distances) set(node, dist int32) {
	d.runs[node], d.dist[node] = d.run, dist
	d.queue.push(dist, node)
}

// to returns the distance to a node.
func (d *distances) to(node int32) int32 {
	if d.runs[node] != d.run {
		return unreached
	}
	return d.dist[node]
}

// settle finds the distances of all nodes that are nearer than one, and of that.
func (d *distances) settle(g *Graph, until int32) {
	for len(d.queue) > 0 {
		dist, n := d.queue.top()
		if dist >= d.to(until) {
			return
		}
		d.queue.pop()
		if dist > d.dist[n] {
			continue // it came nearer since
		}
		for _, h := range g.neighbours[n] {
			if now := dist + h.cost; now < d.to(h.to) {
				d.set(h.to, now)
			}
		}
	}
}

// count finds the nodes that so many joins lead to at most: their distance is the number of joins.
func (d *distances) count(g *Graph, joins int32) {
	for i := 0; i < len(d.queue); i++ { // all are as far as the one before or farther, so that the queue is in order
		dist, n := d.queue[i:].top()
		if dist == joins {
			return
		}
		for _, h := range g.neighbours[n] {
			if d.to(h.to) == unreached {
				d.set(h.to, dist+1)
			}
		}
	}
}

// nodeQueue is a binary heap of nodes, or of steps, by distance. A node that
// came nearer is in it twice. An entry is distance and number in one, so that
// nothing is allocated for it, as container/heap would.
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
