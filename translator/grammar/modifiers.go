package grammar

// modifiers returns what may be said after a noun phrase that ends at i.
func (p *parser) modifiers(i int) []mcand {
	if i >= len(p.toks) || p.steps > maxSteps {
		return nil
	}
	if r, ok := p.mods[i]; ok {
		return r
	}
	p.mods[i] = nil
	p.steps++
	var out []mcand
	add := func(m mod, end int, cost float64) { out = append(out, mcand{m, end, cost}) }

	for _, e := range p.ends(i, "of_strict") {
		for _, c := range p.noun(e) {
			add(mod{kind: modOf, np: c.np}, c.end, c.cost)
		}
	}
	for _, e := range p.ends(i, "in") {
		for _, c := range p.noun(e) {
			add(mod{kind: modRelated, np: c.np, hints: p.wordsBetween(i, e)}, c.end, c.cost+0.05)
		}
	}
	for _, d := range p.date(i) {
		if d.end > i {
			add(mod{kind: modDate, date: &d.r}, d.end, d.cost)
		}
	}
	for _, e := range p.ends(i, "with") {
		for _, m := range p.have(e) {
			add(m.mod, m.end, m.cost)
		}
	}
	for end, a := range p.m.attrs[i] {
		if b := p.boolean(a); b != nil {
			add(mod{kind: modCompare, attr: b, op: "true"}, end, 0.25+3*(1-b.cands[0].score)/2)
		}
	}
	for _, e := range p.ends(i, "without") {
		out = append(out, p.absence(e, p.wordsBetween(i, e))...)
	}
	for _, e := range p.ends(i, "except") {
		for _, c := range p.noun(e) {
			add(mod{kind: modExcept, np: c.np}, c.end, c.cost)
		}
	}
	for _, e := range p.ends(i, "rel") {
		for _, m := range p.verbPhrase(e) {
			add(m.mod, m.end, m.cost)
		}
		for _, m := range p.inverted(e) {
			add(m.mod, m.end, m.cost+0.1)
		}
	}
	if len(p.ends(i, "do", "be_bare")) > 0 {
		for _, m := range p.inverted(i) {
			add(m.mod, m.end, m.cost+0.1)
		}
	}
	// "they are arranged to teach", "they teach"
	for _, e := range p.ends(i, "pron") {
		for _, d := range p.maybe(e, "do", "be_bare") {
			for _, v := range p.verbEnds(d) {
				add(mod{kind: modNothing}, v.end, v.cost+0.1)
				if p.at(v.end).lower == "to" && p.isVerb(v.end+1) {
					add(mod{kind: modNothing}, v.end+2, v.cost+0.1)
				}
			}
		}
	}
	for _, e := range p.ends(i, "whose") {
		for _, m := range p.whose(e) {
			add(m.mod, m.end, m.cost)
		}
	}
	for _, e := range p.ends(i, "group") {
		for _, k := range p.keys(e) {
			add(k.mod, k.end, k.cost)
		}
	}
	for _, e := range p.ends(i, "named") {
		for _, v := range p.values(e) {
			add(mod{kind: modNamed, np: v.np}, v.end, v.cost)
		}
	}
	out = append(out, p.ordering(i)...)
	out = append(out, p.comparative(i)...)
	// a relative clause without its pronoun, a participle
	for _, m := range p.verbPhrase(i) {
		add(m.mod, m.end, m.cost+0.25)
	}
	for _, m := range p.measured(i) {
		add(m.mod, m.end, m.cost)
	}
	if p.at(i).lower == "in" && !currency[p.at(i+1).lower] {
		for _, u := range p.unit(i + 1) {
			if u > i+1 {
				add(mod{kind: modNothing}, u, 0.1)
			}
		}
	}
	for _, e := range p.ends(i, "noise") {
		for _, m := range p.modifiers(e) {
			add(m.mod, m.end, m.cost+0.1)
		}
	}
	// ", with ...", "and whose ...", "and that ..."
	for _, cm := range p.maybe(i, "comma") {
		for _, and := range p.maybe(cm, "and") {
			if and == i {
				continue
			}
			for _, m := range p.modifiers(and) {
				if m.mod.lead {
					continue
				}
				add(m.mod, m.end, m.cost+0.12)
			}
		}
	}
	out = append(out, p.alternatives(out)...)
	out = keepMods(out)
	p.mods[i] = out
	return out
}

