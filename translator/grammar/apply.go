package grammar

// apply returns what becomes of a phrase when a modifier is said of it.
func (p *parser) apply(n *np, m *mod) []applied {
	switch m.kind {
	case modNothing:
		return []applied{{n, 0}}
	case modCommon:
		return p.mostCommon(n, m.desc, "1")
	case modOf:
		return p.applyOf(n, m)
	case modGroup:
		return p.applyGroup(n, m)
	case modOrder:
		return p.applyOrder(n, m)
	case modDirection:
		return p.applyDirection(n, m)
	}
	if n.pron || len(n.ratio) > 0 {
		return nil
	}
	if n.isValue() {
		if m.kind == modRelated || len(n.hits) != 1 {
			return nil
		}
		// the thing of that kind: "a cat that is 3 years old"
		var out []applied
		for _, v := range p.valueEntity(n) {
			for _, a := range p.apply(v.np, m) {
				out = append(out, applied{a.np, v.cost + a.cost})
			}
		}
		return best(out, 4)
	}
	if n.set == nil {
		// an attribute: what is said of it is said of the things it is of
		if m.kind == modRelated && (m.np.isValue() || m.np.isEntity()) && !m.neg && m.quant == nil && m.verb == nil && n.isAttr() {
			out := p.applyOf(n, m)
			for i := range out {
				out[i].cost += 0.1
				if p.verbal(m.hints) {
					out[i].cost += 0.5 // what does something is hardly what has the attribute
					if m.np.isEntity() {
						out[i].cost -= 0.5
						out[i].np = out[i].np.clone()
						out[i].np.distinct = true // "which countries do customers come from"
					}
				}
			}
			around := p.throughSettle(n, m)
			for i := range around {
				around[i].cost += 0.35
			}
			return best(append(out, around...), 6)
		}
		return p.throughSettle(n, m)
	}
	if len(n.group) > 0 && m.kind != modRelated && m.kind != modDate && m.kind != modExcept && m.kind != modCompare && m.kind != modSuper {
		return nil
	}
	switch m.kind {
	case modRelated:
		return p.applyRelated(n, m)
	case modCompare:
		if m.attr == nil {
			return p.applyHaving(n, m)
		}
		return p.applyComparison(n, m)
	case modAdjective:
		a := p.attrOf(m.adj.cols, m.adj.down, 0, 0)
		if a == nil {
			return nil
		}
		return p.applyComparison(n, &mod{kind: modCompare, attr: a, op: m.op, val: m.val, np: m.np, adj: m.adj})
	case modSuper:
		return p.applySuper(n, m)
	case modSuperDate:
		return p.applySuperDate(n, m)
	case modSuperAdj:
		return p.extremeByAdjective(n, *m.adj, m.n, 0, 0)
	case modSuperRows:
		return p.applySuperRows(n, m)
	case modDate:
		return p.applyDate(n, m)
	case modExcept:
		return p.applyExcept(n, m)
	case modNamed:
		return p.applyNamed(n, m)
	case modAll:
		out := []applied{{n, 0}}
		for i := range m.subs {
			var next []applied
			for _, a := range out {
				for _, b := range p.apply(a.np, &m.subs[i]) {
					next = append(next, applied{b.np, a.cost + b.cost})
				}
			}
			out = best(next, 4)
		}
		return out
	case modAny:
		return p.applyAny(n, m)
	case modNot:
		return p.applyNot(n, m)
	}
	return nil
}

func (p *parser) throughSettle(n *np, m *mod) []applied {
	var out []applied
	for _, s := range p.settle(n) {
		if s.np.set == nil {
			continue
		}
		for _, a := range p.apply(s.np, m) {
			cost := s.cost + a.cost
			if m.kind == modDate {
				cost += 0.5 // a time is said of what happens
			}
			out = append(out, applied{a.np, cost})
		}
	}
	return best(out, 6)
}

