package grammar

import (
	"strconv"

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

// additive reports whether a column's values are amounts that add up.
func (p *parser) additive(c *catalog.Column) bool {
	for _, s := range p.x.info[c.Relation].names[c] {
		if p.lang.additive[s] {
			return true
		}
	}
	return false
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

// applySuperDate keeps the first or the last by a date.
func (p *parser) applySuperDate(n *np, m *mod) []applied {
	if n.set == nil || n.set.sup != nil || n.hasAggregate() || len(n.group) > 0 {
		return nil
	}
	var out []applied
	count := m.n
	if n.num != "" {
		count = n.num
	}
	for _, c := range p.dateColumns(n.set.rel, &mod{hints: m.hints, date: &dateRange{loYear: 1}}) {
		x := n.clone()
		s := *n.set
		s.sup = &super{by: item{col: c.col, sid: n.set.id}, desc: m.desc, n: count}
		x.set, x.num = &s, ""
		out = append(out, applied{x, max(0, 1-c.score) + 0.1})
	}
	return best(out, 3)
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
	for i, pt := range p.pathsBetween(n.set.rel, m.np.set.rel) {
		if m.verb != nil && !pt.through(m.verb.rel) {
			continue
		}
		add(n.set.with(cond{kind: related, child: m.np.set, path: pt, join: true, rank: true}), it, 0.2+0.25*(pt.cost-1)+0.15*float64(i)+p.hintCost(pt, m.hints))
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

// dateColumns returns the columns of a relation that a time can be said of,
// best first.
func (p *parser) dateColumns(r *catalog.Relation, m *mod) []colCand {
	var out []colCand
	d := m.date
	years := d.loYear > 0 || d.hiYear > 0
	for _, c := range r.Columns {
		stems := p.x.info[r].names[c]
		score := 0.0
		switch c.Class {
		case catalog.Date, catalog.Timestamp:
			score = 0.8
			for _, s := range stems {
				switch s {
				case "updat", "modifi", "birth", "end", "delet", "expir", "due":
					score -= 0.2
				case "creat", "crtd":
					score -= 0.05
				}
			}
		case catalog.Number:
			if !years || !containsString(stems, "year") {
				continue
			}
			score = 0.85
			if len(stems) == 1 {
				score = 0.95
			}
		default:
			continue
		}
		for _, h := range m.hints {
			hs := p.lang.stem(h)
			for _, s := range stems {
				if s == hs || len(hs) >= 4 && len(s) >= 4 && (hasPrefix(s, hs) || hasPrefix(hs, s)) || p.x.synonymous(hs, s) {
					score += 0.25
				}
			}
		}
		if score > 0 {
			out = append(out, colCand{col: c, score: score})
		}
	}
	return out
}

func hasPrefix(s, p string) bool { return len(s) >= len(p) && s[:len(p)] == p }

func containsString(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// applyDate narrows a set to a range of time.
func (p *parser) applyDate(n *np, m *mod) []applied {
	if n.set == nil {
		return nil
	}
	var out []applied
	try := func(root, target *set, c *catalog.Column, cost float64) {
		cd, ok := dateCond(c, m.date)
		if !ok {
			return
		}
		x := n.clone()
		x.set = root.replace(target.with(cd))
		out = append(out, applied{x, cost})
	}
	if m.attr != nil {
		for _, pl := range p.place(n.set, m.attr) {
			if t := pl.root.find(pl.sid); t != nil {
				try(pl.root, t, pl.col, pl.cost)
			}
		}
		return best(out, 3)
	}
	walk(n.set, func(s *set, depth int) {
		for _, c := range p.dateColumns(s.rel, m) {
			try(n.set, s, c.col, 1-c.score+0.3*float64(depth))
		}
	})
	if len(out) == 0 {
		for _, e := range p.x.graph.edges[n.set.rel] {
			if len(e.fromCols) == 0 {
				continue
			}
			for _, c := range p.dateColumns(e.to, m) {
				child := &set{id: p.newID(), rel: e.to}
				root := n.set.with(cond{kind: related, child: child, path: path{[]*edge{e}, e.cost}})
				cost := 1 - c.score + 0.8
				if !e.toOne {
					cost += 0.2
				}
				try(root, child, c.col, cost)
			}
		}
	}
	return best(out, 4)
}

// dateCond makes a half-open condition on a date, or on a year.
func dateCond(c *catalog.Column, d *dateRange) (cond, bool) {
	if c.Class == catalog.Number {
		lo, hi := d.loYear, d.hiYear
		switch {
		case lo > 0 && hi == lo+1:
			return cond{kind: compare, col: c, op: "=", val: operand{lits: []string{strconv.Itoa(lo)}, plain: strconv.Itoa(lo)}}, true
		case lo > 0 && hi > 0:
			return cond{kind: compare, col: c, op: "between", val: operand{lits: []string{strconv.Itoa(lo), strconv.Itoa(hi - 1)}, plain: d.words}}, true
		case lo > 0 && d.hi == "":
			return cond{kind: compare, col: c, op: ">=", val: operand{lits: []string{strconv.Itoa(lo)}, plain: strconv.Itoa(lo)}}, true
		case hi > 0 && d.lo == "":
			return cond{kind: compare, col: c, op: "<", val: operand{lits: []string{strconv.Itoa(hi)}, plain: strconv.Itoa(hi)}}, true
		}
		return cond{}, false
	}
	if c.Class != catalog.Date && c.Class != catalog.Timestamp {
		return cond{}, false
	}
	return cond{kind: compare, col: c, op: "range", val: operand{lits: []string{d.lo, d.hi}, plain: d.words}}, true
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

// applyGroup divides what is said by a key: "number of orders per customer".
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
			return p.applySuper(n, &mod{kind: modSuper, np: m.np, desc: true, n: n.num})
		case it.attr != nil && m.np.set == nil:
			return p.applySuper(n, &mod{kind: modSuper, attr: it.attr, desc: true, n: n.num})
		}
	}
	if m.np.hasAggregate() || n.set.sup != nil {
		return nil
	}
	extra := 0.0
	if !n.hasAggregate() {
		if len(n.items) == 0 && !m.lead {
			return nil
		}
		extra = 0.6
	}
	var out []applied
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
			keyed(l.root, l.items, l.cost)
		}
	case m.np.isEntity():
		out = p.groupByEntity(n, m.np, extra)
		for i, g := range m.np.group {
			_ = i
			_ = g
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
		for i, pt := range p.pathsBetween(n.set.rel, m.np.set.rel) {
			cost := 0.2 + 0.25*(pt.cost-1) + 0.15*float64(i)
			if !pt.toOne() {
				cost += 0.2
			}
			keyed(n.set.with(cond{kind: related, child: m.np.set, path: pt, join: true}), m.np.items, cost)
		}
	}
	return best(out, 4)
}

// rankBy says by what a superlative is meant: "the largest state by area".
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
	for i, pt := range p.pathsBetween(n.set.rel, key.set.rel) {
		cost := 0.1 + 0.3*(pt.cost-1) + 0.15*float64(i) + extra
		x := n.clone()
		x.set = n.set.with(cond{kind: related, child: key.set, path: pt, join: true})
		x.group = append(n.group[:len(n.group):len(n.group)], item{entity: true, sid: key.set.id})
		out = append(out, applied{x, cost})
	}
	return best(out, 4)
}

func (p *parser) groupByTime(n *np, unit string) []applied {
	if !n.hasAggregate() {
		return nil
	}
	var out []applied
	walk(n.set, func(s *set, depth int) {
		for _, c := range s.rel.Columns {
			cost := 0.2 + 0.3*float64(depth)
			it := item{col: c, sid: s.id}
			stems := p.x.info[s.rel].names[c]
			switch {
			case c.Class == catalog.Date || c.Class == catalog.Timestamp:
				if !(unit == "day" && c.Class == catalog.Date) {
					it.trunc = unit
				}
				if containsString(stems, "creat") || containsString(stems, "updat") {
					cost += 0.1
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

// applyOrder sorts the answer.
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

// applyDirection gives the last sort key its direction, or sorts by what is
// shown first.
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
