package grammar

func (p *parser) applyOrder(n *np, m *mod) []applied {
	if n.pron || n.isValue() || m.np == nil {
		return nil
	}
	if n.set == nil {
		return p.throughSettle(n, m)
	}
	var out []applied
	add := func(root *set, it item, cost float64) {
		x := n.clone()
		x.set = root
		x.order = append(n.order[:len(n.order):len(n.order)], ordering{it, m.desc})
		out = append(out, applied{x, cost})
	}
	if len(m.np.items) == 1 && m.np.items[0].agg != "" {
		// an aggregate that is shown already
		for _, it := range n.items {
			if it.agg == m.np.items[0].agg && (m.np.set == nil || it.agg == "count") {
				add(n.set, it, 0.1)
			}
		}
		if len(out) > 0 {
			return out
		}
		if m.np.set == nil {
			for _, l := range p.resolveItems(n.set, m.np.items) {
				if len(l.items) == 1 {
					add(l.root, l.items[0], l.cost+0.1)
				}
			}
			return best(out, 3)
		}
		for _, r := range p.superOver(n, &mod{np: m.np, desc: m.desc}, "") {
			x := n.clone()
			s := *r.np.set
			by := s.sup.by
			s.sup = nil
			x.set = &s
			x.order = append(n.order[:len(n.order):len(n.order)], ordering{by, m.desc})
			out = append(out, applied{x, r.cost + 0.2})
		}
		return best(out, 3)
	}
	switch {
	case m.np.isAttr():
		for _, l := range p.resolveItems(n.set, m.np.items) {
			if len(l.items) >= 1 {
				x := n.clone()
				x.set = l.root
				x.order = n.order[:len(n.order):len(n.order)]
				for _, it := range l.items {
					// an aggregate of that column is shown: that is what is meant
					for _, shown := range n.items {
						if shown.agg != "" && shown.col == it.col && it.col != nil {
							it = shown
						}
					}
					x.order = append(x.order, ordering{it, m.desc})
				}
				out = append(out, applied{x, l.cost})
			}
		}
	case m.np.isEntity():
		for _, d := range p.x.info[m.np.set.rel].display[:min(1, len(p.x.info[m.np.set.rel].display))] {
			walk(n.set, func(s *set, depth int) {
				if s.rel == m.np.set.rel {
					add(n.set, item{col: d, sid: s.id}, 0.4)
				}
			})
		}
	case m.np.set != nil && len(m.np.items) == 1 && m.np.items[0].col != nil:
		walk(n.set, func(s *set, depth int) {
			if s.rel == m.np.items[0].col.Relation && len(m.np.set.conds) == 0 {
				add(n.set, item{col: m.np.items[0].col, sid: s.id}, 0.1)
			}
		})
	}
	return best(out, 4)
}

func (p *parser) applyDirection(n *np, m *mod) []applied {
	if n.set == nil {
		if n.isAttr() {
			return p.throughSettle(n, m)
		}
		return nil
	}
	x := n.clone()
	if sup := n.set.sup; sup != nil && sup.by.col != nil && sup.by.agg == "" && sup.n == "1" && len(n.items) == 0 {
		// "the longest rivers, from longest to shortest": all, in that order
		s := *n.set
		s.sup = nil
		x.set = &s
		x = p.shown(x).clone()
		x.items = append(x.items[:len(x.items):len(x.items)], sup.by)
		x.order = []ordering{{sup.by, m.desc}}
		return []applied{{x, 0.1}}
	}
	if len(n.order) > 0 {
		x.order = append([]ordering(nil), n.order...)
		for i := range x.order {
			if i == len(x.order)-1 || !x.order[i].desc {
				x.order[i].desc = m.desc
			}
		}
		return []applied{{x, 0}}
	}
	if len(n.items) > 0 {
		it := n.items[0]
		for _, k := range n.items {
			if k.agg != "" {
				it = k
			}
		}
		x.order = []ordering{{it, m.desc}}
		return []applied{{x, 0.2}}
	}
	if d := p.x.info[n.set.rel].display; len(d) > 0 {
		x.order = []ordering{{item{col: d[0], sid: n.set.id}, m.desc}}
		return []applied{{x, 0.2}}
	}
	return nil
}
