// The graph of joins between relations, and the cheapest paths in it.

package grammar

import (
	"cmp"
	"slices"

	"askpg/catalog"
)

// edge is one join from a relation to another, by a foreign key in either direction.
type edge struct {
	from, to         *catalog.Relation
	fromCols, toCols []*catalog.Column
	toOne            bool // at most one row of to for a row of from
	cost             float64
	name             []string // stems of the referencing columns' names
	role             []string // those of them that neither of the relations is called by
	implied          bool
}

// path is a chain of joins.
type path struct {
	edges        []*edge
	cost         float64
	cheaperPaths int // how many cheaper paths there are between the two
}

// path returns the path of one edge.
func (e *edge) path() path { return path{edges: []*edge{e}, cost: e.cost} }

// toOne reports whether a path leads to one row at most.
func (p path) toOne() bool {
	return !slices.ContainsFunc(p.edges, func(e *edge) bool { return !e.toOne })
}

// isAlways reports whether a path leads from each row to exactly one.
func (p path) isAlways() bool {
	return !slices.ContainsFunc(p.edges, func(e *edge) bool {
		return !e.toOne || slices.ContainsFunc(e.fromCols, func(c *catalog.Column) bool { return !c.NotNull })
	})
}

// reversed returns the path back.
func (p path) reversed() path {
	back := path{cost: p.cost}
	for _, e := range slices.Backward(p.edges) {
		r := *e
		r.from, r.to, r.fromCols, r.toCols, r.toOne = e.to, e.from, e.toCols, e.fromCols, !e.toOne
		back.edges = append(back.edges, &r)
	}
	return back
}

// leadsBack reports whether edges are the path back.
func (p path) leadsBack(edges []*edge) bool {
	return slices.EqualFunc(p.reversed().edges, edges, func(a, b *edge) bool {
		return a.to == b.to && slices.Equal(a.fromCols, b.fromCols) && slices.Equal(a.toCols, b.toCols)
	})
}

// isReturning reports whether a path goes to many rows and then to one: from donors by donations to campaigns. Several donations may be
// of one campaign, which counts once.
func (p path) isReturning() bool {
	return !p.toOne() && p.edges[len(p.edges)-1].toOne
}

// isTurning reports whether a path goes to many rows and later to one: from goods by order lines to orders.
func (p path) isTurning() bool {
	several := false
	return slices.ContainsFunc(p.edges, func(e *edge) bool {
		turned := several && e.toOne
		several = several || !e.toOne
		return turned
	})
}

// isStraight reports whether each edge of a path leads to what a row belongs to, or each to what belongs to it.
func (p path) isStraight() bool {
	return !slices.ContainsFunc(p.edges, func(e *edge) bool { return e.toOne != p.edges[0].toOne })
}

// passes reports whether a path goes by a relation.
func (p path) passes(r *catalog.Relation) bool {
	return slices.ContainsFunc(p.edges, func(e *edge) bool { return e.to == r || e.from == r })
}

// key returns the first column of the key that an edge goes by, and what it points to.
func (e *edge) key() (*catalog.Column, *catalog.Relation) {
	if e.toOne {
		return e.fromCols[0], e.to
	}
	return e.toCols[0], e.from
}

// graph is the join graph of a snapshot, as the engine follows it.
type graph struct {
	snapshot *catalog.Snapshot
	edges    map[*catalog.Relation][]*edge // from each relation
	byJoin   map[catalog.Join]*edge
	foreign  map[*catalog.Column]bool // columns that point to another relation
}

func (g *graph) isForeign(c *catalog.Column) bool { return g.foreign[c] }

// What a join costs a reading: an implied key may be a mistake.
const (
	declaredCost = 1.0
	impliedCost  = 1.3
)

// newGraph makes the graph of a snapshot's foreign keys.
func newGraph(x *lexicon) *graph {
	g := &graph{snapshot: x.snapshot, edges: map[*catalog.Relation][]*edge{}, byJoin: map[catalog.Join]*edge{}, foreign: map[*catalog.Column]bool{}}
	type pair struct{ a, b *catalog.Column }
	joined := map[pair]bool{}
	for _, k := range x.snapshot.ForeignKeys {
		if x.relationInfo[k.From] == nil || x.relationInfo[k.To] == nil || len(k.FromCols) == 0 || len(k.FromCols) != len(k.ToCols) {
			continue
		}
		if p := (pair{k.FromCols[0], k.ToCols[0]}); !joined[p] {
			joined[p] = true
			g.connect(x, k)
		}
	}
	g.preferOwnKeys()
	for _, es := range g.edges {
		slices.SortStableFunc(es, func(a, b *edge) int { return cmp.Compare(a.cost, b.cost) })
	}
	return g
}

// preferOwnKeys makes keys for who did something dearer where another key leads to the same people: the doctor of a visit is not who it was booked_by.
func (g *graph) preferOwnKeys() {
	for _, es := range g.edges {
		for _, e := range es {
			if e.isDoneBy() && slices.ContainsFunc(es, func(o *edge) bool { return o.to == e.to && o.toOne == e.toOne && !o.isDoneBy() }) {
				e.cost += doneByCost
			}
		}
	}
}

