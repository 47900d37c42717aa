package grammar

import "askpg/catalog"

func (p *parser) applyValue(n *np, m *mod) []applied {
	var out []applied
	v := m.np
	cols := map[*catalog.Column]float64{}
	order := []*catalog.Column{}
	for _, hits := range v.hits {
		for _, h := range hits {
			if _, ok := cols[h.col]; !ok {
				order = append(order, h.col)
				cols[h.col] = h.score
			}
		}
	}
	if len(v.raw) == len(v.hits) && len(v.raw) > 0 && len(order) == 0 {
		return nil
	}
	both := v.both || len(v.hits) > 1 && !v.any
	for _, col := range order {
		base := 2*(1-cols[col]) + p.valueHintCost(col, m.hints)
		c, ok := p.valueCond(v, col, false)
		if !ok {
			continue
		}
		if col.Relation == n.set.rel && m.verb != nil && m.verb.rel != n.set.rel {
			continue
		}
		if col.Relation == n.set.rel {
			info := p.x.info[n.set.rel]
			cost := base
			// a thing's own name is said by naming it, not by "in" or "from"
			if len(m.hints) > 0 && len(info.display) > 0 && info.display[0] == col && m.hints[0] != "have" {
				cost += 0.35
				if p.verbal(m.hints) {
					cost += 0.6 // a thing does nothing to itself
				} else if m.hints[0] == "of" {
					cost -= 0.35
				} else if len(n.items) == 0 {
					cost += 0.5
				}
			} else if len(m.hints) > 0 && m.hints[0] == "of" && len(n.items) == 0 {
				cost += 0.15
			}
			if len(n.items) == 1 && n.items[0].col == col && (n.items[0].agg == "" || n.items[0].agg == "count") {
				cost += 1.5 // nothing is asked if the answer is given
			}
			if p.x.graph.isForeign(col) {
				cost += 0.05
			}
			if m.neg {
				c, _ = p.valueCond(v, col, true)
			}
			x := n.clone()
			x.set = n.set.with(c)
			if len(v.hits) > 1 && !v.any {
				cost += 0.1
			}
			out = append(out, applied{x, cost})
			continue
		}
		for _, pt := range p.pathsBetween(n.set.rel, col.Relation) {
			if last := pt.edges[len(pt.edges)-1]; containsColumn(last.toCols, col) && m.verb == nil {
				// the value is the key that joins: it is the other side's own
				if own := last.fromCols[0]; own.Relation == n.set.rel {
					continue
				}
			} else if containsColumn(last.toCols, col) {
				continue
			}
			if m.verb != nil {
				if !pt.through(m.verb.rel) {
					continue
				}
			}
			cost := base + 0.25 + 0.3*(pt.cost-1) + 0.15*float64(pt.after) + p.hintCost(pt, m.hints) + along(n.set, pt)
			if pt.toOne() {
				cost -= 0.1
			}
			if !containsColumn(p.x.info[col.Relation].display, col) {
				cost += 0.15 // not the name of what it is related to
			}
			if p.x.graph.isForeign(col) && m.verb == nil {
				cost += 0.4 // rows that only point to the thing of that name
			}
			x := n.clone()
			s := n.set
			if both && !pt.toOne() && len(v.hits) > 1 {
				ok := true
				for k := range v.hits {
					one := &np{hits: v.hits[k : k+1]}
					if len(v.raw) > k {
						one.raw = v.raw[k : k+1]
					}
					oc, good := p.valueCond(one, col, false)
					ok = ok && good
					child := (&set{id: p.newID(), rel: col.Relation}).with(oc)
					s = s.with(cond{kind: related, child: child, path: pt, neg: m.neg})
				}
				if !ok {
					continue
				}
			} else if m.quant != nil && pt.toOne() {
				continue // of what there is one at most, nothing is counted
			} else {
				child := (&set{id: p.newID(), rel: col.Relation}).with(c)
				s = s.with(cond{kind: related, child: child, path: pt, neg: m.neg, count: m.quant})
			}
			x.set = s
			out = append(out, applied{x, max(0, cost)})
		}
	}
	// the value is of a set that is already joined: "... in 2014" after more
	walk(n.set, func(s *set, depth int) {
		if s == n.set || m.neg || m.quant != nil || m.verb != nil {
			return
		}
		for _, col := range order {
			if col.Relation != s.rel {
				continue
			}
			// a row that has another value is not the one: "from Hull to Bath"
			if c, ok := p.valueCond(v, col, false); ok && impossibleSet(s.with(c)) == "" {
				x := n.clone()
				x.set = n.set.replace(s.with(c))
				out = append(out, applied{x, 0.3 + 2*(1-cols[col]) + p.valueHintCost(col, m.hints)})
			}
		}
	})
	return best(out, 5)
}

