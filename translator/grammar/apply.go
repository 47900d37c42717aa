package grammar

import (
	"strings"

	"askpg/catalog"
)

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
				inner := x.items
				x.items = nil
				_ = inner
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
			s := n.set.with(rename(child.conds, child.id, n.set.id)...)
			x := n.clone()
			x.set = s
			out = append(out, applied{x, 0.6})
		}
	}
	for i, pt := range p.pathsBetween(n.set.rel, child.rel) {
		cost := 0.2 + 0.25*(pt.cost-1) + 0.15*float64(i)
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

// rename moves conditions from one set to another of the same relation.
func rename(conds []cond, from, to int) []cond { return append([]cond(nil), conds...) }

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
		for i, pt := range p.pathsBetween(n.set.rel, col.Relation) {
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
			cost := base + 0.25 + 0.3*(pt.cost-1) + 0.15*float64(i) + p.hintCost(pt, m.hints)
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
			if c, ok := p.valueCond(v, col, false); ok {
				x := n.clone()
				x.set = n.set.replace(s.with(c))
				out = append(out, applied{x, 0.3 + 2*(1-cols[col]) + p.valueHintCost(col, m.hints)})
			}
		}
	})
	return best(out, 5)
}

// verbal reports whether hints come from a verb and not from a preposition.
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

// valueHintCost compares the direction of a verb with the column's name.
func (p *parser) valueHintCost(col *catalog.Column, hints []string) float64 {
	return p.directionCost(p.x.info[col.Relation].names[col], hints)
}

// applyNamed handles "called X": the display column is X.
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

// apposition says that a thing is a value: "airport 'AKO'", "year 2014".
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
			for _, r := range p.applyCompare(n, it.attr, "=", operand{}, false, v) {
				out = append(out, r)
			}
		}
	}
	return best(out, 4)
}

// applyCompare turns "year 2014" into things of which that holds.
func (p *parser) applyCompare(n *np, a *attr, op string, val operand, numeric bool, vals ...*np) []applied {
	var out []applied
	seen := map[*catalog.Relation]bool{}
	for _, c := range a.cands {
		if numeric && c.col.Class != catalog.Number {
			continue
		}
		if seen[c.col.Relation] {
			continue
		}
		s := &set{id: p.newID(), rel: c.col.Relation}
		cd := cond{kind: compare, col: c.col, op: op, val: val}
		if len(vals) > 0 {
			vc, ok := p.valueCond(vals[0], c.col, false)
			if !ok {
				continue
			}
			cd = vc
		}
		seen[c.col.Relation] = true
		out = append(out, applied{&np{set: s.with(cd)}, 0.2 + 3*(a.cands[0].score-c.score)})
	}
	// an attribute named with its value is also a condition on its own: the
	// phrase stays a value
	if len(vals) > 0 {
		v := vals[0].clone()
		var hits [][]hit
		for _, hs := range v.hits {
			var kept []hit
			for _, h := range hs {
				for _, c := range a.cands {
					if c.col == h.col {
						kept = append(kept, h)
					}
				}
			}
			if len(kept) == 0 {
				return best(out, 4)
			}
			hits = append(hits, kept)
		}
		v.hits = hits
		out = append(out, applied{v, 0})
	}
	return best(out, 5)
}

// applyComparison narrows a set by a comparison of an attribute.
func (p *parser) applyComparison(n *np, m *mod) []applied {
	if n.set == nil {
		return nil
	}
	var out []applied
	for _, pl := range p.place(n.set, m.attr) {
		target := pl.root.find(pl.sid)
		if target == nil {
			continue
		}
		op := m.op
		if op != "=" && op != "<>" && !strings.HasSuffix(op, "ilike") && !strings.HasPrefix(op, "is") && p.isIdentifier(pl.col) {
			continue
		}
		if pl.down {
			op = flip(op)
			if m.np == nil && m.val.query == nil {
				continue // older than 20 is not a birth date
			}
		}
		var conds []applied2
		switch {
		case m.op == "true":
			if lit, ok := truth(pl.col); ok {
				conds = append(conds, applied2{cond{kind: compare, col: pl.col, op: "=", val: operand{lits: []string{lit}, plain: "true"}}, 0})
			}
		case m.np != nil && m.np.isValue():
			c, ok := p.valueCond(m.np, pl.col, op == "<>")
			if !ok {
				if len(m.np.raw) == 0 || len(m.np.raw) != len(m.np.hits) || !textual(pl.col) || op != "=" && op != "<>" {
					continue
				}
				o := op
				if len(m.np.raw) > 1 {
					o = map[string]string{"=": "in", "<>": "not in"}[op]
				}
				c = cond{kind: compare, col: pl.col, op: o, val: operand{lits: m.np.raw, plain: plainList(m.np.raw)}}
				conds = append(conds, applied2{c, 0.3})
			} else {
				if op != "=" && op != "<>" {
					continue
				}
				conds = append(conds, applied2{c, 0})
			}
		case m.np != nil:
			for _, q := range p.scalar(m.np, n, pl) {
				conds = append(conds, applied2{cond{kind: compare, col: pl.col, op: op, val: q.val}, q.cost})
			}
		case op == "is null" || op == "is not null":
			conds = append(conds, applied2{cond{kind: compare, col: pl.col, op: op}, 0})
		case strings.HasSuffix(op, "ilike"):
			if !textual(pl.col) {
				continue
			}
			conds = append(conds, applied2{cond{kind: compare, col: pl.col, op: op, val: m.val}, 0})
		default:
			if !comparable(pl.col, op, m.val) {
				continue
			}
			conds = append(conds, applied2{cond{kind: compare, col: pl.col, op: op, val: m.val}, 0})
		}
		for _, c := range conds {
			x := n.clone()
			x.set = pl.root.replace(target.with(c.cond))
			out = append(out, applied{x, pl.cost + c.cost})
		}
	}
	return best(out, 5)
}

