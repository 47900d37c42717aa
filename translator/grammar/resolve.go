package grammar

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"askpg/catalog"
)

// applied is a phrase after something was said of it.
type applied struct {
	np   *np
	cost float64
}

// placed is a column found for an attribute: on which set, and that set's root
// with whatever joins it takes.
type placed struct {
	root *set
	sid  int
	col  *catalog.Column
	cost float64
	cand colCand
}

const maxPlaced = 4

// place finds the columns that an attribute can be of a set: its own, those of
// sets that it is already joined to, those of relations around it.
func (p *parser) place(root *set, a *attr) []placed {
	if a.named {
		return p.placeName(root)
	}
	// Most of what there is is far-fetched: sets are made of what is left alone.
	type place struct {
		sid  int
		path *path // to a set that is to be joined, nil for one that is there
		cand *colCand
		cost float64
	}
	var all []place
	top := a.cands[0].score
	if a.adj {
		// an adjective speaks of the thing itself where it can
		for _, c := range a.cands {
			if c.col.Relation == root.rel {
				top = c.score
				break
			}
		}
	}
	for i := range a.cands {
		c := &a.cands[i]
		base := 3 * max(0, top-c.score)
		if a.adj && c.col.Relation != root.rel && top != a.cands[0].score {
			continue
		}
		r := c.col.Relation
		if r == root.rel {
			all = append(all, place{root.id, nil, c, base})
			continue
		}
		found := false
		walk(root, func(s *set, depth int) {
			if s.rel == r && s != root {
				found = true
				all = append(all, place{s.id, nil, c, base + 0.25*float64(depth)})
			}
		})
		if found {
			continue
		}
		if paths := p.pathsBetween(root.rel, r); len(paths) > 0 {
			pt := &paths[0]
			cost := base + 0.3 + 0.35*pt.cost + along(root, *pt)
			if !pt.toOne() {
				cost += 0.3
			}
			all = append(all, place{p.newID(), pt, c, cost})
		}
	}
	slices.SortStableFunc(all, func(a, b place) int { return cmp.Compare(a.cost, b.cost) })
	// a set's own column makes those elsewhere far-fetched
	out := make([]placed, 0, maxPlaced)
	for _, l := range all[:min(len(all), maxPlaced)] {
		from := root
		if l.path != nil {
			from = root.with(cond{kind: related, child: &set{id: l.sid, rel: l.cand.col.Relation}, path: *l.path, join: true})
		}
		out = append(out, placed{from, l.sid, l.cand.col, l.cost, *l.cand})
	}
	return out
}

func (p *parser) placeName(root *set) []placed {
	var out []placed
	for _, c := range p.nameColumns(root.rel) {
		out = append(out, placed{root, root.id, c, 0, colCand{col: c, score: 1}})
		break
	}
	if len(out) == 0 {
		if d := p.x.info[root.rel].display; len(d) > 0 {
			out = append(out, placed{root, root.id, d[0], 0.3, colCand{col: d[0], score: 1}})
		}
	}
	return out
}

// nameColumns returns what a person means by the name of a row.
func (p *parser) nameColumns(r *catalog.Relation) []*catalog.Column {
	return p.x.info[r].display
}

// walk visits the sets that a set is joined to.
func walk(s *set, f func(s *set, depth int)) { walkDepth(s, 0, f) }

func walkDepth(s *set, depth int, f func(s *set, depth int)) {
	f(s, depth)
	for _, c := range s.conds {
		if c.kind == related && !c.neg && c.count == nil {
			walkDepth(c.child, depth+1, f)
		}
	}
}

func (p *parser) pathsBetween(a, b *catalog.Relation) []path {
	key := [2]*catalog.Relation{a, b}
	if r, ok := p.pathsC[key]; ok {
		return r
	}
	r := p.x.graph.paths(a, b)
	p.pathsC[key] = r
	return r
}