func (p *parser) verbal(hints []string) bool {
	for _, h := range hints {
		if p.lang.locative[p.lang.stem(h)] {
			return false
		}
		if p.lang.verbs[p.lang.stem(h)] && h != "have" && h != "is" && h != "are" && h != "be" {
			return true
		}
	}
	return false
}

func containsColumn(list []*catalog.Column, c *catalog.Column) bool {
	for _, x := range list {
		if x == c {
			return true
		}
	}
	return false
}

func (p *parser) valueHintCost(col *catalog.Column, hints []string) float64 {
	return p.directionCost(p.x.info[col.Relation].names[col], hints)
}

func (p *parser) applyNamed(n *np, m *mod) []applied {
	if n.set == nil {
		return nil
	}
	var out []applied
	for i, d := range p.x.info[n.set.rel].display {
		c, ok := p.valueCond(m.np, d, false)
		if !ok {
			if len(m.np.raw) == 0 || d.Class != catalog.Text {
				continue
			}
			c = cond{kind: compare, col: d, op: "=", val: operand{lits: m.np.raw, plain: plainList(m.np.raw)}}
		}
		x := n.clone()
		x.set = n.set.with(c)
		out = append(out, applied{x, 0.1 * float64(i)})
	}
	return append(out, p.apposition(n, m.np)...)
}

func (p *parser) apposition(n, v *np) []applied {
	var out []applied
	if n.isEntity() && len(n.group) == 0 {
		own := map[*catalog.Column]bool{}
		for _, hits := range v.hits {
			for _, h := range hits {
				if h.col.Relation == n.set.rel && !own[h.col] {
					own[h.col] = true
					if c, ok := p.valueCond(v, h.col, false); ok {
						x := n.clone()
						x.set = n.set.with(c)
						out = append(out, applied{x, 0.1 + 0.05*float64(len(own)-1)})
					}
				}
			}
		}
		// a code of it in a table that refers to it is not this thing: no join
		if len(out) == 0 && len(v.raw) > 0 {
			for _, d := range p.x.info[n.set.rel].display[:1] {
				if d.Class == catalog.Text {
					x := n.clone()
					x.set = n.set.with(cond{kind: compare, col: d, op: "=", val: operand{lits: v.raw, plain: plainList(v.raw)}})
					out = append(out, applied{x, 0.9})
				}
			}
		}
		return best(out, 4)
	}
	if len(n.items) == 1 && n.items[0].agg == "" {
		it := n.items[0]
		if it.attr != nil && n.set == nil {
			out = append(out, p.applyCompare(n, it.attr, "=", operand{}, false, v)...)
		}
	}
	return best(out, 4)
}

// applyCompare turns "year 2014" into things of which that holds.
// applyComparison narrows a set by a comparison of an attribute.
// isIdentifier reports whether a column only tells rows apart or points to
// others: amounts are not compared with it.
// comparable reports whether a column can be compared so with a literal.
// scalar makes a phrase a single value that a placed column can be compared
// with.
// single reports whether a set's conditions name one row.
