package grammar

// further reads a sentence after the first: what to show, how to sort.
func (p *parser) further(c cand, i, end int) []cand {
	var out []cand
	for _, o := range p.opened(i, end) {
		s := o.at
		for _, m := range p.ordering(s) {
			if p.closed(m.end, end) {
				for _, r := range p.apply(c.np, &m.mod) {
					out = append(out, cand{r.np, 0, c.cost + m.cost + r.cost})
				}
			}
		}
		for _, parts := range p.parts(s, end, 0) {
			for _, r := range p.show(c.np, parts.parts) {
				tail := []applied{r}
				if parts.order != nil {
					tail = p.apply(r.np, parts.order)
					for k := range tail {
						tail[k].cost += r.cost
					}
				}
				for _, t := range tail {
					out = append(out, cand{t.np, 0, c.cost + parts.cost + t.cost + o.cost})
				}
			}
		}
	}
	return out
}

// partList is what a sentence asks to be shown.
type partList struct {
	parts []*np
	order *mod
	cost  float64
}

const maxParts = 10

// parts reads "the id, name and number of orders" as separate phrases.
func (p *parser) parts(i, end, depth int) []partList {
	if depth > maxParts {
		return nil
	}
	var out []partList
	for _, d := range p.maybe(i, "pron", "det", "both") {
		for _, c := range append(p.noun(d), p.attributes(d, true)...) {
			if c.np.isValue() || c.np.pron || c.end > end || c.cost > 2.5 {
				continue
			}
			if p.closed(c.end, end) {
				out = append(out, partList{[]*np{c.np}, nil, c.cost})
				continue
			}
			for _, m := range p.ordering(c.end) {
				if m.end <= end && p.closed(m.end, end) {
					m := m.mod
					out = append(out, partList{[]*np{c.np}, &m, c.cost + 0.1})
				}
			}
			seen := map[int]bool{}
			for _, cm := range p.maybe(c.end, "comma") {
				for _, and := range p.maybe(cm, "and") {
					if and == c.end || seen[and] {
						continue
					}
					seen[and] = true
					for _, rest := range p.parts(and, end, depth+1) {
						out = append(out, partList{append([]*np{c.np}, rest.parts...), rest.order, c.cost + rest.cost})
					}
				}
			}
		}
	}
	sortParts(out)
	if len(out) > 6 {
		out = out[:6]
	}
	return out
}

func sortParts(list []partList) {
	for i := 1; i < len(list); i++ {
		for j := i; j > 0 && list[j].cost < list[j-1].cost; j-- {
			list[j], list[j-1] = list[j-1], list[j]
		}
	}
}

// show makes the parts the outputs of what was asked before.
func (p *parser) show(n *np, parts []*np) []applied {
	if n.set == nil && len(n.ratio) > 0 {
		return nil // a quotient of two queries has nothing else to show
	}
	if n.set == nil {
		var out []applied
		for _, s := range p.settle(n) {
			for _, r := range p.show(s.np, parts) {
				out = append(out, applied{r.np, r.cost + s.cost})
			}
		}
		return best(out, 4)
	}
	base := n.clone()
	base.items = nil
	list := []applied{{base, 0}}
	for _, part := range parts {
		var next []applied
		for _, l := range list {
			next = append(next, p.showOne(l.np, n, part)...)
		}
		list = best(next, 4)
	}
	// what was counted stays if it was counted for each of something
	for i := range list {
		x := list[i].np
		if x.hasAggregate() || len(n.group) > 0 {
			if len(x.group) == 0 && x.hasAggregate() && !allAggregates(x.items) && x.set.sup == nil {
				x = x.clone()
				x.group = []item{{entity: true, sid: x.set.id}}
				list[i].np = x
			}
		}
	}
	return list
}

func allAggregates(items []item) bool {
	for _, it := range items {
		if it.agg == "" {
			return false
		}
	}
	return true
}

// showOne adds one output.
func (p *parser) showOne(sofar, n *np, part *np) []applied {
	add := func(root *set, items []item, cost float64) applied {
		x := sofar.clone()
		x.set = root
		x.items = append(sofar.items[:len(sofar.items):len(sofar.items)], items...)
		return applied{x, cost}
	}
	// an aggregate that ranks or is shown already
	if len(part.items) == 1 && part.items[0].agg != "" {
		want := part.items[0]
		var have []item
		if n.set.sup != nil {
			have = append(have, n.set.sup.by)
		}
		have = append(have, n.items...)
		for _, o := range n.order {
			have = append(have, o.by)
		}
		for _, h := range have {
			if h.agg != want.agg {
				continue
			}
			if want.agg == "count" && want.attr == nil && part.set != nil {
				s := sofar.set.find(h.sid)
				if s != nil && s.rel == part.set.rel {
					return []applied{add(sofar.set, []item{h}, 0)}
				}
				continue
			}
			if want.attr != nil && h.col != nil {
				for _, c := range want.attr.cands {
					if c.col == h.col {
						return []applied{add(sofar.set, []item{h}, 0.5*(want.attr.cands[0].score-c.score))}
					}
				}
			}
		}
	}
	var out []applied
	switch {
	case part.isAttr():
		for _, l := range p.resolveItems(sofar.set, part.items) {
			out = append(out, add(l.root, l.items, l.cost))
		}
	case part.isEntity() && len(part.set.conds) == 0 && part.set.sup == nil:
		walk(sofar.set, func(s *set, depth int) {
			if s.rel == part.set.rel {
				var items []item
				for _, d := range p.x.info[s.rel].display {
					items = append(items, item{col: d, sid: s.id})
				}
				out = append(out, add(sofar.set, items, 0.1*float64(depth)))
			}
		})
		if len(out) == 0 {
			if paths := p.pathsBetween(sofar.set.rel, part.set.rel); len(paths) > 0 {
				root := sofar.set.with(cond{kind: related, child: part.set, path: paths[0], join: true})
				var items []item
				for _, d := range p.x.info[part.set.rel].display {
					items = append(items, item{col: d, sid: part.set.id})
				}
				out = append(out, add(root, items, 0.5+0.2*paths[0].cost))
			}
		}
	case part.set != nil && len(part.set.conds) == 0 && part.set.sup == nil && len(part.group) == 0:
		move := func(s *set) []item {
			items := append([]item(nil), part.items...)
			for i := range items {
				if items[i].sid == part.set.id {
					items[i].sid = s.id
				}
			}
			return items
		}
		walk(sofar.set, func(s *set, depth int) {
			if s.rel == part.set.rel && (s != sofar.set || !part.hasAggregate() || len(sofar.group) > 0) {
				out = append(out, add(sofar.set, move(s), 0.1*float64(depth)))
			}
		})
		if len(out) == 0 {
			if paths := p.pathsBetween(sofar.set.rel, part.set.rel); len(paths) > 0 {
				root := sofar.set.with(cond{kind: related, child: part.set, path: paths[0], join: true})
				out = append(out, add(root, part.items, 0.5+0.2*paths[0].cost))
			}
		}
	}
	return best(out, 3)
}
