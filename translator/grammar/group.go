package grammar

import "askpg/catalog"

func (p *parser) applyHaving(n *np, m *mod) []applied {
	if n.set == nil || m.np == nil || len(m.np.items) != 1 || m.val.query != nil || len(m.val.lits) == 0 {
		return nil
	}
	var out []applied
	for _, l := range p.resolveItems(n.set, m.np.items) {
		if len(l.items) != 1 {
			continue
		}
		x := n.clone()
		x.set = l.root
		x.having = append(n.having[:len(n.having):len(n.having)], having{l.items[0], m.op, m.val})
		out = append(out, applied{x, l.cost + 0.1})
	}
	return best(out, 3)
}

func (p *parser) applyGroup(n *np, m *mod) []applied {
	if n.pron || n.isValue() || len(n.ratio) > 0 {
		return nil
	}
	if n.set == nil {
		return p.throughSettle(n, m)
	}
	if m.op != "" {
		return p.groupByTime(n, m.op)
	}
	if n.set.sup != nil {
		return p.rankBy(n, m)
	}
	// "top 5 countries by population", "top 3 customers by number of orders"
	if n.num != "" && !n.hasAggregate() && len(m.np.items) == 1 && len(m.np.group) == 0 {
		it := m.np.items[0]
		switch {
		case it.agg != "":
			return p.ranking(n, &mod{kind: modSuper, np: m.np, desc: !n.low, n: n.num})
		case it.attr != nil && m.np.set == nil:
			return p.ranking(n, &mod{kind: modSuper, attr: it.attr, desc: !n.low, n: n.num})
		}
	}
	if m.np.hasAggregate() || n.set.sup != nil {
		return nil
	}
	var out []applied
	if !n.hasAggregate() && !m.lead && !(m.np.set != nil && m.np.set.rel == n.set.rel) {
		// "revenue per country": of several rows each, so it is added up
		for _, r := range p.total(n) {
			for _, g := range p.applyGroup(r.np, m) {
				out = append(out, applied{g.np, r.cost + g.cost})
			}
		}
		if len(n.items) == 0 || len(n.items) == 1 && numeric(n.items) {
			return best(out, 4)
		}
	}
	extra := 0.0
	if !n.hasAggregate() {
		extra = 0.6
	}
	keyed := func(root *set, keys []item, cost float64) {
		x := n.clone()
		x.set = root
		x.group = append(n.group[:len(n.group):len(n.group)], keys...)
		x.items = nil
		for _, it := range n.items {
			if len(keys) == 1 && it.col == keys[0].col && it.agg != "" && it.agg != "count" && len(n.items) > 1 {
				continue // "average weight and year for each year"
			}
			x.items = append(x.items, it)
		}
		out = append(out, applied{x, cost + extra})
	}
	switch {
	case m.np.isAttr():
		for _, l := range p.resolveItems(n.set, m.np.items) {
			if e := p.pointer(l.items); e != nil {
				// "per manager": who that is, not his number
				child := &set{id: p.newID(), rel: e.to}
				x := n.clone()
				x.set = l.root.replace(l.root.find(l.items[0].sid).with(cond{kind: related, child: child, path: path{edges: []*edge{e}, cost: e.cost}, join: true}))
				x.group = append(n.group[:len(n.group):len(n.group)], item{entity: true, sid: child.id})
				out = append(out, applied{x, l.cost + extra})
				continue
			}
			keyed(l.root, l.items, l.cost)
		}
	case m.np.isEntity():
		out = p.groupByEntity(n, m.np, extra)
		if len(m.np.group) > 0 {
			return nil
		}
	case m.np.set != nil:
		// a key of related things: "by country of the customer"
		found := false
		walk(n.set, func(s *set, depth int) {
			if s.rel == m.np.set.rel && len(m.np.set.conds) == 0 && !found {
				found = true
				keys := append([]item(nil), m.np.items...)
				for i := range keys {
					if keys[i].sid == m.np.set.id {
						keys[i].sid = s.id
					} else {
						return
					}
				}
				keyed(n.set, keys, 0.1)
			}
		})
		for _, pt := range p.pathsBetween(n.set.rel, m.np.set.rel) {
			cost := 0.2 + 0.25*(pt.cost-1) + 0.15*float64(pt.after)
			if !pt.toOne() {
				cost += 0.2
			}
			keyed(n.set.with(cond{kind: related, child: m.np.set, path: pt, join: true}), m.np.items, cost)
		}
	}
	return best(out, 4)
}

