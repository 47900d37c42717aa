package grammar

import "askpg/catalog"

func (p *parser) have(i int) []mcand {
	if i >= len(p.toks) || p.steps > maxSteps {
		return nil
	}
	if r, ok := p.haves[i]; ok {
		return r
	}
	p.haves[i] = nil
	p.steps++
	var out []mcand
	add := func(m mod, end int, cost float64) { out = append(out, mcand{m, end, cost}) }

	// at least two courses
	out = append(out, p.quantified(i, []string{"have"})...)
	// no courses
	for _, e := range p.ends(i, "no") {
		out = append(out, p.absence(e, []string{"have"})...)
	}
	// the most courses, the highest number of courses
	for _, tag := range []string{"most", "least"} {
		for _, e := range p.ends(i, tag) {
			for _, c := range p.noun(e) {
				if c.np.isEntity() {
					add(mod{kind: modSuperRows, np: c.np, desc: tag == "most", n: "1"}, c.end, c.cost)
				} else if c.np.isAttr() && len(c.np.items) == 1 && c.np.items[0].attr != nil {
					if anyNumeric(c.np.items[0].attr) {
						add(mod{kind: modSuper, attr: c.np.items[0].attr, desc: tag == "most", n: "1"}, c.end, c.cost+0.15)
					}
					add(mod{kind: modSuperRows, np: c.np, desc: tag == "most", n: "1"}, c.end, c.cost+0.5)
				}
			}
		}
	}
	// the highest population, the most recent date, the top 3 largest areas
	for _, d := range p.maybe(i, "det") {
		for _, top := range append([]int{d}, p.ends(d, "top")...) {
			n, e := p.number(top)
			if n == "" {
				n = "1"
			}
			for _, tag := range []string{"max", "min"} {
				for _, e2 := range p.ends(e, tag) {
					for _, o := range p.maybe(e2, "of_strict") {
						for _, c := range p.noun(o) {
							if len(c.np.items) == 1 && c.np.set == nil && c.np.items[0].attr != nil && c.np.items[0].agg == "" {
								add(mod{kind: modSuper, attr: c.np.items[0].attr, desc: tag == "max", n: n}, c.end, c.cost)
							} else if len(c.np.items) == 1 && c.np.items[0].agg != "" && len(c.np.group) == 0 {
								add(mod{kind: modSuper, np: c.np, desc: tag == "max", n: n}, c.end, c.cost+0.1)
							}
						}
					}
				}
			}
			for e2, forms := range p.adjs[min(e, len(p.toks))] {
				for _, a := range forms {
					if a.degree != mostDegree {
						continue
					}
					for end, at := range p.m.attrs[e2] {
						add(mod{kind: modSuper, attr: at, desc: a.up, n: n}, end, 0.2+3*(1-at.cands[0].score)/2)
					}
				}
			}
		}
	}
	// the lowest point, where that is a column of its own
	for _, d := range p.maybe(i, "det") {
		for end, a := range p.m.attrs[d] {
			b := &attr{start: d, end: end}
			desc := false
			for _, c := range a.cands {
				if m, up := p.measureOf(c.col); m != nil && c.score > 0.9 {
					b.cands = append(b.cands, colCand{col: m, score: c.score})
					desc = up
				}
			}
			if len(b.cands) > 0 {
				add(mod{kind: modSuper, attr: b, desc: desc, n: "1"}, end, 0.2)
			}
		}
	}
	// an age greater than 20, a greater weight than 10, 4 cylinders
	for _, d := range p.maybe(i, "det", "distinct", "pron") {
		for _, a := range p.attributes(d, true) {
			if len(a.np.items) != 1 {
				continue
			}
			it := a.np.items[0]
			if it.agg != "" {
				for _, c := range p.comparisons(a.end) {
					add(mod{kind: modCompare, attr: nil, np: a.np, op: c.op, val: c.val}, c.end, a.cost+c.cost+0.1)
				}
				continue
			}
			for _, c := range p.comparisons(a.end) {
				add(compareMod(it.attr, c), c.end, a.cost+c.cost)
			}
			for _, v := range p.values(a.end) {
				add(compareMod(it.attr, comparison{op: "=", vals: v.np}), v.end, a.cost+v.cost+0.1)
			}
			for _, o := range p.maybe(a.end, "of_strict", "in") {
				if n, e := p.number(o); e > o {
					for _, u := range p.unit(e) {
						add(compareMod(it.attr, comparison{op: "=", val: operand{lits: []string{n}, plain: n}}), u, a.cost+0.1)
					}
				}
				if o > a.end {
					for _, v := range p.values(o) {
						add(compareMod(it.attr, comparison{op: "=", vals: v.np}), v.end, a.cost+v.cost+0.15)
					}
				}
			}
			for _, dt := range p.date(a.end) {
				if dt.end > a.end {
					add(mod{kind: modDate, date: &dt.r, attr: it.attr}, dt.end, a.cost+dt.cost+0.1)
				}
			}
		}
		// a greater weight than 10
		for e, forms := range p.adjs[min(d, len(p.toks))] {
			for _, f := range forms {
				if f.degree != moreDegree {
					continue
				}
				op := "<"
				if f.up {
					op = ">"
				}
				for end, at := range p.m.attrs[e] {
					for _, than := range p.ends(end, "than") {
						for _, o := range p.operands(than) {
							add(mod{kind: modCompare, attr: at, op: op, val: o.val, np: o.np}, o.end, o.cost+3*(1-at.cands[0].score)/2)
						}
					}
				}
			}
		}
	}
	for _, c := range append(comparators[:len(comparators):len(comparators)], struct{ tag, op string }{"", "="}) {
		starts := p.ends(i, c.tag)
		if c.tag == "" {
			starts = []int{i}
		}
		for _, s := range starts {
			n, e := p.number(s)
			if e == s {
				continue
			}
			for _, u := range p.unit(e) {
				for _, o := range p.maybe(u, "of_strict") {
					for end, at := range p.m.attrs[o] {
						if numericOnly := onlyNumeric(at); numericOnly != nil {
							add(mod{kind: modCompare, attr: numericOnly, op: c.op, val: operand{lits: []string{n}, plain: n}}, end, 0.15+3*(1-at.cands[0].score)/2)
						}
					}
				}
			}
		}
	}
	// courses, a course in 2014, both cats and dogs
	for _, b := range p.maybe(i, "both", "either") {
		for _, c := range p.noun(b) {
			if c.np.isEntity() || c.np.isValue() {
				n := c.np
				if b > i && len(n.hits) > 1 && !n.any {
					n = n.clone()
					n.both = true
				}
				add(mod{kind: modRelated, np: n, hints: []string{"have"}, both: b > i}, c.end, c.cost+0.1)
			}
		}
	}
	out = keepMods(out)
	p.haves[i] = out
	return out
}