// applyOf handles "of": attributes get their set, sets get related.
func (p *parser) applyOf(n *np, m *mod) []applied {
	if m.np == nil || m.np.pron && m.np.set == nil {
		return nil
	}
	if m.np.distinct && m.np.isAttr() {
		return nil
	}
	if n.isAttr() {
		var out []applied
		if m.np.isEntity() || m.np.isValue() {
			out = p.attributeOf(n, m.np)
		}
		if m.np.isAttr() && len(m.np.items) == 1 && m.np.items[0].agg == "" {
			// "the population of the capital": settle the inner one first
			for _, s := range p.settle(m.np) {
				x := s.np.clone()
				x.items = nil
				for _, r := range p.attributeOf(n, x) {
					out = append(out, applied{r.np, s.cost + r.cost + 0.8})
				}
			}
		}
		if m.np.set != nil && len(m.np.items) == 1 && m.np.items[0].agg == "" && !m.np.items[0].entity && len(m.np.group) == 0 {
			// of an attribute that has its set: the things that it names
			x := m.np.clone()
			x.items = nil
			for _, r := range p.attributeOf(n, x) {
				out = append(out, applied{r.np, r.cost + 0.8})
			}
		}
		return best(out, 6)
	}
	if n.set == nil || len(m.np.group) > 0 {
		return nil
	}
	if m.np.isEntity() || m.np.isValue() {
		return p.applyRelated(n, &mod{kind: modRelated, np: m.np, hints: []string{"of"}})
	}
	return nil
}

// applyRelated narrows a set to rows that stand in relation to others, or that
// hold a value.
func (p *parser) applyRelated(n *np, m *mod) []applied {
	switch {
	case m.np == nil || m.np.pron:
		return nil
	case m.np.isAttr() && n.set != nil && n.set.sup != nil && len(m.hints) == 1 && (m.hints[0] == "in" || m.hints[0] == "by"):
		return p.rankBy(n, m)
	case m.np.isValue():
		return p.applyValue(n, m)
	case m.np.isAttr() && m.quant != nil:
		var out []applied
		for _, s := range p.settle(m.np) {
			x := s.np.clone()
			x.items = nil
			for _, r := range p.relate(n, x.set, m) {
				out = append(out, applied{r.np, r.cost + s.cost})
			}
		}
		return best(out, 4)
	case m.np.isEntity() && len(m.hints) > 0 && m.hints[0] == "as" && len(m.np.set.conds) == 0:
		return []applied{{n, 0.1}} // "as a pet": what it is was said
	case m.np.isEntity():
		if len(m.np.group) > 0 || len(m.np.order) > 0 {
			return nil
		}
		mm := *m
		mm.hints = append(mm.hints[:len(mm.hints):len(mm.hints)], m.np.hints...)
		if m.np.num != "" && m.quant == nil {
			mm.quant = &quant{"=", m.np.num}
		}
		return p.relate(n, m.np.set, &mm)
	}
	return nil
}