func (p *parser) rankBy(n *np, m *mod) []applied {
	if m.np == nil || !m.np.isAttr() || len(m.np.items) != 1 || m.np.items[0].agg != "" || n.set.sup.by.agg != "" {
		return nil
	}
	var out []applied
	for _, l := range p.resolveItems(n.set, m.np.items) {
		if len(l.items) == 1 && l.items[0].col != nil && ordered(l.items[0].col) {
			x := n.clone()
			s := *l.root
			sup := *n.set.sup
			sup.by = l.items[0]
			s.sup = &sup
			x.set = &s
			out = append(out, applied{x, l.cost})
		}
	}
	return best(out, 2)
}

func (p *parser) groupByEntity(n, key *np, extra float64) []applied {
	var out []applied
	if n.set.rel == key.set.rel {
		if len(key.set.conds) > 0 || key.set.sup != nil {
			return nil
		}
		// rows of the thing itself, each for itself
		if n.hasAggregate() {
			return nil
		}
		x := n.clone()
		x.items = append([]item{}, n.items...)
		for _, it := range n.items {
			if it.over != nil {
				x.items = nil
				for _, k := range p.x.info[n.set.rel].display {
					x.items = append(x.items, item{col: k, sid: n.set.id})
				}
				x.items = append(x.items, n.items...)
				break
			}
		}
		return []applied{{x, 0.4}}
	}
	walk(n.set, func(s *set, depth int) {
		if s != n.set && s.rel == key.set.rel && len(key.set.conds) == 0 && key.set.sup == nil {
			x := n.clone()
			x.group = append(n.group[:len(n.group):len(n.group)], item{entity: true, sid: s.id})
			out = append(out, applied{x, 0.1 + extra})
		}
	})
	for _, pt := range p.pathsBetween(n.set.rel, key.set.rel) {
		cost := 0.1 + 0.3*(pt.cost-1) + 0.15*float64(pt.after) + extra
		x := n.clone()
		x.set = n.set.with(cond{kind: related, child: key.set, path: pt, join: true})
		x.group = append(n.group[:len(n.group):len(n.group)], item{entity: true, sid: key.set.id})
		out = append(out, applied{x, cost})
	}
	return best(out, 4)
}

func (p *parser) groupByTime(n *np, unit string) []applied {
	var out []applied
	if !n.hasAggregate() {
		for _, r := range p.total(n) {
			for _, g := range p.groupByTime(r.np, unit) {
				out = append(out, applied{g.np, r.cost + g.cost})
			}
		}
		return best(out, 4)
	}
	walk(n.set, func(s *set, depth int) {
		for _, c := range s.rel.Columns {
			cost := 0.2 + 0.3*float64(depth)
			it := item{col: c, sid: s.id}
			stems := p.x.info[s.rel].names[c]
			switch {
			case c.Class == catalog.Date || c.Class == catalog.Timestamp:
				if !(unit == "day" && c.Class == catalog.Date) && !(unit != "day" && containsString(stems, p.lang.stem(unit))) {
					it.trunc = unit // unless the column is of such units already
				}
				if containsString(stems, "creat") || containsString(stems, "updat") {
					cost += 0.1
				}
				if p.passing(c) {
					cost += 0.1
				}
				if s.rel.Time == c {
					cost -= 0.2 // as an administrator says
				}
			case unit == "year" && c.Class == catalog.Number && containsString(stems, "year"):
				cost -= 0.1
			default:
				continue
			}
			x := n.clone()
			x.group = append(n.group[:len(n.group):len(n.group)], it)
			out = append(out, applied{x, cost})
		}
	})
	return best(out, 4)
}
