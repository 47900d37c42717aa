package grammar

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"askpg/catalog"
)

// reading is a phrase after something was said of it.
type reading struct {
	phrase *phrase
	cost   float64
}

// placement is a column found for an attribute: on which set, and that set's root
// with whatever joins it takes.
type placement struct {
	root      *set
	setID     int
	column    *catalog.Column
	cost      float64
	candidate columnCandidate
}

const maxPlaced = 4

// place finds the columns that an attribute can be of a set: its own, those of
// sets that it is already joined to, those of relations around it.
func (p *parser) place(root *set, a *attribute) []placement {
	if a.asksName {
		return p.placeName(root)
	}
	// Most of what there is is far-fetched: sets are made of what is left alone.
	type place struct {
		setID     int
		path      *path // to a set that is to be joined, nil for one that is there
		candidate *columnCandidate
		cost      float64
	}
	var all []place
	top := a.candidates[0].score
	if a.fromAdjective {
		// an adjective speaks of the thing itself where it can
		for _, c := range a.candidates {
			if c.column.Relation == root.relation {
				top = c.score
				break
			}
		}
	}
	for i := range a.candidates {
		c := &a.candidates[i]
		base := 3 * max(0, top-c.score)
		if a.fromAdjective && c.column.Relation != root.relation && top != a.candidates[0].score {
			continue
		}
		r := c.column.Relation
		if r == root.relation {
			all = append(all, place{root.id, nil, c, base})
			continue
		}
		found := false
		walk(root, func(s *set, depth int) {
			if s.relation == r && s != root {
				found = true
				all = append(all, place{s.id, nil, c, base + 0.25*float64(depth)})
			}
		})
		if found {
			continue
		}
		if paths := p.pathsBetween(root.relation, r); len(paths) > 0 {
			pt := &paths[0]
			cost := base + 0.3 + 0.35*pt.cost + alongMeasure(root, *pt)
			if !pt.toOne() {
				cost += 0.3
			}
			if c.score < namedScore && !a.fromAdjective && !p.names(r) {
				cost += nameless // another thing's column is called by its name
			}
			all = append(all, place{p.newID(), pt, c, cost})
		}
	}
	slices.SortStableFunc(all, func(a, b place) int { return cmp.Compare(a.cost, b.cost) })
	// a set's own column makes those elsewhere far-fetched
	out := make([]placement, 0, maxPlaced)
	for _, l := range all[:min(len(all), maxPlaced)] {
		from := root
		if l.path != nil {
			from = root.with(condition{kind: related, child: &set{id: l.setID, relation: l.candidate.column.Relation}, path: *l.path, joined: true})
		}
		out = append(out, placement{from, l.setID, l.candidate.column, l.cost, *l.candidate})
	}
	return out
}

// placeName finds the columns by which a thing is called.
func (p *parser) placeName(root *set) []placement {
	var out []placement
	for _, c := range p.nameColumns(root.relation) {
		out = append(out, placement{root, root.id, c, 0, columnCandidate{column: c, score: 1}})
		break
	}
	if len(out) == 0 {
		if d := p.lexicon.relationInfo[root.relation].display; len(d) > 0 {
			out = append(out, placement{root, root.id, d[0], 0.3, columnCandidate{column: d[0], score: 1}})
		}
	}
	return out
}

// nameColumns returns what a person means by the name of a row.
func (p *parser) nameColumns(r *catalog.Relation) []*catalog.Column {
	return p.lexicon.relationInfo[r].display
}

// walk visits the sets that a set is joined to.
func walk(s *set, f func(s *set, depth int)) { walkDepth(s, 0, f) }

func walkDepth(s *set, depth int, f func(s *set, depth int)) {
	f(s, depth)
	for _, c := range s.conditions {
		if c.kind == related && !c.negated && c.count == nil {
			walkDepth(c.child, depth+1, f)
		}
	}
}

