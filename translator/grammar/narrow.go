package grammar

import (
	"slices"

	"askpg/catalog"
)

// applySuper keeps the things with the highest or lowest attribute.
func (p *parser) applySuper(n *np, m *mod) []applied {
	if n.set == nil || n.set.sup != nil || n.hasAggregate() && len(n.group) == 0 {
		return nil
	}
	count := m.n
	if n.num != "" {
		count = n.num
	}
	items := []item{{attr: m.attr}}
	if m.attr == nil {
		items = m.np.items
		if m.np.set != nil {
			return p.superOver(n, m, count)
		}
	}
	var out []applied
	for _, l := range p.resolveItems(n.set, items) {
		if len(l.items) != 1 {
			continue
		}
		by := l.items[0]
		if by.agg == "" && by.col != nil && by.col.Class != catalog.Number && by.col.Class != catalog.Date && by.col.Class != catalog.Timestamp && by.col.Class != catalog.Interval && by.col.Class != catalog.Time {
			continue
		}
		x := n.clone()
		s := *l.root
		s.sup = &super{by: by, desc: m.desc, n: count}
		x.set, x.num = &s, ""
		cost := l.cost
		if by.agg == "" && by.sid != n.set.id && !reachedToOne(l.root, by.sid) {
			// of many rows each: which of them is not said, or all together
			cost += 0.15
			if by.col.Class == catalog.Number && p.additive(by.col) {
				cost += 0.45
				y := n.clone()
				t := s
				sum := by
				sum.agg = "sum"
				t.sup = &super{by: sum, desc: m.desc, n: count}
				y.set, y.num = &t, ""
				out = append(out, applied{y, cost - 0.3})
			}
		}
		out = append(out, applied{x, cost})
	}
	return best(out, 4)
}

// additive reports whether a column's values are amounts that add up: it is
// called so, or its rows are events, which have no name and happen to something
// at a time, and it is no rate or size of them.
func (p *parser) additive(c *catalog.Column) bool {
	if c.Class != catalog.Number || p.isIdentifier(c) {
		return false
	}
	info, event := p.x.info[c.Relation], false
	if len(info.dates) > 0 && (len(info.display) == 0 || !textual(info.display[0])) {
		event = slices.ContainsFunc(p.x.graph.edges[c.Relation], func(e *edge) bool { return e.toOne })
	}
	for _, s := range info.names[c] {
		if p.lang.intensive[s] {
			return false
		}
		event = event || p.lang.additive[s]
	}
	return event
}

// reachedToOne reports whether a set within s has at most one row for each of
// s's own.
func reachedToOne(s *set, id int) bool {
	for _, c := range s.conds {
		if c.kind == related && c.child.find(id) != nil {
			return c.path.toOne() && (c.child.id == id || reachedToOne(c.child, id))
		}
	}
	return s.id == id
}

// superOver ranks by an aggregate over related rows: "by number of orders".
func (p *parser) superOver(n *np, m *mod, count string) []applied {
	var out []applied
	if len(m.np.items) != 1 || len(m.np.group) > 0 || m.np.set.sup != nil {
		return nil
	}
	it := m.np.items[0]
	add := func(root *set, it item, cost float64) {
		x := n.clone()
		s := *root
		s.sup = &super{by: it, desc: m.desc, n: count}
		x.set, x.num = &s, ""
		out = append(out, applied{x, cost})
	}
	if m.np.set.rel == n.set.rel && m.verb == nil {
		moved := it
		if moved.sid == m.np.set.id {
			moved.sid = n.set.id
			cost := 0.1
			if !n.byItems {
				cost = 1.2
			}
			add(n.set.with(m.np.set.conds...), moved, cost)
		}
		return out
	}
	for _, pt := range p.pathsBetween(n.set.rel, m.np.set.rel) {
		if m.verb != nil && !pt.through(m.verb.rel) {
			continue
		}
		add(n.set.with(cond{kind: related, child: m.np.set, path: pt, join: true, rank: true}), it, 0.2+0.25*(pt.cost-1)+0.15*float64(pt.after)+p.hintCost(pt, m.hints))
	}
	return best(out, 3)
}