// resolveItems finds columns for the items of a phrase on a set.
func (p *parser) resolveItems(root *set, items []item) []placedItems {
	list := []placedItems{{root: root}}
	for _, it := range items {
		if it.attr == nil {
			for i := range list {
				x := it
				if x.sid == 0 {
					x.sid = root.id
				}
				list[i].items = append(list[i].items[:len(list[i].items):len(list[i].items)], x)
			}
			continue
		}
		var next []placedItems
		for _, l := range list {
			if it.attr.named && it.agg == "" {
				// the name of a person is two columns
				cols := p.nameColumns(l.root.rel)
				items := l.items[:len(l.items):len(l.items)]
				for _, c := range cols {
					x := it
					x.attr, x.col, x.sid = nil, c, l.root.id
					items = append(items, x)
				}
				next = append(next, placedItems{l.root, items, l.cost})
				continue
			}
			for _, pl := range p.place(l.root, it.attr) {
				if (it.agg == "sum" || it.agg == "avg") && pl.col.Class != catalog.Number && pl.col.Class != catalog.Interval {
					continue
				}
				if (it.agg == "min" || it.agg == "max") && !ordered(pl.col) {
					continue
				}
				if (it.agg == "sum" || it.agg == "avg") && p.isIdentifier(pl.col) {
					continue
				}
				x := it
				x.attr, x.col, x.sid = nil, pl.col, pl.sid
				next = append(next, placedItems{pl.root, append(l.items[:len(l.items):len(l.items)], x), l.cost + pl.cost})
			}
		}
		sort.SliceStable(next, func(i, j int) bool { return next[i].cost < next[j].cost })
		if len(next) > maxPlaced {
			next = next[:maxPlaced]
		}
		list = next
	}
	return list
}

type placedItems struct {
	root  *set
	items []item
	cost  float64
}

// attributeOf makes an attribute phrase one of things: "names" of singers.
func (p *parser) attributeOf(a, of *np) []applied {
	var out []applied
	ofs := []applied{{of, 0}}
	if of.isValue() {
		// every reading of the value: the thing of that name first, then rows
		// that hold it
		ofs = p.valueEntity(of)
	}
	for _, o := range ofs {
		if o.np.set == nil {
			continue
		}
		for _, l := range p.resolveItems(o.np.set, a.items) {
			if of.isValue() && len(l.items) == 1 && l.items[0].agg == "" && len(o.np.set.conds) > 0 && o.np.set.conds[0].col == l.items[0].col && !a.items[0].attr.named {
				continue // nothing is asked if the answer is given
			}
			m := a.clone()
			m.set, m.items = l.root, l.items
			m.distinct = a.distinct || of.distinct || p.called(o.np.set) && !o.np.set.sorted()
			m.num = of.num
			m.order = of.order
			m.group = append(append([]item(nil), a.group...), of.group...)
			out = append(out, applied{m, o.cost + l.cost})
		}
	}
	return best(out, 6)
}

// called reports whether a set is the rows of one name, several of which may
// stand for one thing.
func (p *parser) called(s *set) bool {
	for _, c := range s.conds {
		if c.kind == compare && c.op == "=" && !c.col.Unique && len(c.val.lits) == 1 {
			for _, d := range p.x.info[s.rel].display {
				if d == c.col {
					return true
				}
			}
		}
	}
	return false
}

func (s *set) sorted() bool { return s.sup != nil }

// addAttributes adds outputs to a phrase that has its set.
func (p *parser) addAttributes(n *np, items []item) []applied {
	var out []applied
	for _, l := range p.resolveItems(n.set, items) {
		m := n.clone()
		m.set = l.root
		m.items = append(n.items[:len(n.items):len(n.items)], l.items...)
		out = append(out, applied{m, l.cost})
	}
	return best(out, 4)
}