// relate joins a set to another over each plausible path.
func (p *parser) relate(n *np, child *set, m *mod) []applied {
	if n.set.id == child.id {
		return nil
	}
	var out []applied
	if n.byItems && n.set.rel == child.rel && m.quant != nil && !m.neg && child.sup == nil && len(n.group) == 0 && !n.hasAggregate() {
		// "hometowns of at least two teachers": groups of that size
		x := n.clone()
		x.set = n.set.with(child.conds...)
		x.having = append(n.having[:len(n.having):len(n.having)], having{item{agg: "count", sid: n.set.id}, m.quant.op, operand{lits: []string{m.quant.n}, plain: m.quant.n}})
		out = append(out, applied{x, 0.1})
	}
	if n.set.rel == child.rel && m.verb == nil && !m.neg && m.quant == nil && child.sup == nil {
		// the same things said twice: "singers ... who are singers from France"
		if len(child.conds) > 0 && m.hints == nil {
			s := n.set.with(child.conds...)
			x := n.clone()
			x.set = s
			out = append(out, applied{x, 0.6})
		}
	}
	for _, pt := range p.pathsBetween(n.set.rel, child.rel) {
		cost := 0.2 + 0.25*(pt.cost-1) + 0.15*float64(pt.after)
		cost += p.hintCost(pt, m.hints)
		if n.byItems && len(n.items) == 1 && containsColumn(pt.edges[0].fromCols, n.items[0].col) {
			cost += 1.2 // the column is the very thing that it is said to be related to
		}
		if m.verb != nil {
			if !pt.through(m.verb.rel) {
				continue
			}
			cost -= 0.2
		}
		if n.set.rel == child.rel && m.verb == nil && !p.selfHinted(pt, m.hints) {
			cost += 1.5
		}
		if m.both && m.quant == nil && !m.neg {
			if parts := p.each(child); len(parts) > 1 {
				x := n.clone()
				for _, part := range parts {
					x.set = x.set.with(cond{kind: related, child: part, path: pt})
				}
				out = append(out, applied{x, max(0, cost)})
				continue
			}
		}
		c := cond{kind: related, child: child, path: pt, neg: m.neg, count: m.quant}
		if m.quant != nil && m.quant.op == "=" && m.quant.n == "0" {
			c.neg, c.count = true, nil
		}
		if c.count != nil && pt.toOne() {
			continue // of what there is one at most, nothing is counted
		}
		x := n.clone()
		x.set = n.set.with(c)
		out = append(out, applied{x, max(0, cost)})
	}
	return best(out, 4)
}

// each cuts a set that holds one of several values into a set for each value.
func (p *parser) each(s *set) []*set {
	for i, c := range s.conds {
		if c.kind != compare || c.op != "in" {
			continue
		}
		var out []*set
		for _, lit := range c.val.lits {
			n := *s
			n.id = p.newID()
			n.conds = append([]cond(nil), s.conds...)
			n.conds[i].op = "="
			n.conds[i].val = operand{lits: []string{lit}, plain: plainList([]string{lit})}
			out = append(out, &n)
		}
		return out
	}
	return nil
}

// hintCost compares the direction of a verb or preposition with the names of
// the columns that a path goes by.
func (p *parser) hintCost(pt path, hints []string) float64 {
	cost := 0.0
	var names []string
	for _, e := range pt.edges {
		names = append(names, e.name...)
	}
	return cost + p.directionCost(names, hints)
}

func (p *parser) directionCost(names []string, hints []string) float64 {
	cost := 0.0
	for di := range p.lang.directions {
		d := &p.lang.directions[di]
		said := false
		for _, h := range hints {
			said = said || d.words[h]
		}
		if !said {
			continue
		}
		for dj := range p.lang.directions {
			for _, name := range names {
				if p.inDirection(&p.lang.directions[dj], name) {
					if di == dj {
						cost -= 0.4
					} else {
						cost += 1.5
					}
				}
			}
		}
	}
	return cost
}

func (p *parser) inDirection(d *direction, stem string) bool {
	if d.names[stem] {
		return true
	}
	for n := range d.names {
		if p.lang.stem(n) == stem {
			return true
		}
	}
	return false
}

// selfHinted reports whether a verb names the column by which a relation
// points to itself.
func (p *parser) selfHinted(pt path, hints []string) bool {
	for _, e := range pt.edges {
		for _, name := range e.name {
			for _, h := range hints {
				if p.lang.stem(h) == name {
					return true
				}
			}
		}
	}
	return false
}

// applyValue narrows a set to the rows that hold a value, themselves or
// through what they are related to.
// verbal reports whether hints come from a verb and not from a preposition.
// valueHintCost compares the direction of a verb with the column's name.
// applyNamed handles "called X": the display column is X.
// apposition says that a thing is a value: "airport 'AKO'", "year 2014".