// pathsBetween returns the paths between two relations, cheapest first.
func (p *parser) pathsBetween(a, b *catalog.Relation) []path {
	key := [2]*catalog.Relation{a, b}
	if r, ok := p.paths[key]; ok {
		return r
	}
	r := p.lexicon.graph.paths(a, b)
	if plain := slices.IndexFunc(r, func(pt path) bool { return !p.unsaidRole(pt) }); plain >= 0 && len(r) > 1 {
		r = slices.Clone(r)
		for i := range r {
			if p.unsaidRole(r[i]) {
				r[i].cost += unsaidRoleCost
			}
		}
		slices.SortStableFunc(r, func(x, y path) int { return cmp.Compare(x.cost, y.cost) })
	}
	p.paths[key] = r
	return r
}

// unsaidRoleCost is added to a path that goes by a role which nobody said, where
// there is another path.
const unsaidRoleCost = 3

// unsaidRole reports whether a path goes by a key that is called by a role, such
// as coach_id of teams, of which the question says nothing.
func (p *parser) unsaidRole(pt path) bool {
	return slices.ContainsFunc(pt.edges, func(e *edge) bool {
		var role []string
		for _, s := range e.name {
			if s != "id" && s != "code" && s != "key" && s != "no" && s != "number" && !p.lexicon.relationInfo[e.to].stems[s] && !p.lexicon.relationInfo[e.from].stems[s] {
				role = append(role, s)
			}
		}
		return len(role) > 0 && !slices.ContainsFunc(p.tokens, func(t token) bool { return p.hintsAt([]string{t.lower}, role) })
	})
}