// currency words are units that choose rows where there are several: "paid in
// dollars" is not said for nothing.
var currency = setOf([]string{"dollars", "usd", "euros", "eur", "bucks", "us", "people"})

// alternatives reads "A or B" where B is a modifier of its own.
func (p *parser) alternatives(list []mcand) []mcand {
	var out []mcand
	for _, a := range keepMods(append([]mcand(nil), list...)) {
		for _, e := range p.ends(a.end, "or") {
			if a.mod.kind == modGroup || a.mod.kind == modOrder {
				continue
			}
			bs := append(append([]mcand(nil), p.modifiers(e)...), p.verbPhrase(e)...)
			if a.mod.kind == modRelated && len(a.mod.hints) > 0 || a.mod.kind == modCompare {
				bs = append(bs, p.have(e)...)
			}
			for _, b := range bs {
				if b.mod.kind == modGroup || b.mod.kind == modOrder || b.mod.kind == modAny {
					continue
				}
				out = append(out, mcand{mod{kind: modAny, subs: []mod{a.mod, b.mod}}, b.end, a.cost + b.cost + 0.2})
			}
		}
	}
	return out
}

func (p *parser) wordsBetween(i, j int) []string {
	var out []string
	for ; i < j; i++ {
		out = append(out, p.toks[i].lower)
	}
	return out
}

// keys reads what something is counted or added up for each of.
func (p *parser) keys(i int) []mcand {
	var out []mcand
	for _, d := range p.maybe(i, "det", "distinct") {
		for unit, words := range p.lang.dates.Units {
			for _, w := range words {
				if p.at(d).lower == w {
					out = append(out, mcand{mod{kind: modGroup, op: unit}, d + 1, 0.3})
				}
			}
		}
	}
	for _, c := range p.noun(i) {
		if c.np.isValue() || c.np.pron {
			continue
		}
		out = append(out, mcand{mod{kind: modGroup, np: c.np}, c.end, c.cost + 0.05})
	}
	return out
}

// ordering reads "ordered by age", "in descending order of age".
func (p *parser) ordering(i int) []mcand {
	var out []mcand
	dir := func(i int, f func(desc bool, end int, cost float64)) {
		for _, tag := range []string{"asc", "desc"} {
			for _, e := range p.ends(i, tag) {
				f(tag == "desc", e, 0)
			}
		}
	}
	starts := append([]int(nil), p.ends(i, "order")...)
	for _, c := range p.ends(i, "comma") {
		starts = append(starts, p.ends(c, "order")...)
	}
	for _, and := range p.ends(i, "and") {
		starts = append(starts, p.ends(and, "order")...)
	}
	for _, e := range starts {
		// "in descending order of age"
		dir(e, func(desc bool, e int, _ float64) {
			for _, o := range p.maybe(e, "of_strict", "in", "by") {
				for _, by := range p.maybe(o, "by") {
					for _, k := range p.orderKeys(by) {
						out = append(out, mcand{mod{kind: modOrder, np: k.np, desc: desc}, k.end, k.cost})
					}
				}
			}
			out = append(out, mcand{mod{kind: modDirection, desc: desc}, e, 0.3})
		})
		if p.at(i).lower == "in" && e == i+1 {
			continue
		}
		for _, k := range p.orderKeys(e) {
			out = append(out, mcand{mod{kind: modOrder, np: k.np}, k.end, k.cost + 0.02})
			for _, in := range p.maybe(k.end, "comma") {
				for _, in2 := range p.maybe(in, "in", "and") {
					dir(in2, func(desc bool, e int, _ float64) {
						out = append(out, mcand{mod{kind: modOrder, np: k.np, desc: desc}, e, k.cost})
					})
				}
			}
		}
	}
	for _, e := range append(append([]int{i}, p.ends(i, "comma")...), p.ends(i, "order")...) {
		dir(e, func(desc bool, end int, _ float64) {
			out = append(out, mcand{mod{kind: modDirection, desc: desc}, end, 0.1})
			for _, o := range p.maybe(end, "of_strict", "in") {
				for _, by := range p.maybe(o, "by") {
					if by == end {
						continue
					}
					for _, k := range p.orderKeys(by) {
						out = append(out, mcand{mod{kind: modOrder, np: k.np, desc: desc}, k.end, k.cost})
					}
				}
			}
		})
	}
	return out
}