// isDoneBy reports whether a key is called as one for who did something: checked_by.
func (e *edge) isDoneBy() bool { return len(e.name) > 1 && lastOf(e.name) == "by" }

// doneByCost is how much dearer such a key is.
const doneByCost = 0.3

// connect adds a join in both directions.
func (g *graph) connect(x *lexicon, k *catalog.ForeignKey) {
	cost := declaredCost
	if k.Implied {
		cost = impliedCost
	}
	var name []string
	for _, c := range k.FromCols {
		name = append(name, x.relationInfo[k.From].names[c]...)
	}
	role := slices.DeleteFunc(slices.Clone(name), func(s string) bool {
		return len(s) < 4 || x.relationInfo[k.From].stems[s] || x.relationInfo[k.To].stems[s]
	})
	if len(k.FromCols) == 1 && k.FromCols[0].Name == k.ToCols[0].Name {
		role = nil // it is called as the key that it points to
	}
	there := &edge{k.From, k.To, k.FromCols, k.ToCols, true, cost, name, role, k.Implied}
	back := &edge{k.To, k.From, k.ToCols, k.FromCols, len(k.FromCols) == 1 && isKey(k.FromCols), cost, name, role, k.Implied}
	g.edges[k.From] = append(g.edges[k.From], there)
	g.edges[k.To] = append(g.edges[k.To], back)
	g.byJoin[catalog.Join{Key: k}], g.byJoin[catalog.Join{Key: k, Reverse: true}] = there, back
	if !isKey(k.FromCols) || len(k.From.PrimaryKey) > 0 {
		for _, c := range k.FromCols {
			g.foreign[c] = true
		}
	}
}

// isKey reports whether the columns tell the rows of their relation apart.
func isKey(columns []*catalog.Column) bool {
	return len(columns) == 1 && columns[0].Unique || hasSameColumns(columns[0].Relation.PrimaryKey, columns)
}

// hasSameColumns reports whether two lists have the same columns, one at least.
func hasSameColumns(a, b []*catalog.Column) bool { return len(a) > 0 && slices.Equal(a, b) }

// Bounds of the paths that a reading may go by.
const (
	maxPathEdges = 4
	maxPaths     = 6
)

// paths returns the cheapest join paths between two relations, cheapest first, no longer than one edge more than the
// shortest. For a relation to itself it returns those that leave it and come back.
func (g *graph) paths(from, to *catalog.Relation) (found []path) {
	ways := g.snapshot.Paths(from, to, maxPaths, maxPathEdges)
	limit := maxPathEdges
	for _, way := range ways {
		limit = min(limit, len(way.Joins)+1)
	}
	for i, way := range ways {
		if len(way.Joins) > limit {
			continue
		}
		p := path{cheaperPaths: len(found)}
		for _, j := range way.Joins {
			if e := g.byJoin[j]; e != nil {
				p.edges, p.cost = append(p.edges, e), p.cost+e.cost
			}
		}
		if len(p.edges) < len(way.Joins) {
			continue // by a key that joins what another one does
		}
		if i > 0 && len(found) > 0 && way.Cost == ways[i-1].Cost {
			p.cheaperPaths = found[len(found)-1].cheaperPaths // as near: which is meant is not settled by order
		}
		found = append(found, p)
	}
	return g.preferStraight(found, from, to, limit)
}

// preferStraight puts paths that turn behind those that are straight, if there are any: the client of a job is that of its building, and not that of the
// invoices for it.
func (g *graph) preferStraight(list []path, from, to *catalog.Relation, limit int) []path {
	if from == to || len(list) == 0 || list[0].isStraight() {
		return list
	}
	straight := g.chains(from, to, limit)
	for _, p := range g.chains(to, from, limit) {
		straight = append(straight, p.reversed())
	}
	if len(straight) == 0 {
		return list
	}
	cheapest := slices.MinFunc(straight, func(a, b path) int { return cmp.Compare(a.cost, b.cost) })
	for _, p := range list {
		if !p.isStraight() {
			p.cost = max(p.cost, cheapest.cost+turningCost)
			straight = append(straight, p)
		}
	}
	slices.SortStableFunc(straight, func(a, b path) int { return cmp.Compare(a.cost, b.cost) })
	for i := range straight {
		straight[i].cheaperPaths = i
		if i > 0 && straight[i].cost == straight[i-1].cost {
			straight[i].cheaperPaths = straight[i-1].cheaperPaths
		}
	}
	return straight
}

// chains returns the paths from one relation to another on which each row has one row of the next relation at most, no longer than a limit.
func (g *graph) chains(from, to *catalog.Relation, limit int) (out []path) {
	for _, e := range g.edges[from] {
		switch {
		case !e.toOne || e.to == from || limit == 0:
		case e.to == to:
			out = append(out, e.path())
		default:
			for _, rest := range g.chains(e.to, to, limit-1) {
				out = append(out, path{edges: append([]*edge{e}, rest.edges...), cost: e.cost + rest.cost})
			}
		}
	}
	return out
}

// turningCost is how much dearer a path is that turns than one that does not.
const turningCost = 0.5
