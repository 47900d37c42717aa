// The graph of joins between relations, and the cheapest paths in it.

package grammar

import (
	"sort"
	"sync"

	"askpg/catalog"
)

// edge is one way to step from a relation to another.
type edge struct {
	from, to         *catalog.Relation
	fromCols, toCols []*catalog.Column
	toOne            bool // at most one row of to for a row of from
	cost             float64
	name             []string // stems of the referencing columns' names
	implied          bool
}

// path is a chain of edges.
type path struct {
	edges []*edge
	cost  float64
	after int // how many cheaper paths there are between the two
}

// toOne reports whether a path leads to one row at most.
func (p path) toOne() bool {
	for _, e := range p.edges {
		if !e.toOne {
			return false
		}
	}
	return true
}

// through reports whether a path goes by a relation.
func (p path) through(r *catalog.Relation) bool {
	for _, e := range p.edges {
		if e.to == r || e.from == r {
			return true
		}
	}
	return false
}

// graph is the join graph of a snapshot: its foreign keys, declared and implied.
type graph struct {
	edges   map[*catalog.Relation][]*edge
	foreign map[*catalog.Column]bool // columns that point to another relation

	mu    sync.Mutex
	known map[[2]*catalog.Relation][]path // found before
}

// maxKnown bounds the pairs of relations whose paths are kept.
const maxKnown = 20_000

func (g *graph) isForeign(c *catalog.Column) bool { return g.foreign[c] }

// What a join costs: an implied key may be a mistake.
const (
	declaredCost = 1.0
	impliedCost  = 1.3
)

// newGraph makes the graph of a snapshot's foreign keys.
func newGraph(x *lexicon) *graph {
	g := &graph{edges: map[*catalog.Relation][]*edge{}, foreign: map[*catalog.Column]bool{}}
	type pair struct{ a, b *catalog.Column }
	joined := map[pair]bool{}
	for _, fk := range x.snapshot.ForeignKeys {
		if x.relationInfo[fk.From] == nil || x.relationInfo[fk.To] == nil || len(fk.FromCols) == 0 || len(fk.FromCols) != len(fk.ToCols) {
			continue
		}
		p := pair{fk.FromCols[0], fk.ToCols[0]}
		if joined[p] {
			continue
		}
		joined[p] = true
		g.connect(x, fk)
	}
	for _, es := range g.edges {
		sort.SliceStable(es, func(i, j int) bool { return es[i].cost < es[j].cost })
	}
	return g
}

// connect adds a join in both directions.
func (g *graph) connect(x *lexicon, fk *catalog.ForeignKey) {
	cost := declaredCost
	if fk.Implied {
		cost = impliedCost
	}
	from, to := fk.FromCols, fk.ToCols
	var name []string
	for _, c := range from {
		name = append(name, x.relationInfo[fk.From].names[c]...)
	}
	one := len(from) == 1 && (from[0].Unique || isKey(x, from))
	g.edges[fk.From] = append(g.edges[fk.From], &edge{fk.From, fk.To, from, to, true, cost, name, fk.Implied})
	g.edges[fk.To] = append(g.edges[fk.To], &edge{fk.To, fk.From, to, from, one, cost, name, fk.Implied})
	if !isKey(x, from) || len(fk.From.PrimaryKey) > 0 {
		for _, c := range from {
			g.foreign[c] = true
		}
	}
}

// isKey reports whether the columns tell the rows of their relation apart.
func isKey(x *lexicon, columns []*catalog.Column) bool {
	r := columns[0].Relation
	if len(columns) == 1 && columns[0].Unique {
		return true
	}
	return sameColumns(r.PrimaryKey, columns)
}

func sameColumns(a, b []*catalog.Column) bool {
	if len(a) != len(b) || len(a) == 0 {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// Bounds of the search for joins.
const (
	maxPathEdges  = 4
	maxPaths      = 6
	maxPathVisits = 4000
)

// paths returns the cheapest join paths between two relations, cheapest first.
// For a relation to itself it returns those that leave it and come back.
func (g *graph) paths(from, to *catalog.Relation) []path {
	key := [2]*catalog.Relation{from, to}
	g.mu.Lock()
	found, known := g.known[key]
	g.mu.Unlock()
	if known {
		return found
	}
	found = g.search(from, to)
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.known) >= maxKnown || g.known == nil {
		g.known = map[[2]*catalog.Relation][]path{}
	}
	g.known[key] = found
	return found
}

// search finds the cheapest paths breadth first, no longer than one edge more than the shortest.
func (g *graph) search(from, to *catalog.Relation) []path {
	type state struct {
		p  path
		at *catalog.Relation
	}
	var found []path
	queue := []state{{at: from}}
	visits := 0
	limit := maxPathEdges
	for len(queue) > 0 && visits < maxPathVisits {
		s := queue[0]
		queue = queue[1:]
		visits++
		if len(s.p.edges) >= limit {
			continue
		}
		for _, e := range g.edges[s.at] {
			if n := len(s.p.edges); n > 0 {
				last := s.p.edges[n-1]
				if last.from == e.to && sameColumns(last.fromCols, e.toCols) && sameColumns(last.toCols, e.fromCols) {
					continue // back over the same columns
				}
			}
			if e.to != to && visited(s.p, from, e.to) {
				continue
			}
			next := path{edges: append(append([]*edge(nil), s.p.edges...), e), cost: s.p.cost + e.cost}
			if e.to == to {
				found = append(found, next)
				if len(found) == 1 {
					limit = min(maxPathEdges, len(next.edges)+1)
				}
				continue
			}
			queue = append(queue, state{next, e.to})
		}
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].cost < found[j].cost })
	if len(found) > maxPaths {
		found = found[:maxPaths]
	}
	for i := range found {
		if found[i].after = i; i > 0 && found[i].cost == found[i-1].cost {
			found[i].after = found[i-1].after // as near: which is meant is not settled by order
		}
	}
	return found
}

// visited reports whether a path from a relation goes by r.
func visited(p path, from, r *catalog.Relation) bool {
	if r == from {
		return true
	}
	for _, e := range p.edges {
		if e.to == r {
			return true
		}
	}
	return false
}
