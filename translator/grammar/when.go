package grammar

import (
	"slices"
	"strconv"

	"askpg/catalog"
)

func (p *parser) applySuperDate(n *np, m *mod) []applied {
	if n.set == nil || n.set.sup != nil || n.hasAggregate() || len(n.group) > 0 {
		return nil
	}
	var out []applied
	count := m.n
	if n.num != "" {
		count = n.num
	}
	for _, c := range p.dateColumns(n.set, &mod{hints: m.hints, date: &dateRange{loYear: 1}}) {
		x := n.clone()
		s := *n.set
		s.sup = &super{by: item{col: c.col, sid: n.set.id}, desc: m.desc, n: count}
		x.set, x.num = &s, ""
		out = append(out, applied{x, max(0, 1-c.score) + 0.1})
	}
	return best(out, 3)
}

func (p *parser) dateColumns(s *set, m *mod) []colCand {
	var out []colCand
	r, time := s.rel, s.rel.Time
	if s.time != nil {
		time = s.time
	}
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
			if p.passing(c) {
				score -= 0.1
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
		if time == c {
			score = 1 // as an administrator says
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

// passing reports whether a time is of what happens to some rows only, or
// later, where each row has another time of its own.
func (p *parser) passing(c *catalog.Column) bool {
	return !c.NotNull && slices.ContainsFunc(p.x.info[c.Relation].dates, func(o *catalog.Column) bool { return o.NotNull })
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

func (p *parser) applyDate(n *np, m *mod) []applied {
	if n.set == nil {
		return nil
	}
	var out []applied
	try := func(root, target *set, c *catalog.Column, cost float64) {
		cd, ok := dateCond(c, m.date)
		if !ok || c.Class == catalog.Number && !containsString(p.x.info[c.Relation].names[c], "year") {
			return
		}
		cd.bare = m.attr == nil && len(m.hints) == 0
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
	if m.verb != nil && m.verb.rel != n.set.rel {
		// "who ordered in 2025": the time is that of the order
		for _, e := range p.applyDate(p.entity(m.verb.rel), &mod{kind: modDate, date: m.date, hints: m.hints}) {
			for _, r := range p.relate(n, e.np.set, &mod{kind: modRelated, hints: m.hints}) {
				out = append(out, applied{r.np, e.cost + r.cost})
			}
		}
		if len(out) > 0 {
			return best(out, 4)
		}
	}
	items := n.items
	for _, h := range n.having {
		items = append(items[:len(items):len(items)], h.by)
	}
	for _, s := range p.timed(n.set, items, m) {
		x := n.clone()
		x.set = s.set
		out = append(out, applied{x, s.cost})
	}
	if len(out) > 0 {
		return best(out, 4)
	}
	walk(n.set, func(s *set, depth int) {
		for _, c := range p.dateColumns(s, m) {
			try(n.set, s, c.col, 1-c.score+0.3*float64(depth))
		}
	})
	if len(out) == 0 {
		for _, e := range p.x.graph.edges[n.set.rel] {
			if len(e.fromCols) == 0 {
				continue
			}
			for _, c := range p.dateColumns(&set{rel: e.to}, m) {
				child := &set{id: p.newID(), rel: e.to}
				root := n.set.with(cond{kind: related, child: child, path: path{edges: []*edge{e}, cost: e.cost}})
				cost := 1 - c.score + 0.8
				if !e.toOne {
					cost += 0.2
				}
				if d := p.x.info[e.to].display; len(d) > 0 && textual(d[0]) {
					cost += 0.5 // a thing, whose time is not that of what is asked about
				}
				try(root, child, c.col, cost)
			}
		}
	}
	return best(out, 4)
}

// dateCond returns the condition that a column is in a time, false if it can't
// be compared with that.
func dateCond(c *catalog.Column, d *dateRange) (cond, bool) {
	if d.and {
		or := *d
		or.and = false
		cd, ok := dateCond(c, &or)
		cd.both = true
		return cd, ok
	}
	if len(d.or) > 0 {
		either := cond{kind: anyOf}
		for i := range d.or {
			sub, ok := dateCond(c, &d.or[i])
			if !ok {
				return cond{}, false
			}
			either.subs = append(either.subs, sub)
		}
		return either, true
	}
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