// attrOf makes an attribute of the columns whose names hold one of the words,
// which come in order of preference; nil if there is none.
func (p *parser) attrOf(words, down []string, i, j int) *attr {
	a := &attr{start: i, end: j, adj: true}
	seen := map[*catalog.Column]bool{}
	collect := func(words []string, isDown bool, offset float64) {
		for k, w := range words {
			stems := p.x.stems(strings.Fields(w))
			for _, lb := range p.x.labels[stems[0]] {
				if lb.col == nil || seen[lb.col] || lb.comment {
					continue
				}
				if s := p.x.match(stems, lb); s > 0 {
					switch lb.col.Class {
					case catalog.Number, catalog.Date, catalog.Timestamp, catalog.Interval, catalog.Time:
					default:
						continue
					}
					if p.x.graph.isForeign(lb.col) {
						continue
					}
					seen[lb.col] = true
					a.cands = append(a.cands, colCand{lb.col, max(0.2, s-offset-0.13*float64(k)), lb, isDown})
				}
			}
		}
	}
	collect(words, false, 0)
	collect(down, true, 0.1)
	if len(a.cands) == 0 {
		return nil
	}
	sort.SliceStable(a.cands, func(x, y int) bool { return a.cands[x].score > a.cands[y].score })
	return a
}

// extremeByAdjective keeps the things that an adjective names the most so: the
// oldest singer.
func (p *parser) extremeByAdjective(n *np, adj adjective, count string, i, j int) []applied {
	a := p.attrOf(adj.cols, adj.down, i, j)
	if a == nil {
		return nil
	}
	if n.isValue() {
		var out []applied
		for _, v := range p.valueEntity(n) {
			for _, r := range p.extremeByAdjective(v.np, adj, count, i, j) {
				out = append(out, applied{r.np, v.cost + r.cost})
			}
		}
		return best(out, 3)
	}
	if n.isAttr() {
		return nil
	}
	if n.set == nil || len(n.group) > 0 || n.hasAggregate() {
		return nil
	}
	var out []applied
	places := p.place(n.set, a)
	own := false
	for _, pl := range places {
		own = own || pl.sid == n.set.id
	}
	for _, pl := range places {
		if pl.sid != n.set.id && (own || pl.root != n.set) {
			continue // what is large is the thing, not what it belongs to
		}
		m := n.clone()
		s := *pl.root
		if s.sup != nil {
			continue
		}
		if len(n.order) > 0 && count == "1" && len(n.items) == 0 {
			// "the longest rivers, from longest to shortest": all, in that order
			by := item{col: pl.col, sid: pl.sid}
			m = p.shown(m).clone()
			m.items = append(m.items[:len(m.items):len(m.items)], by)
			m.order = []ordering{{by, n.order[len(n.order)-1].desc}}
			out = append(out, applied{m, pl.cost + 0.2})
			continue
		}
		s.sup = &super{by: item{col: pl.col, sid: pl.sid}, desc: adj.up != pl.cand.down, n: count}
		m.set = &s
		m.num = ""
		cost := pl.cost + 0.1 + (1-a.cands[0].score)*0.5
		if len(n.items) > 0 {
			cost += 0.5
			if n.byItems {
				cost += 0.8 // the adjective is said of the attribute
			}
		}
		out = append(out, applied{m, cost})
	}
	return best(out, 4)
}

// mostCommon keeps the value of a column that most rows have.
func (p *parser) mostCommon(n *np, desc bool, count string) []applied {
	var out []applied
	for _, s := range p.settle(n) {
		m := s.np
		if m.set == nil || len(m.items) != 1 || m.items[0].agg != "" || m.items[0].col == nil || len(m.group) > 0 || m.set.sup != nil {
			continue
		}
		k := m.clone()
		k.group = []item{m.items[0]}
		k.order = []ordering{{by: item{agg: "count", sid: m.set.id}, desc: desc}}
		k.num = count
		out = append(out, applied{k, s.cost + 0.1})
	}
	return best(out, 4)
}

// columnsNamed returns an attribute of the relation's columns whose names hold
// one of the words, the first word that is found deciding.
func (p *parser) columnsNamed(words []string, r relationOf, dates bool) *attr {
	for _, w := range words {
		stem := p.lang.stem(w)
		for _, c := range r.Columns {
			if dates != (c.Class == catalog.Date || c.Class == catalog.Timestamp || c.Class == catalog.Time || dates && stem == "year") {
				continue
			}
			if containsString(p.x.info[r].names[c], stem) && !containsColumn(p.x.info[r].display, c) {
				return &attr{cands: []colCand{{col: c, score: 0.8}}}
			}
		}
	}
	return nil
}

type relationOf = *catalog.Relation