// resolveItems finds columns for the items of a phrase on a set.
func (p *parser) resolveItems(root *set, items []item) []itemsPlacement {
	list := []itemsPlacement{{root: root}}
	for _, it := range items {
		if it.attribute == nil {
			for i := range list {
				x := it
				if x.setID == 0 {
					x.setID = root.id
				}
				list[i].items = append(list[i].items[:len(list[i].items):len(list[i].items)], x)
			}
			continue
		}
		var next []itemsPlacement
		for _, l := range list {
			if it.attribute.asksName && it.aggregate == "" {
				// the name of a person is two columns
				columns := p.nameColumns(l.root.relation)
				items := l.items[:len(l.items):len(l.items)]
				for _, c := range columns {
					x := it
					x.attribute, x.column, x.setID = nil, c, l.root.id
					items = append(items, x)
				}
				if len(columns) > 0 && !textual(columns[0]) {
					l.cost += nameless // a number is no name
				}
				next = append(next, itemsPlacement{l.root, items, l.cost})
				continue
			}
			for _, pl := range p.place(l.root, it.attribute) {
				if (it.aggregate == "sum" || it.aggregate == "avg") && pl.column.Class != catalog.Number && pl.column.Class != catalog.Interval {
					continue
				}
				if (it.aggregate == "min" || it.aggregate == "max") && !ordered(pl.column) {
					continue
				}
				if (it.aggregate == "sum" || it.aggregate == "avg") && p.isIdentifier(pl.column) {
					continue
				}
				x := it
				x.attribute, x.column, x.setID = nil, pl.column, pl.setID
				next = append(next, itemsPlacement{pl.root, append(l.items[:len(l.items):len(l.items)], x), l.cost + pl.cost})
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

type itemsPlacement struct {
	root  *set
	items []item
	cost  float64
}

// attributeOf makes an attribute phrase one of things: "names" of singers.
func (p *parser) attributeOf(a, of *phrase) []reading {
	var out []reading
	ofs := []reading{{of, 0}}
	if of.isValue() {
		// every reading of the value: the thing of that name first, then rows
		// that hold it
		ofs = p.valueEntity(of)
	}
	for _, o := range ofs {
		if o.phrase.set == nil {
			continue
		}
		for _, l := range p.resolveItems(o.phrase.set, a.items) {
			if of.isValue() && len(l.items) == 1 && l.items[0].aggregate == "" && len(o.phrase.set.conditions) > 0 && o.phrase.set.conditions[0].column == l.items[0].column && !a.items[0].attribute.asksName {
				continue // nothing is asked if the answer is given
			}
			m := a.clone()
			m.set, m.items = l.root, l.items
			m.distinct = a.distinct || of.distinct || p.isCalled(o.phrase.set) && !o.phrase.set.hasSuperlative()
			m.number = of.number
			m.order = of.order
			m.group = append(append([]item(nil), a.group...), of.group...)
			out = append(out, reading{m, o.cost + l.cost})
		}
	}
	return cheapestReadings(out, 6)
}

// isCalled reports whether a set is the rows of one name, several of which may
// stand for one thing.
func (p *parser) isCalled(s *set) bool {
	for _, c := range s.conditions {
		if c.kind == compare && c.op == "=" && !c.column.Unique && len(c.value.literals) == 1 {
			for _, d := range p.lexicon.relationInfo[s.relation].display {
				if d == c.column {
					return true
				}
			}
		}
	}
	return false
}

func (s *set) hasSuperlative() bool { return s.superlative != nil }

// addAttributes adds outputs to a phrase that has its set.
func (p *parser) addAttributes(n *phrase, items []item) []reading {
	var out []reading
	for _, l := range p.resolveItems(n.set, items) {
		m := n.clone()
		m.set = l.root
		m.items = append(n.items[:len(n.items):len(n.items)], l.items...)
		out = append(out, reading{m, l.cost})
	}
	return cheapestReadings(out, 4)
}

// attributeNamed makes an attribute of the columns whose names hold one of the words,
// which come in order of preference; nil if there is none.
func (p *parser) attributeNamed(words, down []string, i, j int) *attribute {
	a := &attribute{start: i, end: j, fromAdjective: true}
	seen := map[*catalog.Column]bool{}
	collect := func(words []string, isDown bool, offset float64) {
		for k, w := range words {
			stems := p.lexicon.stems(strings.Fields(w))
			for _, lb := range p.lexicon.labels[stems[0]] {
				if lb.column == nil || seen[lb.column] || lb.comment {
					continue
				}
				if s := p.lexicon.match(stems, lb); s > 0 {
					switch lb.column.Class {
					case catalog.Number, catalog.Date, catalog.Timestamp, catalog.Interval, catalog.Time:
					default:
						continue
					}
					if p.lexicon.graph.isForeign(lb.column) {
						continue
					}
					seen[lb.column] = true
					a.candidates = append(a.candidates, columnCandidate{lb.column, max(0.2, s-offset-0.13*float64(k)), lb, isDown})
				}
			}
		}
	}
	collect(words, false, 0)
	collect(down, true, 0.1)
	if len(a.candidates) == 0 {
		return nil
	}
	sort.SliceStable(a.candidates, func(x, y int) bool { return a.candidates[x].score > a.candidates[y].score })
	return a
}

// ofTime reports whether an adjective speaks of when something happened, and
// whether it says "late" or "early".
func (a adjective) ofTime() (late, ok bool) {
	switch {
	case slices.Contains(a.columns, "date"):
		return a.up, true
	case slices.Contains(a.down, "date"):
		return !a.up, true
	}
	return false, false
}

// isAged reports whether a relation has a column of its own by which its things
// are old or young: an age, a birth, a foundation. None is new by that.
func (p *parser) isAged(r *catalog.Relation, a *attribute, by adjective) bool {
	return a != nil && !slices.Contains(by.columns, "date") && slices.ContainsFunc(a.candidates, func(c columnCandidate) bool {
		return c.column.Relation == r && (!c.reversed && slices.Contains(p.lexicon.relationInfo[r].names[c.column], by.columns[0]) || c.reversed && c.column.Class != catalog.Number || p.lexicon.holdsYears(c.column))
	})
}

// extremeByAdjective keeps the things that an adjective names the most so: the
// oldest singer.
func (p *parser) extremeByAdjective(n *phrase, adjective adjective, count string, i, j int) []reading {
	a := p.attributeNamed(adjective.columns, adjective.down, i, j)
	if n.isEntity() && len(n.group) == 0 {
		if up, timed := adjective.ofTime(); timed && !p.isAged(n.set.relation, a, adjective) {
			return p.applyFirstOrLast(n, &modifier{descending: up, count: count})
		}
	}
	if a == nil {
		return nil
	}
	if n.isValue() {
		var out []reading
		for _, v := range p.valueEntity(n) {
			for _, r := range p.extremeByAdjective(v.phrase, adjective, count, i, j) {
				out = append(out, reading{r.phrase, v.cost + r.cost})
			}
		}
		return cheapestReadings(out, 3)
	}
	if n.isAttribute() {
		return nil
	}
	if n.set == nil || len(n.group) > 0 || n.hasAggregate() {
		return nil
	}
	var out []reading
	places := p.place(n.set, a)
	own := false
	for _, pl := range places {
		own = own || pl.setID == n.set.id
	}
	for _, pl := range places {
		if pl.setID != n.set.id && (own || pl.root != n.set) {
			continue // what is large is the thing, not what it belongs to
		}
		m := n.clone()
		s := *pl.root
		if s.superlative != nil {
			continue
		}
		if len(n.order) > 0 && count == "1" && len(n.items) == 0 {
			// "the longest rivers, from longest to shortest": all, in that order
			by := item{column: pl.column, setID: pl.setID}
			m = p.withDisplay(m).clone()
			m.items = append(m.items[:len(m.items):len(m.items)], by)
			m.order = []ordering{{by, n.order[len(n.order)-1].descending}}
			out = append(out, reading{m, pl.cost + 0.2})
			continue
		}
		s.superlative = &superlative{by: item{column: pl.column, setID: pl.setID}, descending: adjective.up != pl.candidate.reversed, count: count}
		m.set = &s
		m.number = ""
		cost := pl.cost + 0.1 + (1-a.candidates[0].score)*0.5
		if len(n.items) > 0 {
			cost += 0.5
			if n.attributeHead {
				cost += 0.8 // the adjective is said of the attribute
			}
		}
		out = append(out, reading{m, cost})
	}
	if len(out) == 0 && p.ofSeveral(a.candidates[0].column) == "avg" {
		// the marks of a thing are those that others gave it
		return p.ranked(n, p.applySuperlative(n, &modifier{attribute: a, descending: adjective.up, count: count}))
	}
	return cheapestReadings(out, 4)
}

// mostCommon keeps the value of a column that most rows have.
func (p *parser) mostCommon(n *phrase, descending bool, count string) []reading {
	var out []reading
	for _, s := range p.resolvePhrase(n) {
		m := s.phrase
		if m.set == nil || len(m.items) != 1 || m.items[0].aggregate != "" || m.items[0].column == nil || len(m.group) > 0 || m.set.superlative != nil {
			continue
		}
		k := m.clone()
		k.group = []item{m.items[0]}
		k.order = []ordering{{by: item{aggregate: "count", setID: m.set.id}, descending: descending}}
		k.number = count
		out = append(out, reading{k, s.cost + 0.1})
	}
	return cheapestReadings(out, 4)
}

// columnsNamed returns an attribute of the relation's columns whose names hold
// one of the words, the first word that is found deciding.
func (p *parser) columnsNamed(words []string, r relationOf, dates bool) *attribute {
	for _, w := range words {
		stem := p.language.stem(w)
		for _, c := range r.Columns {
			if dates != (c.Class == catalog.Date || c.Class == catalog.Timestamp || c.Class == catalog.Time || dates && stem == "year") {
				continue
			}
			if slices.Contains(p.lexicon.relationInfo[r].names[c], stem) && !slices.Contains(p.lexicon.relationInfo[r].display, c) {
				return &attribute{candidates: []columnCandidate{{column: c, score: 0.8}}}
			}
		}
	}
	return nil
}

type relationOf = *catalog.Relation