func (p *parser) orderKeys(i int) []cand {
	var out []cand
	for _, d := range p.maybe(i, "pron", "det") {
		for _, c := range p.noun(d) {
			if !c.np.isValue() && !c.np.pron {
				out = append(out, c)
			}
		}
	}
	// "by age and name" is two keys: only single attributes are read here
	for _, d := range p.maybe(i, "pron", "det") {
		out = append(out, p.attributes(d, true)...)
	}
	return keep(out)
}

// comparative reads "older than 20", "cheaper than the average product".
func (p *parser) comparative(i int) []mcand {
	var out []mcand
	for e, forms := range p.adjs[min(i, len(p.toks))] {
		for _, a := range forms {
			a := a
			switch a.degree {
			case moreDegree:
				for _, than := range p.ends(e, "than") {
					op := "<"
					if a.up {
						op = ">"
					}
					for _, o := range p.operands(than) {
						out = append(out, mcand{mod{kind: modAdjective, adj: &a, op: op, val: o.val, np: o.np}, o.end, o.cost})
					}
				}
			case mostDegree:
				// "is the largest" has no noun after it
				out = append(out, mcand{mod{kind: modSuperAdj, adj: &a, n: "1"}, e, 0.6})
			}
		}
	}
	// "aged 20", "20 years old"
	if n, e := p.number(i); e > i {
		for _, u := range p.unit(e) {
			for e2, forms := range p.adjs[min(u, len(p.toks))] {
				for _, a := range forms {
					if a := a; a.degree == baseDegree {
						out = append(out, mcand{mod{kind: modAdjective, adj: &a, op: "=", val: operand{lits: []string{n}, plain: n}}, e2, 0.1})
					}
				}
			}
		}
	}
	return out
}

// operandCand is something to compare with.
type operandCand struct {
	val  operand
	np   *np // the operand is a phrase, to be made a subquery
	end  int
	cost float64
}

// operands reads numbers, quoted texts, averages and other single values.
func (p *parser) operands(i int) []operandCand {
	var out []operandCand
	for _, d := range p.maybe(i, "det") {
		if n, e := p.number(d); e > d {
			for _, u := range p.unit(e) {
				out = append(out, operandCand{val: operand{lits: []string{n}, plain: n}, end: u})
			}
		}
	}
	if t := p.at(i); t.kind == quotedToken || t.kind == dateToken {
		out = append(out, operandCand{val: operand{lits: []string{literal(t.text)}, plain: t.text}, end: i + 1, cost: 0.1})
	}
	// the average (of what is compared itself)
	for _, d := range p.maybe(i, "det") {
		for _, a := range aggregateTags {
			for _, e := range p.ends(d, a.tag) {
				out = append(out, operandCand{np: &np{items: []item{{agg: a.agg}}, pron: true}, end: e, cost: 0.1})
			}
		}
	}
	for _, c := range p.noun(i) {
		if c.np.isValue() || len(c.np.items) > 1 || c.np.pron {
			continue
		}
		out = append(out, operandCand{np: c.np, end: c.end, cost: c.cost + 0.2})
	}
	// "that of any country in Asia", "the one with the most horsepower"
	for _, e := range p.ends(i, "the_one") {
		for _, m := range p.modifiers(e) {
			if m.mod.kind == modSuper || m.mod.kind == modRelated || m.mod.kind == modCompare || m.mod.kind == modSuperRows {
				out = append(out, operandCand{np: &np{pron: true, mods: []mod{m.mod}}, end: m.end, cost: m.cost + 0.2})
			}
		}
	}
	for _, e := range p.ends(i, "that_of", "det", "the_one") {
		for _, d := range p.maybe(e, "det") {
			for _, c := range p.noun(d) {
				if c.np.isEntity() {
					n := c.np.clone()
					n.each = p.at(e).lower == "any" || p.at(d-1).lower == "any" || p.at(d-1).lower == "all" || p.at(d-1).lower == "every" || p.at(d-1).lower == "other"
					out = append(out, operandCand{np: n, end: c.end, cost: c.cost + 0.2})
				}
			}
		}
	}
	return out
}

