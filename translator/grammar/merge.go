package grammar

func (p *parser) merge(a, b *np) []applied {
	if a.isValue() || b.isValue() || len(a.ratio) > 0 || len(b.ratio) > 0 || a.num != "" && b.num != "" {
		return nil
	}
	var out []applied
	switch {
	case b.set == nil && a.set != nil:
		out = append(out, p.addAttributes(p.shown(a), b.items)...)
	case b.set == nil:
		x := a.clone()
		x.items = append(a.items[:len(a.items):len(a.items)], b.items...)
		return []applied{{x, 0.1}}
	case a.set == nil:
		target := b.set
		for _, g := range b.group {
			if g.entity {
				if s := b.set.find(g.sid); s != nil {
					target = s
				}
			}
		}
		for _, l := range p.resolveItems(target, a.items) {
			x := p.shown(b).clone()
			x.items = append(append([]item(nil), l.items...), x.items...)
			if target == b.set {
				x.set = l.root
			} else {
				x.set = b.set.replace(l.root)
			}
			x.distinct = a.distinct || b.distinct
			out = append(out, applied{x, l.cost})
		}
		if b.hasAggregate() && len(b.group) == 0 && !a.hasAggregate() {
			// names of one thing and the number of another: "names of teachers
			// and how many courses"
			for _, s := range p.settle(a) {
				for _, r := range p.merge(s.np, b) {
					out = append(out, applied{r.np, r.cost + s.cost + 0.1})
				}
			}
		}
	case a.set.rel == b.set.rel:
		out = p.mergeSame(a, b)
	default:
		out = p.mergeOther(a, b)
	}
	return best(out, 5)
}

func (p *parser) shown(n *np) *np {
	if len(n.items) > 0 || n.set == nil {
		return n
	}
	x := n.clone()
	for _, c := range p.x.info[n.set.rel].display {
		x.items = append(x.items, item{col: c, sid: n.set.id})
	}
	return x
}

func (p *parser) mergeSame(a, b *np) []applied {
	first, second := a, b
	if len(a.set.conds) == 0 && a.set.sup == nil {
		first, second = b, a
	}
	if second.set.sup != nil || len(second.set.conds) > 0 {
		return nil
	}
	move := func(items []item) []item {
		out := append([]item(nil), items...)
		for i := range out {
			if out[i].sid == second.set.id {
				out[i].sid = first.set.id
			}
		}
		return out
	}
	x := first.clone()
	ai, bi := p.shown(a).items, p.shown(b).items
	if first == a {
		bi = move(bi)
	} else {
		ai = move(ai)
	}
	x.items = append(append([]item(nil), ai...), bi...)
	x.group = append(append([]item(nil), x.group...), move(second.group)...)
	x.distinct = a.distinct || b.distinct
	x.byItems = a.byItems || b.byItems
	for _, o := range second.order {
		o.by = move([]item{o.by})[0]
		x.order = append(x.order, o)
	}
	if x.num == "" {
		x.num = second.num
	}
	if a.hasAggregate() && !b.hasAggregate() || b.hasAggregate() && !a.hasAggregate() {
		if len(x.group) == 0 && !x.byItems {
			return []applied{{x, 0.4}}
		}
	}
	return []applied{{x, 0.1}}
}

func (p *parser) mergeOther(a, b *np) []applied {
	var out []applied
	agg, plain := a, b
	if b.hasAggregate() && !a.hasAggregate() {
		agg, plain = b, a
	} else if !a.hasAggregate() {
		// two things side by side
		for _, pt := range p.pathsBetween(a.set.rel, b.set.rel) {
			if a.set.sup != nil && b.set.sup != nil {
				return nil
			}
			x := p.shown(a).clone()
			x.set = a.set.with(cond{kind: related, child: b.set, path: pt, join: true})
			x.items = append(x.items[:len(x.items):len(x.items)], p.shown(b).items...)
			out = append(out, applied{x, 0.3 + 0.2*(pt.cost-1) + 0.15*float64(pt.after)})
		}
		return best(out, 3)
	}
	if plain.hasAggregate() || plain.set.sup != nil && len(agg.group) > 0 {
		return nil
	}
	order := func(x *np, shown []item) {
		if agg == a {
			x.items = append(append([]item(nil), agg.items...), shown...)
		} else {
			x.items = append(append([]item(nil), shown...), agg.items...)
		}
	}
	shown := p.shown(plain).items
	// the key is there already: "... for each concert"
	for _, g := range agg.group {
		if !g.entity {
			continue
		}
		s := agg.set.find(g.sid)
		if s == nil || s.rel != plain.set.rel {
			continue
		}
		x := agg.clone()
		moved := append([]item(nil), shown...)
		for i := range moved {
			if moved[i].sid == plain.set.id {
				moved[i].sid = s.id
			}
		}
		x.set = agg.set.replace(s.with(plain.set.conds...))
		order(x, moved)
		out = append(out, applied{x, 0.1})
		return out
	}
	if len(agg.group) > 0 {
		return nil
	}
	// or the one is joined to the other already: "courses that teachers teach"
	walk(agg.set, func(s *set, depth int) {
		if s.rel == plain.set.rel && s != agg.set && plain.set.sup == nil {
			x := agg.clone()
			moved := append([]item(nil), shown...)
			for i := range moved {
				if moved[i].sid == plain.set.id {
					moved[i].sid = s.id
				}
			}
			x.set = agg.set.replace(s.with(plain.set.conds...))
			x.group = []item{{entity: true, sid: s.id}}
			order(x, moved)
			out = append(out, applied{x, 0.2})
		}
	})
	for _, pt := range p.pathsBetween(agg.set.rel, plain.set.rel) {
		x := agg.clone()
		x.set = agg.set.with(cond{kind: related, child: plain.set, path: pt, join: true})
		if plain.byItems {
			x.group = append([]item(nil), shown...)
		} else {
			x.group = []item{{entity: true, sid: plain.set.id}}
		}
		x.order = append(x.order[:len(x.order):len(x.order)], plain.order...)
		order(x, shown)
		out = append(out, applied{x, 0.25 + 0.2*(pt.cost-1) + 0.15*float64(pt.after)})
	}
	return best(out, 4)
}