// applySuperRows keeps the things with the most rows of another kind.
func (p *parser) applySuperRows(n *np, m *mod) []applied {
	if n.set == nil || n.set.sup != nil || n.hasAggregate() {
		return nil
	}
	children := []applied{{m.np, 0}}
	if m.np.isAttr() {
		children = p.settle(m.np)
	}
	var out []applied
	for _, ch := range children {
		if ch.np.set == nil || ch.np.set.sup != nil {
			continue
		}
		mm := *m
		it := item{agg: "count", sid: ch.np.set.id, distinct: ch.np.distinct}
		if len(ch.np.items) == 1 {
			it.col, it.sid = ch.np.items[0].col, ch.np.items[0].sid
		}
		mm.np = &np{set: ch.np.set, items: []item{it}}
		mm.hints = append(mm.hints[:len(mm.hints):len(mm.hints)], ch.np.hints...)
		count := m.n
		if n.num != "" {
			count = n.num
		}
		for _, r := range p.superOver(n, &mm, count) {
			out = append(out, applied{r.np, r.cost + ch.cost})
		}
	}
	return best(out, 4)
}

// applyExcept takes away what follows "except".
func (p *parser) applyExcept(n *np, m *mod) []applied {
	if n.set == nil {
		return nil
	}
	if m.np.isEntity() && m.np.set.rel == n.set.rel && m.np.set.sup == nil && len(m.np.set.conds) > 0 {
		x := n.clone()
		x.set = n.set.with(cond{kind: noneOf, subs: m.np.set.conds})
		return []applied{{x, 0.1}}
	}
	return p.applyRelated(n, &mod{kind: modRelated, np: m.np, neg: true})
}

// addedConds returns what applying something added to a set, if that is all
// that it did.
func addedConds(before, after *np) ([]cond, bool) {
	if after.set == nil || after.set.id != before.set.id || after.set.sup != before.set.sup || len(after.set.conds) <= len(before.set.conds) {
		return nil, false
	}
	return after.set.conds[len(before.set.conds):], true
}

// applyAny narrows a set to rows for which one of the modifiers holds.
func (p *parser) applyAny(n *np, m *mod) []applied {
	if n.set == nil {
		return nil
	}
	type option struct {
		conds []cond
		cost  float64
	}
	var lists [][]option
	for i := range m.subs {
		var opts []option
		for _, a := range p.apply(n, &m.subs[i]) {
			if cs, ok := addedConds(n, a.np); ok {
				opts = append(opts, option{cs, a.cost})
			}
		}
		if len(opts) == 0 {
			return nil
		}
		if len(opts) > 2 {
			opts = opts[:2]
		}
		lists = append(lists, opts)
	}
	var out []applied
	for _, a := range lists[0] {
		for _, b := range lists[1] {
			x := n.clone()
			x.set = n.set.with(cond{kind: anyOf, subs: []cond{all(a.conds), all(b.conds)}})
			out = append(out, applied{x, a.cost + b.cost})
		}
	}
	return best(out, 3)
}

func all(conds []cond) cond {
	if len(conds) == 1 {
		return conds[0]
	}
	return cond{kind: allOf, subs: conds}
}

// applyNot narrows a set to rows for which a modifier does not hold.
func (p *parser) applyNot(n *np, m *mod) []applied {
	if n.set == nil {
		return nil
	}
	var out []applied
	for _, a := range p.apply(n, &m.subs[0]) {
		cs, ok := addedConds(n, a.np)
		if !ok {
			continue
		}
		x := n.clone()
		if len(cs) == 1 && cs[0].kind == compare {
			if op := negated(cs[0].op); op != "" {
				c := cs[0]
				c.op = op
				x.set = n.set.with(c)
				out = append(out, applied{x, a.cost})
				continue
			}
		}
		if len(cs) == 1 && cs[0].kind == related && cs[0].count == nil {
			c := cs[0]
			c.neg = !c.neg
			x.set = n.set.with(c)
			out = append(out, applied{x, a.cost})
			continue
		}
		x.set = n.set.with(cond{kind: noneOf, subs: cs})
		out = append(out, applied{x, a.cost})
	}
	return best(out, 4)
}

func negated(op string) string {
	switch op {
	case "=":
		return "<>"
	case "<>":
		return "="
	case ">":
		return "<="
	case "<":
		return ">="
	case ">=":
		return "<"
	case "<=":
		return ">"
	case "in":
		return "not in"
	case "ilike":
		return "not ilike"
	case "is null":
		return "is not null"
	case "is not null":
		return "is null"
	}
	return ""
}

// applyHaving narrows groups by an aggregate: "with an average age above 30".
// applyGroup divides what is said by a key: "number of orders per customer".
// rankBy says by what a superlative is meant: "the largest state by area".
// applyOrder sorts the answer.
// applyDirection gives the last sort key its direction, or sorts by what is
// shown first.