// comparison is "greater than 5", "between 5 and 10", "starting with A".
type comparison struct {
	op   string
	val  operand
	np   *np
	end  int
	cost float64
	date *dateRange
	vals *np
}

var comparators = []struct{ tag, op string }{
	{"gt", ">"}, {"lt", "<"}, {"ge", ">="}, {"le", "<="}, {"eq", "="}, {"ne", "<>"},
}

// comparisons reads a comparison without the thing compared.
func (p *parser) comparisons(i int) []comparison {
	var out []comparison
	for _, b := range p.maybe(i, "be") {
		for _, c := range comparators {
			for _, e := range p.ends(b, c.tag) {
				if c.op == "=" || c.op == "<>" {
					for _, v := range p.values(e) {
						out = append(out, comparison{op: c.op, vals: v.np, end: v.end, cost: v.cost})
					}
				}
				for _, o := range p.operands(e) {
					out = append(out, comparison{op: c.op, val: o.val, np: o.np, end: o.end, cost: o.cost})
				}
			}
		}
		for _, e := range p.ends(b, "between") {
			lo, e2 := p.number(e)
			if e2 == e {
				continue
			}
			for _, u := range p.unit(e2) {
				if w := p.at(u).lower; w != "and" && w != "to" {
					continue
				}
				hi, e3 := p.number(u + 1)
				if e3 == u+1 {
					continue
				}
				for _, u := range p.unit(e3) {
					out = append(out, comparison{op: "between", val: operand{lits: []string{lo, hi}, plain: lo + " to " + hi}, end: u})
				}
			}
		}
		if n, e := p.number(b); e > b {
			for _, u := range p.unit(e) {
				for _, m := range p.ends(u, "or_more") {
					out = append(out, comparison{op: ">=", val: operand{lits: []string{n}, plain: n}, end: m})
				}
				for _, m := range p.ends(u, "or_less") {
					out = append(out, comparison{op: "<=", val: operand{lits: []string{n}, plain: n}, end: m})
				}
				if b > i {
					out = append(out, comparison{op: "=", val: operand{lits: []string{n}, plain: n}, end: u, cost: 0.05})
				}
			}
		}
		for _, e := range p.ends(b, "is_null") {
			out = append(out, comparison{op: "is null", end: e, cost: 0.1})
		}
		for _, nt := range p.maybe(b, "not") {
			neg := ""
			if nt > b {
				neg = "not "
			}
			for _, k := range []struct{ tag, before, after string }{{"starts", "", "%"}, {"ends", "%", ""}, {"contains", "%", "%"}} {
				for _, e := range p.ends(nt, k.tag) {
					if t := p.at(e); e < len(p.toks) && (t.kind == quotedToken || k.tag != "contains" && t.kind == wordToken && len(t.lower) <= 3) {
						out = append(out, comparison{op: neg + "ilike", val: operand{lits: []string{literal(k.before + likeEscape(t.text) + k.after)}, plain: t.text}, end: e + 1, cost: 0.1})
					}
				}
			}
		}
	}
	return out
}

// values reads phrases that are values alone.
func (p *parser) values(i int) []cand {
	var out []cand
	for _, d := range p.maybe(i, "det", "both", "either") {
		both := false
		for _, e := range p.ends(i, "both") {
			both = both || e == d
		}
		for _, c := range p.noun(d) {
			if c.np.isValue() {
				n := c.np
				if both && d > i {
					n = n.clone()
					n.both = true
				}
				out = append(out, cand{n, c.end, c.cost})
			}
		}
	}
	return out
}