// isIdentifier reports whether a column only tells rows apart or points to
// others: amounts are not compared with it.
func (p *parser) isIdentifier(c *catalog.Column) bool {
	if p.x.graph.isForeign(c) {
		return true
	}
	names := p.x.info[c.Relation].names[c]
	return containsColumn(p.x.info[c.Relation].key, c) && len(names) > 0 && (names[len(names)-1] == "id" || names[len(names)-1] == "code")
}

type applied2 struct {
	cond cond
	cost float64
}

func textual(c *catalog.Column) bool { return c.Class == catalog.Text || c.Class == catalog.Enum }

// comparable reports whether a column can be compared so with a literal.
func comparable(c *catalog.Column, op string, val operand) bool {
	quoted := len(val.lits) > 0 && strings.HasPrefix(val.lits[0], "'")
	switch c.Class {
	case catalog.Number:
		return !quoted
	case catalog.Text, catalog.Enum:
		return quoted || op == "=" || op == "<>" || op == "in"
	case catalog.Boolean:
		return len(val.lits) == 1 && (val.lits[0] == "true" || val.lits[0] == "false")
	}
	return quoted
}

func flip(op string) string {
	switch op {
	case ">":
		return "<"
	case "<":
		return ">"
	case ">=":
		return "<="
	case "<=":
		return ">="
	}
	return op
}

type scalarValue struct {
	val  operand
	cost float64
}

// scalar makes a phrase a single value that a placed column can be compared
// with.
func (p *parser) scalar(s, of *np, pl placed) []scalarValue {
	one := func(n *np, cost float64) []scalarValue {
		return []scalarValue{{operand{query: n, plain: "that value"}, cost}}
	}
	switch {
	case s.pron && len(s.mods) == 1:
		fresh := &np{set: &set{id: p.newID(), rel: pl.col.Relation}}
		var out []scalarValue
		for _, r := range p.apply(fresh, &s.mods[0]) {
			if r.np.set != nil && (r.np.set.sup != nil || p.single(r.np.set)) {
				x := r.np.clone()
				x.items = []item{{col: pl.col, sid: r.np.set.id}}
				out = append(out, one(x, r.cost)...)
			}
		}
		return out
	case s.pron && len(s.items) == 1 && s.set == nil:
		// the average of the same column over all of the relation
		r := pl.col.Relation
		fresh := &set{id: p.newID(), rel: r}
		return one(&np{set: fresh, items: []item{{agg: s.items[0].agg, col: pl.col, sid: fresh.id}}}, 0)
	case s.isEntity() && s.set.rel == pl.col.Relation:
		// of that of another row, or of all such rows
		x := s.clone()
		if s.set.sup != nil || !s.each {
			x.items = []item{{col: pl.col, sid: s.set.id}}
			if s.set.sup == nil && !p.single(s.set) {
				return nil
			}
			return one(x, 0.1)
		}
		return nil
	case len(s.items) == 1 && s.items[0].agg != "":
		var out []scalarValue
		for _, st := range p.settle(s) {
			if st.np.set != nil && len(st.np.group) == 0 {
				out = append(out, one(st.np, st.cost)...)
			}
		}
		if s.set == nil && len(out) > 1 {
			out = out[:1]
		}
		return out
	case len(s.items) == 1 && s.set != nil && s.items[0].col != nil:
		if s.set.sup != nil || p.single(s.set) {
			return one(s, 0.2)
		}
	}
	return nil
}

// single reports whether a set's conditions name one row.
func (p *parser) single(s *set) bool {
	for _, c := range s.conds {
		if c.kind == compare && c.op == "=" {
			info := p.x.info[s.rel]
			if c.col.Unique || len(info.key) == 1 && info.key[0] == c.col {
				return true
			}
			for _, d := range info.display {
				if d == c.col {
					return true
				}
			}
		}
	}
	return s.sup != nil && s.sup.n == "1"
}