func compareMod(a *attr, c comparison) mod {
	m := mod{kind: modCompare, attr: a, op: c.op, val: c.val, np: c.np, date: c.date}
	if c.vals != nil {
		m.np = c.vals
	}
	return m
}

func onlyNumeric(a *attr) *attr {
	b := *a
	b.cands = nil
	for _, c := range a.cands {
		if c.col.Class == catalog.Number {
			b.cands = append(b.cands, c)
		}
	}
	if len(b.cands) == 0 {
		return nil
	}
	return &b
}

func (p *parser) quantified(i int, hints []string) []mcand {
	var out []mcand
	for _, c := range comparators {
		for _, e := range p.ends(i, c.tag) {
			n, e2 := p.number(e)
			if e2 == e {
				continue
			}
			for _, x := range p.noun(e2) {
				if x.np.isEntity() || x.np.isAttr() && len(x.np.items) == 1 && x.np.items[0].agg == "" {
					out = append(out, mcand{mod{kind: modRelated, np: x.np, hints: hints, quant: &quant{c.op, n}}, x.end, x.cost + extraAttr(x.np)})
				}
			}
		}
	}
	if n, e := p.number(i); e > i {
		for _, tag := range []string{"or_more", "or_less"} {
			for _, e2 := range p.ends(e, tag) {
				op := ">="
				if tag == "or_less" {
					op = "<="
				}
				for _, x := range p.noun(e2) {
					if x.np.isEntity() {
						out = append(out, mcand{mod{kind: modRelated, np: x.np, hints: hints, quant: &quant{op, n}}, x.end, x.cost})
					}
				}
			}
		}
		for _, x := range p.noun(e) {
			if x.np.isEntity() && x.np.num == "" {
				out = append(out, mcand{mod{kind: modRelated, np: x.np, hints: hints, quant: &quant{"=", n}}, x.end, x.cost + 0.2})
			}
		}
	}
	return out
}

// often is how many times something happens.
type often struct {
	op, n string
	end   int
}

// times reads "twice", "more than once", "at least 3 times", "only once".
func (p *parser) times(i int) []often {
	var out []often
	read := func(i int, op string) {
		n, e := p.number(i)
		if e == i {
			return
		}
		switch w := p.at(e).lower; {
		case w == "times" || w == "time":
			out = append(out, often{op, n, e + 1})
		case p.at(i).lower == "once" || p.at(i).lower == "twice":
			out = append(out, often{op, n, e})
		}
	}
	for _, c := range comparators {
		for _, e := range p.ends(i, c.tag) {
			read(e, c.op)
		}
	}
	read(i, "=")
	return out
}

func extraAttr(n *np) float64 {
	if n.isAttr() {
		return 0.4
	}
	return 0
}

func (p *parser) absence(i int, hints []string) []mcand {
	var out []mcand
	for _, d := range p.maybe(i, "det") {
		for _, c := range p.noun(d) {
			if c.np.isEntity() || c.np.isValue() {
				out = append(out, mcand{mod{kind: modRelated, np: c.np, hints: hints, neg: true}, c.end, c.cost})
			}
			if c.np.isAttr() && len(c.np.items) == 1 && c.np.items[0].agg == "" && c.np.items[0].attr != nil {
				out = append(out, mcand{mod{kind: modCompare, attr: c.np.items[0].attr, op: "is null"}, c.end, c.cost + 0.3})
			}
		}
	}
	return out
}
